"""Running averages, sums in tables, lists of inner loops and of the steps of trainers that keep the graphs of losses."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, MAIN, Case, found

IMPORTS = "import torch\nfrom torch import nn"
SETUP = """model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)"""
NAMES = ("model", "optimizer")
LOOP = """{first}
for step in range(100):
    {begin}
    loss = model(torch.randn(4, 8)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    {keep}
    {end}
print({shown})"""
#: What there is before the loop → what each pass does, of ``{0}``.
KEPT = {
    "average = torch.zeros(())": "average = 0.9 * average + 0.1 * {0}",
    "average = None": "average = {0} if average is None else average * 0.98 + {0} * 0.02",
    "average = torch.zeros(1)": "average = average / 2 + {0}.contiguous() / 2",
    "average = {}": "average['all'] = average.get('all', 0.0) + {0}",
    "average = {'all': torch.zeros(())}": "average['all'] = 0.5 * average['all'] + 0.5 * {0}",
}
DETACHED = ("loss.item()", "loss.detach()", "float(loss)")


def _told(first: str, keep: str, form: str, folder: Path, begin: str = "pass", end: str = "pass") -> bool:
    body = LOOP.format(first=first, begin=begin, keep=keep, shown="average", end=end)
    return "DLO110" in found(FORMS[form](Case("DLO110", IMPORTS, SETUP, body, NAMES)), folder, ["DLO110"])


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("first", KEPT)
def test_averages_keep_graphs(first: str, form: str, tmp_path: Path) -> None:
    assert _told(first, KEPT[first].format("loss"), form, tmp_path)


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("value", DETACHED)
@pytest.mark.parametrize("first", KEPT)
def test_averages_of_numbers(first: str, value: str, tmp_path: Path) -> None:
    keep = KEPT[first].format(value).replace("item().contiguous()", "item()").replace("float(loss).contiguous()", "float(loss)")
    assert not _told(first, keep, "plain", tmp_path)


@pytest.mark.parametrize("first", KEPT)
def test_averages_of_one_pass(first: str, tmp_path: Path) -> None:
    assert not _told(first, KEPT[first].format("loss"), "plain", tmp_path, first)


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("end", ["{0}.detach_()", "{0} = {0}.detach()", "print({0}.detach())"])
@pytest.mark.parametrize("first", [first for first, keep in KEPT.items() if keep.startswith("average =")])
def test_averages_that_are_cut_off(first: str, end: str, tmp_path: Path) -> None:
    assert _told(first, KEPT[first].format("loss"), "plain", tmp_path, end=end.format("average")) is end.startswith("print")


KEEPERS = """{imports}


def cut(keeper):
    {cut}


class Keeper(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(2))
        self.mean = torch.zeros(4, 8)

    def forward(self, x):
        for layer in self.layers:
            x = 0.5 * x + 0.5 * layer(x).relu()
            {each}
        {keep}
        return self.mean


model = Keeper()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(10):
    loss = model(torch.randn(4, 8)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    {end}
"""
AVERAGE = "self.mean = 0.9 * self.mean + 0.1 * x"


@pytest.mark.parametrize(
    ("each", "keep", "end", "told"),
    [
        ("pass", AVERAGE, "pass", True),
        ("pass", "new = 0.9 * self.mean + 0.1 * x; self.mean = new", "pass", True),
        ("pass", "old = self.mean; self.mean = 0.9 * old + 0.1 * x", "pass", True),
        ("self.mean = x", "pass", "pass", False),
        ("self.mean: torch.Tensor = x", "pass", "pass", False),
        ("pass", AVERAGE, "model.mean = model.mean.detach()", False),
        ("pass", AVERAGE, "model.mean.detach_()", False),
        ("pass", f"{AVERAGE}; self.mean.detach_()", "pass", False),
        ("pass", AVERAGE, "cut(model)", False),
    ],
)
def test_states_of_modules(each: str, keep: str, end: str, told: bool, tmp_path: Path) -> None:
    cut = "keeper.mean = keeper.mean.detach()" if "cut" in end else "pass"
    text = KEEPERS.format(imports=IMPORTS, cut=cut, each=each, keep=keep, end=end)
    assert ("DLO110" in found({MAIN: text}, tmp_path, ["DLO110"])) is told


FLUSHED = """{imports}
{setup}
kept = []


def flush():
    {flush}


def drop(values):
    values.clear()


for step in range(100):
    loss = model(torch.randn(4, 8)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    {keep}
    {end}
"""


@pytest.mark.parametrize("keep", ["kept.append(loss)", "for value in [loss]:\n        kept.append(value)"])
@pytest.mark.parametrize(
    ("flush", "end", "told"),
    [
        ("print('nothing')", "flush()", True),
        ("kept.clear()", "pass", True),
        ("kept.clear()", "flush()", False),
        ("del kept[:]", "flush()", False),
        ("global kept; kept = []", "flush()", False),
        ("pass", "drop(kept)", False),
        ("pass", "if len(kept) > 10: kept.pop(0)", False),
    ],
)
def test_lists_that_are_emptied(flush: str, end: str, told: bool, keep: str, tmp_path: Path) -> None:
    text = FLUSHED.format(imports=IMPORTS, setup=SETUP, flush=flush, end=end, keep=keep)
    assert ("DLO110" in found({MAIN: text}, tmp_path, ["DLO110"])) is told


INNER = """kept, {other} = [], []
for episode in range(20):
    {begin}
    losses = []
    for step in range(8):
        value = model(torch.randn(4, 8)).square().mean()
        losses.append(value)
        kept.append({value})
    loss = 0.0
    for value in losses:
        loss = loss + value
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    {end}
print(len(kept))"""


@pytest.mark.parametrize(
    ("value", "begin", "end", "told"),
    [
        ("value", "pass", "pass", True),
        ("value", "pass", "print(loss.item())", True),
        ("value.detach()", "pass", "pass", False),
        ("value", "kept = []", "pass", False),
        ("value", "pass", "kept.clear()", False),
        ("value", "pass", "del kept[:]", False),
        ("value", "pass", "optimizer.zero_grad(); sum(kept).backward()", False),
    ],
)
def test_lists_that_an_inner_loop_fills(value: str, begin: str, end: str, told: bool, tmp_path: Path) -> None:
    body = INNER.format(value=value, begin=begin, end=end, other="rest")
    assert ("DLO110" in found({MAIN: f"{IMPORTS}\n{SETUP}\n{body}\n"}, tmp_path, ["DLO110"])) is told


STEP = """import torch
import {library} as pl
from torch import nn


class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)
        self.kept = []

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = nn.functional.cross_entropy(self.layer(x), y)
        self.kept.append({value})
        return {returned}

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=0.001)
"""


@pytest.mark.parametrize("library", ["pytorch_lightning", "lightning"])
@pytest.mark.parametrize("returned", ["loss", '{"loss": loss}'])
@pytest.mark.parametrize(("value", "told"), [("loss", True), ("loss.detach()", False), ("loss.item()", False), ("y", False)])
def test_steps_of_a_trainer(value: str, told: bool, returned: str, library: str, tmp_path: Path) -> None:
    text = STEP.format(library=library, value=value, returned=returned)
    assert ("DLO110" in found({MAIN: text}, tmp_path, ["DLO110"])) is told


@pytest.mark.parametrize(
    ("method", "emptied", "told"),
    [
        ("on_train_batch_end(self, outputs, batch, batch_idx)", "self.kept.clear()", False),
        ("reset(self)", "self.kept = []", False),
        ("on_train_epoch_end(self)", "self.kept = []", True),
        ("on_train_epoch_end(self)", "print(len(self.kept))", True),
        ("on_fit_start(self)", "self.kept = []", True),
    ],
)
def test_steps_beside_methods_that_empty(method: str, emptied: str, told: bool, tmp_path: Path) -> None:
    text = STEP.format(library="lightning", value="loss", returned="loss") + f"\n    def {method}:\n        {emptied}\n"
    assert ("DLO110" in found({MAIN: text}, tmp_path, ["DLO110"])) is told
