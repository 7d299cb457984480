"""`hipify toolchain`: which compiler is used, and a private one where there is none."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

HELP = "find, install or remove a compiler for AMD GPUs"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of this command."""
    verbs = parser.add_subparsers(dest="verb", metavar="status|install|remove|path", required=True)
    _configure_status(
        verbs.add_parser("status", help="what was found, and why the rest is of no use")
    )
    _configure_install(
        verbs.add_parser("install", help="provision a private toolchain, without root")
    )
    for name, text in (
        ("remove", "delete the private toolchain"),
        ("path", "print the folder of the toolchain that would be used"),
    ):
        _add_prefix(verbs.add_parser(name, help=text))


def _configure_status(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--toolchain", type=Path, metavar="DIR", help="look only here")
    parser.add_argument(
        "--no-probe", action="store_true", help="do not compile a kernel to be sure"
    )


def _configure_install(parser: argparse.ArgumentParser) -> None:
    from hipify.toolchain.package_set import LIBRARIES, LLVM_VERSIONS

    _add_prefix(parser)
    parser.add_argument(
        "--llvm", type=int, choices=LLVM_VERSIONS, default=LLVM_VERSIONS[0], help="compiler version"
    )
    parser.add_argument(
        "--library",
        action="append",
        default=[],
        choices=sorted(LIBRARIES),
        help="install this library for real, not as a link stub (hundreds of MB; repeatable)",
    )
    parser.add_argument(
        "--archive",
        default="",
        metavar="URL",
        help="Debian or Ubuntu archive (default: $HIPIFY_ARCHIVE, else that of apt's lists)",
    )
    parser.add_argument("--suite", action="append", default=[], help="suite of it (repeatable)")
    parser.add_argument("--keyring", default="", metavar="FILE", help="key that signs the archive")
    parser.add_argument(
        "--package-cache",
        type=Path,
        metavar="DIR",
        help="take .deb files from here, and keep them here",
    )
    parser.add_argument("--offline", action="store_true", help="use kept .deb files only")
    parser.add_argument(
        "--strict", action="store_true", help="fail when a package is not exactly as locked"
    )
    parser.add_argument(
        "--no-patch-gfx950",
        action="store_true",
        help="leave rocPRIM as it is: neither it nor hipCUB and rocThrust compile for gfx950",
    )
    parser.add_argument("--again", action="store_true", help="build it anew even if it is there")


def _add_prefix(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--prefix",
        type=Path,
        metavar="DIR",
        help="folder of the private toolchain (default: $HIPIFY_TOOLCHAIN, else the data folder)",
    )


def run(args: argparse.Namespace) -> int:
    """Runs one of the verbs; 0 on success, 1 when there is no usable toolchain."""
    verbs = {"status": _status, "install": _install, "remove": _remove, "path": _path}
    return verbs[args.verb](args)


def _status(args: argparse.Namespace) -> int:
    import json
    from dataclasses import replace

    from hipify.toolchain.detect import Machine, candidates
    from hipify.toolchain.probe import probe

    found = []
    for candidate in candidates(Machine(), args.toolchain):
        chain = candidate.toolchain
        problem = probe(chain) if chain is not None and not args.no_probe else ""
        reason = f"it does not compile a kernel: {problem}"
        found.append(replace(candidate, toolchain=None, reason=reason) if problem else candidate)
    if args.format == "json":
        print(json.dumps(_as_json(found), indent=2))
    else:
        _print_status(found)
    return 0 if any(candidate.toolchain for candidate in found) else 1


def _as_json(found: list[Any]) -> dict[str, object]:
    entries = []
    for candidate in found:
        entry: dict[str, object] = {
            "origin": candidate.origin,
            "where": candidate.where,
            "usable": candidate.toolchain is not None,
        }
        if candidate.toolchain is None:
            entry["reason"] = candidate.reason
        else:
            chain = candidate.toolchain
            entry |= {
                "root": str(chain.root),
                "clang": str(chain.clang),
                "hip_version": ".".join(map(str, chain.hip_version)),
                "clang_version": ".".join(map(str, chain.clang_version)),
                "device_libraries": str(chain.device_libs),
                "archs": list(chain.archs),
                "libraries": list(chain.libraries),
            }
        entries.append(entry)
    return {"format": 1, "candidates": entries}


def _print_status(found: list[Any]) -> None:
    from hipify.targets.amd import ARCHS
    from hipify.toolchain.detect import INSTALL_REMEDY
    from hipify.toolchain.model import LIBRARY_HEADERS

    used = False
    for candidate in found:
        chain = candidate.toolchain
        if chain is None:
            print(f"- {candidate.origin}: {candidate.where}\n    not usable: {candidate.reason}")
            continue
        mark = "usable" if used else "used"
        used = True
        hip, clang = (".".join(map(str, v)) for v in (chain.hip_version, chain.clang_version))
        print(f"+ {candidate.origin}: {candidate.where}\n    {mark}: HIP {hip}, clang {clang}")
        print(f"    compiler: {chain.clang}")
        print(f"    targets: {' '.join(arch for arch in ARCHS if arch in chain.archs)}")
        unbuildable = [arch for arch in ARCHS if arch not in chain.archs]
        if unbuildable:
            print(f"    cannot build: {' '.join(unbuildable)}")
        print(f"    headers: {' '.join(chain.libraries) or 'none'}")
        absent = [name for name in LIBRARY_HEADERS if name not in chain.libraries]
        if absent:
            print(f"    no headers: {' '.join(absent)}")
    if not used:
        print(f"no compiler for AMD GPUs; {INSTALL_REMEDY}")


def _install(args: argparse.Namespace) -> int:
    from hipify.errors import ToolchainError
    from hipify.toolchain.detect import Machine, find_toolchain
    from hipify.toolchain.install import Request, install
    from hipify.toolchain.prefix import default_prefix
    from hipify.toolchain.probe import probe

    prefix = args.prefix or default_prefix()
    request = Request(
        prefix,
        args.llvm,
        tuple(dict.fromkeys(args.library)),
        args.archive,
        tuple(args.suite),
        args.keyring,
        args.package_cache,
        args.offline,
        args.strict,
        not args.no_patch_gfx950,
    )
    install(request, lambda text: print(text, flush=True), args.again)
    problem = probe(find_toolchain(Machine(), prefix))
    if problem:
        raise ToolchainError(f"installed in {prefix}, but it does not compile a kernel: {problem}")
    print(f"{prefix / 'bin' / 'hipcc'} compiles")
    return 0


def _remove(args: argparse.Namespace) -> int:
    from hipify.toolchain.install import remove
    from hipify.toolchain.prefix import default_prefix

    prefix = args.prefix or default_prefix()
    gone = remove(prefix)
    print("\n".join(f"removed {path}" for path in gone) or f"nothing to remove in {prefix}")
    return 0


def _path(args: argparse.Namespace) -> int:
    from hipify.toolchain.detect import Machine, find_toolchain

    print(find_toolchain(Machine(), args.prefix).root)
    return 0
