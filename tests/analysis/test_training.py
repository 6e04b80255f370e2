"""The loops in which something is trained."""

from __future__ import annotations

from pathlib import Path

from dllint.analysis.training import Training, library_classes
from dllint.ir.events import Backward, LoopEdge, Step, ZeroGrad
from dllint.lower.document import lower_document
from dllint.source.document import Document


def training(text: str, entry: str) -> Training:
    programs = lower_document(Document.from_text(Path("train.py"), text)).programs
    return Training(next(program for program in programs if program.entry == entry))


def test_only_the_innermost_loop_of_a_step_is_given():
    text = """
import torch

def train(model, loader, opt):
    for epoch in loader:
        for x in epoch:
            model(x).backward()
            opt.step()
        opt.zero_grad()
"""
    found = training(text, "train")
    (loop,) = found.step_loops()
    assert [type(event) for event in found.within(loop, Backward, Step, ZeroGrad)] == [Backward, Step]
    assert len(found.within(max(found.loops, key=lambda one: one.end - one.start), ZeroGrad)) == 1


def test_two_loops_one_after_the_other_are_both_given():
    text = """
import torch

def train(model, loader, opt):
    for x in loader:
        model(x).backward()
        opt.step()
    for x in loader:
        model(x).backward()
        opt.step()
"""
    first, second = training(text, "train").step_loops()
    assert first.end < second.start


def test_a_loop_without_a_step_trains_nothing():
    text = """
import torch

def accumulate(model, loader):
    for x in loader:
        model(x).backward()
"""
    found = training(text, "accumulate")
    assert len(found.loops) == 1
    assert list(found.step_loops()) == []


def test_a_loop_that_is_left_early_is_one_loop():
    text = """
import torch

def find(model, loader, opt):
    while True:
        for x in loader:
            model(x).backward()
            opt.step()
            if x is None:
                return x
"""
    found = training(text, "find")
    (loop,) = found.step_loops()
    assert not found.within(loop, LoopEdge)


def test_the_classes_of_an_optimizer_include_its_base():
    text = "import torch\nopt = torch.optim.Adam(torch.nn.Linear(2, 1).parameters())\n"
    lowered = lower_document(Document.from_text(Path("train.py"), text))
    assert {"torch.optim.Adam", "torch.optim.Optimizer"} <= library_classes(lowered.module.attrs["opt"])
    assert library_classes(None) == set()
