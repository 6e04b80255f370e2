"""Optimizers all of whose parameters are frozen are told in every form of a program, and what trains something is not."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import indent

import pytest

from tests.rules.training.variants import FORMS, MAIN, Case, found

IMPORTS = "import torch\nfrom backbones import make, prepare\nfrom torch import nn"
MODELS = {
    "known": "nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 2))",
    "unknown": "make(8)",
    "moved": "make(8).to('cpu')",
}
SETUP = "model = {0}\ndata = torch.randn(16, 8)"
NAMES = ("model", "data")
MADE = "optimizer = torch.optim.Adam(model.parameters(), lr=0.1)\n"
FREEZE = "for p in model.parameters():\n    p.requires_grad = False\n"
TRAIN = "for _ in range(5):\n    optimizer.zero_grad()\n    model(data).square().mean().backward()\n    optimizer.step()\n"
THAW = "for p in model.parameters():\n    p.requires_grad = True\n"
FAULTY = {
    "loop": MADE + FREEZE + TRAIN,
    "method": MADE + "model.requires_grad_(False)\n" + TRAIN,
    "evaluated": MADE + FREEZE + "model.eval()\n" + TRAIN,
    "in rounds": "for turn in range(3):\n" + "".join(f"    {line}\n" for line in (MADE + FREEZE + TRAIN).splitlines()),
}
WORKING = {
    "after the training": MADE + TRAIN + FREEZE,
    "thawed": MADE + FREEZE + THAW + TRAIN,
    "thawed by a method": MADE + FREEZE + "model.requires_grad_(True)\n" + TRAIN,
    "thawed by default": MADE + FREEZE + "model.requires_grad_()\n" + TRAIN,
    "thawed by a flag": MADE + FREEZE + "for p in model.parameters():\n    p.requires_grad = bool(data.sum() > 0)\n" + TRAIN,
    "handed on": MADE + FREEZE + "prepare(model)\n" + TRAIN,
    "optimizer handed on": MADE + "prepare(optimizer)\n" + FREEZE + TRAIN,
    "perhaps": MADE + "if data.sum() > 0:\n    model.requires_grad_(False)\n" + TRAIN,
    "some": MADE + "for p in model.parameters():\n    if p.ndim > 1:\n        p.requires_grad = False\n" + TRAIN,
    "first ones": MADE + "for p in list(model.parameters())[:2]:\n    p.requires_grad = False\n" + TRAIN,
    "of a part": MADE + FREEZE.replace("model.", "model.encoder.") + TRAIN.replace("model(", "model.head("),
    "of an item": MADE + FREEZE.replace("model.", "model[0].") + TRAIN,
    "of a found part": MADE + FREEZE.replace("model.", "model.get_submodule('0').") + TRAIN,
    "a part by a method": MADE + "model[0].requires_grad_(False)\nmodel.layers[1].requires_grad_(False)\n" + TRAIN,
    "another part": MADE.replace("model.", "model.head.") + FREEZE.replace("model.", "model.encoder.") + TRAIN,
    "another item": MADE.replace("model.", "model[2].") + FREEZE.replace("model.", "model[0].") + TRAIN,
    "of another one": MADE + FREEZE.replace("model.", "make(9).") + TRAIN,
    "new head": FREEZE + "model.head = nn.Linear(2, 2)\n" + MADE + TRAIN,
    "new group": MADE + FREEZE + "optimizer.add_param_group({'params': nn.Linear(2, 2).parameters()})\n" + TRAIN,
    "own gradients": MADE
    + FREEZE
    + "for p in model.parameters():\n    p.grad = torch.ones_like(p)\noptimizer.step()\noptimizer.zero_grad()",
    "in turns": MADE + "for turn in range(4):\n    model.requires_grad_(turn % 2 == 0)\n    optimizer.step()",
}

#: Calls in files that do not train are not recorded: of a model that such a call returns nothing shows that it is one.
TOLD = [(model, form) for model in MODELS for form in FORMS if (model, form) != ("moved", "in_other_file")]
#: Of each: how several models are made, and how two of them are named.
SEVERAL = {
    "list": ("models = [{0} for name in names()]", "models[0]", "models[1]"),
    "dict": ("models = {{name: {0} for name in names()}}", "models['a']", "models['b']"),
    "unpacked": ("one, two = [{0} for name in names()]", "one", "two"),
    "module list": ("models = nn.ModuleList([{0} for name in names()])", "models[first]", "models[last]"),
    "module dict": ("models = nn.ModuleDict({{name: {0} for name in names()}})", "models[first]", "models[last]"),
    "appended": ("models = []\nfor name in names():\n    models.append({0})", "models[0]", "models[1]"),
    "set": ("models = {{}}\nfor name in names():\n    models[name] = {0}", "models['a']", "models['b']"),
    "named": ("models = [{0} for name in names()]\none = models[first]\ntwo = models[last]", "one", "two"),
    "in a function": ("def new():\n    return {0}\nmodels = [new() for name in names()]", "models[0]", "models[1]"),
    "unknown": ("models = make(8)", "models[0]", "models[1]"),
    "copied": ("one = {0}\ntwo = copy.deepcopy(one)", "one", "two"),
    "copied from": ("two = {0}\none = copy.deepcopy(two)", "one", "two"),
}


def _told(model: str, body: str, form: str, folder: Path) -> bool:
    folder.mkdir()
    return "DLO113" in found(FORMS[form](Case("DLO113", IMPORTS, SETUP.format(model), body, NAMES)), folder, ["DLO113"])


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("model", "form"), TOLD)
@pytest.mark.parametrize("fault", FAULTY)
def test_frozen_optimizers_are_told(model: str, fault: str, form: str, tmp_path: Path) -> None:
    assert _told(MODELS[model], FAULTY[fault], form, tmp_path / "a")


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("body", WORKING)
@pytest.mark.parametrize("model", MODELS)
def test_what_trains_something_is_not_told(model: str, body: str, form: str, tmp_path: Path) -> None:
    assert not _told(MODELS[model], WORKING[body], form, tmp_path / "a")


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("freeze", ["loop", "method"])
@pytest.mark.parametrize("several", SEVERAL)
@pytest.mark.parametrize("model", MODELS)
def test_another_one_of_several_models_may_be_frozen(model: str, several: str, freeze: str, form: str, tmp_path: Path) -> None:
    made, trained, frozen = SEVERAL[several]
    setup = f"{made.format(MODELS[model])}\ndata = torch.randn(16, 8)"
    freezing = FREEZE if freeze == "loop" else "model.requires_grad_(False)\n"
    body = MADE.replace("model", trained) + freezing.replace("model", frozen) + TRAIN.replace("model", trained)
    names = tuple(dict.fromkeys(re.findall(r"\b(?:models|one|two|data)\b", body)))
    imports = f"import copy\n{IMPORTS}\nfrom backbones import names, first, last"
    case = Case("DLO113", imports, setup, body, names)
    assert "DLO113" not in found(FORMS[form](case), tmp_path, ["DLO113"])


#: How a function that nobody calls finds two of the models that it is given.
FOUND = {
    "items": ("pass", "models[0]", "models[1]"),
    "entries": ("pass", "models['a']", "models['b']"),
    "attributes": ("pass", "models.one", "models.two"),
    "computed places": ("first, last = data.shape", "models[first]", "models[last]"),
    "loops": ("for one in models:\n    pass\nfor two in models:\n    pass", "one", "two"),
    "values": ("for one in models.values():\n    pass\nfor two in models.values():\n    pass", "one", "two"),
    "pairs": ("for one, two in zip(models, models[1:]):\n    pass", "one", "two"),
    "unpacked": ("one, two = models", "one", "two"),
    "iterator": ("found = iter(models)\none = next(found)\ntwo = next(found)", "one", "two"),
    "taken": ("one = models.pop()\ntwo = models.pop()", "one", "two"),
    "called": ("one = models()\ntwo = models()", "one", "two"),
    "list": ("all_models = list(models)\none = all_models[0]\ntwo = all_models[1]", "one", "two"),
    "sorted": ("one, *rest = sorted(models, key=len)\ntwo = rest[0]", "one", "two"),
    "copied": ("one = models\ntwo = copy.deepcopy(models)", "one", "two"),
    "attribute of each": ("one, two = [each.model for each in models]", "one", "two"),
}


@pytest.mark.parametrize("freeze", ["loop", "method"])
@pytest.mark.parametrize("owner", ["function", "method", "constructor"])
@pytest.mark.parametrize("way", FOUND)
def test_another_one_of_given_models_may_be_frozen(way: str, owner: str, freeze: str, tmp_path: Path) -> None:
    setup, trained, frozen = FOUND[way]
    freezing = FREEZE if freeze == "loop" else "model.requires_grad_(False)\n"
    body = f"{setup}\n" + MADE.replace("model.", f"{trained}.") + freezing.replace("model.", f"{frozen}.")
    body += TRAIN.replace("model(", f"{trained}(")
    assert "DLO113" not in _found_in(body, owner, tmp_path)


def _found_in(body: str, owner: str, folder: Path) -> list[str]:
    if owner == "function":
        text = f"def run(models, data):\n{indent(body, '    ')}"
    else:
        given = body.replace("models", "self.models") if owner == "constructor" else body
        parameters = "self, data" if owner == "constructor" else "self, models, data"
        text = "class Trainer:\n    def __init__(self, models=None):\n        self.models = models\n\n"
        text += f"    def run({parameters}):\n{indent(given, ' ' * 8)}"
        text = text.replace("models=None", "models") if owner == "constructor" else text
    return found({MAIN: f"import copy\n{IMPORTS}\n\n\n{text}"}, folder, ["DLO113"])


def test_torch_trains_nothing_then() -> None:
    torch = pytest.importorskip("torch")
    model = torch.nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.requires_grad_(False)
    with pytest.raises(RuntimeError, match="does not require grad"):
        model(torch.randn(4, 8)).square().mean().backward()
    before = model.weight.clone()
    optimizer.step()
    assert torch.equal(before, model.weight)


GIVEN = (
    "import torch\n\n\ndef train(config, data):\n    solver = torch.optim.Adam({made}.parameters(), lr=0.1)\n{between}"
    "    for p in {frozen}.parameters():\n        p.requires_grad = False\n    for x in data:\n        solver.zero_grad()\n"
    "        {made}(x).mean().backward()\n        solver.step()\n"
)


@pytest.mark.parametrize(
    ("made", "between", "frozen", "expected"),
    [
        ("config", "", "config", ["DLO113"]),
        ("config.model", "", "config.teacher", []),
        ("config", "    config = config.teacher\n", "config", []),
        ("config", "    for config in config.teachers:\n        pass\n", "config", []),
        ("config", "    config, data = data\n", "config", []),
    ],
)
def test_a_given_model_goes_by_one_name(made: str, between: str, frozen: str, expected: list[str], tmp_path: Path):
    text = GIVEN.format(made=made, between=between, frozen=frozen)
    assert found({MAIN: text}, tmp_path, ("DLO113",)) == expected


ITSELF = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(8, 4), nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.body(x))

    def {name}(self, loader, epochs):
        {first}
        optimizer = torch.optim.Adam(self.parameters(), lr=0.1)
        {second}
        for _ in range(epochs):
            self.train()
            for x in loader:
                optimizer.zero_grad()
                self(x).square().mean().backward()
                optimizer.step()
            self.eval()
"""
ALL = ("self.requires_grad_(False)", "for p in self.parameters():\n            p.requires_grad = False")
PART = ("self.body.requires_grad_(False)", "for p in self.body.parameters():\n            p.requires_grad = False", "pass")


@pytest.mark.parametrize("name", ["fit", "train_model"])
@pytest.mark.parametrize("made", ["", "\nmodel = Net()\n", "\nmodels = [Net() for _ in range(3)]\n"])
def test_models_that_freeze_themselves_and_train_are_told(name: str, made: str, tmp_path: Path):
    for frozen in ALL:
        text = ITSELF.format(name=name, first="pass", second=frozen) + made
        assert found({"main.py": text}, tmp_path, ("DLO113",)) == ["DLO113"], text
    thawed = ITSELF.format(name=name, first=ALL[0], second="self.requires_grad_(True)")
    parts = (ITSELF.format(name=name, first="pass", second=part) for part in PART)
    for text in (thawed, *parts):
        assert found({"main.py": text + made}, tmp_path, ("DLO113",)) == [], text
