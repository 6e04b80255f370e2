"""Settings other than the defaults, and the branches that defaults decide: what a run has shown of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dllint.ir.values import Value


@dataclass(frozen=True, slots=True)
class Variant:
    """Another value for a parameter or option than its default: ``source`` as in :class:`Assumed`, ``text`` for the reader."""

    source: str
    value: Value
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """A branch that was not decided by what is known: ``source`` is the default that decided it, empty if none did."""

    test: Any
    text: str
    source: str = ""


class RefusedError(Exception):
    """The analysed code rejects the setting it is run under."""
