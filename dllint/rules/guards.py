"""The guard for a dangerous operand, by operation: what the fixes of rules about ranges offer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import libcst as cst

from dllint.domains.floating import FloatFormat
from dllint.domains.interval import Interval
from dllint.edit import Applicability, Edit, Fix
from dllint.fixes.boundary import builder, offering
from dllint.fixes.calls import replace_expression
from dllint.fixes.imports import name_for
from dllint.fixes.operations import overwrites
from dllint.ir.program import Op
from dllint.ops.kinds import by_name, does
from dllint.ops.ranges.spec import format_of
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.guarding import (
    EPSILON,
    at_least,
    at_most,
    increased,
    inside_one,
    operand_node,
    small_divisor,
    within,
    written,
)
from dllint.rules.offers import offer

Guarded = tuple[str, tuple[Edit, ...]]


@dataclass(frozen=True, slots=True)
class Operand:
    """A dangerous operand: the operation, the operand's name, its range, the format it is computed in, and the largest
    argument of an exponential."""

    op: Op
    name: str
    found: Interval
    fmt: FloatFormat
    limit: float = 0.0

    @property
    def node(self) -> Any:
        """Its expression."""
        return operand_node(self.op, self.name)


@offering
def guard(op: Op, name: str, found: Interval, context: Context, limit: float = 0.0) -> list[Fix]:
    """The fix that keeps an operand where the operation and its derivative are finite; none if it is not written in place."""
    make = _exponential if (limit and not does(op, Trait.HYPERBOLIC)) or does(op, Trait.EXPONENTIAL) else _GUARDS.get(op.kind)
    if make is None or op.layer is not None or not op.site.document.editable or (name == "x" and overwrites(op)):
        return []
    message, edits = make(Operand(op, name, found, format_of(op.output.dtype, op.framework), limit))
    return offer(context, message, edits, Applicability.UNSAFE)


def _logarithm(given: Operand) -> Guarded:
    return "Guard the argument", at_least(given.op, given.node, EPSILON[given.fmt.name])


def _shifted_logarithm(given: Operand) -> Guarded:
    return "Guard the argument", at_least(given.op, given.node, "-1 + 1e-3" if given.fmt.name == "float16" else "-1 + 1e-6")


def _quotient(given: Operand) -> Guarded:
    """A small number is added to what is not negative; otherwise, 0 becomes 1."""
    if given.found.low.value >= 0:
        return "Add a small number to the divisor", increased(given.op, given.node, small_divisor(given.fmt))
    return "Divide by 1 where the divisor is 0", _without_zero(given.op, given.node)


#: Per framework: the selection, the test for equality if it is a function, and a tensor of ones.
_SELECTION: Final = {
    "torch": ("torch.where", "", "torch.ones_like"),
    "tensorflow": ("tensorflow.where", "tensorflow.equal", "tensorflow.ones_like"),
    "keras": ("keras.ops.where", "keras.ops.equal", "keras.ops.ones_like"),
}


@builder
def _without_zero(op: Op, node: cst.CSTNode | None) -> tuple[Edit, ...]:
    """``y`` becomes ``where(y == 0, ones_like(y), y)``, if it is a name."""
    if not isinstance(node, (cst.Name, cst.Attribute)) or op.framework not in _SELECTION:
        return ()
    where, equal, ones = ((name_for(op.site.document, name) if name else ("", ())) for name in _SELECTION[op.framework])
    text = written(op, node)
    test = f"{equal[0]}({text}, 0)" if equal[0] else f"{text} == 0"
    edits = replace_expression(op.site, node, f"{where[0]}({test}, {ones[0]}({text}), {text})")
    return (*edits, *where[1], *equal[1], *ones[1])


def _root(given: Operand) -> Guarded:
    """A small number is added to what is not negative; rounding below 0 is cut off."""
    number = "1e-3" if not does(given.op, Trait.MONOTONE) and given.fmt.name == "float16" else EPSILON[given.fmt.name]
    if given.found.low.value < 0:
        return "Guard the argument", at_least(given.op, given.node, number)
    return "Add a small number", increased(given.op, given.node, number)


def _arc(given: Operand) -> Guarded:
    return "Keep the argument away from -1 and 1", inside_one(given.op, given.node, given.fmt)


def _hyperbolic_arc(given: Operand) -> Guarded:
    return "Keep the argument above 1", at_least(
        given.op, given.node, "1 + 1e-2" if given.fmt.name == "float16" else "1 + 1e-6"
    )


def _exponential(given: Operand) -> Guarded:
    return "Limit the argument", at_most(given.op, given.node, given.limit)


def _two_sided(given: Operand) -> Guarded:
    number = f"{int(given.limit)}.0"
    return "Limit the argument", within(given.op, given.node, f"-{number}", number)


#: TensorFlow's lengths, which have no derivative at 0: what they are the root of, and of what that is the sum.
_LENGTHS: Final = by_name(
    {
        Trait.LENGTH: ("tensorflow.reduce_sum", "tensorflow.square"),
        Trait.DEVIATION: ("tensorflow.math.reduce_variance", ""),
    }
)


def _length(given: Operand) -> Guarded:
    """``norm(x, …)`` becomes ``sqrt(reduce_sum(square(x), …) + e)``, ``std(x, …)`` the root of the variance."""
    op, node = given.op, given.op.site.node
    if op.framework != "tensorflow" or not isinstance(node, cst.Call) or not node.args or not _is_euclidean(op):
        return "", ()
    first, *others = node.args
    if first.keyword is not None or any(arg.keyword is None or arg.keyword.value in ("ord", "name") for arg in others):
        return "", ()
    root, total, square = (
        name_for(op.site.document, name) if name else ("", ()) for name in ("tensorflow.sqrt", *_LENGTHS[op.kind])
    )
    inside = f"{square[0]}({written(op, first.value)})" if square[0] else written(op, first.value)
    given_text = ", ".join([inside, *(f"{_keyword(arg)}={written(op, arg.value)}" for arg in others)])
    edits = replace_expression(op.site, node, f"{root[0]}({total[0]}({given_text}) + {EPSILON[given.fmt.name]})")
    return "Add a small number inside the root", (*edits, *root[1], *total[1], *square[1])


def _is_euclidean(op: Op) -> bool:
    return op.args.get("p", op.args.get("ord")) in (None, 2, "euclidean")


def _keyword(arg: cst.Arg) -> str:
    return arg.keyword.value if arg.keyword is not None else ""


_GUARDS: Final[dict[str, Callable[[Operand], Guarded]]] = by_name(
    {
        Trait.LOGARITHM | Trait.SHIFTED: _shifted_logarithm,
        Trait.LOGARITHM: _logarithm,
        Trait.DIVIDES: _quotient,
        Trait.INVERTS: _quotient,
        Trait.DIVIDES_WHOLE: _quotient,
        Trait.ROOT: _root,
        Trait.RAISES: _root,
        Trait.ARC: _arc,
        Trait.ABOVE_ONE: _hyperbolic_arc,
        Trait.HYPERBOLIC: _two_sided,
        Trait.LENGTH: _length,
        Trait.DEVIATION: _length,
    }
)
