"""Conclusions from an observed run: symptoms, findings and remarks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dllint.diagnose.boundary import Failures
from dllint.diagnose.executed import executed
from dllint.diagnose.findings import Read, findings_of
from dllint.diagnose.known_causes import with_causes
from dllint.diagnose.launch import Outcome, Program
from dllint.diagnose.records import RunRecord
from dllint.diagnose.remedies import propose, untried
from dllint.diagnose.reproducibility.obstacles import obstacles
from dllint.diagnose.reproducibility.surroundings import Surroundings
from dllint.diagnose.symptoms.registry import examine, remarks
from dllint.diagnose.symptoms.symptom import Symptom
from dllint.finding import Finding


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The result of a run. ``remarks`` say what cannot be judged, and why."""

    run: RunRecord
    outcome: Outcome
    findings: tuple[Finding, ...]
    remarks: tuple[str, ...]
    #: What the findings of the run are made of, in their order.
    symptoms: tuple[Symptom, ...] = ()

    @property
    def has_trained(self) -> bool:
        """Whether a training step was seen, or why there was none."""
        return any(track.steps for track in self.run.tracks) or bool(self.run.faults or self.run.unused or self.run.rejected)


def conclude(
    run: RunRecord,
    surroundings: Surroundings,
    outcome: Outcome,
    program: Program,
    static: Sequence[Finding],
    read: Read,
) -> Diagnosis:
    """Judge the record of a finished run. Steps of the judgement that fail become remarks."""
    failed: list[str] = []
    attempt = Failures(failed.append).attempt
    with attempt("what the run depends on could not be found out"):
        run = replace(run, reproducibility=surroundings.record(program))
    with attempt("which findings are about code that was executed could not be found out"):
        static = executed(static, run, read)
    script = program.source or Path(program.target)
    symptoms = examine(run, attempt)
    proposals = propose(symptoms, run, static, read, attempt)
    observed = findings_of(symptoms, [untried(proposed) for _, proposed in proposals], script, read)
    findings = with_causes(observed, static, run)
    notes = (*remarks(run, attempt), *_unrepeatable(run), *failed)
    return Diagnosis(run, outcome, findings, notes, symptoms)


def _unrepeatable(run: RunRecord) -> tuple[str, ...]:
    reasons = tuple(obstacles(run.reproducibility)) if run.reproducibility is not None else ()
    return (f"the run cannot be repeated: {'; '.join(reasons)}",) if reasons else ()
