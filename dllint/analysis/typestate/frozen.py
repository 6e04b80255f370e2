"""Optimizers all of whose parameters are frozen before they are stepped, whatever the model consists of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.own_statements import stands_in_comprehension
from dllint.analysis.training import Loop, is_optimizer
from dllint.analysis.typestate import named, opaque, order
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import Event
from dllint.ir.values import InstanceVal, Value, unwrap
from dllint.source.walk import walk

_FLAG: Final = "requires_grad"
_SWITCH: Final = "requires_grad_"
#: Methods of models, known or not, that neither freeze nor thaw: others of a model that is not known may.
_KEEPING: Final = frozenset({
    "parameters", "named_parameters", "modules", "named_modules", "children", "state_dict", "load_state_dict", "train", "eval",
    "to", "cuda", "cpu", "zero_grad", "forward", _SWITCH,
})  # fmt: skip
_Call = events.LibraryCall | events.OpaqueCall


@dataclass(frozen=True, slots=True)
class Frozen:
    """``construction`` makes an optimizer for all parameters of a model, and ``freezing`` freezes these behind it."""

    construction: events.LibraryCall
    freezing: Event


def frozen(facts: Facts) -> Iterator[Frozen]:
    """The optimizers that are stepped, and each step of which comes behind the freezing of all their parameters, in programs
    that neither thaw anything nor set gradients."""
    happened = facts.training.events
    known = list(freezings(facts))
    if not known or any(may_thaw(event) for event in happened):
        return
    numbers = {id(event): number for number, event in enumerate(happened)}
    for call in facts.events(events.LibraryCall):
        if call.receiver is not None or not is_optimizer(call.result):
            continue
        model = model_of(params_of(call), happened)
        for frozen_model, freezing in known if model is not None else ():
            behind = numbers[id(call)] < numbers[id(freezing)] and is_in_loops_of(call, freezing, facts)
            if frozen_model is not model or not behind or not is_single(model, call, freezing, facts):
                continue
            if is_stepped_frozen(call.result, model, freezing, happened):
                yield Frozen(call, freezing)
                break


def freezings(facts: Facts) -> Iterator[tuple[Value, Event]]:
    """The models all parameters of which are frozen, with what does it."""
    for event in facts.program.events:
        if isinstance(event, _Call) and _method(event) == _SWITCH and _is_false(event) and _receiver(event) is not None:
            yield _receiver(event), event
        elif isinstance(event, events.AttributeWrite) and event.name == _FLAG and unwrap(event.value) is False:
            loop = facts.training.innermost(event)
            node = loop.edge.node if loop is not None else None
            if loop is not None and isinstance(node, cst.For) and _is_complete(event, node, loop):
                for call in facts.training.events:
                    if isinstance(call, _Call) and call.site.node is node.iter and _is_parameters(call):
                        yield _receiver(call), loop.edge
                        break


def _is_complete(write: events.AttributeWrite, node: cst.For, loop: Loop) -> bool:
    """Whether a loop does nothing but to write to each thing that it goes through."""
    body = node.body.body[0] if len(node.body.body) == 1 else None
    if body is None or body is not write.site.statement or not order.is_unconditional(write, loop):
        return False
    targets = [part.target for part in walk(body) if isinstance(part, cst.AssignTarget)]
    written = targets[0] if len(targets) == 1 else None
    whose = written.value if isinstance(written, cst.Attribute) else None
    return isinstance(whose, cst.Name) and isinstance(node.target, cst.Name) and whose.value == node.target.value


def _method(call: _Call) -> str:
    return call.name.rpartition(".")[2]


def _receiver(call: _Call) -> Value:
    if isinstance(call, events.LibraryCall):
        return call.receiver
    return call.values[0] if call.values else None


def _is_parameters(call: _Call) -> bool:
    """Whether a call asks a model for all of its parameters."""
    return _method(call) == "parameters" and isinstance(call.site.node, cst.Call) and not call.site.node.args


def _is_false(call: _Call) -> bool:
    """Whether ``requires_grad_`` is called so that it freezes."""
    if isinstance(call, events.LibraryCall):
        return unwrap(call.bound.get(_FLAG, True)) is False
    return len(call.values) == 2 and unwrap(call.values[1]) is False


def may_thaw(event: Event) -> bool:
    """Whether an event lets something have gradients, or gives it some that no backward pass has computed."""
    if isinstance(event, events.AttributeWrite):
        return event.name == "grad" or (event.name == _FLAG and unwrap(event.value) is not False)
    if not isinstance(event, _Call):
        return False
    return _method(event) == "add_param_group" or (_method(event) == _SWITCH and not _is_false(event))


def params_of(call: events.LibraryCall) -> Value:
    """The parameters that an optimizer is made for: its first argument, also of one whose signature is not known."""
    first = call.given[0] if call.positional and call.given else None
    return unwrap(call.bound.get("params", first))


def model_of(params: Value, happened: list[Event]) -> Value:
    """The model whose parameters an optimizer is given; ``None`` if that is not known."""
    asked = [event for event in happened if isinstance(event, _Call) and event.result is params and params is not None]
    return _receiver(asked[0]) if len(asked) == 1 and _is_parameters(asked[0]) else None


def parameters_asked(facts: Facts) -> Iterator[tuple[Value, Value]]:
    """What models give as all of their parameters, with the models."""
    for event in facts.program.events:
        if isinstance(event, _Call) and _is_parameters(event):
            yield event.result, _receiver(event)


def is_single(model: Value, call: events.LibraryCall, freezing: Event, facts: Facts) -> bool:
    """Whether a value stands for one model where an event happens, not for each that a loop or a comprehension makes: it is
    made in the program, in no comprehension and in no loop but those around the event, or goes by one name, or is the object
    whose method makes the optimizer and freezes."""
    if call.owner is model and freezing.owner is model and isinstance(model, InstanceVal):
        return True
    made = next((event for event in facts.training.events if _made(event) is model), None)
    if made is None and isinstance(model, Unknown):
        return not facts.training.around(call) and _goes_by_one_name(call, freezing)
    if made is None or any(stands_in_comprehension(site) for site in made.site.stack()):
        return False
    return all(loop in facts.training.around(call) for loop in facts.training.around(made))


def _goes_by_one_name(call: events.LibraryCall, freezing: Event) -> bool:
    """Whether the optimizer is made, and the parameters are frozen, by the same name of a model."""
    node = call.site.node
    given = [argument for argument in node.args if argument.keyword is None] if isinstance(node, cst.Call) else []
    asked = given[0].value if given else getattr(call.nodes.get("params"), "value", None)
    switched = freezing.node.iter if isinstance(freezing, events.LoopEdge) and isinstance(freezing.node, cst.For) else None
    whose = named.receiver(freezing.site.node if switched is None else switched)
    return named.is_one_object(call, named.receiver(asked), freezing, whose)


def _made(event: Event) -> Value:
    if isinstance(event, events.Instance):
        return event.instance
    return event.result if isinstance(event, _Call) else None


def is_in_loops_of(call: Event, freezing: Event, facts: Facts) -> bool:
    """Whether each loop around the freezing is around the construction, too."""
    around, inside = facts.training.innermost(freezing), facts.training.innermost(call)
    return around is inside and order.happens_with(freezing, call)


def is_stepped_frozen(optimizer: Value, model: Value, freezing: Event, happened: list[Event]) -> bool:
    """Whether an optimizer is stepped only behind the freezing, and nothing unknown has the model or the optimizer."""
    steps = [event for event in happened if isinstance(event, events.Step) and event.target is optimizer]
    number = next(number for number, event in enumerate(happened) if event is freezing)
    before, after = happened[:number], happened[number:]
    if not steps or any(step is event for step in steps for event in before):
        return False
    if not all(order.happens_with(freezing, step) for step in steps):
        return False
    methods = (event for event in after if isinstance(event, events.OpaqueCall) and event.name and event.values)
    if any(event.values[0] is model and event.name not in _KEEPING for event in methods):
        return False
    return not opaque.is_handed_on(model, after) and not opaque.is_handed_on(optimizer, happened)
