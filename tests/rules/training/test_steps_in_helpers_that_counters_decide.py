"""Steps of helper functions that only some passes come to, as a counter decides, which a pass that is followed may not."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Final

import pytest

from tests.rules.training.variants import found

START: Final = "import torch\nfrom torch import nn\n\n\n"
#: The tests that the first pass does not fulfil, the counter beginning at 1.
TESTS: Final = ("self.count % 5 == 0", "self.count > 3", "not self.count % 2")
HELPERS: Final = {
    "comprehension": "[part[which].step() for part in self.optims.values() if which in part]",
    "loop": "for part in self.optims.values():\n            part[which].step()",
    "single": "self.optims['judge'][which].step()",
}
TRAINER: Final = """class Trainer:
    def __init__(self, net, judge):
        self.net, self.judge, self.count = net, judge, 1
        self.optims = {{
            "net": {{"D": torch.optim.SGD(net.parameters(), lr=0.1)}},
            "judge": {{"D": torch.optim.SGD(judge.parameters(), lr=0.1)}},
        }}

    def clear(self, which):
        for part in self.optims.values():
            part[which].zero_grad()

    def apply(self, which):
        {helper}

    def once(self, x):
        self.clear("D")
        (self.net(x) + self.judge(x)).mean().backward()
        {step}

    def run(self, loader):
        for x in loader:
            self.once(x)
            self.count += 1


Trainer(nn.Linear(3, 1), nn.Linear(3, 1)).run(torch.utils.data.DataLoader(torch.randn(60, 3), batch_size=4))
"""
ALWAYS: Final = "self.optims['net']['D'].step()"


def told(helper: str, step: str, folder: Path) -> list[str]:
    return found({"main.py": START + TRAINER.format(helper=HELPERS[helper], step=step)}, folder, ("DLO103",))


@pytest.mark.parametrize(("helper", "test"), list(product(HELPERS, TESTS)))
def test_passes_that_come_to_the_helper(helper: str, test: str, tmp_path: Path) -> None:
    assert told(helper, f"if {test}:\n            self.apply('D')\n        else:\n            {ALWAYS}", tmp_path) == []


@pytest.mark.parametrize("helper", HELPERS)
def test_no_pass_comes_to_the_helper(helper: str, tmp_path: Path) -> None:
    assert told(helper, ALWAYS, tmp_path) == ["DLO103"]
