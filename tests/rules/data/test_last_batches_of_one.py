"""Batch normalisations in training on the last batch of a loader: how many samples it has, and what the loop does."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rules.harness import reports
from tests.rules.training_variants import Training

SETUP = """
data = TensorDataset(torch.randn({samples}, 20), torch.randn({samples}, 1))
loader = DataLoader(data, batch_size=16{drop})
model = nn.Sequential(nn.Linear(20, 8), {norm}, nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
"""
BODY = """model.{mode}()
optimizer.zero_grad()
loss = nn.functional.mse_loss(model(x), y)
loss.backward()
optimizer.step()"""
PARTS = "DataLoader, TensorDataset = torch.utils.data.DataLoader, torch.utils.data.TensorDataset\n"


def program(samples: int, drop: str, mode: str, norm: str) -> Training:
    setup = SETUP.format(samples=samples, drop=drop, norm=norm)
    names = ("x", "y", "model", "optimizer")
    return Training(setup, BODY.format(mode=mode), names, "for x, y in loader:", PARTS)


WAYS = list(product((33, 34, 48), ("", ", drop_last=True"), ("train", "eval"), ("nn.BatchNorm1d(8)", "nn.LayerNorm(8)")))


@pytest.mark.parametrize(("samples", "drop", "mode", "norm"), WAYS)
def test_one_sample_is_left_over(samples, drop, mode, norm):
    found = "DLD115" in {code for _, code in reports(program(samples, drop, mode, norm).plain())}
    assert found == (samples == 33 and not drop and mode == "train" and "Batch" in norm)


@pytest.mark.parametrize("form", ["in_main", "under_other_names", "with_aliased_imports", "in_helper", "under_context"])
def test_it_is_found_in_every_form(form):
    text = getattr(program(33, "", "train", "nn.BatchNorm1d(8)"), form)()
    assert "DLD115" in {code for _, code in reports(text)}


ALL = ["loader", "enumerate(loader)"]
SOME = ["zip(range(2), loader)", "itertools.islice(loader, 2)", "list(loader)[:-1]", "(b for b in loader if len(b[0]) > 1)",
        "filter(lambda b: len(b[0]) > 1, loader)", "enumerate(zip(range(2), loader))"]  # fmt: skip


@pytest.mark.parametrize("over", [*ALL, *SOME])
def test_a_part_of_the_batches_need_not_have_the_last(over):
    loop = "for batch in {}:\n    x, y = batch{}".format(over, "[1]" if "enumerate" in over or "zip" in over else "")
    text = (
        "import itertools\nimport torch\nfrom torch import nn\n"
        + PARTS
        + SETUP.format(samples=33, drop="", norm="nn.BatchNorm1d(8)")
    )
    body = "".join(f"    {line}\n" for line in BODY.format(mode="train").splitlines())
    assert ("DLD115" in {code for _, code in reports(f"{text}{loop}\n{body}")}) == (over in ALL)


def test_a_batch_that_is_asserted_to_be_larger():
    text = program(33, "", "train", "nn.BatchNorm1d(8)").plain()
    assert "DLD115" not in {code for _, code in reports(text.replace("model.train()", "assert len(x) > 1"))}


NET = """import torch
from torch import nn


class Part(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)
{train}
    def forward(self, x):
{forward}


net = nn.Sequential(Part(), nn.ReLU())
net.train()
{before}
net(torch.randn(1, 3))
"""
PLAIN = "        return self.norm(x)"
SOUND = {
    "own train": ("\n    def train(self, mode=True):\n        self.norm.eval()\n        return self\n", PLAIN, ""),
    "not trained": ("", "        if not self.training:\n            x = self.norm(x)\n        return x", ""),
    "left early": ("", f"        if self.training:\n            return x\n{PLAIN}", ""),
    "both": ("", "        if not (self.training and x.shape[0] == 1):\n            x = self.norm(x)\n        return x", ""),
    "expression": ("", "        return x if self.training else self.norm(x)", ""),
    "hook": ("", PLAIN, "net[0].norm.register_forward_pre_hook(lambda mod, inp: (inp[0].repeat(2, 1),))"),
    "hook of all": ("", PLAIN, "net.register_forward_pre_hook(lambda mod, inp: mod.eval() and None)"),
    "synchronised": ("", PLAIN, "net = nn.SyncBatchNorm.convert_sync_batchnorm(net)"),
}


@pytest.mark.parametrize(("train", "forward", "before"), [("", PLAIN, ""), *SOUND.values()], ids=["fault", *SOUND])
def test_modules_that_need_not_normalise_a_batch_of_one(train, forward, before):
    found = "DLD115" in {code for _, code in reports(NET.format(train=train, forward=forward, before=before))}
    assert found == (not train and not before and forward == PLAIN)
