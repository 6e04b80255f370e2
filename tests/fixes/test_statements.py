"""Edits of statements."""

from pathlib import Path

import libcst as cst
import pytest

from dllint.fixes import statements
from dllint.ir.program import Site
from dllint.source.document import Document

from .conftest import applied, site_of

SOURCE = """import a


class A:
    # why
    x = 1  # x

    def f(self):
        y = (1,
             2)
        return y
"""


@pytest.mark.parametrize(
    ("code", "before", "after"),
    [
        ("x", "    # why\n    new()\n    x = 1  # x\n", "    x = 1  # x\n    new()\n"),
        ("y", "        new()\n        y = (1,\n", "             2)\n        new()\n        return y\n"),
    ],
)
def test_insert(edited, code, before, after):
    assert before in edited(SOURCE, code, lambda site: statements.insert_before(site, "new()"), cst.Assign)
    assert after in edited(SOURCE, code, lambda site: statements.insert_after(site, "new()"), cst.Assign)


def test_several_lines_are_indented(edited):
    result = edited(SOURCE, "x", lambda site: statements.insert_after(site, "if a:\n\n    b"), cst.Assign)
    assert "    x = 1  # x\n    if a:\n\n        b\n\n" in result


def test_after_a_last_line_without_a_break(edited):
    assert edited("x = f(1)", "f", lambda site: statements.insert_after(site, "y = 2")) == "x = f(1)\ny = 2"


def test_after_a_block():
    document = Document.from_text(Path("a.py"), SOURCE)
    result = applied(SOURCE, statements.insert_after(Site(document, document.body[1], document.body[1]), "new()"))
    assert result == SOURCE + "new()\n"


@pytest.mark.parametrize(
    ("source", "code", "expected"),
    [
        ("a = 1\nb = 2  # c\nc = 3\n", "b", "a = 1\nc = 3\n"),
        ("def f():\n    # why\n    b = 2  # c\n", "b", "def f():\n    # why\n    pass  # c\n"),
        ("if x:\n    b = (2,\n      3)\nelse:\n    c = 1\n", "b", "if x:\n    pass\nelse:\n    c = 1\n"),
        ("a = 1; b = 2; c = 3\n", "b", "a = 1; c = 3\n"),
        ("a = 1; b = 2  # c\n", "b", "a = 1  # c\n"),
        ("b = 1", "b", ""),
    ],
)
def test_delete(edited, source, code, expected):
    assert edited(source, code, statements.delete, cst.Assign) == expected


def test_swap():
    source = "def f():\n    a = 1  # a\n\n    # about b\n    b = (2,\n      3)\n    c = 3"
    document = Document.from_text(Path("a.py"), source)
    first, second = site_of(document, "a", cst.Assign), site_of(document, "b", cst.Assign)
    third = site_of(document, "c", cst.Assign)
    assert applied(source, statements.swap(first, second)) == (
        "def f():\n    b = (2,\n      3)\n\n    # about b\n    a = 1  # a\n    c = 3"
    )
    assert applied(source, statements.swap(first, third)).endswith("    a = 1  # a")


def test_a_clause_is_no_place_for_a_statement():
    document = Document.from_text(Path("a.py"), "if a:\n    b\nelif c:\n    d\n")
    clause = document.body[0].orelse
    assert statements.insert_before(Site(document, clause, clause), "x") == ()
    assert statements.delete(Site(document, clause, clause)) == ()
