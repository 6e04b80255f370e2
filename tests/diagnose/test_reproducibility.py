"""What a run depends on: seeds, versions, settings, sources, data and weights."""

from __future__ import annotations

import hashlib
import json
import subprocess

import pytest

from dllint.diagnose.record_file import NoRecordError, read_record
from tests.diagnose.scripts import HEALTHY

UNREPEATABLE = "cannot be repeated"


@pytest.fixture
def recorded(diagnose, tmp_path):
    """Runs a script and reads its record."""

    def run(text, *options, **settings):
        path = tmp_path / "record.json"
        done = diagnose(text, "--record", str(path), *options, **settings)
        return done, read_record(path)

    return run


def test_seeds_are_known_with_their_values_lines_and_steps(recorded):
    text = "import random\nimport numpy as np\nrandom.seed(3)\nnp.random.seed(seed=5)\n" + HEALTHY.replace("STEPS", "5")
    text += "torch.manual_seed(9)\n"
    done, run = recorded(text)
    seeds = run.reproducibility.seeds
    lines = text.splitlines()
    assert [(seed.generator, seed.value, seed.step) for seed in seeds] == [
        ("python", "3", 0),
        ("numpy", "5", 0),
        ("torch", "0", 0),
        ("torch", "9", 5),
    ]
    assert ["seed(" in lines[seed.place.line - 1] for seed in seeds] == [True] * 4
    assert UNREPEATABLE not in done.stderr


def test_numbers_drawn_without_a_seed_are_told_with_the_seed_that_would_repeat_them(recorded):
    done, run = recorded(HEALTHY.replace("STEPS", "5").replace("torch.manual_seed(0)", ""))
    torch = next(generator for generator in run.reproducibility.generators if generator.name == "torch")
    assert torch.unseeded
    assert f"random numbers of PyTorch were drawn that were not seeded (its seed was {torch.first})" in done.stderr


def test_numbers_drawn_before_the_seed_are_told(recorded):
    late = HEALTHY.replace("STEPS", "5").replace("torch.manual_seed(0)", "torch.rand(1)\ntorch.manual_seed(0)")
    assert "drawn before it was seeded" in recorded(late)[0].stderr


def test_generators_that_nobody_draws_from_need_no_seed(recorded):
    done, run = recorded("import random\nimport numpy\n" + HEALTHY.replace("STEPS", "5"))
    assert {generator.name for generator in run.reproducibility.generators} == {"python", "numpy", "torch"}
    assert UNREPEATABLE not in done.stderr


def test_the_program_finds_the_functions_that_seed_as_they_look_without_dllint(recorded):
    text = "import torch, random, pickle\nassert pickle.loads(pickle.dumps(torch.manual_seed)) is torch.manual_seed\n"
    text += "assert torch.manual_seed.__name__ == 'manual_seed'\nassert torch.manual_seed(4) is torch.default_generator\n"
    assert recorded(text + HEALTHY.replace("STEPS", "3"))[0].status == 0


def test_arguments_versions_hardware_and_settings_are_known(recorded):
    text = "import torch\ntorch.use_deterministic_algorithms(True)\n" + HEALTHY.replace("STEPS", "3")
    _, run = recorded(text, arguments=("--epochs", "3"))
    known = run.reproducibility
    assert known.command == ("train.py", "--epochs", "3")
    assert known.versions.keys() >= {"dllint", "torch", "numpy"}
    assert int(known.hardware["cores"]) > 0
    assert known.hardware["threads"] == "1"
    assert known.environment["OMP_NUM_THREADS"] == "1"
    assert known.settings["torch: deterministic algorithms"] == "True"


def test_sources_are_the_program_and_what_it_imports_of_the_user(recorded, tmp_path):
    (tmp_path / "project").mkdir()
    own = tmp_path / "project" / "sizes.py"
    own.write_text("HIDDEN = 32\n")
    _, run = recorded("import sizes\n" + HEALTHY.replace("STEPS", "3"))
    sources = {source.path: source.digest for source in run.reproducibility.sources}
    assert sources[str(own)] == hashlib.sha256(own.read_bytes()).hexdigest()
    assert {path.rpartition("/")[2] for path in sources} == {"train.py", "sizes.py"} | {
        path.rpartition("/")[2] for path in sources if "/tests/" in path
    }


def test_the_commit_of_the_program_is_known(recorded, tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "train.py").write_text("")
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], ["add", "."], [*identity, "commit", "-qm", "first"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()
    _, run = recorded(HEALTHY.replace("STEPS", "3"))
    assert (run.reproducibility.revision.commit, run.reproducibility.revision.dirty) == (commit, True)


def test_equal_seeds_give_equal_fingerprints_of_data_and_weights(recorded):
    runs = [recorded(HEALTHY.replace("STEPS", "5").replace("seed(0)", f"seed({seed})"))[1] for seed in (0, 0, 1)]
    weights = [run.tracks[0].initial for run in runs]
    batches = [tuple(step.batch.fingerprint for step in run.steps) for run in runs]
    assert weights[0] == weights[1] != weights[2]
    assert batches[0] == batches[1] != batches[2]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\x80\x04}\x94.", "no JSON"),
        (b"[1, 2]", "not a record"),
        (b"{}", "not a record"),
        (b'{"kind": "dllint run", "version": 99}', "version 99"),
        (b'{"kind": "dllint run", "version": 1, "tracks": 3}', "damaged"),
        (b"[" * 100_000, "no JSON"),
    ],
)
def test_what_is_no_record_is_refused(tmp_path, content, reason):
    path = tmp_path / "record.json"
    path.write_bytes(content)
    with pytest.raises(NoRecordError, match=reason):
        read_record(path)


def test_a_record_survives_its_file(recorded, tmp_path):
    _, run = recorded(HEALTHY.replace("STEPS", "5"))
    assert json.loads((tmp_path / "record.json").read_text())["kind"] == "dllint run"
    assert run.steps[0].layers
    assert run.reproducibility.seeds[0].place.path.endswith("train.py")
