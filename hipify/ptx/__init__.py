"""Inline PTX: parsed, matched against a table of instructions, and written again as HIP C++."""
