"""A comprehension that trains is a loop: its passes are looked at like those of one; what only adds up gradients in it is no
step. One that stands in no loop is a loop all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import MAIN, found

PROGRAM = """import torch
from torch import nn


def train_batch(model, optimizer, scaler, x, y):
    {body}
    return loss.item()


def main():
    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    xs, ys = torch.randn(64, 8), torch.randint(0, 2, (64,))
    for epoch in range(5):
        {loop}
        print(epoch, sum(losses))


main()
"""
LOOPS = (
    "losses = [train_batch(model, optimizer, scaler, x, y) for x, y in zip(xs.split(8), ys.split(8))]",
    "losses = list(train_batch(model, optimizer, scaler, x, y) for x, y in zip(xs.split(8), ys.split(8)))",
    "losses = {number: train_batch(model, optimizer, scaler, *pair) for number, pair in "
    "enumerate(zip(xs.split(8), ys.split(8)))}.values()",
)
CLEAR, FORWARD = "optimizer.zero_grad()", "loss = nn.functional.cross_entropy(model(x), y)"
BACKWARD, STEP = "loss.backward()", "optimizer.step()"
SCALED = ("scaler.scale(loss).backward()", "scaler.step(optimizer)")
CLIP, UPDATE = "nn.utils.clip_grad_norm_(model.parameters(), 1.0)", "scaler.update()"
#: What a pass does, and the rule that tells its fault, if it has one.
PASSES = {
    "sound": ((CLEAR, FORWARD, BACKWARD, STEP), None),
    "cleared behind": ((FORWARD, BACKWARD, STEP, CLEAR), None),
    "never cleared": ((FORWARD, BACKWARD, STEP), "DLO101"),
    "cleared between": ((FORWARD, BACKWARD, CLEAR, STEP), "DLO102"),
    "scaled": ((CLEAR, FORWARD, *SCALED, UPDATE), None),
    "no update": ((CLEAR, FORWARD, *SCALED), "DLO122"),
    "clipped while scaled": ((CLEAR, FORWARD, SCALED[0], CLIP, SCALED[1], UPDATE), "DLO121"),
    "unscaled first": ((CLEAR, FORWARD, SCALED[0], "scaler.unscale_(optimizer)", CLIP, SCALED[1], UPDATE), None),
}
CODES = ("DLO101", "DLO102", "DLO103", "DLO121", "DLO122", "DLO123")


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("kind", PASSES)
def test_passes_of_a_comprehension(kind: str, loop: str, tmp_path: Path) -> None:
    lines, code = PASSES[kind]
    told = found({MAIN: PROGRAM.format(body="\n    ".join(lines), loop=loop)}, tmp_path)
    assert [one for one in CODES if one in told] == ([code] if code else [])


#: A comprehension that stands in no loop, in the place of the one over the epochs.
ALONE = (
    "losses = [train_batch(model, optimizer, scaler, x, y) for _ in range(5) for x, y in zip(xs.split(8), ys.split(8))]",
    "losses = sum(train_batch(model, optimizer, scaler, xs, ys) for _ in range(STEPS))",
    "losses = {number: train_batch(model, optimizer, scaler, xs, ys) for number in range(STEPS)}",
    "step = partial(train_batch, model, optimizer, scaler)\n    losses = [step(xs[order], ys[order]) for order in orders()]",
    "losses = [[train_batch(model, optimizer, scaler, xs, ys) for _ in range(STEPS)] for _ in range(2)]",
    "losses = Trainer(model, optimizer, scaler).run(xs, ys)",
)
HELPERS = """from functools import partial
from os import environ

STEPS = int(environ["STEPS"])


def orders():
    return [torch.randperm(64) for _ in range(STEPS)]


class Trainer:
    def __init__(self, *parts):
        self.parts = parts

    def run(self, xs, ys):
        return [train_batch(*self.parts, xs, ys) for _ in range(STEPS)]


def main():"""


def _alone(lines: tuple[str, ...], statement: str) -> str:
    program = PROGRAM.replace("    for epoch in range(5):\n        {loop}\n        print(epoch, sum(losses))", "    {loop}")
    return program.format(body="\n    ".join(lines), loop=statement).replace("def main():", HELPERS)


@pytest.mark.parametrize("statement", ALONE)
@pytest.mark.parametrize("kind", PASSES)
def test_passes_of_a_comprehension_in_no_loop(kind: str, statement: str, tmp_path: Path) -> None:
    lines, code = PASSES[kind]
    told = found({MAIN: _alone(lines, statement)}, tmp_path)
    assert [one for one in CODES if one in told] == ([code] if code else [])


ONCE = (
    "losses = [loss for loss in [train_batch(model, optimizer, scaler, xs, ys)]]",
    "losses = [2 * part for part in train_batch(model, optimizer, scaler, xs, ys).tolist()]",
    "losses = [one(xs, ys) for one in [partial(train_batch, nn.Linear(8, 2), optimizer, scaler)][:0]]",
)


@pytest.mark.parametrize("statement", ONCE)
def test_what_a_comprehension_goes_over_is_computed_once(statement: str, tmp_path: Path) -> None:
    told = found({MAIN: _alone((FORWARD, BACKWARD, STEP), statement)}, tmp_path)
    assert not [one for one in CODES if one in told]


@pytest.mark.parametrize("behind", ["optimizer.step()", "optimizer.step()\n    optimizer.zero_grad()"])
@pytest.mark.parametrize("before", ["", "optimizer.zero_grad()\n    "])
def test_gradients_added_up_by_a_comprehension_in_no_loop(before: str, behind: str, tmp_path: Path) -> None:
    statement = f"{before}losses = [train_batch(model, optimizer, scaler, xs, ys) for _ in range(STEPS)]\n    {behind}"
    told = found({MAIN: _alone((FORWARD, "(loss / STEPS).backward()"), statement)}, tmp_path)
    assert not [one for one in CODES if one in told]


@pytest.mark.parametrize("behind", ["optimizer.step()", f"{CLIP}\n        optimizer.step()"])
def test_micro_batches_of_a_comprehension_are_no_steps(behind: str, tmp_path: Path) -> None:
    body = f"{FORWARD}\n    (loss / 8).backward()"
    loop = f"{CLEAR}\n        {LOOPS[0]}\n        {behind}"
    told = found({MAIN: PROGRAM.format(body=body, loop=loop)}, tmp_path)
    assert not [one for one in CODES if one in told]
