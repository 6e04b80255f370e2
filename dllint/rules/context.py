"""What a rule gets beside the item it checks: facts, places, texts, and the making of findings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import libcst

from dllint.analysis.facts import Facts
from dllint.domains.precision import USUAL
from dllint.edit import Applicability, Edit, Fix
from dllint.finding import Confidence, Finding, Related, Severity
from dllint.ir.program import ONE_OF_SEVERAL, Event, Op, Program, Site
from dllint.rules.rule import Rule
from dllint.span import Location, Position, Span

#: Where something happens: a site, or an operation or event that has one.
Where = Site | Op | Event
#: The message of the first related place of a finding about code that the checked document only calls.
INNER_PLACE = "it happens here"
_CODE = libcst.Module([])


class Context:
    """One per checked program. ``document`` is the document under check: findings are placed in it, even where the
    fault happens in a module that it imports. ``settings`` is opaque here; rules with options read theirs from it."""

    def __init__(self, program: Program, document: Any, *, facts: Facts | None = None, settings: Any = None) -> None:
        self.program = program
        self.document = document
        self.facts = facts if facts is not None else Facts(program, getattr(settings, "precision", USUAL.name))
        self.settings = settings

    def finding(
        self,
        rule: Rule,
        where: Where,
        message: str,
        *,
        advice: str = "",
        node: Any = None,
        related: Iterable[Related] = (),
        fixes: Iterable[Fix] = (),
        severity: Severity | None = None,
        confidence: Confidence | None = None,
        flow: Iterable[Related] = (),
    ) -> Finding:
        """A finding of ``rule`` at ``node`` (default: the site's node).

        In code that the checked document only calls, it is placed at the call in the checked document, and the inner
        place becomes the first related one. ``message`` is the fact, ``advice`` what to change. Severity and confidence are
        the rule's unless given.
        """
        inner = site_of(where)
        outer = self._outer(inner)
        evidence = list(related)
        if outer is not inner:
            evidence.insert(0, Related(location(inner, node), INNER_PLACE))
            node = None
        return Finding(
            rule.code,
            rule.name,
            message,
            severity if severity is not None else rule.severity,
            confidence if confidence is not None else rule.confidence,
            location(outer, node),
            tuple(dict.fromkeys(evidence)),
            tuple(fixes),
            tuple(flow),
            advice=advice,
        )

    def related(self, where: Where | None, message: str, *, node: Any = None) -> Related | None:
        """A place that explains a finding; ``None`` if it has no place in any source."""
        site = None if where is None else site_of(where)
        if site is None or site.document is None or site.statement is None:
            return None
        return Related(location(site, node), message)

    def text(self, what: Where | libcst.CSTNode | None, node: Any = None) -> str:
        """The source text of a node, or of a site's node; empty for ``None``."""
        if node is None:
            node = site_of(what).node if isinstance(what, (Site, Op, Event)) else what
        if node is None:
            return ""
        return _CODE.code_for_node(node).strip()

    def fix(self, message: str, edits: Iterable[Edit], applicability: Applicability) -> Fix:
        """A fix from edits (in any order; insertions at one place keep theirs)."""
        ordered = sorted(dict.fromkeys(edits), key=lambda edit: (edit.path, edit.start, edit.end))
        return Fix(message, tuple(ordered), applicability)

    def condition_note(self, item: Op | Event) -> str:
        """A clause that ends a message: under which branches the item is reached (``", when self.aux is true"``).

        Branches that a default value selects are not mentioned, nor those that have no words. Empty if there is nothing to
        say."""
        told = [condition.text for condition in item.path if condition.default is not True]
        texts = dict.fromkeys(text for text in (self.program.setting, *told) if text not in ("", ONE_OF_SEVERAL))
        return f", when {' and '.join(texts)}" if texts else ""

    def _outer(self, site: Site) -> Site:
        """The innermost frame of the call stack that is in the checked document, else the site itself."""
        return next((frame for frame in site.stack() if self._checked(frame)), site)

    def _checked(self, site: Site) -> bool:
        return site.document is self.document or (site.document is not None and site.document.path == self.document.path)


def site_of(where: Where) -> Site:
    """The site of an operation or event, or the site itself."""
    return where if isinstance(where, Site) else where.site


def location(site: Site, node: Any = None) -> Location:
    """Where a site's node, or another node of its statement, stands; the file's start if it has no statement."""
    if site.statement is None:
        return Location(site.document.path, Span(0, 0, Position(1, 1), Position(1, 1)))
    found: Location = site.document.location(site.statement, node if node is not None else site.node)
    return found
