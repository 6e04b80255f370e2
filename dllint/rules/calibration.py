"""Which confidence rules have earned: the one place where measurements lower what a rule claims.

A rule claims a level (its ``confidence``, or what it gives a single finding). Where its findings on code that nobody tuned it
against are right less often than the level promises (:class:`dllint.finding.Confidence`), its code stands here with the level
that it reaches.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dllint.finding import Confidence

#: Code of a rule → the highest confidence that its findings get.
REACHED: Final[Mapping[str, Confidence]] = {}


def calibrated(code: str, claimed: Confidence) -> Confidence:
    """The confidence of a finding: what its rule claims for it, but not more than the rule reaches."""
    reached = REACHED.get(code, claimed)
    return max(claimed, reached, key=lambda confidence: confidence.rank)
