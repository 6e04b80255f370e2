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


MARGIN = """class Margin(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.scale = 16.0
        {parameter}

    def forward(self, embedded):
        weight = nn.functional.normalize(self.weight)
        return self.scale * nn.functional.linear(nn.functional.normalize(embedded), weight)


encoder, margin = nn.Linear(8, 4), Margin(4, 3)
"""
#: Ways in which a module has a weight of its own.
OWN = {
    "drawn": "self.weight = nn.Parameter(torch.randn(classes, width))",
    "filled": "self.weight = nn.Parameter(torch.empty(classes, width))\n        nn.init.xavier_uniform_(self.weight)",
    "registered": "self.register_parameter('weight', nn.Parameter(torch.rand(classes, width)))",
}
FIXED = {
    "buffer": "self.register_buffer('weight', torch.randn(classes, width))",
    "not trained": "self.weight = nn.Parameter(torch.randn(classes, width), requires_grad=False)",
}
CLASSIFIED = """for step in range(100):
    x, y = torch.randn(6, 8), torch.randint(0, 3, (6,))
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(margin(encoder(x)), y)
    loss.backward()
    optimizer.step()"""


def _margin(parameter: str, given: str, form: str, folder: Path) -> bool:
    setup = f"{MARGIN.format(parameter=parameter)}optimizer = torch.optim.SGD({given}, lr=0.1)"
    return bool(
        found(FORMS[form](Case("DLO113", IMPORTS, setup, CLASSIFIED, ("encoder", "margin", "optimizer"))), folder, ["DLO113"])
    )


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("own", OWN)
def test_a_module_with_a_weight_of_its_own_is_in_no_optimizer(own: str, form: str, tmp_path: Path) -> None:
    assert _margin(OWN[own], "encoder.parameters()", form, tmp_path)
    assert not _margin(OWN[own], "[*encoder.parameters(), *margin.parameters()]", form, tmp_path)
    assert not _margin(OWN[own], "[{'params': encoder.parameters()}, {'params': [margin.weight]}]", form, tmp_path)


@pytest.mark.parametrize("fixed", FIXED)
def test_a_module_without_a_weight_to_train_needs_no_optimizer(fixed: str, tmp_path: Path) -> None:
    assert not _margin(FIXED[fixed], "encoder.parameters()", "plain", tmp_path)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("own", OWN)
def test_another_module_of_the_same_class_is_shown(own: str, form: str, tmp_path: Path) -> None:
    """Two objects that are made alike may hold one abstract value: that one of them is trained says nothing of the other."""
    setup = (
        f"{MARGIN.format(parameter=OWN[own])}optimizer = torch.optim.SGD([*encoder.parameters(), *margin.parameters()], lr=0.1)"
    )
    after = f"{CLASSIFIED}\nshown = Margin(4, 3)\nprint(shown(encoder(x)))"
    names = ("encoder", "margin", "optimizer")
    assert not found(FORMS[form](Case("DLO113", IMPORTS, setup, after, names)), tmp_path, ["DLO113"])
