"""Models that are wrapped on some machines only, and what the wrapper lacks, which is read without asking for the wrapper."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import MAIN, found

HEAD = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 2)

    def forward(self, x):
        return self.body(x)

    def clamp_weights(self):
        self.body.weight.data.clamp_(-1, 1)
"""
#: How an attribute comes to hold a wrapper, or the model itself.
CHOICES = (
    "self.net = nn.DataParallel(net) if several else net",
    "self.net = net if not several else nn.DataParallel(net).cuda()",
    "self.net = net\n        if several:\n            self.net = nn.DataParallel(self.net)",
    "self.net = nn.parallel.DistributedDataParallel(net) if several else net",
)
TRAINER = """
class Trainer:
    def __init__(self, net, several=True):
        self.several = several
        {choice}

    def run(self):
        print(self.net(torch.randn(4, 8)))
        {use}

{called}
"""
CALLED = ("Trainer(Net()).run()", "def main():\n    trainer = Trainer(Net(), several=True)\n    trainer.run()\n\nmain()")
FAULTY = ("self.net.clamp_weights()", "weights = self.net.body.weight\n        print(weights)")
SOUND = (
    "self.net.module.clamp_weights()",
    "print(self.net.state_dict())",
    "if not isinstance(self.net, nn.DataParallel):\n            self.net.clamp_weights()",
    'if hasattr(self.net, "module"):\n            self.net.module.clamp_weights()\n        else:\n'
    "            self.net.clamp_weights()",
    'core = getattr(self.net, "module", self.net)\n        core.clamp_weights()',
    "if self.several:\n            return self.net.module.clamp_weights()\n        return self.net.clamp_weights()",
    "assert not self.several\n        self.net.clamp_weights()",
    'if not hasattr(self.net, "clamp_weights"):\n            raise TypeError\n        self.net.clamp_weights()',
    "try:\n            return self.net.module.clamp_weights()\n        except AttributeError:\n            pass\n"
    "        self.net.clamp_weights()",
)
#: A function that gives back a wrapper, or the model itself.
FUNCTION = """
def build(several):
    model = Net(){moved}
    if {test}:
        model = nn.DataParallel(model)
    return model

net = build(True)
{use}
"""


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("called", CALLED)
@pytest.mark.parametrize("use", FAULTY)
def test_methods_of_the_model(choice: str, called: str, use: str, tmp_path: Path) -> None:
    text = HEAD + TRAINER.format(choice=choice, called=called, use=use)
    assert found({MAIN: text}, tmp_path, ["DLG107"]) == ["DLG107"]


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("called", CALLED)
@pytest.mark.parametrize("use", SOUND)
def test_methods_of_either(choice: str, called: str, use: str, tmp_path: Path) -> None:
    text = HEAD + TRAINER.format(choice=choice, called=called, use=use)
    assert not found({MAIN: text}, tmp_path, ["DLG107"])


@pytest.mark.parametrize("moved", ["", ".cuda()"])
@pytest.mark.parametrize("test", ["several", "torch.cuda.device_count() > 1"])
@pytest.mark.parametrize("use", ["net.clamp_weights()", "for p in net.body.parameters():\n    print(p)"])
def test_what_a_function_gives_back(moved: str, test: str, use: str, tmp_path: Path) -> None:
    text = HEAD + FUNCTION.format(moved=moved, test=test, use=use)
    assert found({MAIN: text}, tmp_path, ["DLG107"]) == ["DLG107"]


@pytest.mark.parametrize("test", ["several", "torch.cuda.device_count() > 1"])
@pytest.mark.parametrize("use", ["net.module.clamp_weights()", "net = Net()\nnet.clamp_weights()", "print(net.state_dict())"])
def test_what_a_function_gives_back_and_is_asked_for(test: str, use: str, tmp_path: Path) -> None:
    text = HEAD + FUNCTION.format(moved="", test=test, use=use)
    assert not found({MAIN: text}, tmp_path, ["DLG107"])


@pytest.mark.parametrize("test", ["several", "torch.cuda.device_count() > 1"])
def test_what_stands_behind_a_test_that_ends_the_function(test: str, tmp_path: Path) -> None:
    text = """
def run(several):
    net = Net()
    if {test}:
        net = nn.DataParallel(net)
    if {test}:
        {ending}
    net.clamp_weights()


run(True)
"""
    ending = "net.module.clamp_weights()\n        return"
    assert not found({MAIN: HEAD + text.format(test=test, ending=ending)}, tmp_path, ["DLG107"])
    assert found({MAIN: HEAD + text.format(test=test, ending="print(several)")}, tmp_path, ["DLG107"]) == ["DLG107"]
