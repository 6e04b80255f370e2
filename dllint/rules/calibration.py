"""Calibration: lowers the confidence that a rule claims to the level that its findings reach on code it was not tuned on.

A rule claims a level (its ``confidence``, or that of a single finding). If its findings on independent code are right less
often than the level promises (:class:`dllint.finding.Confidence`), the table below has a row with the level they reach, for the
rule or for one kind of fault that it reports.

- Severities are set last (``weigh``): an error of low confidence becomes a warning; a fault of an operation that moreover
  occurs only under a reported condition becomes information, and so does what does not reach low confidence and what nobody
  mends. A fault under a condition that is not known to hold is of low confidence (``AT_TIMES``).
- A finding that rests only on what a script itself has written (``analysis/closed.py``) has at least medium confidence.
- ``engine/releases.py`` lowers faults of operations (``DLT``) in code for older releases than those the tables were measured
  with (for torch to information, but for sizes that all stable releases compare alike), and what is wrong in some releases
  only if nothing names a release.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from dllint.finding import Confidence, Severity

_MEDIUM: Final = Confidence.MEDIUM
_LOW: Final = Confidence.LOW

#: Code of a rule (or code and kind of a fault) → the highest confidence that its findings get. Beside it how many of its errors
#: and warnings were right on 36 public repositories and on two draws of 40 (``benchmarks/wild``), each when they were checked
#: for the first time. The causes of what was wrong there are mended; what the rule reaches now, only the next draw can show.
#: Where a row names more, those are of the third draw and of 137 repositories that were read for development, each counted
#: once per repository and cause, when they were checked for the first time.
REACHED: Final[Mapping[str, Confidence]] = {
    "DLG101": _LOW,  # 2 of 5 of repositories that were read for development; shows of results at the top of scripts are gone
    "DLG104": _LOW,  # 0 of 2 of those: places among several results, gone now
    "DLG108": _LOW,  # 2 of 3 of those: loops of one pass, gone now
    "DLG111": _LOW,  # 0 of 1 of those: a second move to where the parts are, gone now
    "DLI101": _LOW,  # 2 of 5
    "DLI102": _LOW,  # 0 of 1 of those: initialised in another file, gone now
    "DLI106": _LOW,  # 2 of 3 of those: initializers of chosen variables, gone now
    "DLL106": _LOW,  # 1 of 2
    "DLL109": _LOW,  # 0 of 8
    "DLL110": _LOW,  # 1 of 2
    "DLN101": _MEDIUM,  # 8 of 20, most of which are hints now
    "DLN102": _MEDIUM,  # 38 of 57, all of which are hints now
    "DLN103": _MEDIUM,  # 31 of 32
    "DLN104": _MEDIUM,  # 2 of 5, all of which are hints now
    "DLN109": _LOW,  # 0 of 3, all of which are gone or information now
    "DLS104": _LOW,  # 4 of 5
    "DLS108": _LOW,  # 3 of 5
    "DLS109": _LOW,  # 0 of 3
    "DLT101": _MEDIUM,  # 1 of 6, then 13 of 16
    "DLT102": _LOW,  # 2 of 10
    "DLT104": _LOW,  # 0 of 3
    "DLT105": _LOW,  # 2 of 3
    "DLT109": _LOW,  # 10 of 37; of those about unpacking 12 of 12, then 4 of 7 in the fourth and fifth draw
    "DLT110": _LOW,  # 1 of 3
    "DLT112": _LOW,  # 0 of 1
    "DLT117": _LOW,  # 0 of 17
    "DLT118": _LOW,  # 2 of 49, most of which were about other releases
}


class Ground(Enum):
    """What findings that do not reach their level rest on."""

    ANY = "anything"
    INVENTED = "the arguments that were invented for an entry that nothing calls"
    UNDECLARED = "what no script declares: element types that callers or releases decide"
    EMPTY = "a tensor without elements, mostly what was made of a container whose filling was not followed"
    AT_TIMES = "a condition that is told with them, and not known to come about"


#: Code, its letters, or code and kind of a fault → what the findings of low confidence rest on that are right less often than
#: even that level promises. Beside it how many of them were faults that a maintainer would mend, on ten draws: of how many, in
#: how many repositories.
BELOW_LOW: Final[Mapping[str, Ground]] = {
    "DLT": Ground.EMPTY,  # 0 of 20 in 5
    "DLT102:rank": Ground.INVENTED,  # 0 of 3 in 3; in scripts 2 of 2
    "DLT109:operator-shape": Ground.INVENTED,  # 0 of 3 in 2
    "DLT111": Ground.ANY,  # 0 of 5 in 1
    "DLT117:dtype": Ground.UNDECLARED,  # 1 of 8 in 5
    "DLT118:argument": Ground.ANY,  # 1 of 52 in 6
    "DLT119": Ground.ANY,  # 0 of 2 in 2
}
#: The same of warnings of any confidence: code, or code and kind → what those rest on of which nothing follows in use, or which
#: are right only seldom: nobody mends them. Beside it the same counts, on twelve draws.
IDLE: Final[Mapping[str, Ground]] = {
    "DLN102": Ground.AT_TIMES,  # 0 of 8 in 2, with DLN104
    "DLN104": Ground.AT_TIMES,
    "DLN105:activation": Ground.ANY,  # 0 of 4 in 3
    "DLS202": Ground.AT_TIMES,  # 0 of 2 in 2
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of a finding when its severity is weighed: its rule, the kind of what it tells, whether that is a ``fault``
    of an operation, whether it is there ``at_times`` only, under a condition that is told with it, whether it rests on
    arguments that were ``invented``, whether it is about an ``empty`` tensor, and whether all of it is ``declared`` by a script
    (:mod:`dllint.analysis.closed`), so that only the release it is written for makes its confidence low."""

    code: str = ""
    kind: str = ""
    fault: bool = False
    at_times: bool = False
    invented: bool = False
    empty: bool = False
    declared: bool = False

    @property
    def is_idle(self) -> bool:
        """Whether nothing follows of it."""
        return self._is_listed(IDLE, self.code, f"{self.code}:{self.kind}")

    @property
    def is_below_low(self) -> bool:
        """Whether it does not reach low confidence."""
        return self._is_listed(BELOW_LOW, self.code[:3], self.code, f"{self.code}:{self.kind}")

    def _is_listed(self, table: Mapping[str, Ground], *rows: str) -> bool:
        return any(self._rests_on(table[row]) for row in rows if row in table)

    def _rests_on(self, ground: Ground) -> bool:
        return {
            Ground.ANY: True,
            Ground.INVENTED: self.invented,
            Ground.UNDECLARED: not self.declared,
            Ground.EMPTY: self.empty,
            Ground.AT_TIMES: self.at_times,
        }[ground]


