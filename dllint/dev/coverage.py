"""``dllint dev coverage``: the share of tensor operations with known rank, shape and type, and the reasons of the rest."""

from __future__ import annotations

import gc
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from dllint.config.discovery import Configuration
from dllint.engine.coverage import Coverage, coverage_of
from dllint.engine.files import find_files
from dllint.engine.reading import open_document
from dllint.engine.session import Session
from dllint.finding import Finding
from dllint.ir.program import Program
from dllint.lower.graphs.errors import GraphError, MissingExtraError
from dllint.lower.graphs.formats import format_of, import_file

_MOST_REASONS: Final = 30
#: Files after which the programs of earlier ones are collected; the command line runs without the collector.
_COLLECT_EVERY: Final = 25


@click.command("coverage")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", help="Text or JSON.")
@click.option("--reasons", default=_MOST_REASONS, help="How many reasons of Unknown to list.")
def command(paths: tuple[Path, ...], output_format: str, reasons: int) -> None:
    """Trace PATHS (default `.`) and print how much is known about the results of tensor operations."""
    by_framework = measure(paths or (Path("."),))
    records = {name: record(coverage, reasons) for name, coverage in sorted(by_framework.items())}
    click.echo(json.dumps(records, indent=2) if output_format == "json" else _text(records))


def measure(paths: tuple[Path, ...]) -> Mapping[str, Coverage]:
    """Coverage by framework, and of all under ``all``. An operation traced in several contexts counts in each."""
    configuration = Configuration()
    session = Session(configuration)
    totals: dict[str, Coverage] = {"all": Coverage()}
    for number, path in enumerate(find_files(paths, configuration).files, 1):
        if number % _COLLECT_EVERY == 0:
            gc.collect()
        for program in _programs(path, session):
            totals["all"].add(coverage_of([program]))
            for framework in {op.framework for op in program.ops}:
                part = Program(program.entry, [op for op in program.ops if op.framework == framework])
                totals.setdefault(framework, Coverage()).add(coverage_of([part]))
    return totals


def _programs(path: Path, session: Session) -> list[Program]:
    form = format_of(path)
    try:
        if form is not None:
            return [import_file(path, form).program]
        document = open_document(path)
    except (OSError, GraphError, MissingExtraError):
        return []
    if isinstance(document, Finding):
        return []
    tracer = session.tracer(session.configuration.for_file(path))
    return list(tracer.trace(document).programs)


def record(coverage: Coverage, reasons: int) -> dict[str, Any]:
    """Counts, shares and the most frequent reasons of one coverage."""
    whole = max(coverage.operations, 1)
    return {
        "operations": coverage.operations,
        "rank": coverage.rank / whole,
        "shape": coverage.shape / whole,
        "dtype": coverage.dtype / whole,
        "reasons": dict(coverage.reasons.most_common(reasons)),
    }


def _text(records: Mapping[str, Mapping[str, Any]]) -> str:
    lines = [f"{'framework':<12} {'operations':>10} {'rank':>7} {'shape':>7} {'dtype':>7}"]
    for name, row in records.items():
        shares = " ".join(f"{row[key]:>7.1%}" for key in ("rank", "shape", "dtype"))
        lines.append(f"{name:<12} {row['operations']:>10} {shares}")
    lines += ["", "most frequent reasons"]
    lines += [f"{count:>8}  {reason}" for reason, count in records["all"]["reasons"].items()]
    return "\n".join(lines)
