"""Gradients of several batches that are added up before each step, and whether their losses are scaled to that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.own_statements import tests_within
from dllint.analysis.training import Loop, Training, is_optimizer, library_classes
from dllint.analysis.typestate import by_hand, opaque, order
from dllint.analysis.typestate.gradients import Owned, steps_of
from dllint.frameworks import registry
from dllint.ir import events
from dllint.ir.program import Event, Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import does, having_any
from dllint.ops.traits import Trait
from dllint.source.walk import walk

#: Optimizers whose steps do not depend on the size of all gradients together, by a part of their names.
_INVARIANT: Final = re.compile(r"Adam|RMSprop|Adagrad|Adadelta|Rprop|Adafactor|LAMB|Lion", re.IGNORECASE)
#: Code that scales in another way, or leaves it to a library.
_SCALES: Final = re.compile(
    r"\bwith\b[^\n]*\.accumulate\(|reduction\s*=\s*['\"]sum|\.sum\(\)\.backward|no_sync|clip_grad|deepspeed|accelerat"
)
#: What multiplies or divides.
_FACTORS: Final = having_any(Trait.MULTIPLIES | Trait.DIVIDES)
#: Libraries that decide themselves when gradients are cleared and applied.
_LEFT_TO_LIBRARIES: Final = re.compile(r"accelerat|deepspeed|fabric", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Unscaled:
    """``step`` stands under the condition that ``count`` passes of a loop are over; ``backward`` adds each of them."""

    backward: events.Backward
    step: events.Step
    count: cst.BaseExpression


def unscaled(training: Training) -> Iterator[Unscaled]:
    """The loops that add up whole gradients of so many batches, each once."""
    for loop in training.step_loops():
        happened = training.within(loop, Event)
        backward = [event for event in happened if isinstance(event, events.Backward)]
        steps = [step for step in steps_of(happened) if step.closure is None]
        if len({id(event.site.node) for event in backward}) != 1 or not steps or not order.is_unconditional(backward[0], loop):
            continue
        if not all(map(_depends_on_size, steps)) or backward[0].via is not None:
            continue
        cleared = [event for event in happened if isinstance(event, events.ZeroGrad)]
        inner = _counted_passes(training.innermost(backward[0]), loop, [*steps, *cleared], training)
        counts = [inner if inner is not None else _count_of(step, loop, backward[0]) for step in steps]
        if not cleared or None in counts:
            continue
        if inner is None and any(_count_of(event, loop, backward[0]) is None for event in cleared):
            continue
        if not by_hand.may_add_up(backward[0].target) or opaque.is_handed_on(backward[0].target, happened):
            continue
        if counts[0] is not None and not _is_scaled(counts[0], loop, backward[0]):
            yield Unscaled(backward[0], steps[0], counts[0])


def _counted_passes(inner: Loop | None, loop: Loop, outside: Sequence[Event], training: Training) -> cst.BaseExpression | None:
    """How many passes an inner loop of a training loop counts, ``for micro_step in range(count)``, if some events are in the
    training loop and not in it."""
    node = inner.edge.node if inner is not None and inner is not loop else None
    if not isinstance(node, cst.For) or any(training.innermost(event) is not loop for event in outside):
        return None
    call = node.iter
    counts = isinstance(call, cst.Call) and isinstance(call.func, cst.Name) and call.func.value == "range"
    return call.args[0].value if isinstance(call, cst.Call) and counts and len(call.args) == 1 else None


def _depends_on_size(step: events.Step) -> bool:
    """Whether an optimizer is known and makes larger steps for larger gradients."""
    return is_optimizer(step.target) and not any(map(_INVARIANT.search, library_classes(step.target)))


@dataclass(frozen=True, slots=True)
class ClearedEachTime:
    """``cleared`` clears in every pass of a loop the gradients that ``step`` applies after ``count`` passes only."""

    cleared: events.ZeroGrad
    step: events.Step
    count: cst.BaseExpression


def cleared_each_time(facts: Facts) -> Iterator[ClearedEachTime]:
    """The loops with one backward pass, in every pass, the gradients of which are cleared in every pass, too, and applied under
    the condition that so many passes are over: each loop once."""
    owned = Owned(facts)
    for loop in facts.training.step_loops():
        happened = facts.training.within(loop, Event)
        backward = [event for event in happened if isinstance(event, events.Backward)]
        steps = [step for step in steps_of(happened) if step.closure is None]
        if (
            len({id(event.site.node) for event in backward}) != 1
            or not steps
            or any(tests_within(backward[0].site, loop.edge.node))
        ):
            continue
        counts = [_count_of(step, loop, backward[0]) for step in steps]
        if len({id(step.target) for step in steps}) != 1 or any(count is None for count in counts):
            continue
        if _LEFT_TO_LIBRARIES.search(loop.edge.site.document.text) or opaque.is_handed_on(steps[0].target, happened):
            continue
        cleared = [event for event in happened if isinstance(event, events.ZeroGrad) and owned.clears(event, steps[0].target)]
        every = (
            event
            for event in cleared
            if order.is_unconditional(event, loop)
            and not any(tests_within(event.site, loop.edge.node))
            and _count_of(event, loop, backward[0]) is None
        )
        found = next(every, None)
        if found is not None and counts[0] is not None and facts.training.innermost(found) is loop:
            yield ClearedEachTime(found, steps[0], counts[0])


def _count_of(step: events.TrainingEvent, loop: Loop, backward: events.Backward) -> cst.BaseExpression | None:
    """How many passes are added up: what a condition around a step, in the loop or in a function that it calls, divides a
    number by, with something left."""
    for part, statement in tests_within(step.site, loop.edge.node):
        if any(inner is statement for inner in walk(part.body)) and (count := _divisor(part)) is not None:
            return None if _code(count) == "1" or _leaves_a_rest(part.test) else count
    return _count_of_rest(step, loop, backward)


def _divisor(test: cst.If) -> cst.BaseExpression | None:
    """What a test divides a number by, with something left."""
    rests = (part for part in walk(test.test) if isinstance(part, cst.BinaryOperation))
    return next((part.right for part in rests if isinstance(part.operator, cst.Modulo)), None)


def _count_of_rest(step: events.TrainingEvent, loop: Loop, backward: events.Backward) -> cst.BaseExpression | None:
    """The same for what stands in the loop behind ``if number % count: continue``, with the backward pass in front of that."""
    for statement in loop.edge.node.body.body:
        if any(frame.statement is statement for frame in step.site.stack()):
            return None
        if isinstance(statement, cst.If) and statement.orelse is None and _goes_on(statement):
            count = _divisor(statement) if _leaves_a_rest(statement.test) else None
            if count is not None and _is_behind(step, statement, loop) and not _is_behind(backward, statement, loop):
                return None if _code(count) == "1" else count
    return None


def _leaves_a_rest(test: cst.BaseExpression, *, is_denied: bool = False) -> bool:
    """Whether a condition holds in all but one of so many passes: ``x % k``, ``x % k != c``, ``not x % k == c``. Its opposite
    holds in one of them."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return _leaves_a_rest(test.expression, is_denied=not is_denied)
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1 and _is_rest(test.left):
        compared = test.comparisons[0]
        if is_denied:
            return isinstance(compared.operator, cst.Equal)
        is_positive = isinstance(compared.operator, cst.GreaterThan) and _code(compared.comparator) == "0"
        return is_positive or isinstance(compared.operator, cst.NotEqual)
    return _is_rest(test) and not is_denied


