"""The grammars that programs are drawn from, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from benchmarks.control_flow import generator, objects


@dataclass(frozen=True, slots=True)
class Grammar:
    """What every program begins with, and the statements behind it by seed."""

    preamble: str
    statements: Callable[[int], list[str]]


GRAMMARS: Final = {
    "flow": Grammar(generator.PREAMBLE, generator.generate),
    "objects": Grammar(objects.PREAMBLE, objects.generate),
}
