"""The registry of hypotheses: every file of this package and its subpackages that defines one."""

from __future__ import annotations

import inspect
from functools import cache
from importlib import import_module
from pkgutil import walk_packages

from dllint.diagnose import causes
from dllint.diagnose.boundary import Attempting, unguarded
from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.hypothesis import Candidate, Hypothesis
from dllint.edit import Edit, apply_edits


@cache
def hypotheses() -> tuple[Hypothesis, ...]:
    """One instance of every hypothesis, ordered by kind."""
    found: list[Hypothesis] = []
    for entry in walk_packages(causes.__path__, f"{causes.__name__}."):
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


def candidates(case: Case, attempt: Attempting = unguarded) -> tuple[Candidate, ...]:
    """The repairs that could help against a symptom, the best supported first; those with equal results are one repair."""
    best: dict[object, Candidate] = {}
    for hypothesis in hypotheses():
        with attempt(f"repairs of the kind `{hypothesis.kind}` could not be looked for"):
            for candidate in hypothesis.candidates(case):
                result = _result(candidate.edits, case)
                known = best.get(result)
                if candidate.edits and (known is None or known.score < candidate.score):
                    best[result] = candidate
    return tuple(sorted(best.values(), key=lambda candidate: -candidate.score))


def _result(edits: tuple[Edit, ...], case: Case) -> object:
    """The texts after edits; of files that cannot be read, the edits."""
    texts = []
    for path in sorted({edit.path for edit in edits}):
        code = case.sources.code(str(path.absolute()))
        if code is None:
            return edits
        texts.append(apply_edits(code.text, [edit for edit in edits if edit.path == path]))
    return tuple(texts)
