"""Cross-validation, grids and repetitions: a model that each pass of a loop makes anew begins in training mode."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from textwrap import indent

import pytest

from tests.rules.training.variants import found

CODE = "DLO108"
HEAD = """import torch
from sklearn.model_selection import KFold
from torch import nn

data, labels = torch.randn(100, 8), torch.randint(0, 3, (100,))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.Dropout(0.3))
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        return self.head(self.body(x))


"""
MADE = "model = Net()\noptimizer = torch.optim.Adam(model.parameters())\n"
TRAIN = """for epoch in range(5):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(data), labels).backward()
    optimizer.step()
"""
MEASURED = "model.eval()\nwith torch.no_grad():\n    print((model(data).argmax(1) == labels).sum())\n"
RUN = "def run(model, optimizer):\n" + indent(TRAIN + MEASURED, "    ")
CLASS = f"""class Experiment:
    def __init__(self):
        self.model = None

    def fit(self):
{indent(MADE + TRAIN, "        ")}        self.model = model

    def score(self):
        model = self.model
{indent(MEASURED, "        ")}
"""
#: What stands before the loop, and in each of its passes.
FORMS = {
    "inline": ("", MADE + TRAIN + MEASURED),
    "function": ("def run():\n" + indent(MADE + TRAIN + MEASURED, "    "), "run()\n"),
    "given": (RUN, f"{MADE}run(model, optimizer)\n"),
    "object": (CLASS, "experiment = Experiment()\nexperiment.fit()\nexperiment.score()\n"),
    "refitted": (f"{CLASS}\nexperiment = Experiment()\n", "experiment.fit()\nexperiment.score()\n"),
}
LOOPS = (
    "for fold, (train, held) in enumerate(KFold(5).split(data)):\n",
    "for rate in (1e-2, 1e-3):\n",
    "for seed in range(3):\n    torch.manual_seed(seed)\n",
)


@pytest.mark.parametrize(("form", "loop"), list(product(FORMS, LOOPS)))
def test_models_of_each_pass_are_silent(form: str, loop: str, tmp_path: Path):
    before, each = FORMS[form]
    text = HEAD + before + "\n\n" + loop + indent(each, "    ")
    assert found({"main.py": text}, tmp_path, (CODE,)) == [], text


@pytest.mark.parametrize(("loop", "before"), list(product(LOOPS, ("", RUN))))
def test_models_made_before_the_loop_are_told(loop: str, before: str, tmp_path: Path):
    each = "run(model, optimizer)\n" if before else TRAIN + MEASURED
    text = HEAD + before + "\n\n" + MADE + loop + indent(each, "    ")
    assert found({"main.py": text}, tmp_path, (CODE,)) == [CODE], text
