"""Masks of scores before a softmax: the numbers that leave elements out, and those that do not."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import torch\nfrom torch import nn"
SETUP = "q, k, v = (torch.randn(2, 5, 8) for _ in range(3))\nseen = torch.ones(5, 5).tril()"
SCORES = "scores = q @ k.transpose(1, 2) / 8**0.5"
MASKS = (
    "scores = scores.masked_fill(seen == 0, {0})",
    "scores = torch.masked_fill(scores, seen == 0, {0}).contiguous()",
    "scores.masked_fill_(seen == 0, {0})",
    "scores = torch.where(seen == 1, scores, {0})",
)
PRODUCTS = (
    "scores = scores * (seen == 1)",
    "scores = scores * (seen > 0).float()",
    "scores = (seen != 0).to(scores.dtype) * scores",
)
NEAR, LOW = ("0", "0.0", "1e-9", "-1.0"), ("float('-inf')", "-1e9", "torch.finfo(torch.float32).min", "-1e4")
SOFTMAX = ("w = scores.softmax(dim=-1)", "w = torch.softmax(scores, -1)", "w = nn.Softmax(dim=-1)(scores)")
END = "out = w @ v"


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("mask", "number", "softmax"), [*product(MASKS, NEAR, SOFTMAX)])
def test_a_number_near_0(mask: str, number: str, softmax: str, form: str, tmp_path: Path) -> None:
    body = "\n".join((SCORES, mask.format(number), softmax, END))
    assert "DLS212" in found(FORMS[form](Case("DLS212", IMPORTS, SETUP, body, ("q", "k", "v", "seen"))), tmp_path, ["DLS212"])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("mask", PRODUCTS)
def test_a_product_with_a_condition(mask: str, form: str, tmp_path: Path) -> None:
    body = "\n".join((SCORES, mask, SOFTMAX[0], END))
    assert "DLS212" in found(FORMS[form](Case("DLS212", IMPORTS, SETUP, body, ("q", "k", "v", "seen"))), tmp_path, ["DLS212"])


@pytest.mark.parametrize(("mask", "number", "softmax"), [*product(MASKS, LOW, SOFTMAX)])
def test_a_low_number(mask: str, number: str, softmax: str, tmp_path: Path) -> None:
    text = "\n".join((IMPORTS, SETUP, SCORES, mask.format(number), softmax, END, ""))
    assert not found({"main.py": text}, tmp_path, ["DLS212"])


@pytest.mark.parametrize("mask", [mask.format("0.0") for mask in MASKS] + [*PRODUCTS])
@pytest.mark.parametrize(
    "rest",
    [
        "w = scores.softmax(-1) * seen\nw = w / w.sum(-1, keepdim=True)\nout = w @ v",
        "w = scores.softmax(-1).masked_fill(seen == 0, 0.0)\nout = w @ v",
        "out = scores @ v",
        "out = (scores - 1e9 * (seen == 0)).softmax(-1) @ v",
    ],
)
def test_masked_otherwise(mask: str, rest: str, tmp_path: Path) -> None:
    assert not found({"main.py": "\n".join((IMPORTS, SETUP, SCORES, mask, rest, ""))}, tmp_path, ["DLS212"])


@pytest.mark.parametrize("low", LOW)
def test_rows_without_any_element(low: str, tmp_path: Path) -> None:
    first, empty = MASKS[0].format(low), "scores = scores.masked_fill((seen == 0).all(-1, keepdim=True), 0.0)"
    assert not found({"main.py": "\n".join((IMPORTS, SETUP, SCORES, first, empty, SOFTMAX[0], END, ""))}, tmp_path, ["DLS212"])
