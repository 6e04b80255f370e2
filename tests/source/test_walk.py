"""Parts of a syntax tree by their kind."""

from __future__ import annotations

from itertools import combinations

import libcst as cst
import pytest

from dllint.source.walk import walk, walk_for

SOURCES = (
    "",
    "x = y = f(a, *b, k=1)[2:3]\n",
    "class A(B):\n    def f(self):\n        if self.x: return 1\n        raise E from None\n",
    "def g():\n    z: int = yield\n    return [lambda q: -q for q in (1, 2.0, 'a' 'b') if not q]\n",
    "async def h():\n    async with a as b, c:\n        x += await d\n",
)
KINDS = (
    cst.Name, cst.Attribute, cst.Call, cst.Return, cst.Raise, cst.Yield, cst.AssignTarget, cst.AnnAssign,
    cst.BaseExpression, cst.BaseStatement, cst.BaseNumber,
)  # fmt: skip


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("kinds", [*((kind,) for kind in KINDS), *combinations(KINDS, 2)])
def test_parts_of_some_kinds_are_those_that_instance_checks_find(source: str, kinds: tuple[type[cst.CSTNode], ...]) -> None:
    tree = cst.parse_module(source)
    assert list(walk_for(tree, *kinds)) == [part for part in walk(tree) if isinstance(part, kinds)]


def test_a_node_is_its_own_first_part() -> None:
    name = cst.Name("x")
    assert list(walk_for(name, cst.Name)) == [name]
