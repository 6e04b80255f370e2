"""Each of the standing fuzzers for a few seconds: it runs, finds nothing, and would tell if there were something."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from benchmarks.fuzz import report
from benchmarks.fuzz.__main__ import SUBJECTS, main, run
from benchmarks.fuzz.cases import Finding, Looked, run_cases
from benchmarks.fuzz.options import Options
from benchmarks.fuzz.report import Report, Trouble
from benchmarks.fuzz.watched import Limits, watched

FIXTURES = Path(__file__).parents[2] / "fixtures"
#: Subject → how many.
COUNTS = {
    "sources": 20,
    "edits": 30,
    "configurations": 30,
    "notebooks": 15,
    "graphs": 60,
    "caches": 8,
    "kills": 3,
    "encodings": 1,
    "fixes": 12,
}
FAULTY = "import torch\nfrom torch import nn\n\n\ndef forward(x):\n    return x.view(7)\n\n\nforward(torch.ones(3))\n"


@pytest.fixture(autouse=True)
def _cases_elsewhere(monkeypatch, tmp_path):
    monkeypatch.setattr(report, "BUILD", tmp_path / "cases")


@pytest.mark.parametrize("subject", COUNTS)
def test_a_few_cases_of_a_subject_are_well(subject):
    if subject == "fixes":
        pytest.importorskip("torch")
    if subject == "graphs":
        pytest.importorskip("onnx")
    outcome = run(subject, Options(COUNTS[subject], seed=1, peers=FIXTURES))
    assert outcome.troubles == []
    assert sum(outcome.counts.values()) >= COUNTS[subject]


def test_mutants_of_public_files(tmp_path):
    for name in ("one", "two"):
        (tmp_path / "owner+name").mkdir(exist_ok=True)
        (tmp_path / "owner+name" / f"{name}.py").write_text(FAULTY)
    outcome = run("sources", Options(30, seed=3, peers=tmp_path))
    assert outcome.troubles == []
    assert outcome.counts["mutated"] > 25
    assert run("public", Options(5, peers=tmp_path)).counts["public"] == 2


def test_nothing_is_begun_after_the_end():
    over = Options(10**6, peers=FIXTURES, end=time.monotonic() - 1)
    assert not any(sum(run(subject, over).counts.values()) for subject in SUBJECTS)


def test_what_is_absent_is_said():
    outcome = run("public", Options(5))
    assert outcome.absent
    assert not outcome.troubles


@pytest.mark.parametrize("subject", SUBJECTS)
def test_all_subjects_have_a_smoke_part(subject):
    assert subject in {*COUNTS, "public", "incremental"}  # the last one is in tests/benchmarks/test_fuzz_incremental.py


def misbehave(deed: str) -> str:
    """What a worker may do."""
    if deed == "raise":
        raise KeyError(deed)
    if deed == "exit":
        raise SystemExit(3)
    if deed == "hang":
        while True:
            pass
    if deed == "die":
        os.abort()
    if deed == "swell":
        return str(len(bytearray(600_000_000)))
    if deed == "swell without end":
        return str(len(bytearray(1 << 40)))
    return deed


@pytest.mark.parametrize("jobs", [1, 3])
def test_what_happens_to_a_worker_is_one_answer_among_the_others(jobs):
    deeds = ["well", "raise", "hang", "well", "exit", "die", "swell", "swell without end", "well"]
    ended = sorted((one.item, one.kind) for one in watched(misbehave, deeds, jobs=jobs, limits=Limits(1.0, 400 * 2**20)))
    kinds = {"well": "", "raise": "exception", "exit": "exception", "hang": "time", "die": "death", "swell": "memory"}
    assert ended == sorted((deed, kinds.get(deed, "memory")) for deed in deeds)


def test_a_failure_is_written_out_and_makes_the_status_1(monkeypatch, tmp_path):
    def look(_seed: str) -> Looked:
        return Looked({"seen": 1}, (Finding("wrong", "it is", b"x = 1\n"),))

    found = run_cases("notebooks", Options(2, seed=7), look, "cases")
    assert [trouble.seed for trouble in found.troubles] == ["7.0", "7.1"]
    assert (tmp_path / "cases" / "notebooks" / "0002.py").read_bytes() == b"x = 1\n"
    assert "7.1" in (tmp_path / "cases" / "notebooks" / "0002.txt").read_text()
    assert found.finish(keep=False) == 1
    assert found.figures["failures by kind"] == {"wrong": 2}


def test_the_command_ends_with_the_status(capsys):
    assert main(["configurations", "--count", "2", "--seed", "5", "--no-write"]) == 0
    assert "'configurations': 2" in capsys.readouterr().out


def test_troubles_of_one_cause_are_counted_together():
    one, other = (Trouble("exception", "s", f"Traceback\nValueError: no {n} in 'a{n}'") for n in (1, 2))
    found = Report("sources", 0)
    found.add(one)
    found.add(other)
    assert list(found.figures["causes"].values()) == [2]
