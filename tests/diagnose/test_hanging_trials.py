"""A trial that never ends is ended, and told; those beside it go on, and the report does not wait."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from time import monotonic

import pytest

from dllint.diagnose.causes.hypothesis import Candidate
from dllint.diagnose.launch import Program
from dllint.diagnose.records import RunRecord
from dllint.diagnose.symptoms.symptom import Symptom
from dllint.diagnose.trials import counterfactual, pool
from dllint.diagnose.trials.branch import Branch, read_result
from dllint.edit import Edit
from dllint.finding import Confidence, Severity

#: A nursery that waits no longer than its tests should.
NURSERY = """
import os
from dllint.diagnose.trials import nursery
nursery._GRACE = 1.0
{before}
answers = os.dup(1)
os.dup2(2, 1)
nursery.serve(0, answers)
"""
#: Ways of a process never to end that nothing inside of it can change.
HANGS = {
    "stopped": "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
    "deaf": "import signal, threading, time\n"
    "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])\n"
    "[thread.cancel() for thread in threading.enumerate() if isinstance(thread, threading.Timer)]\n"
    "while True: time.sleep(1e6)",
}


@pytest.fixture
def quick(monkeypatch):
    def start(before: str = "") -> None:
        def started():
            process = subprocess.Popen(
                [sys.executable, "-c", NURSERY.format(before=before)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
                cwd=Path(__file__).parents[2],
            )
            return process.stdin, process.stdout, process.pid

        monkeypatch.setattr(pool, "start_nursery", started)
        # Other tests of this process have imported all frameworks, of which these trials need none.
        monkeypatch.setattr(pool, "_IMPORTS", ())

    return start


def branch(folder: Path, number: int, text: str, seconds: float = 1.0) -> Branch:
    (folder / f"{number}.py").write_text(text)
    scratch = folder / f"scratch {number}"
    scratch.mkdir()
    return Branch(str(folder / f"{number}.py"), (), False, str(folder), {}, 0, 80, seconds, "cpu", str(scratch))


@pytest.mark.parametrize("hang", HANGS)
def test_a_trial_that_never_ends_is_ended(quick, tmp_path, hang):
    quick()
    branches = [branch(tmp_path, 0, HANGS[hang]), *(branch(tmp_path, number, "x = 1", 20.0) for number in range(1, 5))]
    endings: list[tuple[int, bool]] = []
    began = monotonic()
    trials = pool.Pool(began + 120)
    try:
        trials.run(branches, lambda number: None, lambda number, cut: endings.append((number, cut)))
    finally:
        trials.close()
    assert monotonic() - began < 90
    assert sorted(endings) == [(0, True), *((number, False) for number in range(1, 5))]
    assert read_result(branches[0]) is None
    assert all(read_result(one) is not None for one in branches[1:])


def test_a_nursery_that_takes_nothing_does_not_hold_the_report(quick, tmp_path):
    quick("import time; time.sleep(1e6)")
    one = branch(tmp_path, 0, "x = 1")
    large = Branch(**{**{name: getattr(one, name) for name in Branch.__slots__}, "texts": {"/a.py": "x" * 2_000_000}})
    began = monotonic()
    trials = pool.Pool(began + 2)
    try:
        trials.run([large], lambda number: None, lambda number, cut: None)
    finally:
        trials.close()
    assert monotonic() - began < 10


class Hanging:
    """A pool in which some trials do not end by themselves."""

    hung: tuple[int, ...] = ()

    def __init__(self, deadline: float) -> None:
        self.deadline = deadline

    def run(self, branches, began, ended, until=None):
        for number in range(len(branches)):
            began(number)
            ended(number, number in self.hung)

    def close(self):
        pass


@pytest.mark.parametrize(("hung", "said"), [((1,), "1 trial did"), ((0, 1), "2 trials did")])
def test_it_is_told_that_trials_were_ended(monkeypatch, tmp_path, hung, said):
    monkeypatch.setattr(Hanging, "hung", hung)
    monkeypatch.setattr(counterfactual, "Pool", Hanging)
    symptom = Symptom("DLX104", "n", "exploding", "m", Severity.WARNING, Confidence.HIGH, None)
    repair = Candidate("learning-rate", "Lower it", (Edit(tmp_path / "train.py", 0, 1, "y"),), 1.0)
    setting = counterfactual.Setting(Program(str(tmp_path / "train.py")), str(tmp_path), "auto", lambda path: "x")
    run = RunRecord(("torch",), (), (), (), (), (), (), (), (), "finished", 1.0, 0.0)
    trials = counterfactual.try_candidates([(symptom, [repair])], run, setting, 60.0, lambda event, record: None)
    assert trials.notes[0] == f"{said} not come to an end, and had to be ended"
