"""Coverage of a run: the share of the tensor code that was followed, and the reasons for what was not.

The unit is a *source place*: an operation on tensors, or the application of a module, where it stands in the text, counted once
however often it is traced. It is known if the shape of its result is known in any context; the figure is known places / all
places, and there is none without places. Calls that were never reached count as unknown: for each function, calls that look
like tensor operations in its text (:mod:`dllint.source.survey`, regular expressions) beyond those traced. This covers calls
that were given up, arms that were not taken, and functions that nothing called.

A file that other files import is judged by what all analyses of the run have seen of it, function by function
(``Followed.seen``, made by ``engine/seen.py``); results, cached ones too, therefore hold counts by file and function.
``Lowered.cut`` names the entries that ran out of fuel, skipped alternatives or followed branches one way. ``Figures`` are the
sums; ``in_words`` gives the closing line of ``check``, ``dllint dev coverage`` and the editor's status. ``Listing.notes`` has
room for further lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from dllint.engine.figures import Figures

if TYPE_CHECKING:
    from dllint.engine.results import FileResult


class Seen(NamedTuple):
    """What was seen of a function: its places, those with known shapes, and those that are calls."""

    places: int = 0
    known: int = 0
    calls: int = 0


@dataclass(slots=True)
class Followed:
    """What one analysis has seen, and what the text of its file says. ``seen`` has what was seen of each file by function;
    ``calls`` are the tensor operations that each function of the file itself seems to call."""

    seen: dict[Path, dict[str, Seen]] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)
    models: frozenset[str] = frozenset()
    foreign: frozenset[str] = frozenset()
    #: Entries that were ended by the budget of the analysis, or not begun, or in which it left alternatives out.
    cut: tuple[str, ...] = ()

    def to_data(self) -> list[Any]:
        """As nested lists of JSON data."""
        seen = [[str(path), [[name, *counts] for name, counts in functions.items()]] for path, functions in self.seen.items()]
        return [seen, sorted(self.calls.items()), sorted(self.models), sorted(self.foreign), list(self.cut)]

    @classmethod
    def from_data(cls, data: list[Any]) -> Followed:
        """What :meth:`to_data` gave. Raises ValueError, TypeError or LookupError on anything else."""
        seen, calls, models, foreign, cut = data
        by_path = {Path(path): {name: Seen(*counts) for name, *counts in functions} for path, functions in seen}
        return cls(by_path, dict(calls), frozenset(models), frozenset(foreign), tuple(cut))


def figures_of(results: Sequence[FileResult]) -> list[tuple[Path, Figures]]:
    """The figures of every file of a run. A file that others import is judged by what all analyses have seen of it."""
    return [(result.path, _of_result(result, found)) for result, found in zip(results, seen_of(results), strict=True)]


def seen_of(results: Sequence[FileResult]) -> list[Figures | None]:
    """The part of the figures of every file of a run that analyses have seen; ``None`` if a file was not looked at."""
    visitors: dict[Path, list[Followed]] = {}
    for analysed in (result.followed for result in results if result.followed is not None and result.figures is None):
        for path in analysed.seen:
            visitors.setdefault(path, []).append(analysed)
    return [result.figures or _seen_by(result, visitors.get(result.path.absolute(), ())) for result in results]


def _seen_by(result: FileResult, others: Sequence[Followed]) -> Figures | None:
    return None if result.followed is None else figures_in(result.path, result.followed, others)


def total(figures: Iterable[tuple[Path, Figures]]) -> Figures:
    """The figures of all files together."""
    return sum((each for _, each in figures), Figures())


def figures_in(path: Path, analysed: Followed, others: Iterable[Followed] = ()) -> Figures:
    """The figures of a file, by its own analysis and what ``others`` have seen of it."""
    together = _together(path.absolute(), (analysed, *others))
    places = known = 0
    for name in {*together, *analysed.calls}:
        seen = together.get(name, Seen())
        places += seen.places + max(0, analysed.calls.get(name, 0) - seen.calls)
        known += seen.known
    reached = {name.partition(".")[0] for name, seen in together.items() if seen.places}
    foreign = dict.fromkeys(analysed.foreign, 1)
    return Figures(len(analysed.models), len(analysed.models & reached), places, known, foreign, len(analysed.cut))


def _of_result(result: FileResult, seen: Figures | None) -> Figures:
    kinds = Counter(notice.kind for notice in result.notices)
    failed = int(kinds["internal-error"] + kinds["missing-extra"] > 0)
    known = seen is not None and seen.cut > 0
    left_out = Figures(skipped=kinds["skipped"], cut=int(kinds["incomplete"] > 0 and not known), failed=failed)
    return left_out if seen is None else seen + left_out


def _together(path: Path, analyses: Iterable[Followed]) -> dict[str, Seen]:
    """What some analyses have seen of a file, by function: of each as much as any."""
    found: dict[str, Seen] = {}
    for analysis in analyses:
        for name, seen in analysis.seen.get(path, {}).items():
            found[name] = Seen(*map(max, seen, found.get(name, Seen())))
    return found
