"""What each precision setting adds: the same programs under all of them (DEBAR's worked examples first)."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import pytest

from dllint.analysis.ranges.evaluator import Ranges
from dllint.config.discovery import Configuration
from dllint.domains.interval import Interval
from dllint.domains.precision import PRECISIONS, USUAL
from dllint.engine.session import Session
from dllint.ir.program import Program
from dllint.source.document import Document

PATH = Path("/snippet/precision.py")
INTERVAL, AFFINE, PARTITION, BOTH, COMPUTED, EXPANSION = PRECISIONS


@cache
def program(text: str) -> Program:
    document = Document.from_text(PATH, "import torch\n" + text)
    return Session(Configuration(isolated=True)).analyser(PATH).analyse(document).programs[0]


def last(text: str, precision: str = USUAL.name) -> Interval:
    """The range of the last result of a program."""
    found = program(text)
    results = [op for op in found.ops if op.outputs]
    return Ranges(found, PRECISIONS[precision]).of(results[-1].output)


def ends(text: str, precision: str = USUAL.name) -> tuple[float, float]:
    found = last(text, precision)
    return round(found.low.value, 3) + 0.0, round(found.high.value, 3) + 0.0


AFFINE_EQUALITIES = """
a = torch.rand(8)
b = torch.rand(8) + 1
x = a + b
y = a - b
z = x + y
"""
MATRIX = """
a = torch.rand(2, 2) - 1
a[1][1] = 1
a[0][0] += a[1][1]
b = a[{index}] * 1
"""
CONCATENATED = """
a = torch.cat([torch.rand(3), torch.rand(4) + 5, torch.rand(2) + 9])
b = (a * 2 + 1)[3:7] - 1
"""
MAXIMUM = "x = torch.rand(4, 6) * 8\ny = x - x.amax(dim=1, keepdim=True)"
WRITTEN = f"x = torch.tensor({[float(n) for n in range(100)]})\ny = x[70] + 0"


def test_affine_equalities() -> None:
    found = {name: ends(AFFINE_EQUALITIES, name) for name in PRECISIONS}
    assert found[INTERVAL] == found[PARTITION] == (-1, 3)
    assert found[AFFINE] == found[BOTH] == found[EXPANSION] == (0, 2)


@pytest.mark.parametrize(("index", "part"), [("0, 0", (0, 1)), ("0, 1", (-1, 0)), ("1, 0", (-1, 0)), ("1, 1", (1, 1))])
def test_tensor_partitioning(index: str, part: tuple[float, float]) -> None:
    text = MATRIX.format(index=index)
    found = {name: ends(text, name) for name in PRECISIONS}
    assert found[PARTITION] == found[BOTH] == found[EXPANSION] == part
    assert found[INTERVAL] == found[AFFINE] == (-2, 2)


def test_pieces_of_a_concatenation() -> None:
    found = {name: ends(CONCATENATED, name) for name in PRECISIONS}
    assert found[INTERVAL] == found[AFFINE] == (0, 20)
    assert found[PARTITION] == found[BOTH] == found[EXPANSION] == (10, 12)


def test_orders_are_relations() -> None:
    assert ends(MAXIMUM, INTERVAL) == ends(MAXIMUM, PARTITION) == (-8, 8)
    assert ends(MAXIMUM, AFFINE) == ends(MAXIMUM, BOTH) == (-8, 0)


def test_expansion_keeps_more_elements_apart_than_a_partition_has_parts() -> None:
    assert ends(WRITTEN, BOTH) == (0, 99)
    assert ends(WRITTEN, EXPANSION) == ends(WRITTEN, COMPUTED) == (70, 70)


def test_functions_of_written_numbers_are_computed() -> None:
    text = "x = torch.cos(torch.linspace(0.1, 1.5, 5000))\nx = 1.01 - x / x[0]"
    assert [name for name in PRECISIONS if last(text, name).low.value > 0] == [COMPUTED]


PAIR = "a, b = torch.rand(4, 3), torch.rand(4, 3) + 1\n"
FORMS = {
    "cat": "y = torch.cat([a + b, a - b])\ns = y[:4] + y[4:]",
    "cat along the last axis": "y = torch.cat([a + b, a - b], dim=-1) * 1\ns = y[:, :3] + y[..., 3:]",
    "split": "p, q = torch.cat([a + b, a - b]).split(4)\ns = p + q",
    "chunk": "p, q = torch.cat([a + b, a - b], 1).chunk(2, dim=1)\ns = p + q",
    "stack": "y = torch.stack([a + b, a - b])\ns = y[0] + y[1]",
    "unbind": "p, q = torch.stack([a + b, a - b], dim=2).unbind(2)\ns = p + q",
    "transposed": "y = torch.cat([a + b, a - b]).t()\ns = y[:, :4] + y[:, 4:]",
    "slice assignment": "y = torch.zeros(8, 3)\ny[:4] = a + b\ny[4:] = a - b\ns = y[:4] + y[4:]",
    "a row at a time": "y = torch.zeros(2, 4, 3)\ny[0] = a + b\ny[1] = a - b\ns = y[0] + y[1]",
    "parts of both operands": "s = (torch.cat([a + b, a + 9]) + torch.cat([a - b, a + 20]))[:4]",
}


@pytest.mark.parametrize("name", FORMS)
def test_affine_equalities_between_parts(name: str) -> None:
    found = {setting: ends(PAIR + FORMS[name], setting) for setting in PRECISIONS}
    assert found[BOTH] == found[EXPANSION] == (0, 2)
    for setting in (INTERVAL, AFFINE, PARTITION):
        assert found[setting][0] <= -1
        assert found[setting][1] >= 3


OTHERS = {
    "other rows": "y = torch.cat([a + b, a - b])\ns = y[1:5] + y[4:]",
    "the same row for all": "y = torch.cat([a + b, a - b])\ns = y[:1] + y[4:]",
    "turned": "y = torch.cat([a[:3] + b[:3], a[:3] - b[:3]])\ns = y[:3].t() + y[3:]",
    "assigned to in between": "y = torch.cat([a + b, a - b])\nv = y[:4]\nv[0] = 3.0\ns = y[:4] + y[4:]",
    "assigned to through a view": "y = torch.zeros(8, 3)\ny[:4] = a + b\ny[:2].fill_(3.0)\ny[4:] = a - b\ns = y[:4] + y[4:]",
    "mixed layout": "y = torch.cat([a + b, a - b]).reshape(2, 3, 4)\ns = y[0] + torch.rand(3, 4) - 1",
}


@pytest.mark.parametrize("name", OTHERS)
def test_parts_that_are_not_the_same_elements(name: str) -> None:
    low, high = ends(PAIR + OTHERS[name])
    assert low <= -1 or "layout" in name
    assert high >= 3


GUARDED = """
def f():
    a = torch.rand(4) * {span} + {least}
    b = torch.rand(4) + 1
    y = torch.cat([a + b, a - b])
    return {danger}

