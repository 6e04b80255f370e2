"""What a program is not told: where its settings and its data come from, and whether anything uses its classes."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from random import Random
from typing import Final, Literal

#: Where the settings come from: the text, argparse with a default or without, parameters of a function that nobody calls, an
#: object from elsewhere, a file.
Settings = Literal["literal", "argparse", "required", "parameters", "config", "json"]
#: Where batches come from: made in the text, a parameter of a function that nobody calls, a data set that reads files.
Data = Literal["made", "parameter", "files"]
#: Where the classes are: beside what uses them, in a module of their own, in a file in which nothing uses them.
Place = Literal["beside", "imported", "alone"]
#: Whether some of the settings, or some of the classes and functions, are told nevertheless or not told either.
Part = Literal["all", "some"]
#: The defaults of parameters that are settings: what the program uses, none, other values than it uses, values that nobody
#: could use.
Defaults = Literal["used", "none", "others", "odd"]

_SETTINGS: Final[tuple[Settings, ...]] = ("literal", "argparse", "required", "parameters", "config", "json")
_DATA: Final[tuple[Data, ...]] = ("made", "parameter", "files")
_PLACES: Final[tuple[Place, ...]] = ("beside", "imported", "alone")
_MISSING: Final = 0.25
_DEFAULTS: Final[tuple[Defaults, ...]] = ("used", "none", "others", "odd")


@dataclass(frozen=True, slots=True)
class Hiding:
    """Every instance of it is valid: the program as it runs is one."""

    settings: Settings = "literal"
    data: Data = "made"
    place: Place = "beside"
    defaults: Defaults = "used"
    #: Which settings are hidden.
    part: Part = "all"
    #: Whether some classes and functions are imported from a module that is not there.
    missing: bool = False

    @property
    def hides(self) -> bool:
        """Whether the text does not tell all that the program knows."""
        return replace(self, defaults="used") != Hiding()

    def __str__(self) -> str:
        parts = [
            (field.name, getattr(self, field.name)) for field in fields(self) if getattr(self, field.name) != field.default
        ]
        return ", ".join(f"{name} {value}" for name, value in parts) or "plain"


PLAIN: Final = Hiding()


def drawn(random: Random) -> Hiding:
    """One way to hide something."""
    place, missing = random.choice(_PLACES), random.random() < _MISSING
    if place == "alone":
        return Hiding(place=place, defaults=random.choice(_DEFAULTS[:-1]), missing=missing)
    while True:
        part: Part = random.choice(("all", "some"))
        hiding = Hiding(random.choice(_SETTINGS), random.choice(_DATA), place, random.choice(_DEFAULTS), part, missing)
        if hiding.hides:
            return hiding
