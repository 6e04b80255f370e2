"""The statements of a module that are executed together and in order; all others can be executed on demand.

A name that is bound again (``INDEX += 4``) holds something else before that than after it. What reads it in between
(``FIRST = INDEX``) is to see what it holds there, whichever name is asked for first.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence


def in_order(bound: Sequence[Collection[str]], read: Sequence[Collection[str]]) -> dict[int, tuple[int, ...]]:
    """For each statement whose place counts, by number, the numbers of all that are executed with it, ascending. ``bound`` and
    ``read`` are the names that each statement binds and reads."""
    binders, readers = _numbers(bound), _numbers(read)
    groups = _Groups()
    for name, numbers in binders.items():
        first, last = numbers[0], numbers[-1]
        readings = readers.get(name, [])
        before = readings[bisect_left(readings, first) : bisect_left(readings, last)]
        if any(number != first and any(other != name for other in bound[number]) for number in before):
            groups.join((*numbers, *before))
    return groups.members()


def _numbers(names: Sequence[Collection[str]]) -> dict[str, list[int]]:
    """Name → the statements that have it, ascending."""
    found: dict[str, list[int]] = {}
    for number, some in enumerate(names):
        for name in dict.fromkeys(some):
            found.setdefault(name, []).append(number)
    return found


class _Groups:
    """Disjoint sets of numbers."""

    def __init__(self) -> None:
        self._parent: dict[int, int] = {}

    def join(self, numbers: Iterable[int]) -> None:
        """Make one group of some numbers and all that are grouped with any of them."""
        one, *others = map(self._root, numbers)
        for other in others:
            self._parent[self._root(other)] = self._root(one)

    def members(self) -> dict[int, tuple[int, ...]]:
        """Number → its whole group."""
        found: dict[int, list[int]] = {}
        for number in sorted(self._parent):
            found.setdefault(self._root(number), []).append(number)
        return {number: group for some in found.values() for group in [tuple(some)] for number in group}

    def _root(self, number: int) -> int:
        path = []
        while (parent := self._parent.setdefault(number, number)) != number:
            path.append(number)
            number = parent
        for passed in path:
            self._parent[passed] = number
        return number
