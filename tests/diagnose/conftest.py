"""Training scripts that are run through the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from dllint.report.schema import diagnosis_schema
from tests.diagnose.scripts import ROOT


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


#: What is imported before programs run, by what they need.
MODULES = {
    "torch": ["torch", "torch._dynamo", "torch.utils.data"],
    "keras-torch": ["torch", "keras", "tensorflow"],
    "keras-tensorflow": ["tensorflow", "keras"],
    "keras-jax": ["jax", "keras"],
}


@pytest.fixture(scope="session")
def servers():
    """Starts a server of forks for a framework at its first use."""
    started = {}

    def server(framework: str) -> subprocess.Popen[str]:
        if framework not in started:
            missing = [name for name in MODULES[framework] if find_spec(name) is None]
            if missing:
                pytest.skip(f"needs {missing[0]}")
            paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
            own = {"KERAS_BACKEND": framework.rpartition("-")[2], "TF_CPP_MIN_LOG_LEVEL": "3"}
            started[framework] = subprocess.Popen(
                [sys.executable, str(Path(__file__).parent / "fork_server.py"), *MODULES[framework]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env={**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1", **own},
            )
        return started[framework]

    yield server
    for process in started.values():
        # A fork of the test process may hold a copy of this pipe open, so the server is told to end, not left to see it close.
        process.stdin.write("end\n")
        process.stdin.close()
        process.wait(timeout=60)


@pytest.fixture
def framework():
    """What programs need; tests of other frameworks override it."""
    return "torch"


@pytest.fixture
def run_in_fork(tmp_path, servers, framework):
    """Runs ``dllint`` (or ``python``, if ``plain``) with arguments in a folder: exit status, standard output and error."""

    def run(arguments: list[str], folder: Path, *, plain: bool = False) -> tuple[int, str, str]:
        out, err = tmp_path / "out.txt", tmp_path / "err.txt"
        request = {"arguments": arguments, "folder": str(folder), "out": str(out), "err": str(err), "plain": plain}
        server = servers(framework)
        print(json.dumps(request), file=server.stdin, flush=True)
        return int(server.stdout.readline()), out.read_text(), err.read_text()

    return run


@pytest.fixture
def run_ranks(tmp_path, servers, framework):
    """Runs ``dllint`` in several processes as a launcher would: the exit statuses, and standard output and error of each."""

    def run(arguments: list[str], folder: Path, ranks: int = 2) -> tuple[list[int], list[str], list[str]]:
        out, err = tmp_path / "out.txt", tmp_path / "err.txt"
        server = servers(framework)
        request = {"arguments": arguments, "folder": str(folder), "out": str(out), "err": str(err), "plain": False}
        print(json.dumps({**request, "ranks": ranks}), file=server.stdin, flush=True)
        statuses = [int(status) for status in server.stdout.readline().split()]
        ends = ["", *(f".{rank}" for rank in range(1, ranks))]
        texts = [[Path(f"{path}{end}").read_text() for end in ends] for path in (out, err)]
        return statuses, *texts

    return run


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
