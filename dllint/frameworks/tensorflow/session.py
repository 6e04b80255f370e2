"""Sessions: values are fed to placeholders, and what is fetched comes back as arrays."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.given import given
from dllint.frameworks.keras.protocols.plain import plain
from dllint.frameworks.machine import Machine, handler
from dllint.ir import events
from dllint.ir.program import Site, TensorVal
from dllint.ir.values import Arguments, DictVal, InstanceVal, LibSymbol, ListVal, Value, unwrap

SESSION: Final = "tensorflow.Session"
#: What ``minimize`` and its like return: something to run that has no value.
OPERATION: Final = "tensorflow.Operation"
_RUN: Final = "fetches=None, feed_dict=None, options=None, run_metadata=None"

#: The placeholders and values of one run.
Fed = tuple[tuple[TensorVal, ...], tuple[Value, ...]]


@handler(SESSION, "tensorflow.get_default_session", "tensorflow.train.Supervisor.managed_session",
         "tensorflow.train.Supervisor.prepare_or_wait_for_session")  # fmt: skip
def session(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A session of any kind."""
    return InstanceVal(LibSymbol(SESSION), site=machine.site)


@handler(f"{SESSION}.run")
def run(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``run(fetches, feed_dict)``: a value for every tensor in ``fetches``, in the same nest of lists and dicts."""
    asked = given(_RUN, arguments)
    return fetched(machine, asked["fetches"], feed(machine, asked["feed_dict"]))


@handler("tensorflow.Tensor.eval", "keras.KerasTensor.eval")
def evaluate(machine: Machine, tensor: Value, arguments: Arguments) -> Value:
    """``tensor.eval(feed_dict, session)``."""
    return fetched(machine, tensor, feed(machine, given("feed_dict=None, session=None", arguments)["feed_dict"]))


@handler(f"{OPERATION}.run")
def run_operation(machine: Machine, operation: Value, arguments: Arguments) -> Value:
    """``train_step.run(feed_dict, session)``."""
    return fetched(machine, operation, feed(machine, given("feed_dict=None, session=None", arguments)["feed_dict"]))


@handler(f"{SESSION}.make_callable")
def make_callable(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A function of fed values, not followed."""
    return machine.unknown("run-time", "make_callable")


@handler(f"{SESSION}.__enter__", f"{SESSION}.as_default")
def enter(machine: Machine, one: Value, arguments: Arguments) -> Value:
    """``with Session() as session``."""
    return one


@handler(f"{SESSION}.close", f"{SESSION}.__exit__")
def close(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Nothing to follow."""
    return None


@handler(f"{SESSION}.should_stop")
def should_stop(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Known in the run only."""
    return Unknown("run-time", "should_stop")


def feed(machine: Machine, fed: Value) -> Fed:
    """Every value fed, compared with its placeholder."""
    fed = unwrap(fed)
    pairs = fed.items.items() if isinstance(fed, DictVal) else ()
    known = [(tensor, plain(value)) for key, value in pairs if isinstance(tensor := plain(key), TensorVal)]
    for number, (placeholder, value) in enumerate(known):
        args = {"x": value, "placeholder": placeholder}
        with machine.at(_written(fed, number, len(known), machine.site)):
            machine.emit("feed", args, framework="tensorflow", spelled="tensorflow.Session.run")
    return tuple(p for p, _ in known), tuple(value for _, value in known)


def _written(fed: Value, number: int, count: int, otherwise: Site) -> Site:
    """Where the source writes one of the fed values: in a dict display that has nothing but them."""
    site = fed.site if isinstance(fed, DictVal) else None
    elements = site.node.elements if site is not None else ()
    if site is None or len(elements) != count:
        return otherwise
    return replace(site, node=elements[number].value)


def fetched(machine: Machine, fetches: Value, fed: Fed) -> Value:
    """The result of running the graph for ``fetches``."""
    fetches = unwrap(fetches)
    if isinstance(fetches, TensorVal):
        args: dict[str, Value] = {"x": fetches, "placeholders": fed[0], "values": fed[1]}
        return machine.emit("fetch", args, framework="numpy", spelled="tensorflow.Session.run")
    if isinstance(fetches, ListVal) and fetches.rest is None:
        return ListVal([fetched(machine, part, fed) for part in fetches.items])
    if isinstance(fetches, tuple):
        return tuple(fetched(machine, part, fed) for part in fetches)
    if isinstance(fetches, DictVal):
        return DictVal({key: fetched(machine, part, fed) for key, part in fetches.items.items()})
    if isinstance(fetches, InstanceVal):
        return _performed(machine, fetches)
    return None if fetches is None else Unknown("run-time", "fetch")


def _performed(machine: Machine, operation: InstanceVal) -> Value:
    """Running a training operation steps; a state of a recurrent network comes back as it is; others return nothing."""
    loss = operation.state.get("loss")
    if loss is not None:
        machine.event(events.Backward, target=loss)
        machine.event(events.Step, target=operation.state.get("optimizer"))
    return None if operation.cls == LibSymbol(OPERATION) else Unknown("run-time", "fetch")


def operation(machine: Machine, **state: Value) -> InstanceVal:
    """Something to run that has no value."""
    out = InstanceVal(LibSymbol(OPERATION), site=machine.site)
    out.state.update(state)
    return out
