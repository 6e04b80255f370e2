"""Trials of a diagnosis's remedies."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dllint.diagnose.boundary import ENDINGS, Failures
from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.executed import executed
from dllint.diagnose.findings import findings_of
from dllint.diagnose.known_causes import with_causes
from dllint.diagnose.limits import available_memory, resident_memory
from dllint.diagnose.monitor import Listener
from dllint.diagnose.remedies import propose, ranked
from dllint.diagnose.symptoms.symptom import Symptom
from dllint.diagnose.trials.counterfactual import Setting, Trials, try_candidates
from dllint.finding import Finding
from dllint.observation import ALIKE, Remedy


def treat(diagnosis: Diagnosis, setting: Setting, static: Sequence[Finding], seconds: float, listener: Listener) -> Diagnosis:
    """The diagnosis with remedies that were tried, for at most so many seconds; why they were not, if so. ``listener`` is
    notified how it goes. A trial that fails costs the diagnosis nothing.
    """
    failed: list[str] = []
    with Failures(failed.append).attempt("repairs were not tried to the end", ENDINGS):
        return _treated(diagnosis, setting, static, seconds, listener)
    return replace(diagnosis, remarks=(*diagnosis.remarks, *failed))


def _treated(
    diagnosis: Diagnosis, setting: Setting, static: Sequence[Finding], seconds: float, listener: Listener
) -> Diagnosis:
    # What could not be looked for is reported by the diagnosis already.
    quietly = Failures(lambda text: None).attempt
    with quietly("which findings are about code that was executed could not be found out"):
        static = executed(static, diagnosis.run, setting.read)
    proposals = propose(diagnosis.symptoms, diagnosis.run, static, setting.read, quietly)
    if not any(proposed for _, proposed in proposals):
        return diagnosis
    obstacle = _obstacle()
    if obstacle is not None:
        return replace(diagnosis, remarks=(*diagnosis.remarks, f"repairs were not tried: {obstacle}"))
    trials = try_candidates(proposals, diagnosis.run, setting, seconds, listener)
    treated = [
        (symptom, ranked([(one, trials.tried.get((number, one))) for one in trials.of(number, proposed)]))
        for number, (symptom, proposed) in enumerate(proposals)
    ]
    treated.sort(key=_rank)
    symptoms, remedies = tuple(symptom for symptom, _ in treated), [remedies for _, remedies in treated]
    script = setting.program.source or Path(setting.program.target)
    findings = with_causes(findings_of(symptoms, remedies, script, setting.read), static, diagnosis.run)
    return replace(diagnosis, symptoms=symptoms, findings=findings, remarks=(*diagnosis.remarks, *_formatted(trials)))


def _rank(treated: tuple[Symptom, tuple[Remedy, ...]]) -> tuple[int, float]:
    """The order of findings: by severity, then by the improvement that their best repair brought."""
    symptom, remedies = treated
    # Predictions that are worse than a constant one may be so by any amount, which says nothing about the repair.
    gains = [one.trial.after - max(one.trial.before, 0.0) for one in remedies if one.trial and one.trial.recommended]
    return symptom.severity.rank, -round(max(gains, default=0.0) / ALIKE)


def _formatted(trials: Trials) -> list[str]:
    if not trials.tried:
        return trials.notes
    repairs = len({candidate for _, candidate in trials.tried})
    recommended = len({candidate for (_, candidate), trial in trials.tried.items() if trial.recommended})
    were = "repair was" if repairs == 1 else "repairs were"
    return [f"{repairs} {were} tried for {trials.steps} steps, {recommended or 'none'} can be recommended", *trials.notes]


def _obstacle() -> str | None:
    """Why the program cannot be run a second time beside this process."""
    left, used = available_memory(), resident_memory()
    if left is not None and used > left:
        return f"the program does not fit twice in memory ({used >> 20} MiB are used, {left >> 20} MiB are left)"
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_available() or not torch.cuda.is_initialized():
        return None
    free, taken = torch.cuda.mem_get_info()[0], torch.cuda.max_memory_reserved()
    if taken > free:
        return f"the program does not fit twice in the device's memory ({taken >> 20} MiB are used, {free >> 20} MiB are left)"
    return None
