"""Schedulers that a function makes and never steps, whatever goes by the same name elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import found

CODE = "DLO112"
TEXT = """import argparse
import torch
from torch import nn
from torch.optim.lr_scheduler import StepLR

{before}

def train(model, loader, args):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    {made}
    for epoch in range(10):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
        {end}


{after}
"""
MADE = (
    "{0} = StepLR(optimizer, 3)",
    "{0} = None\n    if args.warm:\n        {0} = StepLR(optimizer, 3)",
    "{0} = schedule(optimizer)",
)
HELPER = "def schedule(optimizer):\n    return StepLR(optimizer, 3)\n"
#: What stands elsewhere in the file, or reads the scheduler.
ELSEWHERE = (
    "",
    "def other(optimizer, {0}):\n    {0}.step()\n",
    "def other(optimizer):\n    {0} = StepLR(optimizer, 3)\n    optimizer.step()\n    {0}.step()\n",
    "parser = argparse.ArgumentParser()\nparser.add_argument('--{0}')\nprint(parser.parse_args().{0})\n",
    "class Other:\n    {0} = None\n\n    def run(self):\n        self.{0}.step()\n",
)
READS = (
    "print({0}.get_last_lr())",
    "if {0} is not None:\n            pass",
    "if {0}:\n            print({0}.last_epoch)",
    "log({0}=1)",
)
#: What may step it.
USES = (
    "{0}.step()",
    "advance({0})",
    "advance(state={0})",
    "self.{0} = {0}",
    "getattr(locals()['{0}'], 'step')()",
    "if {0} is not None:\n            {0}.step()",
    "kept = [{0}]",
    "[each.step() for each in (optimizer, {0})]",
    "(lambda: {0}.step())()",
)


def codes(name: str, made: str, elsewhere: str, end: str, tmp_path: Path) -> list[str]:
    text = TEXT.format(before=HELPER, made=made.format(name), end=end.format(name), after=elsewhere.format(name))
    return found({"main.py": text}, tmp_path, (CODE,))


@pytest.mark.parametrize("name", ["scheduler", "decay"])
@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("elsewhere", ELSEWHERE)
@pytest.mark.parametrize("end", READS)
def test_a_scheduler_that_its_function_only_reads_is_told(name: str, made: str, elsewhere: str, end: str, tmp_path: Path):
    assert codes(name, made, elsewhere, end, tmp_path) == [CODE]


@pytest.mark.parametrize("name", ["scheduler", "decay"])
@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("end", USES)
def test_one_that_somebody_may_step_is_not(name: str, made: str, end: str, tmp_path: Path):
    assert codes(name, made, "", end, tmp_path) == []


@pytest.mark.parametrize("end", ["return {0}", "yield {0}"])
def test_one_that_is_given_to_the_caller_is_not(end: str, tmp_path: Path):
    assert codes("scheduler", MADE[0], "", end, tmp_path) == []


def test_one_of_the_whole_file_is_not_if_a_function_steps_it(tmp_path: Path):
    made = "global scheduler\n    scheduler = StepLR(optimizer, 3)"
    assert codes("scheduler", made, "def advance():\n    scheduler.step()\n", "advance()", tmp_path) == []
