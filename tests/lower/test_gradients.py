"""A gradient may be None: before the first backward pass, and of what a target does not depend on."""

from __future__ import annotations

import pytest

from dllint.domains.lattice import Unknown
from tests.lower.tracing import values

GRADIENTS = """
import tensorflow as tf
import torch
from torch import nn

layer, weight = nn.Linear(3, 4), torch.ones(3, requires_grad=True)
kernel = tf.Variable(tf.ones((3, 3)))
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(kernel)
{setup}
made = 1 if {condition} else 2
"""


@pytest.mark.parametrize(
    ("setup", "gradient"),
    [("", "weight.grad"), ("", "next(layer.parameters()).grad"), ("g = layer.weight.grad", "g"), ("weight.sum().backward()",
     "weight.grad"), ("g = tape.gradient(loss, kernel)", "g"), ("(g,) = tape.gradient(loss, [kernel])", "g"),
     ("g = tf.gradients(loss, [kernel])[0]", "g")],
)  # fmt: skip
@pytest.mark.parametrize("question", ["{} is None", "{} is not None", "None is not {}", "{} == None", "not {} is None"])
def test_whether_there_is_a_gradient_is_undecided(setup: str, gradient: str, question: str):
    found = values(GRADIENTS.format(setup=setup, condition=question.format(gradient)))["made"]
    assert not isinstance(found, int)
    assert not isinstance(values(f"import torch\nx = torch.ones(3)\nmade = {question.format('x')}\n")["made"], Unknown)
