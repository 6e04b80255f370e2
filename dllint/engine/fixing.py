"""Applying the fixes of a file repeatedly until none is left.

``--fix`` applies only fixes that edit the file itself: files are checked in parallel, so a fix that edits another file is
shown, not applied.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from dllint.edit import Applicability, Fix, apply_edits
from dllint.engine.analysis import Analysis
from dllint.engine.edits import compatible, edits_by_path
from dllint.engine.failing import crash
from dllint.engine.gate import Analyse
from dllint.engine.results import Notice
from dllint.finding import Finding
from dllint.source.document import Document

MOST_ROUNDS: Final = 10
#: The code and the position of a finding.
_Key = tuple[str, int]
#: The fix of a finding that may be applied.
Allowed = Callable[[Finding], Fix | None]


@dataclass(slots=True)
class Fixed:
    """A document after its fixes: the last analysis, how many findings of each rule were fixed, and what could not be."""

    analysis: Analysis
    fixed: Counter[str] = field(default_factory=Counter)
    failures: list[Notice] = field(default_factory=list)


def fix_document(document: Document, analyse: Analyse, allowed: Allowed) -> Fixed:
    """Apply the allowed fixes of a document's findings until none is left, at most :data:`MOST_ROUNDS` times.

    Every round applies the fixes that do not overlap, analyses the result from its text, and goes on from there. A round
    whose result does not parse, or that fails, is not kept.
    """
    result = Fixed(analyse(document))
    for _ in range(MOST_ROUNDS):
        try:
            chosen = _choose(result.analysis.findings, allowed)
            chosen, edited = _applied(document, chosen, result.failures)
            if not chosen or edited.problem is not None or edited.text == document.text:
                break
            analysis = analyse(edited)
        except Exception as error:  # a fix takes no finding with it
            result.failures.append(crash(document.path, "the fixes could not be applied", error))
            break
        document, result.analysis = edited, analysis
        result.fixed.update(code for code, _ in chosen)
    return result


def _applied(document: Document, chosen: dict[_Key, Fix], failures: list[Notice]) -> tuple[dict[_Key, Fix], Document]:
    """A document with the chosen fixes, without those that cannot be applied; which ones these were."""
    try:
        return chosen, _edited(document, chosen.values())
    except Exception:
        chosen = {key: fix for key, fix in chosen.items() if _is_applicable(document, key, fix, failures)}
    return chosen, _edited(document, chosen.values())


def _is_applicable(document: Document, key: _Key, fix: Fix, failures: list[Notice]) -> bool:
    """Whether a fix can be applied alone; says so if not, once."""
    try:
        _edited(document, [fix])
    except Exception as error:
        notice = crash(document.path, f"the fix of {key[0]} (`{fix.message}`) could not be applied", error)
        failures += [notice] if notice not in failures else []
        return False
    return True


def _edited(document: Document, fixes: Iterable[Fix]) -> Document:
    edits = edits_by_path(fixes).get(document.path)
    return document if edits is None else document.edit(apply_edits(document.text, edits))


def _choose(findings: Sequence[Finding], allowed: Allowed) -> dict[_Key, Fix]:
    """The fixes to apply together, by code and position of their finding."""
    wanted = {(f.code, number): fix for number, f in enumerate(findings) if (fix := allowed(f)) is not None}
    kept = {id(fix) for fix in compatible(wanted.values())}
    return {key: fix for key, fix in wanted.items() if id(fix) in kept}


def allowance(fixable: frozenset[str], *, unsafe: bool) -> Allowed:
    """Which fix of a finding may be applied: the first safe one, or unsafe one if these are wanted, of a rule with a
    ``fixable`` code, whose edits all lie in the finding's own file."""
    levels = {Applicability.SAFE, Applicability.UNSAFE} if unsafe else {Applicability.SAFE}

    def allowed(finding: Finding) -> Fix | None:
        if finding.code not in fixable:
            return None
        return next((fix for fix in finding.local_fixes if fix.applicability in levels), None)

    return allowed
