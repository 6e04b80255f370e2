"""What torch does not look at before the call of a layer: an error at the call, information of a layer that nothing calls."""

from __future__ import annotations

import pytest

from dllint.finding import Severity
from tests.lower.against_runs import check
from tests.ops.torch_layers import FIRST_CALLS
from tests.rules.harness import findings

pytestmark = pytest.mark.oracle
CALLS = [(layer, shape) for layer, shape in FIRST_CALLS if len(shape) == 4]
PLACES = ("layer = nn.{layer}\ny = layer(x)", "y = nn.{layer}(x)", "y = nn.Sequential(nn.{layer}, nn.ReLU())(x)",
          "def build():\n    return nn.{layer}\nlayer = build()\nfor _ in range(2):\n    y = layer(x)")  # fmt: skip


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("layer", "shape"), CALLS)
def test_what_raises_at_the_call_is_told_there(layer: str, shape: tuple[int, ...], place: str) -> None:
    check(f"import torch\nfrom torch import nn\nx = torch.rand{shape}\n{place.format(layer=layer)}\n")


@pytest.mark.parametrize(("layer", "shape"), CALLS)
def test_a_layer_that_is_not_called_is_no_error(layer: str, shape: tuple[int, ...]) -> None:
    check(f"import torch\nfrom torch import nn\nx = torch.rand{shape}\nlayer = nn.{layer}\ny = x + 1\n")


def test_a_layer_that_no_call_accepts_is_information() -> None:
    found = findings("from torch import nn\n\nlayer = nn.Conv2d(3, 4, 3, stride=0)\n")
    assert [(one.code, one.severity) for one in found] == [("DLT118", Severity.INFO)]
