"""What sessions of TensorFlow 1 are asked for, or given, that they refuse or wait for without end.

Of a run it is known which values it asks for and which it feeds. A tensor that is fed takes the place of what it was computed
from. Documented in the TensorFlow 1 guides on graphs and sessions, and on reading data by queues.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from dllint.analysis.facts import Facts
from dllint.analysis.graph_variables import is_plain
from dllint.analysis.said_in_files import any_says
from dllint.domains.lattice import Unknown, UnknownResult
from dllint.frameworks.keras.protocols.plain import plain
from dllint.ir.events import LibraryCall
from dllint.ir.program import Event, Op, TensorVal
from dllint.ir.values import AbstractVal, DictVal, InstanceVal, LibSymbol, ListVal, Value, unwrap
from dllint.ops.kinds import does
from dllint.ops.traits import Trait

_SESSION: Final = LibSymbol("tensorflow.Session")
#: Placeholders without a default.
_PLACEHOLDER: Final = "tensorflow.placeholder"
_RUNS: Final = frozenset({"tensorflow.Session.run", "tensorflow.InteractiveSession.run"})
_EVALUATES: Final = frozenset({"tensorflow.Tensor.eval", "tensorflow.Operation.run"})
_ASSIGNS: Final = frozenset({"tensorflow.assign", "tensorflow.assign_add", "tensorflow.assign_sub"})
_SUMMARY: Final = "tensorflow.summary."
_MERGED: Final = f"{_SUMMARY}merge_all"
#: What makes queues that threads have to fill.
_QUEUES: Final = frozenset(
    f"tensorflow.train.{name}"
    for name in (
        "batch", "shuffle_batch", "batch_join", "shuffle_batch_join", "string_input_producer", "slice_input_producer",
        "range_input_producer", "input_producer",
    )
)  # fmt: skip
_STARTS: Final = "tensorflow.train.start_queue_runners"
#: What starts such threads otherwise, or may do so.
_STARTS_OTHERWISE: Final = re.compile(
    r"QueueRunner|create_threads|[Ss]upervisor|Monitored|managed_session|[Ee]stimator|\blearning\.train|\.start\(|run_training"
)
_STARTS_ANYHOW: Final = re.compile(rf"start_queue_runners|{_STARTS_OTHERWISE.pattern}")
_NORMALISES: Final = "tensorflow.layers.batch_normalization"
_MINIMIZES: Final = ("tensorflow.train.Optimizer.minimize", "tensorflow.train.Optimizer.apply_gradients")
#: What runs the updates of moving averages, or may do so.
_UPDATES: Final = re.compile(r"update_?ops|updates_collections|create_train_op|get_updates|\.updates\b|optimize_loss", re.I)
#: Whose tensors a graph is made of.
_GRAPHS: Final = ("tensorflow", "keras")
#: So many values are looked at for one question.
_MOST: Final = 4_000

Kind = Literal["unfed", "fed tensor", "no variable", "no threads", "early threads", "no updates"]


@dataclass(frozen=True, slots=True)
class Misuse:
    """``where`` is the run or call; ``about`` what it lacks or refuses."""

    kind: Kind
    where: Event
    about: Op | LibraryCall | None = None


def misuses(facts: Facts) -> Iterator[Misuse]:
    """The first misuse of each kind in a program that opens a session."""
    calls = facts.events(LibraryCall)
    opened = [call for call in calls if isinstance(call.result, InstanceVal) and call.result.cls == _SESSION]
    if not opened or not all(map(is_plain, opened)):
        return
    told: set[str] = set()
    for found in (*_feeds(facts, calls), *_assigned(calls), *_waiting(facts, calls), *_updates(facts, calls)):
        if found.kind not in told:
            told.add(found.kind)
            yield found


def _feeds(facts: Facts, calls: list[LibraryCall]) -> Iterator[Misuse]:
    """Runs that need a placeholder which they do not feed, and that feed a tensor of the graph."""
    queued = {id(one): call for call in calls if call.name in _QUEUES for one in _parts(call.result)}
    places = {call.result.id for call in calls if call.name == _PLACEHOLDER and isinstance(call.result, TensorVal)}
    for run in calls:
        if run.name not in _RUNS and run.name not in _EVALUATES:
            continue
        position = 1 if run.name in _RUNS else 0
        fed = unwrap(run.bound.get("feed_dict", run.given[position] if run.positional > position else None))
        if fed is not None and not (isinstance(fed, DictVal) and fed.rest is None and fed.others is None):
            continue
        pairs = list(fed.items.items()) if isinstance(fed, DictVal) else []
        for _, value in pairs:
            if (maker := _graph_maker(unwrap(value), queued)) is not None:
                yield Misuse("fed tensor", run, maker)
        names = [plain(key) for key, _ in pairs]
        if not all(isinstance(name, TensorVal) for name in names) or run.unbound:
            continue
        stop = {name.id for name in names if isinstance(name, TensorVal)}
        for asked in _asked(run, calls):
            if (missing := _unfed(asked, stop, places)) is not None:
                yield Misuse("unfed", run, missing)


def _parts(value: Value) -> list[Value]:
    return [value, *(value.items if isinstance(value, ListVal) else value if isinstance(value, tuple) else ())]


def _graph_maker(value: Value, queued: dict[int, LibraryCall]) -> Op | LibraryCall | None:
    """What has made a value that is a tensor of the graph for sure."""
    if id(value) in queued:
        return queued[id(value)]
    if isinstance(value, TensorVal) and value.framework == "tensorflow" and value.producer is not None and not value.varies:
        maker = value.producer
        return maker if maker.framework == "tensorflow" and not does(maker, Trait.CROSSES_GRAPH) else None
    return None


def _asked(run: LibraryCall, calls: list[LibraryCall]) -> Iterator[TensorVal]:
    """The tensors that a run computes: of a training step its loss, of merged summaries all that they show."""
    todo: list[Value] = [run.receiver if run.name in _EVALUATES else (run.given[0] if run.given else None)]
    while todo:
        value = unwrap(todo.pop())
        if isinstance(value, (ListVal, tuple)):
            todo += _parts(value)[1:]
        elif isinstance(value, TensorVal):
            yield value
        elif isinstance(value, InstanceVal):
            todo += [value.state.get("loss"), *_shown_by(value, calls)]


def _shown_by(value: Value, calls: list[LibraryCall]) -> Iterator[Value]:
    """What the summaries show that were made before they were all merged into one."""
    merged = next((number for number, call in enumerate(calls) if call.result is value and call.name == _MERGED), 0)
    for call in calls[:merged]:
        if call.name.startswith(_SUMMARY):
            yield from call.given[1:]


def _unfed(asked: TensorVal, stop: set[int], places: set[int]) -> Op | None:
    """A placeholder that a tensor is computed from, not by way of what is fed."""
    todo, seen = [asked], set[int]()
    while todo and len(seen) < _MOST:
        value = todo.pop()
        if value.id in seen or value.id in stop or value.producer is None or value.varies:
            continue
        seen.add(value.id)
        if value.id in places:
            return value.producer
        if value.framework in _GRAPHS and not value.producer.path and not _asks_for_shape(value.producer):
            todo += value.producer.inputs
    return None


def _asks_for_shape(op: Op) -> bool:
    """Whether an operation needs no more than the shape of its operand, which TensorFlow takes from the graph if it can."""
    return does(op, Trait.ZEROS) or does(op, Trait.ONES) or does(op, Trait.FULL) or does(op, Trait.COUNTS_AXES)


def _assigned(calls: list[LibraryCall]) -> Iterator[Misuse]:
    """``tf.assign`` to the result of an operation."""
    for call in calls:
        target = call.given[0] if call.name in _ASSIGNS and call.given else None
        if isinstance(target, TensorVal) and target.producer is not None and not target.varies:
            maker = target.producer
            is_value = does(maker, Trait.FILLS) or does(maker, Trait.POINTWISE) or does(maker, Trait.REDUCES)
            if is_value and not does(maker, Trait.VARIABLE) and maker.framework == "tensorflow":
                yield Misuse("no variable", call, maker)


def _waiting(facts: Facts, calls: list[LibraryCall]) -> Iterator[Misuse]:
    """A run that takes from a queue which no thread fills: none is started, or before the queue was made."""
    queues = [call for call in calls if call.name in _QUEUES]
    if not queues or not facts.training.is_whole:
        return
    documents = [call.site.document for call in calls]
    order = {id(call): number for number, call in enumerate(calls)}
    starts = [order[id(call)] for call in calls if call.name == _STARTS]
    says = _STARTS_OTHERWISE if starts else _STARTS_ANYHOW
    if any_says(documents, says):
        return
    made = {id(one): call for call in queues for one in _parts(call.result)}
    for run in calls:
        if run.name not in _RUNS and run.name not in _EVALUATES:
            continue
        for asked in [run.receiver, *run.given[:1]] if run.name in _EVALUATES else run.given[:1]:
            queue = _queue_of(asked, made, calls)
            if queue is None:
                continue
            if not starts:
                yield Misuse("no threads", run, queue)
            elif order[id(queue)] > max(starts):
                yield Misuse("early threads", run, queue)


def _queue_of(value: Value, made: dict[int, LibraryCall], calls: list[LibraryCall]) -> LibraryCall | None:
    """The queue that a value is taken from."""
    todo, seen = [unwrap(value)], set[int]()
    while todo and len(seen) < _MOST:
        one = todo.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if id(one) in made:
            return made[id(one)]
        if isinstance(one, TensorVal) and one.producer is not None:
            todo += [*one.producer.inputs, *one.producer.args.values()]
        elif isinstance(one, UnknownResult):
            todo += [operand for operand in one.operands if isinstance(operand, (TensorVal, Unknown, AbstractVal, tuple))]
        elif isinstance(one, (ListVal, tuple)):
            todo += _parts(one)[1:]
        elif isinstance(one, InstanceVal):
            todo += _shown_by(one, calls)
    return None


def _updates(facts: Facts, calls: list[LibraryCall]) -> Iterator[Misuse]:
    """Training with normalisation of batches whose averages nothing updates, in a graph that is also run with them: the tensor
    that decides the mode is fed with false."""
    if any_says((call.site.document for call in calls), _UPDATES):
        return
    trained = next((call for call in calls if call.name in _MINIMIZES), None)
    off = {place.id for op in facts.program.ops if (place := _fed_false(op)) is not None}
    for call in calls:
        mode = unwrap(call.bound.get("training"))
        if call.name == _NORMALISES and isinstance(mode, TensorVal) and mode.id in off and trained is not None:
            yield Misuse("no updates", trained, call)


def _fed_false(op: Op) -> TensorVal | None:
    """The placeholder that an operation feeds with false."""
    place = op.args.get("placeholder") if does(op, Trait.CROSSES_GRAPH) else None
    return place if isinstance(place, TensorVal) and unwrap(op.args.get("x")) is False else None
