"""The true positives of each rule of training in public code, and what keeps a rule on that has none."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.wild.corpus import DRAWS, Corpus, corpus, table
from benchmarks.wild.verdicts import TRUE, Judgement, judgements, read
from dllint.rules._index import RULES

HERE: Final = Path(__file__).parent
#: Findings in public code that no verdict of :mod:`benchmarks.wild` is about.
JUDGED: Final = HERE / "judged.jsonl"
FOUND: Final = HERE / "found.tsv"
REASONS: Final = HERE / "reasons.tsv"
#: So many positives let a rule be on.
NEEDED: Final = 2

#: DLO102 to DLO131, DLI102 to DLI107, DLR101 to DLR107 and DLG101 to DLG111; DLD104 and DLD115; DLS205, DLS206, DLS211, DLS302
#: and DLS303.
_CODES: Final = re.compile(
    r"DLO1(?:0[2-9]|[12]\d|3[01])|DLI10[2-7]|DLR10[1-7]|DLG1(?:0[1-9]|1[01])|DLD1(?:04|15)|DLS2(?:0[56]|11)|DLS30[23]"
)


@dataclass(frozen=True, slots=True)
class Positive:
    """A fault in public code that a rule reports. ``mended`` is the commit that mends it, or the report of it, if either is
    known; ``why`` says what is wrong there."""

    code: str
    repository: str
    commit: str
    file: str
    cell: int | None
    line: int
    mended: str
    why: str

    @property
    def place(self) -> str:
        """Where it is, for people."""
        cell = "" if self.cell is None else f", cell {self.cell}"
        return f"{self.repository} at {self.commit[:12]}, {self.file}{cell}, line {self.line}"


@dataclass(slots=True)
class Standing:
    """What is known of a rule: its default, its positives, and why it is on if it has too few of them."""

    code: str
    name: str
    default: str
    positives: list[Positive] = field(default_factory=list)
    reason: str = ""

    @property
    def is_justified(self) -> bool:
        """Whether its default is: a rule that is on has positives, or a reason."""
        return self.default != "on" or len(self.positives) >= NEEDED or bool(self.reason)


def is_of_training(code: str) -> bool:
    """Whether a rule is one of those that this is about."""
    return _CODES.fullmatch(code) is not None


def corpora() -> Iterator[Corpus]:
    """The corpora of :mod:`benchmarks.wild`: the development set, and all draws."""
    yield corpus(None)
    yield from (corpus(number) for number in sorted(int(path.stem) for path in DRAWS.glob("*.tsv")))


def judged() -> Iterator[Judgement]:
    """All judgements about rules of training, of :mod:`benchmarks.wild` and of here."""
    for path in (*(one.judged for one in corpora()), JUDGED):
        yield from (one for place, one in judgements(read(path)).items() if is_of_training(place.code))


def found(path: Path = FOUND) -> Iterator[Positive]:
    """The positives that were looked for in other repositories and their histories."""
    for row in table(path):
        cell = int(row["cell"]) if row["cell"] else None
        yield Positive(
            row["code"], row["repository"], row["commit"], row["file"], cell, int(row["line"]), row["mended"], row["why"]
        )


def of_judgements(known: Iterable[Judgement]) -> Iterator[Positive]:
    """The positives among judged findings."""
    for one in known:
        if one.verdict == TRUE:
            place, first = one.place, one.verdicts[0]
            yield Positive(place.code, place.repository, first.commit, place.file, place.cell, place.line, "", first.reason)


def standings(positives: Iterable[Positive], reasons: Mapping[str, str]) -> Sequence[Standing]:
    """All rules of training with their positives, each place once."""
    by_code: defaultdict[str, dict[str, Positive]] = defaultdict(dict)
    for one in positives:
        by_code[one.code].setdefault(one.place, one)
    return [
        Standing(row.code, row.name, row.default, list(by_code[row.code].values()), reasons.get(row.code, ""))
        for row in RULES
        if is_of_training(row.code)
    ]


def reasons(path: Path = REASONS) -> Mapping[str, str]:
    """Why rules with fewer positives are on: their faults were shown by running the library."""
    return {row["code"]: row["reason"] for row in table(path)}


def today() -> Sequence[Standing]:
    """The standing of all rules by what the tables say."""
    return standings([*of_judgements(judged()), *found()], reasons())
