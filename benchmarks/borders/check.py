"""Feeding a subject every kind of value in every place, and judging what comes back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from benchmarks.borders.bases import base_calls
from benchmarks.borders.consistency import conforms, invention, says_nothing
from benchmarks.borders.kinds import KNOWN, OPEN
from benchmarks.borders.subjects import Given, Subject
from benchmarks.borders.workshop import Outcome, Workshop
from dllint.domains.lattice import Unknown
from dllint.ir.values import Arguments, Value

_ANYTHING: Final = Unknown("unknown-callee", "f")
#: Further arguments beside those of a call that makes sense: none of them may end in an exception.
_FURTHER: Final = {
    "unknown *args": Arguments((), {}, _ANYTHING),
    "unknown **kwargs": Arguments((), {}, None, _ANYTHING),
    "one argument more": Arguments((1,)),
    "three arguments more": Arguments(((2, 3), "a", None)),
    "an odd keyword": Arguments((), {"no_such_parameter": 1}),
}


_CONDITION: Final = "the condition alone is where() with one argument, not with None"
_ELEMENTWISE: Final = "a tensor beside something unknown is compared element by element, not with None"
_AS_LONG: Final = "what is zipped with a list is as long as it"

#: What is said of an unknown argument though some argument would make it wrong, (subject, parameter) → why it is said.
ACCEPTED: Final = {
    **{(f"{kind} {name}", parameter): _CONDITION for kind, name, parameters in (
        ("operation", "where", "x y"), ("handler", "torch.Tensor.where", "self"), ("handler", "torch.where", "input"),
        ("function", "keras.ops.where", "x1 x2"), ("function", "numpy.where", "x y"),
    ) for parameter in parameters.split()},
    ("operation view", "shape"): "an element type is written as one, never passed on as an argument",
    ("handler torch.Tensor.view", "first"): "an element type is written as one, never passed on as an argument",
    ("operation linear", "weight"): "weights are matrices; with a vector, nobody calls it a linear map",
    ("function torch.nn.functional.linear", "weight"): "weights are matrices; with a vector, nobody calls it a linear map",
    ("operation feed", "x"): "a size that a placeholder leaves open is that of what is fed",
    **{("handler apex.amp.initialize", place): "an optimizer that is given is no None" for place in ("second", "third")},
    ("handler tensorflow.nn.nce_loss", "labels"): "there are as many labels as inputs",
    ("handler torch.Tensor.size", "dim"): "an axis that is given is no None",
    ("handler tensorflow.nn.dynamic_rnn", "cell"): "whatever the cell is, its inputs have a time axis",
    ("handler tensorflow.losses.sparse_softmax_cross_entropy", "logits"): "labels that are no integers are no classes",
    ("handler tensorflow.get_variable", "initializer"): "beside a shape, an initialiser is no value",
    ("handler tensorflow.get_local_variable", "initializer"): "beside a shape, an initialiser is no value",
    ("operation depthwise_conv", "weight"): "a kernel has axes",
    **{(f"{kind} keras.layers.Dense", "activation"): "a number there is the size that Keras 0.3 read second"
       for kind in ("layer", "weights of")},
    ("handler keras.layers.Dense.__init__", "second"): "a number there is the size that Keras 0.3 read second",
    ("handler keras.layers.Dense.__init__", "third"): "a number there is the size that Keras 0.3 read second",
    ("handler numpy.size", "axis"): "an axis that is given is no None",
    ("handler operator.eq", "second"): _ELEMENTWISE,
    ("handler operator.eq", "third"): _ELEMENTWISE,
    **{("handler builtins.zip", place): _AS_LONG for place in ("first", "second", "third")},
}  # fmt: skip


#: What can go wrong: the interpreter raises, the meaning of an operation raises, something is said that need not hold.
KINDS: Final = ("exception", "op-failed", "invented")


@dataclass(frozen=True, slots=True)
class Trouble:
    """An exception, an operation that failed, or something invented: in which call, and what."""

    kind: str
    subject: str
    place: str
    what: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.subject} [{self.place}]: {self.what}"


def troubles(w: Workshop, subject: Subject, rng: Random, bases: int = 2) -> Iterator[Trouble]:
    """What goes wrong with a subject, each kind of trouble once per parameter."""
    seen: set[tuple[str, str]] = set()
    for base in base_calls(w, subject, rng, bases):
        for trouble in _of_call(w, subject, base):
            key = (trouble.kind, trouble.place.partition("=")[0])
            if key not in seen:
                seen.add(key)
                yield trouble


def _of_call(w: Workshop, subject: Subject, base: Given) -> Iterator[Trouble]:
    for label, more in _FURTHER.items():
        yield from _unwell(subject, label, w.run(lambda more=more: subject.call(w, base, more)))
    for count in range(len(base)):
        fewer = dict(list(base.items())[:count])
        yield from _unwell(subject, "too few arguments", w.run(lambda fewer=fewer: subject.call(w, fewer, Arguments())))
    for parameter in subject.parameters:
        yield from _of_parameter(w, subject, base, parameter)


def _of_parameter(w: Workshop, subject: Subject, base: Given, parameter: str) -> Iterator[Trouble]:
    def outcome(value: Value) -> Outcome:
        return w.run(lambda: subject.call(w, {**base, parameter: value}, Arguments()), value)

    known = {name: outcome(make(w)) for name, make in KNOWN.items()}
    for name, found in known.items():
        yield from _unwell(subject, f"{parameter}={name}", found)
    accepted = (subject.name.partition(" (")[0], parameter) in ACCEPTED
    for name, (make, instances) in OPEN.items():
        found = outcome(make(w))
        yield from _unwell(subject, f"{parameter}={name}", found)
        if found.error or accepted:
            continue
        for instance in instances:
            if not conforms(KNOWN[instance](w), found.watched):
                continue
            wrong = _invented(found, known[instance])
            if wrong:
                yield Trouble(
                    "invented", subject.name, f"{parameter}={name}", f"{wrong}, but {instance} gives {_shown(known[instance])}"
                )
                break


def _invented(general: Outcome, special: Outcome) -> str:
    if special.error or special.faults or special.failed or special.refused:
        return ""
    if general.faults:
        return "" if says_nothing(special.value) else "a fault"
    return invention(general.value, special.value)


def _unwell(subject: Subject, place: str, outcome: Outcome) -> Iterator[Trouble]:
    if outcome.error:
        yield Trouble("exception", subject.name, place, outcome.error)
    elif outcome.failed:
        yield Trouble("op-failed", subject.name, place, outcome.failed)


def _shown(outcome: Outcome) -> str:
    return repr(outcome.value)[:60]
