"""What one analysis has followed of the tensor code, told from its programs; ``engine/followed.py`` makes figures of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import libcst

from dllint.domains.lattice import Unknown
from dllint.domains.shape import shape_known
from dllint.engine.followed import Followed, Seen
from dllint.engine.outside import IsInstalled, nothing_installed
from dllint.ir.events import ModuleCall
from dllint.ir.program import Op, Program, Site, TensorVal
from dllint.source.survey import Survey

#: Frameworks whose operations are tensor operations; what NumPy and Python compute beside them does not count.
_TENSORS: Final = frozenset({"torch", "keras", "tensorflow"})


def followed(
    path: Path, text: str, programs: Iterable[Program], cut: Sequence[str] = (), is_installed: IsInstalled = nothing_installed
) -> Followed:
    """What an analysis of a file has seen, but for the code of installed packages."""
    survey = Survey(text)
    seen = {file: functions for file, functions in _seen(programs).items() if not is_installed(file)}
    return Followed(seen, dict(survey.calls), survey.models, survey.foreign, tuple(cut))


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
