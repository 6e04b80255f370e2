"""Models that a loop over epochs makes anew in each pass, so that nothing of what an epoch has learned is kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.every_pass import place_in
from dllint.analysis.facts import Facts
from dllint.analysis.modules import has_weights, is_module, tree
from dllint.analysis.own_statements import tests_within
from dllint.analysis.training import Loop
from dllint.analysis.typestate import opaque, order
from dllint.analysis.typestate.groups import trained_modules
from dllint.ir import events
from dllint.ir.program import Event, Site
from dllint.ir.values import InstanceVal
from dllint.source.walk import walk

_EPOCH: Final = re.compile(r"epoch(?!s)", re.IGNORECASE)
_COUNTS: Final = frozenset({"range", "trange", "count"})
#: What gives weights their values, or keeps a model beyond the pass, by a part of its name.
_KEEPING: Final = re.compile(r"load|restore|set_weights|copy|append|save|add|register", re.IGNORECASE)
_FITS: Final = frozenset({"fit", "fit_generator", "train_on_batch"})


@dataclass(frozen=True, slots=True)
class RebuiltEachEpoch:
    """``construction`` makes a model in each pass of a loop over epochs (``loop``), which ``trained`` trains."""

    construction: Event
    trained: Event
    loop: events.LoopEdge
    #: Where the loop makes it: the call that leads to the construction.
    place: Site


def rebuilt_each_epoch(facts: Facts) -> Iterator[RebuiltEachEpoch]:
    """The models of a program that a loop over epochs makes in every pass and trains, each place once."""
    seen = set[int]()
    for loop in facts.training.loops:
        if not goes_over_epochs(loop) or any(_keeps(event) for event in facts.training.within(loop, Event)):
            continue
        for made, model in _made(loop, facts):
            trained = _trained(model, loop, facts)
            if trained is not None and id(made.site.node) not in seen and not _is_stored(made, loop):
                seen.add(id(made.site.node))
                yield RebuiltEachEpoch(made, trained, loop.edge, place_in(made.site, loop))


def sets_inner_passes(loop: Loop) -> bool:
    """Whether the variable of a loop tells how often, or over what, a loop inside goes: each pass is a training of its own."""
    node = loop.edge.node
    if not isinstance(node, cst.For) or not isinstance(node.target, cst.Name):
        return False
    inner = (part.iter for part in walk(node.body) if isinstance(part, cst.For))
    return any(isinstance(part, cst.Name) and part.value == node.target.value for used in inner for part in walk(used))


def goes_over_epochs(loop: Loop) -> bool:
    """Whether a loop counts epochs: by the name of its variable or of their number, which nothing else is told."""
    node = loop.edge.node
    if not isinstance(node, cst.For) or not isinstance(node.target, cst.Name):
        return False
    calls = [part.func for part in walk(node.iter) if isinstance(part, cst.Call)]
    names = {part.value for part in calls if isinstance(part, cst.Name)}
    names |= {part.attr.value for part in calls if isinstance(part, cst.Attribute)}
    if names.isdisjoint(_COUNTS):
        return False
    inner = (part.iter for part in walk(node.body) if isinstance(part, cst.For))
    given = (part.value for part in walk(node.body) if isinstance(part, cst.Arg) and part.keyword is not None)
    numbers = {part.value for used in (*inner, *given) for part in walk(used) if isinstance(part, cst.Name)}
    return bool(_EPOCH.search(cst.Module([]).code_for_node(node.target))) and node.target.value not in numbers


def _keeps(event: Event) -> bool:
    """Whether an event may give a model weights, or keep it beyond the pass."""
    if not isinstance(event, (events.LibraryCall, events.OpaqueCall)) or not _KEEPING.search(event.name.rpartition(".")[2]):
        return False
    values = (event.receiver, *event.given) if isinstance(event, events.LibraryCall) else event.values
    return any(is_module(value) for value in values)


def _made(loop: Loop, facts: Facts) -> Iterator[tuple[Event, InstanceVal]]:
    """The models with weights that a loop itself makes in each pass."""
    inner: set[int] = set()
    made: list[tuple[Event, InstanceVal]] = []
    for event in facts.training.within(loop, Event):
        model = event.instance if isinstance(event, (events.Instance, events.Construction)) else None
        model = event.model if isinstance(event, events.ModelGraph) else model
        if model is None or not is_module(model) or is_module(event.owner) or not has_weights(model):
            continue
        if (
            facts.training.innermost(event) is loop
            and order.is_unconditional(event, loop)
            and not any(tests_within(event.site, loop.edge.node))
        ):
            made.append((event, model))
            inner |= {id(part) for part in tree(model) if part is not model}
    yield from ((event, model) for event, model in made if id(model) not in inner)


def _trained(model: InstanceVal, loop: Loop, facts: Facts) -> Event | None:
    """What trains a model in a pass: the step of an optimizer of its weights in a loop over batches, or Keras."""
    if opaque.is_handed_on(model, facts.training.within(loop, Event)):
        return None
    for fit in facts.training.within(loop, events.Fit):
        if fit.model is model and fit.method in _FITS:
            return fit
    steps = [step for step in facts.training.within(loop, events.Step) if facts.training.innermost(step) is not loop]
    if not steps:
        return None
    owned, parts = trained_modules(facts), {id(part) for part in tree(model)}
    return next((step for step in steps if not parts.isdisjoint(owned.get(id(step.target), frozenset()))), None)


def _is_stored(made: Event, loop: Loop) -> bool:
    """Whether a pass puts a model into a container or attribute, or leaves the loop: under the name that it is made for."""
    names = {
        name.value
        for part in walk(loop.edge.node.body)
        if isinstance(part, cst.Assign) and any(frame.node in walk(part.value) for frame in made.site.stack())
        for target in part.targets
        for name in _names(target.target)
    }
    for part in walk(loop.edge.node.body):
        if isinstance(part, (cst.Return, cst.Yield, cst.Break)):
            return True
        if isinstance(part, (cst.Assign, cst.AugAssign)) and any(held in names for held in _held(part.value)):
            return True
        if isinstance(part, cst.Call) and _puts(part, names):
            return True
    return not names


def _held(value: cst.BaseExpression) -> Iterator[str]:
    """The variables whose objects an expression gives, by itself or in a display."""
    if isinstance(value, cst.Name):
        yield value.value
    elif isinstance(value, (cst.Tuple, cst.List, cst.Dict)):
        parts = (part.value for part in value.elements)
        yield from (part.value for part in parts if isinstance(part, cst.Name))


def _names(target: cst.BaseAssignTargetExpression) -> Iterator[cst.Name]:
    """The variables that an assignment binds, also those of the parts of a tuple."""
    if isinstance(target, (cst.Tuple, cst.List)):
        yield from (part.value for part in target.elements if isinstance(part.value, cst.Name))
    elif isinstance(target, cst.Name):
        yield target


def _puts(call: cst.Call, names: set[str]) -> bool:
    """Whether a call puts one of the variables into a container."""
    is_method = isinstance(call.func, cst.Attribute) and call.func.attr.value in ("append", "add")
    return is_method and any(isinstance(argument.value, cst.Name) and argument.value.value in names for argument in call.args)
