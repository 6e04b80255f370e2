"""Alignment by place: operators of one kind and shape between the same aligned values, where no other could be meant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping

from dllint.bisection.alignment.kinds import family
from dllint.bisection.alignment.sides import Sides


def by_structure(sides: Sides, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Again and again, since each pair makes others certain."""
    found = dict(known)
    while fresh := list(_certain(sides, found)):
        yield from fresh
        found |= dict(fresh)


def _certain(sides: Sides, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    back = {value: node for node, value in known.items()}
    ours = _unique((name, _our_place(sides, known, name)) for name in sides.our_values if name not in known)
    theirs = _unique((name, _their_place(sides, back, name)) for name in sides.their_values if name not in back)
    pairs = [(ours[place], theirs[place]) for place in ours if place in theirs]
    yield from ((node, value) for node, value in pairs if not sides.lacks_bias(node, value))


def _our_place(sides: Sides, known: Mapping[str, str], name: str) -> Hashable:
    stops = {*known, *sides.graph.inputs} - {name}
    nearest = frozenset(other for other in sides.graph.needed(stops, [name]) if other in stops)
    return nearest, sides.kind(name), sides.our_values[name].shape


def _their_place(sides: Sides, back: Mapping[str, str], name: str) -> Hashable:
    return sides.nearest(name, back), family(sides.watched[name].kind), sides.their_values[name].shape


def _unique(entries: Iterable[tuple[str, Hashable]]) -> dict[Hashable, str]:
    found: dict[Hashable, list[str]] = defaultdict(list)
    for name, place in entries:
        found[place].append(name)
    return {place: names[0] for place, names in found.items() if len(names) == 1}
