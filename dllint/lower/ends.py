"""The ends of blocks, where paths wait that have left the block early."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dllint.lower.journal import Entry, Place

#: A place with the different contents that paths have in it, by ``id``.
Held = tuple[Any, Any, dict[int, Any]]


@dataclass(slots=True, eq=False)
class Exit:
    """The end of a block. ``level`` is the journal's depth where the block began, ``contrary`` the nesting depth of arms that a
    default does not select (these are executed for their findings only)."""

    level: int
    contrary: int
    #: What was assumed where the block began.
    assumptions: dict[int, bool]
    #: The number of entries in that level's log when the first path came, and whether its end is to be reported to the journal.
    mark: int = 0
    begun: bool = False
    #: What the paths hold in each place; ``None``: no path has come.
    states: dict[Place, Held] | None = None
    #: The places written at that level since, with what they held when the first path came, and how many entries that took.
    written: dict[Place, Entry] = field(default_factory=dict)
    read: int = 0


@dataclass(slots=True, eq=False)
class LoopExits:
    """The ends of a loop and of its present iteration."""

    broken: Exit
    continued: Exit
