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
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.observation import Observation, Remedy

#: Families of rules: structure, tensors, losses, initial weights, training, data.
_FAMILIES: Final = ("DLS", "DLT", "DLL", "DLI", "DLO", "DLD")


def with_causes(findings: Iterable[Finding], static: Sequence[Finding], run: RunRecord) -> tuple[Finding, ...]:
    """The findings of a run and those of the check that explain it, by severity; first those of which a trial has confirmed a
    repair, then causes before symptoms."""
    observed = tuple(findings)
    causes: Iterable[Finding] = ()
    if any(track.steps for track in run.tracks):
        causes = (_as_observed(one, observed) for one in _weighed(static, run, is_ill=any(map(_is_warning, observed))))
    return tuple(sorted((*causes, *observed), key=lambda finding: (finding.severity.rank, not _is_repaired(finding))))


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


def _as_observed(finding: Finding, observed: Iterable[Finding]) -> Finding:
    """A finding of the check as one of the run, with the trials that its repairs had against symptoms."""
    tried = [remedy for other in observed if other.observation is not None for remedy in other.observation.remedies]
    remedies = [
        next((remedy for remedy in tried if remedy.kind == finding.name and remedy.fix.message == fix.message), None)
        or Remedy(finding.name, fix, None)
        for fix in finding.fixes
        if fix.applicability is not Applicability.DISPLAY
    ]
    name = finding.name.replace("-", " ")
    offered = tuple(remedy.fix for remedy in remedies if remedy.trial is None or remedy.trial.recommended)
    return replace(finding, fixes=offered, observation=Observation(name, None, None, {}, tuple(remedies)))


def _is_repaired(finding: Finding) -> bool:
    remedies = finding.observation.remedies if finding.observation is not None else ()
    return any(remedy.trial is not None and remedy.trial.recommended for remedy in remedies)


def _is_warning(finding: Finding) -> bool:
    return finding.severity.rank <= Severity.WARNING.rank
