"""Weights that a program loads, and what becomes of them before they are used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.constructed import constructed
from dllint.analysis.facts import Facts
from dllint.analysis.modules import tree
from dllint.analysis.typestate import opaque
from dllint.analysis.typestate.order import happens_with
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import Event, Op, TensorVal
from dllint.ir.values import BoundVal, DictVal, FuncVal, InstanceVal, IterVal, Value, unwrap
from dllint.ops.kinds import having
from dllint.ops.traits import Trait
from dllint.source.walk import walk

_LOAD: Final = "torch.nn.Module.load_state_dict"
_APPLY: Final = "torch.nn.Module.apply"
_ZOO: Final = "torchvision.models."
#: What gives new values to a tensor that it is given, or whose method it is.
_INITIALISING: Final = "torch.nn.init."
_DRAWING: Final = frozenset(f"torch.Tensor.{name}" for name in ("normal_", "uniform_", "zero_", "fill_", "trunc_normal_"))
#: What gives new values to all weights of a layer.
_RESET: Final = ".reset_parameters"
#: Layers whose weights begin with ones and zeros.
_PLAIN: Final = having(Trait.STARTS_PLAIN)
#: Models that come with weights, and what draws those of a layer anew.
_TRANSFORMERS: Final = "transformers."
_PRETRAINED: Final = "Model.from_pretrained"
_DRAWS: Final = re.compile(r"init\.\w+_\(\w+\.weight|\.weight\.data\.(?:normal|uniform|trunc_normal)_\(")
#: What goes through the layers or weights of a module.
_THROUGH: Final = ("modules(", "children(", "parameters(")


@dataclass(frozen=True, slots=True)
class Overwritten:
    """The weights that ``load`` gives to a module are drawn anew by ``sweep``, before anything is computed with them."""

    load: events.LibraryCall
    sweep: events.LibraryCall


def overwritten(facts: Facts) -> Iterator[Overwritten]:
    """The modules of a program whose weights are loaded and drawn anew, each once."""
    trace = facts.program.trace
    yield from _pretrained(facts)
    if not any(isinstance(item, events.LibraryCall) and is_load(item) for item in trace):
        return
    for number, item in enumerate(trace):
        if not isinstance(item, events.LibraryCall) or not is_load(item):
            continue
        module = item.receiver if item.name == _LOAD else item.result
        if isinstance(module, InstanceVal) and (sweep := _sweep(item, module, number, facts)) is not None:
            yield Overwritten(item, sweep)


def _pretrained(facts: Facts) -> Iterator[Overwritten]:
    """The transformers that come with their weights, and all linear layers of which are then drawn anew."""
    calls = facts.events(events.LibraryCall)
    applied = [call for call in calls if call.name == _APPLY and _draws_linear(unwrap(call.bound.get("fn")))]
    for sweep in applied:
        for load in calls[: calls.index(sweep)]:
            model = load.result
            if not load.name.startswith(_TRANSFORMERS) or not load.name.endswith(_PRETRAINED):
                continue
            is_object = isinstance(model, (InstanceVal, Unknown))
            if not is_object or not opaque.holds(sweep.receiver, model) or not happens_with(sweep, load):
                continue
            trace = facts.program.trace
            between = trace[trace.index(load) + 1 : trace.index(sweep)]
            inside = {id(model)}
            if any(_is_use(item, model, inside) for item in between):
                continue
            if isinstance(sweep.receiver, InstanceVal) and not _is_loaded_again(
                trace[trace.index(sweep) + 1 :], sweep.receiver, {id(sweep.receiver)}
            ):
                yield Overwritten(load, sweep)


def _draws_linear(function: Value) -> bool:
    """Whether a function that is applied to each part of a module draws the weights of linear layers anew, whatever these are
    called: it asks for their class alone."""
    function = function.func if isinstance(function, BoundVal) else function
    node = function.node if isinstance(function, FuncVal) else None
    if not isinstance(node, cst.FunctionDef):
        return False
    code = cst.Module([]).code_for_node
    asks = [part.test for part in walk(node.body) if isinstance(part, cst.If) and not _spares_weights(part)]
    drawn = _DRAWS.search(code(node.body)) is not None
    return drawn and bool(asks) and "Linear" in code(asks[0]) and all(map(_asks_for_class, asks))


def _spares_weights(part: cst.If) -> bool:
    """Whether a test asks for a value that may be missing, such as a bias, and draws no weights if there is one."""
    code = cst.Module([]).code_for_node
    is_missing = code(part.test).rstrip().endswith("is not None")
    return is_missing and part.orelse is None and _DRAWS.search(code(part.body)) is None


def _asks_for_class(test: cst.BaseExpression) -> bool:
    """Whether a test asks for the class of an object and for nothing else that could except some of its objects."""
    if isinstance(test, cst.BooleanOperation):
        return isinstance(test.operator, cst.Or) and _asks_for_class(test.left) and _asks_for_class(test.right)
    return isinstance(test, cst.Call) and isinstance(test.func, cst.Name) and test.func.value == "isinstance"


def is_load(call: events.LibraryCall) -> bool:
    """Whether a call gives a module all of its weights: those of a file or dict, or those that a library has trained."""
    if call.name == _LOAD:
        return unwrap(call.bound.get("strict", True)) is True and not _is_copy(call)
    if not call.name.startswith(_ZOO) or not isinstance(call.result, InstanceVal):
        return False
    given = unwrap(call.bound.get("kwargs"))
    named = given.items if isinstance(given, DictVal) else given if isinstance(given, dict) else {}
    values = [*call.given[: call.positional], *(named.get(name) for name in ("weights", "pretrained"))]
    values += [call.bound.get(name) for name in ("weights", "pretrained")]
    return any(unwrap(value) not in (None, False) for value in values)


def _is_copy(call: events.LibraryCall) -> bool:
    """Whether a module is given the weights of another one that the program has (a target network), as they are now."""
    given = unwrap(call.bound.get("state_dict"))
    node = given.site.node if isinstance(given, DictVal) and given.site is not None else None
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "state_dict"


def _sweep(load: events.LibraryCall, module: InstanceVal, number: int, facts: Facts) -> events.LibraryCall | None:
    """What draws most layers of a module anew after its weights were loaded, and before it is used."""
    trace = facts.program.trace
    made = {id(part) for _, part in constructed(trace[:number])}
    layers = [part for part in tree(module) if id(part) in made and _has_kernel(part)]
    if not layers:
        return None
    owners = {_key(value): {id(part)} for part in layers for value in part.attrs.values() if isinstance(value, TensorVal)}
    hit: set[int] = set()
    first: events.LibraryCall | None = None
    inside = {id(part) for part in tree(module)}
    for item in trace[number + 1 :]:
        if _is_use(item, module, inside):
            again = isinstance(item, events.LibraryCall) and item.name == _LOAD
            return first if not again and _is_most(hit, layers) else None
        if not isinstance(item, events.LibraryCall):
            continue
        if isinstance(item.result, IterVal) and item.name.endswith("parameters") and item.receiver is module:
            owners.update((_key(tensor), {id(part) for part in layers}) for tensor in _elements(item.result))
        drawn = _drawn(item, owners)
        if drawn and happens_with(item, load) and _stands_beside(item, load, facts):
            hit |= drawn
            first = first if first is not None else item
        through = item.name == _APPLY and any(part is module for part in tree(item.receiver))
        if through and first is not None and _is_most(hit, layers):
            return item if not _is_loaded_again(trace[trace.index(item) + 1 :], module, inside) else None
    return first if _is_most(hit, layers) else None


def _is_loaded_again(later: list[Op | Event], module: InstanceVal, inside: set[int]) -> bool:
    """Whether the first use of a module is to load its weights."""
    use = next((item for item in later if _is_use(item, module, inside)), None)
    return isinstance(use, events.LibraryCall) and use.name == _LOAD


def _is_most(hit: set[int], layers: list[InstanceVal]) -> bool:
    """Whether so many layers are drawn anew that this cannot be a head that is replaced."""
    return len(hit) == len(layers) or (len(hit) > 1 and 2 * len(hit) >= len(layers))


def _has_kernel(layer: InstanceVal) -> bool:
    """Whether a layer has weights that are drawn; a normalisation begins with ones and zeros."""
    config = layer.layer
    return config is not None and config.row.trainable and config.row.op not in _PLAIN


def _drawn(call: events.LibraryCall, owners: dict[int, set[int]]) -> set[int]:
    """The layers, by ``id``, to whose weights a call gives new values."""
    if call.name.endswith(_RESET) and isinstance(call.receiver, InstanceVal):
        return {id(call.receiver)} & {part for parts in owners.values() for part in parts}
    if call.name.startswith(_INITIALISING) and call.given:
        return owners.get(_key(unwrap(call.given[0])), set())
    return owners.get(_key(call.receiver), set()) if call.name in _DRAWING else set()


def _key(value: Value) -> int:
    """What a tensor has in common with itself before and after it was changed in place."""
    return value.origin or value.id if isinstance(value, TensorVal) else 0


def _is_use(item: Op | Event, module: Value, inside: set[int]) -> bool:
    """Whether something is computed with a module, it is saved, loaded again or handed on, or anything is trained."""
    if isinstance(item, Op):
        return item.layer is not None and id(item.layer) in inside
    if isinstance(item, events.ModuleCall):
        return id(item.callee) in inside
    if isinstance(item, events.LibraryCall) and item.receiver is module:
        return item.name == _LOAD or item.name.endswith(".state_dict")
    if isinstance(item, events.OpaqueCall):
        return any(opaque.holds(value, module) for value in item.values)
    return isinstance(item, (events.Backward, events.Step, events.Fit))


def _stands_beside(item: Event, load: Event, facts: Facts) -> bool:
    """Whether an event is in no loop around that the load is not in, other than one through the parts of a module."""
    training, node = facts.training, facts.training.innermost(load)
    around = training.innermost(item)
    while around is not None and around is not node and _goes_through(around.edge):
        outer = [loop for loop in training.loops if loop.start < around.start and around.end < loop.end]
        around = min(outer, key=lambda loop: loop.end - loop.start, default=None)
    return around is node


def _goes_through(edge: events.LoopEdge) -> bool:
    if not isinstance(edge.node, cst.For):
        return False
    return any(word in cst.Module([]).code_for_node(edge.node.iter) for word in _THROUGH)


def _elements(values: IterVal) -> Iterator[TensorVal]:
    return (value for value in (*values.items, values.rest) if isinstance(value, TensorVal))
