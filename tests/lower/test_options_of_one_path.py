"""Options that are passed on one path only (``**kwargs`` for a GPU) leave the call what it is on both."""

from __future__ import annotations

from itertools import product

import pytest

from tests.lower.tracing import lower

PROGRAM = """
import torch
from torch import nn
from torchvision import datasets, transforms

fast = torch.cuda.is_available()
{made}
{name}_loader = torch.utils.data.DataLoader(
    datasets.MNIST("data", transform=transforms.ToTensor()), batch_size=64, **{name}
)
net = nn.Linear(400, 10)
for images, labels in {name}_loader:
    net(images.view(-1, 784))
"""
MADE = (
    "{name} = {{'num_workers': 1, 'pin_memory': True}} if fast else {{}}",
    "{name} = {{}}\nif fast:\n    {name} = dict(num_workers=1, pin_memory=True)",
    "{name} = {{}}\nif fast:\n    {name}.update({{'num_workers': 1}})",
    "{name} = {{'num_workers': 1}}\nif fast:\n    {name}['pin_memory'] = True",
    "{name} = dict(num_workers=1, pin_memory=True) if fast else dict(num_workers=0)",
)


@pytest.mark.parametrize(("made", "name"), list(product(MADE, ("kwargs", "options"))))
def test_the_batches_are_known(made, name):
    program = PROGRAM.format(made=made.format(name=name), name=name)
    assert [op.kind for traced in lower(program).programs for op in traced.ops if op.faults][:1] == ["linear"]
