"""A listing for the formats that are text: nothing in it steers the terminal or the log that it is written to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Final, cast

from dllint.edit import Edit
from dllint.report.listing import Listing
from dllint.source.neutral import neutral, neutral_source
from dllint.span import Span

#: Kinds of values that hold no text.
_NO_TEXTS: Final = frozenset({Span, int, float, bool, type(None)})


def neutralised(listing: Listing) -> Listing:
    """A listing all of whose texts are neutral."""
    made = _Neutral()
    originals = made.originals
    return replace(
        listing,
        findings=[made(finding) for finding in listing.findings],
        read=lambda path, cell: neutral_source(listing.read(originals.get(path, path), cell)),
        read_file=lambda path: listing.read_file(originals.get(path, path)),
        base=Path(neutral(str(listing.base))),
        notes=[neutral(note) for note in listing.notes],
    )


class _Neutral:
    """Makes copies of plain data with neutral texts; gives the data itself if all of them are."""

    def __init__(self) -> None:
        #: The paths as they are, by what stands in their place.
        self.originals: dict[Path, Path] = {}
        self._paths: dict[Path, Path] = {}
        self._fields: dict[type[Any], tuple[str, ...]] = {}

    def __call__(self, value: object) -> Any:
        """The copy. Raises nothing."""
        kind: type[Any] = type(value)
        if kind in _NO_TEXTS:
            return value
        if isinstance(value, str):
            return neutral(value)
        if isinstance(value, Path):
            return self._path(value)
        if isinstance(value, tuple | list):
            made = [self(item) for item in value]
            return kind(made) if any(new is not old for new, old in zip(made, value, strict=True)) else value
        if isinstance(value, Mapping):
            return {self(key): self(item) for key, item in value.items()}
        if isinstance(value, Edit):
            return replace(value, path=self(value.path), content=neutral_source(value.content))
        names = self._fields.get(kind)
        if names is None:
            names = self._fields[kind] = _names(kind)
        changed = {name: new for name in names if (new := self(old := getattr(value, name))) is not old}
        return replace(cast(Any, value), **changed) if changed else value

    def _path(self, path: Path) -> Path:
        known = self._paths.get(path)
        if known is None:
            shown = Path(neutral(str(path)))
            known = self._paths[path] = path if shown == path else shown
            if known is not path:
                self.originals[known] = path
        return known


def _names(kind: type[Any]) -> tuple[str, ...]:
    """The fields of a data class; nothing of any other."""
    return tuple(item.name for item in fields(kind)) if is_dataclass(kind) else ()
