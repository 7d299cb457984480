"""The programs in a private toolchain's `bin`: shell wrappers that put its own headers first."""

from __future__ import annotations

from pathlib import Path

from hipify.toolchain.private_tree import WAVEFRONT_HEADER, link_flags

ROOT = Path("$root")
LINK = f"""\
case "${{HIPIFY_LINK:-stub}}" in
  real) link="{" ".join(link_flags(ROOT, real=True))}" ;;
  *) link="{" ".join(link_flags(ROOT, real=False))}" ;;
esac
"""

HEAD = """\
#!/bin/sh
# HIPIFY_LINK=stub (the default) links libraries that start anywhere and find no device;
# HIPIFY_LINK=real links the real ones where this toolchain has them.
root=$(dirname "$(dirname "$(readlink -f "$0")")")
"""

HIPCC = (
    HEAD
    + """\
# hipcc would choose NVIDIA where it finds nvcc
export HIP_PLATFORM="${HIP_PLATFORM:-amd}"
export ROCM_PATH="$root/rocm" HIP_PATH="$root/rocm" HIP_CLANG_PATH="$root/rocm/llvm/bin"
export DEVICE_LIB_PATH="$root/rocm/amdgcn/bitcode"
if [ "$HIP_PLATFORM" = amd ]; then
"""
    + LINK
    + """\
# clang adds ROCm's headers last, where a HIP in /usr/include would win
HIPCC_COMPILE_FLAGS_APPEND="-isystem $root/rocm/include @EXTRA@ ${HIPCC_COMPILE_FLAGS_APPEND:-}"
HIPCC_LINK_FLAGS_APPEND="$link ${HIPCC_LINK_FLAGS_APPEND:-}"
export HIPCC_COMPILE_FLAGS_APPEND HIPCC_LINK_FLAGS_APPEND
fi
exec "$root/rocm/bin/$(basename "$0")" "$@"
"""
)

CLANG = (
    HEAD
    + LINK
    + """\
exec "$root/rocm/llvm/bin/$(basename "$0")" --rocm-path="$root/rocm" \\
  --rocm-device-lib-path="$root/rocm/amdgcn/bitcode" -isystem "$root/rocm/include" @EXTRA@ \\
  -Wno-unused-command-line-argument $link "$@"
"""
)

LINKS = (
    *("llvm-objdump", "llvm-readelf", "llvm-objcopy", "llvm-nm", "llvm-mc", "lld", "ld.lld"),
    "clang-offload-bundler",
)


def write_wrappers(tree: Path) -> None:
    """Fills `bin` of a private tree."""
    folder = tree / "bin"
    folder.mkdir(exist_ok=True)
    extra = ""
    if (tree / "rocm" / "include" / WAVEFRONT_HEADER).is_file():
        extra = f'-include "$root/rocm/include/{WAVEFRONT_HEADER}"'
    for names, text in ((("hipcc", "hipconfig"), HIPCC), (("clang++", "clang"), CLANG)):
        for name in names:
            # inside the quotes of hipcc's variable there are no quotes around the header
            flag = extra.replace('"', "") if text is HIPCC else extra
            (folder / name).write_text(
                text.replace(" @EXTRA@", f" {flag}" if flag else ""), "utf-8"
            )
            (folder / name).chmod(0o755)
    for name, target in (
        *((name, f"../rocm/llvm/bin/{name}") for name in LINKS),
        ("hipify-perl", "../rocm/bin/hipify-perl"),
    ):
        link = folder / name
        link.unlink(missing_ok=True)
        if (folder / target).exists():
            link.symlink_to(target)
