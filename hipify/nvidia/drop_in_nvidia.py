"""Stands in for nvcc on NVIDIA: the port of a command line's sources goes to nvcc itself."""

from __future__ import annotations

from pathlib import Path

from hipify.database.compiled import cache_folder
from hipify.nvidia.drop_in import run_compiler, translated_tree
from hipify.nvidia.headers import write_headers
from hipify.nvidia.nvcc_line import Mode, NvccLine
from hipify.nvidia.toolkit import Toolkit
from hipify.options import Options
from hipify.toolchain.build.sources import SourceTree
from hipify.toolchain.build.units import include_folders


def serve_on_nvidia(line: NvccLine, directory: Path, toolkit: Toolkit) -> int:
    """Has nvcc make what a command line asks for, of translated sources; its exit code."""
    headers = Path(cache_folder()) / "nvcc" / "include"
    write_headers(headers)
    trees: list[SourceTree] = []
    inputs: list[str] = []
    folders: dict[str, None] = {}
    for source in line.sources:
        tree, command = translated_tree(source, line.words, directory, Options())
        trees.append(tree)
        inputs.append(str(tree.built(command.file)))
        # where the source lies, translated headers come first, the user's own after them
        places = [command.file.parent, *include_folders([command])]
        folders |= {str(tree.built(folder)): None for folder in places}
        folders |= {str(tree.support): None, str(command.file.parent): None}
    output = line.output
    if output is None and line.mode in (Mode.OBJECT, Mode.IMAGE) and len(line.sources) == 1:
        output = line.output_of(line.sources[0], directory)
    dependencies = line.dependency_options(line.sources[0], directory) if line.sources else []
    words = [str(toolkit.nvcc), *([line.mode_word] if line.mode is not Mode.LINK else [])]
    words += [word for folder in folders for word in ("-I", folder)]
    words += ["-I", str(headers), "-D__HIP_PLATFORM_NVIDIA__=1"]
    words += [word for word in line.words if word != line.mode_word]
    words += [*dependencies, *inputs, *(str(directory / word) for word in line.objects)]
    words += ["-shared"] if line.shared else []
    words += ["-o", str(output)] if output is not None else []
    return run_compiler(words, line, trees)
