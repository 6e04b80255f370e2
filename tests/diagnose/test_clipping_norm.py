"""Norms at which gradients are clipped that leave nothing of them: told at the call, with the gradients' own norm as repair."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dllint.diagnose.causes.case import Case, Sources
from dllint.diagnose.causes.clipping_norm import ClippingNorm
from dllint.diagnose.places import SourcePlace
from dllint.diagnose.records import ClippingRecord, ParameterSample, StepRecord
from dllint.diagnose.symptoms.clipping_norm import _cut
from dllint.edit import apply_edits

PROGRAM = """
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import clip_grad_norm_

torch.manual_seed(0)
LIMIT = {limit}
x = torch.randn(512, 8)
y = (x[:, 0] + x[:, 1] > 0).long()
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.{optimizer}

def cut(limit=LIMIT):
    {clip}

for epoch in range(8):
    for rows in torch.randperm(512).split(32):
        optimizer.zero_grad()
        F.cross_entropy(net(x[rows]), y[rows]).backward()
        cut()
        optimizer.step()
"""
SGD = "SGD(net.parameters(), lr=0.05, momentum=0.9)"
CLIPS = ("clip_grad_norm_(net.parameters(), limit)", "nn.utils.clip_grad_norm_(list(net.parameters()), max_norm=LIMIT)")


def told(done):
    return [finding for finding in done.findings if finding["symptom"] == "gradients clipped away"]


@pytest.mark.sampled(every=1)
@pytest.mark.parametrize("clip", CLIPS)
def test_a_norm_that_leaves_nothing_is_told_where_it_clips_and_repaired_where_it_is_given(diagnose, clip):
    text = PROGRAM.format(limit="1e-4", optimizer=SGD, clip=clip)
    (finding,) = told(diagnose(text))
    lines = text.splitlines()
    assert lines[finding["location"]["row"] - 1].strip() == clip
    (edit,) = finding["fixes"][0]["edits"]
    assert lines[edit["location"]["row"] - 1] == "LIMIT = 1e-4"
    assert 0.05 < float(edit["content"]) < 5


@pytest.mark.sampled(every=1)
@pytest.mark.parametrize(
    ("limit", "optimizer"),
    [
        ("1.0", SGD),
        ("1e-4", "Adam(net.parameters(), lr=0.01)"),
        ("0.01", "SGD(net.parameters(), lr=20.0)"),
        # Without clipping, steps would be as small.
        ("1e-2", "SGD(net.parameters(), lr=1e-7)"),
    ],
)
def test_norms_that_do_no_harm_are_silent(diagnose, limit, optimizer):
    assert not told(diagnose(PROGRAM.format(limit=limit, optimizer=optimizer, clip=CLIPS[0])))


def test_a_trial_confirms_the_repair(diagnose):
    (finding,) = told(diagnose(PROGRAM.format(limit="1e-5", optimizer=SGD, clip=CLIPS[0]), replay=True))
    best = finding["fixes"][0]
    assert best["kind"] == "clipping-norm"
    assert best["tested"]
    assert best["removed_symptom"]
    assert best["after"] > best["before"]


def repaired(text, limit=0.001, norm=0.734):
    code = Sources(lambda path: text).code("/project/train.py")
    symptom = SimpleNamespace(symptom="gradients clipped away", evidence={"norm": norm, "limit": limit}, place=None)
    run = SimpleNamespace(reproducibility=None, layers=(), losses=(), tracks=())
    case = Case(symptom, run, SimpleNamespace(code=lambda path: code))
    object.__setattr__(case, "files", lambda: [code])
    return [apply_edits(text, one.edits) for one in ClippingNorm().candidates(case)]


@pytest.mark.parametrize(
    "text",
    [
        "trainer = Trainer(max_epochs=3, gradient_clip_val={})\n",
        "arguments = TrainingArguments('out', max_grad_norm={})\n",
        "optimizer = keras.optimizers.SGD(0.1, clipnorm={})\n",
        "limit = {}\noptimizer = keras.optimizers.SGD(0.1, global_clipnorm=limit)\n",
        "accelerator.clip_grad_norm_(model.parameters(), {})\n",
    ],
)
def test_the_norm_is_repaired_in_calls_of_all_libraries(text):
    assert repaired(text.format("1e-3")) == [text.format("0.7")]
    assert repaired(text.format("5.0")) == []


@pytest.mark.parametrize(
    ("settings", "kept", "largest"),
    [({"clipnorm": 0.1}, 0.1 * 2**0.5, 4.0), ({"global_clipnorm": 0.1}, 0.1, 5.0), ({}, None, None)],
)
def test_optimizers_that_clip_themselves(settings, kept, largest):
    """Keras's ``clipnorm`` is a norm of each variable's gradient, so that the repair is the largest of these."""
    parameters = {name: ParameterSample(1.0, size, 0.0) for name, size in (("a", 3.0), ("b", 4.0))}
    cut = _cut(StepRecord("SGD", 1, 0.0, parameters=parameters, groups=(settings,)))
    assert (cut and (cut.norm, pytest.approx(cut.kept), cut.largest)) == (kept and (5.0, kept, largest))


@pytest.mark.parametrize(("norm", "limit"), [(0.0, 1.0), (2.0, None), (2.0, 0.0)])
def test_clipping_that_says_nothing(norm, limit):
    place = SourcePlace("/project/train.py", 1, 1, 1, 2, "<module>")
    assert _cut(StepRecord("SGD", 1, 0.0, clipping=ClippingRecord(norm, limit, place))) is None
