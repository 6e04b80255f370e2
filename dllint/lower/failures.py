"""Parts of the program that could not be analysed because dllint itself raised an error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_LONGEST: Final = 200


@dataclass(slots=True)
class Failure:
    """A part of the program that could not be analysed: ``what`` names it with its place, ``reason`` says why."""

    what: str
    reason: str

    def __str__(self) -> str:
        return f"{self.what}: {self.reason}"


def note(failures: list[Failure], what: str, error: Exception) -> None:
    """Note what could not be analysed, once."""
    first, _, _ = str(error).partition("\n")
    failure = Failure(what, f"{type(error).__name__}: {first[:_LONGEST]}")
    if all(failure.what != known.what for known in failures):
        failures.append(failure)
