"""Keyword arguments that change the numbers of a result leave its shape and element type known, as in torch itself."""

from __future__ import annotations

import pytest

from dllint.domains.shape import TensorType
from dllint.ir.program import TensorVal
from tests.lower.tracing import values

HEAD = """
import torch
import torch.nn.functional as F

image = torch.rand(2, 3, 8, 8)
grid = torch.zeros(2, 4, 5, 2)
scores, index = torch.rand(4, 5), torch.tensor([1, 2, 3, 4])
"""
EXPRESSIONS = [
    *(f"F.interpolate(image, scale_factor=1.7, recompute_scale_factor={flag})" for flag in (None, True, False)),
    "F.interpolate(image, scale_factor=2, mode='bilinear', align_corners=False, recompute_scale_factor=False)",
    *(f"F.{loss}(scores, index, size_average={flag})" for loss in ("cross_entropy", "nll_loss") for flag in (True, False)),
    *(f"F.{loss}(scores, scores, size_average=False)" for loss in ("mse_loss", "l1_loss", "smooth_l1_loss")),
    *(f"F.grid_sample(image, grid, padding_mode={mode!r}, align_corners=False)" for mode in ("border", "reflection")),
    "torch.diagonal(scores, 1)",
    "F.softplus(scores, beta=2, threshold=10)",
    "F.local_response_norm(image, 3, alpha=1e-3, beta=0.5, k=2)",
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.filterwarnings("ignore")
def test_the_type_is_that_of_torch(expression: str) -> None:
    torch = pytest.importorskip("torch")
    namespace: dict[str, object] = {}
    exec(f"{HEAD}\nresult = {expression}", namespace)
    real = namespace["result"]
    assert isinstance(real, torch.Tensor)
    found = values(f"{HEAD}\nresult = {expression}")["result"]
    assert isinstance(found, TensorVal)
    assert isinstance(found.type, TensorType)
    assert found.shape == tuple(real.shape)
    assert str(found.dtype) == str(real.dtype).removeprefix("torch.")
