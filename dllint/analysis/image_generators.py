"""Generators of pictures of Keras (``ImageDataGenerator``): what they change at random, and in which order they give
samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dllint.analysis.facts import Facts
from dllint.ir.events import LibraryCall
from dllint.ir.values import BoundVal, InstanceVal, LibSymbol, Value, unwrap

_GENERATOR: Final = "keras.preprocessing.image.ImageDataGenerator"
_FLOWS: Final = frozenset(f"{_GENERATOR}.{name}" for name in ("flow", "flow_from_directory", "flow_from_dataframe"))
#: The parameters of the generator that change pictures at random, by the value that changes nothing.
_RANDOM: Final = {
    "rotation_range": 0, "width_shift_range": 0, "height_shift_range": 0, "brightness_range": None, "shear_range": 0,
    "zoom_range": 0, "channel_shift_range": 0, "horizontal_flip": False, "vertical_flip": False,
}  # fmt: skip
#: The attributes of a flow that hold the classes of its files, in the order of the files.
_CLASSES: Final = frozenset({"classes", "labels", "filenames", "filepaths"})


@dataclass(frozen=True, slots=True)
class Flow:
    """A stream of batches: the call that made it, and the construction of its generator."""

    call: LibraryCall
    generator: LibraryCall | None

    @property
    def augments(self) -> tuple[str, ...]:
        """The parameters by which pictures are changed at random."""
        given = self.generator.bound if self.generator is not None else {}
        return tuple(name for name, idle in _RANDOM.items() if name in given and not _equals(unwrap(given[name]), idle))

    @property
    def shuffles(self) -> bool:
        """Whether the batches come in a random order (the default)."""
        return unwrap(self.call.bound.get("shuffle", True)) is True


def flows(facts: Facts) -> dict[int, Flow]:
    """The flows of a program, by ``id`` of the object."""
    made: dict[int, LibraryCall] = {}
    found: dict[int, Flow] = {}
    for call in facts.events(LibraryCall):
        if call.name == _GENERATOR:
            made[id(call.result)] = call
        elif call.name in _FLOWS and isinstance(call.result, InstanceVal):
            found[id(call.result)] = Flow(call, made.get(id(call.receiver)))
    return found


def classes_taken(call: LibraryCall) -> Iterator[Value]:
    """The flows whose classes, in the order of the files, are given to a call."""
    for value in call.given:
        if isinstance(value, BoundVal) and isinstance(value.func, LibSymbol) and value.func.name.rpartition(".")[2] in _CLASSES:
            yield value.receiver


def _equals(value: Value, idle: float | None) -> bool:
    return value is None or (isinstance(value, (int, float)) and value == idle)
