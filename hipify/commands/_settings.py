"""Options that commands on source trees share, and what they and the configuration amount to."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from glob import glob
from pathlib import Path
from typing import Any

from hipify.config import ENGINES, FAIL_ON, Config, find_config, read_config
from hipify.errors import UsageError
from hipify.finding import Severity
from hipify.options import LAUNCH_SYNTAXES, TARGETS, WAVE_POLICIES, Options, rocm_version
from hipify.pipeline import translate_bytes
from hipify.tree.plan import common_folder
from hipify.tree.results import Translate
from hipify.walk import EXTENSIONS, Globs, Selection


@dataclass(frozen=True)
class Settings:
    """What a run goes by, the command line first, then the configuration, then defaults."""

    options: Options
    selection: Selection
    fail_on: Severity | None
    jobs: int | None
    backup: bool
    translate: Translate


def add_options(parser: ArgumentParser) -> None:
    """Adds the options that a configuration file can set, and those that say which and how loud."""
    _add_translation(parser)
    _add_selection(parser)
    group = parser.add_argument_group("running")
    group.add_argument("-j", "--jobs", type=_positive, metavar="N", help="processes; default: all")
    group.add_argument(
        "--fail-on", choices=FAIL_ON, help="least severity that makes the exit code 1 (warning)"
    )
    group.add_argument("-q", "--quiet", action="store_true", help="only errors")
    group.add_argument("-v", "--verbose", action="store_true", help="tell of every file")
    group.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="colours (auto)"
    )
    group.add_argument("--config", metavar="FILE", help="this configuration, not the nearest one")
    group.add_argument("--no-config", action="store_true", help="no configuration file")


def _add_translation(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("translation")
    group.add_argument("--target", choices=TARGETS, help="libraries to port to (hip)")
    group.add_argument("--rocm", metavar="VERSION", help="names as of this ROCm version (newest)")
    group.add_argument(
        "--launch-syntax",
        "--kernel-execution-syntax",
        choices=LAUNCH_SYNTAXES,
        help="keep <<<>>> (cuda) or write hipLaunchKernelGGL (hip)",
    )
    group.add_argument(
        "--hip-kernel-execution-syntax",
        dest="launch_syntax",
        action="store_const",
        const="hip",
        help="the same as --launch-syntax hip",
    )
    _add_flag(group, "experimental", "use HIP APIs that are called experimental")
    _add_flag(group, "comments", "rename CUDA names in comments too")
    _add_flag(group, "strings", "rename CUDA names in string literals too")
    group.add_argument(
        "--wave-policy",
        choices=WAVE_POLICIES,
        help="keep warps of 32 lanes on every GPU (logical32), make them as wide as the hardware's "
        "where that is safe (native), or only tell (report)",
    )
    group.add_argument(
        "--rename",
        metavar=".OLD=.NEW",
        type=_renaming,
        action="append",
        help="give translated files another extension, .cu=.hip say; may be repeated",
    )
    group.add_argument(
        "--engine",
        choices=ENGINES,
        help="what reads the source: tokens (text, the default), clang (ast), or clang where it "
        "can (auto)",
    )
    _add_clang(parser)


def _add_clang(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("what clang needs to know (--engine ast or auto)")
    group.add_argument("--cuda-path", metavar="DIR", help="the CUDA toolkit (the best one found)")
    group.add_argument("-p", "--compile-db", metavar="DIR", help="where compile_commands.json is")
    group.add_argument(
        "-I", metavar="DIR", dest="include", action="append", default=[], help="include folder"
    )
    group.add_argument(
        "-D", metavar="MACRO", dest="define", action="append", default=[], help="macro, =TEXT"
    )
    group.add_argument("--std", metavar="NAME", help="the C++ standard (c++17)")
    group.add_argument(
        "--device-pass", action="store_true", help="see the code as a GPU does, not as the host"
    )


def _add_selection(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("which files of a folder")
    group.add_argument(
        "--exclude",
        metavar="GLOB",
        action="append",
        help="leave matching files as they are (.gitignore syntax); may be repeated",
    )
    group.add_argument(
        "--extensions",
        metavar="LIST",
        type=_extensions,
        help="take these, .cu,.cuh say, or +.cuinc to add to the usual ones",
    )
    _add_flag(group, "gitignore", "leave out what .gitignore files match (the default)")


def _add_flag(group: Any, name: str, text: str) -> None:
    group.add_argument(f"--{name}", action="store_true", default=None, help=text)
    group.add_argument(
        f"--no-{name}", dest=name, action="store_false", default=None, help="the opposite"
    )


def paths_of(words: Sequence[str], expand: bool = os.name == "nt") -> list[Path]:
    """The paths that a user names; patterns such as `*.cu` are expanded where no shell does so."""
    paths: list[Path] = []
    for word in words:
        matches = sorted(glob(word)) if expand and not Path(word).exists() else []  # noqa: PTH207
        paths += map(Path, matches or [word])
    return paths


def settle(args: Namespace, paths: Sequence[Path]) -> Settings:
    """All settings for these paths.

    Raises UsageError and ConfigError for those that make no sense.
    """
    config = _config(args, paths)
    values = config.values

    def chosen(key: str, default: Any) -> Any:
        given = getattr(args, key.replace("-", "_"), None)
        return values.get(key, default) if given is None else given

    options = Options(
        target=chosen("target", "hip"),
        rocm=rocm_version(chosen("rocm", "newest")),
        launch_syntax=chosen("launch-syntax", "cuda"),
        experimental=chosen("experimental", False),
        comments=chosen("comments", False),
        strings=chosen("strings", False),
        wave_policy=chosen("wave-policy", "logical32"),
        renamed_files=_renamings(args, values.get("rename", {}), config),
    )
    least = chosen("fail-on", "warning")
    return Settings(
        options,
        Selection(
            _all_extensions(args, config), _excludes(args, config), chosen("gitignore", True)
        ),
        None if least == "none" else Severity[least.upper()],
        chosen("jobs", None),
        chosen("backup", True),
        _translate(chosen("engine", "text"), args, paths),
    )


def _translate(engine: str, args: Namespace, paths: Sequence[Path]) -> Translate:
    """The translation of an engine."""
    if engine == "text":
        return translate_bytes
    from hipify.translators.clang.flags import Settings as ClangSettings
    from hipify.translators.clang_ast import ClangTranslation

    words = [f"-I{folder}" for folder in args.include] + [f"-D{macro}" for macro in args.define]
    words += [f"-std={args.std}"] if args.std else []
    settings = ClangSettings(
        cuda=Path(args.cuda_path) if args.cuda_path else None,
        arguments=tuple(words),
        compile_db=Path(args.compile_db) if args.compile_db else None,
        device=args.device_pass,
        root=common_folder(paths) if any(path.is_dir() for path in paths) else None,
    )
    return ClangTranslation(settings, strict=engine == "ast")


def _config(args: Namespace, paths: Sequence[Path]) -> Config:
    if args.config is not None:
        config = read_config(Path(args.config))
        if config is None:
            raise UsageError(f"--config {args.config}: has no [tool.hipify] table")
        return config
    if args.no_config:
        return Config()
    there = [path for path in paths if path.exists()]
    return find_config(common_folder(there) if there else Path.cwd())


def _excludes(args: Namespace, config: Config) -> tuple[Globs, ...]:
    """Patterns of the command line count from the current folder, a file's from its folder."""
    found = []
    if config.path is not None and config.values.get("exclude"):
        found.append(Globs(config.path.parent, tuple(config.values["exclude"])))
    if getattr(args, "exclude", None):
        found.append(Globs(Path.cwd(), tuple(args.exclude)))
    return tuple(found)


