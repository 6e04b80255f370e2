"""Origins of ranges and uses of dangerous results: the questions that rules about ranges share.

These are the chain of operations that a range comes from (also printed by ``dllint explain``), whether a condition selects
among the results, and whether gradients flow. ``dllint ir --ranges`` prints all ranges; hovers show them from the table of
places (``server/places.py``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import libcst as cst

from dllint.analysis.convex import mean_of_two
from dllint.analysis.facts import Facts
from dllint.domains.dtype import DType
from dllint.domains.interval import Interval, Origin, unbounded
from dllint.domains.lattice import Unknown
from dllint.ir.events import ContextEdge
from dllint.ir.program import Event, Op, Program, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import does, having, having_any
from dllint.ops.ranges.spec import LAYOUT, MOVES, laid_out
from dllint.ops.traits import Trait
from dllint.source.walk import walk

#: Operations that let a condition choose, that replace or cut what is not finite, or that only compare it.
_ABSORBING: Final = (
    having_any(Trait.REPLACES | Trait.LIMITS | Trait.COMPARES)
    | having(Trait.TRUTH | Trait.POINTWISE)
    | having(Trait.FILLS | Trait.KEEPS_SHAPE)
)
#: Arithmetic and moves, which hand what is not finite on.
PASSING: Final = having(Trait.KEEPS_VALUES) | having_any(
    Trait.ADDS | Trait.SUBTRACTS | Trait.MULTIPLIES | Trait.DIVIDES | Trait.NEGATES
)
_FAR: Final = 6
_LONGEST: Final = 6


def is_absorbed(op: Op, facts: Facts, depth: int = _FAR) -> bool:
    """Whether every use of a result replaces what is not finite, or chooses by a condition; or there is no element in it."""
    if has_no_elements(op):
        return True
    takers = facts.takers(op)
    if not takers or depth == 0:
        return False
    return all(taker.kind in _ABSORBING or (taker.kind in PASSING and is_absorbed(taker, facts, depth - 1)) for taker in takers)


def has_no_elements(op: Op) -> bool:
    """Whether a result has an axis of size 0."""
    shape = op.output.shape if len(op.outputs) == 1 else None
    return isinstance(shape, tuple) and any(size == 0 for size in shape)


#: Operations in which -inf is 0.
_EXPONENTIAL: Final = having_any(Trait.EXPONENTIAL | Trait.SHARES | Trait.LOG_SUM_EXP) - having(Trait.SHIFTED)


_MIXING: Final = PASSING | having(Trait.MIXES)


def is_exponentiated(op: Op, facts: Facts, depth: int = _FAR) -> bool:
    """Whether every use of a logarithm ends in an exponential, which makes 0 of -inf again."""
    takers = facts.takers(op)
    if not takers or depth == 0:
        return False
    return all(
        taker.kind in _EXPONENTIAL or (taker.kind in _MIXING and is_exponentiated(taker, facts, depth - 1)) for taker in takers
    )


#: Operations that make a tensor of written numbers alone.
_WRITTEN: Final = having(Trait.FILLS)


#: Operations that draw numbers which are practically never 0, nor alike.
_DRAWN: Final = having(Trait.DRAWS_NORMAL)
#: Operations of numbers that are nowhere 0 whose results are not either.
_AWAY_FROM_ZERO: Final = (
    LAYOUT
    | MOVES
    | having_any(
        Trait.MAGNITUDE
        | Trait.SQUARES
        | Trait.MULTIPLIES
        | Trait.DIVIDES
        | Trait.RAISES
        | Trait.ROOT
        | Trait.NEGATES
        | Trait.INVERTS
        | Trait.LENGTH
        | Trait.CHOOSES
        | Trait.VARIANCE
        | Trait.DEVIATION
        | Trait.TAKES_DATA
    )
    | having(Trait.SUMS | Trait.REDUCES)
    | having(Trait.AVERAGES | Trait.REDUCES)
)
#: How the names of what numpy draws begin, and the one that draws from given numbers.
_NUMPY, _CHOICE = "numpy.random.", "numpy.random.choice"
#: So many operations are looked at.
_MOST: Final = 40


def is_written(value: Value) -> bool:
    """Whether a tensor is computed of written numbers alone, as a mask is: who wrote it knows all of its elements."""
    return _is_made_of(value, _WRITTEN)


#: Operations that ask something of each element.
TESTS: Final = having_any(Trait.COMPARES | Trait.LOGIC) | having(Trait.TRUTH | Trait.POINTWISE)


#: Steps after which a 0 is still a 0, or true of all.
_KEEPING_ZEROS: Final = having_any(Trait.CONVERTS | Trait.MULTIPLIES | Trait.DIVIDES | Trait.ZERO_IF_ANY)


def is_condition(value: Value) -> bool:
    """Whether a tensor is a condition as numbers, or that many times one number: where it is 0, 0 is meant."""
    for _ in range(_FAR):
        value = laid_out(value)
        maker = value.producer if isinstance(value, TensorVal) else None
        if maker is None or maker.kind in TESTS:
            return maker is not None
        if maker.kind not in _KEEPING_ZEROS or len(maker.inputs) != 1:
            return False
        value = maker.inputs[0]
    return False


def is_drawn(value: Value) -> bool:
    """Whether a tensor is a norm, a spread or another product of normal random numbers (or doubles): that it is exactly 0 does
    not happen."""
    return _is_made_of(value, _DRAWN, _AWAY_FROM_ZERO)


def _is_written_mark(maker: Op, sources: frozenset[str]) -> bool:
    """Whether an operation marks a place whose number is written (``one_hot(0, depth)``)."""
    return sources is _WRITTEN and does(maker, Trait.ONE_HOT) and not maker.inputs


def _is_made_of(value: Value, sources: frozenset[str], steps: frozenset[str] | None = None) -> bool:
    """Whether all that a tensor is computed of was made by certain operations, and changed by certain ones (``None``: any)."""
    todo: list[Any] = [value]
    seen: set[int] = set()
    while todo:
        current = todo.pop()
        maker = getattr(current, "producer", None)
        if maker is None and sources is _DRAWN and _is_drawn_by_numpy(current):
            continue
        if maker is None or does(maker, Trait.VARIABLE) or maker.args.get("requires_grad") is True or len(seen) > _MOST:
            return False
        if id(maker) in seen:
            continue
        seen.add(id(maker))
        if maker.kind not in sources and not _is_written_mark(maker, sources):
            if not maker.inputs or (steps is not None and maker.kind not in steps):
                return False
            todo += _numbers_of(maker)
    return True


def _numbers_of(op: Op) -> Iterator[Any]:
    """The operands that the numbers of a result are computed of: neither conditions nor indices."""
    if does(op, Trait.CHOOSES):
        return iter((op.args.get("x"), op.args.get("y")))
    return iter((op.args.get("x"),)) if op.kind in MOVES else iter(op.inputs)


def _is_drawn_by_numpy(value: Value) -> bool:
    if not isinstance(value, TensorVal):
        return False
    name = value.name
    if not name.startswith(_NUMPY) or name == _CHOICE:
        return False
    return isinstance(value.dtype, DType) and value.dtype.kind == "float"


#: Why nothing is known about an argument that an entry is called with.
_ARGUMENTS: Final = frozenset({"argument", "parameter"})


def operand_range(op: Op, operand: Value, facts: Facts) -> Interval:
    """The range of the operand of a function that not every number is good for. An argument of the entry itself may be
    anything (elsewhere in an expression it may as well be a small number that guards)."""
    if isinstance(operand, Unknown) and operand.reason in _ARGUMENTS and _is_named(op, operand) and not _is_examined(op):
        return unbounded(Origin.INPUT)
    found = facts.ranges.at(op, operand)
    if found.origin is not Origin.INPUT or not is_worked_on(found, operand):
        return found
    return mean_of_two(op, operand, facts) or found


def is_worked_on(found: Interval, operand: Value) -> bool:
    """Whether a range says no more than that inputs may be anything and the operand is computed from inputs by arithmetic:
    what they are by their meaning (negative rates, positions) is not known then."""
    if found.low.origin is not Origin.INPUT and found.high.origin is not Origin.INPUT:
        return False
    value = laid_out(operand)
    while isinstance(value, TensorVal) and value.producer is not None and value.producer.kind in _TAKING_WEIGHTS:
        value = laid_out(value.producer.args.get("x"))
    maker = value.producer if isinstance(value, TensorVal) else None
    return maker is not None and maker.kind not in _MEANINGLESS


#: What makes numbers that may be anything whatever their inputs mean: data as it is, and layers.
_MEANINGLESS: Final = having_any(Trait.INPUT | Trait.LOADS | Trait.AFFINE | Trait.STANDARDISES)


def _is_named(op: Op, operand: Unknown) -> bool:
    """Whether the operand is an argument as it came, and not what was computed from one."""
    node = op.site.node
    if not isinstance(node, cst.Call):
        return False
    given: list[Any] = [arg.value for arg in node.args] or [getattr(node.func, "value", None)]
    return isinstance(given[0], cst.Name) and given[0].value == operand.detail


def _is_examined(op: Op) -> bool:
    """Whether a condition on the way may have excluded numbers of an operation's operand: one that names it, or one that
    the code has returned from."""
    if len(op.tested) > len(op.path):
        return True
    names = _names(op.site.node)
    return any(names & set(_WORD.findall(condition.text)) for condition in op.path)


def _names(node: cst.CSTNode | None) -> set[str]:
    """The names in an expression."""
    return {part.value for part in walk(node) if isinstance(part, cst.Name)} if node is not None else set()


_WORD: Final = re.compile(r"\w+")


def is_learned(value: Value, facts: Facts) -> bool:
    """Whether gradients flow through a tensor to something that is trained: on some way back to it, nothing is detached or
    computed where no gradients are recorded."""
    todo, seen = [value], set[int]()
    while todo:
        tensor = todo.pop()
        if not isinstance(tensor, TensorVal):
            continue
        if _is_leaf(tensor):
            return True
        op = tensor.producer
        if op is None or id(op) in seen or id(op) in facts.without_gradient or does(op, Trait.KEEPS_PLACES | Trait.NO_GRADIENT):
            continue
        seen.add(id(op))
        if op.layer is not None or does(op, Trait.VARIABLE) or op.args.get("requires_grad") is True:
            return True
        todo.extend(op.inputs)
    return False


def _is_leaf(value: TensorVal) -> bool:
    return value.producer is None and value.name in ("parameter", "weight")


#: Contexts in which no gradients are recorded, and those in which they are where they are not otherwise.
NO_GRADIENT: Final = ("torch.no_grad", "torch.inference_mode")
TAPE: Final = ("tensorflow.GradientTape",)


def inside(program: Program, contexts: tuple[str, ...]) -> frozenset[int]:
    """The operations (by ``id``) inside contexts."""
    depth, out = 0, set()
    for item in program.trace:
        if isinstance(item, Event):
            if isinstance(item, ContextEdge) and item.name in contexts:
                depth += 1 if item.phase == "enter" else -1
        elif depth > 0:
            out.add(id(item))
    return frozenset(out)


def is_weight(value: Value) -> bool:
    """Whether a tensor is a trained weight itself, which nothing but its own training moves."""
    value = laid_out(value)
    while isinstance(value, TensorVal) and value.producer is not None and value.producer.kind in _TAKING_WEIGHTS:
        value = laid_out(value.producer.args.get("x"))
    if not isinstance(value, TensorVal):
        return False
    maker = value.producer
    return _is_leaf(value) or (maker is not None and (does(maker, Trait.VARIABLE) or maker.args.get("requires_grad") is True))


_SELECTING: Final = having_any(Trait.INDEXES | Trait.CUTS | Trait.PERMUTES)


#: Steps from a weight to what is part of it, or its negative.
_TAKING_WEIGHTS: Final = _SELECTING | having(Trait.NEGATES)


def chain(value: Value, facts: Facts, longest: int = _LONGEST) -> Iterator[tuple[Op, Interval]]:
    """The operations that a range comes from, last first: at each the operand with the weakest known bounds."""
    for _ in range(longest):
        maker = value.producer if isinstance(value, TensorVal) else None
        if maker is None:
            return
        found = facts.ranges.of(value)
        if not found.known:
            return
        yield maker, found
        following = [v for v in maker.inputs if facts.ranges.of(v).known]
        if not following or _starts(maker, found):
            return
        value = max(following, key=lambda v: (facts.ranges.of(v).origin % Origin.UNKNOWN, -v.id))


def stated_source(value: Value, facts: Facts) -> TensorVal | None:
    """The tensor whose stated range a value's range comes from, if it does."""
    if not isinstance(value, TensorVal) or value.stated is not None:
        return value if isinstance(value, TensorVal) else None
    met = (tensor for maker, _ in chain(value, facts) for tensor in (*maker.outputs, *maker.inputs))
    return next((tensor for tensor in met if tensor.stated is not None), None)


_BOUNDING: Final = having_any(Trait.SOFTMAX | Trait.LOGISTIC | Trait.TANH | Trait.CLAMPS)


def _starts(maker: Op, found: Interval) -> bool:
    """Whether an operation bounds its result whatever its operands are."""
    return maker.kind in _BOUNDING or maker.layer is not None
