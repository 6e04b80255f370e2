"""Pairs of repairs: many faulty programs have two faults, and repairing one of them alone has no visible effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from dllint.diagnose.causes.hypothesis import Candidate
from dllint.edit import Edit

_OWN: Final = 2
_PARTNERS: Final = 2
_MOST: Final = 3


def pairs_for(proposed: Sequence[Candidate], values: Mapping[Candidate, float]) -> list[Candidate]:
    """A symptom's best supported candidates, each together with a repair of another kind that did the program most good.

    ``values`` are the measures of all candidates with which the program ran; ``proposed`` are the symptom's own.
    """
    own = [candidate for candidate in proposed if candidate in values][:_OWN]
    partners = sorted(values, key=lambda candidate: (-values[candidate], -candidate.score))
    made: dict[frozenset[Edit], Candidate] = {}
    for candidate in own:
        fitting = [partner for partner in partners if partner.kind != candidate.kind and _fit(candidate, partner)]
        for partner in fitting[:_PARTNERS]:
            made.setdefault(frozenset(candidate.edits + partner.edits), _both(candidate, partner))
    return list(made.values())[:_MOST]


def _fit(one: Candidate, other: Candidate) -> bool:
    """Whether the edits of both can be made: none overlaps another, and no two insert at the same place."""
    edits = sorted({*one.edits, *other.edits})
    return all(
        before.path != after.path or (before.end <= after.start and (before.start, before.end) != (after.start, after.end))
        for before, after in pairwise(edits)
    )


def _both(one: Candidate, other: Candidate) -> Candidate:
    """Both repairs as one, told in the order of their edits' importance to the symptom."""
    message = f"{one.message}, and {other.message[:1].lower()}{other.message[1:]}"
    edits = tuple(sorted({*one.edits, *other.edits}))
    return Candidate(f"{one.kind}+{other.kind}", message, edits, min(one.score, other.score))
