"""A model that each pass of a loop makes or copies has no gradients of the pass before."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from textwrap import indent

import pytest

from tests.rules.training.variants import found

CODE = "DLO101"
HEAD = "import copy\n\nimport torch\nfrom torch import nn\n\nmodel = nn.Linear(8, 1)\n"
PASS = "x = torch.randn(4, 8)\nnn.functional.mse_loss({of}(x), x[:, :1]).backward()\noptimizer.step()\n"
NEW = {
    "copied": "fast = copy.deepcopy(model)\n",
    "made": "fast = nn.Linear(8, 1)\nfast.load_state_dict(model.state_dict())\n",
    "stacked": "fast = nn.Sequential(nn.Linear(8, 4), nn.Linear(4, 1))\n",
}
OPTIMIZERS = (
    "SGD({of}.parameters(), lr=0.1)",
    "Adam([{{'params': {of}.parameters()}}])",
    "SGD(list({of}.parameters()), lr=0.1)",
)
FORMS = {
    "inline": "for task in range(100):\n{body}",
    "function": "def adapt():\n{body}\n\nfor task in range(100):\n    adapt()\n",
    "nested": "for epoch in range(9):\n    for task in range(100):\n        pass\n    for task in range(100):\n{deep}",
}


def program(before: str, optimizer: str, form: str, of: str) -> str:
    body = before + f"optimizer = torch.optim.{optimizer.format(of=of)}\n" + PASS.format(of=of)
    return HEAD + FORMS[form].format(body=indent(body, "    "), deep=indent(body, "        "))


@pytest.mark.parametrize(("new", "optimizer", "form"), list(product(NEW, OPTIMIZERS, FORMS)))
def test_new_models_are_silent(new: str, optimizer: str, form: str, tmp_path: Path):
    text = program(NEW[new], optimizer, form, "fast")
    assert found({"main.py": text}, tmp_path, (CODE,)) == [], text


@pytest.mark.parametrize(("optimizer", "form"), list(product(OPTIMIZERS, FORMS)))
def test_a_new_optimizer_of_a_model_before_the_loop_is_told(optimizer: str, form: str, tmp_path: Path):
    text = program("", optimizer, form, "model")
    assert found({"main.py": text}, tmp_path, (CODE,)) == [CODE], text
