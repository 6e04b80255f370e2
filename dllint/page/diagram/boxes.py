"""What a diagram shows: boxes that may hold others, and arrows between boxes of one holder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

#: The ends of arrows that come from outside of a box, or leave it.
ENTRY: Final = "<entry>"
EXIT: Final = "<exit>"

#: Labels that stand beside an arrow at most.
_MOST: Final = 2

Kind = Literal["module", "operation", "end"]


@dataclass(slots=True)
class Arrow:
    """An arrow between two boxes of one holder, by their keys, or from :data:`ENTRY` or to :data:`EXIT` of the holder."""

    source: str
    target: str
    labels: dict[str, None] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The labels in one."""
        shown = list(self.labels)
        return ", ".join([*shown[:_MOST], "…"] if len(shown) > _MOST else shown)


@dataclass(slots=True)
class Box:
    """A box. ``key`` tells it from all others; ``hidden`` is how many parts it has that are not shown; ``marks`` are what is
    wrong in it; ``line`` is its 1-based line in the source, ``faint`` says that nothing is known to reach it."""

    key: str
    title: str
    lines: tuple[str, ...] = ()
    kind: Kind = "module"
    parts: list[Box] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    hidden: int = 0
    marks: dict[str, None] = field(default_factory=dict)
    line: int | None = None
    faint: bool = False

    def walk(self) -> Iterator[Box]:
        """The box and those in it, holders first."""
        yield self
        for part in self.parts:
            yield from part.walk()


@dataclass(slots=True)
class Diagram:
    """A whole diagram: what stands above it, a sentence about it, and the box that holds all others."""

    title: str
    about: str
    root: Box
