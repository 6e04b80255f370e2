"""``dllint dev coverage``: the share of tensor operations with known rank, shape and type, and the reasons of the rest."""

from __future__ import annotations

import gc
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from dllint.config.discovery import Configuration
from dllint.config.environments import Environments
from dllint.engine.analysis import Traced
from dllint.engine.coverage import Coverage, coverage_of
from dllint.engine.figures import Figures, in_words
from dllint.engine.files import find_files
from dllint.engine.followed import figures_of, total
from dllint.engine.parsing import open_document
from dllint.engine.results import FileResult
from dllint.engine.seen import followed
from dllint.engine.session import Session
from dllint.finding import Finding
from dllint.ir.program import Program
from dllint.lower.graphs.errors import GraphError, MissingExtraError
from dllint.lower.graphs.formats import format_of, import_file
from dllint.source.document import Document

_MOST_REASONS: Final = 30
#: The reason of what an operation could not compute because of an error of ours.
_DEFECT: Final = "op-failed"
#: Files after which the programs of earlier ones are collected; the command line runs without the collector.
_COLLECT_EVERY: Final = 25


@click.command("coverage")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", help="Text or JSON.")
@click.option("--reasons", default=_MOST_REASONS, help="How many reasons of Unknown to list.")
@click.option("--python", default="", metavar="PATH", help="The environment whose installed packages are read, or `none`.")
def command(paths: tuple[Path, ...], output_format: str, reasons: int, python: str) -> None:
    """Trace PATHS (default `.`) and print how much is known about the results of tensor operations."""
    named = tuple(path.absolute() for path in paths if path.is_dir())
    configuration = Configuration(environments=Environments(python), named=named)
    files = find_files(paths or (Path("."),), configuration).files
    by_framework, figures = measure(files, configuration)
    records = {name: record(coverage, reasons) for name, coverage in sorted(by_framework.items())}
    if output_format == "json":
        click.echo(json.dumps({**records, "followed": figures.to_data()}, indent=2))
    else:
        click.echo("\n".join((in_words(figures), "", _text(records))))


def measure(files: Sequence[Path], configuration: Configuration) -> tuple[Mapping[str, Coverage], Figures]:
    """Coverage by framework, and of all under ``all``: an operation traced in several contexts counts in each. And what
    ``dllint check`` says of the same files, where each place of the source counts once."""
    session = Session(configuration)
    totals: dict[str, Coverage] = {"all": Coverage()}
    results: list[FileResult] = []
    for number, path in enumerate(files, 1):
        if number % _COLLECT_EVERY == 0:
            gc.collect()
        text, traced = _programs(path, session)
        results.append(FileResult(path, [], list(traced.notices), followed=followed(path, text, traced.programs, traced.cut)))
        for program in traced.programs:
            totals["all"].add(coverage_of([program]))
            for framework in {op.framework for op in program.ops}:
                part = Program(program.entry, [op for op in program.ops if op.framework == framework])
                totals.setdefault(framework, Coverage()).add(coverage_of([part]))
    return totals, total(figures_of(results))


def _programs(path: Path, session: Session) -> tuple[str, Traced]:
    """The text of a file, and its programs."""
    form = format_of(path)
    try:
        if form is not None:
            imported = import_file(path, form)
            return "", Traced(imported.document, [imported.program])
        document = open_document(path)
    except (OSError, GraphError, MissingExtraError):
        return "", Traced(Document.from_text(path, ""), [])
    if isinstance(document, Finding):
        return "", Traced(Document.from_text(path, ""), [])
    tracer = session.tracer(session.configuration.for_file(path))
    return document.text, tracer.trace(document)


def record(coverage: Coverage, reasons: int) -> dict[str, Any]:
    """Counts, shares, all errors of ours and the most frequent reasons of one coverage."""
    whole = max(coverage.operations, 1)
    return {
        "operations": coverage.operations,
        "rank": coverage.rank / whole,
        "shape": coverage.shape / whole,
        "dtype": coverage.dtype / whole,
        "defects": {reason: count for reason, count in coverage.reasons.most_common() if _DEFECT in reason},
        "reasons": dict(coverage.reasons.most_common(reasons)),
    }


def _text(records: Mapping[str, Mapping[str, Any]]) -> str:
    lines = [f"{'framework':<12} {'operations':>10} {'rank':>7} {'shape':>7} {'dtype':>7}"]
    for name, row in records.items():
        shares = " ".join(f"{row[key]:>7.1%}" for key in ("rank", "shape", "dtype"))
        lines.append(f"{name:<12} {row['operations']:>10} {shares}")
    if records["all"]["defects"]:
        lines += ["", "errors of dllint inside operations"]
        lines += [f"{count:>8}  {reason}" for reason, count in records["all"]["defects"].items()]
    lines += ["", "most frequent reasons"]
    lines += [f"{count:>8}  {reason}" for reason, count in records["all"]["reasons"].items()]
    return "\n".join(lines)