def _is_rest(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Modulo)


def _goes_on(test: cst.If) -> bool:
    """Whether what stands under a test ends the pass of the loop."""
    last = test.body.body[-1] if test.body.body else None
    return isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[-1], cst.Continue)


def _is_behind(event: Event, test: cst.If, loop: Loop) -> bool:
    """Whether an event stands in a loop behind a statement of it, or is called from there."""
    block = list(loop.edge.node.body.body)
    place = next(number for number, part in enumerate(block) if part is test)
    called = {id(frame.statement) for frame in event.site.stack()}
    return any(id(inner) in called for part in block[place + 1 :] for inner in walk(part))


def _is_scaled(count: cst.BaseExpression, loop: Loop, backward: events.Backward) -> bool:
    """Whether something is divided by the count, or multiplied with it, or anything in the loop or the loss itself is."""
    text = loop.edge.site.document.text
    if _SCALES.search(text) or _is_product(backward.target):
        return True
    name = re.escape(_code(count))
    if re.search(rf"[/*]=?\s*(?:float\(|\()?{name}(?!\w)|(?<!\w){name}\)?\s*[/*]", text):
        return True
    return any(_scales(part) for part in walk(loop.edge.node.body)) or any(_scales(part) for part in walk(backward.site.node))


def _is_product(loss: Value) -> bool:
    """Whether a loss was multiplied or divided after it had become one number, wherever that is written, except for the
    average of its terms."""
    todo, seen = [loss], set[int]()
    while todo:
        value = todo.pop()
        op = value.producer if isinstance(value, TensorVal) and value.shape == () else None
        if op is None or id(op) in seen:
            continue
        if op.kind in _FACTORS and not _averages(op):
            return True
        seen.add(id(op))
        todo += op.inputs
    return False


def _averages(op: Op) -> bool:
    """Whether an operation makes the average of terms of their sum, ``(a + b) / 2``."""
    total, factor = op.args.get("x"), op.args.get("y")
    if isinstance(total, (int, float)):
        total, factor = factor, total
    if not isinstance(total, TensorVal) or not isinstance(factor, (int, float)):
        return False
    terms = _terms(total)
    return terms > 1 and factor == (terms if does(op, Trait.DIVIDES) else 1 / terms)


def _terms(total: TensorVal) -> int:
    """How many terms are added up to a number."""
    op = total.producer
    if op is None or not does(op, Trait.ADDS) or len(op.inputs) < 2:
        return 1
    return sum(map(_terms, op.inputs))


def _scales(part: Any) -> bool:
    if isinstance(part, cst.BinaryOperation):
        return isinstance(part.operator, (cst.Divide, cst.Multiply))
    if isinstance(part, cst.Call) and isinstance(part.func, cst.Attribute):
        row = registry.function_row(f"torch.Tensor.{part.func.attr.value}")
        return row is not None and row.op in _FACTORS
    return isinstance(part, cst.AugAssign) and isinstance(part.operator, (cst.DivideAssign, cst.MultiplyAssign))


def _code(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)
