"""Gradient tapes: what they record, what is asked of them, and for whose variables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.modules import elements
from dllint.analysis.one_pass import in_one_pass
from dllint.analysis.own_statements import enclosing, is_watched, texts_after
from dllint.analysis.ranges.uses import TAPE
from dllint.analysis.training import Loop
from dllint.analysis.typestate import order
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import JOIN, Op, TensorVal
from dllint.ir.values import InstanceVal, IterVal, ListVal, RangeVal, Value, unwrap
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.source.walk import small_statements, walk

_GRADIENT: Final = tuple(f"{name}.gradient" for name in TAPE)
_ASKS: Final = tuple(f"{name}.{method}" for name in TAPE for method in ("gradient", "jacobian", "batch_jacobian"))
_WATCHES: Final = tuple(f"{name}.watch" for name in TAPE)
_RESETS: Final = tuple(f"{name}.{method}" for name in TAPE for method in ("reset", "stop_recording"))
_APPLIES: Final = ".apply_gradients"
#: A call that clips gradients.
_CLIP: Final = r"(?:\w+\.)*clip_by_\w+\([^()\n]*\)"
_VARIABLES: Final = ("trainable_variables", "trainable_weights")


@dataclass(frozen=True, slots=True)
class Tape:
    """The ``manager`` that one or more contexts enter, and what is asked of it, in order."""

    manager: InstanceVal
    #: Where it records: the places of the trace between ``enter`` and ``exit``.
    regions: tuple[range, ...]
    asked: tuple[events.LibraryCall, ...]
    watched: tuple[events.LibraryCall, ...]
    #: Whether it is told to forget, or not to record for a while.
    is_reset: bool

    def records(self, number: int) -> bool:
        """Whether what stands at a place of the trace is recorded."""
        return any(number in region for region in self.regions)

    @property
    def gradients(self) -> Iterator[events.LibraryCall]:
        """The calls of ``gradient``."""
        return (call for call in self.asked if call.name in _GRADIENT)

    @property
    def is_persistent(self) -> bool:
        """Whether it answers more than once, or may do so."""
        arguments = self.manager.state.get("arguments")
        given = unwrap(arguments.get("persistent", False)) if isinstance(arguments, Mapping) else True
        return given is not False


def tapes(facts: Facts) -> list[Tape]:
    """The tapes of a program that ``with`` enters."""
    if not any(edge.name in TAPE for edge in facts.events(events.ContextEdge)):
        return []
    entered: list[tuple[Value, int]] = []
    regions: dict[int, tuple[InstanceVal, list[range]]] = {}
    for number, item in enumerate(facts.program.trace):
        if isinstance(item, events.ContextEdge) and item.name in TAPE:
            if item.phase == "enter":
                entered.append((item.manager, number))
            elif entered:
                manager, start = entered.pop()
                if isinstance(manager, InstanceVal):
                    regions.setdefault(id(manager), (manager, []))[1].append(range(start, number))
    calls = [call for call in facts.events(events.LibraryCall) if call.receiver is not None] if regions else []
    return [_tape(manager, places, calls) for manager, places in regions.values()]


def _tape(manager: InstanceVal, places: list[range], calls: list[events.LibraryCall]) -> Tape:
    own = [call for call in calls if call.receiver is manager]
    asked, watched, reset = (tuple(call for call in own if call.name in names) for names in (_ASKS, _WATCHES, _RESETS))
    return Tape(manager, tuple(places), asked, watched, bool(reset))


def target_of(call: events.LibraryCall) -> Value:
    """What is differentiated."""
    return _argument(call, 0, "target")


def sources_of(call: events.LibraryCall) -> Value:
    """By what it is differentiated."""
    return _argument(call, 1, "sources")


def _argument(call: events.LibraryCall, place: int, name: str) -> Value:
    if name in call.bound or name in call.unbound:
        return call.bound.get(name, call.unbound.get(name))
    return call.given[place] if place < call.positional else None


def layers_of(call: events.LibraryCall, facts: Facts) -> list[Value]:
    """The layers and models by whose variables a tape differentiates: those that are asked for them in the argument, or whose
    variables it is."""
    sources, node = sources_of(call), _node(call, 1, "sources")
    parts = {id(part) for part in walk(node)} if node is not None else set()
    reads = facts.events(events.VariablesRead)
    return [read.layer for read in reads if read.value is sources or id(read.site.node) in parts]


def _node(call: events.LibraryCall, place: int, name: str) -> cst.CSTNode | None:
    arguments = call.site.node.args if isinstance(call.site.node, cst.Call) else ()
    named = [argument for argument in arguments if argument.keyword is not None and argument.keyword.value == name]
    if named:
        return named[0].value
    return arguments[place].value if place < len(arguments) and arguments[place].keyword is None else None


# --- misuses ------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outside:
    """``call`` differentiates what ``op`` computes where its tape does not record; ``applied`` takes what that gives."""

    call: events.LibraryCall
    op: Op
    applied: events.LibraryCall | None


def computed_outside(facts: Facts) -> Iterator[Outside]:
    """The gradients that are None, because the last step of the loss is computed outside of the tape."""
    for tape in facts.tapes:
        numbers = _numbers(facts)
        for call in tape.gradients:
            target = target_of(call)
            op = _computed(target, _InOnePass(facts, tape, call)) if isinstance(target, TensorVal) else None
            if (
                op is None
                or does(op, Trait.TAKES_DATA)
                or id(op) not in numbers
                or tape.is_reset
                or tape.records(numbers[id(op)])
            ):
                continue
            if any(watch.given and watch.given[0] is target for watch in tape.watched):
                continue
            yield Outside(call, op, _applied(call, facts))


def _computed(target: TensorVal, is_of_this_pass: Callable[[Op], bool] = lambda _: False) -> Op | None:
    """The operation that makes a tensor of TensorFlow; ``None`` if that is not known, as where a loop carries it, unless it is
    one ``of this pass``. Conversions may give back the tensor that they take."""
    while target.framework in ("tensorflow", "keras") and not (target.foreign or target.several):
        op = target.producer
        if target.varies and (op is None or not is_of_this_pass(op)):
            return None
        if op is None or op.kind == JOIN or does(op, Trait.VARIABLE):
            return None
        if not does(op, Trait.KEEPS_PLACES):
            return op
        x = op.args.get("x", op.args.get("data"))
        if not isinstance(x, TensorVal) or x.framework == "numpy":
            return op if does(op, Trait.TAKES_DATA) else None
        target = x
    return None


@dataclass(frozen=True, slots=True)
class _InOnePass:
    """Whether an operation stands between the beginning of a tape and the ``call`` that asks it, all three in the same pass of
    the same loops: what it makes is what the call sees there, whatever a loop carries on."""

    facts: Facts
    tape: Tape
    call: events.LibraryCall

    def __call__(self, op: Op) -> bool:
        trace, start = self.facts.program.trace, self.tape.regions[0].start
        return in_one_pass(trace, trace[start], self.call) and in_one_pass(trace[start:], op, self.call)


def _numbers(facts: Facts) -> dict[int, int]:
    return {id(item): number for number, item in enumerate(facts.program.trace) if isinstance(item, Op)}


def _applied(call: events.LibraryCall, facts: Facts) -> events.LibraryCall | None:
    """The call that applies the result of another one, as it is."""
    for other in facts.events(events.LibraryCall):
        if other.name.endswith(_APPLIES) and (pairs := _pairs(other)) is not None and pairs[0] is call.result:
            return other
    return None


def _pairs(call: events.LibraryCall) -> tuple[Value, ...] | None:
    """What ``zip`` pairs in the first argument of a call; ``None`` if that is something else."""
    given = call.given[0] if call.given else None
    pair = given.rest if isinstance(given, IterVal) else None
    return pair if isinstance(pair, tuple) and len(pair) == 2 else None


def asked_twice(facts: Facts) -> Iterator[tuple[events.LibraryCall, events.LibraryCall]]:
    """The first and the second call that ask for gradients of a tape that answers once."""
    for tape in facts.tapes:
        if tape.is_persistent or tape.is_reset or len(tape.asked) < 2 or len(tape.regions) > 1:
            continue
        first, second = tape.asked[:2]
        if _way_to(first) != _way_to(second) and order.happens_with(first, second) and not is_watched(second.site):
            yield first, second


def asked_in_passes(facts: Facts) -> Iterator[tuple[events.LibraryCall, bool]]:
    """The calls that ask a tape that answers once in each pass of a loop behind it, and whether that has a second pass for
    sure."""
    for tape in facts.tapes:
        if tape.is_persistent or tape.is_reset or len(tape.regions) > 1 or not tape.asked:
            continue
        call, begin = tape.asked[0], facts.program.trace[tape.regions[0].start]
        recorded = facts.training.around(begin) if isinstance(begin, events.ContextEdge) else ()
        loops = [loop for loop in facts.training.around(call) if loop not in recorded]
        if not loops or is_watched(call.site) or any(isinstance(part, cst.Try) for part in enclosing(call.site)):
            continue
        is_sure = any(_way_to(call) == _way_to(other) for other in tape.asked[1:])
        if any(order.is_unconditional(call, loop) and not _may_end(loop) and (is_sure or _is_open(loop)) for loop in loops):
            yield call, is_sure


def _is_open(loop: Loop) -> bool:
    """Whether a loop may have any number of passes, as far as is known; one that is not is followed pass by pass."""
    over = unwrap(loop.edge.over)
    if isinstance(over, RangeVal):
        return over.start != 0 or over.stop != 1
    return not isinstance(over, tuple) and not (isinstance(over, (ListVal, IterVal)) and over.rest is None)


def _may_end(loop: Loop) -> bool:
    """Whether something in a loop may end it before its time."""
    return any(isinstance(part, (cst.Break, cst.Return, cst.Raise)) for part in walk(loop.edge.node.body))


def _way_to(call: events.LibraryCall) -> list[int]:
    """The identities of the calls that lead to one, itself first: a helper that two calls lead to stands at two places."""
    return [id(place.node) for place in call.site.stack()]


@dataclass(frozen=True, slots=True)
class Unwatched:
    """``call`` differentiates by the ``source``, a tensor that is no variable and that the tape is not told to watch."""

    call: events.LibraryCall
    source: TensorVal


def unwatched(facts: Facts) -> Iterator[Unwatched]:
    """The gradients that are None, because they are asked for by tensors that are not watched."""
    for tape in facts.tapes:
        numbers = _numbers(facts)
        if tape.watched or tape.is_reset:
            continue
        start = tape.regions[0].start
        for call in tape.gradients:
            made = [(part, _computed(part)) for part in elements(sources_of(call)) if isinstance(part, TensorVal)]
            early = (part for part, op in made if op is not None and numbers.get(id(op), start) < start)
            if (source := next(early, None)) is not None:
                yield Unwatched(call, source)


def in_wrong_order(facts: Facts) -> Iterator[events.LibraryCall]:
    """The calls of ``apply_gradients`` whose pairs have the gradient behind the variable."""
    for call in facts.events(events.LibraryCall):
        pairs = _pairs(call) if call.name.endswith(_APPLIES) else None
        if pairs is not None and _is_gradient(pairs[1]) and _is_variables(pairs[0]):
            yield call


def _is_gradient(value: Value) -> bool:
    return isinstance(value, Unknown) and value.reason == "training-result" and value.detail == "gradient"


def _is_variables(value: Value) -> bool:
    return isinstance(value, Unknown) and value.reason == "training-result" and value.detail == "variables"


def never_applied(facts: Facts) -> Iterator[tuple[events.LibraryCall, str]]:
    """The gradients by variables of models, bound to a name that nothing reads afterwards but what gives the gradients this
    name again."""
    for tape in facts.tapes:
        for call in tape.gradients:
            name = _bound_name(call) if layers_of(call, facts) or _asks_for_variables(call) else ""
            if name and not is_watched(call.site) and not any(_reads(text, name) for text in texts_after(call.site)):
                yield call, name


def _asks_for_variables(call: events.LibraryCall) -> bool:
    """Whether it is written out that the gradients are by the variables of an object, whatever that is."""
    node = _node(call, 1, "sources")
    return isinstance(node, cst.Attribute) and node.attr.value in _VARIABLES


def _bound_name(call: events.LibraryCall) -> str:
    for part in small_statements(call.site.statement):
        if isinstance(part, cst.Assign) and part.value is call.site.node and len(part.targets) == 1:
            target = part.targets[0].target
            return target.value if isinstance(target, cst.Name) else ""
    return ""


def _reads(text: str, name: str) -> bool:
    """Whether code reads a name otherwise than to clip what it stands for and to give that the same name."""
    word = rf"\b{re.escape(name)}\b"
    value = rf"(?:{_CLIP}|\[{_CLIP} for \w+ in {word}\])"
    again = re.compile(rf"^[ \t]*{word}(?:, *(\w+))? *= *{value}[ \t]*$", re.MULTILINE)
    norms = {found[1] for found in again.finditer(text)} - {None, "_"}
    rest = again.sub("", text)
    return any(re.search(rf"\b{read}\b", rest) for read in (name, *norms))
