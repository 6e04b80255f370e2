"""A comprehension that trains is a loop: its passes are looked at like those of one; what only adds up gradients in it is no
step."""

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


@pytest.mark.parametrize("behind", ["optimizer.step()", f"{CLIP}\n        optimizer.step()"])
def test_micro_batches_of_a_comprehension_are_no_steps(behind: str, tmp_path: Path) -> None:
    body = f"{FORWARD}\n    (loss / 8).backward()"
    loop = f"{CLEAR}\n        {LOOPS[0]}\n        {behind}"
    told = found({MAIN: PROGRAM.format(body=body, loop=loop)}, tmp_path)
    assert not [one for one in CODES if one in told]
