"""Arguments that must be whole numbers: the libraries refuse a float there, also one like 2.0."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from dllint.domains.lattice import UnknownFloat
from dllint.ir.program import Fault, Framework
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.layers import layer

_SHAPE: Final = "shape"
_NOT_WHOLE: Final = ", not a whole number"
#: What stands for no number: computed from an argument that may be an int all the same.
_PERHAPS: Final = ("parameter", "symbolic-arithmetic")


def not_whole(op: str, framework: Framework, config: Mapping[str, Value]) -> Iterator[Fault]:
    """The arguments of an operation that are floats in the place of whole numbers."""
    asked = layer(op)
    if asked.scaled and config.get("affine") is not True:
        return
    for name in asked.whole:
        value = config.get(name)
        several = isinstance(value, tuple)
        if not _is_refused(op, framework, name, several):
            continue
        for number in value if isinstance(value, tuple) else (value,):
            if is_float(number):
                yield _fault(name, number, "a size is a float" if several else "it is a float")
                break


def _is_refused(op: str, framework: Framework, name: str, several: bool) -> bool:
    """Whether a library refuses floats as an argument: torch always, numpy in shapes, Keras but in most tuples."""
    if framework == "keras":
        return name != _SHAPE and (not several or (name == "kernel_size" and "conv" in op))
    return framework == "torch" or (framework == "numpy" and name == _SHAPE)


def is_left_to_call(op: str, framework: Framework, operand: str) -> bool:
    """Whether a layer is built with a float in the place of this whole number, and no call of it succeeds."""
    return framework == "torch" and operand in layer(op).whole_at_call


def is_float(value: Value) -> bool:
    """Whether a value is a float for certain."""
    if isinstance(value, UnknownFloat):
        return value.reason not in _PERHAPS or value.detail == "div"
    return isinstance(value, float)


def _fault(name: str, number: Value, what: str) -> Fault:
    known = number if isinstance(number, float) else None
    advice = "use // to divide, or convert it with int(…)"
    return Fault(faults.ARGUMENT, operand=name, actual=known, detail=f"{what}{_NOT_WHOLE}", advice=advice)


def is_of_float(fault: Fault) -> bool:
    """Whether a fault is that of a float in the place of a whole number."""
    return fault.detail.endswith(_NOT_WHOLE)
