"""Questions about element types, and sizes given by an unpacked sequence, against torch."""

from __future__ import annotations

from itertools import product

import pytest

from tests.lower.against_runs import refuted
from tests.lower.tracing import lower

TYPES = ("complex64", "complex128", "float32", "float64", "int64", "bool")
ASKED = (
    "torch.is_complex({x})", "{x}.is_complex()", "torch.is_complex(input={x})", "torch.is_floating_point({x})",
    "{x}.is_floating_point()",
)  # fmt: skip


@pytest.mark.parametrize(("dtype", "asked"), list(product(TYPES, ASKED)))
def test_the_answer_decides_branches(dtype, asked):
    question = asked.format(x="x")
    text = f"import torch\nx = torch.zeros(3, 4, dtype=torch.{dtype})\ny = torch.zeros(2) if {question} else torch.zeros(5)\n"
    assert refuted(text) == []
    op = next(op for op in lower(text).programs[0].ops[1:] if op.kind == "zeros")
    assert not op.path


CLASSES = ("torch.Tensor", "torch.FloatTensor", "torch.LongTensor")
SIZES = ("*sizes", "4, *sizes", "4, 3, *sizes", "*sizes, 2", "*[5], *sizes")
TEXT = """
import torch
from elsewhere import pair

def weight(kernel):
    sizes = pair(kernel)
    made = {cls}({given})
    height, width = made.shape[{at}]
    return made
"""


@pytest.mark.parametrize(("cls", "given", "at"), list(product(CLASSES, SIZES, ("2:4", "-2:", "1:3"))))
def test_sizes_that_are_unpacked_are_not_left_out(cls, given, at):
    programs = lower(TEXT.format(cls=cls, given=given, at=at)).programs
    assert not [fault for program in programs for op in program.ops for fault in op.faults]


MODEL = """
import torch
from torch import nn
from torchvision import models

model = models.{name}()
model.{head} = nn.Linear({width}, 7)
y = model(torch.zeros(2, 3, 224, 224))
"""
#: Models, the attribute that is their head, and its width.
HEADS = {"resnet18": ("fc", 512), "resnext50_32x4d": ("fc", 2048), "densenet121": ("classifier", 1024)}


@pytest.mark.parametrize("name", HEADS)
def test_an_attribute_that_a_model_does_not_have_is_not_applied(name):
    head, width = HEADS[name]
    other = {"fc": "classifier", "classifier": "fc"}[head]
    for attribute, given, wrong in ((head, width, False), (head, width + 1, True), (other, 5, False)):
        program = lower(MODEL.format(name=name, head=attribute, width=given)).programs[0]
        assert any(op.faults for op in program.ops) is wrong
        last = program.ops[-1].output.shape
        assert wrong or last == ((2, 7) if attribute == head else (2, 1000))
