"""Edits by their place: which of them can be applied together, and where the rest of a text lies after them."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path

from dllint.edit import Edit, Fix


class Taken:
    """Edits that are applied together, no two of which touch the same characters or insert at the same place."""

    def __init__(self) -> None:
        self._edits: set[Edit] = set()
        self._ends: dict[Path, dict[int, int]] = {}
        self._starts: dict[Path, list[int]] = {}

    def have_room_for(self, edits: Iterable[Edit]) -> bool:
        """Whether none of some more edits overlaps with these; an edit that is already one of them is no conflict."""
        return not any(self._overlaps(edit) for edit in edits if edit not in self._edits)

    def add(self, edits: Iterable[Edit]) -> None:
        """Take more edits, which overlap with none."""
        for edit in edits:
            if edit not in self._edits:
                self._edits.add(edit)
                insort(self._starts.setdefault(edit.path, []), edit.start)
                self._ends.setdefault(edit.path, {})[edit.start] = edit.end

    def _overlaps(self, edit: Edit) -> bool:
        starts = self._starts.get(edit.path, [])
        number = bisect_left(starts, edit.start)
        if number < len(starts) and (starts[number] == edit.start or starts[number] < edit.end):
            return True
        return number > 0 and self._ends[edit.path][starts[number - 1]] > edit.start


def compatible(fixes: Iterable[Fix]) -> list[Fix]:
    """The fixes that can be applied together, in their order: each one none of whose edits overlaps an earlier one's.
    An edit that several fixes have in common (an import, a renamed argument) is no conflict."""
    chosen: list[Fix] = []
    taken = Taken()
    for fix in fixes:
        if taken.have_room_for(fix.edits):
            chosen.append(fix)
            taken.add(fix.edits)
    return chosen


def edits_by_path(fixes: Iterable[Fix]) -> dict[Path, list[Edit]]:
    """The distinct edits of fixes, by file, in order."""
    distinct = sorted({edit for fix in fixes for edit in fix.edits})
    by_path: dict[Path, list[Edit]] = {}
    for edit in distinct:
        by_path.setdefault(edit.path, []).append(edit)
    return by_path


class Places:
    """Edits of one file that overlap nowhere, and the places of its text before and after them."""

    def __init__(self, path: Path, edits: Iterable[Edit]) -> None:
        self.path = path
        ordered = sorted(edit for edit in edits if edit.path == path)
        self._starts = [edit.start for edit in ordered]
        self._ends = [edit.end for edit in ordered]
        self._shifts = list(accumulate((len(edit.content) - (edit.end - edit.start) for edit in ordered), initial=0))
        self._new_starts = [start + shift for start, shift in zip(self._starts, self._shifts, strict=False)]
        self._new_ends = [start + len(edit.content) for start, edit in zip(self._new_starts, ordered, strict=True)]

    def moved(self, offset: int) -> int:
        """Where a place of the old text lies after the edits; a place inside a replaced part moves to the part's start."""
        number = bisect_left(self._starts, offset)
        if number and self._ends[number - 1] > offset:
            return self._new_starts[number - 1]
        return offset + self._shifts[number]

    def touch(self, start: int, end: int) -> bool:
        """Whether an edit changes something between two places of the old text."""
        return _meets(self._starts, self._ends, start, end)

    def wrote(self, start: int, end: int) -> bool:
        """Whether an edit has written something between two places of the new text."""
        return _meets(self._new_starts, self._new_ends, start, end)


def _meets(starts: Sequence[int], ends: Sequence[int], start: int, end: int) -> bool:
    """Whether one of some intervals that follow each other meets another one."""
    number = bisect_left(starts, end)
    return number > 0 and ends[number - 1] > start
