"""Training scripts that are run through the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from jsonschema.protocols import Validator
from jsonschema.validators import validator_for

from dllint.report.schema import diagnosis_schema
from tests.forks import RunInFork


@dataclass
class Diagnosed:
    """A finished ``dllint diagnose``."""

    status: int
    stdout: str
    stderr: str
    findings: list[dict[str, Any]]

    @property
    def codes(self) -> list[str]:
        return [finding["code"] for finding in self.findings]


@cache
def _validator() -> Validator:
    schema = diagnosis_schema()
    kind = validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


def diagnosed(
    home: Path,
    run_in_fork: RunInFork,
    text: str,
    *options: str,
    arguments: tuple[str, ...] = (),
    name: str = "train.py",
    replay: bool = False,
) -> Diagnosed:
    """Runs a script text in a folder ``project`` of a folder; the report is read from a file beside it."""
    folder = home / "project"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    report = home / "report.json"
    report.unlink(missing_ok=True)
    written = ["--output-format", "json", "--output-file", str(report)]
    program = [] if "-m" in options else [name]
    tried = ["--replay-seconds", "600"] if replay else ["--no-replay"]
    status, out, err = run_in_fork(["diagnose", *written, *tried, *options, *program, *arguments], folder)
    found = json.loads(report.read_text(), parse_constant=pytest.fail) if report.exists() else []
    _validator().validate(found)
    return Diagnosed(status, out, err, found)


@pytest.fixture
def diagnose(tmp_path: Path, run_in_fork: RunInFork) -> Callable[..., Diagnosed]:
    """Runs a script text in a folder of its own."""
    return partial(diagnosed, tmp_path, run_in_fork)
