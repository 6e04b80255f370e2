"""Errors in suppression comments: rules that do not exist, unknown words, comments that suppress nothing.

These findings are about the comments, not about the program: they are information, and never fail a check.

What is wrong with such comments (``source/directives``, ``engine/suppressing``) is information: unknown words and
rules, and comments that suppressed nothing. The latter are judged only where everything that could need them is in
the analysis: in scripts and notebooks, and outside of functions and classes; and only of rules that were asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Final

from dllint.config.errors import ConfigError, nearest
from dllint.config.selection import ABOUT_COMMENTS, ALL, INVALID_SUPPRESSION, UNUSED_SUPPRESSION, Catalogue, Selection
from dllint.edit import Applicability, Edit, Fix
from dllint.engine.results import IO_ERROR, SYNTAX_ERROR
from dllint.finding import Confidence, Finding, Severity
from dllint.source.directives import SUPPRESSING, WORDS, Code, Directive, directives, removal
from dllint.source.document import Document
from dllint.source.lines import searchable
from dllint.source.pragmas import Suppressions, codes_in_noqa
from dllint.span import Location

#: What may be suppressed by name without being a rule.
_OTHERS: Final = (SYNTAX_ERROR, IO_ERROR, *sorted(ABOUT_COMMENTS))
#: How alike two words are of which one is a slip of the other.
_ALIKE: Final = 0.75
_GUARD: Final = re.compile(r"^if\s+__name__\s*==", re.MULTILINE)
_DEFINITION: Final = re.compile(r"(@|def\b|class\b|async\s+def\b)")


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules there are, those that are selected for the document, and the codes of those that were asked about it."""

    catalogue: Catalogue
    selection: Selection
    ignored: frozenset[str]
    asked: frozenset[str]

    def wants(self, code: str) -> bool:
        """Whether findings of a kind are to be reported."""
        return code in self.selection and code not in self.ignored


def comment_findings(document: Document, suppressions: Suppressions, rules: Rules, *, is_whole: bool) -> list[Finding]:
    """The findings about the comments of a document; about those that suppress nothing only if the analysis ``is_whole``."""
    found: list[Finding] = []
    judged = _Judged(document)
    for directive in directives(document):
        found += _invalid(document, directive, rules.catalogue)
        if is_whole and not directive.fault and directive.word in SUPPRESSING and directive in judged:
            found += _unused(document, directive, suppressions, rules)
    found += _unknown_in_noqa(document, rules.catalogue)
    return [_weighed(finding, rules) for finding in found if rules.wants(finding.code) and not _is_meant(finding, suppressions)]


def _weighed(finding: Finding, rules: Rules) -> Finding:
    configured = rules.selection.severity.get(finding.code)
    return finding if configured is None else replace(finding, severity=Severity(configured))


def _is_meant(finding: Finding, suppressions: Suppressions) -> bool:
    """Whether a comment says by name that a finding about comments is not wanted."""
    line = finding.location.span.first.line
    return any(finding.code in pragma.codes for pragma in (*suppressions.whole_file, *suppressions.on(line)))


def _invalid(document: Document, directive: Directive, catalogue: Catalogue) -> Iterator[Finding]:
    if directive.fault:
        hint = nearest(directive.word, WORDS) if directive.word not in WORDS else ""
        yield _finding(INVALID_SUPPRESSION, document, directive.start, directive.end, f"{directive.fault}{hint}")
        return
    if directive.word not in SUPPRESSING:
        # What is not alike is a remark about dllint.
        if get_close_matches(directive.word, WORDS, n=1, cutoff=_ALIKE):
            message = f"`{directive.word}` is no word that dllint knows{nearest(directive.word, WORDS)}"
            yield _finding(INVALID_SUPPRESSION, document, directive.start, directive.end, message)
        return
    yield from _unknown(document, directive.codes, catalogue)


def _unknown_in_noqa(document: Document, catalogue: Catalogue) -> Iterator[Finding]:
    """Codes in ``noqa`` comments that are of our form, and no rule has. Those of other tools are not ours to judge."""
    return _unknown(document, (Code(document.text[a:b], a, b) for a, b in codes_in_noqa(document)), catalogue)


