"""Graphs that sums and lists keep from pass to pass, although they have been differentiated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.ranges.uses import is_learned
from dllint.analysis.training import Loop
from dllint.analysis.typestate.recording import without_recording
from dllint.domains.lattice import Unknown, UnknownResult
from dllint.ir import events
from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from dllint.source.walk import walk


@dataclass(frozen=True, slots=True)
class Held:
    """What ``kept`` keeps beyond the pass of a loop is, or belongs to, the loss that ``backward`` differentiates in it."""

    kept: events.Kept
    backward: events.Backward


def held(facts: Facts) -> Iterator[Held]:
    """The sums and lists that keep losses with their graphs, each once, and that are never differentiated themselves."""
    kept = facts.events(events.Kept)
    if not kept or not facts.events(events.Backward):
        return
    off, seen = without_recording(facts), set[int]()
    for event in kept:
        loop = facts.training.innermost(event)
        if loop is None or id(event) in off or id(event.site.node) in seen:
            continue
        backward = _backward_of(event, loop, facts)
        if backward is not None and _outlives(event, loop) and not _is_differentiated(event, backward, facts):
            seen.add(id(event.site.node))
            yield Held(event, backward)


def _backward_of(event: events.Kept, loop: Loop, facts: Facts) -> events.Backward | None:
    """The only backward pass of a loop, if what is kept carries the graph of its loss."""
    passes = facts.training.within(loop, events.Backward)
    if not passes or len({id(backward.site.node) for backward in passes}) != 1:
        return None
    return next((backward for backward in passes if _carries_graph(event.value, backward.target, facts)), None)


def _carries_graph(value: Value, loss: Value, facts: Facts) -> bool:
    """Whether a value is a loss, or is computed in the graph of it or from it, and is not cut off."""
    if not isinstance(value, TensorVal) or not isinstance(loss, TensorVal):
        return isinstance(loss, Unknown) and _is_made_of(value, loss)
    if value.framework != "torch" or loss.framework != "torch":
        return False
    if value.is_same_object(loss):
        return True
    if not is_learned(value, facts):
        return False
    makers = {id(op) for op in facts.ancestors(loss)}
    return id(value.producer) in makers or any(op is loss.producer for op in facts.ancestors(value))


def _is_made_of(value: Value, loss: Unknown) -> bool:
    """Whether a value is an unknown loss, or arithmetic has made it of that."""
    if value is loss:
        return True
    return isinstance(value, UnknownResult) and any(
        isinstance(part, Unknown) and _is_made_of(part, loss) for part in value.operands
    )


def _outlives(event: events.Kept, loop: Loop) -> bool:
    """Whether what keeps a value is there before a pass of a loop and after it: an attribute, a variable of the loop's own
    function, or a list that its caller has passed to a helper; and nothing in the loop sets it anew."""
    inside = list(walk(loop.edge.node.body))
    is_own = any(part is event.site.statement for part in inside)
    if not is_own and not isinstance(event.target, cst.Attribute) and not _is_passed_list(event):
        return False
    assigned = (part for part in inside if isinstance(part, cst.Assign) and part is not _assignment(event))
    variables = (target for part in assigned for target in _targets(part))
    return not any(target.deep_equals(event.target) for target in variables) and not _is_loop_variable(event, loop)


def _is_passed_list(event: events.Kept) -> bool:
    """Whether a list is a parameter of the function that puts something into it."""
    if event.container is None or not isinstance(event.target, cst.Name):
        return False
    for function in (part for statement in event.site.document.body for part in walk(statement)):
        if isinstance(function, cst.FunctionDef) and any(part is event.site.statement for part in walk(function.body)):
            return any(param.name.value == event.target.value for param in function.params.params)
    return False


def _targets(assign: cst.Assign) -> Iterator[cst.BaseExpression]:
    for target in assign.targets:
        value = target.target
        yield from (element.value for element in value.elements) if isinstance(value, (cst.Tuple, cst.List)) else (value,)


def _assignment(event: events.Kept) -> cst.Assign | None:
    """The statement ``x = x + value`` that keeps a value, if it is one."""
    parts = getattr(event.site.statement, "body", ())
    return next((part for part in parts if isinstance(part, cst.Assign)), None)


def _is_loop_variable(event: events.Kept, loop: Loop) -> bool:
    node = loop.edge.node
    return isinstance(node, cst.For) and any(part.deep_equals(event.target) for part in walk(node.target))


def _is_differentiated(event: events.Kept, backward: events.Backward, facts: Facts) -> bool:
    """Whether what keeps a loss may be differentiated as a whole: another backward pass has a loss that is not known or that
    comes from the sum, or the expression that is differentiated mentions it."""
    names = {part.value for part in walk(event.target) if isinstance(part, cst.Name)} - {"self"}
    names |= {event.target.attr.value} if isinstance(event.target, cst.Attribute) else set()
    for other in facts.events(events.Backward):
        mentioned = {part.value for part in walk(other.site.node) if isinstance(part, cst.Name)}
        if names & mentioned:
            return True
        if other.site.node is not backward.site.node and not isinstance(other.target, TensorVal):
            return True
        if other.site.node is not backward.site.node and _comes_from(other.target, event.value, facts):
            return True
    return False


def _comes_from(loss: Value, value: Value, facts: Facts) -> bool:
    if not isinstance(loss, TensorVal) or not isinstance(value, TensorVal):
        return True
    return any(op is value.producer for op in facts.ancestors(loss))
