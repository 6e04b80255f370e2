"""Runs a test file in this process, whose ``first_steps`` forks rather than starting an interpreter.

Prints the outcomes as JSON.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from pathlib import Path

import pytest

from dllint.diagnose.expectations import observing, worker


class Outcomes:
    def __init__(self):
        self.found = {}

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome != "passed":
            self.found[report.nodeid.rpartition("::")[2]] = [report.outcome, str(report.longrepr or "")]


def run_worker(request: dict, place: Path) -> str:
    log = place / "output.txt"
    child = os.fork()
    if not child:
        for descriptor in (1, 2):
            os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND), descriptor)
        worker.observe(request)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
    os.waitpid(child, 0)
    return log.read_text()


observing.run_worker = run_worker
outcomes = Outcomes()
with contextlib.redirect_stdout(io.StringIO()):
    pytest.main(["-q", "--capture=no", "-p", "no:cacheprovider", "--rootdir", ".", sys.argv[1]], plugins=[outcomes])
print(json.dumps(outcomes.found))
