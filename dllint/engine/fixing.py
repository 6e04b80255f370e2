"""Applying the fixes of a file again and again until nothing is left to fix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from dllint.config.options import Settings
from dllint.config.selection import Catalogue
from dllint.edit import Applicability, Fix, apply_edits
from dllint.engine.analysis import Analysis
from dllint.engine.edits import compatible, edits_by_path
from dllint.engine.gate import Analyse
from dllint.finding import Finding
from dllint.source.document import Document

MOST_ROUNDS: Final = 10


@dataclass(slots=True)
class Fixed:
    """A document after its fixes: the last analysis and how many findings of each rule were fixed."""

    analysis: Analysis
    fixed: Counter[str] = field(default_factory=Counter)


def fix_document(document: Document, analyse: Analyse, allowed: Callable[[Finding], Fix | None]) -> Fixed:
    """Apply the allowed fixes of a document's findings until none is left, at most :data:`MOST_ROUNDS` times.

    Every round applies the fixes that do not overlap, analyses the result from its text, and goes on from there. A round
    whose result does not parse is not kept.
    """
    result = Fixed(analyse(document))
    for _ in range(MOST_ROUNDS):
        chosen = _choose(result.analysis.findings, allowed)
        if not chosen:
            break
        edits = edits_by_path(chosen.values())[document.path]
        edited = document.edit(apply_edits(document.text, edits))
        if edited.problem is not None or edited.text == document.text:
            break
        document = edited
        result.analysis = analyse(document)
        result.fixed.update(code for code, _ in chosen)
    return result


def _choose(findings: Sequence[Finding], allowed: Callable[[Finding], Fix | None]) -> dict[tuple[str, int], Fix]:
    """The fixes to apply together, by code and position of their finding."""
    wanted = {(f.code, number): fix for number, f in enumerate(findings) if (fix := allowed(f)) is not None}
    kept = {id(fix) for fix in compatible(wanted.values())}
    return {key: fix for key, fix in wanted.items() if id(fix) in kept}


def allowance(settings: Settings, catalogue: Catalogue) -> Callable[[Finding], Fix | None]:
    """Which fix of a finding may be applied under the settings: the first safe one, or unsafe one if these are wanted,
    of a fixable rule, whose edits all lie in the finding's own file."""
    levels = {Applicability.SAFE, Applicability.UNSAFE} if settings.unsafe_fixes else {Applicability.SAFE}
    fixable = catalogue.codes_of(settings.fixable, "`fixable`") - catalogue.codes_of(settings.unfixable, "`unfixable`")

    def allowed(finding: Finding) -> Fix | None:
        if finding.code not in fixable:
            return None
        return next((fix for fix in finding.local_fixes if fix.applicability in levels), None)

    return allowed
