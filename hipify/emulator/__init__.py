"""AMD code objects on a CPU: run programs built for AMD GPUs where there is none.

A program is compiled by AMD's compiler for a real architecture and linked with ``libamdhip64``;
this package supplies a library of that name. It decodes the program's code objects with
llvm-objdump and executes their instructions wave by wave, each for all its lanes at once.
"""

from hipify.emulator.build import Runtime, build_runtime
from hipify.emulator.errors import EmulatorError
from hipify.emulator.run import ARCHITECTURES, Result, run_program
from hipify.emulator.tools import Tools, find_tools

__all__ = [
    "ARCHITECTURES",
    "EmulatorError",
    "Result",
    "Runtime",
    "Tools",
    "build_runtime",
    "find_tools",
    "run_program",
]
