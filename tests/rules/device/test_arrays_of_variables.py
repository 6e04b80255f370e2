"""Code of the time when variables were another class than tensors takes the data of the one and arrays of the other: it makes
no array of a tensor that requires gradients. Where the data are not taken, it does."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

PROGRAM = """import torch
from torch import nn
{imported}


def convert(x):
    {body}


model = nn.Linear(3, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    scores = model(torch.randn(2, 3))
    loss = scores.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    convert({given})
"""
NAMES = [
    ("from torch.autograd import Variable", "Variable"),
    ("from torch import autograd", "autograd.Variable"),
    ("import torch.autograd as ag", "ag.Variable"),
]
TAKEN = [
    "if isinstance(x, {name}):\n        return convert(x.data)\n    return x.cpu().numpy() if x.is_cuda else x.numpy()",
    "if isinstance(x, {name}):\n        x = x.data\n    return x.cpu().numpy()",
    "return x.data.numpy() if isinstance(x, {name}) else x.numpy()",
    "if not isinstance(x, {name}):\n        return x.numpy()\n    return x.detach().numpy()",
    "if isinstance(x, (list, {name})):\n        return x[0].detach()\n    return x.numpy()",
]
NOT_TAKEN = [
    "if isinstance(x, {name}):\n        return x.numpy()\n    return x",
    "if not isinstance(x, {name}):\n        x = x.data\n    return x.cpu().numpy()",
    "return x.numpy() if isinstance(x, {name}) else x",
    "if isinstance(x, (list, {name})):\n        return x.numpy()\n    return x",
]


def _is_told(imported: str, name: str, body: str, given: str) -> bool:
    text = PROGRAM.format(imported=imported, body=body.format(name=name), given=given)
    return "DLG104" in {finding.code for finding in findings(text)}


@pytest.mark.parametrize(("imported", "name"), NAMES)
@pytest.mark.parametrize("body", TAKEN)
@pytest.mark.parametrize("given", ["scores", "loss", "scores.relu().contiguous()", "model.weight"])
def test_data_of_variables(imported: str, name: str, body: str, given: str) -> None:
    assert not _is_told(imported, name, body, given)


@pytest.mark.parametrize(("imported", "name"), NAMES)
@pytest.mark.parametrize("body", NOT_TAKEN)
@pytest.mark.parametrize("given", ["scores", "scores.relu().contiguous()"])
def test_variables_themselves(imported: str, name: str, body: str, given: str) -> None:
    assert _is_told(imported, name, body, given)
