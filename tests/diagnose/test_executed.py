"""Findings of the check count for a run where it has gone through their code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dllint.diagnose.executed import executed
from dllint.diagnose.records import LayerRecord, RunRecord
from dllint.finding import Confidence, Finding, Severity
from dllint.span import Location, Position, Span

PATH = Path("/project/train.py")
TEXT = """\
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(8, 16)
    def forward(self, x):
        return self.a(x)
def train(net):
    rate = 0.1
    if net.training:
        print("starts")
    opt = torch.optim.SGD(net.parameters(), lr=rate)
    for _ in range(3):
        opt.step()
    if rate:
        def inner():
            return opt
def other(net, wanted):
    opt = torch.optim.SGD(net.parameters(), lr=0.1) if wanted else None
    weight = nn.Parameter(torch.zeros(3))
    return opt, weight
print("done")
"""
RUN = RunRecord(("torch",), (), (), (), (), (), (), (), (), "finished", 1.0, 0.0)
FIRST = {"__init__": 4, "train": 9}


def left(line: int, run: RunRecord = RUN, *entered: str, code: str = "DLO103", severity: Severity = Severity.WARNING):
    """The severities of what is left of a finding at a line, after a run that constructed something in some functions."""
    location = Location(PATH, Span(0, 0, Position(line, 1), Position(line, 2)))
    finding = Finding(code, "name", "is wrong", severity, Confidence.HIGH, location)
    known = replace(run, entered={str(PATH): tuple(FIRST[name] for name in entered)})
    return [one.severity for one in executed([finding], known, lambda path: TEXT)]


@pytest.mark.parametrize(("line", "function"), [(6, "__init__"), (8, "__init__"), (13, "train"), (15, "train"), (18, "train")])
def test_what_a_construction_must_have_come_before_was_executed_only_with_it(line, function):
    assert left(line, RUN) == []
    assert left(line, RUN, function) == [Severity.WARNING]


@pytest.mark.parametrize("line", [1, 10, 12, 20, 22, 23])
def test_what_may_have_been_executed_counts(line):
    assert left(line) == [Severity.WARNING]


@pytest.mark.parametrize(
    "run",
    [replace(RUN, ended="steps"), replace(RUN, ended="error"), replace(RUN, frameworks=("keras",))],
)
def test_code_that_others_may_still_call_counts(run):
    assert left(15, run) == [Severity.WARNING]


def test_objects_that_were_read_from_a_file_have_had_no_constructor():
    assert left(8, replace(RUN, layers=(LayerRecord("Net", "Net", None),))) == [Severity.WARNING]


@pytest.mark.parametrize(("code", "ended", "severity"), [("DLT101", "finished", "info"), ("DLO103", "finished", "error")])
def test_what_always_raises_is_refuted_by_a_run_that_came_to_its_end(code, ended, severity):
    assert left(22, replace(RUN, ended=ended), code=code, severity=Severity.ERROR) == [Severity(severity)]
    assert left(22, replace(RUN, ended="error"), code=code, severity=Severity.ERROR) == [Severity.ERROR]


PROGRAM = """
import torch
from torch import nn

x, y = torch.randn(64, 8), torch.zeros(64, dtype=torch.long)


class Net(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.a, self.b = nn.Linear(8, 16), nn.Linear(hidden, 3)

    def forward(self, x):
        return self.b(self.a(x).relu())


def old(net):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(30):
        loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        opt.step()


if x.mean() {sign} 10:
    old(Net(16))
net = Net(16)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(30):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


@pytest.mark.parametrize("asked", [False, True])
def test_a_run_is_told_of_a_loop_that_does_not_train_if_it_has_run_it(diagnose, asked):
    found = diagnose(PROGRAM.format(sign="<" if asked else ">")).findings
    assert any(finding["code"].startswith("DLO") for finding in found) is asked
