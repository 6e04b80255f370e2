"""Verdicts about findings: their table, and which finding of today a verdict is about.

A verdict is about the finding of a rule at a place. Messages change and columns shift, so a finding is recognised by its
repository, file, cell, line and rule; where several share these, by the column.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks.wild.checking import Found, Place

#: A fault for the release that the code is for; the sentence holds but nothing follows from it; it holds for today's release
#: only; it does not hold.
TRUE, HARMLESS, TODAY_ONLY, FALSE = VERDICTS = ("true", "harmless", "today-only", "false")
#: The sentence holds for the release that the code is for.
RIGHT: Final = frozenset({TRUE, HARMLESS})

_PLACE: Final = ("repository", "file", "cell", "line", "code", "column")
_OPTIONAL: Final = ("reader", "proof")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one reader says of a finding. ``cause`` names what is wrong in dllint, ``proof`` what was run and what it showed.

    ``was`` are the places at which the same fault was told before, if that was elsewhere.
    """

    place: Place
    commit: str
    severity: str
    confidence: str
    verdict: str
    reason: str
    cause: str
    message: str
    reader: str = ""
    proof: str = ""
    was: tuple[Place, ...] = ()

    @property
    def record(self) -> dict[str, Any]:
        """Its row in the table."""
        place = self.place
        row: dict[str, Any] = {"repository": place.repository, "commit": self.commit}
        row |= {name: getattr(place, name) for name in ("file", "cell", "line", "column", "code")}
        row |= {name: getattr(self, name) for name in ("severity", "confidence", "verdict", "reason", "cause", "message")}
        row |= {name: value for name in _OPTIONAL if (value := getattr(self, name))}
        return row | ({"was": [{name: getattr(old, name) for name in _PLACE[1:]} for old in self.was]} if self.was else {})


@dataclass(slots=True)
class Judgement:
    """All verdicts about one finding."""

    place: Place
    verdicts: list[Verdict] = field(default_factory=list)

    @property
    def readers(self) -> frozenset[str]:
        """Who has judged it."""
        return frozenset(verdict.reader for verdict in self.verdicts)

    @property
    def is_disputed(self) -> bool:
        """Whether its readers do not agree."""
        return len({verdict.verdict for verdict in self.verdicts}) > 1

    @property
    def verdict(self) -> str:
        """What its readers agree on; what they do not agree on counts as false."""
        return FALSE if self.is_disputed else self.verdicts[0].verdict

    @property
    def is_proved(self) -> bool:
        """Whether a reader has run something to find out."""
        return any(verdict.proof for verdict in self.verdicts)


def read(path: Path) -> list[Verdict]:
    """The verdicts of a table; none if there is no table yet."""
    if not path.exists():
        return []
    return [_verdict(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def append(path: Path, verdicts: Iterable[Verdict]) -> None:
    """Add verdicts to a table."""
    with path.open("a", encoding="utf-8") as stream:
        stream.writelines(json.dumps(verdict.record, ensure_ascii=False) + "\n" for verdict in verdicts)


def judgements(verdicts: Iterable[Verdict]) -> dict[Place, Judgement]:
    """The verdicts by the place that they are about."""
    found: dict[Place, Judgement] = {}
    for verdict in verdicts:
        found.setdefault(verdict.place, Judgement(verdict.place)).verdicts.append(verdict)
    return found


def match(found: Iterable[Found], judged: Mapping[Place, Judgement]) -> dict[Place, Judgement]:
    """Of the findings that verdicts are about, the judgement by the finding's place of today."""
    here: defaultdict[tuple[Any, ...], set[Place]] = defaultdict(set)
    known: defaultdict[tuple[Any, ...], list[Place]] = defaultdict(list)
    for one in found:
        here[one.place.key].add(one.place)
    for place in judged:
        known[place.key].append(place)
    pairs = ((today, old) for key in here.keys() & known.keys() for today, old in _paired(here[key], known[key], judged))
    return {today: judged[old] for today, old in pairs}


def _paired(
    today: Iterable[Place], before: Sequence[Place], judged: Mapping[Place, Judgement]
) -> Iterator[tuple[Place, Place]]:
    """Places of today with those of verdicts on the same line: by column, and if columns have shifted, by their order.

    If one of several findings is gone, the verdict of another is only taken over where all are the same.
    """
    same = set(today) & set(before)
    yield from ((place, place) for place in same)
    new = sorted(set(today) - same, key=lambda place: place.column)
    old = sorted(set(before) - same, key=lambda place: place.column)
    if len(new) == len(old) or (len(new) < len(old) and len({judged[place].verdict for place in old}) == 1):
        yield from zip(new, old, strict=False)


def _verdict(row: dict[str, Any]) -> Verdict:
    if row["verdict"] not in VERDICTS:
        raise ValueError(f"`{row['verdict']}` is no verdict")
    place = Place(**{name: row.pop(name) for name in _PLACE})
    was = tuple(Place(repository=place.repository, **old) for old in row.pop("was", ()))
    return Verdict(place, was=was, **row)
