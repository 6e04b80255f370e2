"""What is nested too deeply is taken out, and costs nothing but itself."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import libcst
import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.source.levels import most_blocks, most_levels
from dllint.source.parse import SyntaxProblem, parse
from dllint.source.shallow import shallow

N = 600
LONG = {
    "sum": "y = " + " + ".join(["x"] * N),
    "sum on lines": "y = (" + "\n  + ".join(["x"] * N) + ")",
    "sum with comments": "y = (x  # first: (\n" + "  + x  # and )\n" * N + ")",
    "sum with backslashes": "y = x" + " + \\\n  x" * N,
    "sum in a call": "y = f(1, " + " + ".join(["x"] * N) + ", a=3)",
    "sum of letters": "y = " + " + ".join(["'é💡'"] * N) + "; z = 1",
    "attributes": "y = x" + ".a" * N,
    "calls": "y = x" + ".f(2)" * N,
    "calls on lines": "y = (x" + "\n  .f(2)" * N + ")",
    "subscripts": "y = x" + "[0]" * N,
    "target": "x" + "[0]" * N + " = 1",
    "deleted": "del x" + "[0]" * N,
    "added to": "x" + ".a" * N + " += 1",
    "negations": "y = " + "not " * N + "x",
    "signs": "y = " + "-" * N + "x",
    "signs of each kind": "y = " + "~+- -" * N + "x",
    "alternatives": "y = " + "1 if x else " * N + "2",
    "lambdas": "y = " + "lambda: " * N + "x",
    "generator": "f(i for i in x" + ".a" * N + ")",
    "in an f-string": "y = f'{x" + ".a" * N + "}'",
    "as a condition": "if x" + ".a" * N + ": pass",
    "as a default": "def f(a=x" + ".a" * N + "): pass",
    "as a decorator": "@x" + ".a" * N + "\ndef f(): pass",
    "as a base": "class A(x" + ".a" * N + "): pass",
    "conjunction": "y = " + " and ".join(["x"] * 10 * N),
    "clauses": "y = [1 " + "for i in x " * N + "]",
    "clauses with conditions": "y = {k: v for k, v in x " + "if k for i in x " * N + "}",
    "clauses of a generator": "f(1 " + "for i in [1]\n" * N + ")",
    "texts": "y = (" + "'a' " * 5 * N + ")",
    "texts of each kind": "y = (" + """'it\\'s' f"{x}" r'a' '#' """ * 2 * N + ")",
    "texts on lines": "y = (\n" + """  'a'  # it's "\n""" * 5 * N + ")",
    "bytes": "y = " + "b'a' " * 5 * N,
    "pattern of lists": "match x:\n  case " + "[" * 90 + "1" + "]" * 90 + ": y = 1\n  case 2: y = 2",
    "pattern in parentheses": "match x:\n  case" + "(" * 90 + "1" + ")" * 90 + ": y = 1",
    "pattern of mappings": "match x:\n  case " + "{'a': " * 90 + "1" + "}" * 90 + " if x: y = 1",
    "pattern of classes": "match x:\n  case " + "A(" * 90 + "1" + ")" * 90 + ": y = 1",
    "pattern on lines": "match x:\n  case [\n" + "[" * 90 + "'[:'\n" + "]" * 90 + "\n  ]: y = 1",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _deep_recursion():
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(12_000)
    yield
    sys.setrecursionlimit(before)


BEFORE, AFTER = "import torch\nx = torch.ones(2)\n", "\ntorch.ones(3).view(7)\n"


@pytest.mark.parametrize("what", LONG)
def test_what_stands_beside_it_is_looked_at(what):
    text = BEFORE + LONG[what] + AFTER
    result = Session(Configuration(isolated=True)).check_bytes(Path("/snippet/a.py"), text.encode())
    assert not result.notices
    places = [(finding.code, finding.location.span.first.line) for finding in result.findings]
    assert places == [("DLT105", text.count("\n"))]


@pytest.mark.parametrize("what", LONG)
def test_the_layout_stays(what):
    text = BEFORE + LONG[what] + AFTER
    less = shallow(text, ast.parse(text))
    assert [len(line) for line in less.split("\n")] == [len(line) for line in text.split("\n")]
    assert less.startswith(BEFORE)
    assert less.endswith(AFTER)
    assert "too_deep" in less or "ꙮ" in less
    module = parse(text)
    assert isinstance(module, libcst.Module)
    assert module.code in (less, text)


