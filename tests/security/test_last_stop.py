"""A file that takes all the time or memory there is costs only itself, and is named."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine import run, session
from dllint.engine.limits import Limits
from dllint.engine.run import FixMode, Plan, check_files
from dllint.lower.options import StoppedError
from tests.security.confined import forked, told

FAULTY = "import torch\n\ntorch.ones(3).view(7)\n"
#: Takes time and memory that no budget counts, in the middle of a file that has a fault before.
GREEDY = {
    "time": "while True: sum(range(1000))",
    "memory": "x = []\nwhile True: x.append('x' * 10_000_000)",
    "memory at once": "x = bytearray(100 << 30)",
}


def _greedy_rule(code: str):
    """A function that works without end where the name of the file asks for it."""

    def check_text(self, result, settings, fix):
        ordinary(self, result, settings, fix)
        if "greedy" in result.path.name:
            exec(code, {})

    ordinary = session.Session._check_text
    return check_text


@pytest.fixture
def project(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "dllint.toml").write_text("max-seconds = 1\nmax-memory = 600\n")
    for name in ("a.py", "b_greedy.py", "c.py", "d.py"):
        (tmp_path / name).write_text(FAULTY)
    return tmp_path


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("what", GREEDY)
def test_a_greedy_file_costs_only_itself(project, monkeypatch, what, jobs):
    monkeypatch.setattr(session.Session, "_check_text", _greedy_rule(GREEDY[what]))
    files = sorted(project.glob("*.py"))
    monkeypatch.chdir(project)
    results = check_files(files, Plan(Configuration(), jobs=jobs), lambda: None)
    assert [result.path for result in results] == files
    assert all(result.findings for result in results)
    (notice,) = (notice for result in results for notice in result.notices)
    assert notice.path.name == "b_greedy.py"
    expected = {"time": "1 second of CPU time", "memory": "600 MiB of memory", "memory at once": "MemoryError"}
    assert expected[what] in notice.message


def test_what_was_stopped_is_told_and_found_anew(project, monkeypatch):
    monkeypatch.setattr(session.Session, "_check_text", _greedy_rule(GREEDY["time"]))
    for _ in range(2):  # nothing of it is kept
        done = forked(project, "check", "--config", "max-seconds = 1", "--output-format", "json", ".")
        assert done.status == 1
        assert "b_greedy.py: the analysis was stopped after 1 second of CPU time" in told(done)
        assert "1 analysis was cut short" in told(done)
        assert {Path(finding["filename"]).name for finding in json.loads(done.out)} == {"a.py", "b_greedy.py", "c.py", "d.py"}


def test_what_catches_everything_is_stopped_again():
    stops = 0
    with Limits(4096).watching(1) as reached:
        for _ in range(2):
            try:
                while True:
                    sum(range(1000))
            except StoppedError:
                stops += 1
    assert stops == 2
    assert reached.reason == "1 second of CPU time"


def test_nothing_is_left_behind():
    with Limits(4096).watching(1):
        pass
    end = time.process_time() + 1.5
    while time.process_time() < end:
        sum(range(1000))


def test_no_more_processes_than_the_memory_is_for(monkeypatch, project):
    asked = []
    monkeypatch.setattr(
        "dllint.engine.parallel.check_in_processes", lambda files, share, alone, jobs, advance: asked.append(jobs)
    )
    monkeypatch.chdir(project)
    run._check_all([Path("a.py")] * 9, lambda: None, plan=Plan(Configuration(), FixMode.OFFER, jobs=8))
    assert asked == [2]


@pytest.mark.parametrize("growth", [0, 1, 32, 512])
def test_what_a_process_keeps_is_given_back_as_memory_grows(monkeypatch, growth: int):
    """However much stays in use, a full collection follows an eighth of the limit, not every file."""
    used, given_back = 1_100, 0
    monkeypatch.setattr("dllint.engine.limits.in_use", lambda: (0, used * 2**20))
    limits = Limits(2048)
    for _ in range(200):
        if limits.is_high:
            given_back += 1
            limits.given_back()
        used += growth
    assert given_back == {0: 1, 1: 1, 32: 23, 512: 200}[growth]
