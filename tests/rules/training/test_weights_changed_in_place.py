"""Steps written by hand that change weights in place where gradients are recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import torch\nfrom torch import nn"
#: How a leaf comes to require gradients.
LEAVES = {
    "keyword": "w = torch.randn(8, 2, requires_grad=True)",
    "method": "w = torch.randn(8, 2) * 0.1\nw.requires_grad_()",
    "method with an argument": "w = torch.zeros(8, 2).contiguous()\nw.requires_grad_(True)",
    "chained": "w = (torch.randn(8, 2) / 8 ** 0.5).requires_grad_()",
    "attribute": "w = torch.randn(8, 2).mul(0.01)\nw.requires_grad = True",
    "parameter": "w = nn.Parameter(torch.randn(8, 2))",
    "changed before": "w = torch.randn(8, 2)\nw *= 0.1\nw.requires_grad_()",
}
STEPS = ("w -= 0.1 * w.grad", "w.sub_(0.1 * w.grad)", "w.add_(w.grad, alpha=-0.1)", "w[0] -= 0.1 * w.grad[0]")
SETUP = """{0}
data = [(torch.randn(4, 8), torch.randn(4, 2)) for _ in range(9)]"""
BODY = """for x, y in data:
    loss = (x @ w - y).square().mean()
    loss.backward()
    {0}
    w.grad.zero_()"""
SOUND = (
    "with torch.no_grad():\n        w -= 0.1 * w.grad",
    "w.data -= 0.1 * w.grad",
    "w.data.sub_(0.1 * w.grad)",
    "w.grad *= 0.5",
)
NAMES = ("w", "data")


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("leaf", LEAVES)
def test_a_leaf_is_changed(leaf: str, step: str, form: str, tmp_path: Path) -> None:
    case = Case("DLO118", IMPORTS, SETUP.format(LEAVES[leaf]), BODY.format(step), NAMES)
    assert "DLO118" in found(FORMS[form](case), tmp_path, ["DLO118"])


@pytest.mark.parametrize("step", SOUND)
@pytest.mark.parametrize("leaf", LEAVES)
def test_a_leaf_is_changed_where_autograd_does_not_see_it(leaf: str, step: str, tmp_path: Path) -> None:
    case = Case("DLO118", IMPORTS, SETUP.format(LEAVES[leaf]), BODY.format(step), NAMES)
    assert not found(FORMS["plain"](case), tmp_path, ["DLO118"])


def test_what_is_computed_may_be_changed(tmp_path: Path) -> None:
    setup = "layer = nn.Linear(8, 2)\nx = torch.randn(4, 8)\nw = layer(x)\nw.requires_grad_()"
    assert not found(FORMS["plain"](Case("DLO118", IMPORTS, setup, "w += 3\nw.sum().backward()", ("w",))), tmp_path, ["DLO118"])


NET = """net = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 2))
data = [(torch.randn(4, 8), torch.randn(4, 2)) for _ in range(9)]"""
BY_HAND = """for x, y in data:
    net.zero_grad()
    (net(x) - y).square().mean().backward()
    {0}"""
FAULTS = (
    "for p in net.parameters():\n        p -= 0.1 * p.grad",
    "for name, p in net.named_parameters():\n        p.sub_(0.1 * p.grad)",
    "net[0].weight.sub_(0.1 * net[0].weight.grad)",
    "weight = net[2].bias\n    weight += 1e-3",
)


@pytest.mark.parametrize("form", ["plain", "in_guard", "in_helper", "in_method", "in_other_file"])
@pytest.mark.parametrize("step", FAULTS)
def test_weights_of_layers_are_changed(step: str, form: str, tmp_path: Path) -> None:
    case = Case("DLO118", IMPORTS, NET, BY_HAND.format(step), ("net", "data"))
    assert "DLO118" in found(FORMS[form](case), tmp_path, ["DLO118"])


@pytest.mark.parametrize(
    "step",
    [
        "with torch.no_grad():\n        for p in net.parameters():\n            p -= 0.1 * p.grad",
        "for p in net.parameters():\n        p.data -= 0.1 * p.grad",
        "for p in net.parameters():\n        p.grad.clamp_(-1, 1)",
        "for b in net.buffers():\n        b += 1",
        "nn.init.zeros_(net[2].bias)",
        "for p in net.parameters():\n        value = p.detach()\n        value -= 0.1 * p.grad",
    ],
)
def test_weights_of_layers_are_changed_soundly(step: str, tmp_path: Path) -> None:
    case = Case("DLO118", IMPORTS, NET, BY_HAND.format(step), ("net", "data"))
    assert not found(FORMS["plain"](case), tmp_path, ["DLO118"])
