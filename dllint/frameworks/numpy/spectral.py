"""Rows of ``numpy.fft`` and of functions of complex numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dllint.frameworks.fourier import FREQUENCIES, PLANES, SHIFTS, SPACES, TRANSFORMS
from dllint.frameworks.rows import FunctionRow

WINDOWS: Final = {
    "hann_window": "hanning",
    "hamming_window": "hamming",
    "blackman_window": "blackman",
    "bartlett_window": "bartlett",
}
PARTS: Final = {"real_part": ("real", "val"), "imaginary_part": ("imag", "val"), "angle": ("angle", "z")}

_ROWS: Final[tuple[tuple[Mapping[str, str], str, str, Mapping[str, str]], ...]] = (
    (TRANSFORMS, "fft.", "a, n=None, axis=-1, norm=None, out=None", {"a": "x", "axis": "dim"}),
    (PLANES, "fft.", "a, s=None, axes=(-2, -1), norm=None, out=None", {"a": "x", "axes": "dim"}),
    (SPACES, "fft.", "a, s=None, axes=None, norm=None, out=None", {"a": "x", "axes": "dim"}),
    (SHIFTS, "fft.", "x, axes=None", {"axes": "dim"}),
    (FREQUENCIES, "fft.", "n, d=1.0, device=None", {}),
    (WINDOWS, "", "M", {"M": "n"}),
)

ROWS: Final[tuple[FunctionRow, ...]] = (
    *(
        FunctionRow(f"numpy.{home}{name}", op, "numpy", rename, params=params)
        for table, home, params, rename in _ROWS
        for op, names in table.items()
        for name in names.split()
    ),
    *(
        FunctionRow(f"numpy.{name}", op, "numpy", {given: "x"}, params=f"{given}, deg=False")
        for op, (name, given) in PARTS.items()
    ),
)
