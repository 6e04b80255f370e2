"""Arguments in files that name no framework may be tensors or arrays: of methods that both have nothing is said."""

from __future__ import annotations

import itertools

import pytest

from tests.rules.harness import findings

SOURCE = """
import numpy as np
from helpers import Base
{more}

class Net({base}):
    def __init__(self, inputs, outputs):
        self.weight = 0.1 * np.random.randn(inputs, outputs)

    def {method}(self, x, y=None):
        {shape} = x.shape
        return np.exp({value})
"""
OF_MATRICES = (
    "x.dot(self.weight)",
    "(x / 255).dot(self.weight)",
    "(x - x.mean(axis=0)).dot(self.weight)",
    "x.transpose() @ self.weight",
    "x.transpose(0, 1) @ self.weight",
    "x.max(1) + x.sum(axis=1)",
    "x.max(1)[0] + x.mean(dim=1)",
    "x.repeat(2, 1)",
    "x.repeat(3)",
)
OF_IMAGES = ("x.transpose(0, 2, 3, 1)", "x.transpose(1, 2)", "(2 * x).transpose(1, 2).reshape(n, -1)", "x.std((0, 2, 3))")
FORMS = [("n, d", value) for value in OF_MATRICES] + [("n, c, h, w", value) for value in OF_IMAGES]


@pytest.mark.parametrize(("form", "base"), list(itertools.product(FORMS, ("object", "Base"))))
def test_nothing_is_said_of_methods_that_arrays_and_tensors_share(form: tuple[str, str], base: str) -> None:
    shape, value = form
    assert not findings(SOURCE.format(shape=shape, value=value, base=base, method="loss", more=""))


@pytest.mark.parametrize("value", ["x.dot(self.weight)", "(x / 255).dot(x)"])
def test_modules_are_given_tensors(value: str) -> None:
    source = SOURCE.format(shape="n, d", value=value, base="nn.Module", method="forward", more="from torch import nn\n")
    assert findings(source)
