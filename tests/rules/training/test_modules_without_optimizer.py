"""Modules that a loss depends on and that no optimizer has."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import copy\nimport torch\nfrom torch import nn"
SETUP = """encoder = nn.Sequential(nn.Linear(8, 4), nn.ReLU())
decoder = nn.Linear(4, 8)
{0}
optimizer = torch.optim.Adam({1}, lr=0.001)"""
BODY = """for step in range(100):
    x = torch.randn(4, 8)
    optimizer.zero_grad()
    {0}
    loss.backward()
    optimizer.step()"""
NAMES = ("encoder", "decoder", "optimizer")
LOSSES = (
    "loss = nn.functional.mse_loss(decoder(encoder(x)), x)",
    "z = encoder(x)\n    out = decoder(z.contiguous())\n    loss = ((out - x) ** 2).mean()",
    "loss = nn.MSELoss()(decoder(encoder(x).detach()), x) + encoder(x).square().mean()",
)
#: What is done beside it, and the parameters that the optimizer is given → whether a module is left out.
SOUND = {
    "": "list(encoder.parameters()) + list(decoder.parameters())",
    "pass": "[{'params': encoder.parameters()}, {'params': decoder.parameters(), 'lr': 0.1}]",
    "decoder.eval()": "encoder.parameters()",
    "decoder.requires_grad_(False)": "encoder.parameters()",
    "decoder.load_state_dict(torch.load('decoder.pt'))": "encoder.parameters()",
    "decoder = copy.deepcopy(nn.Linear(4, 8))": "encoder.parameters()",
    "second = torch.optim.SGD(decoder.parameters(), lr=0.1)": "encoder.parameters()",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("loss", LOSSES)
def test_a_module_is_in_no_optimizer(loss: str, form: str, tmp_path: Path) -> None:
    setup = SETUP.format("", "encoder.parameters()")
    assert "DLO113" in found(FORMS[form](Case("DLO113", IMPORTS, setup, BODY.format(loss), NAMES)), tmp_path, ["DLO113"])


@pytest.mark.parametrize("beside", SOUND)
@pytest.mark.parametrize("loss", LOSSES)
def test_a_module_stays_as_it_is_or_is_trained(loss: str, beside: str, tmp_path: Path) -> None:
    setup = SETUP.format(beside, SOUND[beside])
    assert not found(FORMS["plain"](Case("DLO113", IMPORTS, setup, BODY.format(loss), NAMES)), tmp_path, ["DLO113"])


PARTS = """class Block(nn.Module):
    def __init__(self, inside, outside):
        super().__init__()
        self.first = nn.Linear(inside, outside)
        self.skip = nn.Identity()
        if inside != outside:
            self.skip = nn.Linear(inside, outside)

    def forward(self, x):
        return self.first(x) + self.skip(x)


class Net(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.blocks = nn.ModuleList()
        for inside, outside in zip(sizes, sizes[1:]):
            self.blocks.append(nn.ModuleList([Block(inside, outside), Block(outside, outside)]))

    def forward(self, x):
        for first, second in self.blocks:
            x = second(first(x))
        return x


model = Net(sizes)
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)"""


@pytest.mark.parametrize("sizes", ["[8, 4, 8]", "[8, 4, 4, 8]", "[8] + [int(size) for size in open('sizes.txt')] + [8]"])
@pytest.mark.parametrize("form", ["plain", "in_guard", "in_function"])
def test_what_modules_make_is_theirs(form: str, sizes: str, tmp_path: Path) -> None:
    body = BODY.format("loss = nn.functional.mse_loss(model(x), x)")
    case = Case("DLO113", IMPORTS, f"sizes = {sizes}\n{PARTS}", body, ("model", "optimizer"))
    assert not found(FORMS[form](case), tmp_path, ["DLO113"])
