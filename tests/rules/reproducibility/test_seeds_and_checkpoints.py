"""Missing seeds and checkpoints of another kind are found in every form of a program, and not in the repaired twins."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import random\n\nimport numpy\nimport torch\nfrom torch import nn\n"
TRAIN = (
    "model = nn.Linear(8, 2)\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\nfor _ in range(9):\n"
    "    optimizer.zero_grad()\n    model(torch.randn(4, 8)).sum().backward()\n    optimizer.step()"
)
#: What precedes the training → whether nothing seeds what draws the weights; without any seed, only scripts with a guard count.
SEEDS = {
    "": True,
    "numpy.random.seed(0)\n": True,
    "random.seed(0)\nnumpy.random.seed(0)\n": True,
    "torch.manual_seed(0)\n": False,
    "numpy.random.seed(0)\ntorch.manual_seed(0)\n": False,
    "from settings import set_seed\nset_seed(0)\n": False,
    "from settings import seed\nnumpy.random.seed(seed)\n": False,
}
MODEL = "model = nn.Linear(8, 2)"
STATE, WHOLE = "torch.save(model.state_dict(), {path})\n", "torch.save(model, {path})\n"
#: Body, with the path that is loaded → whether that is of another kind than what was saved.
LOADS = {
    STATE + "other = torch.load({path})\nother.eval()": True,
    STATE + "other = torch.load({path}, map_location='cpu')\nother.train()": True,
    WHOLE + "model.load_state_dict(torch.load({path}))": True,
    WHOLE + "other = torch.load({path}, weights_only=False)\nother.eval()": False,
    STATE + "model.load_state_dict(torch.load({path}))": False,
    STATE + "other = torch.load('other.pt')\nother.eval()": False,
    STATE + WHOLE + "other = torch.load({path}, weights_only=False)\nother.eval()": False,
}
DRAWS = {
    "nn.init.normal_(layer.weight)": True,
    "nn.init.uniform_(layer.weight)": True,
    "layer.weight.data.normal_(0, 1)": True,
    "nn.init.normal_(layer.weight, 0.0, 2.0)": True,
    "nn.init.normal_(layer.weight, std=0.01)": False,
    "nn.init.uniform_(layer.weight, -0.1, 0.1)": False,
    "nn.init.normal_(layer.bias)": False,
    "nn.init.normal_(layer.weight)\nnn.init.xavier_normal_(layer.weight)": False,
    "nn.init.normal_(layer.weight)\nlayer.weight.data.mul_(0.01)": False,
}


def told(code: str, setup: str, body: str, names: tuple[str, ...], form: str, folder: Path) -> bool:
    return code in found(FORMS[form](Case(code, IMPORTS, setup, body, names)), folder, [code])


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("seeds", "form"), list(product(SEEDS, FORMS)))
def test_seeds(seeds: str, form: str, tmp_path: Path) -> None:
    wanted = SEEDS[seeds] and (bool(seeds) or form in ("in_guard", "with_command_line"))
    assert told("DLR101", "count = 9", seeds + TRAIN, ("count",), form, tmp_path) is wanted


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("load", "form"), list(product(LOADS, FORMS)))
def test_checkpoints(load: str, form: str, tmp_path: Path) -> None:
    assert told("DLR104", MODEL, load.format(path="'model.pt'"), ("model",), form, tmp_path) is LOADS[load]


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("draw", "size", "form"), list(product(DRAWS, (256, 4), FORMS)))
def test_scales(draw: str, size: int, form: str, tmp_path: Path) -> None:
    wanted = DRAWS[draw] and size > 4
    setup = f"layer = nn.Linear({size}, 4)"
    assert told("DLI104", setup, draw, ("layer",), form, tmp_path) is wanted
