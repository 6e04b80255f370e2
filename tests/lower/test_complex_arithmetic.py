"""A complex number times a size that is not known is complex: what it meets becomes complex, not float."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session

FACTORS = ("1j * math.pi * n", "n * 2j / 3", "(1 + 2j) * n", "-1j * n", "n / 3 * 1j", "2 * (n * 1j) + 1", "helper(n)")
USES = ("torch.view_as_real({x})", "torch.exp({x}).imag", "torch.view_as_real(torch.exp({x} / n))")
PROGRAM = """
import math
import torch
from torch import nn


def helper(size):
    turn = {helper}
    return turn * size


class Twiddle(nn.Module):
    def __init__(self, frame):
        super().__init__()
        n = frame // 2
        self.register_buffer("twiddle", torch.zeros(1) + {use})

    def forward(self, x):
        return x * self.twiddle
"""


def _found(text: str) -> list[str]:
    result = Session(Configuration(isolated=True)).check_bytes(Path("/snippet/a.py"), text.encode())
    return [finding.code for finding in result.findings if finding.severity.value != "hint"]


def _program(factor: str, use: str, helper: str) -> str:
    return PROGRAM.format(use=use.format(x=f"(({factor}) * torch.arange(n))"), helper=helper)


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("factor", FACTORS)
def test_complex_times_a_size(factor, use):
    assert _found(_program(factor, use, "1j * math.pi")) == []


@pytest.mark.parametrize("factor", ["math.pi * n", "n * 2 / 3", "n / 3 * 1.5", "helper(n)"])
def test_real_times_a_size(factor):
    assert _found(_program(factor, USES[0], "math.pi")) == ["DLT117"]
