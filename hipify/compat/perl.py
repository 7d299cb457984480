"""hipify-perl: AMD's script as a command of ours; the text is the fast path's translation."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import hipify
from hipify.compat.command_line import Flag, Value, build_parser, inert_given
from hipify.compat.messages import perl_warnings
from hipify.compat.statistics import Statistics, perl_statistics, statistics_of, totals
from hipify.compat.translate import translate_source
from hipify.errors import HipifyError, UsageError
from hipify.options import WAVE_POLICIES, Options, rocm_version
from hipify.tree import disk

PROGRAM = "hipify-perl"
_TEXT_ONLY = "the whole file is always translated"

OPTIONS: tuple[Flag | Value, ...] = (
    Flag("cuda-kernel-execution-syntax", "keep the CUDA launch syntax (default)"),
    Flag("examine", "the same as -no-output -print-stats"),
    Value("exclude-dirs", "leave out files in these folders", "A,B"),
    Value("exclude-files", "leave out these files", "A,B"),
    Flag("experimental", "use HIP APIs that are called experimental"),
    Flag("help", "show this help"),
    Flag("hip-kernel-execution-syntax", "write launches as hipLaunchKernelGGL"),
    Flag("inplace", "replace FILE; its original is kept as FILE.prehip and read from there again"),
    Flag("miopen", "translate cuDNN to MIOpen"),
    Flag("no-output", "write no translation"),
    Value("o", "write the translation to this file", "FILE"),
    Flag("print-stats", "print statistics to standard error"),
    Flag("quiet-warnings", "print no warnings"),
    Flag("roc", "translate to ROC libraries instead of HIP's where there are any"),
    Flag("version", "show versions"),
    Value("whitelist", "do not warn about these names", "A,B"),
    Value("rocm", "(ours) names as of this ROCm version", "VERSION"),
    Flag(
        "as-amd",
        "(ours) hipblas.h and the like: AMD's text even where ours compiles and it does not",
    ),
    Value("wave-policy", "(ours) how warps of 32 lanes are ported; default: report", "POLICY"),
    Flag("amap", "hipify-clang's option", inert=_TEXT_ONLY),
    Flag("default-preprocessor", "hipify-clang's option", inert=_TEXT_ONLY),
    Flag(
        "skip-excluded-preprocessor-conditional-blocks",
        "hipify-clang's option",
        inert=_TEXT_ONLY,
    ),
    Flag("use-hip-data-types", "hipify-clang's option", inert="the ROCm version decides"),
    Flag("hipdnn", "translate cuDNN to hipDNN", inert="that is the default"),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs hipify-perl; 0, or 1 where a file is not translated or the options make no sense."""
    parser = build_parser(
        PROGRAM,
        "Translates CUDA sources to HIP, with the options of AMD's script of this name.",
        OPTIONS,
        abbreviations=True,
    )
    try:
        args = parser.parse_intermixed_args(sys.argv[1:] if argv is None else list(argv))
        if args.help:
            parser.print_help(sys.stderr)
        if args.version:
            print(f"hipify {hipify.__version__}", file=sys.stderr)
        if not args.files:
            if args.help or args.version:
                return 0
            raise UsageError(f"{PROGRAM}: no input file (-help lists the options)")
        return _Run(args, translation_options(args)).all(args.files)
    except HipifyError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def translation_options(args: Namespace) -> Options:
    """The translation that AMD's options (and our two) ask for.

    Warps are only told of by default, because the other ways include a header of ours.
    Raises UsageError for values that make no sense.
    """
    policy = args.wave_policy or "report"
    if policy not in WAVE_POLICIES:
        raise UsageError(f"-wave-policy: {policy!r} is none of {', '.join(WAVE_POLICIES)}")
    return Options(
        target="miopen" if args.miopen else "roc" if args.roc else "hip",
        rocm=rocm_version(args.rocm) if args.rocm else None,
        launch_syntax="hip" if args.hip_kernel_execution_syntax else "cuda",
        experimental=args.experimental,
        strings=True,
        unfold_launches=True,
        as_amd=args.as_amd,
        always_header=True,
        wave_policy=policy,
    )


@dataclass
class _Run:
    args: Namespace
    options: Options

    def all(self, files: list[str]) -> int:
        """Translates the files in order; one that fails does not stop the others."""
        args = self.args
        if args.o and len(files) > 1:
            raise UsageError("-o names one file, and several are given: use -inplace")
        if args.o and args.inplace:
            raise UsageError("-o and -inplace exclude each other")
        for sentence in inert_given(args, OPTIONS):
            self._say(f"  note: {sentence}")
        done, failed = [], False
        for name in files:
            if self._is_excluded(name):
                continue
            try:
                done.append(self._one(name))
            except (HipifyError, OSError) as error:
                print(f"error: {name}: {error}", file=sys.stderr)
                failed = True
        if self._wants_statistics and len(files) > 1:
            sys.stderr.write(perl_statistics(totals(done)[0]) + "\n")
        return int(failed)

    @property
    def _wants_statistics(self) -> bool:
        return bool(self.args.print_stats or self.args.examine)

    def _one(self, name: str) -> Statistics:
        args, path = self.args, Path(name)
        source = path
        if args.inplace:
            source = path.with_name(path.name + ".prehip")
            if not source.exists():
                disk.copy(path, source)
        translated = translate_source(name, source, self.options)
        whitelist = frozenset(filter(None, (args.whitelist or "").split(",")))
        warnings = [] if args.quiet_warnings else perl_warnings(translated, whitelist)
        for warning in warnings:
            self._say(warning)
        if args.inplace:
            disk.write(path, translated.translation.data)
        elif args.o:
            if not self._no_output:
                disk.write(Path(args.o), translated.translation.data)
        elif not self._no_output:
            sys.stdout.flush()
            sys.stdout.buffer.write(translated.translation.data)
            sys.stdout.buffer.flush()
        figures = statistics_of(name, translated, len(warnings))
        if self._wants_statistics and figures.converted.total + figures.warnings:
            sys.stderr.write(perl_statistics(figures))
        return figures

    @property
    def _no_output(self) -> bool:
        return bool(self.args.no_output or self.args.examine)

    def _is_excluded(self, name: str) -> bool:
        real = Path(name).resolve()
        for folder in filter(None, (self.args.exclude_dirs or "").split(",")):
            if Path(folder).resolve() in real.parents:
                self._say(f"Skipping the file: {name} in the excluded directory: {folder} ")
                return True
        for file in filter(None, (self.args.exclude_files or "").split(",")):
            if file == name or Path(file).resolve() == real:
                self._say(f"Skipping the excluded file: {name} ")
                return True
        return False

    def _say(self, text: str) -> None:
        print(text, file=sys.stderr)
