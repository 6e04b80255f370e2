"""``atleast_1d``, ``atleast_2d`` and ``atleast_3d`` of torch and numpy: axes of size 1 where there are too few."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import Machine
from dllint.ir.program import TensorVal
from dllint.ir.values import Value

#: The places of the new axes, by the axes that there are and those that are wanted: (N,) is (1, N) and (1, N, 1), (M, N) is
#: (M, N, 1).
_AXES: Final[Mapping[tuple[int, int], tuple[int, ...]]] = {
    (0, 1): (0,), (0, 2): (0, 0), (1, 2): (0,), (0, 3): (0, 0, 0), (1, 3): (0, 2), (2, 3): (2,),
}  # fmt: skip


def at_least(machine: Machine, value: Value, wanted: int, spelled: str) -> Value:
    """A tensor with ``wanted`` axes at least, which shares its elements; the tensor itself if it has them."""
    if not isinstance(value, TensorVal):
        return machine.unknown("no-tensor", spelled)
    framework = value.framework
    if isinstance(value.shape, Unknown):
        shape = Unknown("unknown-rank", spelled)
        return machine.emit("reshape", {"x": value, "shape": shape}, framework=framework, spelled=spelled)
    found: Value = value
    for axis in _AXES.get((len(value.shape), wanted), ()):
        found = machine.emit("unsqueeze", {"x": found, "dim": axis}, framework=framework, spelled=spelled)
    return found
