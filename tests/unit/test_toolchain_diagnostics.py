"""clang's words taken apart, merged, and led back to CUDA lines."""

from __future__ import annotations

from hipify.toolchain.diagnostics import Diagnostic, located, merged, parse_output

TEXT = """\
/b/src/main.cu:12:5: error: use of undeclared identifier 'foo'
   12 |     foo();
      |     ^
/b/src/a.h:3:1: note: did you mean 'fob'?
    3 | void fob();
/b/src/main.cu:14:2: warning: ignoring return value [-Wunused-value]
1 warning and 1 error generated when compiling for gfx90a.
/b/src/main.cu:14:2: warning: ignoring return value [-Wunused-value]
1 warning generated when compiling for host.
"""


def test_messages_notes_flags_and_sides() -> None:
    output = parse_output(TEXT)
    error, warning, again = output.diagnostics
    assert (error.kind, error.file, error.line, error.column) == ("error", "/b/src/main.cu", 12, 5)
    assert error.sides == ("gfx90a",)
    assert [note.text for note in error.notes] == ["did you mean 'fob'?"]
    assert (warning.text, warning.flag) == ("ignoring return value", "-Wunused-value")
    assert again.sides == ("host",)
    assert output.failed_sides == ("gfx90a",)


def test_equal_messages_are_one_with_all_their_sides() -> None:
    error, warning = merged(parse_output(TEXT).diagnostics)
    assert error.is_error
    assert warning.sides == ("gfx90a", "host")


def test_a_host_only_compilation_that_fails() -> None:
    output = parse_output("/x.cpp:1:2: fatal error: 'a.h' file not found\n1 error generated.\n")
    assert output.failed_sides == ("host",)
    assert output.diagnostics[0].is_error


def test_the_linker_and_the_driver_speak_without_places() -> None:
    text = (
        "ld.lld: error: undefined symbol: helper(int)\n"
        "/usr/bin/ld: cannot find -lhipblas: No such file or directory\n"
        "/usr/bin/ld: a.o: in function `main':\n"
        "/usr/bin/ld: a.cu:3: undefined reference to `absent()'\n"
        "clang++: error: no such file or directory: 'x.cu'\n"
        "clang++: error: linker command failed with exit code 1 (use -v to see invocation)\n"
    )
    found = [(item.kind, item.text) for item in parse_output(text).diagnostics]
    assert found == [
        ("error", "undefined symbol: helper(int)"),
        ("error", "cannot find -lhipblas: No such file or directory"),
        ("error", "a.cu:3: undefined reference to `absent()'"),
        ("error", "no such file or directory: 'x.cu'"),
    ]


def test_a_windows_path_keeps_its_drive() -> None:
    (item,) = parse_output("C:\\src\\a.cu:3:4: error: bad\n").diagnostics
    assert (item.file, item.line) == ("C:\\src\\a.cu", 3)


def test_places_lead_back_to_cuda_lines_notes_too() -> None:
    note = Diagnostic("note", "here", "/b/src/a.h", 3, 1)
    item = Diagnostic("error", "bad", "/b/src/main.cu", 12, 5, notes=(note,))

    def origin(file: str, line: int) -> tuple[str, int] | None:
        return (file.replace("/b/src", "/cuda"), line - 1) if file.startswith("/b/src") else None

    found = located(item, origin)
    assert (found.source, found.source_line) == ("/cuda/main.cu", 11)
    assert (found.notes[0].source, found.notes[0].source_line) == ("/cuda/a.h", 2)
    elsewhere = located(Diagnostic("error", "bad", "/usr/include/x.h", 1, 1), origin)
    assert elsewhere.source == ""
