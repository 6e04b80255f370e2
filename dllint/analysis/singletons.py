"""Batch normalisations of torch that are given one number per channel in training mode, which they refuse.

``torch.nn.functional.batch_norm`` raises there: "Expected more than 1 value per channel when training" (torch 2.13, and all
releases since 0.3).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.modules import tree
from dllint.analysis.own_statements import enclosing, is_watched
from dllint.analysis.said_in_files import any_says, executed
from dllint.analysis.training import Loop
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape
from dllint.ir import events
from dllint.ir.program import SCRIPT, Event, Op, Site, TensorVal
from dllint.ir.values import ClassVal, InstanceVal, Value, unwrap
from dllint.ops.kinds import having
from dllint.ops.traits import Trait

_BATCH_NORM: Final = having(Trait.STANDARDISES | Trait.SCALES)
#: The attribute of a module by which a program may set the mode, too.
_MODE: Final = "training"
#: What gives a layer other operands, or another mode, than the calls show; what takes the statistics over several processes.
_UNSEEN: Final = re.compile(r"register_(?:module_)?forward_(?:pre_)?hook|SyncBatchNorm|sync_batchnorm")
#: What functions ask about before they normalise: the mode, and (of the last batch) how many samples there are.
_ASKS_MODE: Final = re.compile(r"train", re.I)
_ASKS_SIZE: Final = re.compile(r"train|\.shape|\bsize\b|\blen\b|numel", re.I)
#: What passes on all that it goes through.
_PASSING_ON: Final = frozenset({"enumerate", "tqdm"})


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
    if any_says(executed(item.site for item in trace), _UNSEEN):
        return
    told: set[int] = set()
    for at in candidates:
        op = trace[at]
        if not isinstance(op, Op) or id(op.site.node) in told or op.doubtful:
            continue
        found = _refused(op, at, loops, facts)
        if found is not None and not _is_guarded(found) and _trains(op.layer, at, facts) and not _is_caught(op.site):
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
    """Whether a loop goes over all batches of a loader: over the loader itself, perhaps through what passes all on, and the
    loader is asked there."""
    node, asked = loop.edge.node, left.site.node
    if not isinstance(node, cst.For):
        return False
    over: cst.BaseExpression = node.iter
    asked_here = asked in (node, over)
    while isinstance(over, cst.Call) and _last_name(over.func) in _PASSING_ON and over.args:
        if over.args[0].keyword is not None or over.args[0].star:
            return False
        over = over.args[0].value
        asked_here = asked_here or asked is over
    return asked_here and _names_a_loader(over)


def _names_a_loader(node: cst.BaseExpression) -> bool:
    """Whether an expression can be the loader itself, not something that takes batches from it."""
    if isinstance(node, cst.Call):
        return _last_name(node.func) == "DataLoader"
    if isinstance(node, cst.Subscript):
        return all(isinstance(part.slice, cst.Index) for part in node.slice) and _names_a_loader(node.value)
    return isinstance(node, (cst.Name, cst.Attribute))


def _last_name(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""


def _is_guarded(found: Refused) -> bool:
    """Whether a condition that is not decided leads to a normalisation, or a function on the way to it asks for what makes it
    raise: it may leave it out then."""
    if not all(condition.certain for condition in found.op.path):
        return True
    asks = _ASKS_MODE if found.left is None else _ASKS_SIZE
    return any(
        asks.search(cst.Module([]).code_for_node(test))
        for place in found.op.site.stack()
        for function in [part for part in enclosing(place) if isinstance(part, cst.FunctionDef)][-1:]
        for test in _tests(function.body)
    )


def _tests(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """What the conditions in some code ask, also inside expressions."""
    if isinstance(node, (cst.If, cst.IfExp, cst.Assert, cst.While)):
        yield node.test
    elif isinstance(node, cst.BooleanOperation):
        yield node
    for child in node.children:
        yield from _tests(child)


def _may_end(loop: Loop) -> bool:
    """Whether a statement can leave a loop or a pass of it."""
    pending: list[cst.CSTNode] = [loop.edge.node.body]
    while pending:
        node = pending.pop()
        if isinstance(node, (cst.Break, cst.Return, cst.Continue, cst.If, cst.Try, cst.Assert, cst.Raise)):
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
            trains = _sets_training(item) and not _has_own_train(item.target, layer)
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


def _has_own_train(module: Value, layer: InstanceVal) -> bool:
    """Whether a class on the way from a module to a layer in it defines ``train``, which may leave the layer as it is."""
    module = unwrap(module)
    return not isinstance(module, InstanceVal) or any(
        isinstance(base, ClassVal) and "train" in base.attrs
        for part in tree(module)
        if _has(part, layer) and isinstance(part.cls, ClassVal)
        for base in part.cls.mro
    )


def _has(module: Value, layer: InstanceVal) -> bool:
    """Whether a layer is a module, or a part of it."""
    module = unwrap(module)
    return isinstance(module, InstanceVal) and any(part is layer for part in tree(module))


def _is_caught(site: Site) -> bool:
    """Whether a statement around may take the error: ``try``, or a context that expects one."""
    return any(is_watched(place) for place in site.stack())
