"""Layers that loops put under names they compute: which layer meets which tensor must be known for a fault."""

from __future__ import annotations

import pytest

from tests.lower.tracing import lower

NUMBERS = {
    "no default": ("n_layers", "n_layers"),
    "a default": ("n_layers=3", "n_layers"),
    "an object's": ("opt", "opt.n_layers"),
    "a table's": ("opt", "opt['n_layers']"),
    "a call's": ("opt", "count(opt)"),
}
NAMES = ("'model' + str(n)", "f'model{n}'", "'model%d' % n", "'model{}'.format(n)")
STEPS = {
    "the last result": "res.append(model(res[-1]))",
    "the last result in two steps": "x = model(res[-1])\n            res.append(x)",
    "a list laid behind": "res += [model(res[-1])]",
    "a new list": "res = res + [model(res[-1])]",
    "by its number": "res.append(model(res[len(res) - 1]))",
    "one of two": "res.append(model(res[-1]) if n < self.first else model(res[-1]) * 2)",
}
DISCRIMINATOR = """
import torch
from torch import nn
from elsewhere import count

class Discriminator(nn.Module):
    def __init__(self, input_nc, {parameter}, width=64):
        super().__init__()
        self.first = 1
        self.n_layers = {number}
        stages = [[nn.Conv2d(input_nc, width, 4), nn.LeakyReLU(0.2, False)]]
        out = width
        for n in range(1, self.n_layers):
            last, out = out, min(out * 2, 512)
            stages += [[nn.Conv2d(last, out, 4), nn.LeakyReLU(0.2, False)]]
        stages += [[nn.Conv2d(out, 1, kernel_size=4)]]
        for n in range(len(stages)):
            setattr(self, {name}, nn.Sequential(*stages[n]))

    def forward(self, image):
        res = [image]
        for n in range(self.n_layers + 1):
            model = getattr(self, {name})
            {step}
        return res[-1]

class Several(nn.Module):
    def __init__(self, opt):
        super().__init__()
        self.one = Discriminator(3, {given})
    def forward(self, image):
        return self.one(image)
"""


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", NUMBERS)
def test_stages_in_a_row_fit(number: str, name: str, step: str) -> None:
    parameter, written = NUMBERS[number]
    given = "opt" if parameter == "opt" else "opt.n_layers"
    source = DISCRIMINATOR.format(parameter=parameter, number=written, name=name, step=STEPS[step], given=given)
    assert [op for program in lower(source).programs for op in program.ops if op.faults] == []


@pytest.mark.parametrize("name", NAMES)
def test_stages_in_a_row_that_do_not_fit_are_found(name: str) -> None:
    step = STEPS["the last result in two steps"]
    source = DISCRIMINATOR.format(parameter="n_layers=3", number="n_layers", name=name, step=step, given="3")
    source = source.replace("nn.Conv2d(out, 1, kernel_size=4)", "nn.Conv2d(out + 1, 1, kernel_size=4)")
    assert {op.kind for program in lower(source).programs for op in program.ops if op.faults} == {"conv"}


WRAPPED = {
    "BatchNorm2d": "norm(nn.Conv2d(64, 128, 4))",
    "InstanceNorm2d": "norm(nn.Conv2d(64, 128, 4), affine=False)",
    "Linear": "norm(nn.Conv2d(64, 128, 4), 128)",
    "Conv2d": "norm(nn.Sequential(nn.Conv2d(64, 128, 4)), 128, 1)",
    "PReLU": "norm(num_parameters=nn.Conv2d(64, 128, 4))",
}
DEFAULT = """
import torch
from torch import nn

class Own(nn.{norm}):
    def forward(self, x):
        return super().forward(x)

class Net(nn.Module):
    def __init__(self, norm={default}):
        super().__init__()
        self.stem = nn.Conv2d(3, 64, 4)
        self.wrapped = nn.Sequential({wrapped}, nn.ReLU())
        self.head = nn.Conv2d(128, 1, 4)
    def forward(self, x):
        return self.head(self.wrapped(self.stem(x)))
"""


@pytest.mark.parametrize("default", ["nn.{}", "Own"])
@pytest.mark.parametrize("norm", WRAPPED)
def test_a_layer_that_is_given_a_layer_for_its_size_is_none(norm: str, default: str) -> None:
    source = DEFAULT.format(norm=norm, default=default.format(norm), wrapped=WRAPPED[norm])
    assert [op for program in lower(source).programs for op in program.ops if op.faults] == []
