"""A scheduler that an object keeps in an attribute and never steps, and objects whose schedulers somebody may step."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import found

HEAD = "import torch\nfrom torch import nn\n\n"
CLASS = """class {owner}{bases}:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        {target} = torch.optim.lr_scheduler.{scheduler}

{methods}
{before}
{use}
{after}
"""
IN_LOOP = """    def fit(self, loader, epochs=3):
        for epoch in range(epochs):
            for x, y in loader:
                self.optimizer.zero_grad()
                nn.functional.mse_loss(self.model(x), y).backward()
                self.optimizer.step()
{end}"""
IN_METHOD = """    def learn(self, x, y):
        self.optimizer.zero_grad()
        nn.functional.mse_loss(self.model(x), y).backward()
        self.optimizer.step()

    def fit(self, loader, epochs=3):
        for epoch in range(epochs):
            for x, y in loader:
                self.learn(x, y)
{end}"""
USE = "loader = [(torch.randn(2, 3), torch.randn(2, 4))] * 10\n{owner}(nn.Linear(3, 4)).fit(loader)"
SCHEDULERS = (
    "StepLR(self.optimizer, 30)",
    "CosineAnnealingLR(optimizer=self.optimizer, T_max=3)",
    "ExponentialLR(self.optimizer, gamma=0.9)",
)


def program(**parts: str) -> str:
    given = {"owner": "Trainer", "bases": "", "target": "self.sched", "scheduler": SCHEDULERS[0], "methods": IN_LOOP, "end": ""}
    given |= {"before": "", "use": USE, "after": ""} | parts
    given["methods"] = given["methods"].format(end=given["end"])
    given["use"] = given["use"].format(owner=given["owner"])
    return HEAD + CLASS.format(**given)


FAULTY = {
    f"{owner}, {target}, {scheduler.partition('(')[0]}, {'method' if methods is IN_METHOD else 'loop'}, {end.strip()}": program(
        owner=owner, target=target, scheduler=scheduler, methods=methods, end=end
    )
    for owner, target in (("Trainer", "self.sched"), ("Experiment", "self.lr_policy"))
    for scheduler in SCHEDULERS
    for methods in (IN_LOOP, IN_METHOD)
    for end in ("", "            print(self.{}.get_last_lr())".format(target.partition(".")[2]))
}
SOUND = {
    "stepped in the loop": program(end="            self.sched.step()"),
    "stepped by a method": program(end="            self.anneal()\n\n    def anneal(self):\n        self.sched.step()"),
    "stepped by who has made it": program(
        use=USE.replace("{owner}(", "trainer = {owner}(").replace(").fit(", ")\ntrainer.fit("), after="trainer.sched.step()"
    ),
    "a base may step it": program(bases="(Base)", before="", use="from engine import Base\n" + USE),
    "asked for by name": program(end='            getattr(self, "sched").step()'),
    "in a list": program(end="            for each in (self.sched,):\n                each.step()"),
    "handed on": program(end="            anneal(self.sched)", before="def anneal(given):\n    given.step()"),
    "the optimizer is stepped outside": program(
        methods="    def loss(self, x, y):\n        return nn.functional.mse_loss(self.model(x), y){end}",
        use="trainer = {owner}(nn.Linear(3, 4))\nfor x, y in [(torch.randn(2, 3), torch.randn(2, 4))] * 10:\n"
        "    trainer.optimizer.zero_grad()\n    trainer.loss(x, y).backward()\n    trainer.optimizer.step()",
    ),
    "another name for it": program(target="self.sched = schedule"),
}
#: How a file gets the class of a scheduler whose attribute is called as its module.
MODULES = {
    "torch.optim.lr_scheduler.StepLR": "",
    "optim.lr_scheduler.StepLR": "from torch import optim\n",
    "lr_scheduler.StepLR": "from torch.optim import lr_scheduler\n",
    "StepLR": "from torch.optim.lr_scheduler import StepLR\n",
    "kinds.StepLR": "import torch.optim.lr_scheduler as kinds\n",
}


@pytest.mark.parametrize("made", MODULES)
@pytest.mark.parametrize("end", ["", "            self.lr_scheduler.step()"])
def test_an_attribute_called_as_the_module_of_schedulers(end: str, made: str, tmp_path: Path) -> None:
    text = program(target="self.lr_scheduler", end=end)
    text = MODULES[made] + text.replace("torch.optim.lr_scheduler.StepLR", made)
    assert bool(found({"main.py": text}, tmp_path, ["DLO112"])) is (end == "")


@pytest.mark.parametrize("name", FAULTY)
def test_a_scheduler_kept_in_an_attribute_is_never_stepped(name: str, tmp_path: Path) -> None:
    assert found({"main.py": FAULTY[name]}, tmp_path, ["DLO112"])


@pytest.mark.parametrize("name", SOUND)
def test_a_scheduler_that_somebody_may_step_is_none_of_ours(name: str, tmp_path: Path) -> None:
    assert not found({"main.py": SOUND[name]}, tmp_path, ["DLO112"])
