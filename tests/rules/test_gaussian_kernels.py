"""DLN105 asks for the sign of an argument: what is squared, or divided by a square, has one whatever it is made of."""

from __future__ import annotations

import itertools

import pytest

from tests.rules.harness import findings

SOURCE = """
import torch
import torch.nn.functional as F
from torch import nn


class Kernel(nn.Module):
    def __init__(self, size, sigma, options=None):
        super().__init__()
        if options is not None:
            size = options["size"]
            if options.get("sigma") is None:
                sigma = size / 6
        axis = torch.arange(0, size) - size // 2
        rows, columns = torch.meshgrid(axis, axis)
        spread = {spread}
        weights = torch.exp({argument})
        weights = weights / weights.sum()
        self.register_buffer("weights", weights.view(1, size**2, 1, 1))
"""
NEGATIVE = (
    "-(rows**2 + columns**2) / spread",
    "-(rows * rows + columns * columns) / (2 * spread)",
    "-(rows.abs() + columns.abs()) / 2 / spread",
    "-((rows - 1) ** 2).float() / spread",
    "-torch.square(rows) / spread",
)
SPREADS = (
    "sigma**2",
    "sigma * sigma",
    "2 * sigma**2",
    "(size / 6) ** 2",
    "(size / 6.0) * (size / 6.0)",
    "size",
    "2.0",
    "size**2 + sigma**2",
)
OPEN = ("rows / spread", "-rows / spread", "(rows**2 + columns**2) / spread", "-(rows**3) / spread")


def composed(argument: str, spread: str) -> list[str]:
    return [found.code for found in findings(SOURCE.format(argument=argument, spread=spread)) if found.code == "DLN105"]


@pytest.mark.parametrize(("argument", "spread"), list(itertools.product(NEGATIVE, SPREADS)))
def test_exponentials_of_what_is_not_positive_are_not_told(argument: str, spread: str) -> None:
    assert composed(argument, spread) == []


@pytest.mark.parametrize("argument", OPEN)
def test_exponentials_of_what_may_be_large_are_told(argument: str) -> None:
    assert composed(argument, "sigma**2") == ["DLN105"]
