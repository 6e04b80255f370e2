"""Documents: chunks, edits, broken syntax, and input that is out to crash the parser."""

import random
from pathlib import Path

import libcst as cst
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dllint.source.document import Document
from dllint.source.positions import nested

PATH = Path("sample.py")
SOURCE = '''"""Docs."""
import a

# about f
def f(x):
    # inside
    if x:
        return 1
    # foot

@dec
class A:
    y = """
text
"""
    def g(self): pass

x = f(
    1,
)
# tail
'''

#: Comments in front of a chunk belong to its module when it is parsed alone, so trivia are not compared.
NOT_COMPARED = (cst.BaseSuite, cst.EmptyLine, cst.BaseParenthesizableWhitespace, cst.TrailingWhitespace)


def described(document: Document) -> list[tuple]:
    """What must be the same for an incremental and a fresh document: texts, and the place of every statement and leaf."""
    out = []
    for chunk in document.chunks:
        assert chunk.problem is None
        names = []
        for top in chunk.statements:
            for part in (top, *nested(top)):
                names.append((type(part).__name__, document.span(part)))
                ranges = chunk.tree.ranges(part)
                children = [child for child in part.children if not isinstance(child, NOT_COMPARED)]
                found = [(type(child).__name__, ranges[id(child)]) for child in children if id(child) in ranges]
                names += [(name, chunk.offset + start, chunk.offset + end) for name, (start, end) in found]
        out.append((chunk.text, chunk.first_line, chunk.offset, names))
    return out


def check_edit(before: Document, text: str) -> Document:
    after = before.edit(text)
    fresh = Document.from_text(PATH, text)
    assert "".join(chunk.text for chunk in after.chunks) == text
    assert (after.problem is None) == (fresh.problem is None)
    if fresh.problem is None:
        assert described(after) == described(fresh)
    else:
        assert after.problem == fresh.problem
        assert all(0 <= document_span.start <= document_span.end <= len(text) for document_span in spans(after))
    return after


def spans(document: Document):
    return [document.span(part) for top in document.body for part in (top, *nested(top))]


def test_chunks_join_to_the_text():
    document = Document.from_text(PATH, SOURCE)
    assert [chunk.text.strip().split("\n")[0] for chunk in document.chunks] == [
        '"""Docs."""', "import a", "# about f", "@dec", "x = f("
    ]  # fmt: skip
    assert "".join(chunk.text for chunk in document.chunks) == SOURCE
    assert [chunk.first_line for chunk in document.chunks] == [0, 1, 2, 9, 16]


def test_an_edit_parses_only_the_touched_chunk():
    before = Document.from_text(PATH, SOURCE)
    after = check_edit(before, SOURCE.replace("return 1", "return 2\n        # more"))
    kept = [old.tree is new.tree for old, new in zip(before.chunks, after.chunks, strict=True)]
    assert kept == [True, True, False, True, True]
    assert after.chunks[4].first_line == before.chunks[4].first_line + 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import a\n", ""),
        ("import a\n", "import a\n    # indented comment\n"),
        ("# tail\n", "    # tail\n"),
        ("# about f\n", "    # about f\n"),
        ("    # foot\n\n", "    z = 1\n"),
        ("\n@dec", "    z = 1\n@dec"),
        ("@dec\n", ""),
        ("x = f(", "else:\n    x = f("),
        ("# tail\n", "# tail\ny = 1"),
        ("import a\n", "import a\nimport b; import c\nif a:\n    pass\n"),
        (SOURCE, ""),
        (SOURCE, "# only a comment\n"),
        ("import a\n", "import a \\\n"),
        ('"""Docs."""\n', "# -*- coding: utf-8 -*-\n\n"),
        ("\n", "\r\n"),
    ],
)
def test_edits_at_borders_equal_a_fresh_parse(old, new):
    document = Document.from_text(PATH, SOURCE)
    check_edit(check_edit(document, SOURCE.replace(old, new)), SOURCE)


def test_a_broken_chunk_keeps_its_last_good_tree():
    before = Document.from_text(PATH, SOURCE)
    broken = SOURCE.replace("        return 1\n", "        return 1\n        g(\n")
    after = before.edit(broken)
    assert after.problem is not None
    assert (after.problem.line, after.problem.message) == (9, "'(' was never closed")
    assert [chunk.problem is None for chunk in after.chunks] == [True, True, False, True, True]
    function = after.body[2]
    assert function is before.body[2]
    assert after.source(after.span(function)) == "def f(x):"
    assert after.source(after.span(after.body[4])) == "x = f(\n    1,\n)"
    healed = check_edit(after, SOURCE.replace("return 1", "return 3"))
    assert healed.problem is None
    assert healed.chunks[3].tree is before.chunks[3].tree


def test_a_break_over_several_chunks_keeps_them_all():
    before = Document.from_text(PATH, SOURCE)
    after = before.edit(SOURCE.replace("import a\n\n# about f\ndef f(x):", "import a (\ndef f(x:"))
    assert after.problem is not None
    assert [type(s).__name__ for s in after.body] == [type(s).__name__ for s in before.body]
    assert "".join(chunk.text for chunk in after.chunks) == after.text


