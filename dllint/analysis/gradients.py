"""Gradient flow: whether a result is differentiated, and what receives a gradient that is not finite.

``ops/ranges/hazards.py`` declares where the derivative of an operation is infinite or NaN. A gradient is computed if something
trained is an input, gradients are not switched off (``no_grad``, evaluation) nor written by hand (autograd functions), and the
result is used otherwise than in comparisons. Where elements of a result are left out (by a mask or an index), their gradient is
0 times that derivative, which is NaN (DLN107).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.analysis.facts import Facts
from dllint.analysis.ranges.uses import PASSING, TESTS, is_learned
from dllint.domains.dtype import DType
from dllint.ir import events
from dllint.ir.program import SCRIPT, Op, TensorVal
from dllint.ir.values import InstanceVal, Value
from dllint.ops.kinds import does, having, having_any
from dllint.ops.ranges.order import same
from dllint.ops.traits import Trait
from dllint.ops.walk import behind

#: Operations through which no gradient comes back.
_ENDS: Final = having(Trait.NO_GRADIENT)
#: So many operations are followed from a result on.
_MOST: Final = 400


def is_differentiated(op: Op, operand: Value, facts: Facts) -> bool:
    """Whether gradients are computed through an operation, for something that is trained and that its operand comes from."""
    if op.framework not in ("torch", "keras", "tensorflow") or id(op) in facts.without_gradient:
        return False
    if op.framework != "torch" and not _is_recorded(op, facts):
        return False
    if any(condition.text == "not self.training" for condition in op.path) or _only_evaluates(facts):
        return False
    if id(op) in facts.own_gradient:
        return False
    return is_learned(operand, facts) and _is_used(op, facts)


def _is_recorded(op: Op, facts: Facts) -> bool:
    """Whether a script that differentiates under tapes may ask for a gradient of an operation of TensorFlow or Keras: under a
    tape, in a method of a layer or model, in a graph, or of a gradient (which is there to be part of a loss). What else it
    computes, it computes to be looked at."""
    if facts.program.entry != SCRIPT or not facts.under_tape:
        return True
    if id(op) in facts.under_tape or isinstance(op.owner, InstanceVal):
        return True
    return any(step.kind in _SYMBOLIC for step in facts.ancestors(*op.inputs))


#: Inputs of graphs, which are built first and run later, and gradients.
_SYMBOLIC: Final = having_any(Trait.INPUT | Trait.GRADIENT)


def _only_evaluates(facts: Facts) -> bool:
    """Whether the program is a script that puts a model into evaluation mode and trains nothing."""
    return facts.program.entry == SCRIPT and bool(facts.events(events.Eval)) and not facts.training.trains


def _is_used(op: Op, facts: Facts) -> bool:
    """Whether a result goes anywhere but into operations that pass no gradient back."""
    differentiated = {id(event.target) for event in facts.events(events.Backward)}
    seen: set[int] = set()
    todo = [op]
    while todo and len(seen) < _MOST:
        current = todo.pop()
        takers = facts.takers(current)
        if not takers or any(id(output) in differentiated for output in current.outputs):
            return True
        fresh = [taker for taker in takers if id(taker) not in seen and not _ends(taker)]
        seen.update(map(id, fresh))
        todo += fresh
    return len(seen) >= _MOST


def _ends(op: Op) -> bool:
    """Whether no gradient comes back through an operation."""
    if does(op, Trait.CONVERTS):
        return isinstance(op.output.dtype, DType) and op.output.dtype.kind != "float"
    return op.kind in _ENDS


#: Operations that leave some elements of an operand out, or put others in their place.
_LEAVING_OUT: Final = having_any(Trait.LIMITS | Trait.REPLACES)


def leaving_out(op: Op, facts: Facts, depth: int = 4) -> Op | None:
    """The operation that leaves elements of a result out, or replaces them: what it leaves out has the gradient 0."""
    for taker in facts.takers(op):
        if taker.kind in _LEAVING_OUT:
            return taker
        if taker.kind in PASSING and depth and (found := leaving_out(taker, facts, depth - 1)) is not None:
            return found
    return None


def masks(op: Op, facts: Facts) -> Iterator[tuple[Op, TensorVal]]:
    """The products of a result with a condition that has become a number, and that condition."""
    for taker in facts.takers(op):
        if not does(taker, Trait.MULTIPLIES):
            continue
        for name, other in (("x", "y"), ("y", "x")):
            if same(taker.args.get(name), op.output) and (test := _condition(taker.args.get(other))) is not None:
                yield taker, test


def _condition(value: Value) -> TensorVal | None:
    value = behind(value, having(Trait.KEEPS_PLACES)) if isinstance(value, TensorVal) else None
    is_test = isinstance(value, TensorVal) and value.producer is not None and value.producer.kind in TESTS
    return value if is_test else None