f()
"""


def dangers(text: str, precision: str) -> list[str]:
    document = Document.from_text(PATH, "import torch\n" + text)
    configuration = Configuration(isolated=True, overrides={"precision": precision, "select": ("ALL",)})
    found = Session(configuration).analyser(PATH).analyse(document).findings
    return [finding.code for finding in found if finding.code in ("DLN101", "DLN102")]


@pytest.mark.parametrize("danger", ["1 / (y[:4] + y[4:])", "torch.log(y[:4] + y[4:])"])
def test_only_both_prove_that_a_sum_of_parts_is_safe(danger: str) -> None:
    text = GUARDED.format(span=1, least=0.5, danger=danger)
    assert [setting for setting in PRECISIONS if not dangers(text, setting)] == [BOTH, COMPUTED, EXPANSION]


@pytest.mark.parametrize("danger", ["1 / (y[:4] + y[4:])", "torch.log(y[:4] + y[4:])"])
def test_the_rounding_error_of_a_sum_of_parts_reaches_the_danger(danger: str) -> None:
    assert dangers(GUARDED.format(span="1e-8", least="1e-8", danger=danger), BOTH)


PARTS = {
    "slice assignment, the rest": ("x = torch.rand(4, 6)\nx[:, :3] = 5\ny = x[:, 3:] + 0", (0, 1)),
    "slice assignment, the slice": ("x = torch.rand(4, 6)\nx[:, :3] = 5\ny = x[:, :3] + 0", (5, 5)),
    "behind an ellipsis": ("x = torch.rand(4, 6)\nx[..., -1] = 7\ny = x[:, 5] + 0", (7, 7)),
    "every other element": ("x = torch.rand(6)\nx[::2] = 9\ny = x + 0", (0, 9)),
    "mask": ("x = torch.rand(6) - 0.5\nx[x < 0] = 2\ny = x + 0", (0, 2)),
    "through a view": ("x = torch.rand(6)\nv = x[2:4]\nv[:] = 3\ny = x[2:4] + 0", (3, 3)),
    "beside a view": ("x = torch.rand(6)\nv = x[2:4]\nv[:] = 3\ny = x[:2] + 0", (0, 1)),
    "a view of what is assigned to": ("x = torch.rand(6)\nv = x[2:4]\nx[:] = 3\ny = v + 0", (0, 3)),
    "in place through a view": ("x = torch.rand(6)\nx[0].fill_(4)\ny = x + 0", (0, 4)),
    "a copy made before": ("x = torch.rand(6)\ny = x + 0\nx[0] = 8\nz = y + 0", (0, 1)),
    "index_fill": ("x = torch.rand(6)\nx = x.index_fill(0, torch.tensor([0, 1]), 5.0)\ny = x[:2] + 0", (5, 5)),
    "index_put": ("x = torch.rand(6).index_put((torch.tensor([4, 5]),), torch.tensor(7.0))\ny = x + 0", (0, 7)),
    "index_put in place": ("x = torch.rand(6)\nx.index_put_((torch.tensor([4]),), torch.tensor(7.0))\ny = x + 0", (0, 7)),
    "scatter": ("x = torch.rand(6).scatter(0, torch.tensor([4, 5]), torch.full((2,), 7.0))\ny = x[:4] + 0", (0, 1)),
    "transposed": ("x = torch.stack([torch.rand(3), torch.rand(3) + 4], dim=1)\ny = x.t()[1] * 2", (8, 10)),
    "chunk": ("a, b = torch.cat([torch.rand(2), torch.rand(2) + 3]).chunk(2)\ny = b - a", (2, 4)),
    "rows": ("x = torch.cat([torch.rand(2, 3), torch.rand(2, 3) + 3], 1)\ny = x.sum(dim=0)[3:] + 0", (6, 8)),
    "grown": ("x = torch.cat([torch.rand(2), torch.rand(2) + 3]).unsqueeze(1).expand(4, 5)\ny = x[2:] + 0", (3, 4)),
    "probabilities sum to 1": ("p = torch.softmax(torch.randn(3, 4), dim=1)\ny = p.sum(dim=1)", (1, 1)),
    "bytes wrap around": ("x = torch.tensor([250, 251], dtype=torch.uint8)\ny = x + 10", (4, 5)),
    "some bytes wrap around": ("x = torch.randint(100, 121, (4,), dtype=torch.int8)\ny = x + 10", (-128, 127)),
}


@pytest.mark.parametrize("name", PARTS)
def test_parts(name: str) -> None:
    text, expected = PARTS[name]
    assert ends(text) == expected


LOOPS = {
    "bounded": ("x = torch.rand(3)\nfor _ in iter(range(9)):\n    x = torch.relu(x - 1) + 0.5\ny = x + 0", (0, 1)),
    "narrowed": ("x = torch.zeros(3) + 1\nwhile x.sum() < 9:\n    x = (x + 1).clamp(max=5)\ny = x + 0", (1, 5)),
    "one end given up": ("x = torch.ones(3)\nwhile x.sum() < 9:\n    x = x + 1\ny = x + 0", (1, math.inf)),
    "elements assigned": ("x = torch.rand(9)\nfor k in range(int(x.sum())):\n    x[k] = 2.0\ny = x + 0", (0, 2)),
}


@pytest.mark.parametrize("name", LOOPS)
def test_loops(name: str) -> None:
    text, (low, high) = LOOPS[name]
    found = ends(text)
    assert found[0] >= low
    assert found[1] <= high
