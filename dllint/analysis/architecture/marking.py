"""What is wrong with the modules of a model: findings where modules are built and where they work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dllint.analysis.architecture.flow import Flow
from dllint.analysis.architecture.models import Model
from dllint.analysis.architecture.outline import Places
from dllint.analysis.architecture.outlined import Extent
from dllint.analysis.architecture.tree import Module
from dllint.finding import Finding, Severity
from dllint.ir.program import Op

_MARKED: Final = (Severity.ERROR, Severity.WARNING)


@dataclass(frozen=True, slots=True)
class Mark:
    """What is wrong at a place in a text."""

    extent: Extent
    code: str
    message: str

    @property
    def text(self) -> str:
        """The code and what is wrong."""
        return f"{self.code} {self.message}"


#: What is wrong with modules, by their ``id``.
Marks = Mapping[int, Sequence[Mark]]


def marked(findings: Iterable[Finding], path: Path) -> list[Mark]:
    """The findings in a file that are marked in views of its models: not those that merely inform."""
    found: list[Mark] = []
    for finding in findings:
        span = finding.location.span
        if finding.location.path == path and finding.severity in _MARKED:
            found.append(Mark(Extent(span.start, span.end), finding.code, finding.message))
    return found


def marks_of(model: Model, tree: Module, places: Places, wrong: Sequence[Mark]) -> Marks:
    """What is wrong with each module of a tree: with its construction, or with an operation that it performs itself."""
    found: dict[int, dict[Mark, None]] = {}
    if wrong:
        for module, mark in (*_built(tree, places, wrong), *_performed(Flow.of(model, tree), places, wrong)):
            found.setdefault(id(module), {}).setdefault(mark)
    return {key: list(marks) for key, marks in found.items()}


def _built(holder: Module, places: Places, wrong: Sequence[Mark]) -> Iterator[tuple[Module, Mark]]:
    """What is wrong where parts of a module are built; in a construction within another one, of the inner one."""
    around = places.of(holder.instance.site)
    for child in holder.children:
        extent = places.of(child.instance.site)
        parts = list(_built(child, places, wrong)) if not child.is_again else []
        yield from parts
        if extent is not None and extent != around:
            told = {mark for _, mark in parts}
            yield from ((child, mark) for mark in wrong if extent.holds(mark.extent) and mark not in told)


def _performed(flow: Flow, places: Places, wrong: Sequence[Mark]) -> Iterator[tuple[Module, Mark]]:
    for use in flow.uses:
        extent = places.of(use.op.site)
        for mark in wrong:
            if extent is not None and extent.holds(mark.extent) and is_innermost(extent, use.op, places):
                yield use.module, mark


def is_innermost(extent: Extent, op: Op, places: Places) -> bool:
    """Whether an operation is not only around another one: what is wrong in its arguments is wrong there."""
    inner = [places.of(tensor.producer.site) for tensor in op.inputs if tensor.producer is not None]
    return not any(one is not None and one != extent and extent.holds(one) for one in inner) or bool(op.faults)
