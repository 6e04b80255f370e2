"""All hypotheses: every file of this folder that defines one."""

from __future__ import annotations

import inspect
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from dllint.diagnose import causes
from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.hypothesis import Candidate, Hypothesis
from dllint.edit import Edit


@cache
def hypotheses() -> tuple[Hypothesis, ...]:
    """One instance of every hypothesis, ordered by kind."""
    found: list[Hypothesis] = []
    for entry in iter_modules(causes.__path__, f"{causes.__name__}."):
        module = import_module(entry.name)
        found += [
            item()
            for item in vars(module).values()
            if isinstance(item, type)
            and issubclass(item, Hypothesis)
            and item.__module__ == entry.name
            and not inspect.isabstract(item)
        ]
    return tuple(sorted(found, key=lambda hypothesis: hypothesis.kind))


def candidates(case: Case) -> tuple[Candidate, ...]:
    """The repairs that could help against a symptom, the best supported first; equal edits are one repair."""
    best: dict[tuple[Edit, ...], Candidate] = {}
    for hypothesis in hypotheses():
        for candidate in hypothesis.candidates(case):
            known = best.get(candidate.edits)
            if candidate.edits and (known is None or known.score < candidate.score):
                best[candidate.edits] = candidate
    return tuple(sorted(best.values(), key=lambda candidate: -candidate.score))
