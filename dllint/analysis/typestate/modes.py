"""Training and evaluation mode: in which mode a model is when it is trained, and when it is evaluated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.modules import is_module, tree
from dllint.analysis.own_statements import enclosing
from dllint.analysis.ranges.uses import NO_GRADIENT
from dllint.analysis.training import Loop
from dllint.analysis.typestate import fresh_batches, named, opaque, order
from dllint.analysis.typestate.groups import trained_modules
from dllint.analysis.typestate.remade import constructions
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import SCRIPT, Event, TensorVal
from dllint.ir.values import InstanceVal, Value, unwrap
from dllint.ops.kinds import does, having
from dllint.ops.traits import Trait
from dllint.source.walk import walk

#: Operations that compute something else while a model is trained.
_MODAL: Final = having(Trait.DROPS) | having(Trait.STANDARDISES | Trait.SCALES)
#: Names of data, functions and loops that evaluate.
_EVALUATES: Final = re.compile(
    r"(?:^|_)(?:val|valid|validation|test|testing|dev|eval|evaluate|evaluation)(?:_|$|\d)", re.IGNORECASE
)
#: Words of code that applies a model in training mode on purpose, or plays with it.
_ON_PURPOSE: Final = re.compile(
    r"monte.?carlo|\bmc\b|mc_|_mc|uncertain|bayes|stochastic|update_bn|bn_update|recalib|calibrat|running_mean|momentum|pseudo"
    r"|teacher|policy|agent|actor|rollout|env\b|reset\(|discriminator|generator|critic",
    re.IGNORECASE,
)
#: How methods are called that set a mode, perhaps to one that is not known.
_SETS: Final = re.compile(r"train|eval|mode|phase|restore|switch|freeze", re.IGNORECASE)
#: Words of code that leaves parts of a model as they are.
_FROZEN: Final = re.compile(r"fr[eo]+ze|requires_grad\w*\W+False|statistics|running.stat", re.IGNORECASE)
#: How methods are called that give a model weights which were trained before.
_LOADS: Final = ".load_state_dict"
Application = events.ModuleCall | events.OpaqueCall
Mode = events.Train | events.Eval


@dataclass(frozen=True, slots=True)
class Applied:
    """A model is applied at place ``number`` of the trace, with or without gradients."""

    number: int
    event: Application
    with_gradient: bool


class Modes:
    """The mode of the models of a program, as far as its events tell."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._trace = facts.program.trace
        self._training = facts.training
        self._calls = [(at, item) for at, item in enumerate(self._trace) if isinstance(item, (events.Train, events.Eval))]
        self._parts: dict[int, tuple[InstanceVal, frozenset[int]]] = {}

    @cached_property
    def _models(self) -> list[Value]:
        """The objects that are set to a mode, and the modules that no other module applies, each once."""
        found = {id(event.target): event.target for _, event in self._calls}
        for item in self._trace:
            if isinstance(item, events.ModuleCall) and not is_module(item.owner):
                found.setdefault(id(item.callee), item.callee)
        return list(found.values())

    def _applications(self, model: Value) -> list[Applied]:
        """Where a model is applied, in order."""
        depth, found = 0, []
        for number, item in enumerate(self._trace):
            if isinstance(item, events.ContextEdge) and item.name in NO_GRADIENT:
                depth += 1 if item.phase == "enter" else -1
            elif isinstance(item, (events.ModuleCall, events.OpaqueCall)) and (item.callee is model or _forwards(item, model)):
                found.append(Applied(number, item, depth == 0))
        return found

    def _uses(self, model: Value) -> list[Applied]:
        """Where a model, or a part of it by itself (``model.decoder(z)``), is applied from outside, in order."""
        if not isinstance(model, InstanceVal):
            return self._applications(model)
        parts, depth, found = self._parts_of(model), 0, []
        for number, item in enumerate(self._trace):
            if isinstance(item, events.ContextEdge) and item.name in NO_GRADIENT:
                depth += 1 if item.phase == "enter" else -1
            elif isinstance(item, events.ModuleCall) and id(item.callee) in parts and id(item.owner) not in parts:
                found.append(Applied(number, item, depth == 0))
        return found

    def _parts_of(self, module: InstanceVal) -> frozenset[int]:
        if id(module) not in self._parts:
            self._parts[id(module)] = module, frozenset(map(id, tree(module)))
        return self._parts[id(module)][1]

    def _concerns(self, event: Mode, model: Value) -> bool:
        """Whether a call sets the mode of a model, of a part of it, or of something that may have to do with it."""
        target = event.target
        if target is model:
            return True
        if isinstance(target, InstanceVal) and isinstance(model, InstanceVal):
            return id(model) in self._parts_of(target) or id(target) in self._parts_of(model)
        return not (isinstance(target, Unknown) and isinstance(model, Unknown) and _are_apart(target, model))

    def _depends_on_mode(self, model: Value) -> bool:
        """Whether a module has layers that compute something else while it is trained."""
        if not isinstance(model, InstanceVal) or not is_module(model):
            return False
        parts = self._parts_of(model)
        if any(part.layer is not None and _is_modal(part) for part in tree(model)):
            return True
        return any(op.kind in _MODAL and id(op.owner) in parts and op.layer is None for op in self._facts.ops)

    def _is_trained(self, model: Value) -> Applied | None:
        """The first application of a model that a backward pass follows in the same innermost loop."""
        for applied in self._applications(model):
            loop = self._training.innermost(applied.event)
            if loop is not None and applied.with_gradient and self._trains(applied, loop):
                return applied
        return None

    # --- evaluated in training mode -------------------------------------------------------------------------------------

    def evaluated_while_training(self) -> Iterator[Evaluated]:
        """Where models which the program trains and never puts into evaluation mode are evaluated, each once."""
        for model in self._models:
            calls = [event for _, event in self._calls if self._concerns(event, model)]
            if any(isinstance(event, events.Eval) for event in calls) or not self._may_be_judged(model, calls):
                continue
            trained = self._is_trained(model)
            if trained is None or _may_be_set_elsewhere(model, self._training.events):
                continue
            for applied in self._applications(model):
                loop = self._training.innermost(applied.event)
                if loop is not None and self._evaluates(applied, loop):
                    yield EvaluatedInLoop(applied.event, calls[-1] if calls else None, loop)
                    break
                if applied.number > trained.number and self._is_measured(model, applied, loop):
                    yield Evaluated(applied.event, calls[-1] if calls else None)
                    break

    def loaded_and_not_evaluating(self) -> Iterator[Evaluated]:
        """Where models are applied without gradients after a script that trains nothing has loaded their weights, and that are
        never put into evaluation mode: the first application of each."""
        if self._training.trains or self._facts.program.entry != SCRIPT:
            return
        for load in self._facts.events(events.LibraryCall):
            model, number = load.receiver, self._trace.index(load) if load.name.endswith(_LOADS) else 0
            if not number or not isinstance(model, InstanceVal) or any(self._concerns(call, model) for _, call in self._calls):
                continue
            if not self._depends_on_mode(model) or _may_be_set_elsewhere(model, self._training.events):
                continue
            behind = (one for one in self._applications(model) if one.number > number and not one.with_gradient)
            used = (one for one in behind if self._is_used(one) and not self._is_on_purpose(one))
            if (applied := next(used, None)) is not None:
                yield Evaluated(applied.event, None)

    def _is_on_purpose(self, applied: Applied) -> bool:
        """Whether an application, or a loop around it, is one that wants what training mode does, or takes samples."""
        loops = [loop.edge.node for loop in self._training.around(applied.event)]
        codes = [_code(node) for node in (*loops, applied.event.site.statement)]
        counted = any(isinstance(node, cst.For) and _counts(node) for node in loops)
        return counted or any(map(_ON_PURPOSE.search, (*codes, applied.event.scope)))

    def _may_be_judged(self, model: Value, calls: Sequence[Mode]) -> bool:
        """Whether a model is known to depend on its mode, or is an unknown one whose mode the program sets."""
        if isinstance(model, Unknown):
            return any(event.target is model for event in calls)
        return self._depends_on_mode(model)

    def _evaluates(self, applied: Applied, loop: Loop) -> bool:
        """Whether a loop goes over data to evaluate a model: it trains nothing, and records no gradients or is called so."""
        return self._only_applies(applied, loop) and (not applied.with_gradient or _is_called_evaluation(applied, loop))

    def _is_measured(self, model: Value, applied: Applied, loop: Loop | None) -> bool:
        """Whether a model is applied, without gradients, to other data than it is trained on, and the result is compared
        with something. A loop around it that counts and does not train samples from dropout."""
        call = applied.event
        if applied.with_gradient or not isinstance(call, events.ModuleCall) or not isinstance(call.result, TensorVal):
            return False
        if loop is not None and not any(isinstance(event, events.Backward) for event in self._training.within(loop, Event)):
            return False
        others = [other.event for other in self._applications(model) if other.with_gradient]
        trained = {id(value) for other in others if isinstance(other, events.ModuleCall) for value in _given(other)}
        if not _given(call) or any(id(value) in trained for value in _given(call)):
            return False
        if any(other.site.node.deep_equals(call.site.node) for other in others):
            return False  # the same data by their name, which a loop may have joined with themselves
        if _ON_PURPOSE.search(_code(call.site.statement)) or _ON_PURPOSE.search(call.scope):
            return False
        return self._is_compared(call.result)

    def _is_compared(self, result: TensorVal) -> bool:
        """Whether a loss or a comparison takes what comes from a result, and nothing that is differentiated does."""
        differentiated = self._differentiated
        if differentiated is None:
            return False
        compared, seen, behind = False, set[int](), list(self._facts.users(result))
        while behind:
            op = behind.pop()
            if id(op) in differentiated:
                return False
            compared = compared or does(op, Trait.LOSS) or does(op, Trait.COMPARES)
            if id(op) not in seen:
                seen.add(id(op))
                behind += self._facts.takers(op)
        return compared

    @cached_property
    def _differentiated(self) -> frozenset[int] | None:
        """The operations, by ``id``, that the losses come from which are differentiated; ``None`` if one is not known."""
        losses = [event.target for event in self._facts.events(events.Backward)]
        known = [loss for loss in losses if isinstance(loss, TensorVal)]
        return frozenset(map(id, self._facts.ancestors(*known))) if len(known) == len(losses) else None

    def _only_applies(self, applied: Applied, loop: Loop) -> bool:
        """Whether a loop goes over data, applies a model for what it computes of them, and trains nothing."""
        happened = self._training.within(loop, Event)
        if any(isinstance(event, (events.Backward, events.Step, events.ZeroGrad)) for event in happened):
            return False
        if not isinstance(loop.edge.node, cst.For) or (_counts(loop.edge.node) and not self._draws(applied, loop)):
            return False
        if _ON_PURPOSE.search(_code(loop.edge.node)) or _ON_PURPOSE.search(applied.event.scope):
            return False
        return self._is_used(applied)

    def _draws(self, applied: Applied, loop: Loop) -> bool:
        """Whether a loop makes in each pass what a model is given."""
        return isinstance(applied.event, events.ModuleCall) and fresh_batches.draws(applied.event, loop, self._facts)

    def _is_used(self, applied: Applied) -> bool:
        """Whether something is done with what a model computes: statistics are not all that is wanted of it."""
        statement = applied.event.site.statement
        body = getattr(statement, "body", ())
        return not any(isinstance(part, cst.Expr) and part.value is applied.event.site.node for part in body)

    def evaluated_with_gradients(self) -> Iterator[EvaluatedInLoop]:
        """The loops that do nothing but apply a model to data while gradients are recorded, in evaluation mode or under a name
        that says that they evaluate; the first one of each model."""
        for model in self._models:
            calls = [(at, event) for at, event in self._calls if self._concerns(event, model)]
            for applied in self._applications(model):
                loop = self._training.innermost(applied.event)
                if loop is None or not applied.with_gradient or not self._only_applies(applied, loop):
                    continue
                last = next((event for at, event in reversed(calls) if at < applied.number), None)
                is_off = isinstance(last, events.Eval) and last.target is model
                if is_off or (isinstance(model, InstanceVal) and _is_called_evaluation(applied, loop)):
                    yield EvaluatedInLoop(applied.event, last, loop)
                    break

    # --- not put back into training mode ----------------------------------------------------------------------------------

    def not_restored(self) -> Iterator[NotRestored]:
        """The calls of ``eval()`` in loops after which the next pass trains, with no call of ``train()`` in the loop."""
        seen: set[int] = set()
        for loop in (loop for loop in self._training.loops if not loop.is_cut):
            for number, event in self._calls:
                if loop.contains(number) and isinstance(event, events.Eval) and id(event.site.node) not in seen:
                    found = self._not_restored(loop, number, event)
                    if found is not None:
                        seen.add(id(event.site.node))
                        yield found

    def _not_restored(self, loop: Loop, number: int, event: events.Eval) -> NotRestored | None:
        model, happened = event.target, self._training.within(loop, Event)
        calls = [(at, call) for at, call in self._calls if self._concerns(call, model)]
        before = [call for at, call in calls if at < loop.start]
        if any(isinstance(call, events.Train) and loop.contains(at) for at, call in calls) or not self._was_training(
            model, before
        ):
            return None
        if _may_be_set_elsewhere(model, happened) or _leaves(loop, event) or constructions(model, happened):
            return None
        inside = [applied for applied in self._uses(model) if loop.contains(applied.number)]
        trained = [applied for applied in inside if applied.with_gradient and self._trains(applied, loop)]
        evaluated = [applied for applied in inside if applied.number > number and not self._trains(applied, loop)]
        if not trained or not evaluated or order.exclude_each_other(trained[0].event, event):
            return None
        again = next((applied for applied in trained if applied.number > number), None)
        if again is not None and evaluated[0].number > again.number:
            return None
        return NotRestored(event, trained[0].event, evaluated[0].event)

    # --- left in evaluation mode ------------------------------------------------------------------------------------------

    def left_in_evaluation(self) -> Iterator[LeftInEvaluation]:
        """Where a function puts a model into evaluation mode and is left, and the program then trains the model with an
        optimizer and nothing puts it back into training mode; each model once."""
        for model in self._models:
            calls = [(at, event) for at, event in self._calls if self._concerns(event, model)]
            last = calls[-1][1] if calls else None
            if not isinstance(last, events.Eval) or last.target is not model or not self._depends_on_mode(model):
                continue
            if any(isinstance(event, events.Train) for _, event in calls):
                continue
            trained = next((one for one in self._applications(model) if self._is_optimized(one, model, calls)), None)
            if trained is None or _may_be_set_elsewhere(model, self._training.events) or self._is_said_on_purpose(last):
                continue
            yield LeftInEvaluation(next(event for at, event in reversed(calls) if at < trained.number), trained.event)

    def _is_optimized(self, applied: Applied, model: Value, calls: Sequence[tuple[int, Mode]]) -> bool:
        """Whether an application is part of the training of a model that a function, which has been left, has put into
        evaluation mode for sure: a loop around it steps an optimizer of its parameters."""
        loop = self._training.innermost(applied.event)
        before = [event for at, event in calls if at < applied.number]
        if loop is None or not before or not applied.with_gradient or not self._trains(applied, loop):
            return False
        if not order.happens_with(before[-1], applied.event) or not _is_left(before[-1], loop) or _only_sets_mode(before[-1]):
            return False
        if any(loop.contains(at) for at, _ in calls):
            return False
        owned = self._optimized
        parts = self._parts_of(model) if isinstance(model, InstanceVal) else frozenset[int]()
        steps = self._training.within(loop, events.Step)
        return any(not parts.isdisjoint(owned.get(id(step.target), frozenset())) for step in steps)

    @cached_property
    def _optimized(self) -> dict[int, frozenset[int]]:
        return trained_modules(self._facts)

    def _is_said_on_purpose(self, event: Event) -> bool:
        """Whether the program speaks of parts that are frozen, or of statistics that are to stay."""
        documents = {id(item.site.document): item.site.document for item in (event, *self._training.events)}
        return any(_FROZEN.search(document.text) for document in documents.values())

    def _trains(self, applied: Applied, loop: Loop) -> bool:
        """Whether a backward pass follows an application in the innermost loop around it, or in the same pass of ``loop``."""
        inner = self._training.innermost(applied.event) or loop
        return any(isinstance(item, events.Backward) for item in self._trace[applied.number : inner.end])

    def _was_training(self, model: Value, before: Sequence[Mode]) -> bool:
        """Whether a model is in training mode when a loop begins: it was put into it last, or it is a module with layers that
        depend on the mode, or what the program was given, and nothing has set one."""
        if before:
            last = before[-1]
            return isinstance(last, events.Train) and last.target is model and self._may_be_judged(model, before)
        return self._depends_on_mode(model) or (isinstance(model, Unknown) and model.reason in ("argument", "parameter"))


