"""What would follow an operation that raises does not happen: one fault is told, none of what its result might have been."""

from __future__ import annotations

import itertools

import pytest

from tests.lower.tracing import lower

TORCH = {
    "types": "1 - mask",
    "negated mask": "-mask",
    "broadcast": "torch.zeros(2, 3) + torch.zeros(4)",
    "in place": "torch.zeros(2, 3).add_(torch.zeros(4))",
    "matrix product": "torch.zeros(2, 3) @ torch.zeros(4, 5)",
    "batched product": "torch.bmm(torch.zeros(2, 3, 4), torch.zeros(3, 4, 5))",
    "pieces": "torch.cat([torch.zeros(2, 3), torch.zeros(2, 4)])",
    "stack": "torch.stack([torch.zeros(2, 3), torch.zeros(2, 4)])",
    "view": "torch.zeros(2, 3).view(4, 5)",
    "order": "torch.zeros(2, 3).permute(0, 2, 1)",
    "axis": "torch.zeros(2, 3).sum(2)",
    "index": "torch.zeros(2, 3)[:, :, 0]",
    "row": "torch.zeros(2, 3)[5]",
    "loss": "F.cross_entropy(torch.zeros(2, 3), torch.zeros(4, dtype=torch.long))",
    "table": "F.embedding(torch.zeros(2, 3), torch.zeros(7, 4))",
    "kind of argument": "torch.cdist(torch.zeros(2, 3), 2)",
    "window": "F.max_pool2d(torch.zeros(2, 3, 4, 4), 9)",
    "rank": "nn.Conv2d(3, 4, 3)(torch.zeros(2, 3))",
    "a layer that cannot be": "nn.Conv2d(6, 8, 3, groups=4)(torch.zeros(2, 6, 9, 9))",
}
THEN = {
    "fill": "z = torch.zeros(2, 3).masked_fill_(y, 1.0)",
    "layer": "z = nn.Linear(77, 3)(y)",
    "convolution": "z = nn.Conv2d(77, 3, 3)(y)",
    "index": "z = y[:, :, :, :, 0]",
    "view": "z = y.view(71, 73)",
    "sum": "z = y + torch.zeros(71, 73)",
    "pieces": "z = torch.cat([y, torch.zeros(71, 73)])",
    "axis": "z = y.softmax(7)",
    "loss": "z = F.nll_loss(y, torch.zeros(71, dtype=torch.long))",
    "sizes": "a, b, c, d, e = y.shape",
    "through a view": "z = nn.Linear(77, 3)(y.unsqueeze(0).contiguous())",
    "in a helper": "def use(t):\n    return t @ torch.zeros(71, 73)\n\nz = use(y)",
}
HEAD = "import torch\nfrom torch import nn\nfrom torch.nn import functional as F\nmask = torch.zeros(2, 3) > 0\n"


@pytest.mark.parametrize(("fault", "then"), list(itertools.product(TORCH, THEN)))
def test_one_fault_is_told(fault: str, then: str) -> None:
    source = f"{HEAD}y = {TORCH[fault]}\n{THEN[then]}\n"
    found = [op for program in lower(source).programs for op in program.ops if op.faults]
    assert len(found) == 1, [(op.kind, op.faults) for op in found]


OTHERS = {
    "numpy": ("import numpy as np", "np.zeros((2, 3)) + np.zeros(4)", "np.matmul({}, np.zeros((71, 73)))"),
    "numpy's index": ("import numpy as np", "np.zeros((2, 3))[:, :, 0]", "{}[:, :, :, :, 0]"),
    "TensorFlow": ("import tensorflow as tf", "tf.zeros([2, 3]) + tf.zeros([4])", "tf.matmul({}, tf.zeros([71, 73]))"),
    "TensorFlow's types": ("import tensorflow as tf", "tf.zeros([2, 3]) * tf.constant([1])", "tf.reshape({}, [71, 73])"),
    "Keras": ("from keras import layers, ops", "ops.zeros((2, 3)) + ops.zeros((4,))", "layers.Conv2D(3, 3)({})"),
}


@pytest.mark.parametrize("case", OTHERS)
def test_so_in_every_framework(case: str) -> None:
    head, fault, then = OTHERS[case]
    found = lower(f"{head}\ny = {fault}\nz = {then.format('y')}\n")
    assert len([op for program in found.programs for op in program.ops if op.faults]) == 1


LAYERS = {
    "nn.Linear(16, 4)": "torch.zeros(2, 32)",
    "nn.Conv2d(3, 4, 3)": "torch.zeros(2, 5, 9, 9)",
    "nn.LayerNorm(4)": "torch.zeros(2, 5)",
}


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_of_another_width_still_says_what_it_gives(layer: str) -> None:
    found = lower(f"{HEAD}y = {layer}({LAYERS[layer]})\nz = y @ torch.zeros(71, 73)\n")
    assert len([op for program in found.programs for op in program.ops if op.faults]) == 2
