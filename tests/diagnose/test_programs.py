"""What a program does to a diagnosis: it crashes, exits, hangs, catches everything, does not train."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.diagnose.scripts import HEALTHY, ROOT


def test_a_crash_gives_the_traceback_of_the_program_alone(diagnose):
    done = diagnose("import torch\n\ndef load():\n    raise OSError('no data')\n\nload()\n")
    assert done.status == 2
    assert "OSError: no data" in done.stderr
    assert done.stderr.index("Traceback") < done.stderr.index("train.py")
    assert "dllint/diagnose" not in done.stderr


def test_a_program_without_training_is_told_so(diagnose):
    done = diagnose("import sys\nprint(sys.argv[1:])\n", arguments=("--max-steps", "3"))
    assert done.status == 2
    assert "no training step was seen" in done.stderr
    assert done.stdout == "['--max-steps', '3']\n"


def test_sys_exit_after_training_is_an_ordinary_end(diagnose):
    done = diagnose(HEALTHY.replace("STEPS", "20") + "import sys\nsys.exit(0)\n")
    assert (done.status, done.findings) == (0, [])
    assert "too few steps to say whether the loss falls" in done.stderr


def test_a_failing_exit_status_is_a_failure(diagnose):
    assert diagnose("raise SystemExit('bad usage')\n").status == 2


def test_a_program_that_hangs_is_ended(diagnose):
    done = diagnose("import time\nwhile True:\n    time.sleep(100)\n", "--max-seconds", "1")
    assert done.status == 2
    assert "time limit" in done.stderr


def test_a_program_that_catches_everything_is_ended_at_the_step_limit(diagnose):
    caught = HEALTHY.replace("STEPS", "10**9").replace(
        "    optimizer.step()\n", "    try:\n        optimizer.step()\n    except BaseException:\n        pass\n"
    )
    done = diagnose(caught, "--max-steps", "25")
    assert done.status == 0
    assert "step limit" in done.stderr


@pytest.mark.parametrize(("by", "said"), [("INT", "interrupted"), ("TERM", "terminated")])
def test_a_run_that_is_ended_by_a_signal_is_reported(diagnose, by, said):
    text = HEALTHY.replace("STEPS", "10**9").replace("    step += 1\n", "    step += 1\n    if step == 30:\n        end()\n")
    done = diagnose(f"import os, signal\nend = lambda: os.kill(os.getpid(), signal.SIG{by})\n" + text)
    assert done.status == 0
    assert f"30 steps of Adam; {said} after" in done.stderr


def test_what_a_program_prints_does_not_mix_with_a_report_on_standard_output(run_in_fork, tmp_path):
    (tmp_path / "train.py").write_text("print('hello')\n" + HEALTHY.replace("STEPS", "5"))
    status, out, err = run_in_fork(["diagnose", "--output-format", "json", "train.py"], tmp_path)
    assert (status, json.loads(out)) == (0, [])
    assert "hello" in err


def test_events_tell_the_run_while_it_goes_on(diagnose, tmp_path):
    events = tmp_path / "events.jsonl"
    diagnose(HEALTHY.replace("STEPS", "5"), "--events", str(events))
    told = [json.loads(line) for line in events.read_text().splitlines()]
    told = [event for event in told if event["event"] != "progress"]
    assert [event["event"] for event in told] == ["started", *["step"] * 5, "findings", "ended"]
    assert told[1]["record"]["parameters"]["Sequential.0.weight"]["update"] > 0
    assert told[1]["record"]["batch"]["tensors"][1]["classes"].keys() == {"0", "1"}


def test_workers_of_a_loader_are_left_alone(diagnose):
    done = diagnose(HEALTHY.replace("STEPS", "20").replace("shuffle=True", "num_workers=1"))
    assert (done.status, done.findings) == (0, [])


def test_a_module_is_run_with_its_arguments(diagnose):
    done = diagnose("import sys\nprint(__name__, sys.argv[1:])\n", "-m", "train", arguments=("--lr", "1"))
    assert done.stdout == "__main__ ['--lr', '1']\n"


def test_a_missing_script_is_told():
    done = subprocess.run(
        [sys.executable, "-m", "dllint", "diagnose", "nowhere.py"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (2, "error: no such file: nowhere.py\n")
