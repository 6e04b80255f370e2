"""Variables of TensorFlow 1 graphs: which runs need them, and what gives them their first values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import libcst as cst

from dllint.analysis.every_pass import is_in_every_pass
from dllint.analysis.facts import Facts
from dllint.analysis.rebuilt_each_epoch import goes_over_epochs, sets_inner_passes
from dllint.analysis.typestate import opaque
from dllint.analysis.typestate.order import is_unconditional
from dllint.ir import events
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import InstanceVal, LibSymbol, ListVal, Value, unwrap
from dllint.ops.kinds import does
from dllint.ops.traits import Trait

_SESSIONS: Final = frozenset({"tensorflow.Session", "tensorflow.InteractiveSession"})
_RUN: Final = frozenset({"tensorflow.Session.run", "tensorflow.InteractiveSession.run"})
_EVALUATE: Final = frozenset({"tensorflow.Tensor.eval", "tensorflow.Operation.run"})
_ALL: Final = frozenset({
    "tensorflow.global_variables_initializer", "tensorflow.initialize_all_variables",
    "tensorflow.initializers.global_variables",
})  # fmt: skip
#: What may give variables their values in another way, by a part of its name.
_OTHERWISE: Final = (
    "restore",
    "load",
    "init",
    "import_meta_graph",
    "supervisor",
    "monitored",
    "managed",
    "get_session",
    "assign",
)
#: Libraries of arrays and tables, whose functions never see a graph: what they load or initialise is no variable.
_WITHOUT_GRAPHS: Final = ("numpy.", "scipy.", "sklearn.", "pandas.", "random.", "json.", "pickle.")
#: What has a method ``load``: variables do, too, which modules of these names are not.
_LOADED: Final = re.compile(r"(?<![\w.])(?!(?:np|numpy|json|pickle|yaml|joblib)\.load\()[\w.]*[\w)\]]\.load\(|[)\]]\.load\(")
_MINIMIZE: Final = "tensorflow.train.Optimizer.minimize"
#: Makes a variable for the average of each tensor that it is given for the first time.
_AVERAGE: Final = "tensorflow.train.ExponentialMovingAverage.apply"
#: Optimizers that keep variables of their own for each weight.
_WITH_SLOTS: Final = ("Adam", "Momentum", "RMSProp", "Adagrad", "Adadelta", "Ftrl")
#: The operation that an optimizer or an initializer makes.
_OPERATION: Final = LibSymbol("tensorflow.Operation")


@dataclass(frozen=True, slots=True)
class Uninitialised:
    """``run`` needs variables that have no value: nothing initialises any (``never``), nothing does so in its ``session``
    (``another session``), ``late`` makes them after the ``initializer``, or the initializer is run anew in each training step
    (``anew``)."""

    kind: Literal["never", "another session", "late", "anew"]
    run: events.LibraryCall
    session: events.LibraryCall
    initializer: events.LibraryCall | None = None
    late: Op | events.LibraryCall | None = None


def uninitialised(facts: Facts) -> Iterator[Uninitialised]:
    """The first run of a program that lacks values of variables, and initializers that are run in every training step."""
    calls = facts.events(events.LibraryCall)
    sessions = [call for call in calls if call.name in _SESSIONS]
    if not sessions or not all(map(is_plain, sessions)):
        return
    session = sessions[0]
    made = [call for call in calls if call.name in _ALL]
    if not any(_is_used(call, facts) for call in made):
        yield from _never(session, facts)
    elif len(made) == 1:
        yield from _late(session, made[0], facts)
    yield from _elsewhere(sessions, made, facts)
    yield from _anew(session, made, facts)


def is_plain(session: events.LibraryCall) -> bool:
    """Whether a session initialises nothing by itself, as those of other names do that are followed like it."""
    node = session.site.node
    if not isinstance(node, cst.Call):
        return False
    name = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
    return isinstance(name, cst.Name) and name.value in ("Session", "InteractiveSession")


def _is_used(initializer: events.LibraryCall, facts: Facts) -> bool:
    """Whether an initializer is run, or handed to anybody who may do so."""
    for event in facts.events(events.LibraryCall):
        if event.receiver is initializer.result or any(opaque.holds(value, initializer.result) for value in event.given):
            return True
    return any(opaque.holds(value, initializer.result) for event in facts.events(events.OpaqueCall) for value in event.values)


def _never(session: events.LibraryCall, facts: Facts) -> Iterator[Uninitialised]:
    if _is_given_otherwise(facts):
        return
    for run in facts.events(events.LibraryCall):
        if run.name not in _RUN or run.receiver is not session.result:
            continue
        fetched = list(_fetches(run))
        if not fetched or not all(map(_is_followed, fetched)):
            return
        if any(_needed(value, facts) for value in fetched):
            yield Uninitialised("never", run, session)
            return


def _elsewhere(sessions: list[events.LibraryCall], made: list[events.LibraryCall], facts: Facts) -> Iterator[Uninitialised]:
    """The first runs in sessions in which nothing initialises variables, where others of the program do: a session has values
    of its own. Those of a server (``target``) share theirs."""
    runs = [call for call in facts.events(events.LibraryCall) if call.name in _RUN]
    results = {id(call.result): call for call in made}
    initialising = {id(run): results[id(value)] for run in runs for value in _fetches(run) if id(value) in results}
    directly = {id(call) for call in initialising.values()}
    if len(sessions) < 2 or any(id(call) not in directly and _is_used(call, facts) for call in made):
        return
    if not initialising or _is_given_otherwise(facts):
        return
    handed = [value for event in facts.events(events.OpaqueCall) for value in event.values]
    for session in sessions:
        own = [run for run in runs if run.receiver is session.result]
        if session.positional or any(id(run) in initialising or not all(map(_is_followed, _fetches(run))) for run in own):
            continue
        needs = next((run for run in own if any(_needed(value, facts) for value in _fetches(run))), None)
        if needs is not None and not any(opaque.holds(value, session.result) for value in handed):
            yield Uninitialised("another session", needs, session, next(iter(initialising.values())))


def _needed(fetched: Value, facts: Facts) -> bool:
    """Whether what a session is asked for is computed from variables."""
    return any(_variables(computed, facts) for computed in _computed_by(fetched, facts))


def _late(session: events.LibraryCall, initializer: events.LibraryCall, facts: Facts) -> Iterator[Uninitialised]:
    """A run after the only initializer that needs a variable which was made behind that initializer."""
    trace = facts.program.trace
    order = {id(item): number for number, item in enumerate(trace)}
    if _is_given_otherwise(facts) or initializer.path:
        return
    began = False
    makers = {id(call.result): call for call in _makers(facts)}
    for run in facts.events(events.LibraryCall):
        if run.name not in _RUN and run.name not in _EVALUATE:
            continue
        fetched = [run.receiver] if run.name in _EVALUATE else list(_fetches(run))
        began = began or any(value is initializer.result for value in fetched)
        if not began or order[id(run)] < order[id(initializer)]:
            continue
        for value in fetched:
            late: Op | events.LibraryCall | None = next(
                (op for op in _variables(value, facts) if order.get(id(op), 0) > order[id(initializer)]), None
            )
            step = makers.get(id(value))
            if late is None and step is not None and order[id(step)] > order[id(initializer)]:
                late = step
            if late is not None:
                yield Uninitialised("late", run, session, initializer, late)
                return


def _anew(session: events.LibraryCall, made: list[events.LibraryCall], facts: Facts) -> Iterator[Uninitialised]:
    """The runs of an initializer in each pass of the innermost loop that trains, or of a loop over epochs, in a session that
    outlives the pass: a session that each pass makes has variables of its own."""
    results = {id(call.result): call for call in made}
    for loop in facts.training.loops:
        steps = facts.training.within(loop, events.Step) if not sets_inner_passes(loop) else []
        if not goes_over_epochs(loop):
            steps = [step for step in steps if facts.training.innermost(step) is loop]
        calls = facts.training.within(loop, events.LibraryCall) if steps else ()
        own = {id(call.result) for call in calls if call.name in _SESSIONS}
        for run in calls:
            if run.name not in _RUN or id(run.receiver) in own or facts.training.innermost(run) is not loop:
                continue
            called = next((results[id(value)] for value in _fetches(run) if id(value) in results), None)
            if called is not None and is_unconditional(run, loop) and is_in_every_pass(run.site, loop):
                yield Uninitialised("anew", run, session, called)
                break


def _is_given_otherwise(facts: Facts) -> bool:
    """Whether a call may give variables their values that is not an initializer of all of them."""
    documents = {id(event.site.document): event.site.document for event in facts.events(events.LibraryCall)}
    if any(document is not None and _LOADED.search(document.text) for document in documents.values()):
        return True
    for event in facts.program.events:
        if isinstance(event, events.LibraryCall) and event.name.startswith(_WITHOUT_GRAPHS):
            continue
        if isinstance(event, (events.LibraryCall, events.OpaqueCall)) and event.name not in _ALL:
            name = event.name.rpartition(".")[2].lower()
            # an initializer of one variable is what that draws its first value from
            draws = name.endswith("_initializer") and "variables" not in name
            if any(word in name for word in _OTHERWISE) and not draws:
                return True
    return False


def _fetches(run: events.LibraryCall) -> Iterator[Value]:
    """What a session is asked for."""
    todo = [unwrap(run.given[0])] if run.given else []
    while todo:
        value = todo.pop(0)
        if isinstance(value, (ListVal, tuple)):
            todo = [*map(unwrap, value.items if isinstance(value, ListVal) else value), *todo]
        else:
            yield value


def _is_followed(value: Value) -> bool:
    """Whether it is known what a session computes, and that this gives no variable a value."""
    if isinstance(value, TensorVal):
        return value.producer is not None and not does(value.producer, Trait.WRITES)
    return isinstance(value, InstanceVal) and value.cls == _OPERATION


def _computed_by(value: Value, facts: Facts) -> list[Value]:
    """What a session computes where it is asked for a value: of a training step, its loss."""
    steps = [call for call in facts.events(events.LibraryCall) if call.name == _MINIMIZE and call.result is value]
    return [call.bound.get("loss", call.given[0] if call.given else None) for call in steps] or [value]


def _variables(value: Value, facts: Facts) -> list[Op]:
    """The variables that a tensor is computed from."""
    if not isinstance(value, TensorVal):
        return []
    return [op for op in facts.ancestors(value) if does(op, Trait.VARIABLE) and op.framework == "tensorflow"]


def _makers(facts: Facts) -> Iterator[events.LibraryCall]:
    """The calls that make variables and give the operation that needs them: training steps with variables of their own, and the
    first averages of each object that keeps some."""
    averaging = set[int]()
    for call in facts.events(events.LibraryCall):
        if call.name == _MINIMIZE and _has_slots(call):
            yield call
        if call.name == _AVERAGE and id(call.receiver) not in averaging:
            averaging.add(id(call.receiver))
            averaged = unwrap(call.given[0]) if call.given else None
            items = averaged.items if isinstance(averaged, ListVal) and not averaged.alternatives else ()
            if any(isinstance(unwrap(item), TensorVal) for item in items):
                yield call


def _has_slots(step: events.LibraryCall) -> bool:
    optimizer = step.receiver
    name = optimizer.cls.name if isinstance(optimizer, InstanceVal) and isinstance(optimizer.cls, LibSymbol) else ""
    return name.startswith("tensorflow.train.") and any(word in name for word in _WITH_SLOTS)
