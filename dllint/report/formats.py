"""The output formats by name; a format's module is imported when it is used."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Final

from dllint.report.listing import Listing

_MODULES: Final = {name: f"dllint.report.{name}" for name in ("full", "concise", "json", "sarif", "github")}


def render(name: str, listing: Listing) -> Iterator[str]:
    """The lines of a listing in a format."""
    lines: Iterator[str] = import_module(_MODULES[name]).render(listing)
    return lines
