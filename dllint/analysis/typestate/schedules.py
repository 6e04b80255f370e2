"""Learning-rate schedulers and samplers: when they are stepped or told the epoch, and for which optimizer and loader."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.assigned import assigned_to
from dllint.analysis.own_statements import enclosing
from dllint.analysis.training import Loop, Training, is_optimizer, is_scheduler
from dllint.analysis.typestate import loaders, opaque, order
from dllint.analysis.typestate.name_uses import is_attribute_never_used, is_never_used, last_name
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import Event, Site
from dllint.ir.values import InstanceVal, Value, unwrap
from dllint.source.walk import walk

_PLATEAU: Final = "torch.optim.lr_scheduler.ReduceLROnPlateau"
_COSINE: Final = "torch.optim.lr_scheduler.CosineAnnealingLR"
#: The parameters that say how many steps a schedule is made for.
_STEPS: Final = frozenset({"T_max", "num_training_steps", "steps_per_epoch", "total_steps"})
#: How a trainer of Lightning tells the number of its batches.
_BATCHES: Final = frozenset({"estimated_stepping_batches", "num_training_batches"})
_SAMPLER: Final = "torch.utils.data.DistributedSampler"


@dataclass(frozen=True, slots=True)
class Scheduled:
    """``construction`` makes the scheduler that ``step`` steps; ``of_optimizer`` is a step of its optimizer."""

    construction: events.LibraryCall
    step: events.Step
    of_optimizer: events.Step | None


def _schedulers(training: Training) -> list[events.LibraryCall]:
    return [event for event in training.events if isinstance(event, events.LibraryCall) and _makes_scheduler(event)]


def _makes_scheduler(call: events.LibraryCall) -> bool:
    return is_scheduler(call.result) and isinstance(call.result, InstanceVal) and call.receiver is None


def early(training: Training) -> Iterator[Scheduled]:
    """The steps of schedulers in a loop that stand before the first step of their optimizer, which follows in that loop."""
    for made in _schedulers(training):
        optimizer = made.bound.get("optimizer")
        resumed = unwrap(made.bound.get("last_epoch", -1)) != -1
        if made.name == _PLATEAU or resumed or not (is_optimizer(optimizer) or isinstance(optimizer, Unknown)):
            continue
        found = _first_step(made, optimizer, training)
        if found is not None and found.of_optimizer is not None:
            yield found


def _first_step(made: events.LibraryCall, optimizer: Value, training: Training) -> Scheduled | None:
    """The first step of a scheduler, and the first of its optimizer in the same loop, if that comes later."""
    for event in training.events:
        if isinstance(event, events.Step) and event.target is optimizer:
            return None
        if opaque.is_handed_on(optimizer, (event,)) or opaque.is_handed_on(made.result, (event,)):
            return None
        if isinstance(event, events.Step) and event.target is made.result:
            later = _later_step(event, optimizer, training)
            return Scheduled(made, event, later) if _takes_nothing(event.site) else None
    return None


def _later_step(step: events.Step, optimizer: Value, training: Training) -> events.Step | None:
    """A step of an optimizer behind one of its scheduler, in the innermost loop around that, which performs both each time."""
    loop = training.innermost(step)
    if loop is None or not order.is_unconditional(step, loop):
        return None
    happened = training.within(loop, Event)
    behind = happened[next(at for at, event in enumerate(happened) if event is step) :]
    return next((event for event in behind if isinstance(event, events.Step) and event.target is optimizer), None)


def _takes_nothing(site: Site) -> bool:
    return isinstance(site.node, cst.Call) and not site.node.args


# --- units and metrics --------------------------------------------------------------------------------------------------------


def without_metric(training: Training) -> Iterator[Scheduled]:
    """Schedulers that wait for a plateau of a metric and are stepped without one, which raises."""
    seen: set[int] = set()
    for made in _schedulers(training):
        if made.name != _PLATEAU:
            continue
        for event in training.events:
            if not isinstance(event, events.Step) or event.target is not made.result or id(event.site.node) in seen:
                continue
            if _takes_nothing(event.site) and _is_surely(made, event, training):
                seen.add(id(event.site.node))
                yield Scheduled(made, event, None)


def _is_surely(made: events.LibraryCall, step: events.Step, training: Training) -> bool:
    """Whether what is stepped is one scheduler: where it may be another object, the branch that has made this one may be the
    one that the step is left out of, unless the step asks for nothing more than whether there is a scheduler."""
    steps = (event for event in training.events if isinstance(event, events.Step) and event.site.node is step.site.node)
    if order.is_always(made) and all(event.target is made.result for event in steps):
        return True
    node = step.site.node
    receiver = node.func.value if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) else node
    return order.happens_with(step, made, beside=cst.Module([]).code_for_node(receiver))


def once_per_epoch(training: Training) -> Iterator[Scheduled]:
    """Schedulers that are made for a number of batches and are stepped behind the loop over the batches."""
    for found in _stepped(training):
        if found.of_optimizer is None or not _counts_batches(found.construction):
            continue
        loop, inner = training.innermost(found.step), training.innermost(found.of_optimizer)
        if loop is not None and inner is not None and _is_around(loop, inner) and _goes_over_data(inner):
            yield found


def once_per_batch(training: Training) -> Iterator[Scheduled]:
    """Schedulers that are made for a number of epochs and are stepped in the loop over the batches."""
    for found in _stepped(training):
        length = found.construction.nodes.get("T_max") if found.construction.name == _COSINE else None
        loop = training.innermost(found.step)
        if loop is None or length is None or found.of_optimizer is None or not order.is_unconditional(found.step, loop):
            continue
        around = (other for other in training.loops if _is_around(other, loop))
        own = training.innermost(found.of_optimizer) is loop and _goes_over_data(loop)
        if own and any(_counts_to(other, length) for other in around):
            yield found


def _stepped(training: Training) -> Iterator[Scheduled]:
    """Each scheduler with its only place of a step without arguments, and a step of its optimizer."""
    for made in _schedulers(training):
        steps = [event for event in training.events if isinstance(event, events.Step) and event.target is made.result]
        if len({id(step.site.node) for step in steps}) != 1 or opaque.is_handed_on(made.result, training.events):
            continue
        optimizer = made.bound.get("optimizer")
        own = (event for event in training.events if isinstance(event, events.Step) and event.target is optimizer)
        yield Scheduled(made, steps[0], next(own, None))


def _is_around(outer: Loop, inner: Loop) -> bool:
    return outer.start < inner.start and inner.end < outer.end


def _counts_batches(made: events.LibraryCall) -> bool:
    """Whether the number of steps that a schedule is made for is one per epoch, or comes from the length of something."""
    each = made.bound.get("steps_per_epoch")
    if each is not None:
        return unwrap(each) != 1
    lengths = (made.nodes[parameter] for parameter in _STEPS & made.nodes.keys())
    return any(_asks_for_length(length, made.site.document.body) for length in lengths)


def _asks_for_length(node: cst.CSTNode, body: Sequence[cst.CSTNode], depth: int = 8) -> bool:
    """Whether a number is computed from the length of something, also by names that the file assigns once."""
    parts: Sequence[cst.CSTNode] = ()
    if isinstance(node, cst.Arg):
        parts = (node.value,)
    elif isinstance(node, cst.BinaryOperation):
        parts = (node.left, node.right)
    elif isinstance(node, cst.Call):
        if last_name(node.func) == "len":
            return True
        parts = node.args  # rounded, or the larger of two
    elif isinstance(node, cst.Attribute):
        return node.attr.value in _BATCHES
    elif isinstance(node, cst.Name):
        given = (part for statement in body for part in walk(statement) if isinstance(part, cst.Assign))
        own = [each.value for each in given if any(last_name(target.target) == node.value for target in each.targets)]
        parts = own if len(own) == 1 else ()
    return depth > 0 and any(_asks_for_length(part, body, depth - 1) for part in parts)


def _goes_over_data(loop: Loop) -> bool:
    node = loop.edge.node
    return isinstance(node, cst.For) and "range" not in _names(node.iter)


def _counts_to(loop: Loop, length: cst.CSTNode) -> bool:
    """Whether a loop counts to a number that a name or attribute holds, after which another expression is called, too: a
    function may get ``args.epochs`` as ``epochs``."""
    node = loop.edge.node
    if not isinstance(node, cst.For) or not isinstance(node.iter, cst.Call) or "range" not in _names(node.iter.func):
        return False
    value = length.value if isinstance(length, cst.Arg) else length
    ends = [argument.value for argument in node.iter.args[:2]]
    if not isinstance(value, (cst.Name, cst.Attribute)):
        return False
    return any(isinstance(end, (cst.Name, cst.Attribute)) and last_name(end) == last_name(value) for end in ends)


def _names(node: cst.CSTNode) -> set[str]:
    return {part.value for part in walk(node) if isinstance(part, cst.Name)}


# --- schedulers without a step ------------------------------------------------------------------------------------------------


#: The hook of a Lightning module that gives optimizers and schedulers to the trainer.
_HOOK: Final = "configure_optimizers"
#: How a Lightning module says when its schedulers are stepped, or steps them itself.
_TELLS_UNIT: Final = re.compile(r"interval|automatic_optimization|lr_scheduler_step|lr_schedulers\(|\.step\(")
#: Methods and attributes of a scheduler that change no rate.
_READ: Final = frozenset({"get_last_lr", "get_lr", "state_dict", "last_epoch", "base_lrs", "optimizer", "print_lr"})


def never_stepped(training: Training) -> Iterator[tuple[Site, str]]:
    """Where schedulers of optimizers that are stepped are bound to a name, or to an attribute of an object that steps the
    optimizer itself, with which the rest of its function, or of the file, does no more than to read it."""
    for made in _schedulers(training):
        optimizer = made.bound.get("optimizer")
        steps = [event for event in training.events if isinstance(event, events.Step) and event.target is optimizer]
        site = bound_at(made.site)
        target = assigned_to(site)
        if isinstance(target, cst.Name):
            name, unused = target.value, is_never_used(target.value, site, _READ)
        elif isinstance(target, cst.Attribute) and isinstance(target.value, cst.Name):
            name = f"{target.value.value}.{target.attr.value}"
            unused = _is_kept_for_nothing(target.attr.value, site, steps)
        else:
            continue
        if steps and unused:
            yield site, name


def not_returned(training: Training) -> Iterator[tuple[Site, str]]:
    """Where schedulers are bound to a name of the hook that gives a trainer its optimizers, and nothing is done with the name:
    the trainer is not given them."""
    for made in _schedulers(training):
        functions = [part for part in enclosing(made.site) if isinstance(part, cst.FunctionDef)]
        name = name_bound_by(made.site)
        if functions and functions[-1].name.value == _HOOK and name and is_never_used(name, made.site, _READ):
            yield made.site, name


def of_steps_in_epochs(training: Training) -> Iterator[Site]:
    """Where the hook of a Lightning module makes schedules for a number of batches and gives them to the trainer, which steps
    them once per epoch unless it is told otherwise."""
    for made in _schedulers(training):
        site = bound_at(made.site)
        functions = [part for part in enclosing(site) if isinstance(part, cst.FunctionDef)]
        if not functions or functions[-1].name.value != _HOOK or not _counts_batches(made):
            continue
        if not _TELLS_UNIT.search(site.document.text) and _is_given_in_displays(functions[-1], site):
            yield site


def _is_given_in_displays(hook: cst.FunctionDef, site: Site) -> bool:
    """Whether the value of a site only stands in lists, tuples and dicts that a hook writes out, itself or by a name that
    stands nowhere else: nothing wraps it that may say when it is stepped."""
    name = name_bound_by(site)
    given = [part.value for part in walk(hook) if isinstance(part, (cst.Element, cst.DictElement))]
    if not name:
        return any(value is site.node for value in given)
    named = sum(_is_named(value, name) for value in given)
    return named > 0 and sum(_is_named(part, name) for part in walk(hook)) == named + 1


def _is_named(node: cst.CSTNode, name: str) -> bool:
    return isinstance(node, cst.Name) and node.value == name


def bound_at(site: Site) -> Site:
    """Where the value of a site comes to that functions return as it is: the call of the outermost of these."""
    while site.caller is not None and any(
        isinstance(part, cst.Return) and part.value is site.node for part in getattr(site.statement, "body", ())
    ):
        site = site.caller
    return site


def name_bound_by(site: Site) -> str:
    """The name that the value of a site is assigned to; empty if it is assigned otherwise."""
    target = assigned_to(site)
    return target.value if isinstance(target, cst.Name) else ""


def _is_kept_for_nothing(attribute: str, site: Site, steps: Sequence[events.Step]) -> bool:
    """Whether a class without bases, which steps the optimizer itself, keeps a scheduler in an attribute that the file does
    no more than read. A base may step it, and so may whoever steps the optimizer from outside."""
    classes = [part for part in enclosing(site) if isinstance(part, cst.ClassDef)]
    if not classes or classes[-1].bases:
        return False
    owner = classes[-1]
    inside = {id(part) for part in walk(owner)}
    return all(id(step.site.node) in inside for step in steps) and is_attribute_never_used(attribute, site.document.body, _READ)


# --- samplers ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Unshuffled:
    """``sampler`` gives each epoch of ``loop`` the order of the first one."""

    sampler: events.LibraryCall
    loop: Loop
    epochs: Loop


def unshuffled(training: Training) -> Iterator[Unshuffled]:
    """Samplers of loaders that a loop trains from, epoch by epoch, and that are never told the epoch."""
    calls = [event for event in training.events if isinstance(event, events.LibraryCall)]
    samplers = [call for call in calls if call.name == _SAMPLER and unwrap(call.bound.get("shuffle", True)) is True]
    if not samplers or any(call.name.endswith(".set_epoch") for call in calls):
        return
    made = loaders.constructions(training)
    for loop in training.step_loops():
        epochs = next((other for other in training.loops if _is_around(other, loop)), None)
        loader = loaders.loader_of(loop, training, made)
        if epochs is None or loader is None:
            continue
        sampler = next((call for call in samplers if call.result is loader.bound.get("sampler")), None)
        if sampler is None or _mention("set_epoch", (sampler, loop.edge, epochs.edge)):
            continue
        if not any(opaque.is_handed_on(value, training.events) for value in (sampler.result, loader.result)):
            yield Unshuffled(sampler, loop, epochs)


def _mention(word: str, happened: tuple[Event, ...]) -> bool:
    frames = (frame for event in happened for frame in event.site.stack() if frame.document is not None)
    return any(word in frame.document.text for frame in frames)
