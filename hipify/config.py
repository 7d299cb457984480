"""Settings from `hipify.toml` or the `[tool.hipify]` table of `pyproject.toml`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hipify.errors import ConfigError
from hipify.near import near_miss
from hipify.options import LAUNCH_SYNTAXES, TARGETS, WAVE_POLICIES

ENGINES = ("text", "ast", "auto")
FAIL_ON = ("error", "warning", "note", "none")

_CHOICES = {
    "target": TARGETS,
    "launch-syntax": LAUNCH_SYNTAXES,
    "wave-policy": WAVE_POLICIES,
    "engine": ENGINES,
    "fail-on": FAIL_ON,
}
_TEXTS = ("rocm",)
_FLAGS = ("experimental", "comments", "strings", "gitignore", "backup")
_LISTS = ("exclude", "extensions")
KEYS = (*_CHOICES, *_TEXTS, *_FLAGS, *_LISTS, "rename", "jobs")
"""Every setting; each is called as the command-line option is."""


@dataclass(frozen=True)
class Config:
    """The settings of one file, checked. `path` is None where there is no file."""

    path: Path | None = None
    values: Mapping[str, Any] = field(default_factory=dict)


def find_config(start: Path) -> Config:
    """The nearest configuration from the folder `start` upwards, up to the top of a repository.

    In one folder `hipify.toml` is preferred. A `pyproject.toml` without our table does not count.

    Raises ConfigError for a file that cannot be read or that holds something else than settings.
    """
    here = start.resolve()
    for folder in (here, *here.parents):
        for name in ("hipify.toml", "pyproject.toml"):
            path = folder / name
            if path.is_file():
                config = read_config(path)
                if config is not None:
                    return config
        if (folder / ".git").exists():
            break
    return Config()


def read_config(path: Path) -> Config | None:
    """The settings in a file; None for a `pyproject.toml` without our table.

    Raises ConfigError as `find_config` does.
    """
    document = _parsed(path)
    if path.name == "pyproject.toml":
        tool = document.get("tool", {})
        if not isinstance(tool, dict) or "hipify" not in tool:
            return None
        table, where = tool["hipify"], f"{path}: [tool.hipify]"
    else:
        table, where = document, str(path)
    if not isinstance(table, dict):
        raise ConfigError(f"{where}: must be a table of settings")
    return Config(path, {key: _checked(where, key, value) for key, value in table.items()})


def _parsed(path: Path) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: is not UTF-8: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: is not valid TOML: {error}") from None


def _checked(where: str, key: str, value: object) -> object:
    """The value of a setting, if it can be one."""
    if key not in KEYS:
        raise ConfigError(f"{where}: unknown setting {key!r}{near_miss(key, KEYS)}")
    where = f"{where}: {key}"
    if key in _CHOICES and value not in _CHOICES[key]:
        choices = ", ".join(_CHOICES[key])
        raise ConfigError(f"{where}: must be one of {choices}, not {value!r}")
    if key in _TEXTS and not isinstance(value, str):
        raise ConfigError(f'{where}: must be a text in quotes ("6.10" is not 6.1), not {value!r}')
    if key in _FLAGS and not isinstance(value, bool):
        raise ConfigError(f"{where}: must be true or false, not {value!r}")
    if key in _LISTS and not _are_texts(value):
        raise ConfigError(f"{where}: must be a list of texts, not {value!r}")
    if key == "jobs" and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
        raise ConfigError(f"{where}: must be a number from 1, not {value!r}")
    if key == "rename" and not (isinstance(value, dict) and _are_texts(list(value.values()))):
        raise ConfigError(f'{where}: must be a table such as {{".cu" = ".hip"}}, not {value!r}')
    return value


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
