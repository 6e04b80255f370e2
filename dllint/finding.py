"""The finding: what the static check, a diagnosed run and a bisection all report."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Final

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
    """How often findings of this level are right on code that nobody tuned dllint against: high at least 98 %, medium 90 %, low
    60 %. A finding is right if its sentence holds for the release of the library that the code is for."""

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


#: The message of the first related place of a finding that stands at a call: where in the called code it happens.
INNER_PLACE: Final = "it happens here"
#: The message of the related places that lead to a finding in another file than the one under check.
CALLED: Final = "reached from here"


@dataclass(frozen=True, slots=True)
class Releases:
    """The releases of a library that a finding is about: those from ``since`` on, which lack ``what``. ``usual``: the code is
    taken to be for one of them where nothing says otherwise, other findings of its file about releases included. ``decided``
    says who knows (``torch~=1.4 (setup.py:2)``). ``recent``: much public code is for older ones still, so that nothing but
    information is made of what is only presumed. ``deprecated``: they have ``what`` still, and say that it is to go."""

    library: str
    since: str
    what: str
    usual: bool = False
    decided: str = ""
    recent: bool = False
    deprecated: bool = False


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
    #: The releases that the sentence holds for; ``None`` if it holds for all.
    releases: Releases | None = None
    #: Which of several matters that its rule tells of it is about (a kind of fault): severities are weighed by it.
    kind: str = field(default="", compare=False)

    def seen_from(self, path: Path) -> Finding | None:
        """The finding at the call in a file that leads to it; ``None`` if none does, itself if it stands in that file."""
        if self.location.path == path:
            return self
        call = next((place for place in self.related if place.message == CALLED and place.location.path == path), None)
        if call is None:
            return None
        others = (place for place in self.related if place is not call)
        return replace(self, location=call.location, related=(Related(self.location, INNER_PLACE), *others))

    @property
    def local_fixes(self) -> tuple[Fix, ...]:
        """The fixes that change nothing but the file of the finding: only these are ever applied."""
        return tuple(fix for fix in self.fixes if all(edit.path == self.location.path for edit in fix.edits))
