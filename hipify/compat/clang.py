"""hipify-clang: AMD's tool as a command of ours, over the AST engine."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import hipify
from hipify.compat.command_line import Flag, Value, build_parser, inert_given
from hipify.compat.messages import clang_errors, clang_warnings
from hipify.compat.statistics import (
    Statistics,
    clang_statistics,
    csv_statistics,
    statistics_of,
    totals,
)
from hipify.compat.translate import Translate, translate_source
from hipify.errors import HipifyError, UsageError
from hipify.options import WAVE_POLICIES, Options, rocm_version
from hipify.tree import disk

PROGRAM = "hipify-clang"
_MARK = "[HIPIFY] "
_GENERATORS = "hipify's database has its own documents: see hipify db and hipify query"
_WHOLE = "branches that are left out are always translated, by their tokens"
_DOCUMENTS = ("perl", "python", "md", "csv")

OPTIONS: tuple[Flag | Value, ...] = (
    Value("o", "write the translation to this file", "FILE"),
    Value("o-dir", "write translations into this folder", "DIR"),
    Value("o-stats", "write statistics to this CSV file", "FILE"),
    Flag("inplace", "replace the sources"),
    Flag("no-backup", "keep no backup", inert="-inplace makes none, as in AMD's tool"),
    Flag("no-output", "write no translation"),
    Flag("print-stats", "print statistics to standard error"),
    Flag("print-stats-csv", "write statistics to FILE.csv, or sum_stat.csv for many"),
    Flag("examine", "the same as -no-output -print-stats"),
    Flag("roc", "translate to ROC libraries instead of HIP's where there are any"),
    Flag("miopen", "translate cuDNN to MIOpen"),
    Flag("hipdnn", "translate cuDNN to hipDNN", inert="that is the default"),
    Flag("experimental", "use HIP APIs that are called experimental"),
    Flag("cuda-kernel-execution-syntax", "keep the CUDA launch syntax (default)"),
    Flag("hip-kernel-execution-syntax", "write launches as hipLaunchKernelGGL"),
    Flag("skip-excluded-preprocessor-conditional-blocks", "leave out what #if leaves out"),
    Flag("default-preprocessor", "the same"),
    Flag("amap", "translate as much as possible; overrides -default-preprocessor"),
    Flag("no-undocumented-features", "keep half2 members as they are"),
    Flag("no-warnings-on-undocumented-features", "do not warn about half2 members"),
    Flag("use-hip-data-types", "hipDataType for types", inert="the ROCm version decides"),
    Value("cuda-path", "folder of the CUDA toolkit", "DIR"),
    Value("cuda-gpu-arch", "GPU to parse for", "ARCH", True, "host code is parsed"),
    Value("clang-resource-directory", "clang's headers", "DIR", inert="libclang brings its own"),
    Value("hip-path", "folder of HIP", "DIR", inert="HIP is not needed to translate"),
    Value("temp-dir", "folder for temporary files", "DIR", inert="there are none"),
    Flag("save-temps", "keep temporary files", inert="there are none"),
    Value("I", "folder to look for includes in", "DIR", True),
    Value("D", "macro to define", "NAME[=TEXT]", True),
    Value("p", "folder of compile_commands.json", "DIR"),
    Value("extra-arg", "another option for clang", "ARG", True),
    Value("extra-arg-before", "the same", "ARG", True),
    Flag("v", "say more"),
    Flag("show-progress", "say which file is being translated"),
    Flag("perl", "generate hipify-perl", inert=_GENERATORS),
    Flag("python", "generate a Python map", inert=_GENERATORS),
    Flag("md", "generate Markdown", inert=_GENERATORS),
    Flag("csv", "generate CSV", inert=_GENERATORS),
    Value("o-hipify-perl-dir", "where -perl writes", "DIR", inert=_GENERATORS),
    Value("o-python-map-dir", "where -python writes", "DIR", inert=_GENERATORS),
    Value("doc-format", "full, strict or compact", "FORMAT", inert=_GENERATORS),
    Value("doc-roc", "skip, separate or joint", "FORMAT", inert=_GENERATORS),
    Flag("versions", "show supported versions"),
    Flag("version", "show the version"),
    Flag("help", "show this help"),
    Value("rocm", "(ours) names as of this ROCm version", "VERSION"),
    Flag(
        "as-amd",
        "(ours) hipblas.h and the like: AMD's text even where ours compiles and it does not",
    ),
    Value("wave-policy", "(ours) how warps of 32 lanes are ported; default: report", "POLICY"),
    Value("engine", "(ours) ast (default), auto or text", "ENGINE"),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs hipify-clang.

    The exit code is 0, or 1 for a file that clang could not understand in full (its translation is
    written all the same), for one that failed, and for options that make no sense.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    own, clang = words, []
    if "--" in words:
        at = words.index("--")
        own, clang = words[:at], words[at + 1 :]
    parser = build_parser(
        PROGRAM,
        "Translates CUDA sources to HIP, with the options of AMD's tool of this name. "
        "What follows -- goes to clang.",
        OPTIONS,
        abbreviations=False,
    )
    try:
        args = parser.parse_intermixed_args(own)
        if args.help:
            parser.print_help()
            return 0
        if args.version or args.versions:
            print(f"hipify {hipify.__version__}", file=sys.stderr)
        for sentence in inert_given(args, OPTIONS):
            print(f"{_MARK}info: {sentence}", file=sys.stderr)
        files = _files(args)
        if not files:
            if args.version or args.versions or any(getattr(args, name) for name in _DOCUMENTS):
                return 0
            raise UsageError("Must specify at least 1 positional argument for source file")
        return _Run(args, _options(args), _translate(args, clang)).all(files)
    except HipifyError as error:
        print(f"{_MARK}error: {error}", file=sys.stderr)
        return 1


def _files(args: Namespace) -> list[str]:
    """The files given, or else all of the compile database."""
    if args.files or args.p is None:
        return list(args.files)
    from hipify.compile_db import read_compile_db

    return [str(command.file) for command in read_compile_db(Path(args.p))]


def _options(args: Namespace) -> Options:
    policy = args.wave_policy or "report"
    if policy not in WAVE_POLICIES:
        raise UsageError(f"-wave-policy: {policy!r} is none of {', '.join(WAVE_POLICIES)}")
    skips = args.skip_excluded_preprocessor_conditional_blocks or args.default_preprocessor
    return Options(
        target="miopen" if args.miopen else "roc" if args.roc else "hip",
        rocm=rocm_version(args.rocm) if args.rocm else None,
        launch_syntax="hip" if args.hip_kernel_execution_syntax else "cuda",
        experimental=args.experimental,
        strings=True,
        as_amd=args.as_amd,
        always_header=True,
        unfold_launches=True,
        active_only=skips and not args.amap,
        half2_members=not args.no_undocumented_features,
        wave_policy=policy,
    )


def _translate(args: Namespace, clang: list[str]) -> Translate:
    """The translation by the engine that was asked for."""
    engine = args.engine or "ast"
    if engine == "text":
        from hipify.pipeline import translate_bytes

        return translate_bytes
    if engine not in ("ast", "auto"):
        raise UsageError(f"-engine: {engine!r} is none of ast, auto, text")
    from hipify.translators.clang.flags import Settings
    from hipify.translators.clang_ast import ClangTranslation

    arguments = [f"-I{folder}" for folder in args.I] + [f"-D{macro}" for macro in args.D]
    arguments += args.extra_arg_before + clang + args.extra_arg
    settings = Settings(
        cuda=Path(args.cuda_path) if args.cuda_path else None,
        arguments=tuple(arguments),
        compile_db=Path(args.p) if args.p else None,
    )
    return ClangTranslation(settings, strict=engine == "ast")


@dataclass
class _Run:
    args: Namespace
    options: Options
    translate: Translate
    csv: list[str] = field(default_factory=list)

    def all(self, files: list[str]) -> int:
        """Translates the files in order; one that fails does not stop the others."""
        args = self.args
        self._require_sense(files)
        done: list[Statistics] = []
        wrong = False
        for name in files:
            if args.v or args.show_progress:
                print(f"{_MARK}info: {name}", file=sys.stderr)
            try:
                figures = self._one(name)
            except (HipifyError, OSError) as error:
                print(f"\n{_MARK}error: {name}: {error}", file=sys.stderr)
                figures = Statistics(name, failed=True)
            wrong = wrong or figures.failed
            done.append(figures)
            self._report(figures)
        if len(files) > 1:
            self._report_all(done)
        self._write_csv(files)
        return int(wrong)

    def _require_sense(self, files: list[str]) -> None:
        args = self.args
        silent = args.no_output or args.examine
        if args.o and len(files) > 1:
            raise UsageError("conflict: -o and multiple source files are specified")
        for one, other, clash in (
            ("-o", "-inplace", args.o and args.inplace),
            ("-no-output", "-o", args.o and silent),
            ("-no-output", "-inplace", args.inplace and silent),
            ("-o-dir", "-inplace", args.inplace and args.o_dir),
        ):
            if clash:
                raise UsageError(f"conflict: both {one} and {other} options are specified")

    def _one(self, name: str) -> Statistics:
        args = self.args
        translated = translate_source(name, Path(name), self.options, self.translate)
        if args.v:
            print(f"{_MARK}info: read by {translated.translation.engine}", file=sys.stderr)
        warnings = clang_warnings(translated)
        for text in warnings:
            print(text, file=sys.stderr)
        errors = clang_errors(translated)
        for text in errors:
            print(text, file=sys.stderr)
        if not (args.no_output or args.examine):
            disk.write(self._output(name), translated.translation.data)
        figures = statistics_of(name, translated, len(warnings))
        figures.failed = bool(errors)
        return figures

    def _output(self, name: str) -> Path:
        args = self.args
        if args.o:
            return Path(args.o_dir or "", args.o)
        if args.inplace:
            return Path(name)
        if args.o_dir:
            return Path(args.o_dir, Path(name).name + ".hip")
        return Path(name + ".hip")

    def _report(self, figures: Statistics) -> None:
        if self.args.print_stats or self.args.examine:
            sys.stderr.write(clang_statistics(figures))
        self.csv.append(csv_statistics(figures))

    def _report_all(self, done: list[Statistics]) -> None:
        figures, counts = totals(done)
        self._report(figures)
        if self.args.print_stats or self.args.examine:
            lines = "".join(f"  {key}: {value}\n" for key, value in counts)
            sys.stderr.write(f"\n{_MARK}info: TOTAL statistics:\n{lines}")
        lines = "".join(f"{key};{value}\n" for key, value in counts)
        self.csv.append(f"\nTOTAL statistics:\n{lines}")

    def _write_csv(self, files: list[str]) -> None:
        args = self.args
        if not (args.print_stats_csv or args.o_stats):
            return
        name = args.o_stats or ("sum_stat.csv" if len(files) > 1 else Path(files[0]).name + ".csv")
        disk.write(Path(args.o_dir or "", name), "".join(self.csv).encode())
