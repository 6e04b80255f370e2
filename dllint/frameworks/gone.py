"""The row of a name or keyword that a library had once, or has still and is about to lose."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


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


class Rewrite(Enum):
    """What becomes of a use beside its name, so that it computes the same."""

    #: Nothing.
    NAME = "name"
    #: Nothing, if the call has one argument; its other parameters differ.
    ONE_ARGUMENT = "one argument"
    #: The arguments become a list.
    LIST = "list"
    #: The device, which was in the name, becomes the first argument; other parameters are given by keyword.
    DEVICE = "device"
    #: The device, which was in the name, becomes the keyword ``device_type``.
    DEVICE_TYPE = "device_type"


@dataclass(frozen=True, slots=True)
class Deprecated:
    """A name that works and is to go. ``since``: the first release of ``library`` that says so. ``replacement`` is the
    qualified name to write, with what ``rewrite`` says; it is empty where the use has to be changed by hand, as ``advice``
    says."""

    since: str
    replacement: str = ""
    advice: str = ""
    rewrite: Rewrite = Rewrite.NAME
    library: str = "torch"