def _unknown(document: Document, codes: Iterable[Code], catalogue: Catalogue) -> Iterator[Finding]:
    for code in codes:
        if not _resolved(code, catalogue):
            known = [*catalogue.entries, *catalogue.by_name, *_OTHERS]
            message = f"there is no rule `{code.text}`{nearest(code.text, known)}"
            yield _finding(INVALID_SUPPRESSION, document, code.start, code.end, message)


def _resolved(code: Code, catalogue: Catalogue) -> frozenset[str]:
    """The codes that a comment means."""
    if code.text.lower() in _OTHERS:
        return frozenset({code.text.lower()})
    if code.text == ALL:
        return frozenset()
    name = code.text.lower()
    try:
        return catalogue.resolve(name if name in catalogue.by_name else code.text, "a comment")[0]
    except ConfigError:
        return frozenset()


class _Judged:
    """The comments of a document that would show in the check of this file what they are for: a script is called by nobody, and
    neither is what stands outside of functions and classes."""

    def __init__(self, document: Document) -> None:
        self._document = document
        #: By chunk, whether it is no definition.
        self._runs: dict[str, bool] = {}

    @cached_property
    def _is_script(self) -> bool:
        document = self._document
        return document.path.suffix == ".ipynb" or _GUARD.search(searchable(document.text)) is not None

    def __contains__(self, directive: Directive) -> bool:
        if self._is_script or directive.word == "ignore-file":
            return self._is_script
        chunk = self._document.chunk_at(directive.line)
        text = self._document.text if chunk is None else chunk.text
        if text not in self._runs:
            lines = (line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
            self._runs[text] = _DEFINITION.match(next(lines, "")) is None
        return self._runs[text]


def _unused(document: Document, directive: Directive, suppressions: Suppressions, rules: Rules) -> Iterator[Finding]:
    used = suppressions.used.get(directive.start)
    if not directive.has_codes:
        if used is None and rules.asked:
            message = "this comment suppresses nothing"
            yield _finding(UNUSED_SUPPRESSION, document, directive.start, directive.end, message, directive)
        return
    meant = {code: _resolved(code, rules.catalogue) for code in directive.codes}
    idle = [
        code
        for code, codes in meant.items()
        if codes and codes <= rules.asked and code.text.lower() not in (used or ())
    ]  # fmt: skip
    if len(idle) == len(meant):
        message = f"nothing of {_listed(idle)} is found here that this comment would suppress"
        yield _finding(UNUSED_SUPPRESSION, document, directive.start, directive.end, message, directive)
        return
    for code in idle:
        message = f"nothing of {_listed([code])} is found here that this comment would suppress"
        yield _finding(UNUSED_SUPPRESSION, document, code.start, code.end, message, directive, code)


def _listed(codes: list[Code]) -> str:
    return " or ".join(f"`{code.text}`" for code in codes)


def _finding(
    kind: str,
    document: Document,
    start: int,
    end: int,
    message: str,
    directive: Directive | None = None,
    code: Code | None = None,
) -> Finding:
    """``directive`` and ``code`` are what the fix takes out."""
    fixes: tuple[Fix, ...] = ()
    if directive is not None:
        cut = removal(document, directive) if code is None else _without(document, directive, code)
        what = "the comment" if code is None else f"`{code.text}`"
        fixes = (Fix(f"Remove {what}", (Edit(document.path, *cut, ""),), Applicability.SAFE),)
    location = Location(document.path, document.lines.span(start, end))
    return Finding(kind, kind, message, Severity.INFO, Confidence.HIGH, location, fixes=fixes)


def _without(document: Document, directive: Directive, code: Code) -> tuple[int, int]:
    """A code with the comma beside it."""
    at = directive.codes.index(code)
    if at:
        return directive.codes[at - 1].end, code.end
    return code.start, directive.codes[1].start if len(directive.codes) > 1 else code.end
