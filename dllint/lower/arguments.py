"""Values for arguments of entries about which nothing is known, and for what is computed from them.

Such an argument may be a number, a tensor, a text, an object. What uses it as a size (``nn.Linear(width, 2 * width)``,
``range(n)``) shows that it is a number; before that, nothing may be concluded from it, and arithmetic with it is kept for the
case that it turns out to be one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from dllint.domains import dim
from dllint.domains.dim import DimExpr
from dllint.domains.lattice import Unknown, UnknownFloat, UnknownResult
from dllint.domains.shape import TensorType
from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from dllint.lower.lazy import Arithmetic

if TYPE_CHECKING:
    from dllint.lower.parts import Derives, Inputs
    from dllint.lower.state import Identities

#: Reasons of unknown values that are arguments, or parts of them.
REASONS: Final = frozenset({"parameter", "argument"})
#: Reasons of unknown values that stand for several numbers, or for what no run comes to.
_NO_ONE_NUMBER: Final = frozenset({"loop", "fuel", "raised"})
#: The kinds of unknown values that may turn out to be anything.
_WITHOUT_FORM: Final = (Unknown, UnknownResult)
_NUMBERS: Final = (int, float, complex, DimExpr, UnknownFloat)


def is_argument(value: Value) -> TypeGuard[Unknown]:
    """Whether a value is an argument that nothing is known about, or a part of one."""
    return isinstance(value, Unknown) and type(value) in _WITHOUT_FORM and value.reason in REASONS


def as_dim(m: Derives, value: Value, *, surely: bool = False) -> Value:
    """An argument that nothing is known about, as the size it is: its symbol, once it has been used as a size. ``surely``:
    it is used as one now. Other values are returned as they are."""
    if isinstance(value, Arithmetic):
        operands = [as_dim(m, operand, surely=surely) for operand in value.operands]
        if not all(isinstance(operand, _NUMBERS) for operand in operands):
            return value
        return m.derive(("dim", id(value)), partial(value.compute, *operands), value)
    if surely and is_argument(value):
        of_one = ("varies", id(value)) not in m.trail.derived
        return m.derive(("dim", id(value)), partial(dim.symbol, value.detail or "n", "parameter" if of_one else "data"), value)
    known: Value = m.trail.derived.get(("dim", id(value)), value)
    return known


def element(m: Derives, value: Unknown) -> Unknown:
    """A value that stands for any element of something unknown. A size that it turns out to be is another one for each element
    (:data:`dllint.domains.dim.VARYING`)."""
    found: Unknown = m.derive(("element", id(value)), lambda: Unknown(value.reason, value.detail), value)
    m.derive(("varies", id(found)), lambda: found, found)
    return found


def as_size(m: Derives, value: Value) -> Value:
    """A value that is used as a size now. Something unknown that is no argument is one number, too, which has a name, and of
    which nothing can be proved."""
    if not isinstance(value, Unknown) or type(value) not in _WITHOUT_FORM or value.reason in REASONS | _NO_ONE_NUMBER:
        return as_dim(m, value, surely=True)
    return m.derive(("dim", id(value)), partial(dim.counted, "n"), value)


def arithmetic(m: Derives, name: str, operands: tuple[Value, ...], compute: Callable[..., Value]) -> Unknown | None:
    """The result of ``compute`` on operands of which some are unknown arguments and the others numbers; equal questions get the
    same object. ``None`` for other operands, and where too many operations would be kept."""
    unknown = next((operand for operand in operands if is_argument(operand) or isinstance(operand, Arithmetic)), None)
    if not isinstance(unknown, Unknown) or not all(map(may_be_number, operands)):
        return None
    weight = 1 + sum(operand.weight for operand in operands if isinstance(operand, Arithmetic))
    if weight > dim.HEAVIEST:
        return None
    made = m.derive(
        ("arithmetic", name, *map(_key, operands)),
        lambda: Arithmetic(unknown.reason, "", name, operands, compute, weight),
        *operands,
    )
    return made if isinstance(made, Unknown) else None


def part(m: Inputs, whole: TensorVal, key: int | str, name: str = "") -> Value:
    """``whole[key]`` of an argument that was assumed to be a tensor and turns out to be a tuple, list or dict: a new input, the
    same object for the same key. A demand on one part says nothing about the others."""

    def make() -> Value:
        reason = Unknown("input", name or f"{whole.name}[{key!r}]")
        tensor = TensorVal(TensorType(reason, reason), framework=whole.framework, name=reason.detail)
        m.known.seeds.note(tensor, True)
        m.program.inputs.append(tensor)
        return tensor

    return m.derive(("item", whole.id, key), make, whole)


def is_open(value: Value, known: Identities) -> TypeGuard[TensorVal]:
    """Whether a value is an argument that was assumed to be a tensor, and on which no operation has made a demand yet."""
    return isinstance(value, TensorVal) and value in known.seeds and isinstance(value.shape, Unknown)


def may_be_number(value: Value) -> bool:
    """Whether a value is a number or an argument that may be one."""
    return is_argument(value) or isinstance(value, (Arithmetic, *_NUMBERS))


def _key(value: Value) -> Any:
    return value if isinstance(value, (int, float, complex)) else id(value)