@pytest.mark.parametrize("depth", [1, 20, 90])
@pytest.mark.parametrize("pattern", ["[{}]", "({})", "A({})", "A(b={})", "{{1: {}}}", "({} | 2)", "[{}, *_]"])
def test_patterns_of_any_kind_are_read(pattern, depth):
    found = "1"
    for _ in range(depth):
        found = pattern.format(found)
    assert isinstance(parse(f"match x:\n    case {found}: y = 1\n"), libcst.Module)


@pytest.mark.parametrize("text", ["case = [[[[[[[1]]]]]]]\n", "case[(((((((1)))))))] = 2\n", "case ([[[[[[[1]]]]]]])\n"])
def test_a_name_that_is_no_keyword_stays(text):
    assert shallow(text, ast.parse(text)) == text


def test_what_is_not_deep_stays():
    text = "match x:\n    case [A(b={'c': [1, 2]})] if (((((((x))))))): y = " + " + ".join(["x"] * 200) + "\n"
    assert "too_deep" not in shallow("y = " + " + ".join(["x"] * 200) + "\n", ast.parse(text))


#: What Python 3.12 and later read, and the interpreter that runs dllint perhaps not.
LATER = ["f'{d['a']}'", "f'{s.replace('-', ' ')} b'", 'f"{", ".join(names)}"', "f'{f'{x['y']}'}'"]


@pytest.mark.parametrize("depth", [0, 1, 90])
@pytest.mark.parametrize("later", LATER)
@pytest.mark.parametrize(
    "place", ["x = {later}\n{match}", "{match}x = {later}\n", "match x:\n    case 1:\n        y = {later}\n{match}"]
)
def test_newer_syntax_is_read_beside_patterns(place, later, depth):
    match = "match x:\n    case " + "[" * depth + "'a' | 'b'" + "]" * depth + ":\n        y = 1\n"
    text = place.format(later=later, match=match)
    assert isinstance(parse(text), libcst.Module), text
    assert isinstance(parse(text + "x = = 1\n"), SyntaxProblem)


#: What is parsed with care for its depth, though it is not deep.
LARGE = {
    "long text": f"z = '{'a' * 2000}'\n",
    "long list": f"z = [{'1.5, ' * 2000}]\n",
    "long table": f"z = {{{'0: [1, (2 + a) * b], ' * 60}}}\n",
    "many continued lines": "z = 1 + \\\n  1\n" * 300,
    "many alternatives": "if x: z = 1\n" + "elif x: z = 2\n" * 300,
    "many statements on a line": "z = 1; " * 300 + "\n",
    "many parameters": f"def g({', '.join(f'a{i}: int = {i}' for i in range(300))}): pass\n",
}


@pytest.mark.parametrize("later", [*(f"x = {later}" for later in LATER), "type X = int", "def f[T](x: T) -> T: return x"])
@pytest.mark.parametrize("large", LARGE)
def test_newer_syntax_is_read_beside_what_is_large(large, later):
    for text in (f"{LARGE[large]}{later}\n", f"{later}\n{LARGE[large]}"):
        assert isinstance(parse(text), libcst.Module), text[:200]
        assert isinstance(parse(text + "x = = 1\n"), SyntaxProblem)


@pytest.mark.parametrize("what", [what for what in LONG if "pattern" not in what])
def test_what_is_deep_has_many_levels(what):
    assert most_levels(LONG[what]) > 250


@pytest.mark.parametrize("large", LARGE)
def test_what_is_large_only_has_few_levels(large):
    assert most_levels(LARGE[large] * 10) < 20


@pytest.mark.parametrize("opening", ["(", "[1, ", "f(1, 2)(a, ", "{0: 1, 2: ", "(lambda a, b: ", "x[0, "])
def test_brackets_inside_each_other_add_up(opening):
    assert 500 <= most_levels(f"x = 1\ny = {opening * 500}") <= 4000


@pytest.mark.parametrize("indent", [" ", "    ", "\t"])
def test_blocks_inside_each_other_are_counted(indent):
    text = "".join(f"{indent * i}if x:\n\n" for i in range(300))
    assert most_blocks(text) == 300
    assert most_blocks("if x:\n    y = 1\n" * 300) == 2
