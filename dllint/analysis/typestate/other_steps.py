"""Steps that a program makes where no pass that is followed comes to: in a branch that a counter or a setting decides."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from dllint.analysis.own_statements import enclosing
from dllint.analysis.training import Training
from dllint.analysis.typestate import named
from dllint.ir import events
from dllint.ir.program import Site
from dllint.ir.values import Value
from dllint.source.walk import dotted, walk, walk_for


def is_stepped_where_cleared(optimizer: Value, training: Training) -> bool:
    """Whether a function that clears the gradients of an optimizer also steps it, by the same name, where it does not come to
    that with these values: in a branch that a setting decides, or behind a return."""
    for event in training.events:
        if not isinstance(event, events.ZeroGrad) or event.target is not optimizer:
            continue
        function, name = _function(event.site), receiver_name(event.site.node)
        if function is not None and name and any(_steps(part) and receiver_name(part) == name for part in walk(function.body)):
            return True
    return False


def has_unfollowed_helper(backward: events.Backward, training: Training) -> bool:
    """Whether a function that leads to a backward pass calls another one that steps, as it is written, and that no step that
    was followed came through."""
    followed = {id(place.node) for event in training.events if isinstance(event, events.Step) for place in event.site.stack()}
    for place in backward.site.stack():
        function = _function(place)
        calls = walk_for(function.body, cst.Call) if function is not None else ()
        if any(id(call) not in followed and _is_helper(call, place) for call in calls):
            return True
    return False


def _is_helper(call: cst.Call, place: Site) -> bool:
    """Whether a call is of a function of the same file, by its name, that steps."""
    name = (dotted(call.func) or "").rpartition(".")[2]
    return any(any(map(_steps, walk(made.body))) for made in _functions(place) if made.name.value == name)


def _functions(place: Site) -> Iterator[cst.FunctionDef]:
    for statement in place.document.body:
        yield from walk_for(statement, cst.FunctionDef)


def _function(site: Site) -> cst.FunctionDef | None:
    functions = [part for part in enclosing(site) if isinstance(part, cst.FunctionDef)]
    return functions[-1] if functions else None


def receiver_name(node: cst.CSTNode) -> str | None:
    """The name of the object whose method a call is of."""
    whose = named.receiver(node)
    return dotted(whose) if isinstance(whose, cst.BaseExpression) else None


def _steps(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "step"
