"""Values of the interpreter that no library protocol needs to know: choices, shapes of tensors of unknown rank."""

from __future__ import annotations

from dataclasses import dataclass

from dllint.ir.program import TensorVal
from dllint.ir.values import Value


@dataclass(slots=True, eq=False)
class ChoiceVal:
    """One of several values of different kinds, left by joined branches (two layers, say). Calling it calls each."""

    options: tuple[Value, ...]


@dataclass(slots=True, eq=False)
class ShapeVal:
    """The shape of a tensor whose rank is not known; unpacking it into n names tells the rank."""

    tensor: TensorVal


@dataclass(slots=True, eq=False)
class SuperVal:
    """``super()``: attribute lookup on ``receiver`` starts after ``after`` in the MRO of its class."""

    after: Value
    receiver: Value
