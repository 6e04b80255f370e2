"""Findings of one cause, such as a number that a whole file uses: told at the first place, with how many more there are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dllint.engine.dispatch import Raw
from dllint.engine.refine import order
from dllint.engine.releases import fixes_of_all
from dllint.finding import Related

#: Other places that are shown beside the first.
_MOST_SHOWN = 8


def together(raws: Iterable[Raw]) -> list[Raw]:
    """The findings, with one in a file for all that say the same, where their rule says that they have one cause."""
    kept: list[Raw] = []
    groups: dict[tuple[object, ...], list[Raw]] = {}
    for raw in raws:
        finding = raw.finding
        if not raw.rule.one_cause:
            kept.append(raw)
            continue
        groups.setdefault((finding.code, finding.location.path, finding.message), []).append(raw)
    return kept + [_first(sorted(group, key=lambda raw: order(raw.finding))) for group in groups.values()]


def _first(group: list[Raw]) -> Raw:
    """The first of some findings, which tells of the others. A fix that each of them has mends all."""
    first, *others = group
    if not others:
        return first
    finding, number = first.finding, len(others)
    places = "one more place" if number == 1 else f"{number} more places"
    shown = (Related(other.finding.location, "the same here") for other in others[:_MOST_SHOWN])
    told = replace(
        finding,
        message=f"{finding.message}, and so at {places}",
        related=(*finding.related, *shown),
        fixes=fixes_of_all(group),
    )
    return replace(first, finding=told)