@dataclass(frozen=True, slots=True)
class Evaluated:
    """``application`` evaluates a model in training mode; ``mode`` has set that, if anything has."""

    application: Application
    mode: Mode | None


@dataclass(frozen=True, slots=True)
class EvaluatedInLoop(Evaluated):
    """The ``loop`` over data that evaluates it."""

    loop: Loop


@dataclass(frozen=True, slots=True)
class NotRestored:
    """``call`` puts a model into evaluation mode for ``evaluated``; ``trained`` trains it so from the next pass on."""

    call: events.Eval
    trained: Application
    evaluated: Application


@dataclass(frozen=True, slots=True)
class LeftInEvaluation:
    """``call`` puts a model into evaluation mode in a function that is left, and ``trained`` trains it in this mode."""

    call: Mode
    trained: Application


def _only_sets_mode(event: Event) -> bool:
    """Whether the function in which an event happens does nothing else with a model that it is given, so that whoever calls it
    wants the mode."""
    functions = [part for part in enclosing(event.site) if isinstance(part, cst.FunctionDef)]
    is_given = not isinstance(named.receiver(event.site.node), cst.Call)
    return is_given and bool(functions) and len(functions[-1].body.body) == 1


def _is_left(event: Event, loop: Loop) -> bool:
    """Whether the function in which an event happens has been left when a loop begins."""
    place = event.site.caller
    return place is not None and all(frame.node is not place.node for frame in loop.edge.site.stack()[1:])


