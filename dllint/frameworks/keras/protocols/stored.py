"""Arrays that a program loads: of documented shape, with the range of numbers they are stored with."""

from __future__ import annotations

from typing import Final

from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape
from dllint.frameworks.machine import Machine
from dllint.ir.program import TensorVal
from dllint.ir.values import Value

#: The numbers of a stored picture.
PIXELS: Final = (0.0, 255.0)


def stored(
    machine: Machine,
    spelled: str,
    shape: Shape | Unknown,
    dtype: DType | Unknown,
    bounds: tuple[float, float] | None = None,
) -> Value:
    """An array that ``spelled`` loads, made here; ``bounds`` are its smallest and largest number."""
    value = machine.emit("stored_data", {"shape": shape, "dtype": dtype}, framework="numpy", spelled=spelled)
    if isinstance(value, TensorVal):
        value.name = spelled.rpartition(".")[2]
        value.low, value.high = bounds or (None, None)
    return value
