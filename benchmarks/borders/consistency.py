"""Whether what is said of an open value agrees with what is said of a known one that it may turn out to be."""

from __future__ import annotations

from benchmarks.borders.kinds import B, N
from dllint.domains.atoms import Symbol
from dllint.domains.dim import Dim, DimExpr
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.domains.shape import Shape, TensorType
from dllint.ir.program import TensorVal
from dllint.ir.values import Assumed, ClassVal, InstanceVal, IterVal, LibSymbol, ListVal, Value
from dllint.lower.lazy import ChoiceVal, ShapeVal

#: The symbols of the operands that are given; all others are made by what is called.
GIVEN = frozenset({B.symbol, N.symbol})
_SEQUENCES = (tuple, ListVal, IterVal)


def invention(general: Value, special: Value) -> str:
    """What ``general`` says that ``special`` contradicts; empty if it says nothing of the kind."""
    if isinstance(general, Assumed) or isinstance(special, Assumed):
        inner = (value.value if isinstance(value, Assumed) else value for value in (general, special))
        return invention(*inner)
    if isinstance(general, ChoiceVal):
        found = [invention(option, special) for option in general.options]
        return "" if "" in found else found[0]
    if isinstance(special, Unknown | ChoiceVal) and not isinstance(special, UnknownFloat):
        return ""
    if isinstance(general, UnknownFloat):
        return "" if isinstance(special, int | float | UnknownFloat | DimExpr) else "a float"
    if isinstance(general, Unknown):
        return ""
    if isinstance(general, TensorVal):
        return _of_tensors(general, special)
    if isinstance(general, DimExpr) and (_is_fresh(general) or general is special):
        return "" if isinstance(special, int | DimExpr) or (isinstance(special, float) and special.is_integer()) else "a size"
    if isinstance(general, DimExpr | int | float | complex | str | bytes | DType) or general is None:
        return _of_constants(general, special)
    if isinstance(general, _SEQUENCES):
        return _of_sequences(general, special)
    if isinstance(general, InstanceVal) and isinstance(special, InstanceVal):
        return "" if _name(general) == _name(special) else f"an object of {_name(general)}"
    return ""


def says_nothing(value: Value) -> bool:
    """Whether a value is Unknown, or a tensor of which neither rank nor element type are known."""
    if isinstance(value, TensorVal):
        return isinstance(value.shape, Unknown)
    return isinstance(value, Unknown | ChoiceVal) and not isinstance(value, UnknownFloat)


def conforms(known: Value, told: TensorType | None) -> bool:
    """Whether a known value may be the tensor of which a call has told the type (an input of unknown rank takes that which the
    first operation on it demands)."""
    if told is None or isinstance(told.shape, Unknown) or not isinstance(known, TensorVal):
        return True
    return not isinstance(known.shape, Unknown) and not _of_shapes(told.shape, known.shape)


def _name(value: InstanceVal) -> str:
    return value.cls.name if isinstance(value.cls, LibSymbol | ClassVal) else "?"


def _of_constants(general: Value, special: Value) -> str:
    if isinstance(special, DimExpr) and _is_fresh(special):
        return ""
    if isinstance(special, UnknownFloat) and isinstance(general, float):
        return f"the number {general}"
    return "" if type(general) is type(special) and general == special else f"the value {general!r}"


def _of_tensors(general: TensorVal, special: Value) -> str:
    if not isinstance(special, TensorVal):
        return "" if isinstance(special, ShapeVal) else "a tensor"
    if isinstance(general.dtype, DType) and isinstance(special.dtype, DType) and general.dtype != special.dtype:
        return f"the element type {general.dtype}"
    wrong = (
        ""
        if isinstance(general.shape, Unknown) or isinstance(special.shape, Unknown)
        else _of_shapes(general.shape, special.shape)
    )
    if wrong:
        return wrong
    for name, wider in (("low", lambda a, b: a <= b), ("high", lambda a, b: a >= b)):
        a, b = getattr(general, name), getattr(special, name)
        if a is not None and b is not None and not wider(a, b):
            return f"that elements have the bound {name} {a}"
    return ""


def _of_shapes(general: Shape, special: Shape) -> str:
    if len(general) != len(special):
        return f"rank {len(general)}"
    for axis, (a, b) in enumerate(zip(general, special, strict=True)):
        if a != b and not _is_fresh(a) and not _is_fresh(b):
            return f"size {a} on axis {axis}"
    return ""


def _is_fresh(size: Dim) -> bool:
    """Whether a size is made of something that nothing is known about."""
    return isinstance(size, DimExpr) and any(_has_opaque(atom) for monomial, _ in size.terms for atom, _ in monomial)


def _has_opaque(atom: object) -> bool:
    if isinstance(atom, Symbol):
        return atom not in GIVEN
    parts = (getattr(atom, "left", 0), getattr(atom, "right", 0))
    return any(isinstance(part, DimExpr) and _is_fresh(part) for part in parts)


def _of_sequences(general: Value, special: Value) -> str:
    if not isinstance(special, _SEQUENCES):
        return f"a {type(general).__name__}"
    mine, mine_rest = _parts(general)
    other, other_rest = _parts(special)
    if other_rest is not None or mine_rest is not None:
        return ""
    if len(mine) != len(other):
        return f"{len(mine)} parts"
    return next((wrong for a, b in zip(mine, other, strict=True) if (wrong := invention(a, b))), "")


def _parts(value: Value) -> tuple[list[Value], Value]:
    if isinstance(value, ListVal | IterVal):
        return value.items, value.rest
    return (list(value), None) if isinstance(value, tuple) else ([], Unknown("no sequence"))