def _all_extensions(args: Namespace, config: Config) -> frozenset[str]:
    if getattr(args, "extensions", None) is not None:
        listed = args.extensions
    elif "extensions" in config.values:
        try:
            listed = _extensions(",".join(config.values["extensions"]))
        except ArgumentTypeError as error:
            raise UsageError(f"{config.path}: extensions: {error}") from None
    else:
        return EXTENSIONS
    added = frozenset(text[1:] for text in listed if text.startswith("+"))
    plain = frozenset(text for text in listed if not text.startswith("+"))
    return (plain or EXTENSIONS) | added


def _renamings(args: Namespace, configured: dict[str, str], config: Config) -> dict[str, str]:
    pairs = dict(configured)
    for old, new in pairs.items():
        if not old.startswith(".") or not new.startswith("."):
            raise UsageError(f"{config.path}: rename: extensions start with a dot: {old} = {new}")
    pairs.update(args.rename or ())
    return pairs


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"must be a number from 1, not {text!r}")
    return int(text)


def _renaming(text: str) -> tuple[str, str]:
    old, equals, new = text.partition("=")
    if not equals or not all(len(part) > 1 and part.startswith(".") for part in (old, new)):
        raise ArgumentTypeError(f"must be like .cu=.hip, not {text!r}")
    return old, new


def _extensions(text: str) -> list[str]:
    listed = [part.strip().lower() for part in text.split(",")]
    for part in listed:
        if len(part.lstrip("+")) < 2 or not part.lstrip("+").startswith("."):
            raise ArgumentTypeError(f"extensions start with a dot, as in .cu,.cuh: {text!r}")
    return listed
