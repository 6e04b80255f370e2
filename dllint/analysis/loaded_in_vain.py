"""Models that are given weights and then replaced by new ones of their kind, before anything uses them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.modules import is_module, tree
from dllint.analysis.own_statements import enclosing
from dllint.analysis.typestate import opaque, order
from dllint.ir import events
from dllint.ir.program import Event, Op, Site
from dllint.ir.values import InstanceVal, Value
from dllint.source.receivers import is_receiver
from dllint.source.walk import small_statements, walk

#: What gives a model all of its weights.
_LOADS: Final = frozenset({"torch.nn.Module.load_state_dict", "keras.Model.load_weights", "keras.Layer.set_weights"})
#: Methods of a model that use none of its weights.
_IDLE: Final = frozenset(
    {"to", "cuda", "cpu", "eval", "train", "load_state_dict", "load_weights", "compile", "build", "zero_grad"}
)


@dataclass(frozen=True, slots=True)
class Replaced:
    """``load`` gives weights to a model that nothing uses; ``again`` makes the one that takes its place."""

    load: events.LibraryCall
    again: Event


def loaded_in_vain(facts: Facts) -> Iterator[Replaced]:
    """The models of a program that are given weights, and whose variable then gets a new model without any, each once."""
    trace = facts.program.trace
    for number, item in enumerate(trace):
        if not isinstance(item, events.LibraryCall) or item.name not in _LOADS or not isinstance(item.receiver, InstanceVal):
            continue
        variable, behind = _variable(item), trace[number + 1 :]
        if variable is None or _is_used(item.receiver, behind):
            continue
        later = (event for event in behind if isinstance(event, Event))
        made = [event for event in later if _makes(event, item, variable)]
        if not made or _is_read_between(item.site, made[0].site, variable):
            continue
        models = [model for model in map(_model, made) if model is not None]
        if any(_shares(model, item.receiver) or _is_given(model, behind) for model in models):
            continue
        if order.happens_with(made[0], item):
            yield Replaced(item, made[0])


def _variable(load: events.LibraryCall) -> cst.BaseExpression | None:
    """The variable or attribute whose model is given weights."""
    node = load.site.node
    whose = node.func.value if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) else None
    return whose if isinstance(whose, (cst.Name, cst.Attribute)) else None


def _is_used(model: InstanceVal, behind: Sequence[Op | Event]) -> bool:
    """Whether anything is done with a model but to move it or to set its mode."""
    parts = {id(part) for part in tree(model)}
    return any(_uses(item, model, parts) for item in behind)


def _uses(item: Op | Event, model: InstanceVal, parts: set[int]) -> bool:
    if isinstance(item, Op):
        return item.layer is not None and id(item.layer) in parts
    if isinstance(item, events.Fit):
        return item.model is model
    if isinstance(item, events.ModuleCall):
        return id(item.callee) in parts or any(opaque.holds(value, model) for value in item.args)
    if isinstance(item, events.LibraryCall):
        asked = id(item.receiver) in parts and item.name.rpartition(".")[2] not in _IDLE
        return asked or any(opaque.holds(value, model) for value in item.given)
    if isinstance(item, events.OpaqueCall):
        return any(opaque.holds(value, model) for value in item.values)
    if isinstance(item, events.Instance):
        return item.instance is not model and opaque.holds(item.instance, model)
    return False


def _model(event: Event) -> InstanceVal | None:
    if isinstance(event, events.ModelGraph):
        return event.model
    return event.instance if isinstance(event, (events.Instance, events.Construction)) else None


def _makes(event: Event, load: events.LibraryCall, variable: cst.BaseExpression) -> bool:
    """Whether an event makes a model of the kind of one that is given weights, for the variable of that in the same function,
    or for the attribute of the same object in a method that this function calls."""
    model, old = _model(event), load.receiver
    if model is None or model is old or not isinstance(old, InstanceVal) or not is_module(model):
        return False
    if not (model.cls is old.cls or model.cls == old.cls):
        return False
    for frame in event.site.stack():
        assigned = _assigned(frame)
        is_near = _function(frame) is _function(load.site) or _is_own_method(frame, load, variable)
        if assigned is not None and frame.document is load.site.document and is_near:
            return assigned.deep_equals(variable) or _is_same_attribute(assigned, frame, variable, load.site)
    return False


def _is_same_attribute(assigned: cst.BaseExpression, frame: Site, variable: cst.BaseExpression, load: Site) -> bool:
    """Whether two methods name one attribute of their object, which each may call otherwise."""
    return _own_attribute(assigned, frame) == _own_attribute(variable, load) is not None


def _own_attribute(target: cst.BaseExpression, site: Site) -> str | None:
    is_own = isinstance(target, cst.Attribute) and is_receiver(target.value, _function(site))
    return target.attr.value if isinstance(target, cst.Attribute) and is_own else None


def _is_own_method(frame: Site, load: events.LibraryCall, variable: cst.BaseExpression) -> bool:
    """Whether a model is made for an attribute of an object in a method of it that the one which loads weights calls, in every
    case."""
    caller = frame.caller
    is_own = _own_attribute(variable, load.site) is not None
    if not is_own or caller is None or load.owner is None or _function(caller) is not _function(load.site):
        return False
    called = caller.node.func if isinstance(caller.node, cst.Call) else None
    whose = called.value if isinstance(called, cst.Attribute) else None
    return whose is not None and is_receiver(whose, _function(load.site))


def _is_read_between(load: Site, again: Site, variable: cst.BaseExpression) -> bool:
    """Whether statements of a function that stand between two others read a variable for more than to call its idle methods."""
    function = _function(load)
    block = function.body.body if isinstance(function, cst.FunctionDef) else load.document.body
    until = {id(frame.statement) for frame in again.stack()}
    behind = False
    for statement in (part for top in block for part in walk(top) if isinstance(part, cst.SimpleStatementLine)):
        if behind and id(statement) in until:
            return False
        if behind and _reads(statement, variable):
            return True
        behind = behind or statement is load.statement
    return True


def _reads(statement: cst.CSTNode, variable: cst.BaseExpression) -> bool:
    parts = list(walk(statement))
    idle = {id(part.value) for part in parts if isinstance(part, cst.Attribute) and part.attr.value in _IDLE}
    return any(type(part) is type(variable) and id(part) not in idle and part.deep_equals(variable) for part in parts)


def _assigned(site: Site) -> cst.BaseExpression | None:
    """The only target of an assignment of the value of an expression."""
    for small in small_statements(site.statement):
        if isinstance(small, cst.Assign) and small.value is site.node and len(small.targets) == 1:
            return small.targets[0].target
    return None


def _function(site: Site) -> cst.CSTNode | None:
    functions = [part for part in enclosing(site) if isinstance(part, cst.FunctionDef)]
    return functions[-1] if functions else None


def _shares(model: InstanceVal, other: InstanceVal) -> bool:
    """Whether one of two models has parts of the other, or is one."""
    inside = {id(part) for part in tree(other)}
    return any(id(part) in inside for part in tree(model))


def _is_given(model: Value, behind: Sequence[Op | Event]) -> bool:
    """Whether a new model is given weights itself."""
    loads = (item for item in behind if isinstance(item, events.LibraryCall) and item.name in _LOADS)
    return any(item.receiver is model for item in loads)
