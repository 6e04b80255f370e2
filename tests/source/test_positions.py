"""Positions against libcst's own PositionProvider, and the traps that method B has."""

from pathlib import Path

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

from dllint.source.document import Document
from dllint.source.positions import nested

SAMPLES = Path(cst.__file__).parent
TRICKY = '''# header
"""doc
string"""
import a; import b  # c
@dec(
    1)
# after decorator

@dec2
async def f(a, *, b: int = (1 +
        2), **kw) -> "x":  # c
    # leading
    if a: pass; x = 1
    elif b:
        y = """a
b""" f"""{a +
 b!r:>{w}} é😀""" + foo(a, k=[1,  # c

    2])
    # footer of the block
    elif c:
      return -a \\
        + b
    else:
        y = 2
    # footer of f
  # odd comment
# comment of the class

class A(B, metaclass=M): z = 1
match x:
    # before the case
    case [1, *rest] if rest:
        pass
      # below the case
    case {"k": v, **kw} | A(x=1): w = 2
    # below all cases
  # still below
try: a
except (E,
        F) as e:
    b
else: c
finally:
    with (open(a) as g,
          b): d
try:
    a
except* E: b
for i in (1,
2): continue
else:
    while  x : break
    else: y
lambda x, y = 1: [i for i in (yield)
 if i]
x[1:2, ::3, ...] = {**a, "b": 1}
w = f(1)
# footer'''


def compare(text: str) -> tuple[int, list[str]]:
    """Number of nodes compared, and those whose place differs from the provider's."""
    document = Document.from_text(Path("sample.py"), text)
    assert document.problem is None
    assert "".join(chunk.text for chunk in document.chunks) == text
    wrapper = MetadataWrapper(document._parsed, unsafe_skip_copy=True)
    reference = wrapper.resolve(PositionProvider)
    count, wrong = 0, []
    for chunk in document.chunks:
        for top in chunk.statements:
            for part in (top, *nested(top)):
                ranges = chunk.tree.ranges(part)
                for node in _parts(part):
                    if id(node) not in ranges or node not in reference:
                        continue
                    first, last = (document.position(chunk.offset + offset) for offset in ranges[id(node)])
                    expected = reference[node]
                    count += 1
                    if ((first.line, first.column - 1), (last.line, last.column - 1)) != (
                        (expected.start.line, expected.start.column),
                        (expected.end.line, expected.end.column),
                    ):
                        wrong.append(f"{type(node).__name__} {first} {last}, expected {expected}")
    return count, wrong


def _parts(statement):
    """The nodes of one statement or clause, without what has a place of its own."""
    stack = [child for child in statement.children if not isinstance(child, cst.IndentedBlock)]
    while stack:
        node = stack.pop()
        if not isinstance(node, cst.IndentedBlock):
            yield node
            stack.extend(node.children)


def test_every_node_of_the_traps():
    count, wrong = compare(TRICKY)
    assert count > 500
    assert wrong == []


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_other_line_breaks_and_tabs(newline):
    text = TRICKY.replace("    ", "\t").replace("\n", newline)
    count, wrong = compare(text)
    assert count > 500
    assert wrong == []


def test_no_final_newline_and_form_feed():
    wrong = compare("\f\nx = 1\n\f\ndef f():\n    return x")[1]
    assert [node for node in wrong if not node.startswith(("TrailingWhitespace", "Newline"))] == []


def test_a_hundred_thousand_nodes_of_installed_code():
    total = 0
    files = sorted(SAMPLES.glob("_nodes/*.py")) + sorted(SAMPLES.glob("codemod/**/*.py"))
    for path in files:
        text = path.read_bytes().decode()
        for variant in (text, text.replace("    ", "\t").replace("\n", "\r\n")):
            count, wrong = compare(variant)
            total += count
            assert wrong == [], path
        if total > 100_000:
            return
    pytest.fail(f"only {total} nodes")


def at(document: Document, line: int):
    """The innermost statement or clause that starts on a line."""
    parts = [p for top in document.body for p in (top, *nested(top))]
    return next(p for p in parts if document.span(p).first.line == line)


def test_headers_clauses_and_nodes():
    source = "@dec\ndef f(a,\n      b):  # c\n    if a: x = 1\n    else:\n        return g(a)\n"
    document = Document.from_text(Path("a.py"), source)
    function = document.body[0]
    assert document.source(document.span(function)) == "def f(a,\n      b):"
    assert document.source(document.span(function, function.decorators[0])) == "@dec"
    assert document.source(document.span(function, function.name)) == "f"
    assert document.source(document.span(at(document, 4))) == "if a: x = 1"
    assert document.source(document.span(at(document, 5))) == "else:"
    statement = at(document, 6)
    call = statement.body[0].value
    span = document.span(statement, call)
    assert (span.first.line, span.first.column, span.last.column) == (6, 16, 20)
    assert document.span(function, call) == span, "an enclosing statement works, too"


def test_extent_and_indentation():
    source = "class A:\n    # lead\n    @p\n    def f(self):\n        x = '''\n'''\n        return x\n\n    y = 1\n"
    document = Document.from_text(Path("a.py"), source)
    function = at(document, 4)
    assert document.source(document.extent(function)) == source[source.index("    @p") : source.index("\n    y") + 0]
    assert document.indentation(function) == "    "
    assert document.indentation(at(document, 5)) == "        "


def test_a_node_of_another_document_is_refused():
    document = Document.from_text(Path("a.py"), "x = 1\n")
    other = Document.from_text(Path("b.py"), "x = 1\n")
    with pytest.raises(LookupError, match=r"SimpleStatementLine is not a statement of a\.py"):
        document.span(other.body[0])


def test_a_tree_too_deep_to_measure_has_the_lines_of_its_statement():
    document = Document.from_text(Path("a.py"), "y = 1\nx = " + " and ".join(["a"] * 900) + "\n")
    statement = document.body[1]
    assert document.span(statement, statement.body[0].value.right).first.line == 2
