"""A loop over one of several values, some of which have no elements, meets the elements of the others alone."""

from __future__ import annotations

import pytest

from dllint.ir.program import TensorVal
from tests.lower.tracing import lower

#: Values without elements, of tensors and containers.
EMPTY = ("np.array([])", "np.zeros((0, 4))", "torch.zeros(0, 4, 5)", "[]", "()", "set()")
#: A value with elements → the shape of each.
FILLED = {"torch.zeros(40, 4)": (4,), "np.zeros((40, 2, 3))": (2, 3), "[torch.zeros(7), torch.ones(7)]": (7,)}
#: How it is come by that the loop has one of them.
WAYS = {
    "a branch": "    if flag:\n        found = {empty}\n    else:\n        found = {filled}\n",
    "a conditional": "    found = {empty} if flag else {filled}\n",
    "a list of them": (
        "    all = []\n    for item in flag:\n        if item is None:\n            all.append({empty})\n            continue\n"
        "        all.append({filled})\n    found = all[0]\n"
    ),
}
LOOP = "    for one in found:\n        torch.relu(torch.as_tensor(one))\n"


def relus(way: str, empty: str, filled: str) -> list[TensorVal]:
    text = f"import numpy as np\nimport torch\n\n\ndef run(flag):\n{WAYS[way].format(empty=empty, filled=filled)}{LOOP}"
    ops = [op for program in lower(text).programs for op in program.ops]
    assert not any(op.faults for op in ops)
    return [op.inputs[0] for op in ops if op.kind == "relu"]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("empty", EMPTY)
@pytest.mark.parametrize("filled", FILLED)
def test_elements_are_those_of_the_others(way: str, empty: str, filled: str) -> None:
    found = relus(way, empty, filled)
    assert found or way == "a list of them"
    shapes = {value.shape for value in found if isinstance(value.shape, tuple)}
    assert {shape for shape in shapes if all(isinstance(size, int) for size in shape)} <= {FILLED[filled]}


@pytest.mark.parametrize("empty", EMPTY)
@pytest.mark.parametrize("other", EMPTY)
def test_without_elements_nothing_is_known(empty: str, other: str) -> None:
    assert not any(isinstance(value.shape, tuple) for value in relus("a branch", empty, other))
