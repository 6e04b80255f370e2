"""A test of a reduction holds for the same reduction behind it, as long as nothing is written to what is reduced."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

TESTED = {
    "one": "if {f}({u}) == 0:\n        return 0.0",
    "another first": "if {f}({i}) == 0.0 or {f}({u}) == 0.0:\n        return 0.0",
    "turned": "if not {f}({u}) != 0:\n        return 0.0",
    "above": "if {f}({u}) <= 0:\n        return 0.0",
    "raised": "if {f}({u}) == 0:\n        raise ValueError('empty')",
    "arm": "if {f}({u}) > 0:\n        return {f}({i}) / {f}({u})\n    return 1.0\n    {i} = {i}",
}
PROGRAM = """
import numpy as np
import torch


def collect(table, n):
    {i}, {u} = {make}(n), {make}(n)
    for key in list(table.keys()):
        {i}[key] += table[key]
        {u}[key] += table[key]
    return {i}[1:], {u}[1:]


def score(table):
    {i}, {u} = collect(table, 2)
    {i}, {u} = {i}[1:], {u}[1:]
    {test}
    {between}
    return {f}({i}) / {f}({u})
"""
FUNCTIONS = {"np.sum": "np.zeros", "torch.sum": "torch.zeros", "np.mean": "np.zeros", "np.linalg.norm": "np.zeros"}


def codes(test: str, f: str, between: str = "pass", names: tuple[str, str] = ("i", "u")) -> list[str]:
    i, u = names
    text = PROGRAM.format(i=i, u=u, make=FUNCTIONS[f], f=f, between=between.format(u=u), test=test.format(f=f, i=i, u=u))
    return [finding.code for finding in findings(text) if finding.code == "DLN102"]


@pytest.mark.parametrize("test", TESTED.values(), ids=TESTED)
@pytest.mark.parametrize("f", ["np.sum", "torch.sum"])
@pytest.mark.parametrize("names", [("i", "u"), ("inter", "union")])
def test_a_tested_sum_is_no_divisor_of_0(test: str, f: str, names: tuple[str, str]) -> None:
    assert codes(test, f, names=names) == []


def test_without_a_test_it_is() -> None:
    assert codes("pass", "np.sum") == ["DLN102"]
    assert codes("if {f}({i}) == 0:\n        return 0.0", "np.sum", names=("a", "b")) == ["DLN102"]
