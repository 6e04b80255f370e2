"""Which findings say that the program fails: the errors, and those that are told as warnings for their confidence alone."""

from __future__ import annotations

from dllint.engine.registry import rule
from dllint.finding import Confidence, Finding, Severity


def says_that_it_fails(finding: Finding) -> bool:
    """Whether a finding is an error, or a warning of low confidence of a rule that reports errors."""
    lowered = finding.severity is Severity.WARNING and finding.confidence is Confidence.LOW
    return finding.severity is Severity.ERROR or (lowered and rule(finding.code).severity is Severity.ERROR)
