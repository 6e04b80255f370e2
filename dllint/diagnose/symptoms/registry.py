"""The registry of symptoms: every file of this package that defines a check."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from dllint.diagnose import symptoms
from dllint.diagnose.boundary import Attempting, unguarded
from dllint.diagnose.learning import is_solving
from dllint.diagnose.records import RunRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck
from dllint.finding import Severity

#: How the remark begins that says that a check could not be made.
UNCHECKED: Final = "whether the run shows"
#: Ends of runs that have gone as far as the program meant them to.
_WHOLE: Final = ("finished", "exit")


@cache
def checks() -> tuple[SymptomCheck, ...]:
    """One instance of every check, ordered by code and name."""
    found: list[SymptomCheck] = []
    for entry in iter_modules(symptoms.__path__, f"{symptoms.__name__}."):
        module = import_module(entry.name)
        found += [
            item()
            for item in vars(module).values()
            if isinstance(item, type)
            and issubclass(item, SymptomCheck)
            and item.__module__ == entry.name
            and hasattr(item, "code")
        ]
    return tuple(sorted(found, key=lambda check: (check.code, check.symptom)))


def examine(run: RunRecord, attempt: Attempting = unguarded) -> tuple[Symptom, ...]:
    """The symptoms of a run, the most severe and most certain first, without those that another one explains."""
    found = [entry for entry in _found(run, attempt) if run.ended in _WHOLE or not entry[0].needs_end]
    explained = {name for check, symptom in found for name in check.explaining(symptom)}
    is_harmless = is_solving(run)
    kept = [
        replace(symptom, severity=Severity.INFO)
        if check.is_mild and is_harmless and symptom.severity is not Severity.ERROR
        else symptom
        for check, symptom in found
        if symptom.symptom not in explained
    ]
    return tuple(sorted(kept, key=lambda symptom: (symptom.severity.rank, symptom.confidence.rank, symptom.code)))


def shown(run: RunRecord) -> tuple[Symptom, ...]:
    """All symptoms of a run, those that another one explains, too."""
    return tuple(symptom for _, symptom in _found(run))


def _found(run: RunRecord, attempt: Attempting = unguarded) -> list[tuple[SymptomCheck, Symptom]]:
    found: list[tuple[SymptomCheck, Symptom]] = []
    for check in checks():
        with attempt(f"{UNCHECKED} `{check.symptom}` could not be found out"):
            found.extend((check, symptom) for symptom in check.check(run))
    return found


def remarks(run: RunRecord, attempt: Attempting = unguarded) -> tuple[str, ...]:
    """Symptoms that cannot be judged for a run, with the reason."""
    texts: list[str | None] = []
    for check in checks():
        with attempt(f"what cannot be said about `{check.symptom}` could not be found out"):
            texts.append(check.remark(run))
    return tuple(remark for remark in texts if remark is not None)