_NOTHING: Final = Evidence()


def weighed(severity: Severity, confidence: Confidence, evidence: Evidence = _NOTHING) -> Severity:
    """The severity of a finding: an error is what is almost certainly one, so that of low confidence is a warning. It is
    information if it holds at times only, and so are warnings of low confidence that do not reach even that
    (:data:`BELOW_LOW`), and those of which nothing follows (:data:`IDLE`)."""
    if severity is Severity.WARNING and evidence.is_idle:
        return Severity.INFO
    if severity.rank > Severity.WARNING.rank or confidence is not _LOW:
        return severity
    is_doubtful = evidence.is_below_low or (severity is Severity.ERROR and evidence.fault and evidence.at_times)
    return Severity.INFO if is_doubtful else Severity.WARNING


#: The most that a finding reaches which holds under a condition that is not known to come about (the branch of an option): 9 of
#: 26 of the errors that were judged on the 36 repositories and four draws. Of the faults of operations among them, 6 of 15 were
#: right on four draws after most causes of the false ones had been mended.
AT_TIMES: Final = _LOW


def calibrated(code: str, claimed: Confidence, *, kind: str = "", closed: bool = False, at_times: bool = False) -> Confidence:
    """The confidence of a finding: what its rule claims for it, but not more than the rule reaches with faults of its ``kind``.
    ``closed``: it rests on nothing but what a script has written down (:mod:`dllint.analysis.closed`), which is at least of
    medium confidence. ``at_times``: it holds under a condition that is reported with it."""
    reached = REACHED.get(f"{code}:{kind}", REACHED.get(code, claimed))
    if at_times:
        reached = max(reached, AT_TIMES, key=lambda confidence: confidence.rank)
    if closed:
        reached = min(reached, Confidence.MEDIUM, key=lambda confidence: confidence.rank)
    return max(claimed, reached, key=lambda confidence: confidence.rank)
