"""Calibration: lowers the confidence that a rule claims to the level that its findings reach on code it was not tuned on.

A rule claims a level (its ``confidence``, or that of a single finding). If its findings on independent code are right less
often than the level promises (:class:`dllint.finding.Confidence`), the table below has a row with the level they reach, for the
rule or for one kind of fault that it reports.

- Severities are set last (``weigh``): an error of low confidence becomes a warning; a fault of an operation that moreover
  occurs only under a reported condition becomes information. A fault under a condition that is not known to hold is of low
  confidence (``AT_TIMES``).
- A finding that rests only on what a script itself has written (``analysis/closed.py``) has at least medium confidence.
- ``engine/releases.py`` lowers faults of operations (``DLT``) in code for older releases than those the tables were measured
  with (for torch, to information), and what is wrong in some releases only if nothing names a release.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    "DLI101": _LOW,  # 2 of 5
    "DLL106": _LOW,  # 1 of 2
    "DLL109": _LOW,  # 0 of 8
    "DLL110": _LOW,  # 1 of 2
    "DLN101": _MEDIUM,  # 8 of 20, most of which are hints now
    "DLN102": _MEDIUM,  # 38 of 57, all of which are hints now
    "DLN103": _MEDIUM,  # 31 of 32
    "DLN104": _MEDIUM,  # 2 of 5, all of which are hints now
    "DLN109": _LOW,  # 0 of 2
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


#: Kinds of faults whose findings of low confidence are right less often than even that level promises. On nine draws, 4 of more
#: than 70 of them were faults that a maintainer would mend; on the last four, 0 of 15.
BELOW_LOW: Final = frozenset({"DLT117:dtype", "DLT118:argument"})


def weighed(severity: Severity, confidence: Confidence, *, at_times: bool = False, fault: str = "") -> Severity:
    """The severity of a finding: an error is what is almost certainly one, so that of low confidence is a warning. It is
    information if the fault is there ``at_times`` only, under a condition that is reported with it, or if the ``fault``, as
    ``code:kind``, is one of those that do not reach low confidence (:data:`BELOW_LOW`)."""
    if severity is not Severity.ERROR or confidence is not _LOW:
        return severity
    return Severity.INFO if at_times or fault in BELOW_LOW else Severity.WARNING


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
