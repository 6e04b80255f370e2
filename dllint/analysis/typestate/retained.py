"""Graphs that a backward pass keeps (``retain_graph=True``) although no other one goes through them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeGuard

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.own_statements import enclosing
from dllint.analysis.training import Loop
from dllint.analysis.typestate import gradients, graphs, opaque
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import JOIN, Event, Op, TensorVal
from dllint.ir.values import ClassVal, InstanceVal, Value
from dllint.lower.set_later import by_methods
from dllint.source.walk import dotted, walk

#: Library functions that differentiate a graph themselves.
_DIFFERENTIATES: Final = ("torch.autograd.grad", "torch.autograd.backward", "torch.autograd.functional.", "torch.func.")
#: Methods of a model that compute nothing and keep nothing of what it has computed.
_HARMLESS: Final = frozenset({
    "train", "eval", "zero_grad", "parameters", "named_parameters", "state_dict", "load_state_dict", "to", "cuda", "cpu",
    "modules", "named_modules", "children", "requires_grad_", "forward",
})  # fmt: skip
#: Functions and methods that give devices, and objects at another place.
_MOVES: Final = frozenset({"to", "cuda", "cpu", "device", "is_available", "len"})


def needlessly(facts: Facts) -> Iterator[tuple[events.Backward, Loop]]:
    """The backward passes in loops that keep their graphs, each once, with the loop: the loop was followed to its end, no other
    backward pass stands in the outermost loop around, and nothing of the graph was there before the pass or is left to the
    next one."""
    passes = facts.events(events.Backward)
    if not facts.training.is_whole:
        return
    for event in {id(event.site.node): event for event in passes if _keeps(event)}.values():
        around = sorted(facts.training.around(event), key=lambda loop: loop.end - loop.start)
        if not around or any(loop.is_cut for loop in around):
            continue
        if all(other.site.node is event.site.node for other in passes) and not _is_used(event, around[0], around[-1], facts):
            yield event, around[0]


def _keeps(event: events.Backward) -> bool:
    """Whether a backward pass keeps its graph, as its call says."""
    node = event.site.node
    if not isinstance(node, cst.Call) or event.via is not None or len(node.args) != 1:
        return False
    keyword, value = node.args[0].keyword, node.args[0].value
    return keyword is not None and keyword.value == "retain_graph" and isinstance(value, cst.Name) and value.value == "True"


def _is_used(event: events.Backward, loop: Loop, outermost: Loop, facts: Facts) -> bool:
    """Whether something may go through the graph of a backward pass again, or its loss begins before the pass."""
    happened = facts.training.within(outermost, Event)
    own = facts.training.within(loop, Event)
    steps = gradients.steps_of(own)
    behind = own[next(number for number, other in enumerate(own) if other is event) + 1 :]
    if not steps or any(opaque.may_train(other, steps[0].target) for other in behind):
        return True
    if any(_differentiates(other) or _changes(other) for other in happened):
        return True
    carried = _carried(loop)
    loss = event.target
    if isinstance(loss, TensorVal) and _is_left(loss, loop, carried, facts):
        return True
    return _is_open(loss, facts) and (bool(carried) or _begins_before(loop))


def _is_open(loss: Value, facts: Facts) -> bool:
    """Whether not all that a loss is computed from is known."""
    if not isinstance(loss, TensorVal) or loss.foreign:
        return True
    graph = list(facts.ancestors(loss))
    return any(isinstance(value, Unknown) for op in graph for value in op.args.values()) or any(
        tensor.foreign for op in graph for tensor in op.inputs
    )


def _differentiates(event: Event) -> bool:
    return isinstance(event, events.LibraryCall) and event.name.startswith(_DIFFERENTIATES)


def _changes(call: Event) -> bool:
    """Whether a method of an unknown object is called that may change what a model keeps from one pass to the next."""
    if not isinstance(call, events.OpaqueCall):
        return False
    function = getattr(call.site.node, "func", None)
    whose = dotted(function.value) if isinstance(function, cst.Attribute) else None
    is_model = whose is not None and "model" in whose.lower()
    return is_model and isinstance(call.callee, Unknown) and call.name not in _HARMLESS


def _is_left(loss: TensorVal, loop: Loop, carried: frozenset[str], facts: Facts) -> bool:
    """Whether the graph of a loss that is known goes beyond the pass of a loop, or may do so."""
    inside = {id(item) for item in facts.program.trace[loop.start : loop.end]}
    graph = list(facts.ancestors(loss))
    own = {id(op) for op in graph if id(op) in inside}
    before = (op for op in graphs.differentiated(loss, facts) if id(op) not in inside)
    if any(graphs.requires_gradient(op.output, op.site, facts) for op in before):
        return True
    if any(id(op) in own and op.kind == JOIN and any(tensor.varies for tensor in op.inputs) for op in graph):
        return True
    if any(tensor.varies and _is_made_in(tensor, own) for op in graph if id(op) in own for tensor in op.inputs):
        return True
    owners = {id(op.owner): op.owner for op in graph if isinstance(op.owner, InstanceVal)}
    if any(isinstance(owner.cls, ClassVal) and by_methods(owner.cls) for owner in owners.values()):
        return True
    return any(_reads(op, carried) for op in graph if id(op) in own)


def _is_made_in(tensor: TensorVal, own: set[int]) -> bool:
    return tensor.producer is not None and id(tensor.producer) in own


def _reads(op: Op, names: frozenset[str]) -> bool:
    """Whether an operation, or a call that it is performed in, is given one of some variables."""
    nodes = (part for frame in op.site.stack() for part in walk(frame.node)) if names else iter(())
    return any(isinstance(part, cst.Name) and part.value in names for part in nodes)


def _carried(loop: Loop) -> frozenset[str]:
    """The variables that calls in a loop are given before the loop sets them, and that it sets behind that, apart from those
    that count or add up."""
    node = loop.edge.node
    bound = (
        {part.value for part in walk(node.target) if isinstance(part, cst.Name)} if isinstance(node, cst.For) else set[str]()
    )
    read: set[str] = set()
    found: set[str] = set()
    for statement in node.body.body:
        parts = list(walk(statement))
        for part in parts:
            if isinstance(part, cst.Call):
                read |= {name.value for name in _argument_names(part)} - bound
        targets = {name for part in parts if isinstance(part, cst.Assign) for name in _names(part)}
        found |= targets & read
        bound |= targets
    return frozenset(found)


def _argument_names(call: cst.Call) -> Iterator[cst.Name]:
    """The variables that a call is given, or something of; not what is called there, nor whose parameters are given."""
    for argument in call.args:
        functions = [part.func for part in walk(argument.value) if isinstance(part, cst.Call)]
        called = {id(part.value if _is_parameters(part) else part) for part in functions}
        yield from (part for part in walk(argument.value) if isinstance(part, cst.Name) and id(part) not in called)


def _is_parameters(function: cst.BaseExpression) -> TypeGuard[cst.Attribute]:
    return isinstance(function, cst.Attribute) and function.attr.value == "parameters"


def _names(assign: cst.Assign) -> Iterator[str]:
    for target in assign.targets:
        yield from (part.value for part in walk(target.target) if isinstance(part, cst.Name))


def _begins_before(loop: Loop) -> bool:
    """Whether a call in a loop is given a variable that a statement in front of it binds to what a function or method gives, so
    that a graph may begin there. What a class makes is no tensor with a graph."""
    node, site = loop.edge.node, loop.edge.site
    calls = (part for part in walk(node.body) if isinstance(part, cst.Call))
    given = {name.value for call in calls for name in _argument_names(call)}
    functions = [part for part in enclosing(site) if isinstance(part, cst.FunctionDef)]
    inside = {id(part) for part in walk(node)}
    for statement in functions[-1].body.body if functions else site.document.body:
        for part in walk(statement):
            if part is node:
                return False
            if isinstance(part, cst.Assign) and id(part) not in inside and given & set(_names(part)) and _computes(part.value):
                return True
    return False


def _computes(value: cst.BaseExpression) -> bool:
    """Whether an expression calls something else than a class or a method that moves."""
    for part in walk(value):
        if isinstance(part, cst.Call):
            function = part.func.attr if isinstance(part.func, cst.Attribute) else part.func
            name = function.value if isinstance(function, cst.Name) else ""
            if not name[:1].isupper() and name not in _MOVES:
                return True
    return False