def _forwards(item: Application, model: Value) -> bool:
    """Whether the method ``forward`` of a model that is not known is called."""
    if not isinstance(item, events.OpaqueCall) or not isinstance(model, Unknown):
        return False
    return item.name == "forward" and bool(item.values) and item.values[0] is model


def _given(call: events.ModuleCall) -> tuple[Value, ...]:
    """The arguments of a call."""
    return (*call.args, *call.keywords.values())


def _may_be_set_elsewhere(model: Value, happened: Sequence[Event]) -> bool:
    """Whether code that is not followed gets a model, or a method of it that is not followed sets a mode by its name."""
    methods = (event for event in happened if isinstance(event, events.OpaqueCall) and event.values[0] is model)
    return opaque.is_handed_on(model, happened) or any(_SETS.search(event.name) for event in methods)


def _are_apart(one: Unknown, other: Unknown) -> bool:
    """Whether two unknown objects are different arguments, neither of which is a part of the other."""
    given = one.reason in ("argument", "parameter") and other.reason in ("argument", "parameter")
    first, second = one.detail.partition(".")[0], other.detail.partition(".")[0]
    return given and bool(first) and bool(second) and first != second


def _is_modal(layer: InstanceVal) -> bool:
    """Whether a layer drops elements or normalises by the batch while it is trained."""
    config = layer.layer
    if config is None:
        return False
    if config.row.op in _MODAL:
        return True
    dropped = unwrap(config.args.get("dropout"))
    return isinstance(dropped, (int, float)) and not isinstance(dropped, bool) and dropped > 0


