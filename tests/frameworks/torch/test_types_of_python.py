"""Python's own types as element types: torch is asked."""

from __future__ import annotations

import itertools

import pytest

from tests.lower.tracing import lower

TENSORS = ("torch.ones(3) > 0", "torch.ones(3)", "torch.arange(3)", "torch.ones(3).half()")
CALLS = (
    "x.to({})", "x.to('cpu', {})", "x.to(dtype={})", "x.to(torch.device('cpu'), {})", "x.to('cpu', dtype={})",
    "torch.zeros(2, dtype={})", "torch.tensor([1, 0], dtype={})", "torch.zeros_like(x, dtype={})", "torch.sum(x, dtype={})",
)  # fmt: skip


@pytest.mark.oracle
@pytest.mark.parametrize("call", CALLS)
def test_as_torch_has_it(call: str) -> None:
    torch = pytest.importorskip("torch")
    for tensor, name in itertools.product(TENSORS, ("float", "int", "bool")):
        lines = f"x = {tensor}\ny = {call.format(name)}\n"
        names = {"torch": torch}
        exec(lines, names)
        last = lower("import torch\n" + lines).programs[0].ops[-1]
        assert not last.faults, lines
        claimed = getattr(last.outputs[0].type.dtype, "name", None)
        assert claimed == str(names["y"].dtype).removeprefix("torch."), lines


@pytest.mark.parametrize("given", ["dtype", "x_dtype", "config.dtype", "self_dtype"])
def test_a_type_that_nobody_knows_leaves_none(given: str) -> None:
    text = (
        f"import torch\n\ndef spread({given.partition('.')[0]}):\n    x = torch.ones(3) > 0\n"
        f"    return torch.std(x.to({given}))\n"
    )
    assert not any(op.faults for program in lower(text).programs for op in program.ops)
