"""``KLDivLoss`` in all its spellings, with what moves values between the softmax and the loss, held against torch."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session

torch = pytest.importorskip("torch")

PROGRAM = """import torch
import torch.nn.functional as F
from torch import nn


def made(scores):
    return {made}


def told(scores):
    return {told}


scores = nn.Linear(8, 4)(torch.randn(16, 8))
loss = {loss}
print(loss)
"""
LOSSES = (
    'F.kl_div(made(scores){0}, told(scores){1}, reduction="batchmean"{2})',
    'F.kl_div(input=made(scores){0}, target=told(scores){1}, reduction="sum"{2})',
    'nn.KLDivLoss(reduction="batchmean"{2})(made(scores){0}, told(scores){1})',
)
MOVES = ("", ".contiguous()", ".view(-1, 4)", "[:8]", ".reshape(4, 4, 4)", ".detach()")
PROBABILITIES = ("F.softmax(scores, dim=1)", "scores.softmax(1)", "nn.Softmax(dim=-1)(scores)", "torch.softmax(scores, 1)")
LOGARITHMS = ("F.log_softmax(scores, dim=1)", "scores.log_softmax(1)", "nn.LogSoftmax(dim=-1)(scores)")


def program(loss: str, made: str, told: str, move: str, more: str) -> str:
    return PROGRAM.format(made=made, told=told, loss=loss.format(move, move, more))


def codes(text: str, folder: Path) -> list[str]:
    (folder / "main.py").write_text(text, encoding="utf-8")
    session = Session(Configuration(isolated=True))
    return [finding.code for finding in session.check_file(folder / "main.py").findings]


def value(text: str) -> float:
    names: dict[str, float] = {}
    exec(compile(text, "main.py", "exec"), names)
    return float(names["loss"])


CASES = list(itertools.product(LOSSES, MOVES))


@pytest.mark.parametrize(("loss", "move"), CASES)
def test_two_equal_distributions_have_no_divergence(loss: str, move: str, tmp_path: Path) -> None:
    for number, (made, told) in enumerate(itertools.product(LOGARITHMS, PROBABILITIES)):
        text = program(loss, made, told, move, "")
        assert codes(text, tmp_path) == []
        assert number or abs(value(text)) < 1e-4
    both = program(loss, LOGARITHMS[0], LOGARITHMS[1], move, ", log_target=True")
    assert codes(both, tmp_path) == []
    assert abs(value(both)) < 1e-4


@pytest.mark.parametrize(("loss", "move"), CASES)
def test_probabilities_in_place_of_logarithms(loss: str, move: str, tmp_path: Path) -> None:
    for made in (*PROBABILITIES, "scores", "torch.sigmoid(scores)"):
        text = program(loss, made, PROBABILITIES[0], move, "")
        assert codes(text, tmp_path) == ["DLL113"]
        assert not abs(value(text)) < 1e-2


@pytest.mark.parametrize(("loss", "move"), CASES)
def test_a_target_on_the_wrong_scale(loss: str, move: str, tmp_path: Path) -> None:
    for told in LOGARITHMS:
        text = program(loss, LOGARITHMS[0], told, move, "")
        assert codes(text, tmp_path) == ["DLL113"]
        assert not abs(value(text)) < 1e-2
    text = program(loss, LOGARITHMS[0], PROBABILITIES[0], move, ", log_target=True")
    assert codes(text, tmp_path) == ["DLL113"]
