"""Beliefs in exceptions beside runs: the benchmark hears them, a run refutes or meets them, and samples are refuted nowhere."""

from __future__ import annotations

from itertools import islice

import pytest

from benchmarks.raises import proving
from benchmarks.raises.proving import prove
from benchmarks.raises.running import Run, run, scratch
from benchmarks.raises.sources import attributes, excerpts, generated, operations

#: Programs that raise what is caught or ends them: kind, and the line.
RAISING = {
    "x = [1]\ny = x[3]\n": ("IndexError", 2),
    "try:\n    x = {}['a']\nexcept KeyError:\n    x = 1\n": ("KeyError", 2),
    "x = None\ny = (\n    x.shape\n)\n": ("AttributeError", 3),
    "def f(a):\n    raise ValueError(a)\nf(1)\n": ("ValueError", 2),
    "x = 3\nassert x == 4\n": ("AssertionError", 2),
    "import torch\ntry:\n    torch.ones(3).view(2)\nexcept RuntimeError:\n    pass\n": ("RuntimeError", 3),
}


@pytest.mark.parametrize("text", RAISING)
def test_what_a_run_meets_is_held(text):
    kind, line = RAISING[text]
    assert (line, kind) in run(text).raised
    verdict = prove(text)
    assert [belief.kind for belief in verdict.held] == [kind]
    assert not verdict.wrong


@pytest.mark.parametrize("text", RAISING)
def test_what_no_run_meets_is_refuted(text, monkeypatch):
    monkeypatch.setattr(proving, "run", lambda _text: Run())
    verdict = prove(text)
    assert [(belief.kind, belief.cause != "") for belief in verdict.wrong] == [(RAISING[text][0], True)]
    assert not verdict.held


@pytest.mark.parametrize(
    "guard", ["if flag:\n    raise ValueError\n", "if flag:\n    assert False\n", "def f(a):\n    raise KeyError\n"]
)
def test_guards_are_no_beliefs(guard):
    verdict = prove(f"import os\nflag = os.environ.get('flag')\n{guard}")
    assert not verdict.wrong + verdict.held


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("source", "count"),
    [(operations.programs, 3), (generated.flow, 10), (generated.objects, 10), (attributes.programs, 25)],
)
def test_no_sample_is_refuted(source, count):
    with scratch():
        verdicts = [prove(text) for text in islice(source(11), count)]
    assert not [belief for verdict in verdicts for belief in verdict.wrong]
    assert not [error for verdict in verdicts for error in verdict.crashes]
    assert sum(verdict.runs for verdict in verdicts) > count // 3


@pytest.mark.oracle
def test_examples_are_programs_that_run():
    with scratch():
        texts = list(islice(excerpts.programs(3, ("collections", "functools", "torch.nn.utils.rnn")), 12))
        verdicts = [prove(text) for text in texts]
    assert len(texts) > 3
    assert not [belief for verdict in verdicts for belief in verdict.wrong]


def test_failing_programs_fail_and_some_are_believed_to():
    with scratch():
        verdicts = [prove(text) for text in islice(operations.failing(1), 20)]
    assert sum(verdict.runs for verdict in verdicts) < 4
    assert sum(bool(verdict.held) for verdict in verdicts) > 3
