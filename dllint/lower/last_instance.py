"""The last object of a class, by which an equal constructor call is answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dllint.ir.values import Arguments, InstanceVal, Value


@dataclass(frozen=True, slots=True, eq=False)
class LastInstance:
    """The last object of a class as its constructor left it, and what it was made with. It stands by itself: what the program
    does to the object later, as a Keras layer that takes its width from its first input, is nothing that the next one has.
    What was there when it ``began`` to be made, it shares with others."""

    arguments: Arguments
    #: Copies of the arguments that may be changed, by place or name.
    held: dict[int | str, Value]
    instance: InstanceVal
    began: int
    #: When a variable of a module had been set last.
    changed: int
    #: How many objects it consists of.
    size: int


def given_last(instances: Mapping[int, LastInstance]) -> dict[int, Arguments]:
    """What the last objects of classes were made with, by ``id`` of the class."""
    return {cls: last.arguments for cls, last in dict(instances).items()}
