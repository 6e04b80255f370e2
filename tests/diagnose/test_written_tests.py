"""Test files that ``--write-tests`` writes: they pass on the sound model and fail on the faulty one."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dllint.diagnose.expectations.model_sections import model_sections
from dllint.diagnose.expectations.observed import FirstSteps, Layer

SOUND = """
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(256, 8)
y = (x[:, 0] * x[:, 1] > 0).long()
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=32, shuffle=True)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 32)
        self.norm = nn.BatchNorm1d(32)
        self.second = nn.Linear(32, 32)
        self.head = nn.Linear(32, 2)

    def forward(self, x):
        x = torch.relu(self.norm(self.first(x)))
        x = torch.relu(self.second(x))
        return self.head(x)

net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
criterion = nn.CrossEntropyLoss()
for epoch in range(5):
    for xb, yb in loader:
        loss = criterion(net(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
torch.save(net.state_dict(), "weights.pt")
"""
SCALE = ("loader =", "x = x * 255\nloader =")
INITIAL = ("net = Net()\n", "net = Net()\nfor w in net.parameters():\n    nn.init.normal_(w, std=3)\n")
SOFTMAX = ("return self.head(x)", "return self.head(x).softmax(1)")
FROZEN = ("Adam(net.parameters()", "Adam(net.head.parameters()")
DROPPED = ("        x = torch.relu(self.second(x))\n", "")
#: What is done to the program, and tests that have to fail for it with what they have to say.
FAULTS = {
    "scale, loss and optimizer": (
        (SCALE, SOFTMAX, FROZEN),
        {
            "test_inputs_are_in_range[0]": "goes down to",
            "test_layer_inputs_are_normalised[Net.first]": "Net.first is given the mean",
            "test_output_fits_the_loss": "softmax",
            "test_every_parameter_is_trained": "Net.first.weight",
        },
    ),
    "data and a layer that is passed over": (
        (("loader =", "x[:, 3] = 1\ny = y * 2\nloader ="), ("Linear(32, 2)", "Linear(32, 3)"), DROPPED),
        {
            "test_input_columns_say_something[0]": "one value only",
            "test_targets_have_their_format_and_range[1]": "goes up to 2",
            "test_every_layer_is_called": "Net.second",
        },
    ),
    "features and normalisation": (
        (("loader =", "x = x[:, :4]\nloader ="), ("Linear(8, 32)", "Linear(4, 32)"), ("nn.BatchNorm1d(32)", "nn.Identity()")),
        {"test_inputs_have_their_format[0]": "(4,)", "test_model_has_its_layers": "Identity"},
    ),
    "initial weights": (
        (INITIAL,),
        {
            "test_first_loss_is_that_of_guessing": "first loss",
            "test_layers_put_out_sound_numbers[Net.second]": "has the spread",
        },
    ),
    "a layer that is gone": (
        (DROPPED, ("        self.second = nn.Linear(32, 32)\n", "")),
        {"test_model_has_its_parameters": "1474", "test_layers_put_out_sound_numbers[Net.second]": "is missing"},
    ),
    "missing numbers": (
        (("loader =", "x[3, 3] = float('nan')\nloader ="),),
        {"test_nothing_is_found": "DLX101"},
    ),
}


@pytest.fixture
def write(run_in_fork, tmp_path):
    """Writes tests for a program; what was said about them."""

    def written(text, *options):
        folder = tmp_path / "project"
        (folder / "tests").mkdir(parents=True, exist_ok=True)
        (folder / "train.py").write_text(text)
        command = ["diagnose", "--no-replay", "--write-tests", "tests/test_train.py", *options, "train.py"]
        _, out, err = run_in_fork(command, folder)
        return out + err

    return written


@pytest.fixture
def outcomes(run_in_fork, tmp_path):
    """Runs the written tests on a program: outcome and message of each."""

    def ran(text):
        folder = tmp_path / "project"
        (folder / "train.py").write_text(text)
        for kept in folder.rglob("__pycache__"):
            shutil.rmtree(kept)
        runner = str(Path(__file__).parent / "pytest_in_fork.py")
        _, out, err = run_in_fork([runner, "tests/test_train.py"], folder, plain=True)
        assert out, err
        return json.loads(out)

    return ran


def failed(outcomes):
    return sorted(name for name, (outcome, _) in outcomes.items() if outcome == "failed")


def edited(text, *edits):
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return text


def test_written_tests_pass_on_the_sound_model_without_its_seed_too(write, outcomes, tmp_path):
    assert "wrote tests/test_train.py with" in write(SOUND)
    assert (tmp_path / "project" / "weights.pt").exists()
    (tmp_path / "project" / "weights.pt").unlink()
    found = outcomes(SOUND)
    assert (failed(found), len(found) > 15) == ([], True)
    assert found["test_one_batch_can_be_fitted"][0] == "passed"
    assert not (tmp_path / "project" / "weights.pt").exists()
    assert failed(outcomes(SOUND.replace("torch.manual_seed(0)", ""))) == []


@pytest.mark.thorough
def test_written_tests_fail_on_each_fault_and_say_why(write, outcomes):
    write(SOUND)
    for title, (edits, expected) in FAULTS.items():
        found = outcomes(edited(SOUND, *edits))
        told = {name: found[name][1] for name in failed(found)}
        assert {name: message for name, message in expected.items() if message not in told.get(name, "")} == {}, title


@pytest.mark.parametrize(
    ("faults", "expected"),
    [
        (
            (SCALE, SOFTMAX),
            {
                "test_inputs_are_in_range[0]": "the range of the inputs",
                "test_output_fits_the_loss": "outputs that fit the loss",
            },
        ),
        ((INITIAL,), {"test_first_loss_is_that_of_guessing": "the first loss"}),
    ],
    ids=["scale and softmax", "initial weights"],
)
def test_tests_of_a_faulty_model_expect_a_sound_one(write, outcomes, faults, expected):
    told = write(edited(SOUND, *faults))
    assert "they expect a sound model" in told
    faulty, sound = failed(outcomes(edited(SOUND, *faults))), failed(outcomes(SOUND))
    for name, unmet in expected.items():
        assert unmet in told
        assert name in faulty
        assert name not in sound


def test_a_file_that_exists_is_kept_unless_told_otherwise(write, tmp_path):
    path = tmp_path / "project" / "tests" / "test_train.py"
    write(SOUND)
    path.write_text("mine\n")
    assert "exists; --overwrite replaces it" in write(SOUND)
    assert path.read_text() == "mine\n"
    write(SOUND, "--overwrite")
    assert "def test_" in path.read_text()


def test_a_missing_folder_is_told_before_the_run(run_in_fork, tmp_path):
    (tmp_path / "train.py").write_text("raise OSError\n")
    status, _, err = run_in_fork(["diagnose", "--write-tests", "no/test_train.py", "train.py"], tmp_path)
    assert (status, "there is no folder no" in err, "OSError" in err) == (2, True, False)


def test_a_module_is_run_as_one(run_in_fork, outcomes, tmp_path):
    folder = tmp_path / "project"
    (folder / "tests").mkdir(parents=True)
    (folder / "training").mkdir()
    (folder / "training" / "__init__.py").touch()
    (folder / "training" / "data.py").write_text("ROWS = 256\n")
    (folder / "training" / "run.py").write_text("from .data import ROWS\n" + SOUND.replace("256", "ROWS"))
    status, _, err = run_in_fork(
        ["diagnose", "--no-replay", "--write-tests", "tests/test_train.py", "-m", "training.run", "--fast"], folder
    )
    assert (status, "wrote tests/test_train.py" in err) == (0, True), err
    assert (
        'first_steps("training.run", "--fast", module=True, folder=folder)' in (folder / "tests" / "test_train.py").read_text()
    )
    assert failed(outcomes("")) == []


def test_written_files_are_clean(write, tmp_path):
    write(SOUND)
    path = tmp_path / "project" / "tests" / "test_train.py"
    text = path.read_text()
    assert 'folder = Path(__file__).parent / ".."\n' in text
    compile(text, str(path), "exec")
    ruff = [sys.executable, "-m", "ruff"]
    for command in (["check", "--select", "E,F,W,B,UP,SIM"], ["format", "--check"]):
        done = subprocess.run([*ruff, *command, "--isolated", str(path)], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_program_that_fails_fails_its_tests_with_its_traceback(write, outcomes):
    write(SOUND)
    found = outcomes("raise OSError('no data')\n")
    assert {outcome for outcome, _ in found.values()} == {"failed"}
    assert all("OSError: no data" in message for _, message in found.values())


@pytest.mark.parametrize(("share", "findings", "unmet"), [(0.9, {"x": "y"}, True), (0.9, {}, None), (0.1, {}, False)])
def test_saturated_activations_are_held_against_a_faulty_model_only(share, findings, unmet):
    layers = {"Net.act": Layer("Tanh", 0, None, None, share)}
    seen = FirstSteps(20, {}, {}, None, None, 1.0, "", "", 0, False, layers, 0, 0, (), None, findings)
    found = [section for section in model_sections(seen) if "test_activations_are_not_saturated" in section.test]
    assert [bool(section.unmet) for section in found] == ([] if unmet is None else [unmet])
