"""Gradients that a loop over parameters clears, one after the other: it does what ``zero_grad()`` does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

import libcst as cst

from dllint.ir import events
from dllint.ir.program import Event, Op
from dllint.ir.values import Value
from dllint.source.walk import dotted, walk

#: Methods that hand out all parameters of a module.
_ASKING: Final = ("parameters", "named_parameters")
#: So near to a loop over groups of parameters its inner loop begins.
_NEAR: Final = 4
#: Methods by which a gradient becomes zero, and that beside which they stand.
_ZEROING: Final = frozenset({"zero_"})
_BESIDE: Final = frozenset({"detach_", "requires_grad_"})


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ClearedInLoop(events.ZeroGrad):
    """A loop clears the gradients of all parameters of ``target``."""


def with_clearings(trace: Sequence[Op | Event]) -> Sequence[Op | Event]:
    """The same trace, in which the beginning of each loop that only clears gradients is the event of clearing. Numbers of other
    events stay what they are."""
    found = {number: event for number, event in enumerate(trace) if isinstance(event, events.LoopEdge) and _clears(event)}
    if not found:
        return trace
    changed = list(trace)
    for number, edge in found.items():
        target = _target(trace, number, edge)
        if target is not None:
            changed[number] = _event(edge, target)
            inner = edge.node.body.body[0]
            for behind in range(number + 1, min(number + _NEAR, len(trace))):
                event = trace[behind]
                if isinstance(event, events.LoopEdge) and event.phase == "enter" and event.node is inner:
                    changed[behind] = _event(event, target)
    return changed


def _event(edge: events.LoopEdge, target: Value) -> ClearedInLoop:
    """The event in place of the beginning of a loop; it stands at what the loop does to each gradient."""
    common = {field.name: getattr(edge, field.name) for field in fields(Event)}
    cleared = next((part for part in walk(edge.node.body) if _clears_one(part)), edge.site.node)
    return ClearedInLoop(**common | {"site": replace(edge.site, node=cleared)}, target=target)


def _clears_one(part: cst.CSTNode) -> bool:
    """Whether a part of a loop that only clears gradients is what clears one: ``p.grad = None``, ``p.grad.zero_()``."""
    if isinstance(part, cst.Call) and isinstance(part.func, cst.Attribute):
        return part.func.attr.value in _ZEROING
    return isinstance(part, cst.Assign)


def _clears(edge: events.LoopEdge) -> bool:
    """Whether a loop begins that does nothing but to clear gradients."""
    node = edge.node
    if edge.phase != "enter" or not isinstance(node, cst.For) or node.orelse is not None:
        return False
    inner = node.body.body[0] if len(node.body.body) == 1 else None
    if isinstance(inner, cst.For):
        is_of_groups = isinstance(node.iter, cst.Attribute) and node.iter.attr.value == "param_groups"
        return is_of_groups and _goes_through(inner.iter, node.target) and inner.orelse is None and _clears_each(inner)
    return _clears_each(node)


def _goes_through(iterated: cst.BaseExpression, group: cst.BaseExpression) -> bool:
    """Whether what a loop goes through is all parameters of a group: ``group["params"]``."""
    if not isinstance(iterated, cst.Subscript) or not iterated.value.deep_equals(group) or len(iterated.slice) != 1:
        return False
    key = iterated.slice[0].slice
    name = key.value if isinstance(key, cst.Index) else None
    return isinstance(name, cst.SimpleString) and name.evaluated_value == "params"


def _clears_each(node: cst.For) -> bool:
    """Whether a loop clears the gradient of each thing that it goes through."""
    target = node.target.elements[-1].value if isinstance(node.target, cst.Tuple) else node.target
    if not isinstance(target, cst.Name):
        return False
    done = list(_done(node.body, f"{target.value}.grad"))
    return None not in done and True in done


def _done(body: cst.BaseSuite, grad: str) -> Iterator[bool | None]:
    """Of each statement: whether it clears the gradient; ``None`` if it does something else."""
    for statement in body.body:
        if isinstance(statement, cst.SimpleStatementLine):
            yield from (_small(part, grad) for part in statement.body)
        elif isinstance(statement, cst.BaseSmallStatement):
            yield _small(statement, grad)
        elif isinstance(statement, cst.If) and statement.orelse is None and _asks_for(statement.test, grad):
            yield from _done(statement.body, grad)
        else:
            yield None


def _asks_for(test: cst.BaseExpression, grad: str) -> bool:
    """Whether a condition asks whether there is a gradient."""
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        compared = test.comparisons[0]
        is_none = isinstance(compared.comparator, cst.Name) and compared.comparator.value == "None"
        return is_none and isinstance(compared.operator, (cst.IsNot, cst.NotEqual)) and dotted(test.left) == grad
    return dotted(test) == grad


def _small(part: cst.BaseSmallStatement, grad: str) -> bool | None:
    if isinstance(part, (cst.Assign, cst.Del)):
        target = part.targets[0].target if isinstance(part, cst.Assign) and len(part.targets) == 1 else None
        is_none = isinstance(part, cst.Assign) and isinstance(part.value, cst.Name) and part.value.value == "None"
        return True if is_none and target is not None and dotted(target) == grad else None
    call = part.value if isinstance(part, cst.Expr) else None
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
        return None
    method, whose = call.func.attr.value, dotted(call.func.value)
    if whose not in (grad, f"{grad}.data"):
        return None
    return True if method in _ZEROING else False if method in _BESIDE else None


def _target(trace: Sequence[Op | Event], number: int, edge: events.LoopEdge) -> Value:
    """Whose gradients a loop clears: of parameters, of the module that gave them, of an optimizer, what is stepped by the same
    name in the same function; ``None`` if that is not known."""
    node = edge.node
    if not isinstance(node, cst.For):
        return None
    if isinstance(node.iter, cst.Attribute):
        name = dotted(node.iter.value)
        same = (one for one in trace if isinstance(one, events.Step) and one.scope == edge.scope and _stepped(one) == name)
        step = next(same, None)
        return step.target if step is not None and name else None
    return _asked(edge.over, trace[:number]) if edge.over is not None else None


def _asked(parameters: Value, happened: Sequence[Op | Event]) -> Value:
    """The module that has given its parameters, wherever it was asked; ``None`` if they are no module's, or not all of one."""
    for before in reversed(happened):
        if isinstance(before, (events.LibraryCall, events.OpaqueCall)) and before.result is parameters:
            of_module = before.name.rpartition(".")[2] in _ASKING
            return _receiver(before) if of_module else None
    return None


def _receiver(call: events.LibraryCall | events.OpaqueCall) -> Value:
    if isinstance(call, events.LibraryCall):
        return call.receiver
    return call.values[0] if call.values else None


def _stepped(step: events.Step) -> str | None:
    call = step.site.node
    return dotted(call.func.value) if isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute) else None
