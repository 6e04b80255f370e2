"""Outlines of imported modules and documents parsed on demand."""

from pathlib import Path

import pytest

from dllint.source.document import Document
from dllint.source.lazy import LazyDocument, bindings, statements_of
from dllint.source.outline import outline

TEXT = '''"""Doc."""
import torch, os.path as p
from torch import *
a = 1; b, (c, d) = 2, (3, 4)

# about f
@deco
def f():
    inner = 1
    # last comment
class C: pass
try:
    import x
except ImportError:
    x = None
TABLE["key"] = f
NAMES.append(a)
# the end
'''
NAMES = [(), ("torch", "p"), ("*",), ("a", "b", "c", "d"), ("f",), ("C",), ("x", "x"), ("TABLE",), ("NAMES",)]


def test_outline_names_what_each_statement_binds():
    assert [entry.names for entry in outline(TEXT)] == NAMES


def test_outline_of_broken_text_is_none():
    assert outline("def f(:\n") is None


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_lazy_chunks_join_to_the_text_and_keep_places(tmp_path, ending):
    path = tmp_path / "m.py"
    path.write_text(TEXT, newline=ending)
    lazy = LazyDocument.open(path)
    whole = Document.open(path)
    assert isinstance(lazy, LazyDocument)
    assert "".join(chunk.text for chunk in lazy.chunks) == whole.text
    assert all(chunk.tree is None for chunk in lazy.chunks)
    (function,) = lazy.statements(4)
    assert [chunk.tree is not None for chunk in lazy.chunks].count(True) == 1
    assert lazy.span(function) == whole.span(whole.body[4])
    assert len(lazy.body) == len(whole.body)


def test_full_and_lazy_documents_bind_alike(tmp_path):
    path = tmp_path / "m.py"
    path.write_text(TEXT)
    lazy, whole = LazyDocument.open(path), Document.open(path)
    assert bindings(lazy) == bindings(whole) == NAMES
    assert statements_of(whole, 5)[0].name.value == statements_of(lazy, 5)[0].name.value == "C"


def test_text_that_does_not_parse_is_a_full_document_with_its_problem(tmp_path):
    path = Path(tmp_path / "m.py")
    path.write_text("def f(:\n")
    document = LazyDocument.open(path)
    assert not isinstance(document, LazyDocument)
    assert document.problem is not None


#: Statements that a backslash and an empty line may follow.
CONTINUED = {
    "assignment": "x = (1)",
    "call": "print(1, 2)",
    "semicolons": "x = 1; y = 2",
    "one-line suite": "if x: y = 2",
    "class": "class C(int): z = 3",
    "text": "x = 'a\\\\'",
    "two lines": "x = 1 + \\\n    2",
    "import": "from os import path",
}


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("between", ["\\\n", " \\\n", " # no \\\n# yes", "\\\n\n# more"])
@pytest.mark.parametrize("statement", CONTINUED.values(), ids=CONTINUED)
def test_lines_joined_by_a_backslash_belong_to_their_statement(tmp_path, statement, between, ending):
    path = tmp_path / "m.py"
    path.write_text(f"{statement}{between}\nw = 4\n", newline=ending)
    lazy, whole = LazyDocument.open(path), Document.open(path)
    assert whole.problem is None
    statements = [s for number in range(len(lazy.chunks)) for s in lazy.statements(number)]
    assert lazy.problem is None
    assert [type(s) for s in statements] == [type(s) for s in whole.body]
    assert lazy.location(statements[-1]).span.first == whole.location(whole.body[-1]).span.first
