"""The `hipify` command: arguments in, the right command run, an exit code out.

Codes: 0 all is well, 1 findings (or files that would change), 2 usage, failures and our own faults.
"""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module

from hipify import __version__

TYPE_CHECKING = False  # that of typing, which takes longer to import than --version may take
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence
    from types import FrameType, ModuleType

_DEFAULT = "translate"
_ISSUES = "please report it, with the command and the output of --debug"


def main(argv: Sequence[str] | None = None) -> int:
    """Runs hipify with `argv` (without the program's name) and returns the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments in (["--version"], ["-V"]):
        sys.stdout.write(f"hipify {__version__}\n")
        return 0
    try:
        code = _run(arguments)
        sys.stdout.flush()  # here, where a reader that is gone can still be noticed
        return code
    except SystemExit as leaving:  # argparse: 0 after --help, 2 after a wrong option
        return leaving.code if isinstance(leaving.code, int) else 2
    except BrokenPipeError:
        # The reader of our output has seen enough. Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except KeyboardInterrupt:
        sys.stderr.write("hipify: interrupted\n")
        return 130
    except Exception as error:
        return _failed(error, "--debug" in arguments)


def _run(arguments: list[str]) -> int:
    if not arguments:
        sys.stderr.write(_overview())
        return 2
    if arguments[0] in ("-h", "--help"):
        sys.stdout.write(_overview())
        return 0
    name, rest = _chosen(arguments)
    command = _command(name)
    if getattr(command, "RAW", False):  # it takes another program's command line as it is
        from argparse import Namespace

        raw: int = command.run(Namespace(words=rest))
        return raw
    parser = _parser(name, command)
    trailing: list[str] = []
    if getattr(command, "FOR_A_PROGRAM", False) and "--" in rest:
        # argparse takes every `--` out, in some versions only the first
        at = rest.index("--")
        rest, trailing = rest[:at], rest[at + 1 :]
    args = _parsed(parser, rest)
    args.trailing = trailing
    # A run makes hundreds of thousands of small tuples that live to its end and form no cycles.
    gc.set_threshold(100_000)
    _end_tidily()
    code: int = command.run(args)
    return code


def _end_tidily() -> None:
    """Has a request to end the process unwind it, so that no temporary file stays behind."""
    import signal
    import threading

    def end(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    if hasattr(signal, "SIGTERM") and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, end)


def _chosen(arguments: list[str]) -> tuple[str, list[str]]:
    """The command and its arguments; without a command it is `translate`.

    Raises UsageError for a word that is neither a command nor a path.
    """
    first = arguments[0]
    if first in _names():
        return first, arguments[1:]
    if first.startswith("-") or os.path.lexists(first) or not first.isidentifier():
        return _DEFAULT, arguments
    from hipify.errors import UsageError
    from hipify.near import near_miss

    raise UsageError(
        f"{first!r} is neither a command nor a file or folder{near_miss(first, _names())} "
        "(hipify --help lists the commands)"
    )


def _names() -> list[str]:
    """All commands: the modules in `hipify.commands`."""
    import pkgutil

    import hipify.commands

    modules = pkgutil.iter_modules(hipify.commands.__path__)
    return sorted(module.name for module in modules if not module.name.startswith("_"))


def _command(name: str) -> ModuleType:
    return import_module(f"hipify.commands.{name}")


def _parser(name: str, command: ModuleType) -> ArgumentParser:
    from argparse import ArgumentParser

    parser = ArgumentParser(prog=f"hipify {name}", description=command.HELP, allow_abbrev=False)
    command.configure(parser)
    parser.add_argument("--debug", action="store_true", help="show tracebacks of internal errors")
    return parser


def _parsed(parser: ArgumentParser, arguments: list[str]) -> Namespace:
    """The arguments: paths and options in any order, unless the command has commands itself."""
    try:
        return parser.parse_intermixed_args(arguments)
    except TypeError:
        return parser.parse_args(arguments)


def _overview() -> str:
    names = _names()
    width = max(map(len, names))
    commands = "".join(f"  {name:<{width}}  {_command(name).HELP}\n" for name in names)
    return (
        "usage: hipify [COMMAND] ...\n"
        "       hipify PATH...        the same as hipify translate PATH...\n\n"
        f"Ports CUDA source code to HIP.\n\ncommands:\n{commands}\n"
        "hipify COMMAND --help explains a command; hipify --version tells the version.\n"
        "exit codes: 0 clean, 1 findings or would change, 2 usage or failure\n"
    )


def _failed(error: Exception, debug: bool) -> int:
    from hipify.errors import HipifyError

    if debug:
        import traceback

        traceback.print_exc()
    if isinstance(error, HipifyError):
        sys.stderr.write(f"hipify: error: {error}\n")
    else:
        kind = f"{type(error).__name__}: {error}"
        sys.stderr.write(f"hipify: internal error: {kind}\nhipify: {_ISSUES}\n")
    return 2
