"""Programs made small: statements left out while a wrong claim stays."""

from __future__ import annotations

import ast
from collections.abc import Callable

from benchmarks.differential.claims import claims
from benchmarks.differential.comparing import compared
from benchmarks.differential.frameworks import Frameworks


def minimised(text: str, kind: str, frameworks: Frameworks) -> str:
    """The smallest program that leaving out statements comes to in which a claim of the kind is still wrong."""
    return smaller(text, lambda tried: _fails(tried, kind, frameworks))


def smaller(text: str, fails: Callable[[str], bool]) -> str:
    """A program without the statements that it fails without."""
    parts = [ast.get_source_segment(text, statement) or "" for statement in ast.parse(text).body]
    changed = True
    while changed:
        changed = False
        for number in reversed(range(len(parts))):
            fewer = parts[:number] + parts[number + 1 :]
            if fewer and fails("\n".join(fewer) + "\n"):
                parts, changed = fewer, True
    return "\n".join(parts) + "\n"


def _fails(text: str, kind: str, frameworks: Frameworks) -> bool:
    observed = frameworks.run(text)
    if observed.lost or (observed.raised is not None and observed.raised.kind == "NameError"):
        return False
    verdict = compared(claims(text), observed)
    return any(wrong.kind == kind for wrong in (*verdict.wrong, *verdict.false_errors))
