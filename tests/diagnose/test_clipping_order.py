"""Gradients that are clipped before they are computed: the call is moved behind the backward pass."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dllint.diagnose.causes.case import Sources
from dllint.diagnose.causes.clipping_order import ClippingOrder
from dllint.edit import apply_edits

ZERO, BACKWARD, STEP = "optimizer.zero_grad()", "loss.backward()", "optimizer.step()"
CLIP = "torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)"


def repaired(*rows):
    text = "for x, y in loader:\n" + "".join(f"    {row}\n" for row in rows)
    code = Sources(lambda path: text).code("/project/train.py")
    case = SimpleNamespace(symptom=SimpleNamespace(symptom="exploding"), files=lambda: [code])
    return [apply_edits(text, one.edits) for one in ClippingOrder().candidates(case)]


@pytest.mark.parametrize("clip", [CLIP, "clip_grad_value_(net.parameters(), 0.5)", "utils.clip_grad_norm_(weights, limit)"])
@pytest.mark.parametrize("backward", [BACKWARD, "scaler.scale(loss).backward()", "self.manual_backward(loss)"])
@pytest.mark.parametrize("between", [(), ("loss = criterion(net(x), y)",)])
def test_clipping_moves_behind_the_backward_pass(clip, backward, between):
    (after,) = repaired(ZERO, clip, *between, backward, STEP)
    assert [row.strip() for row in after.splitlines()[1:]] == [ZERO, *between, backward, clip, STEP]


@pytest.mark.parametrize(
    "rows", [(ZERO, BACKWARD, CLIP, STEP), (BACKWARD, CLIP, STEP, ZERO), (CLIP, STEP, ZERO, BACKWARD), (BACKWARD, CLIP, STEP)]
)
def test_clipping_in_its_place_stays_there(rows):
    assert repaired(*rows) == []
