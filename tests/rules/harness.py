"""Runs snippets through the whole pipeline and reads the expectations written in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from inspect import getdoc
from pathlib import Path

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.finding import Finding, Severity
from dllint.frameworks.releases import CHECKED
from dllint.rules.rule import Rule

#: The releases that pages and cases of the API rules are for: those that dllint is checked with.
TODAY = tuple(f"{library}=={release}" for library, release in CHECKED.items())
#: Rules about what a whole script lacks, as the short examples of other rules do: asked about texts that name them, and by
#: tests of their own.
OF_SCRIPTS = frozenset({"DLD108"})
PATH = Path("/snippet/example.py")
_MARK = re.compile(r"\s*# (?:error|info|hint): (.*)$")
_STRONG, _INFO, _HINT = "error", "info", "hint"
#: The word of a mark → the severities that it stands for.
MARKED = {_STRONG: (Severity.ERROR, Severity.WARNING), _INFO: (Severity.INFO,), _HINT: (Severity.HINT,)}
_CODE = re.compile(r"\[(DL[A-Z]\d{3})\]")
_FENCE = re.compile(r"^```python\n(.*?)^```", re.M | re.S)


@cache
def session(unsafe: bool = False, today: bool = False) -> Session:
    """A session with all rules, nothing read from disk; ``today``: the code is for today's releases."""
    overrides = {"unsafe_fixes": unsafe, "select": ("ALL",), "target": TODAY if today else ()}
    return Session(Configuration(isolated=True, overrides=overrides))


def findings(text: str, today: bool = False) -> list[Finding]:
    """What the default rules report about a text; a notice of a crash fails the test."""
    result = session(today=today).check_bytes(PATH, text.encode())
    assert not result.notices, [(n.kind, n.message) for n in result.notices]
    return [finding for finding in result.findings if finding.code not in OF_SCRIPTS or f"[{finding.code}]" in text]


def reports(text: str, today: bool = False) -> list[tuple[int, str]]:
    """Line and code of every error and warning."""
    return told(text, _STRONG, today)


def told(text: str, mark: str, today: bool = False) -> list[tuple[int, str]]:
    """Line and code of every finding of the severities that the word of a mark stands for."""
    return places(findings(text, today), mark)


def places(found: list[Finding], mark: str = _STRONG) -> list[tuple[int, str]]:
    """Line and code of those findings that are of the severities that the word of a mark stands for."""
    return [place(f) for f in found if f.severity in MARKED[mark]]


def mark_of(rule: type[Rule]) -> str:
    """The word that marks the faulty lines on the page of a rule."""
    return next((mark for mark, severities in MARKED.items() if rule.severity in severities), _STRONG)


def is_about_releases(rule: type[Rule]) -> bool:
    """Whether the pages of a rule are about today's releases."""
    return rule.code.startswith("DLA")


def place(finding: Finding) -> tuple[int, str]:
    """Line and code of a finding."""
    return finding.location.span.first.line, finding.code


def fixed(text: str, today: bool = False) -> str:
    """The text with all fixes applied, unsafe ones included."""
    return session(unsafe=True, today=today).check_bytes(PATH, text.encode(), fix=True).after


def expected(text: str, mark: str = _STRONG) -> list[tuple[int, str]]:
    """Line and code of every ``# error: [CODE]`` mark (or ``# info:``, ``# hint:``)."""
    out = []
    for number, line in enumerate(text.splitlines(), 1):
        if (match := _MARK.search(line)) and f"# {mark}:" in match[0]:
            out += [(number, code) for code in _CODE.findall(match[1])]
    return out


def unmarked(text: str) -> str:
    """The text without its marks."""
    return "\n".join(_MARK.sub("", line) for line in text.splitlines()) + "\n"


@dataclass(frozen=True, slots=True)
class Page:
    """The parts of a rule's documentation page."""

    sections: dict[str, str]

    @classmethod
    def of(cls, rule: type[Rule]) -> Page:
        """The page of a rule class."""
        parts = re.split(r"^## (.+)$", getdoc(rule) or "", flags=re.M)
        return cls(dict(zip(parts[1::2], parts[2::2], strict=True)))

    def snippets(self, section: str) -> list[str]:
        """The Python blocks of a section."""
        return snippets(self.sections[section])


def snippets(markdown: str) -> list[str]:
    """The Python blocks of a Markdown text."""
    return _FENCE.findall(markdown)
