"""The columns of rows of which there are an unknown number: what ``zip(*rows)`` gives."""

from __future__ import annotations

from functools import partial, reduce
from typing import TYPE_CHECKING, Final

from dllint.domains.lattice import Unknown
from dllint.ir.values import Further, InstanceVal, ListVal, Value, unwrap
from dllint.lower import mro
from dllint.lower.joining import join

if TYPE_CHECKING:
    from dllint.lower.parts import Joins

_RECORD: Final = "typing.NamedTuple"


def columns(m: Joins, rows: Unknown | None) -> list[Value] | None:
    """A list of unknown length for each place in the rows, if each row is known to have as many places; else None."""
    if not isinstance(rows, Further):
        return None
    all_rows = [row for part in rows.parts for row in (*part.items, *(() if part.rest is None else (part.rest,)))]
    found = [_places(unwrap(row)) for row in all_rows]
    known = [places for places in found if places is not None]
    if not known or len(known) < len(found) or len({len(places) for places in known}) > 1:
        return None
    return [ListVal([], reduce(partial(join, m), column)) for column in zip(*known, strict=True)]


def _places(row: Value) -> list[Value] | None:
    if isinstance(row, tuple):
        return list(row)
    if isinstance(row, ListVal) and row.rest is None:
        return list(row.items)
    if isinstance(row, InstanceVal) and _RECORD in mro.library_bases(row.cls):
        return list(row.attrs.values())
    return None
