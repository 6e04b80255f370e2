"""How the fixes of findings fared when they were tried: in words, and as a table of findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from dllint.edit import Fix
from dllint.finding import Finding
from dllint.observation import Observation, Trial
from dllint.report.listing import Listing
from dllint.report.style import Style

_HEAD: Final = ("place", "finding", "repair", "outcome")
_GAP: Final = "  "


def outcomes(finding: Finding) -> dict[Fix, str]:
    """The outcome of each fix that was tried."""
    observation = finding.observation
    tried = observation.remedies if observation is not None else ()
    return {remedy.fix: in_words(remedy.trial) for remedy in tried if remedy.trial is not None}


def in_words(trial: Trial) -> str:
    """``recommended, accuracy 0.26 -> 0.93 over 3 seeds``."""
    measured = (
        f"{trial.measure} {trial.before:.3g} -> {trial.after:.3g}{f' over {trial.seeds} seeds' if trial.seeds > 1 else ''}"
    )
    if trial.recommended:
        return f"recommended, {measured}"
    if not trial.removed_symptom:
        return f"{trial.outcome}, {measured}"
    return f"{trial.outcome}, but {'less' if trial.learns else 'nothing'} is learnt, {measured}"


def repair_table(listing: Listing, width: int) -> Iterator[str]:
    """One row per finding of a run with its best repair; texts in the middle are cut so that rows are ``width`` wide, if that
    is possible at all. Nothing for a single finding."""
    style = Style(listing.color)
    rows = [_row(finding, finding.observation, listing) for finding in listing.findings if finding.observation is not None]
    if len(rows) < 2:
        return
    widths = _widths([_HEAD, *rows], width)
    yield style.bold(_line(_HEAD, widths))
    for row in rows:
        yield _line(row, widths)


def _row(finding: Finding, observation: Observation, listing: Listing) -> tuple[str, ...]:
    best = observation.remedies[0] if observation.remedies else None
    more = len(observation.remedies) - 1
    outcome = "" if best is None else in_words(best.trial) if best.trial is not None else "not tried"
    repair = "" if best is None else f"{best.fix.message}{f' (+{more})' if more else ''}"
    return listing.place(finding.location), f"{finding.code} {observation.symptom}", repair, outcome


def _widths(rows: Sequence[tuple[str, ...]], width: int) -> list[int]:
    """The widths of the columns; the widest one gives way as long as something is too wide."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    least = [len(name) + 12 for name in _HEAD]
    while sum(widths) + len(_GAP) * (len(widths) - 1) > width:
        broad = [number for number in range(1, len(widths)) if widths[number] > least[number]]
        if not broad:
            break
        widths[max(broad, key=lambda number: widths[number])] -= 1
    return widths


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    cut = (cell if len(cell) <= wide else f"{cell[: wide - 1]}…" for cell, wide in zip(cells, widths, strict=True))
    return _GAP.join(f"{cell:<{wide}}" for cell, wide in zip(cut, widths, strict=True)).rstrip()
