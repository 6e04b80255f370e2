"""Remedies for symptoms: selection and ranking of candidates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from dllint.diagnose.boundary import Attempting, unguarded
from dllint.diagnose.causes.case import Case, Sources
from dllint.diagnose.causes.hypothesis import Candidate
from dllint.diagnose.causes.registry import candidates
from dllint.diagnose.records import RunRecord
from dllint.diagnose.symptoms.symptom import Symptom
from dllint.edit import Applicability, Fix
from dllint.finding import Finding
from dllint.observation import ALIKE, Remedy, Trial

#: Candidates that the evidence supports less than this are not worth a look.
_LEAST: Final = 0.2
_MOST: Final = 8


def propose(
    symptoms: Sequence[Symptom],
    run: RunRecord,
    static: Sequence[Finding],
    read: Callable[[Path], str],
    attempt: Attempting = unguarded,
) -> list[tuple[Symptom, tuple[Candidate, ...]]]:
    """The candidates for each symptom, the best supported first."""
    sources = Sources(read)
    return [(symptom, _worth_trying(Case(symptom, run, sources, static), attempt)) for symptom in symptoms]


def _worth_trying(case: Case, attempt: Attempting) -> tuple[Candidate, ...]:
    return tuple(candidate for candidate in candidates(case, attempt) if candidate.score >= _LEAST)[:_MOST]


def untried(proposed: Sequence[Candidate]) -> tuple[Remedy, ...]:
    """Remedies that have not been tried, in the order of the candidates."""
    return tuple(_remedy(candidate, None) for candidate in proposed)


def ranked(proposed: Sequence[tuple[Candidate, Trial | None]]) -> tuple[Remedy, ...]:
    """Remedies with their trials: the recommended ones first, then what was not tried, then what did not help."""
    best = max((trial.after for _, trial in proposed if trial is not None and trial.recommended), default=0.0)

    def rank(entry: tuple[Candidate, Trial | None]) -> tuple[int, bool, float]:
        candidate, trial = entry
        if trial is None:
            return 1, False, -candidate.score
        return (0 if trial.recommended else 2), trial.recommended and trial.after < best - ALIKE, -candidate.score

    return tuple(_remedy(candidate, trial) for candidate, trial in sorted(proposed, key=rank))


def _remedy(candidate: Candidate, trial: Trial | None) -> Remedy:
    return Remedy(candidate.kind, Fix(candidate.message, candidate.edits, Applicability.UNSAFE), trial)
