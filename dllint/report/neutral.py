"""A listing for the formats that are text: nothing in it steers the terminal or the log that it is written to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from dllint.edit import Edit
from dllint.report.listing import Listing
from dllint.source.neutral import neutral, neutral_source


def neutralised(listing: Listing) -> Listing:
    """A listing all of whose texts are neutral."""
    originals: dict[Path, Path] = {}
    made = partial(_neutral, originals=originals)
    return replace(
        listing,
        findings=[made(finding) for finding in listing.findings],
        read=lambda path, cell: neutral_source(listing.read(originals.get(path, path), cell)),
        read_file=lambda path: listing.read_file(originals.get(path, path)),
        base=Path(neutral(str(listing.base))),
        notes=[neutral(note) for note in listing.notes],
    )


def _neutral(value: object, originals: dict[Path, Path]) -> Any:
    """A copy of plain data with neutral texts; the data itself if all of them are. ``originals`` gets the paths that change."""
    made = partial(_neutral, originals=originals)
    match value:
        case str():
            return neutral(value)
        case Path():
            shown = Path(neutral(str(value)))
            if shown != value:
                originals[shown] = value
            return shown
        case Edit():
            return replace(value, path=made(value.path), content=neutral_source(value.content))
        case tuple() | list():
            return type(value)(map(made, value))
        case Mapping():
            return {made(key): made(item) for key, item in value.items()}
        case _ if is_dataclass(value) and not isinstance(value, type):
            changed = {item.name: new for item in fields(value) if (new := made(old := getattr(value, item.name))) is not old}
            return replace(cast(Any, value), **changed) if changed else value
        case _:
            return value
