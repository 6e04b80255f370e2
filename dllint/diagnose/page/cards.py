"""One card per finding: observation on the left, source beside it, tried repairs below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from dllint.diagnose.headline import recommended, remedies_of
from dllint.diagnose.page.view import View, bare_lines
from dllint.edit import Edit, Fix, apply_edits
from dllint.finding import Finding
from dllint.observation import Evidence, Observation, Remedy, Trial
from dllint.page.document import table
from dllint.page.excerpt import Marked, difference, excerpt
from dllint.page.markup import Markup, element, joined
from dllint.page.numbers import shown
from dllint.span import Location

_MOST_RELATED = 3


def contents(findings: Sequence[Finding], view: View) -> Markup:
    """A table that leads to the cards; nothing for a single finding."""
    if len(findings) < 2:
        return Markup("")
    return table(("", "Finding", "Place", "Best repair", "Outcome"), [_row(f, n, view) for n, f in enumerate(findings, 1)])


def _row(finding: Finding, number: int, view: View) -> tuple[str, ...]:
    first = finding.location.span.first
    name = finding.observation.symptom if finding.observation is not None else finding.name
    best = next(iter(remedies_of(finding)), None)
    link = element("a", name, href=f"#finding-{number}")
    place = element("code", f"{view.shown(finding.location.path)}:{first.line}")
    badge = element("span", f"{finding.severity.value} {finding.code}", class_=f"badge {finding.severity.value}")
    return badge, link, place, *((best.fix.message, _outcome(best.trial)) if best is not None else ("", ""))


def _outcome(trial: Trial | None) -> Markup:
    tone, verdict = _verdict(trial)
    badge = element("span", verdict, class_=f"badge {tone}")
    return badge if trial is None else joined([badge, f" {trial.measure} {shown(trial.before)} → {shown(trial.after)}"])


def card(finding: Finding, number: int, view: View) -> Markup:
    """A finding; its address is ``finding-1`` and so on."""
    label = element("span", f"{finding.severity.value} {finding.code}", class_=f"badge {finding.severity.value}")
    text = element("div", *_said(finding), class_="said")
    source = element("div", *_source(finding, view), class_="shown")
    best = recommended(finding)
    repairs = [_repair(remedy, view, is_open=remedy is best) for remedy in remedies_of(finding)]
    title = element("h3", label, " ", finding.message)
    return element(
        "article",
        title,
        element("div", text, source, class_="beside"),
        *_repairs(repairs),
        class_="card",
        id=f"finding-{number}",
    )


def _said(finding: Finding) -> Iterator[Markup]:
    if finding.advice:
        yield element("p", finding.advice)
    observation = finding.observation
    if observation is not None:
        rows = [element("div", element("dt", name), element("dd", text)) for name, text in _facts(observation, finding)]
        yield element("dl", *rows)


def _facts(observation: Observation, finding: Finding) -> Iterator[tuple[str, str]]:
    yield "Symptom", observation.symptom
    if observation.layer:
        yield "Layer", observation.layer
    if observation.step is not None:
        yield "Certain at step", shown(observation.step)
    yield "Confidence", finding.confidence.value
    yield from _evidence(observation.evidence)


def _evidence(evidence: Mapping[str, Evidence]) -> Iterator[tuple[str, str]]:
    for name, value in evidence.items():
        if value is not None:
            yield name.replace("_", " ").capitalize(), _formatted(value)


def _formatted(value: Evidence) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_formatted, value))
    return shown(value) if isinstance(value, int | float) else str(value)


def _source(finding: Finding, view: View) -> Iterator[Markup]:
    yield from _place(finding.location, "", view)
    for related in finding.related[:_MOST_RELATED]:
        yield from _place(related.location, f" {related.message}", view)


def _place(location: Location, text: str, view: View) -> Iterator[Markup]:
    first, last = location.span.first, location.span.last
    yield element("p", element("code", f"{view.shown(location.path)}:{first.line}:{first.column}"), text, class_="soft")
    lines = view.lines(location.path)
    if lines:
        yield excerpt(lines, Marked(first.line, first.column, last.line, last.column))


def _repairs(repairs: list[Markup]) -> Iterator[Markup]:
    if repairs:
        yield element("h4", "Repairs")
        yield from repairs


def _repair(remedy: Remedy, view: View, *, is_open: bool) -> Markup:
    """A repair that opens to its change."""
    tone, verdict = _verdict(remedy.trial)
    summary = element(
        "summary", element("span", verdict, class_=f"badge {tone}"), " ", remedy.fix.message, *_fared(remedy.trial)
    )
    return element("details", summary, _change(remedy.fix, view), open="" if is_open else None)


def _verdict(trial: Trial | None) -> tuple[str, str]:
    if trial is None:
        return "info", "not tried"
    return ("good", "recommended") if trial.recommended else ("plain", "tried")


def _fared(trial: Trial | None) -> Iterator[Markup]:
    if trial is not None:
        learns = "" if trial.learns else ", nothing is learnt"
        seeds = f", {trial.seeds} seeds" if trial.seeds > 1 else ""
        yield element("span", f" — {trial.outcome}{learns}; {trial.measure} ", class_="soft")
        yield element("b", f"{shown(trial.before)} → {shown(trial.after)}")
        yield element("span", seeds, class_="soft")


def _change(fix: Fix, view: View) -> Markup:
    by_path: dict[Path, list[Edit]] = {}
    for edit in fix.edits:
        by_path.setdefault(edit.path, []).append(edit)
    return joined(part for path, edits in by_path.items() for part in _changed(path, edits, view, len(by_path) > 1))


def _changed(path: Path, edits: list[Edit], view: View, is_named: bool) -> Iterator[Markup]:
    text = view.read(path)
    if is_named:
        yield element("p", element("code", view.shown(path)), class_="soft")
    yield difference(bare_lines(text), bare_lines(apply_edits(text, edits)))
