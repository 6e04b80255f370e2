"""The figures of many programs, as plain data that adds up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from benchmarks.differential.comparing import Verdict, Wrong


@dataclass(slots=True)
class Example:
    """A program with a wrong claim, a false error or an error that is not seen."""

    source: str
    number: int
    text: str
    wrong: list[dict[str, Any]]
    error: str = ""


@dataclass(slots=True)
class Tally:
    """What was found of the programs of one source."""

    programs: int = 0
    #: Programs whose run tells nothing: the library crashed, or took too long.
    lost: int = 0
    statements: int = 0
    facts: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    programs_wrong: int = 0
    false_errors: int = 0
    tensors: int = 0
    shapes_known: int = 0
    types_known: int = 0
    #: Programs that raise whatever their tensors hold, those with an error reported there, and those with any finding.
    errors: int = 0
    errors_found: int = 0
    errors_told: int = 0
    #: The same where other elements would have made them run.
    errors_by_values: int = 0
    errors_by_values_found: int = 0
    examples: list[Example] = field(default_factory=list)
    missed: list[Example] = field(default_factory=list)

    def add(self, source: str, number: int, text: str, verdict: Verdict, error: str) -> None:
        """Count a program."""
        self.programs += 1
        self.lost += bool(verdict.lost)
        self.statements += text.count("\n")
        self.facts.update(verdict.facts)
        self.wrong.update(wrong.kind for wrong in verdict.wrong)
        self.programs_wrong += bool(verdict.wrong)
        self.false_errors += bool(verdict.false_errors)
        self.tensors += verdict.tensors
        self.shapes_known += verdict.shapes_known
        self.types_known += verdict.types_known
        if verdict.raised:
            self._count_error(verdict)
            if not verdict.found and not verdict.by_values:
                self.missed.append(Example(source, number, text, [], error))
        if found := [*verdict.wrong, *verdict.false_errors]:
            self.examples.append(Example(source, number, text, [asdict(one) for one in found[:4]]))

    def _count_error(self, verdict: Verdict) -> None:
        if verdict.by_values:
            self.errors_by_values += 1
            self.errors_by_values_found += verdict.found
            return
        self.errors += 1
        self.errors_found += verdict.found
        self.errors_told += verdict.told

    def join(self, other: Tally) -> None:
        """Add the figures of other programs."""
        for name in self.__slots__:
            mine, theirs = getattr(self, name), getattr(other, name)
            if isinstance(mine, Counter):
                mine.update(theirs)
            elif isinstance(mine, list):
                mine.extend(theirs)
            else:
                setattr(self, name, mine + theirs)

    def as_data(self) -> dict[str, Any]:
        """Everything, to be kept in a file."""
        return {name: _plain(getattr(self, name)) for name in self.__slots__}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Tally:
        """What :meth:`as_data` has made."""
        out = cls()
        for name, value in data.items():
            old = getattr(out, name)
            if isinstance(old, Counter):
                value = Counter(value)
            elif isinstance(old, list):
                value = [Example(**one) for one in value]
            setattr(out, name, value)
        return out

    def figures(self) -> dict[str, Any]:
        """What the result file says."""
        return {
            "programs": self.programs,
            "lost": self.lost,
            "statements": self.statements,
            "facts": {"all": self.facts.total(), **dict(self.facts.most_common())},
            "programs_with_a_wrong_claim": self.programs_wrong,
            "wrong_claims": {"all": self.wrong.total(), **dict(self.wrong.most_common())},
            "programs_with_a_false_error": self.false_errors,
            "errors": {"raised": self.errors, "found": self.errors_found, "told": self.errors_told,
                       "share_found": _share(self.errors_found, self.errors)},
            "errors_by_values": {"raised": self.errors_by_values, "found": self.errors_by_values_found},
            "tensors": self.tensors,
            "shapes_wholly_known": _share(self.shapes_known, self.tensors),
            "types_known": _share(self.types_known, self.tensors),
        }  # fmt: skip


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def _plain(value: Any) -> Any:
    if isinstance(value, Counter):
        return dict(value)
    return [asdict(one) for one in value] if isinstance(value, list) else value


def group(wrong: Mapping[str, Any]) -> str:
    """Which examples are told together: the kind of the claim and the operation."""
    return f"{wrong['kind']}: {wrong['op']}"


__all__ = ["Example", "Tally", "Wrong", "group"]
