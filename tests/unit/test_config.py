"""Configuration: the nearest file counts, and a wrong one is told by file, key and near miss."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.config import KEYS, Config, find_config, read_config
from hipify.errors import ConfigError


def test_the_nearest_file_upwards_counts(tmp_path: Path) -> None:
    deep = tmp_path / "a/b/c"
    deep.mkdir(parents=True)
    (tmp_path / "hipify.toml").write_text('target = "roc"\n')
    assert find_config(deep).values == {"target": "roc"}
    (tmp_path / "a/pyproject.toml").write_text('[tool.other]\ntarget = "no"\n')
    assert find_config(deep).path == (tmp_path / "hipify.toml").resolve()
    (tmp_path / "a/pyproject.toml").write_text('[tool.hipify]\ntarget = "miopen"\n')
    assert find_config(deep).values == {"target": "miopen"}
    (tmp_path / "a/hipify.toml").write_text("jobs = 3\n")
    assert find_config(deep).values == {"jobs": 3}


def test_the_top_of_a_repository_ends_the_search(tmp_path: Path) -> None:
    (tmp_path / "hipify.toml").write_text('target = "roc"\n')
    (tmp_path / "repo/.git").mkdir(parents=True)
    assert find_config(tmp_path / "repo") == Config()
    (tmp_path / "repo/hipify.toml").write_text('target = "hip"\n')
    assert find_config(tmp_path / "repo").values == {"target": "hip"}


def test_every_setting_is_read(tmp_path: Path) -> None:
    path = tmp_path / "hipify.toml"
    path.write_text(
        'target = "hip"\nrocm = "6.3"\nlaunch-syntax = "hip"\nexperimental = true\n'
        'comments = false\nstrings = true\nwave-policy = "native"\nfail-on = "error"\nengine = "text"\njobs = 2\ngitignore = false\n'
        'backup = false\nexclude = ["vendor/"]\nextensions = ["+.cuinc"]\n[rename]\n".cu" = ".hip"\n'
    )
    config = read_config(path)
    assert config is not None
    assert sorted(config.values) == sorted(KEYS)


def test_a_byte_order_mark_is_fine(tmp_path: Path) -> None:
    path = tmp_path / "hipify.toml"
    path.write_bytes(b"\xef\xbb\xbfjobs = 2\r\n")
    config = read_config(path)
    assert config is not None
    assert config.values == {"jobs": 2}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('tarjet = "hip"', "unknown setting 'tarjet'; did you mean 'target'"),
        ("zzz = 1", "unknown setting 'zzz'$"),
        ('target = "cuda"', "target: must be one of hip, roc, miopen, not 'cuda'"),
        ("rocm = 6.10", "rocm: must be a text in quotes"),
        ('jobs = "4"', "jobs: must be a number from 1"),
        ("jobs = 0", "jobs: must be a number from 1"),
        ("jobs = true", "jobs: must be a number from 1"),
        ('exclude = "vendor"', "exclude: must be a list of texts"),
        ("exclude = [1]", "exclude: must be a list of texts"),
        ('experimental = "yes"', "experimental: must be true or false"),
        ('rename = ".cu=.hip"', "rename: must be a table"),
        ("target = [", "is not valid TOML: ."),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "hipify.toml"
    path.write_text(text + "\n")
    with pytest.raises(ConfigError, match=says) as caught:
        find_config(tmp_path)
    assert str(path) in str(caught.value)


def test_a_wrong_setting_in_pyproject_names_the_table(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text("[tool.hipify]\nexclud = []\n")
    with pytest.raises(ConfigError, match=r"\[tool\.hipify\].*did you mean 'exclude'"):
        find_config(tmp_path)
    path.write_text("[tool]\nhipify = 3\n")
    with pytest.raises(ConfigError, match="must be a table"):
        find_config(tmp_path)


def test_a_file_in_another_encoding_is_said(tmp_path: Path) -> None:
    (tmp_path / "hipify.toml").write_bytes(b'target = "\xff"\n')
    with pytest.raises(ConfigError, match="is not UTF-8"):
        find_config(tmp_path)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no\.toml: cannot be read: No such file"):
        read_config(tmp_path / "no.toml")
