"""Edits of calls and expressions."""

import libcst as cst
import pytest

from dllint.fixes import calls


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("y = f(x, dim=1)", "y = x"),
        ("y = f(a + b)", "y = a + b"),
        ("y = 2 * f(a + b)", "y = 2 * (a + b)"),
        ("y = f(a + b).sum()", "y = (a + b).sum()"),
        ("y = 2 * f((a + b))", "y = 2 * (a + b)"),
        ("y = g(f(x), z)", "y = g(x, z)"),
        ("y = f(x for x in z)", "y = (x for x in z)"),
        ("y = f(\n    x,\n    dim=1,\n)", "y = x"),
        ("y = f(\n    a +\n    b,\n    dim=1,\n)", "y = (a +\n    b)"),
        ("y = f(g(\n    1))", "y = g(\n    1)"),
        ("y = (f(\n    a +\n    b))", "y = (a +\n    b)"),
        ("y = f(lambda: 1)()", "y = (lambda: 1)()"),
        ("y = f(1, 2).sum()", "y = (1).sum()"),
        ("y = f(1, 2) + 3", "y = 1 + 3"),
    ],
)
def test_unwrap(edited, source, expected):
    assert edited(source + "\n", "f", lambda site: calls.unwrap(site, site.node, site.node.args[0].value)) == expected + "\n"


def test_unwrap_a_method_call(edited):
    source = "y = net(x).softmax(-1)\n"
    assert edited(source, "net(x).softmax", lambda site: calls.unwrap(site, site.node, site.node.func.value)) == "y = net(x)\n"


@pytest.mark.parametrize(
    ("source", "kind", "code", "expected"),
    [
        ("y = x + 1", cst.Name, "x", "y = f(x, 2) + 1"),
        ("y = x + 1", cst.BinaryOperation, "x", "y = f(x + 1, 2)"),
        ("y = (x +\n 1)", cst.BinaryOperation, "x", "y = f((x +\n 1), 2)"),
        ("return_ = x, 1", cst.Tuple, "x", "return_ = f((x, 1), 2)"),
    ],
)
def test_wrap(edited, source, kind, code, expected):
    assert edited(source, code, lambda site: calls.wrap(site, site.node, "f", "2"), kind) == expected


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        ("y = f(x)", "a - b", "y = a - b"),
        ("y = 2 * f(x)", "a - b", "y = 2 * (a - b)"),
        ("y = 2 * (f(x))", "a - b", "y = 2 * (a - b)"),
        ("y = f(x)[0]", "a - b", "y = (a - b)[0]"),
        ("y = -f(x)", "g(a - b)", "y = -g(a - b)"),
        ("g(f(x), 1)", "a - b", "g(a - b, 1)"),
        ("y = 2 * f(x)", "(a) - (b)", "y = 2 * ((a) - (b))"),
    ],
)
def test_replace_expression(edited, source, text, expected):
    assert edited(source, "f", lambda site: calls.replace_expression(site, site.node, text)) == expected


@pytest.mark.parametrize(
    ("source", "kind", "code", "expected"),
    [
        ("x = nn.ReLU", cst.Attribute, "nn.ReLU", "x = nn.ReLU(1)"),
        ("x = [Net, 2]", cst.Name, "Net", "x = [Net(1), 2]"),
        ("x = (a or b)", cst.BooleanOperation, "a", "x = (a or b)(1)"),
        ("x = a or b", cst.BooleanOperation, "a", "x = (a or b)(1)"),
    ],
)
def test_call(edited, source, kind, code, expected):
    assert edited(source, code, lambda site: calls.call(site, site.node, "1"), kind) == expected


def test_append_call(edited):
    def append(site):
        return calls.append_call(site, site.node, "view", "-1")

    assert edited("y = f(x)", "f", append) == "y = f(x).view(-1)"
    assert edited("y = a + b", "a", append, cst.BinaryOperation) == "y = (a + b).view(-1)"


def test_replace_callee(edited):
    assert edited("y = (F.f)(x).g()", "F.f)(x)", lambda site: calls.replace_callee(site, site.node, "h")) == "y = h(x).g()"
