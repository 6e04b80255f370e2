"""What a helper function leaves behind for the training after it: evaluation mode, gradients that are switched off."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import MAIN, found

HEAD = "import torch\nfrom torch import nn\n\n\n"
DATA = "data = [(torch.randn(4, 8), torch.randint(0, 2, (4,))) for _ in range(9)]\n"
#: Layers whose results depend on the mode.
LAYERS = ("nn.Linear(8, 2), nn.Dropout(0.5)", "nn.Linear(8, 2), nn.BatchNorm1d(2)")
#: How a model comes to be in evaluation mode in a function that is left: definitions, and what makes it.
MAKERS = {
    "loader": (
        "def restored(path):\n    net = nn.Sequential({0})\n    net.load_state_dict(torch.load(path))\n    net.eval()\n"
        "    return net\n",
        "model = restored('a.pt')",
    ),
    "at once": ("def restored(path):\n    return nn.Sequential({0}).eval()\n", "model = restored('a.pt')"),
    "train(False)": (
        "def restored():\n    made = nn.Sequential({0})\n    made.train(False)\n    return made, 3\n",
        "model, count = restored()",
    ),
    "evaluated before": (
        "def score(net):\n    net.eval()\n    with torch.no_grad():\n        return net(torch.zeros(4, 8)).sum()\n",
        "model = nn.Sequential({0})\nprint(score(model))",
    ),
    "in an object": (
        "class Store:\n    def __init__(self):\n        self.net = nn.Sequential({0})\n\n    def load(self):\n"
        "        self.net.eval()\n        return self.net\n",
        "model = Store().load()",
    ),
}
LOOPS = (
    "def fit(net):\n    optimizer = torch.optim.SGD({1}.parameters(), lr=0.1)\n    {2}\n    for epoch in range(3):\n"
    "        for x, y in data:\n            optimizer.zero_grad()\n"
    "            nn.functional.cross_entropy(net(x), y).backward()\n"
    "            optimizer.step()\n\n\n{0}\nfit(model)\n",
    "{0}\nnet = model\noptimizer = torch.optim.Adam(list({1}.parameters()), lr=0.1)\n{2}\n"
    "for x, y in data:\n    out = net(x)\n"
    "    loss = nn.functional.cross_entropy(out, y)\n    optimizer.zero_grad()\n    loss.backward()\n    optimizer.step()\n",
)


def _mode(maker: str, loop: str, layers: str, trained: str = "net", between: str = "pass") -> str:
    definition, made = (text.replace("{0}", layers) for text in MAKERS[maker])
    return HEAD + DATA + definition + "\n\n" + loop.format(made, trained, between)


@pytest.mark.parametrize("layers", LAYERS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("maker", MAKERS)
def test_a_model_is_left_in_evaluation_mode(maker: str, loop: str, layers: str, tmp_path: Path) -> None:
    assert found({MAIN: _mode(maker, loop, layers)}, tmp_path, ["DLO108"]) == ["DLO108"]


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("maker", MAKERS)
def test_a_model_is_put_back_or_is_not_trained(maker: str, loop: str, tmp_path: Path) -> None:
    for text in (
        _mode(maker, loop, LAYERS[0], between="net.train()"),
        _mode(maker, loop, "nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 2)"),
        _mode(maker, loop, LAYERS[0], trained="nn.Linear(8, 2)"),
        _mode(maker, loop, LAYERS[0], between="net[0].weight.requires_grad = False"),
        _mode(maker, loop, LAYERS[0], between="pass  # the statistics stay"),
    ):
        assert not found({MAIN: text}, tmp_path, ["DLO108"])


def test_evaluation_mode_by_a_condition_or_in_the_function_that_trains(tmp_path: Path) -> None:
    made = "def made(path):\n    net = nn.Sequential(nn.Linear(8, 2), nn.Dropout())\n    if path:\n        net.eval()\n"
    made += "    return net\n"
    loop = LOOPS[1].format("import sys\nmodel = made(sys.argv[1])", "net", "pass")
    assert not found({MAIN: f"{HEAD}{DATA}{made}\n\n{loop}"}, tmp_path, ["DLO108"])
    loop = LOOPS[0].format("model = nn.Sequential(nn.Linear(8, 2), nn.Dropout())", "net", "net.eval()")
    assert not found({MAIN: HEAD + DATA + loop}, tmp_path, ["DLO108"])


SWITCHED = """teacher, model = nn.Linear(8, 2), nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def wanted(x):
    {0}
    out = teacher(x).softmax(1)
    {1}
    return out


for x, y in data:
    goal = wanted(x)
    {2}
    loss = (model(x).softmax(1) - goal).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
OFF = ("torch.set_grad_enabled(False)", "torch.set_grad_enabled(mode=False)", "torch.autograd.set_grad_enabled(False)")


def _switched(*parts: str) -> dict[str, str]:
    return {MAIN: HEAD + DATA + SWITCHED.format(*parts)}


@pytest.mark.parametrize("off", OFF)
def test_gradients_stay_switched_off(off: str, tmp_path: Path) -> None:
    assert found(_switched(off, "pass", "pass"), tmp_path, ["DLO106"]) == ["DLO106"]
    assert found(_switched("pass", off, "pass"), tmp_path, ["DLO106"]) == ["DLO106"]
    assert found(_switched("pass", "pass", off), tmp_path, ["DLO106"]) == ["DLO106"]
    assert found(_switched("import torch as t\n    t.set_grad_enabled(False)", "pass", "pass"), tmp_path, ["DLO106"]) == [
        "DLO106"
    ]


@pytest.mark.parametrize("off", OFF)
def test_gradients_are_switched_on_again(off: str, tmp_path: Path) -> None:
    on = off.replace("False", "True")
    for parts in (
        (off, on, "pass"),
        (off, "pass", on),
        (f"with {off}:\n        teacher(x)", "pass", "pass"),
        (f"if len(x) > len(data):\n        {off}", "pass", "pass"),
        (f"with torch.no_grad():\n        {off}", "pass", "pass"),
        (off, off.replace("False", "len(data) > 3"), "pass"),
    ):
        assert not found(_switched(*parts), tmp_path, ["DLO106"])


PAIR = """first, second = nn.Linear(8, 2), nn.Linear(2, 1)
one, two = torch.optim.SGD(first.parameters(), lr=0.1), torch.optim.SGD(second.parameters(), lr=0.1)
kept, others = [], []
for x, y in data:
    made = first(x)
    a_loss = second(made.detach()).square().mean()
    two.zero_grad()
    a_loss.backward()
    two.step()
    b_loss = second(made).mean()
    one.zero_grad()
    b_loss.backward()
    one.step()
    {0}
"""


@pytest.mark.parametrize(
    "kept", ["kept.append(a_loss)", "others += [b_loss]", "kept.append(b_loss)\n    others.append(a_loss)"]
)
def test_losses_of_two_models_are_kept(kept: str, tmp_path: Path) -> None:
    assert "DLO110" in found({MAIN: HEAD + DATA + PAIR.format(kept)}, tmp_path, ["DLO110"])


@pytest.mark.parametrize("kept", ["kept.append(a_loss.item())", "kept.append(b_loss.detach())", "kept.append(made.detach())"])
def test_numbers_of_two_models_are_kept(kept: str, tmp_path: Path) -> None:
    assert not found({MAIN: HEAD + DATA + PAIR.format(kept)}, tmp_path, ["DLO110"])
