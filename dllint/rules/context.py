"""The context of a rule beside the item that it checks: facts, places, texts, and the making of findings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import libcst

from dllint.analysis.closed import is_closed
from dllint.analysis.conditions import formatted, is_at_times
from dllint.analysis.facts import Facts
from dllint.analysis.keras_training import is_loss_unused
from dllint.domains.precision import USUAL
from dllint.edit import Applicability, Edit, Fix
from dllint.finding import CALLED, INNER_PLACE, Confidence, Finding, Related, Releases, Severity
from dllint.ir.program import Event, Op, Program, Site
from dllint.rules.calibration import calibrated
from dllint.rules.placing import IsOwn, Where, placed
from dllint.rules.rule import AnyRule
from dllint.rules.shortening import shortened
from dllint.source.document import Document
from dllint.span import Location, Position, Span

_CODE = libcst.Module([])
#: So many characters of a condition are shown.
_CONDITION: Final = 60


class Context:
    """One per checked program. ``document`` is the document under check, ``item`` what the rule is asked about, ``is_own``
    tells which files belong to the project. ``settings`` is opaque here; rules with options read theirs from it."""

    def __init__(
        self,
        program: Program,
        document: Document,
        *,
        facts: Facts | None = None,
        settings: Any = None,
        is_own: IsOwn = lambda _path: True,
    ) -> None:
        self.program = program
        self.document = document
        self.item: Op | Event | Program | None = None
        self.is_own = is_own
        self.facts = facts if facts is not None else Facts(program, getattr(settings, "precision", USUAL.name))
        self.settings = settings

    def finding(
        self,
        rule: AnyRule,
        where: Where,
        message: str,
        *,
        advice: str = "",
        node: libcst.CSTNode | None = None,
        related: Iterable[Related] = (),
        fixes: Iterable[Fix] = (),
        severity: Severity | None = None,
        confidence: Confidence | None = None,
        flow: Iterable[Related] = (),
        releases: Releases | None = None,
        kind: str = "",
    ) -> Finding:
        """A finding of ``rule`` at ``node`` (default: the site's node).

        It stands where :mod:`dllint.rules.placing` says: if that is a call, the inner place becomes the first related one; if
        it is in another file, the calls that lead there become the last ones. ``message`` is the fact, ``advice`` what to
        change, ``releases`` those that the message is about, ``kind`` which of
        several matters it is, of faults their kind. Severity and confidence are the
        rule's unless given, and no more than it has earned (:mod:`dllint.rules.calibration`); what is said of a loss that
        nothing uses is information.
        """
        place = placed(where, self.item, self.program, self.document.path, self.is_own)
        evidence = list(related)
        if place.inner is not None:
            evidence.insert(0, Related(location(place.inner, node), INNER_PLACE))
            node = None
        evidence += (Related(location(call), CALLED) for call in place.calls)
        weight = severity if severity is not None else rule.severity
        if is_loss_unused(self.item, self.facts):
            weight = max(weight, Severity.INFO, key=lambda level: level.rank)
        return Finding(
            rule.code,
            rule.name,
            message,
            weight,
            self._calibrated(rule, confidence if confidence is not None else rule.confidence, kind),
            location(place.home, node),
            tuple(dict.fromkeys(evidence)),
            tuple(fixes),
            tuple(flow),
            advice=advice,
            releases=releases,
            kind=kind,
        )

    def _calibrated(self, rule: AnyRule, claimed: Confidence, kind: str) -> Confidence:
        path = self.item.path if isinstance(self.item, (Op, Event)) else ()
        at_times = rule.severity is Severity.ERROR and is_at_times(path, self.program.setting)
        closed = (
            not at_times and calibrated(rule.code, claimed, kind=kind) is Confidence.LOW and is_closed(self.item, self.facts)
        )
        return calibrated(rule.code, claimed, kind=kind, closed=closed, at_times=at_times)

    def related(self, where: Where | None, message: str, *, node: libcst.CSTNode | None = None) -> Related | None:
        """A place that explains a finding; ``None`` if it has no place in any source."""
        site = None if where is None else site_of(where)
        if site is None or site.document is None or site.statement is None:
            return None
        return Related(location(site, node), message)

    def text(self, what: Where | libcst.CSTNode | None, node: libcst.CSTNode | None = None) -> str:
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

        Branches that a default value selects are not mentioned, nor those that have no words. Of a long condition, parts are
        left out. Empty if there is nothing to say."""
        texts = dict.fromkeys(shortened(text, _CONDITION) for text in formatted(item.path, self.program.setting))
        return f", when {' and '.join(texts)}" if texts else ""


def site_of(where: Where) -> Site:
    """The site of an operation or event, or the site itself."""
    return where if isinstance(where, Site) else where.site


def location(site: Site, node: libcst.CSTNode | None = None) -> Location:
    """Where a site's node, or another node of its statement, stands; the file's start if it has no statement."""
    if site.statement is None:
        return Location(site.document.path, Span(0, 0, Position(1, 1), Position(1, 1)))
    found: Location = site.document.location(site.statement, node if node is not None else site.node)
    return found
