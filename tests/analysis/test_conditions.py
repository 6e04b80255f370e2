"""Conditions that exclude each other are no path."""

from __future__ import annotations

import itertools

import pytest

from dllint.analysis.conditions import can_hold, formatted
from dllint.ir.program import ONE_OF_SEVERAL, Condition
from tests.rules.harness import findings

SUBJECTS = ("activation", "self.cfg.kind", "options['norm']", "len(parts)", "x.dim()", "layers[-1]")
IMPOSSIBLE = (
    ("{x} == 'a'", "{x} != 'a'"),
    ("{x} == 'a'", "{x} == 'b'"),
    ("{x} == 'a'", "{x} in ('b', 'c')"),
    ("{x} in ('a', 'b')", "{x} not in ['a', 'b', 'c']"),
    ("{x} in ('a', 'b')", "{x} in ('c', 'd')"),
    ("{x} is None", "{x} is not None"),
    ("{x} is None", "{x} > 3"),
    ("{x} is None", "{x}"),
    ("{x} is None", "{x} == 'a'"),
    ("{x}", "not {x}"),
    ("{x} is true", "{x} is false"),
    ("{x} is true", "not {x}"),
    ("{x} == 0", "{x}"),
    ("{x} > 3", "{x} <= 3"),
    ("{x} > 3", "{x} < 2"),
    ("3 < {x}", "{x} == 3"),
    ("{x} >= 3", "{x} == 2"),
    ("{x} < y", "{x} >= y"),
    ("y > {x}", "{x} >= y"),
    ("{x} == y", "y != {x}"),
    ("{x} in seen", "{x} not in seen"),
    ("not ({x} == 'a' or flag)", "{x} == 'a'"),
    ("{x} == 'a' and flag", "not flag"),
    ("section.startswith('conv')", "{x} == 'linear'", "{x} != 'linear'", "{x} == 'leaky'"),
)
POSSIBLE = (
    ("{x} == 'a'", "{x} == 'a'"),
    ("{x} == 'a'", "{x} != 'b'"),
    ("{x} in ('a', 'b')", "{x} == 'b'"),
    ("{x} in ('a', 'b')", "{x} not in ('b', 'c')"),
    ("{x} is not None", "{x} > 3"),
    ("{x} is not None", "{x} == 'a'"),
    ("{x} > 3", "{x} < 4"),
    ("{x} >= 3", "{x} <= 3"),
    ("{x} > 3", "{x} != 5"),
    ("{x}", "{x} == 'a'"),
    ("not {x}", "{x} == 0"),
    ("{x} < y", "{x} >= z"),
    ("{x} == 'a' or flag", "not flag"),
    ("not ({x} == 'a' and flag)", "{x} == 'a'"),
    ("draw() > 0.5", "draw() < 0.5"),
    ("an exception is raised", "{x} is None"),
    ("{x} == 'a long text that is cut …", "{x} == 'b'"),
)


def path(texts: tuple[str, ...], subject: str) -> tuple[Condition, ...]:
    return tuple(Condition(number, 0, text.replace("{x}", subject)) for number, text in enumerate(texts))


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("texts", IMPOSSIBLE)
def test_what_cannot_hold_together(texts, subject):
    for order in itertools.permutations(texts):
        assert not can_hold(path(order, subject))


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("texts", POSSIBLE)
def test_what_can_hold_together(texts, subject):
    assert can_hold(path(texts, subject))


def test_both_arms_of_a_branch():
    assert not can_hold((Condition(1, 0, "a"), Condition(1, 1, "b")))
    assert can_hold((Condition(1, 0, "a"), Condition(1, 0, "a")))


def test_what_defaults_select_is_neither_told_nor_compared():
    chosen = (Condition(1, 0, "mask is None", default=True), Condition(2, 0, "mask is not None"))
    assert formatted(chosen) == ("mask is not None",)
    assert can_hold(chosen)


def test_settings_count():
    assert formatted((Condition(1, 0, "a"), Condition(2, 0, ONE_OF_SEVERAL), Condition(3, 0, "a")), "b is True") == (
        "b is True",
        "a",
    )
    assert not can_hold((Condition(1, 0, "kind == 'x'"),), "kind == 'y'")


NESTED = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg

    def forward(self, x):
        x = x.view(-1, 8)
        if {outer}:
            if {inner}:
                return torch.softmax(torch.sigmoid(x), dim=1)
        return x
"""
OUTER = ("self.cfg.kind == 'a'", "self.cfg.size > 3", "self.cfg.flag")


@pytest.mark.parametrize(("outer", "inner"), list(itertools.permutations(OUTER, 2)))
def test_a_finding_under_conditions_names_them(outer, inner):
    (found,) = (finding for finding in findings(NESTED.format(outer=outer, inner=inner)) if finding.code == "DLS202")
    assert found.message.endswith(f", when {outer} and {inner}")


@pytest.mark.parametrize(
    ("outer", "inner"),
    [
        ("self.cfg.kind == 'a'", "self.cfg.kind == 'b'"),
        ("self.cfg.size > 3", "self.cfg.size < 2"),
        ("self.cfg.flag", "not self.cfg.flag"),
    ],
)
def test_under_conditions_that_exclude_each_other_nothing_is_found(outer, inner):
    assert findings(NESTED.format(outer=outer, inner=inner)) == []
