"""Findings of the static check that explain a run: what it knows to be wrong with the model, the data or the training loop.

A symptom stands where it shows, such a finding where it is caused. Those about numbers are left out, whose dangers the run has
met or not, and those about releases, speed and repeatability, by which no training fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from dllint.diagnose.learning import is_solving
from dllint.diagnose.records import RunRecord
from dllint.finding import Confidence, Finding, Severity

#: Families of rules: structure, tensors, losses, initial weights, training, data.
_FAMILIES: Final = ("DLS", "DLT", "DLL", "DLI", "DLO", "DLD")


def with_causes(findings: Iterable[Finding], static: Sequence[Finding], run: RunRecord) -> tuple[Finding, ...]:
    """The findings of a run and those of the check that explain it, by severity, causes before symptoms."""
    observed = tuple(findings)
    causes = _weighed(static, run, is_ill=any(map(_is_warning, observed))) if any(track.steps for track in run.tracks) else ()
    return tuple(sorted((*causes, *observed), key=lambda finding: finding.severity.rank))


def _weighed(static: Sequence[Finding], run: RunRecord, *, is_ill: bool) -> Iterator[Finding]:
    """The causes, one for each rule and line. Errors are certain; a warning is a hint where the run gives it no support: where
    it shows no symptom, and either does well or the rule by itself is not sure enough."""
    is_doubted = not is_ill and is_solving(run)
    seen: set[tuple[str, object, int]] = set()
    for finding in static:
        place = finding.code, finding.location.path, finding.location.span.first.line
        if not _is_warning(finding) or not finding.code.startswith(_FAMILIES) or place in seen:
            continue
        seen.add(place)
        is_sure = finding.severity is Severity.ERROR or is_ill or (finding.confidence is Confidence.HIGH and not is_doubted)
        yield finding if is_sure else replace(finding, severity=Severity.INFO)


def _is_warning(finding: Finding) -> bool:
    return finding.severity.rank <= Severity.WARNING.rank
