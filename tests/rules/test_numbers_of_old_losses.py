"""`loss.data[0]`: the number of a loss before PyTorch 0.4, which raises since 1.0. That is told as what an old release took."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

LOSSES = (
    "nn.MSELoss()(x, y)",
    "nn.functional.l1_loss(x, y)",
    "(x - y).pow(2).mean()",
    "nn.CrossEntropyLoss()(x, t)",
    "x.sum()",
)
OLD = {
    "printed": "print(loss.data[0])",
    "summed": "total = 0.0\ntotal += loss.data[0]",
    "by a name": "value = loss.data\nprint(value[0])",
    "on the processor": "print(loss.data.cpu()[0])",
    "as an array": "print(loss.data.cpu().numpy()[0])",
    "an array by a name": "value = loss.data.numpy()\nprint('{:.2}'.format(value[0]))",
    "of another type": "print(loss.data.double().numpy()[0])",
    "in a helper": "def number(v):\n    return v.data[0]\n\nprint(number(loss))",
    "in a list": "rows = [v.data[0] for v in (loss, loss * 2)]",
    "of a Variable": "from torch.autograd import Variable\nprint(Variable(loss).data[0])",
}
NEW = {
    "the loss itself": "loss[0]",
    "detached": "loss.detach()[0]",
    "a detached array": "loss.detach().numpy()[0]",
    "another element": "loss.data[1]",
    "two": "loss.data[0, 0]",
}
HEAD = """
import torch
from torch import nn

x, y, t = torch.zeros(2, 3), torch.zeros(2, 3), torch.zeros(2, dtype=torch.long)
loss = {}
"""


def _told(source: str, today: bool = False) -> set[str]:
    return {finding.severity.value for finding in findings(source, today) if finding.code == "DLT109"}


@pytest.mark.oracle
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("use", OLD)
def test_where_nobody_knows_the_release_it_is_no_error(use: str, loss: str) -> None:
    source = f"{HEAD.format(loss)}{OLD[use]}\n"
    with pytest.raises(IndexError):
        exec(source, {})
    assert _told(source) == {"info"}
    assert _told(source, today=True) == {"error"}


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("use", NEW)
def test_what_no_release_took_is_an_error(use: str, loss: str) -> None:
    assert _told(f"{HEAD.format(loss)}print({NEW[use]})\n") == {"error"}
