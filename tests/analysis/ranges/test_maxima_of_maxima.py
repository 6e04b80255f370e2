"""What is subtracted before the exponentials of scores may be a maximum of maxima."""

from __future__ import annotations

import pytest

from dllint.finding import Severity
from tests.rules.harness import findings

PROGRAM = """
import tensorflow as tf
import torch


def loss(scores, labels):
    top = {top}
    return {log}({sum}({exp}(scores - top), -1)) + {rest}
"""
TORCH = {"log": "torch.log", "sum": "torch.sum", "exp": "torch.exp", "rest": "top"}
TENSORFLOW = {"log": "tf.math.log", "sum": "tf.reduce_sum", "exp": "tf.math.exp", "rest": "top"}
SAFE = {
    "torch.max(scores)": TORCH, "scores.amax(-1, keepdim=True)": TORCH, "scores.amax(-1).max()": TORCH,
    "scores.max(-1)[0].max()": TORCH, "torch.amax(torch.amax(scores, 0), 0)": TORCH,
    "tf.reduce_max(scores)": TENSORFLOW, "tf.reduce_max(tf.reduce_max(scores, axis=-1))": TENSORFLOW,
    "tf.reduce_max(tf.reduce_max(scores, -1, keepdims=True))": TENSORFLOW,
}  # fmt: skip


def warned(top: str, words: dict[str, str]) -> bool:
    found = [finding for finding in findings(PROGRAM.format(top=top, **words)) if finding.code in ("DLN103", "DLN105")]
    return any(finding.severity is Severity.WARNING for finding in found)


@pytest.mark.parametrize("top", SAFE)
def test_a_maximum_of_all_makes_the_exponentials_safe(top: str) -> None:
    assert not warned(top, SAFE[top])


@pytest.mark.parametrize("shift", ["scores - top", "shifted"])
def test_what_nobody_knows_may_be_a_maximum(shift: str) -> None:
    text = (
        "import torch\n\n\ndef loss(scores, top):\n    shifted = scores - top\n"
        f"    return torch.log(torch.sum(torch.exp({shift}), -1))\n"
    )
    assert {finding.severity for finding in findings(text) if finding.code == "DLN105"} <= {Severity.INFO}
    raw = "import torch\n\n\ndef loss(scores):\n    return torch.log(torch.sum(torch.exp(scores), -1))\n"
    assert {finding.severity for finding in findings(raw) if finding.code == "DLN105"} == {Severity.WARNING}
