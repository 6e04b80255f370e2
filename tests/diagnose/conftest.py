"""Training scripts that are run through the command line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import jsonschema
import pytest

from dllint.report.schema import diagnosis_schema


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


@pytest.fixture
def diagnose(tmp_path, run_in_fork):
    """Runs a script text in a folder of its own; the report is read from a file outside of it."""

    def run(
        text: str, *options: str, arguments: tuple[str, ...] = (), name: str = "train.py", replay: bool = False
    ) -> Diagnosed:
        folder = tmp_path / "project"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
        report = tmp_path / "report.json"
        report.unlink(missing_ok=True)
        written = ["--output-format", "json", "--output-file", str(report)]
        program = [] if "-m" in options else [name]
        tried = ["--replay-seconds", "120"] if replay else ["--no-replay"]
        status, out, err = run_in_fork(["diagnose", *written, *tried, *options, *program, *arguments], folder)
        found = json.loads(report.read_text(), parse_constant=pytest.fail) if report.exists() else []
        jsonschema.validate(found, diagnosis_schema())
        return Diagnosed(status, out, err, found)

    return run
