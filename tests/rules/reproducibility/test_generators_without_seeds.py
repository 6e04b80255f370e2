"""Generators from which a script draws although it seeds others alone, and tensors that methods change through `.data`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = """import random
import numpy as np
import torch
from sklearn.model_selection import train_test_split
from torch import nn"""
SETUP = "model = nn.Linear(8, 2)\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)"
BODY = """
{seeds}
for _ in range(100):
    x = torch.randn(4, 8) * {draw}
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()
"""
TOLD = {
    "numpy": ("torch.manual_seed(0)", "float(np.random.rand())"),
    "python": ("torch.manual_seed(0)\nnp.random.seed(0)", "random.random()"),
    "split": ("torch.manual_seed(0)", "len(train_test_split(np.arange(8), test_size=0.5)[0])"),
    "choice": ("torch.manual_seed(0)", "random.choice([0.5, 2.0])"),
}
SILENT = {
    "all": ("torch.manual_seed(0)\nnp.random.seed(0)\nrandom.seed(0)", "float(np.random.rand()) * random.random()"),
    "own": ("torch.manual_seed(0)", "float(np.random.default_rng(0).random())"),
    "state": ("torch.manual_seed(0)", "float(np.random.RandomState(0).rand())"),
    "object": ("torch.manual_seed(0)", "random.Random(0).random()"),
    "unknown": ("from helpers import seed_everything\nseed_everything(0)\ntorch.manual_seed(0)", "float(np.random.rand())"),
    "split": ("torch.manual_seed(0)", "len(train_test_split(np.arange(8), test_size=0.5, random_state=1)[0])"),
    "in order": ("torch.manual_seed(0)", "len(train_test_split(np.arange(8), shuffle=False)[0])"),
    "seeded split": ("torch.manual_seed(0)\nnp.random.seed(0)", "len(train_test_split(np.arange(8))[0])"),
    "open split": (
        "import json\ntorch.manual_seed(0)\nchosen = json.load(open('split.json'))",
        "len(train_test_split(np.arange(8), **chosen)[0])",
    ),
    "none": ("torch.manual_seed(0)", "2.0"),
}


def _case(seeds: str, draw: str) -> Case:
    return Case("DLR101", IMPORTS, SETUP, BODY.format(seeds=seeds, draw=draw), ("model", "optimizer"))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", TOLD)
def test_an_unseeded_generator_is_told(kind: str, form: str, tmp_path: Path) -> None:
    assert "DLR101" in found(FORMS[form](_case(*TOLD[kind])), tmp_path)


@pytest.mark.parametrize("form", ["plain", "in_guard", "in_method", "in_other_file"])
@pytest.mark.parametrize("kind", SILENT)
def test_seeded_generators_are_silent(kind: str, form: str, tmp_path: Path) -> None:
    assert "DLR101" not in found(FORMS[form](_case(*SILENT[kind])), tmp_path)


HELPER = """import argparse
import random
import numpy as np
import torch
from torch import nn


def set_seed(seed):
    {0}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=123)
    args = parser.parse_args()
    set_seed(args.seed)
    x = torch.tensor(np.random.rand(16, 8), dtype=torch.float32)
    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()


main()
"""


@pytest.mark.parametrize(
    ("seeds", "is_told"),
    [
        ("np.random.seed(seed)", True),
        ("random.seed(seed)\n    np.random.seed(seed)", True),
        ("np.random.seed(seed)\n    torch.manual_seed(seed)", False),
        ("np.random.seed(seed)\n    torch.random.manual_seed(seed)", False),
        ("from tools import seed_rest\n    np.random.seed(seed)\n    seed_rest(seed)", False),
    ],
)
def test_a_helper_that_seeds_other_generators(seeds: str, is_told: bool, tmp_path: Path) -> None:
    told = found({"main.py": HELPER.replace("{0}", seeds)}, tmp_path, ["DLR101"])
    assert told == (["DLR101"] if is_told else [])


METHODS = {
    "model.weight.data.clamp_(-1, 1)": True,
    "for weight in model.parameters():\n    weight.data.mul_(0.9)": True,
    "model.weight.data.add_(0.1)": True,
    "model.weight.data.zero_()": False,
    "model.weight.data.normal_(0, 0.1)": False,
    "model.weight.data.copy_(torch.zeros(2, 8))": False,
    "model.weight.grad.data.clamp_(-1, 1)": False,
    "with torch.no_grad():\n    model.weight.clamp_(-1, 1)": False,
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("body", METHODS)
def test_methods_on_data(body: str, form: str, tmp_path: Path) -> None:
    setup = f"{SETUP}\nmodel(torch.randn(4, 8)).sum().backward()"
    files = FORMS[form](Case("DLO119", IMPORTS, setup, body, ("model",)))
    assert ("DLO119" in found(files, tmp_path)) is METHODS[body]
