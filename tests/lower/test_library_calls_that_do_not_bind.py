"""A call of a library function with an argument that it has no place for raises, or is for another release: nothing is claimed
of what it gives."""

from __future__ import annotations

import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from tests.lower.tracing import lower, values

IMPORTS = "import torch\nimport torch.nn.functional as F\nimport numpy as np\nimport keras\nimport tensorflow as tf\n"
MADE = (
    "x = torch.rand(2, 3)\na = np.ones((2, 3))\nk = keras.random.uniform((2, 3))\nt = tf.zeros((2, 3))\n"
    "weight = torch.rand(4, 3)\nimages = torch.rand(2, 3, 8, 8)\n"
)
#: Calls that fit, as far as their closing bracket; each function takes no more positional arguments than it is given.
CALLS = (
    "torch.squeeze(x, 0", "torch.sum(x, dim=1", "torch.mean(x, 1", "torch.cat([x, x], 0", "torch.stack([x, x], 0",
    "torch.zeros(2, 3", "torch.reshape(x, (3, 2)", "torch.transpose(x, 0, 1", "F.linear(x, weight", "F.relu(x",
    "F.softmax(x, dim=1", "F.max_pool2d(images, 2", "F.interpolate(images, scale_factor=2", "x.squeeze(0", "x.permute(1, 0",
    "x.sum(dim=0", "x.unsqueeze(0", "np.stack([a, a]", "np.transpose(a", "np.concatenate([a, a]", "np.sum(a, axis=0",
    "np.expand_dims(a, 0", "np.array([1.0, 2.0]", "np.log(a", "a.reshape(3, 2", "a.transpose(1, 0",
    "keras.ops.transpose(k", "keras.ops.reshape(k, (3, 2)", "keras.ops.concatenate([k, k]", "keras.ops.sum(k, axis=0",
    "keras.ops.softmax(k", "tf.transpose(t", "tf.reshape(t, (3, 2)", "tf.concat([t, t], 0", "tf.reduce_sum(t, axis=0",
    "tf.expand_dims(t, 0", "tf.one_hot([1, 2], 3",
)  # fmt: skip
#: Keywords that none of the functions has; only ``tf.transpose`` has ``perm``.
LACKING = ("foo=1", "perm=(1, 0)", "**{'no_such': None}")
LAYERS = (
    ("Linear(3, 4", "x"), ("Conv2d(3, 4, 3", "images"), ("BatchNorm2d(3", "images"), ("MaxPool2d(2", "images"),
    ("Softmax(dim=1", "x"), ("Upsample(scale_factor=2", "images"), ("LayerNorm(3", "x"), ("Dropout(0.5", "x"),
)  # fmt: skip
SURPLUS = (
    "torch.squeeze(x, 0, 1)", "torch.transpose(x, 0, 1, 1)", "F.relu(x, False, 1)", "x.unsqueeze(0, 1)", "x.t(0)",
    "np.expand_dims(a, 0, 1)", "np.transpose(a, None, 1)", "a.flatten('C', 1)", "keras.ops.transpose(k, None, 1)",
    "tf.reshape(t, (3, 2), 'name', 1)", "tf.concat([t, t], 0, 'name', 1)",
)  # fmt: skip
#: Arguments under other names that the functions take, or took once.
ALSO = (
    ("torch.sum(x, axis=0)", (3,)), ("torch.mean(x, axis=1, keepdims=True)", (2, 1)), ("torch.cat([x, x], axis=0)", (4, 3)),
    ("torch.add(x1=x, x2=x)", (2, 3)), ("x.sum(axis=0)", (3,)), ("x.squeeze(axis=0)", (2, 3)), ("x.view(size=(3, 2))", (3, 2)),
    ("x.expand(size=(4, 2, 3))", (4, 2, 3)), ("np.reshape(a, newshape=(3, 2))", (3, 2)),
    ("np.percentile(a, 50, axis=0, interpolation='nearest')", (3,)), ("tf.reduce_sum(t, reduction_indices=0)", (3,)),
    ("tf.reduce_sum(t, 0, keep_dims=True)", (1, 3)), ("tf.squeeze(t, squeeze_dims=[])", None),
    ("np.log(a, where=a > 0, out=np.zeros((2, 3)))", (2, 3)), ("np.add(a, a, casting='unsafe')", (2, 3)),
)  # fmt: skip


def made(call: str) -> object:
    program = f"{IMPORTS}{MADE}out = {call}\ntorch.nn.Linear(7, 2)(torch.tanh(out))\n"
    if not isinstance(found := values(program)["out"], TensorVal) or isinstance(found.shape, Unknown):
        assert not [op for each in lower(program).programs for op in each.ops if op.faults]
    return found


@pytest.mark.parametrize(
    ("more", "call"),
    [(more, call) for more in LACKING for call in CALLS if not (more.startswith("perm=") and call.startswith("tf.transpose"))],
)
def test_nothing_is_known_of_a_call_with_a_keyword_that_the_function_lacks(more, call):
    assert isinstance(made(f"{call})").shape, tuple)
    assert isinstance(made(f"{call}, {more})"), Unknown)


@pytest.mark.parametrize(("layer", "given"), LAYERS)
@pytest.mark.parametrize("more", ["", "foo=1", "**{'no_such': None}"])
def test_nothing_is_known_of_a_layer_that_is_built_with_a_keyword_it_lacks(layer, given, more):
    found = made(f"torch.nn.{layer}, {more})({given})")
    assert isinstance(found, TensorVal) and isinstance(found.shape, tuple) if not more else isinstance(found, Unknown)


@pytest.mark.parametrize("call", SURPLUS)
def test_nothing_is_known_of_a_call_with_too_many_positions(call):
    assert isinstance(made(call), Unknown)


@pytest.mark.parametrize(("call", "shape"), ALSO)
def test_other_names_of_parameters_are_understood(call, shape):
    found = made(call)
    assert shape is None or found.shape == shape
