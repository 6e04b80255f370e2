"""Causes of symptoms, tried by running the program again, and the repairs that come of it."""

from __future__ import annotations

import json
import os
import signal
import time

import pytest

from dllint.diagnose.causes.hypothesis import Candidate
from dllint.diagnose.launch import Program
from dllint.diagnose.records import RunRecord
from dllint.diagnose.symptoms.symptom import Symptom
from dllint.diagnose.termination import termination_interrupts
from dllint.diagnose.trials import counterfactual
from dllint.edit import Edit
from dllint.finding import Confidence, Severity
from dllint.observation import Trial
from tests.diagnose.conftest import diagnosed
from tests.forks import RunInFork

BEGIN = """import torch
from torch import nn

torch.manual_seed(0)
"""

LOADER = """
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=32, shuffle=True)
for epoch in range(EPOCHS):
    for xb, yb in loader:
        loss = LOSS
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""

REGRESSION = """
x = torch.randn(512, 8)
y = x @ torch.randn(8, 1)
net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=3.0)
"""

CLASSES = """
y = torch.randint(0, 3, (512,))
x = torch.randn(512, 8) + 2 * torch.randn(3, 8)[y]
net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
"""


def program(data: str, loss: str, epochs: int = 6) -> str:
    return BEGIN + data + LOADER.replace("EPOCHS", str(epochs)).replace("LOSS", loss)


def first(done):
    """The first remedy of the first finding."""
    return done.findings[0]["fixes"][0]


def remedies(done):
    return {fix["message"]: fix for fix in done.findings[0]["fixes"]}


@pytest.fixture(scope="module")
def too_high(tmp_path_factory, servers):
    """The trials of a program whose learning rate is too high, which also writes files: what came of them, the text, the
    folder, and the events that were told."""
    folder = tmp_path_factory.mktemp("too high")
    text = program(REGRESSION, "nn.functional.mse_loss(net(xb), yb)")
    text = text.replace("loader =", "with open('log.txt', 'a') as log:\n    log.write('started\\n')\nloader =")
    text = text.replace("for epoch", "torch.save(net.state_dict(), 'first.pt')\nfor epoch")
    events = folder / "events.jsonl"
    done = diagnosed(folder, RunInFork(servers, "torch", folder), text, "--events", str(events), replay=True)
    return done, text, folder / "project", [json.loads(line) for line in events.read_text().splitlines()]


def test_a_learning_rate_that_is_too_high_is_found_and_confirmed(too_high):
    done, *_ = too_high
    best = first(done)
    assert (best["kind"], best["tested"], best["removed_symptom"]) == ("learning-rate", True, True)
    assert best["measure"] == "explained variance"
    assert best["before"] < 0 < 0.5 < best["after"]
    assert best["edits"][0]["content"] == "0.03"
    assert done.findings[0]["fix"]["message"] == best["message"]
    assert done.status == 1


def test_parameters_that_the_optimizer_lacks_are_given_to_it(diagnose):
    text = program(CLASSES, "nn.functional.cross_entropy(net(xb), yb)").replace("net.parameters()", "net[2].parameters()")
    best = first(diagnose(text, replay=True))
    assert (best["kind"], best["removed_symptom"]) == ("optimizer-parameters", True)
    assert best["edits"][0]["content"] == "net.parameters()"


LOGARITHM = "-(nn.functional.one_hot(yb, 3) * torch.log(torch.softmax(net(xb) * 200, 1))).sum(1).mean()"


def test_the_logarithm_of_a_softmax_is_computed_in_one(diagnose):
    done = diagnose(program(CLASSES.replace("lr=0.1", "lr=1e-5"), LOGARITHM), replay=True)
    found = [fix for fix in done.findings[0]["fixes"] if any("log_softmax" in edit["content"] for edit in fix["edits"])]
    assert found
    assert found[0]["tested"]
    assert found[0]["removed_symptom"]
    assert first(done)["removed_symptom"]


def test_what_only_stops_learning_is_not_recommended():
    assert Trial(True, "accuracy", 0.3, 0.9, 3).recommended
    assert not Trial(True, "accuracy", 0.3, 0.31, 3, learns=False).recommended
    assert not Trial(True, "accuracy", 0.5, 0.3, 3).recommended
    assert not Trial(False, "accuracy", 0.3, 0.9, 3).recommended


def test_the_users_files_are_left_alone(too_high):
    done, text, folder, _ = too_high
    assert first(done)["tested"]
    assert (folder / "log.txt").read_text() == "started\n"
    assert sorted(path.name for path in folder.iterdir()) == ["first.pt", "log.txt", "train.py"]
    assert (folder / "train.py").read_text() == text


def test_a_confirmed_repair_is_applied_and_verified(diagnose, tmp_path):
    text = program(REGRESSION, "nn.functional.mse_loss(net(xb), yb)")
    done = diagnose(text, "--apply", replay=True)
    assert (tmp_path / "project" / "train.py").read_text() == text.replace("lr=3.0", "lr=0.03")
    assert "applied `Lower the learning rate to 0.03` to train.py" in done.stderr
    assert "no longer shows `numerical error`" in done.stderr
    assert done.status == 1


def test_without_replay_remedies_are_offered_untried(diagnose):
    done = diagnose(program(REGRESSION, "nn.functional.mse_loss(net(xb), yb)"))
    assert done.findings[0]["fixes"]
    assert not any(fix["tested"] for fix in done.findings[0]["fixes"])


PIXELS = """
y = torch.randint(0, 3, (512,))
x = (torch.randn(512, 16) * 40 + 128 + 30 * torch.randn(3, 16)[y]).clamp(0, 255).round()
net = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
"""


@pytest.mark.thorough
def test_of_raw_inputs_and_a_high_rate_the_inputs_are_repaired_first(diagnose):
    """The case of the fact sheet: a lower rate helps a little, standardised inputs help."""
    done = diagnose(program(PIXELS, "nn.functional.cross_entropy(net(xb), yb)", epochs=10), replay=True)
    best = [finding["fixes"][0] for finding in done.findings if finding["fixes"][0]["tested"]]
    assert best
    assert {(fix["kind"], fix["removed_symptom"]) for fix in best} == {("input-scale", True)}
    assert any(fix["kind"] == "learning-rate" and fix["tested"] for finding in done.findings for fix in finding["fixes"])


def test_a_softmax_before_the_cross_entropy_is_taken_away(diagnose):
    text = program(CLASSES.replace("3))\n", "3), nn.Softmax(1))\n").replace("lr=0.1", "lr=0.001"), "CRITERION(net(xb), yb)", 10)
    done = diagnose(text.replace("CRITERION", "nn.CrossEntropyLoss()"), replay=True)
    best = first(done)
    assert best["removed_symptom"]
    assert best["measure"] == "accuracy"
    assert best["after"] > best["before"]
    start, end = (best["edits"][0][key]["column"] for key in ("location", "end_location"))
    assert ", nn.Softmax(1)" in text.splitlines()[best["edits"][0]["location"]["row"] - 1][start - 1 : end - 1]


def test_trials_are_told_while_they_run(too_high):
    done, _, _, told = too_high
    started = [event["record"] for event in told if event["event"] == "trial-started"]
    finished = [event["record"] for event in told if event["event"] == "trial-finished"]
    assert (started[0]["repair"], started[0]["kind"]) == (0, "as-is")
    assert len(finished) == len(started) == started[-1]["branches"]
    assert {record["ended"] for record in finished} <= {"steps", "certain", "finished"}
    verdicts = [event["record"] for event in told if event["event"] == "verdict"]
    best = first(done)
    assert [v["recommended"] for v in verdicts if v["message"] == best["message"]] == [True]
    assert verdicts[0]["symptom"] == done.findings[0]["symptom"]


def interrupt():
    raise KeyboardInterrupt


def terminate():
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(10)


@pytest.mark.parametrize("interruption", [interrupt, terminate])
def test_an_interruption_ends_the_trials_and_leaves_what_is_known(interruption, monkeypatch, tmp_path):
    class Interrupted:
        def __init__(self, deadline):
            self.closed = False

        def run(self, branches, began, ended, until=None):
            began(0)
            interruption()

        def close(self):
            self.closed = True

    monkeypatch.setattr(counterfactual, "Pool", Interrupted)
    symptom = Symptom("DLX104", "n", "exploding", "m", Severity.WARNING, Confidence.HIGH, None)
    repair = Candidate("learning-rate", "Lower it", (Edit(tmp_path / "train.py", 0, 1, "y"),), 1.0)
    setting = counterfactual.Setting(Program(str(tmp_path / "train.py")), str(tmp_path), "auto", lambda path: "x")
    run = RunRecord(("torch",), (), (), (), (), (), (), (), (), "finished", 1.0, 0.0)
    told = []
    trials = counterfactual.try_candidates([(symptom, [repair])], run, setting, 60.0, lambda event, record: told.append(event))
    assert told == ["trial-started"]
    assert trials.tried == {}
    assert "the trials of repairs were interrupted" in trials.notes
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_program_that_handles_termination_goes_on_to_do_so():
    handled = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: handled.append(number))
    try:
        with termination_interrupts():
            os.kill(os.getpid(), signal.SIGTERM)
            while not handled:
                time.sleep(0.001)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert handled == [signal.SIGTERM]
