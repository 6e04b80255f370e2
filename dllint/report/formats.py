"""The output formats by name; a format's module is imported when it is used."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Final

from dllint.report.listing import Listing
from dllint.report.neutral import neutralised

_MODULES: Final = {name: f"dllint.report.{name}" for name in ("full", "concise", "json", "sarif", "github")}


#: The formats that are data: what they hold is escaped, and those who read them get it as it is.
_DATA: Final = frozenset({"json", "sarif"})


def render(name: str, listing: Listing) -> Iterator[str]:
    """The lines of a listing in a format."""
    lines: Iterator[str] = import_module(_MODULES[name]).render(listing if name in _DATA else neutralised(listing))
    return lines
