"""Batch normalisations of torch that are given one number per channel in training mode, which they refuse.

``torch.nn.functional.batch_norm`` raises there: "Expected more than 1 value per channel when training" (torch 2.13, and all
releases since 0.3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.modules import tree
from dllint.analysis.own_statements import is_watched
from dllint.analysis.training import Loop
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape
from dllint.ir import events
from dllint.ir.program import SCRIPT, Event, Op, Site, TensorVal
from dllint.ir.values import InstanceVal, Value, unwrap
from dllint.ops.kinds import having
from dllint.ops.traits import Trait

_BATCH_NORM: Final = having(Trait.STANDARDISES | Trait.SCALES)
#: The attribute of a module by which a program may set the mode, too.
_MODE: Final = "training"


@dataclass(frozen=True, slots=True)
class Refused:
    """A normalisation that refuses its operand, whose shape is ``shape`` then; ``left`` tells of the loader that leaves one
    sample over for its last batch, None where the shape is what the program gives."""

    op: Op
    shape: Shape
    left: events.SingleLeft | None


def refused(facts: Facts) -> Iterator[Refused]:
    """The normalisations of a program that surely raise, each place once."""
    trace = facts.program.trace
    candidates = [at for at, item in enumerate(trace) if isinstance(item, Op) and _normalises(item)]
    if not candidates:
        return
    loops = dict(_loops_with_rest(facts))
    if not loops and facts.program.entry != SCRIPT and not facts.program.takes_nothing:
        return
    told: set[int] = set()
    for at in candidates:
        op = trace[at]
        if not isinstance(op, Op) or id(op.site.node) in told or op.doubtful:
            continue
        found = _refused(op, at, loops, facts)
        if found is not None and _trains(op.layer, at, facts) and not _is_caught(op.site):
            told.add(id(op.site.node))
            yield found


def _refused(op: Op, at: int, loops: dict[Loop, events.SingleLeft], facts: Facts) -> Refused | None:
    x = op.args.get("x")
    if not isinstance(x, TensorVal) or isinstance(x.shape, Unknown) or len(x.shape) < 2:
        return None
    batch, _, *places = x.shape
    if any(place != 1 for place in places):
        return None
    if batch == 1 and isinstance(batch, int):
        written = facts.program.entry == SCRIPT or facts.program.takes_nothing
        return Refused(op, x.shape, None) if written else None
    around = [loop for loop in facts.training.loops if loop.contains(at)]
    inner = min(around, key=lambda loop: loop.end - loop.start, default=None)
    left = loops.get(inner) if inner is not None else None
    if left is None or inner is None or isinstance(batch, int) or not _is_batch(batch, inner, facts):
        return None
    return Refused(op, (1, *x.shape[1:]), left)


def _normalises(op: Op) -> bool:
    """Whether a batch normalisation of torch, as a layer, performs an operation."""
    return op.kind in _BATCH_NORM and op.framework == "torch" and op.layer is not None and bool(op.outputs)


def _loops_with_rest(facts: Facts) -> Iterator[tuple[Loop, events.SingleLeft]]:
    """The training loops that go to their end over a loader whose last batch has one sample."""
    training = facts.training
    for left in facts.events(events.SingleLeft):
        for loop in training.step_loops():
            behind = facts.program.trace.index(left) < loop.start
            if behind and _begins(left, loop) and not loop.edge.path and not left.path and not _may_end(loop):
                yield loop, left


def _begins(left: events.SingleLeft, loop: Loop) -> bool:
    """Whether a loop is the one that asks a loader for its batches: what it goes over stands where the loader was asked."""
    node, asked = loop.edge.node, left.site.node
    return isinstance(node, cst.For) and (asked is node or asked is node.iter or _holds(node.iter, asked))


def _holds(node: cst.CSTNode, wanted: object) -> bool:
    return node is wanted or any(_holds(child, wanted) for child in node.children)


def _may_end(loop: Loop) -> bool:
    """Whether a statement can leave a loop or a pass of it."""
    pending: list[cst.CSTNode] = [loop.edge.node.body]
    while pending:
        node = pending.pop()
        if isinstance(node, (cst.Break, cst.Return, cst.Continue, cst.If, cst.Try)):
            return True
        pending.extend(child for child in node.children if not isinstance(child, cst.BaseExpression))
    return False


def _is_batch(size: object, loop: Loop, facts: Facts) -> bool:
    """Whether a size is that of the batches of a loop: of samples that its loader has stacked."""
    for item in facts.program.trace[loop.start : loop.end]:
        for value in item.inputs if isinstance(item, Op) else ():
            if value.sample is not None and isinstance(value.shape, tuple) and value.shape and value.shape[0] == size:
                return True
    return False


def _trains(layer: Value, at: int, facts: Facts) -> bool:
    """Whether a layer is surely in training mode at a place of the trace: the program makes it, which is so at first, and
    nothing has set another mode or may have done so."""
    if not isinstance(layer, InstanceVal):
        return False
    trains = False
    for item in facts.program.trace[:at]:
        if isinstance(item, events.Construction) and item.instance is layer:
            trains = True
        elif isinstance(item, events.Train) and _has(item.target, layer):
            trains = _sets_training(item)
        elif _may_set_mode(item, layer):
            trains = False
    return trains and not layer.handed and not any(module.handed for module in _modules_with(layer, facts))


def _may_set_mode(item: Op | Event, layer: InstanceVal) -> bool:
    """Whether what happens sets a layer to evaluation mode, or may set it to one that is not known."""
    if isinstance(item, events.Eval):
        return not isinstance(item.target, InstanceVal) or _has(item.target, layer)
    if isinstance(item, events.OpaqueCall):
        return any(_has(value, layer) for value in item.values)
    return isinstance(item, events.AttributeWrite) and item.name == _MODE


def _modules_with(layer: InstanceVal, facts: Facts) -> Iterator[InstanceVal]:
    """The modules of a program that a layer is a part of, as far as they are applied."""
    for call in facts.events(events.ModuleCall):
        if isinstance(call.callee, InstanceVal) and _has(call.callee, layer):
            yield call.callee


def _sets_training(event: events.Train) -> bool:
    """Whether ``train(…)`` is given nothing, or True: of another argument, the mode is not known."""
    node = event.site.node
    if not isinstance(node, cst.Call):
        return False
    return all(isinstance(arg.value, cst.Name) and arg.value.value == "True" for arg in node.args)


def _has(module: Value, layer: InstanceVal) -> bool:
    """Whether a layer is a module, or a part of it."""
    module = unwrap(module)
    return isinstance(module, InstanceVal) and any(part is layer for part in tree(module))


def _is_caught(site: Site) -> bool:
    """Whether a statement around may take the error: ``try``, or a context that expects one."""
    return any(is_watched(place) for place in site.stack())
