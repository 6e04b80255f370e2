"""What a migration prints: for people, and as JSON (``docs/schema/migration.schema.json``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from dllint.finding import Finding
from dllint.migrate.files import Migrated
from dllint.migrate.goal import Goal
from dllint.source.neutral import neutral


def lines(results: Sequence[Migrated], shown: dict[Path, str]) -> Iterator[str]:
    """What is left, place by place, and the sums."""
    for done in results:
        for finding in done.left:
            yield neutral(f"{shown[done.path]}:{_place(finding)}: {finding.code} {finding.message}{_advice(finding)}")
    total = changes(results)
    files = sum(done.changed for done in results)
    left = sum(len(done.left) for done in results)
    yield f"{total.total()} changes in {files} of {len(results)} files; {left} places are left to be done by hand."


def changes(results: Sequence[Migrated]) -> Counter[str]:
    """What was done in all files, by kind."""
    return sum((done.changes for done in results), Counter())


def _place(finding: Finding) -> str:
    first, cell = finding.location.span.first, finding.location.cell
    return f"cell {cell}:{first.line}:{first.column}" if cell else f"{first.line}:{first.column}"


def _advice(finding: Finding) -> str:
    return f": {finding.advice}" if finding.advice else ""


def as_data(results: Sequence[Migrated], goals: Sequence[Goal], shown: dict[Path, str], *, written: bool) -> dict[str, Any]:
    """The JSON object of a migration."""
    return {
        "to": [goal.text for goal in goals],
        "targets": sorted({entry for goal in goals for entry in goal.requirements}),
        "written": written,
        "changes": dict(sorted(changes(results).items())),
        "files": [_file(done, shown[done.path]) for done in results if done.changed or done.left or done.notices],
    }


def _file(done: Migrated, name: str) -> dict[str, Any]:
    return {
        "filename": name,
        "changed": done.changed,
        "changes": dict(sorted(done.changes.items())),
        "left": [_left(finding) for finding in done.left],
        "notices": [str(notice) for notice in done.notices],
    }


def _left(finding: Finding) -> dict[str, Any]:
    first = finding.location.span.first
    return {
        "code": finding.code,
        "message": finding.message,
        "advice": finding.advice,
        "cell": finding.location.cell,
        "location": {"row": first.line, "column": first.column},
    }


def migration_schema() -> dict[str, Any]:
    """The schema of the whole output: one object."""
    counts = {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}}
    kinds = {**counts, "description": "How often something was done: by the code of a rule, or by what a step does."}
    location = _object({"row": _number("1-based, in the cell of a notebook."), "column": _number("1-based.")})
    left = {
        "code": _text("The rule, or `migrate` for what a step cannot do, or `syntax-error`."),
        "message": _text("The fact."),
        "advice": _text("What to do; empty if nothing is known."),
        "cell": {"type": ["integer", "null"], "description": "The cell of a notebook, from 1."},
        "location": location,
    }
    file = {
        "filename": _text("Relative to the working directory where it lies below it."),
        "changed": {"type": "boolean"},
        "changes": kinds,
        "left": {"type": "array", "items": _object(left), "description": "In the text after the migration."},
        "notices": {"type": "array", "items": _text("What kept part of the work from being done.")},
    }
    whole = {
        "to": {"type": "array", "items": _text("As given on the command line.")},
        "targets": {"type": "array", "items": _text("The releases that the project is written for afterwards.")},
        "written": {"type": "boolean", "description": "False with --diff."},
        "changes": kinds,
        "files": {"type": "array", "items": _object(file), "description": "Those with changes or something left."},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Result of dllint migrate --output-format json",
        **_object(whole),
    }


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


def _number(description: str) -> dict[str, Any]:
    return {"type": "integer", "minimum": 1, "description": description}
