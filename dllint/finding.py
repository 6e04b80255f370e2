"""The finding: what the static check, a diagnosed run and a bisection all report."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from dllint.edit import Fix
from dllint.observation import Observation
from dllint.span import Location


class Severity(Enum):
    """``ERROR``: certainly wrong when it fires; ``WARNING``: very likely wrong; ``INFO``: inefficient or a smell;
    ``HINT``: shown in the editor only."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    HINT = "hint"

    @property
    def rank(self) -> int:
        """0 for an error, rising as the severity falls."""
        return _RANKS[self]


_RANKS = {severity: rank for rank, severity in enumerate(Severity)}


class Confidence(Enum):
    """Expected precision of the firing condition: high ≥ 95 %, medium 80-95 %, low < 80 %."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        """0 for high, rising as the confidence falls."""
        return _CONFIDENCE_RANKS[self]


_CONFIDENCE_RANKS = {confidence: rank for rank, confidence in enumerate(Confidence)}


@dataclass(frozen=True, slots=True)
class Related:
    """A place that explains a finding: where the layer was built, where the tensor was made."""

    location: Location
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One report: a rule, a place, what is wrong there, the evidence and the fixes (the preferred one first).

    ``message`` is the fact, one short sentence without a full stop; ``advice`` says what to change, in the imperative. Each is
    read without the other: lists show the message alone.
    """

    code: str
    name: str
    message: str
    severity: Severity
    confidence: Confidence
    location: Location
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
    #: How a danger comes about: places in the order of execution, from its source to the operation that fails.
    flow: tuple[Related, ...] = ()
    #: What a run of the program has shown; ``None`` for what was found without running it.
    observation: Observation | None = None
    advice: str = ""

    @property
    def local_fixes(self) -> tuple[Fix, ...]:
        """The fixes that change nothing but the file of the finding: only these are ever applied."""
        return tuple(fix for fix in self.fixes if all(edit.path == self.location.path for edit in fix.edits))
