"""The result in a few lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.bisection.graph import Graph
from dllint.bisection.report.record import nodes_of
from dllint.bisection.result import Bisection, Culprit, Verdict

_SENTENCES: Final = {
    Verdict.CULPRITS: "The candidate is worse, and these operators make it so:",
    Verdict.EQUALLY_VALID: "The candidate is as good as the reference: a drop of the margin or more is excluded.",
    Verdict.NO_DROP_SEEN: "No drop is seen; one smaller than {visible:.3g} could not be seen with {samples} samples.",
    Verdict.DIFFUSE: "The candidate is worse, but no single operator has a share that can be told from chance.",
    Verdict.VANISHES_WHEN_OBSERVED: "The candidate is worse, but not while it is watched: a fused operator is at fault.",
}


def lines(found: Bisection, graph: Graph) -> Iterator[str]:
    """The report, line by line."""
    low, high = -found.contrast.high, -found.contrast.low
    metrics = f"reference {found.reference_metric:.4g}, candidate {found.candidate_metric:.4g}"
    yield f"{metrics}: drop {-found.contrast.difference:.4g} ({found.contrast.level:.0%} interval {low:.4g} to {high:.4g})"
    yield sentence(found)
    for culprit in found.culprits:
        yield from _culprit(culprit, graph)
    for share in found.shares:
        row = f"{share.steps[0].name} … {share.steps[-1].name}" if len(share.steps) > 1 else share.steps[0].name
        low, high = -share.contrast.high, -share.contrast.low
        yield f"  {row}: {-share.contrast.difference:.4g} ({low:.4g} to {high:.4g}), {share.share:.0%} of the drop"
    yield from probable_lines(found)
    for acquittal in found.acquitted:
        yield f"  not at fault: {acquittal.step.name}, undone by {acquittal.undone_by.name} (another representation)"
    if found.harmless:
        names = ", ".join(step.name for step in found.harmless[:8])
        yield f"  different but harmless: {names}{' …' if len(found.harmless) > 8 else ''}"
    for note in found.notes:
        yield f"note: {note}"
    yield f"{found.evaluations} evaluations of the metric; one after the other would take {found.linear_sweep}."


def probable_lines(found: Bisection) -> Iterator[str]:
    """What may be at fault where nothing is certain."""
    for each in found.probable:
        drop = f"{-each.contrast.difference:.4g} ({-each.contrast.high:.4g} to {-each.contrast.low:.4g})"
        yield f"  most probable, not certain: {each.step.name}, alone it costs {drop}"
    if found.samples_needed is not None:
        yield f"  about {found.samples_needed:,} samples would show a drop like this one"


def sentence(found: Bisection) -> str:
    """The verdict in a sentence."""
    return _SENTENCES[found.verdict].format(visible=found.smallest_visible_drop, samples=found.contrast.samples)


def _culprit(culprit: Culprit, graph: Graph) -> Iterator[str]:
    nodes = nodes_of(culprit.steps, graph)
    place = nodes[-1].place if nodes else None
    where = f"{place.path}:{place.line}:{place.column}: " if place else ""
    row = culprit.steps[-1].name if len(culprit.steps) == 1 else f"{culprit.steps[0].name} … {culprit.steps[-1].name}"
    module = f" in {culprit.steps[-1].module}" if culprit.steps[-1].module else ""
    drop = f"{-culprit.contrast.difference:.4g} ({-culprit.contrast.high:.4g} to {-culprit.contrast.low:.4g})"
    yield f"  {where}{row}{module}: costs {drop}, {culprit.share:.0%} of the drop"
    if place and place.text:
        yield f"      {place.text}"
    if culprit.suspected:
        yield f"      suspected: {culprit.suspected}"
