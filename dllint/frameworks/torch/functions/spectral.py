"""Fourier transforms, windows and complex numbers: ``torch.fft``, ``torch.stft`` and the functions beside them."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.fourier import FREQUENCIES, PLANES, SHIFTS, SPACES, TRANSFORMS
from dllint.frameworks.rows import FunctionRow, rows

WINDOWS: Final = ("hann_window", "hamming_window", "blackman_window", "bartlett_window", "kaiser_window")
PARTS: Final = {"real_part": "real", "imaginary_part": "imag", "angle": "angle"}

_STEPS: Final = "n, d=1.0, *, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False"
_AXES: Final = "input, s=None, dim=(-2, -1), norm=None, *, out=None"

ROWS: Final[tuple[FunctionRow, ...]] = (
    *rows("torch.fft", "torch", TRANSFORMS | SPACES | SHIFTS),
    *(FunctionRow(f"torch.fft.{name}", name, "torch", params=_STEPS) for name in FREQUENCIES),
    *(FunctionRow(f"torch.fft.{name}", op, "torch", params=_AXES) for op, names in PLANES.items() for name in names.split()),
    *rows("torch", "torch", {name: name for name in WINDOWS}, {"window_length": "n"}),
    *rows("torch", "torch", PARTS),
    FunctionRow("torch.complex", "complex_of_parts", "torch", {"real": "x", "imag": "y"}),
    FunctionRow("torch.polar", "polar", "torch", {"abs": "x", "angle": "y"}),
    FunctionRow("torch.stft", "stft", "torch"),
    FunctionRow("torch.istft", "istft", "torch"),
)
METHODS: Final[tuple[FunctionRow, ...]] = (
    FunctionRow("torch.Tensor.angle", "angle", "torch"),
    FunctionRow("torch.Tensor.stft", "stft", "torch"),
    FunctionRow("torch.Tensor.istft", "istft", "torch"),
)
