"""Values of the interpreter that no library protocol needs to know: choices, shapes of tensors of unknown rank."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dllint.domains.lattice import Unknown, UnknownResult
from dllint.ir.program import TensorVal
from dllint.ir.values import AbstractVal, DictVal, FuncVal, Value


@dataclass(slots=True, eq=False)
class ChoiceVal(AbstractVal):
    """One of several values of different kinds, left by joined branches (two layers, say). Calling it calls each."""

    options: tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Arithmetic(UnknownResult):
    """What arithmetic makes of arguments that nothing is known about. It is a number once they have been used as numbers:
    ``compute`` gives it from the operands. ``weight`` counts the operations behind it, as often as they are used."""

    operands: tuple[Value, ...] = ()
    compute: Callable[..., Value] = field(default=lambda *_: Unknown("arithmetic"), repr=False)
    weight: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Widened(Unknown):
    """What changes in every pass of a loop, with the values that some passes have given it: there may be others."""

    values: tuple[Value, ...] = ()


def changing(value: Value, latest: Value) -> Unknown:
    """What is known of a place that changes in every pass of a loop: the dicts that the last pass, or one before, has left."""
    options = value.options if isinstance(value, ChoiceVal) else (value,)
    dicts = tuple(option for option in (*options, latest) if isinstance(option, DictVal))
    reason = "changes in every iteration"
    return Widened("loop", reason, dicts) if dicts else Unknown("loop", reason)


@dataclass(slots=True, eq=False)
class ShapeVal(AbstractVal):
    """The shape of a tensor whose rank is not known; unpacking it into n names determines the rank."""

    tensor: TensorVal


@dataclass(slots=True, eq=False)
class ContextVal(AbstractVal):
    """What a call of a function under ``@contextmanager`` gives: its body is executed around the ``with`` block."""

    func: FuncVal
    variables: dict[str, Value]


@dataclass(slots=True, eq=False)
class SuperVal(AbstractVal):
    """``super()``: attribute lookup on ``receiver`` starts after ``after`` in the MRO of its class."""

    after: Value
    receiver: Value
