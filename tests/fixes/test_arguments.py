"""Edits of arguments."""

import pytest

from dllint.fixes import arguments


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("f()", "f(k=1)"),
        ("f( )", "f(k=1 )"),
        ("f(a)", "f(a, k=1)"),
        ("f(a, )", "f(a, k=1, )"),
        ("f(a, b=2,)", "f(a, b=2, k=1,)"),
        ("f(*a, **b)", "f(*a, **b, k=1)"),
        ("f((a))", "f((a), k=1)"),
        ("f(x for x in y)", "f((x for x in y), k=1)"),
        ("f(\n    a,\n    b\n)", "f(\n    a,\n    b,\n    k=1\n)"),
        ("f(\n    a,  # one\n    b,  # two\n)", "f(\n    a,  # one\n    b,  # two\n    k=1,\n)"),
        ("f(\n    a,\n    b  # two\n)", "f(\n    a,\n    b,  # two\n    k=1\n)"),
        ("f(a,\n  b)", "f(a,\n  b, k=1)"),
        ("f(a, [\n  1,\n])", "f(a, [\n  1,\n], k=1)"),
        ("f(\r\n    a,\r\n)", "f(\r\n    a,\r\n    k=1,\r\n)"),
    ],
)
def test_add_keyword(edited, source, expected):
    assert edited(source + "\n", "f", lambda site: arguments.add_keyword(site, site.node, "k", "1")) == expected + "\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("f()", "f(1)"),
        ("f(a)", "f(a, 1)"),
        ("f(k=2)", "f(1, k=2)"),
        ("f(a, k=2)", "f(a, 1, k=2)"),
        ("f(a, **k)", "f(a, 1, **k)"),
        ("f(*a)", "f(*a)"),
        ("f(\n    a,  # c\n    k=2,\n)", "f(\n    a,  # c\n    1,\n    k=2,\n)"),
    ],
)
def test_add_positional(edited, source, expected):
    assert edited(source + "\n", "f", lambda site: arguments.add_positional(site, site.node, "1")) == expected + "\n"


@pytest.mark.parametrize(
    ("source", "number", "expected"),
    [
        ("f(a)", 0, "f()"),
        ("f(a, b, c)", 0, "f(b, c)"),
        ("f(a, b, c)", 1, "f(a, c)"),
        ("f(a, b, c)", 2, "f(a, b)"),
        ("f(a, b,)", 1, "f(a,)"),
        ("f(a, k=(b))", 1, "f(a)"),
        ("f(a, *b, **c)", 1, "f(a, **c)"),
        ("f(\n    a,  # one\n    b,  # two\n    c,\n)", 1, "f(\n    a,  # one\n    c,\n)"),
        ("f(\n    a,  # one\n    b  # two\n)", 1, "f(\n    a,  # one\n)"),
        ("f(a,\n  b, c)", 1, "f(a,\n  c)"),
        ("f(\n    a,\n)", 0, "f()"),
    ],
)
def test_remove_argument(edited, source, number, expected):
    result = edited(source + "\n", "f", lambda site: arguments.remove_argument(site, site.node, site.node.args[number]))
    assert result == expected + "\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("f(old=1)", "f(new=1)"),
        ("f(a, old = (\n 1))", "f(a, new = (\n 1))"),
        ("f(old)", "f(old)"),
        ("f(old=1, new=2)", "f(old=1, new=2)"),
    ],
)
def test_rename_keyword(edited, source, expected):
    assert edited(source, "f", lambda site: arguments.rename_keyword(site, site.node, "old", "new")) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("f(a, k=2)", "f(a, k=9)"),
        ("f(a, k=(2 + 3))", "f(a, k=9)"),
        ("f(a, b)", "f(a, 9)"),
        ("f(a)", "f(a, k=9)"),
        ("f(*a)", "f(*a)"),
        ("f(a, **b)", "f(a, **b)"),
        ("f(a, b, **c)", "f(a, 9, **c)"),
    ],
)
def test_set_argument(edited, source, expected):
    assert edited(source, "f", lambda site: arguments.set_argument(site, site.node, "k", "9", position=1)) == expected


def test_a_nested_call_in_an_indented_block(edited):
    source = "class A:\n\tdef f(self):\n\t\tx = g(é, f(a,\n\t\t\tb=1), c)\n"
    expected = "class A:\n\tdef f(self):\n\t\tx = g(é, f(a,\n\t\t\tb=1, k=1), c)\n"
    assert edited(source, "f(", lambda site: arguments.add_keyword(site, site.node, "k", "1")) == expected
