"""The output formats by name; a format's module is imported when it is used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Final

from dllint.finding import Finding
from dllint.report.listing import Listing
from dllint.report.neutral import neutralised
from dllint.span import Location, Position, Span

_MODULES: Final = {name: f"dllint.report.{name}" for name in ("full", "concise", "json", "sarif", "github")}


#: The formats that are data: what they hold is escaped, and those who read them get it as it is.
_DATA: Final = frozenset({"json", "sarif"})
_START: Final = Span(0, 0, Position(1, 1), Position(1, 1))


Render = Callable[[Listing], Iterable[str]]


@dataclass(slots=True)
class Unprintable:
    """A finding that a format cannot print as it is, and why; what little is printed of it, if anything is."""

    finding: Finding
    error: Exception
    instead: Finding | None = None


def render(name: str, listing: Listing) -> Iterator[str]:
    """The lines of a listing in a format."""
    lines: Iterator[str] = import_module(_MODULES[name]).render(listing if name in _DATA else neutralised(listing))
    return lines


def printed(render: Render, listing: Listing) -> tuple[list[str], list[Unprintable]]:
    """The lines of a listing. A finding that cannot be printed is told in short, and costs no other.

    Raises whatever is raised by what the findings have in common.
    """
    try:
        return list(render(listing)), []
    except Exception:
        list(render(replace(listing, findings=[])))
    unprintable = {id(found.finding): found for found in _unprintable(listing, render)}
    kept = [unprintable[id(f)].instead if id(f) in unprintable else f for f in listing.findings]
    rest = replace(listing, findings=[finding for finding in kept if finding is not None])
    return list(render(rest)), list(unprintable.values())


def _unprintable(listing: Listing, render: Render) -> Iterator[Unprintable]:
    for finding in listing.findings:
        error = _error_of(finding, listing, render)
        if error is not None:
            bare = replace(finding, related=(), fixes=(), flow=(), advice="", releases=None)
            placed = replace(bare, location=Location(finding.location.path, _START))
            fitting = (one for one in (bare, placed) if _error_of(one, listing, render) is None)
            yield Unprintable(finding, error, next(fitting, None))


def _error_of(finding: Finding, listing: Listing, render: Render) -> Exception | None:
    """What is raised where a finding alone is printed."""
    try:
        list(render(replace(listing, findings=[finding])))
    except Exception as error:
        return error
    return None
