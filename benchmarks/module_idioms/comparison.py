"""What dllint says of a program, beside what a run of it shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.module_idioms.project import Project
from benchmarks.module_idioms.running import Place, Run
from dllint.config.discovery import Configuration
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape
from dllint.engine.analysis import Traced
from dllint.engine.session import Session
from dllint.finding import Finding, Severity
from dllint.ir.events import Read
from dllint.ir.program import Program, TensorVal
from dllint.source.document import Document

#: Rules whose warnings are about programs that do not run.
_TENSORS = "DLT"


@dataclass(slots=True)
class Claims:
    """Errors, and warnings of rules about tensors; shapes by file and place; how many operations there are, and how many of
    known shape; failures of dllint itself."""

    findings: list[Finding] = field(default_factory=list)
    shapes: dict[tuple[str, Place], list[Shape]] = field(default_factory=dict)
    operations: int = 0
    known: int = 0
    crashes: list[str] = field(default_factory=list)


def claims(project: Project) -> Claims:
    """Check the files of a program."""
    out = Claims()
    with TemporaryDirectory() as folder:
        for name, text in project.files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        session = Session(Configuration(isolated=True))
        for name in project.files:
            _check(session, Path(folder) / name, out)
    return out


def _check(session: Session, path: Path, out: Claims) -> None:
    analyser = session.analyser(path)

    def traced(document: Document) -> Traced:
        result = session.tracer(analyser.settings).trace(document)
        for program in result.programs:
            _read(program, document, path.name, out)
        return result

    text = path.read_text(encoding="utf-8")
    document = session.tracer(analyser.settings).open(path, text, "utf-8")
    analysis = replace(analyser, trace=traced).analyse(document)
    out.crashes += [notice.message for notice in analysis.notices if notice.kind == "internal-error"]
    out.findings += [finding for finding in analysis.findings if _counts(finding)]


def _counts(finding: Finding) -> bool:
    return finding.severity is Severity.ERROR or (finding.severity is Severity.WARNING and finding.code.startswith(_TENSORS))


def _read(program: Program, document: Document, name: str, out: Claims) -> None:
    for op in program.ops:
        for value in op.outputs:
            out.operations += 1
            out.known += not isinstance(value.shape, Unknown) and all(isinstance(size, int) for size in value.shape)
    if program.entry != "<module>":  # no run shows what is driven by itself
        return
    for item in program.trace:
        if isinstance(item, Read) and item.site.document is document and item.site.node is not None:
            shape = item.value.shape if isinstance(item.value, TensorVal) else None  # sequences have none
            if shape is not None and not isinstance(shape, Unknown):
                span = document.span(item.site.statement, item.site.node)
                place = (span.first.line, span.first.column, span.last.line, span.last.column)
                out.shapes.setdefault((name, place), []).append(shape)


def wrong_shapes(claimed: Claims, run: Run) -> Iterator[str]:
    """Shapes that are claimed of a place where a run shows others only."""
    for key, shapes in claimed.shapes.items():
        seen = run.shapes.get(key)
        if not seen:
            continue
        for shape in dict.fromkeys(shapes):
            if not any(_fits(shape, real) for real in seen):
                yield f"{key[0]}:{key[1][0]}:{key[1][1]} is {sorted(seen)}, claimed {shape}"
                break


def _fits(claimed: Shape, real: tuple[int, ...]) -> bool:
    sizes = zip(claimed, real, strict=False)
    return len(claimed) == len(real) and all(size == actual for size, actual in sizes if isinstance(size, int))