FRAGMENTS = st.sampled_from(
    [
        "\n",
        "    ",
        "# c\n",
        "x",
        "(",
        ")",
        '"""',
        "'",
        ":",
        "\\\n",
        "if a:\n",
        "else:\n",
        "    pass\n",
        "def f():\n",
        "@d\n",
        "\t",
        "é",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 30), st.lists(FRAGMENTS, max_size=3)), min_size=1, max_size=4))
@example([(0.625, 24, []), (0.5625, 7, []), (0.40625, 1, [])])  # white space comes to belong to the block before it
def test_random_edits_equal_a_fresh_parse(edits):
    document = Document.from_text(PATH, SOURCE)
    for where, removed, inserted in edits:
        at = round(where * len(document.text))
        document = check_edit(document, document.text[:at] + "".join(inserted) + document.text[at + removed :])


def test_random_line_edits_of_a_real_file():
    text = Path(cst.__file__).with_name("helpers").joinpath("module.py").read_text()
    lines = text.splitlines(keepends=True)
    choose = random.Random(7)
    document = Document.from_text(PATH, text)
    for _ in range(60):
        start = choose.randrange(len(lines))
        kind = choose.random()
        if kind < 0.4:
            edited = [*lines[:start], "# note\n", *lines[start:]]
        elif kind < 0.8:
            edited = [*lines[:start], *lines[start + choose.randrange(1, 4) :]]
        else:
            edited = [*lines[:start], lines[choose.randrange(len(lines))], *lines[start:]]
        document = check_edit(document, "".join(edited))
        if document.problem is None:
            lines = edited


@pytest.mark.parametrize("text", ["", "\n", "# c", "   \n\n", "\f", "x", "x\r", "\ufeff"])
def test_tiny_texts(text):
    document = Document.from_text(PATH, text)
    assert "".join(chunk.text for chunk in document.chunks) == text


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("x = 1\ndef f(:\n    pass\n", 2, 7),
        ("x = (1,\n\ny = 2\n", 1, 5),
        ("if a:\nb\n", 2, 1),
        ("a = 'x\nb = 1\n", 1, 5),
        ("print 'x'\n", 1, 1),
    ],
)
def test_the_place_of_a_syntax_error(text, line, column):
    problem = Document.from_text(PATH, text).problem
    assert problem is not None
    assert (problem.line, problem.column) == (line, column)


@pytest.mark.parametrize("others", ["", "y = 1\n"])
def test_an_edit_of_newer_syntax_is_no_error(others):
    """Whatever the interpreter that runs dllint reads."""
    before = f"def f(d):\n    return f'{{d['a']}}'\n{others}"
    document = Document.from_text(PATH, before)
    for old, new in (("return", "x = 1; return"), ("f(d)", "f(d, e)"), ("f'", "f'b "), ("'a'", "'b'")):
        assert document.edit(before.replace(old, new)).problem is None
    assert document.edit(before.replace("return", "return return")).problem is not None


@pytest.mark.parametrize("depth", [1000, 20_000])
@pytest.mark.parametrize(
    "shape",
    [
        lambda n: "x = " + "(" * n + "1" + ")" * n,
        lambda n: "(" * n,
        lambda n: "x = " + "-" * n + "1",
        lambda n: "x = " + "+".join(["a"] * n),
        lambda n: "x = " + "+\\\n".join(["a"] * n),
        lambda n: "x = a" + ".b" * n,
        lambda n: "x = f" + "()" * n,
        lambda n: "x = " + "1 if a else " * n + "2",
        lambda n: "if a:\n  pass\n" + "elif b:\n  pass\n" * n,
        lambda n: "".join(" " * i + "if a:\n" for i in range(min(n, 1000))) + " " * min(n, 1000) + "pass",
        lambda n: "x = [" + "1," * n + "]",
    ],
)
def test_deep_nesting_never_crashes(shape, depth):
    document = Document.from_text(PATH, shape(depth) + "\n")
    assert document.problem is not None or document.span(document.body[0]).start == 0


def test_what_interrupts_the_search_for_a_chunk_loses_none(monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document.from_text(PATH, SOURCE)
    *_, last = document.body
    tree = document.chunks[1].tree
    assert tree is not None
    with monkeypatch.context() as broken:
        broken.setattr(type(tree), "index", property(lambda tree: [][0]))
        with pytest.raises(IndexError):
            document.chunk_of(last)
    assert document.chunk_of(last) is document.chunks[-1]


@pytest.mark.parametrize("line", range(1, SOURCE.count("\n") + 2))
def test_a_line_stands_in_one_chunk(line: int) -> None:
    document = Document.from_text(PATH, SOURCE)
    chunk = document.chunk_at(line)
    assert chunk is not None
    assert SOURCE.split("\n")[line - 1] in chunk.text
    assert chunk.first_line < line <= chunk.first_line + chunk.text.count("\n") + 1
    assert document.chunk_at(0) is None
