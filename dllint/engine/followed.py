"""Coverage of a run: the share of the tensor code that was followed, and the reasons for what was not.

The unit is a *source place*: an operation on tensors, or the application of a module, where it stands in the text, counted once
however often it is traced. It is known if the shape of its result is known in any context; the figure is known places / all
places, and there is none without places. Calls that were never reached count as unknown: for each function, calls that look
like tensor operations in its text (:mod:`dllint.source.survey`, regular expressions) beyond those traced. This covers calls
that were given up, arms that were not taken, and functions that nothing called.

A file that other files import is judged by what all analyses of the run have seen of it, function by function
(``Followed.seen``); results, cached ones too, therefore hold counts by file and function. ``Lowered.cut`` names the entries
that ran out of fuel, skipped alternatives or followed branches one way. ``Figures`` are the sums; ``in_words`` gives the
closing line of ``check``, ``dllint dev coverage`` and the editor's status. ``Listing.notes`` has room for further lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import libcst

from dllint.domains.lattice import Unknown
from dllint.domains.shape import shape_known
from dllint.engine.figures import Figures
from dllint.ir.events import ModuleCall
from dllint.ir.program import Op, Program, Site, TensorVal
from dllint.source.survey import Survey

if TYPE_CHECKING:
    from dllint.engine.results import FileResult

#: Frameworks whose operations are tensor operations; what NumPy and Python compute beside them does not count.
_TENSORS: Final = frozenset({"torch", "keras", "tensorflow"})


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


def followed(path: Path, text: str, programs: Iterable[Program], cut: Sequence[str] = ()) -> Followed:
    """What an analysis of a file has seen."""
    survey = Survey(text)
    return Followed(_seen(programs), dict(survey.calls), survey.models, survey.foreign, tuple(cut))


def _seen(programs: Iterable[Program]) -> dict[Path, dict[str, Seen]]:
    """What programs have seen, by file and function."""
    found: dict[Path, dict[str, Seen]] = {}
    paths: dict[int, Path] = {}
    for (_, scope), (site, known) in _places(programs).items():
        if site.document is None:
            continue
        path = paths.setdefault(id(site.document), site.document.path.absolute())
        functions = found.setdefault(path, {})
        before = functions.get(scope, Seen())
        calls = before.calls + (site.node.__class__ is libcst.Call)
        functions[scope] = Seen(before.places + 1, before.known + known, calls)
    return found


def _places(programs: Iterable[Program]) -> dict[tuple[int, str], tuple[Site, bool]]:
    """The places of some programs, by node and function, and whether the shape is known there. The sites keep the nodes."""
    places: dict[tuple[int, str], tuple[Site, bool]] = {}
    for program in programs:
        for item in program.trace:
            if item.__class__ is Op:
                if item.framework not in _TENSORS or not item.outputs:
                    continue
            elif item.__class__ is not ModuleCall:
                continue
            key = id(item.site.node), item.scope
            before = places.get(key)
            if before is None or not before[1]:
                known = _is_known(item)
                if known is not None:
                    places[key] = item.site, known
    return places


def _is_known(item: Op | ModuleCall) -> bool | None:
    """Whether the shapes of all results are known, or that there are none, as the operation raises; ``None`` if they are no
    tensors."""
    if isinstance(item, Op):
        return bool(item.faults) or all(
            not isinstance(value.shape, Unknown) and shape_known(value.shape) for value in item.outputs
        )
    result = item.result
    if isinstance(result, TensorVal):
        return not isinstance(result.shape, Unknown) and shape_known(result.shape)
    return False if isinstance(result, Unknown) else None


def figures_of(results: Sequence[FileResult]) -> list[tuple[Path, Figures]]:
    """The figures of every file of a run. A file that others import is judged by what all analyses have seen of it."""
    visitors: dict[Path, list[Followed]] = {}
    for analysed in (result.followed for result in results if result.followed is not None):
        for path in analysed.seen:
            visitors.setdefault(path, []).append(analysed)
    return [(result.path, _of_result(result, visitors.get(result.path.absolute(), ()))) for result in results]


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


def _of_result(result: FileResult, others: Sequence[Followed]) -> Figures:
    kinds = Counter(notice.kind for notice in result.notices)
    failed = int(kinds["internal-error"] + kinds["missing-extra"] > 0)
    known = result.followed is not None and bool(result.followed.cut)
    left_out = Figures(skipped=kinds["skipped"], cut=int(kinds["incomplete"] > 0 and not known), failed=failed)
    return left_out if result.followed is None else figures_in(result.path, result.followed, others) + left_out


def _together(path: Path, analyses: Iterable[Followed]) -> dict[str, Seen]:
    """What some analyses have seen of a file, by function: of each as much as any."""
    found: dict[str, Seen] = {}
    for analysis in analyses:
        for name, seen in analysis.seen.get(path, {}).items():
            found[name] = Seen(*map(max, seen, found.get(name, Seen())))
    return found
