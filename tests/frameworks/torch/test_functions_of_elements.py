"""Functions of torch of which little more is known than the shape and the type of their results: these, against torch."""

from __future__ import annotations

from typing import Final

import pytest
import torch

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from tests.lower.tracing import values

pytestmark = pytest.mark.oracle

CALLS: Final = (
    "torch.linalg.solve(torch.rand(3, 3), a)",
    "torch.linalg.solve(torch.rand(4, 4), a, left=False)",
    "torch.linalg.solve(torch.rand(4, 4), row)",
    "torch.linalg.solve(torch.rand(2, 4, 4), torch.rand(2, 3, 4), left=False)",
    "torch.range(0, 4)",
    "torch.range(start=0, end=len(row) - 1).long()",
    "torch.range(1, 2, 0.5)",
    "torch.range(0.5, 2.2, 0.5)",
    "torch.range(5, 1, -2)",
    "torch.range(0, a.shape[0], dtype=torch.int64)",
    "torch.stack([torch.range(0, len(a) - 1), a[:, 0]])",
    "torch.logit(a, eps=1e-6)",
    "a.logit()",
    "torch.special.logit(a)",
    "torch.special.ndtr(a)",
    "a.frac()",
    "torch.logaddexp(a, row)",
    "a.logaddexp(a.double())",
    "torch.logaddexp2(a, a)",
    "torch.copysign(a, -row)",
    "torch.copysign(torch.arange(4), 1.0)",
    "a.signbit()",
    "torch.unique_consecutive(torch.tensor([1, 1, 2]))",
    "torch.unique_consecutive(torch.tensor([1, 1, 2]), return_counts=True)[1]",
    "torch.isin(torch.arange(6).view(2, 3), torch.tensor([1, 2]))",
    "torch.linalg.svd(a, full_matrices=False)[2]",
    "a.svd()[2]",
)


@pytest.mark.parametrize("call", CALLS)
def test_what_is_known_is_so(call: str) -> None:
    a, row = torch.rand(3, 4), torch.rand(4)
    real = eval(call, {"torch": torch, "a": a, "row": row})
    known = values(f"import torch\na, row = torch.rand(3, 4), torch.rand(4)\ny = {call}\n")["y"]
    assert isinstance(known, TensorVal)
    assert isinstance(known.dtype, Unknown) or str(known.dtype) == str(real.dtype).removeprefix("torch.")
    assert isinstance(known.shape, tuple)
    assert all(not isinstance(size, int) or size == given for size, given in zip(known.shape, real.shape, strict=True))
