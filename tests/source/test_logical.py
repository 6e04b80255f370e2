"""Lengths of logical lines, told from the text: right or not at all."""

from pathlib import Path

import libcst as cst
import pytest

from dllint.source.logical import LogicalLines
from dllint.source.statement_lines import StatementIndex, index_module


@pytest.mark.parametrize(
    ("text", "breaks"),
    [
        ("x = 1", 0),
        ("x = f(a)[0]", 0),
        ("x = f(  # (\n    1,\n)", 2),
        ("x = {\n  'a': ')',\n\n  # it's (\n}", 4),
        ("x = 1 + \\\n    2", 1),
        ("x = ''; y = \"\"  # '", 0),
        ("x = '\\'(' + f(\n1)", 1),
        ("@dec(1,\n  2)", 1),
        ("def f(a='(',\n      b=[]):", 1),
        ('x = f"{d["("]}"', None),
        ('x = f"{d[")"]}" + g(\n1)', None),
        ('x = """a', None),
        ("x = 'a''(' + f(", None),
        ("x = f(", None),
        (")", None),
        ("x = '\\\n'", None),
    ],
)
def test_breaks(text, breaks):
    assert LogicalLines(text).breaks(0) == breaks


def test_both_ways_of_counting_agree_on_installed_code():
    count = 0
    for path in sorted(Path(cst.__file__).parent.glob("_nodes/*.py")):
        text = path.read_text()
        module = cst.parse_module(text)
        for statement, index in zip(module.body, index_module(text, module), strict=True):
            first = index.places[id(statement)].line
            counted = StatementIndex(module.default_indent, True, line=first)
            counted.add(statement)
            assert {k: p.line for k, p in counted.places.items()} == {k: p.line for k, p in index.places.items()}
            assert counted.line == index.line
            count += len(index.places)
    assert count > 3000
