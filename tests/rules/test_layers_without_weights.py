"""Results of layers that have no weights require no gradients, whatever their class has as a rule; told of runs of torch."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

torch = pytest.importorskip("torch")

LAYERS = (
    "BatchNorm1d(5, affine=False)", "BatchNorm1d(5, affine=False, track_running_stats=False)", "BatchNorm1d(5)",
    "LayerNorm(5, elementwise_affine=False)", "LayerNorm(5)", "GroupNorm(1, 5, affine=False)", "GroupNorm(1, 5)",
    "RMSNorm(5, elementwise_affine=False)", "InstanceNorm1d(5)", "Dropout(0.5)", "Identity()", "ReLU()",
    "Linear(5, 2)", "PReLU()",
)  # fmt: skip
MUST = ("BatchNorm1d(5)", "LayerNorm(5)", "GroupNorm(1, 5)", "Linear(5, 2)", "PReLU()")
FORMS = ("y = nn.{layer}({x})", "layer = nn.{layer}\ny = layer({x})", "y = nn.Sequential(nn.{layer}, nn.Identity())({x})")


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("form", FORMS)
def test_an_array_is_made_of_what_requires_no_gradients(layer: str, form: str) -> None:
    x = "torch.rand(4, 5, 3)" if layer.startswith(("Group", "Instance")) else "torch.rand(4, 5)"
    text = f"import torch\nfrom torch import nn\n\n{form.format(layer=layer, x=x)}\nprint(y.numpy().shape)\n"
    try:
        exec(text, {})
        raises = False
    except RuntimeError:
        raises = True
    told = "DLG104" in {found.code for found in findings(text)}
    assert raises is (layer in MUST)
    assert told is raises, text
