"""The option syntax that AMD's tools share: one dash or two, `-o=x`, `-o x`, `-Idir`."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser
from typing import NamedTuple, NoReturn

from hipify.errors import UsageError


class Flag(NamedTuple):
    """An option without a value. An `inert` one is taken, does nothing here and says why."""

    name: str
    help: str
    inert: str = ""


class Value(NamedTuple):
    """An option with a value; a `repeated` one collects them all."""

    name: str
    help: str
    metavar: str = "VALUE"
    repeated: bool = False
    inert: str = ""


class _Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog}: {message} (-help lists the options)")


def build_parser(
    program: str, description: str, options: tuple[Flag | Value, ...], *, abbreviations: bool
) -> ArgumentParser:
    """A parser for `options` and input files; each option is set under its name, dashes as `_`.

    `abbreviations` allows unique beginnings of options, as Perl's Getopt does. The parser raises
    UsageError for what it cannot understand.
    """
    parser = _Parser(
        prog=program,
        description=description,
        add_help=False,
        allow_abbrev=abbreviations,
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="CUDA source")
    for option in options:
        names = [f"-{option.name}", f"--{option.name}"]
        dest = option.name.replace("-", "_")
        text = f"{option.help} ({option.inert})" if option.inert else option.help
        if isinstance(option, Flag):
            parser.add_argument(*names, dest=dest, action="store_true", help=text)
        else:
            parser.add_argument(
                *names,
                dest=dest,
                metavar=option.metavar,
                action="append" if option.repeated else "store",
                default=[] if option.repeated else None,
                help=text or SUPPRESS,
            )
    return parser


def inert_given(args: object, options: tuple[Flag | Value, ...]) -> list[str]:
    """A sentence for each option that was given and does nothing here."""
    return [
        f"-{option.name} changes nothing here: {option.inert}"
        for option in options
        if option.inert and getattr(args, option.name.replace("-", "_"))
    ]
