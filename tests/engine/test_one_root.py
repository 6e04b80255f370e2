"""Every root cause is told, and told once: consequences belong to it, other tensors' faults do not."""

from __future__ import annotations

import itertools

import pytest

from dllint.finding import Severity
from tests.rules.harness import findings, fixed, reports

HEAD = "import torch\nfrom torch import nn\n\n\n"
#: How a row of layers is built and applied.
FRAMES = {
    "container": "net = nn.Sequential(\n    {layers},\n)\ny = net({x})\n",
    "attribute": (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.body = nn.Sequential(\n"
        "            {layers},\n        )\n\n    def forward(self, x):\n        return self.body(x)\n\n\ny = Net()({x})\n"
    ),
    "list": "layers = [\n    {layers},\n]\nx = {x}\nfor layer in layers:\n    x = layer(x)\nprint(x)\n",
    "twice": "def build():\n    return nn.Sequential(\n    {layers},\n    )\n\n\ny = build()({x})\nz = build()({x})\n",
}
#: Rows of layers, which of them do not fit the one before (by number), and their input.
ROWS = (
    (("nn.Linear(8, 4)", "nn.ReLU()", "nn.Linear(5, 3)", "nn.ReLU()", "nn.Linear(9, 2)"), (2, 4), "torch.zeros(2, 8)"),
    (("nn.Linear(7, 4)", "nn.Linear(5, 3)"), (0, 1), "torch.zeros(2, 8)"),
    (("nn.Conv2d(3, 8, 3)", "nn.BatchNorm2d(9)", "nn.ReLU()", "nn.Conv2d(5, 2, 3)"), (1, 3), "torch.zeros(2, 3, 9, 9)"),
    (("nn.Linear(8, 4)", "nn.LayerNorm(6)", "nn.Linear(11, 2)", "nn.Linear(3, 2)"), (1, 2, 3), "torch.zeros(2, 8)"),
)


def row(layers: tuple[str, ...], frame: str, x: str) -> str:
    return HEAD + FRAMES[frame].format(layers=",\n    ".join(layers), x=x)


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(("layers", "wrong", "x"), ROWS)
def test_each_layer_that_one_call_applies_has_its_own_finding(layers, wrong, x, frame):
    found = [finding for finding in findings(row(layers, frame, x)) if finding.code == "DLT101"]
    assert sorted(finding.message.partition("`")[2].partition("`")[0] for finding in found) == sorted(layers[n] for n in wrong)


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(("layers", "wrong", "x"), ROWS)
def test_and_each_its_own_fix(layers, wrong, x, frame):
    assert reports(fixed(row(layers, frame, x))) == []


#: A layer that declares another size than it is given, between layers that agree with each other.
BETWEEN = (
    ("nn.Conv2d(3, 8, 3)", "nn.BatchNorm2d(9)", "nn.Conv2d(8, 2, 3)", "torch.zeros(2, 3, 9, 9)"),
    ("nn.Conv1d(3, 8, 3)", "nn.BatchNorm1d(9)", "nn.Conv1d(8, 2, 3)", "torch.zeros(2, 3, 9)"),
    ("nn.Linear(3, 8)", "nn.LayerNorm(9)", "nn.Linear(8, 2)", "torch.zeros(2, 3)"),
    ("nn.Linear(3, 8)", "nn.BatchNorm1d(9)", "nn.Linear(8, 2)", "torch.zeros(2, 3)"),
)
STEPS = ((), ("nn.ReLU()",), ("nn.Dropout(0.1)", "nn.ReLU()"))


@pytest.mark.parametrize(("case", "steps", "frame"), list(itertools.product(BETWEEN, STEPS, FRAMES)))
def test_a_layer_that_meets_a_wrong_declaration_is_a_consequence(case, steps, frame):
    before, wrong, after, x = case
    found = findings(row((before, wrong, *steps, after), frame, x))
    faults = [finding for finding in found if finding.severity is not Severity.HINT]
    assert [(finding.code, wrong in finding.message) for finding in faults] == [("DLT101", True)]


@pytest.mark.parametrize("take", ["h[:, :8]", "h.narrow(1, 0, 8)", "torch.relu(h)[:, -8:]", "h.chunk(4, 1)[0]"])
def test_another_tensor_with_the_same_two_sizes_has_a_fault_of_its_own(take):
    text = f"{HEAD}a, b = nn.Linear(16, 32), nn.Linear(16, 4)\nh = a(torch.zeros(2, 8))\ny = b({take})\n"
    assert reports(text) == [(6, "DLT101"), (7, "DLT101")]


@pytest.mark.parametrize("second", ["nn.Conv2d(5, 2, 3)", "nn.BatchNorm2d(5)"])
def test_a_rule_takes_no_finding_of_another_layer_away(second):
    """DLT104 of the first window silences DLT101 about its tensor, not about that of a layer further on."""
    layers = ("nn.MaxPool2d(40)", "nn.Conv2d(3, 8, 1)", "nn.ReLU()", second)
    found = findings(row(layers, "container", "torch.zeros(2, 3, 9, 9)"))
    assert {finding.code for finding in found} == {"DLT104", "DLT101"}


#: A network that joins what it has pooled and made larger again with what it had before; a picture of an odd size does not fit.
JOINING = """class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d({channels}, 32, 3, padding=1)
        self.second = nn.Conv2d({between}, 64, 3, padding=1)
        self.up = nn.ConvTranspose2d(64, 32, 2, stride=2)

    def forward(self, x):
        a = self.first(x)
        b = self.second({pooled}(a))
        return torch.cat([a, self.up(b)], dim={axis})


y = Net()(torch.zeros({shape}))
"""


@pytest.mark.parametrize("axis", [1, -3])
@pytest.mark.parametrize("pooled", ["nn.AvgPool2d(2)", "nn.MaxPool2d(2)"])
@pytest.mark.parametrize(("channels", "shape"), [(3, "2, 64, 64, 3"), (5, "2, 63, 64, 5")])
def test_positions_behind_channels_on_the_last_axis_are_no_fault_of_their_own(channels, shape, pooled, axis):
    given = {"channels": channels, "pooled": pooled, "axis": axis, "shape": shape}
    assert [code for _, code in reports(HEAD + JOINING.format(between=32, **given))] == ["DLT101"]
    both = [code for _, code in reports(HEAD + JOINING.format(between=30, **given))]
    assert both.count("DLT101") == 2


@pytest.mark.parametrize("pooled", ["nn.AvgPool2d(2)", "nn.MaxPool2d(2)"])
def test_positions_behind_channels_in_front_are(pooled):
    given = {"pooled": pooled, "axis": 1, "shape": "2, 3, 64, 63", "between": 32}
    assert [code for _, code in reports(HEAD + JOINING.format(channels=3, **given))] == ["DLT109"]
    assert [code for _, code in reports(HEAD + JOINING.format(channels=4, **given))] == ["DLT101", "DLT109"]
