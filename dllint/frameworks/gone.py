"""The row of a name or keyword that a library had once."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Gone:
    """``since``: the first release that lacks it. ``replacement`` is today's qualified name if the use can stay as it is, else
    empty; ``advice`` says in words what to use. ``source`` is empty if the end is tested by running the library, and names what
    was read otherwise. ``stub``: the name is still there, and raises when it is called."""

    since: str
    replacement: str = ""
    advice: str = ""
    source: str = ""
    stub: bool = False

    @property
    def checked(self) -> bool:
        """Whether running the library has shown it."""
        return not self.source
