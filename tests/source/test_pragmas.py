"""Suppression comments."""

from pathlib import Path

import pytest

from dllint.source.document import Document
from dllint.source.pragmas import Suppressions


def suppressions(text: str) -> Suppressions:
    return Suppressions.of(Document.from_text(Path("a.py"), text))


def suppressed(text: str, first: int, last: int | None = None, code: str = "DLS101", name: str = "layer-unused") -> bool:
    return suppressions(text).matches(code, name, first, last)


@pytest.mark.parametrize(
    "comment",
    [
        "# dllint: ignore",
        "# dllint: ignore[DLS101]",
        "#dllint:ignore[ DLT999 , dls101 ]",
        "# dllint: ignore[layer-unused]",
        "# dllint: ignore[DLS]",
        "# noqa",
        "# NOQA",
        "# noqa: DLS101",
        "# noqa:E501,DLS101",
        "# type: ignore  # noqa: DLS101  # more",
        "# noqa: DLS101 the reason",
        "# dllint: ignore[DLS101]: reason",
    ],
)
def test_a_line_is_suppressed(comment):
    assert suppressed(f"a = 1\nb = 2  {comment}\nc = 3\n", 2)
    assert not suppressed(f"a = 1\nb = 2  {comment}\nc = 3\n", 1)


@pytest.mark.parametrize(
    "comment",
    [
        "# dllint: ignore[DLT101]",
        "# dllint: ignore[]",
        "# dllint: ignored",
        "# noqa: E501",
        "# noqa: E501, W291",
        "# ruff: noqa",
        "# see noqa",
        "# dllint: ignore-file",
        "",
    ],
)
def test_a_line_is_not_suppressed(comment):
    assert not suppressed(f"b = 2  {comment}\n", 1)


@pytest.mark.parametrize("line", [1, 2, 3])
@pytest.mark.parametrize("where", [0, 2])
def test_the_first_and_last_line_of_a_statement_cover_it(line, where):
    lines = ["x = f(", "    1,", ")"]
    lines[where] += "  # dllint: ignore[DLS101]"
    assert suppressed("\n".join(lines) + "\n", line)


def test_a_line_inside_a_statement_covers_itself():
    text = "x = f(\n    1,  # noqa\n    2,\n)\n"
    assert suppressed(text, 2)
    assert not suppressed(text, 3)


def test_the_header_of_a_block_does_not_cover_the_block():
    text = "class A(\n    B,\n):  # noqa\n    def f(self):\n        return 1\n"
    assert suppressed(text, 2)
    assert not suppressed(text, 5)


def test_a_string_is_no_comment():
    assert not suppressed('x = "# noqa"\n', 1)
    assert not suppressed('x = """\n# dllint: ignore-file\n"""\n', 1)
    assert suppressed("x = '\"'  # noqa\n", 1)
    assert suppressed('x = """\n"""  # noqa\n', 1)


def test_a_file_is_suppressed_by_a_line_of_its_own():
    assert suppressed("a = 1\n    # dllint: ignore-file\nb = 2\n", 3)
    assert suppressed("# dllint: ignore-file[DLS101]\na = 1\n", 2)
    assert not suppressed("# dllint: ignore-file[DLT101]\na = 1\n", 2)


def test_a_finding_over_several_lines_is_suppressed_on_either_end():
    text = "x = [\n    f(\n        1,\n    ),  # noqa\n]\n"
    assert suppressed(text, 2, 4)


def test_comments_of_broken_code_are_read_line_by_line():
    assert suppressed("def f(:\n    pass  # noqa\n", 2)
