"""Graphs that sums and lists keep from pass to pass, although they have been differentiated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.own_statements import enclosing
from dllint.analysis.ranges.uses import is_learned
from dllint.analysis.training import Loop, library_classes
from dllint.analysis.typestate import released
from dllint.analysis.typestate.leaves import COPYING
from dllint.analysis.typestate.recording import without_recording
from dllint.domains.lattice import Unknown, UnknownResult
from dllint.ir import events
from dllint.ir.program import TensorVal
from dllint.ir.values import DictVal, Value, unwrap
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.source.walk import small_statements, walk

#: The step of a module whose trainer differentiates what it returns, and the entry of a table by which it may return that.
_STEP: Final = "training_step"
_LOSS: Final = "loss"


@dataclass(frozen=True, slots=True)
class Held:
    """What ``kept`` keeps beyond the pass of a loop is, or belongs to, the loss that ``differentiated`` differentiates in it,
    or gives to a trainer that does."""

    kept: events.Kept
    differentiated: events.Backward | events.Return


def held(facts: Facts) -> Iterator[Held]:
    """The sums and lists that keep losses with their graphs, each once, and that are never differentiated themselves."""
    kept = facts.events(events.Kept)
    if not kept:
        return
    if not facts.events(events.Backward):
        yield from _held_by_steps(kept, facts)
        return
    off, seen = without_recording(facts), set[int]()
    for event in kept:
        loop = _training_loop(event, facts)
        if loop is None or id(event) in off or id(event.site.node) in seen or not released.reads_itself(event):
            continue
        backward = _backward_of(event, loop, facts)
        if backward is not None and _outlives(event, loop, facts) and not _is_differentiated(event, backward, facts):
            seen.add(id(event.site.node))
            yield Held(event, backward)


def _held_by_steps(kept: Sequence[events.Kept], facts: Facts) -> Iterator[Held]:
    """What the step of a module keeps in an attribute of the module, if its trainer differentiates what the step returns."""
    off, seen = without_recording(facts), set[int]()
    for given in facts.events(events.Return):
        if given.function.name != _STEP or not any(name.endswith(".LightningModule") for name in library_classes(given.owner)):
            continue
        loss = unwrap(given.value.items.get(_LOSS)) if isinstance(given.value, DictVal) else given.value
        if not isinstance(loss, TensorVal):
            continue
        for event in kept:
            is_own = event.owner is given.owner and event.scope == given.scope and id(event) not in off
            is_listed = isinstance(event.target, cst.Attribute) and event.container is not None
            if not is_own or not is_listed or id(event.site.node) in seen or released.is_let_go_by_hooks(event):
                continue
            if _carries_graph(event.value, loss, facts):
                seen.add(id(event.site.node))
                yield Held(event, given)


def _training_loop(event: events.Kept, facts: Facts) -> Loop | None:
    """The loop whose passes differentiate what is kept: the innermost one, or one around it where that goes through values of a
    pass, such as the entries that are logged, in a function of its own."""
    around = sorted(facts.training.around(event), key=lambda loop: loop.end - loop.start)
    if not around or facts.training.within(around[0], events.Backward):
        return around[0] if around else None
    loop = next((loop for loop in around[1:] if facts.training.within(loop, events.Backward)), None)
    if loop is None or around[0].edge.site.caller is not None:
        return loop
    return loop if _is_only_filled(event, loop) else None


def _is_only_filled(event: events.Kept, loop: Loop) -> bool:
    """Whether a pass of a loop does nothing with what keeps a value but to put values into it, in an inner loop."""
    if event.container is None or not isinstance(event.target, cst.Name):
        return False
    body = list(walk(loop.edge.node.body))
    inside = any(part is event.site.statement for part in body)
    mentioned = [part for part in body if isinstance(part, cst.Name) and part.value == event.target.value]
    return inside and all(part is event.target for part in mentioned)


def _backward_of(event: events.Kept, loop: Loop, facts: Facts) -> events.Backward | None:
    """The backward pass of a loop, if what is kept carries the graph of its loss; of several, that of the very
    loss that is kept."""
    passes = facts.training.within(loop, events.Backward)
    carries = _carries_graph if len({id(backward.site.node) for backward in passes}) == 1 else _is_loss
    return next((backward for backward in passes if carries(event.value, backward.target, facts)), None)


def _is_loss(value: Value, loss: Value, _: Facts) -> bool:
    return isinstance(value, TensorVal) and isinstance(loss, TensorVal) and value.is_same_object(loss)


def _carries_graph(value: Value, loss: Value, facts: Facts) -> bool:
    """Whether a value is a loss, or is computed in the graph of it or from it, and is not cut off."""
    if not isinstance(value, TensorVal) or not isinstance(loss, TensorVal):
        return isinstance(loss, Unknown) and _is_made_of(value, loss)
    if value.framework != "torch" or loss.framework != "torch":
        return False
    if value.is_same_object(loss):
        return True
    if _is_computed_from(value, loss, facts):
        return True
    if not is_learned(value, facts):
        return False
    makers = {id(op) for op in facts.ancestors(loss)}
    return id(value.producer) in makers


def _is_computed_from(value: TensorVal, loss: TensorVal, facts: Facts) -> bool:
    """Whether gradients come from a value back to a loss, which has a graph as it is differentiated."""
    todo, seen = [value], set[int]()
    while todo:
        op = todo.pop().producer
        if op is not None and op is loss.producer:
            return True
        if op is None or id(op) in seen or id(op) in facts.without_gradient or op.spelled in COPYING:
            continue
        if any(does(op, trait) for trait in (Trait.NO_GRADIENT, Trait.TRUTH, Trait.POSITIONS)):
            continue
        seen.add(id(op))
        todo += op.inputs
    return False


def _is_made_of(value: Value, loss: Unknown) -> bool:
    """Whether a value is an unknown loss, or arithmetic has made it of that."""
    if value is loss:
        return True
    return isinstance(value, UnknownResult) and any(
        isinstance(part, Unknown) and _is_made_of(part, loss) for part in value.operands
    )


def _outlives(event: events.Kept, loop: Loop, facts: Facts) -> bool:
    """Whether what keeps a value is there before a pass of a loop and after it: an attribute, a variable of the loop's own
    function, a list that its caller has passed to a helper, or what a helper gives for a variable that it is called with; and
    nothing in the loop sets it anew."""
    inside = list(walk(loop.edge.node.body))
    is_own = any(part is event.site.statement for part in inside)
    statement, target = event.site.statement, released.holder(event.target)
    given_back = None if is_own else _given_back(event, loop)
    if given_back is not None:
        statement, target = given_back
    elif not is_own and not isinstance(target, cst.Attribute) and not _is_passed_list(event):
        return False
    own = released.assignment(statement, target)
    assigned = (part for part in inside if isinstance(part, cst.Assign) and part is not own)
    variables = (variable for part in assigned for variable in released.targets(part))
    if any(variable.deep_equals(target) for variable in variables) or _is_loop_variable(target, loop):
        return False
    return not released.is_let_go(event, statement, target, loop, facts)


def _given_back(event: events.Kept, loop: Loop) -> tuple[cst.CSTNode, cst.BaseExpression] | None:
    """The statement ``x = f(x, value)`` of a loop, and its ``x``, if the function adds the value to that parameter and gives
    the sum back."""
    place, target = event.site.caller, event.target
    if event.container is not None or place is None or not isinstance(place.node, cst.Call) or not isinstance(target, cst.Name):
        return None
    function = next((part for part in reversed(enclosing(event.site)) if isinstance(part, cst.FunctionDef)), None)
    assign = next((part for part in getattr(place.statement, "body", ()) if isinstance(part, cst.Assign)), None)
    inside = any(part is place.statement for part in walk(loop.edge.node.body))
    if function is None or assign is None or assign.value is not place.node or len(assign.targets) != 1 or not inside:
        return None
    number = next((n for n, one in enumerate(function.params.params) if one.name.value == target.value), None)
    returns = [small for line in function.body.body for small in small_statements(line) if isinstance(small, cst.Return)]
    if number is None or len(returns) != 1 or returns[0].value is None or not returns[0].value.deep_equals(target):
        return None
    variable = assign.targets[0].target
    given = [argument for argument in place.node.args if argument.value.deep_equals(variable)]
    is_given = any(one.keyword is None or one.keyword.value == target.value for one in given)
    return (place.statement, variable) if isinstance(variable, cst.Name) and is_given else None


def _is_passed_list(event: events.Kept) -> bool:
    """Whether a list is a parameter of the function that puts something into it."""
    if event.container is None or not isinstance(event.target, cst.Name):
        return False
    for function in (part for statement in event.site.document.body for part in walk(statement)):
        if isinstance(function, cst.FunctionDef) and any(part is event.site.statement for part in walk(function.body)):
            return any(param.name.value == event.target.value for param in function.params.params)
    return False


def _is_loop_variable(target: cst.BaseExpression, loop: Loop) -> bool:
    node = loop.edge.node
    return isinstance(node, cst.For) and any(part.deep_equals(target) for part in walk(node.target))


def _is_differentiated(event: events.Kept, backward: events.Backward, facts: Facts) -> bool:
    """Whether what keeps a loss may be differentiated as a whole: another backward pass has a loss that is not known or that
    comes from the sum, or the expression that is differentiated mentions it."""
    target = released.holder(event.target)
    names = {part.value for part in walk(target) if isinstance(part, cst.Name)} - {"self"}
    names |= {target.attr.value} if isinstance(target, cst.Attribute) else set()
    for other in facts.events(events.Backward):
        mentioned = {part.value for part in walk(other.site.node) if isinstance(part, cst.Name)}
        if names & mentioned:
            return True
        if other.site.node is not backward.site.node and not isinstance(other.target, TensorVal):
            return True
        if other is not backward and other.site.node is backward.site.node and not isinstance(other.target, TensorVal):
            continue
        if other is not backward and _comes_from(other.target, event.value, facts):
            return True
    return False


def _comes_from(loss: Value, value: Value, facts: Facts) -> bool:
    if not isinstance(loss, TensorVal) or not isinstance(value, TensorVal):
        return True
    return any(op is value.producer for op in facts.ancestors(loss))
