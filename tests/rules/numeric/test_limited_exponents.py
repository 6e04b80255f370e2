"""Arguments of exponentials that were cut to a range do not overflow, also as a product with labels of -1 and 1. Those
that are cut on one side, too far out, or multiplied by a large number are told."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

PROGRAM = """import {module}


def cut(scores):
    return {cut}


def loss(labels, scores):
    scores = {source}
    return {total}
"""
LIBRARIES = {
    "torch": ("torch", "torch.clamp(scores, {low}, {high})"),
    "keras": ("keras.ops as torch", "torch.clip(scores, {low}, {high})"),
    "tensorflow": ("tensorflow as torch", "torch.clip_by_value(scores, {low}, {high})"),
}
TOTALS = [
    "{log}(1 + torch.exp(-labels * scores))",
    "{log}(1 + torch.exp(labels * scores))",
    "{log}(torch.exp(scores * -labels) + 1.0)",
    "{log}(1 + torch.exp(-(labels * scores)))",
    "1 / (1 + torch.exp(-(scores * labels)))",
]


def _is_told(library: str, total: str, low: str, high: str, source: str = "cut(scores)") -> bool:
    module, cut = LIBRARIES[library]
    log = "torch.math.log" if library == "tensorflow" else "torch.log"
    text = PROGRAM.format(module=module, cut=cut.format(low=low, high=high), source=source, total=total.format(log=log))
    return bool({finding.code for finding in findings(text)} & {"DLN105", "DLN103"})


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize(("low", "high"), [("-15", "15"), ("-30.0", "30.0"), ("-80", "20")])
def test_cut_on_both_sides(library: str, total: str, low: str, high: str) -> None:
    assert not _is_told(library, total, low, high)


@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize("source", ["cut(scores).contiguous()", "cut(scores)[0]", "cut(scores) if flag else cut(scores)"])
def test_moved_afterwards(total: str, source: str) -> None:
    assert not _is_told("torch", total, "-15", "15", source)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize(("low", "high"), [("-150", "150"), ("-15", "1000")])
def test_cut_too_far_out(library: str, total: str, low: str, high: str) -> None:
    assert _is_told(library, total, low, high)


@pytest.mark.parametrize("total", TOTALS[:4])
@pytest.mark.parametrize("source", ["scores", "cut(scores) * 100", "torch.clamp(scores, max=15)", "torch.clamp(scores, min=0)"])
def test_not_cut(total: str, source: str) -> None:
    assert _is_told("torch", total, "-15", "15", source)
