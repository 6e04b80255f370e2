"""Loops whose network, loss and optimizer are unknown: gradients that are handed back do not add up, those of torch do."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session

IMPORTS = {
    "numpy": "import numpy as np\nfrom framework import batches\n",
    "torch": "import torch\nfrom framework import batches\n",
}
LOOPS = {
    "function": "def train(net, opt, criterion):\n    for x, y in batches:\n{body}",
    "method": (
        "class Trainer:\n    def __init__(self, net, opt, criterion):\n"
        "        self.net, self.opt, self.criterion = net, opt, criterion\n\n"
        "    def train(self):\n        net, opt, criterion = self.net, self.opt, self.criterion\n"
        "        for x, y in batches:\n{body}"
    ),
    "helper": "def train(net, opt, criterion):\n    for x, y in batches:\n        one(net, opt, criterion, x, y)\n\n\n"
    "def one(net, opt, criterion, x, y):\n    if True:\n{body}",
}
HANDED_BACK = [
    "grads = net.backward(criterion.slope(net.forward(x), y))\nopt.step(grads)",
    "loss, slope = criterion(net(x), y)\ngrads: list = net.backward(slope)\nopt.step(grads)",
    "dy = criterion.backward(net(x), y)\nfor layer in reversed(net.layers):\n    dy = layer.backward(dy)\nopt.step()",
    "opt.step(net.backward(criterion.slope(net.forward(x), y)))",
]
ADDED = [
    "loss = criterion(net(x), y)\nloss.backward()\nopt.step()",
    "criterion(net(x), y).backward()\nopt.step()",
    "loss = criterion(net(x), y); loss.backward(); opt.step()",
]


def _found(library: str, loop: str, body: str) -> list[str]:
    depth = " " * (12 if loop == "method" else 8)
    text = IMPORTS[library] + "\n\n" + LOOPS[loop].format(body="".join(f"{depth}{line}\n" for line in body.split("\n")))
    result = Session(Configuration(isolated=True)).check_bytes(Path("/snippet/a.py"), text.encode())
    return [finding.code for finding in result.findings]


@pytest.mark.parametrize("body", HANDED_BACK)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("library", IMPORTS)
def test_gradients_that_are_handed_back(library, loop, body):
    assert "DLO101" not in _found(library, loop, body)


@pytest.mark.parametrize("body", ADDED)
@pytest.mark.parametrize("loop", LOOPS)
def test_gradients_that_add_up(loop, body):
    assert "DLO101" in _found("torch", loop, body)


@pytest.mark.parametrize("body", ADDED)
@pytest.mark.parametrize("loop", LOOPS)
def test_no_file_speaks_of_torch(loop, body):
    assert "DLO101" not in _found("numpy", loop, body)