def _is_called_evaluation(applied: Applied, loop: Loop) -> bool:
    """Whether the data that a loop goes over, or the function around it, are called those of an evaluation."""
    data = _last_names(loop.edge.node.iter) if isinstance(loop.edge.node, cst.For) else ""
    return bool(_EVALUATES.search(data) or _EVALUATES.search(applied.event.scope.rpartition(".")[2]))


def _counts(loop: cst.For) -> bool:
    """Whether a loop counts instead of going over data: its numbers pick nothing from anything, as those of batches do."""
    call = loop.iter
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Name) or call.func.value not in ("range", "count"):
        return False
    written = {id(part.target) for part in walk(loop.body) if isinstance(part, cst.AssignTarget)}
    picked = (part for part in walk(loop.body) if isinstance(part, cst.Subscript) and id(part) not in written)
    numbers = {part.value for part in walk(loop.target) if isinstance(part, cst.Name)}
    return not any(isinstance(name, cst.Name) and name.value in numbers for part in picked for name in _within(part.slice))


def _within(nodes: Sequence[cst.CSTNode]) -> Iterator[cst.CSTNode]:
    return (part for node in nodes for part in walk(node))


def _last_names(expression: cst.CSTNode) -> str:
    """The names in an expression, separated so that each is searched on its own."""
    return " ".join(f"_{part.value}_" for part in walk(expression) if isinstance(part, cst.Name))


def _code(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)


def _leaves(loop: Loop, event: events.Eval) -> bool:
    """Whether the branch in which a call stands, if it stands in one, leaves the loop or the function."""
    statements = {id(site.statement) for site in event.site.stack()}
    branches = (node for node in walk(loop.edge.node.body) if isinstance(node, (cst.If, cst.Else)))
    return any(
        any(id(part) in statements for part in walk(branch.body)) and any(_is_exit(part) for part in walk(branch.body))
        for branch in branches
    )


def _is_exit(node: Any) -> bool:
    return isinstance(node, (cst.Break, cst.Return, cst.Raise))
