"""Findings inside installed packages: told at the user's call, as warnings, and only what the user's own values prove.

Nobody mends an installed file, and what is wrong inside one is more often our misunderstanding of it than a fault. So nothing
is told there. A fault of an operation inside that comes about for what the program itself has passed, under no condition, is
told at the call that leads there; the calls between are related places. No fix edits an installed file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from dllint.engine.dispatch import Raw
from dllint.finding import INNER_PLACE, Finding, Related, Severity
from dllint.ir.program import SCRIPT, Op, Program, Site
from dllint.rules.context import location

#: Whether a file belongs to an installed package.
IsInstalled = Callable[[Path], bool]
#: The message of the related places between a call and the place inside an installed package that it leads to.
BETWEEN: Final = "called from here"
_MOST_BETWEEN: Final = 4
_MOST_BEFORE: Final = 5_000


def nothing_installed(_path: Path) -> bool:
    """Where no environment is looked at."""
    return False


def at_calls(raws: Iterable[Raw], is_installed: IsInstalled) -> Iterator[Raw]:
    """The findings without those that installed packages are to blame for, and the rest in terms of the user's files."""
    for raw in raws:
        finding, item = raw.finding, raw.item
        if is_installed(finding.location.path):
            continue
        if not isinstance(item, Program) and _stands_in(item.site, is_installed):
            if not _is_proved(raw, is_installed):
                continue
            finding = _as_warning(finding, item.site, is_installed)
        yield replace(raw, finding=_without_edits(finding, is_installed))


def _stands_in(site: Site, is_installed: IsInstalled) -> bool:
    return site.document is not None and is_installed(site.document.path)


def _is_proved(raw: Raw, is_installed: IsInstalled) -> bool:
    """Whether a finding is a fault of an operation that a run of the program itself comes to, whatever is not known, with
    something that the program's own code has made or a size it has stated."""
    item, program = raw.item, raw.program
    if not isinstance(item, Op) or not item.faults or (program.entry != SCRIPT and not program.takes_nothing):
        return False
    if item.path or program.setting:
        return False
    return any(not _stands_in(op.site, is_installed) for op in _before(item))


def _before(op: Op) -> Iterator[Op]:
    """The operations that led to the operands of one, nearest first; so many at most."""
    todo, seen = [op], {id(op)}
    while todo and len(seen) < _MOST_BEFORE:
        makers = [value.producer for value in todo.pop(0).inputs if value.producer is not None]
        for maker in makers:
            if id(maker) not in seen:
                seen.add(id(maker))
                todo.append(maker)
                yield maker


def _as_warning(finding: Finding, site: Site, is_installed: IsInstalled) -> Finding:
    """A finding below an error, with the calls on the way to the place inside."""
    severity = max(finding.severity, Severity.WARNING, key=lambda level: level.rank)
    first = finding.related[:1] if finding.related and finding.related[0].message == INNER_PLACE else ()
    between = [frame for frame in site.stack()[1:] if frame.statement is not None and _stands_in(frame, is_installed)]
    places = tuple(Related(location(frame), BETWEEN) for frame in _few(between))
    return replace(finding, severity=severity, related=(*first, *places, *finding.related[len(first) :]))


def _few(frames: Sequence[Site]) -> Sequence[Site]:
    """The calls nearest to the place inside, and the outermost ones."""
    half = _MOST_BETWEEN // 2
    return frames if len(frames) <= _MOST_BETWEEN else (*frames[:half], *frames[-half:])


def _without_edits(finding: Finding, is_installed: IsInstalled) -> Finding:
    fixes = tuple(fix for fix in finding.fixes if not any(is_installed(edit.path) for edit in fix.edits))
    return finding if len(fixes) == len(finding.fixes) else replace(finding, fixes=fixes)
