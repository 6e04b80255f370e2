"""Sequences with tensors as the data of a new tensor: torch takes each for a number, and is asked."""

from __future__ import annotations

import itertools

import pytest

from tests.lower.tracing import lower

PARTS = (
    "torch.ones(())", "torch.ones(1)", "torch.ones(1, 1)", "torch.ones(3)", "torch.ones(2, 3)", "torch.ones(0)",
    "torch.ones(3).sum()", "torch.ones(3).long()[0]",
)  # fmt: skip
SEQUENCES = ("[{0}, {0}]", "({0},)", "[[{0}], [{0}]]", "[1.0, {0}]", "[{0}, {1}]", "[x for x in ({0}, {0}, {0})]")
CALLS = ("torch.tensor({})", "torch.as_tensor({})", "torch.Tensor({})", "torch.tensor({}, dtype=torch.float64)")


@pytest.mark.oracle
@pytest.mark.parametrize(("call", "sequence"), [*itertools.product(CALLS, SEQUENCES)])
def test_as_torch_has_it(call: str, sequence: str) -> None:
    torch = pytest.importorskip("torch")
    for part, other in itertools.product(PARTS, PARTS[:4]):
        if call.startswith("torch.Tensor") and sequence.startswith("("):
            continue  # a tuple of sizes
        line = f"y = {call.format(sequence.format(part, other))}\n"
        names = {"torch": torch}
        try:
            exec(line, names)
            shape = tuple(names["y"].shape)
        except ValueError:
            shape = None
        last = lower("import torch\n" + line).programs[0].ops[-1]
        assert bool(last.faults) == (shape is None), line
        assert last.faults or last.outputs[0].type.shape == shape, line


@pytest.mark.parametrize("part", ["np.ones(3)", "x", "torch.ones(3).numpy()", "torch.ones(n)", "torch.ones(3).tolist()"])
def test_what_may_be_rows_of_numbers(part: str) -> None:
    text = f"import numpy as np\nimport torch\n\ndef made(x, n):\n    return torch.tensor([{part}, {part}])\n"
    assert not any(op.faults for program in lower(text).programs for op in program.ops)
