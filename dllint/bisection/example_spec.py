"""A spec that runs as it is, with every name that a spec can have; ``dllint bisect init`` writes its text to a file."""

from __future__ import annotations

from typing import Final

TEXT: Final = '''\
"""A spec for `dllint bisect`: it trains a small classifier, deploys it with a mistake, and names both.

Replace `reference`, `candidate` and `samples` by your own.
"""

import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 32), nn.LayerNorm(32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU())
        self.head = nn.Linear(32, 4)

    def forward(self, x):
        return self.head(self.body(x))


def data(count, seed):
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(count, 8, generator=generator)
    return x, (x[:, 0] > 0).long() * 2 + (x[:, 1] * x[:, 2] > 0).long()


def trained():
    torch.manual_seed(0)
    model, (x, y) = Net(), data(2048, seed=1)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(150):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    return model.eval()


model = trained()


def reference():
    """The model that is right: a torch.nn.Module with its weights."""
    return model


def candidate():
    """What you deploy: a path such as "model.onnx", or a function that makes it, as here."""
    import onnx

    free = {"x": {0: torch.export.Dim.AUTO}}
    torch.onnx.export(model, (torch.zeros(2, 8),), "candidate.onnx", dynamo=True, verbose=False, dynamic_shapes=free)
    deployed = onnx.load("candidate.onnx")
    for node in deployed.graph.node:  # the mistake: a layer norm with another epsilon
        for attribute in node.attribute:
            if attribute.name == "epsilon":
                attribute.f = 30.0
    onnx.save(deployed, "candidate.onnx")
    return "candidate.onnx"


def samples():
    """Pairs of inputs and a target; inputs are an array, or a tuple of arrays."""
    x, y = data(1024, seed=2)
    return list(zip(x.numpy(), y.numpy()))


def per_sample(outputs, targets):
    """What each sample contributes to the metric. If your metric is no mean, write `metric(outputs, targets)` instead."""
    return outputs.argmax(1) == targets


higher_is_better = True
# expected = 0.95              # what the reference is known to reach; checked first
# margin = 0.005               # a drop below it is none
# batch_size = 64
# preprocess = None            # functions on a batch of raw inputs, for both sides …
# candidate_preprocess = None  # … or where the candidate has its own
# postprocess = None           # functions on the outputs, before the metric sees them
# candidate_postprocess = None
# alignment = "alignment.toml" # written by `dllint bisect --save-alignment`, corrected by hand
'''
