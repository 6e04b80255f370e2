"""Programs that are not what one would like to diagnose: told plainly, and left as they are."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.diagnose.scripts import HEALTHY, ROOT

TRAINING = HEALTHY.replace("STEPS", "20")


def run_plainly(folder, *arguments, stdin=""):
    """``dllint diagnose`` in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "dllint", "diagnose", "--no-replay", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


FORKING = """
import os, sys
if not os.fork():
    END
print("child", os.waitstatus_to_exitcode(os.wait()[1]))
"""


def test_a_child_that_the_program_forks_does_not_report(diagnose):
    forking = FORKING.replace("END", "sys.exit(7)")
    done = diagnose(TRAINING + forking)
    assert (done.status, done.stdout) == (0, "child 7\n")
    assert done.stderr.count("20 steps of Adam") == 1


def test_a_child_that_fails_shows_its_own_traceback(diagnose):
    forking = FORKING.replace("END", "raise OSError('child')")
    done = diagnose(TRAINING + forking)
    assert (done.status, done.stdout) == (0, "child 1\n")
    assert done.stderr.count("OSError: child") == 1
    assert done.stderr.count("20 steps of Adam") == 1


POOL = """
import multiprocessing
def double(x):
    return 2 * x
with multiprocessing.get_context("fork").Pool(1) as pool:
    print(pool.map(double, [1, 2]))
"""


def test_processes_of_multiprocessing_do_not_report(diagnose):
    done = diagnose(TRAINING + POOL)
    assert (done.status, done.stdout) == (0, "[2, 4]\n")
    assert done.stderr.count("20 steps of Adam") == 1


def test_os_exit_is_an_ordinary_end(diagnose):
    done = diagnose(TRAINING + "import os\nos._exit(0)\n")
    assert (done.status, done.findings) == (0, [])
    assert "20 steps of Adam; the program ended itself" in done.stderr


def test_exit_handlers_run_after_the_report(tmp_path):
    (tmp_path / "train.py").write_text("import atexit\natexit.register(print, 'bye')\n")
    assert run_plainly(tmp_path, "train.py").stdout.endswith("bye\n")


PARSER = """
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--data", required=True)
parser.parse_args()
"""


def test_arguments_that_are_missing_are_told(diagnose):
    done = diagnose(PARSER + TRAINING)
    assert done.status == 2
    assert "the following arguments are required: --data" in done.stderr
    assert "its own arguments stand after its name" in done.stderr


def test_standard_input_is_the_programs(tmp_path):
    (tmp_path / "train.py").write_text("print(input().upper())\n")
    done = run_plainly(tmp_path, "train.py", stdin="yes\n")
    assert done.stdout.startswith("YES\n")


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("broken.py", b"def f(:\n", "SyntaxError"),
        ("notes.txt", b"This is no program.\n", "SyntaxError"),
        ("model.bin", bytes(range(256)), "SyntaxError"),
        ("empty.py", b"", "no training step was seen"),
    ],
)
def test_what_is_no_program_is_told(run_in_fork, tmp_path, name, content, told):
    (tmp_path / name).write_bytes(content)
    status, out, err = run_in_fork(["diagnose", "--no-replay", name], tmp_path)
    assert status == 2
    assert told in err + out
    assert "dllint/diagnose" not in err


def test_a_folder_without_a_main_module_is_told(tmp_path):
    (tmp_path / "project").mkdir()
    done = run_plainly(tmp_path, "project")
    assert (done.returncode, done.stderr) == (2, "error: project is a folder without a __main__.py\n")


def test_another_working_directory_is_the_programs_own_business(diagnose, tmp_path):
    done = diagnose("import os\nos.makedirs('deep')\nos.chdir('deep')\n" + TRAINING, "--record", "record.json")
    assert done.status == 0
    assert (tmp_path / "project" / "record.json").exists()


REPLACING = """
import sys
sys.stdout = open("log.txt", "w")
print("mine")
sys.stdout.close()
"""


def test_standard_output_may_be_replaced_and_closed(tmp_path):
    (tmp_path / "train.py").write_text(REPLACING)
    done = run_plainly(tmp_path, "train.py")
    assert "no training step was seen; the program finished" in done.stdout
    assert "neither PyTorch nor Keras nor TensorFlow" in done.stdout
    assert (tmp_path / "log.txt").read_text() == "mine\n"


def test_a_trace_function_sees_the_program_only(diagnose):
    tracing = "import sys\nseen = []\nsys.settrace(lambda frame, event, argument: seen.append(1))\n"
    guard = "import atexit\natexit.register(lambda: None)\n"
    done = diagnose(guard + tracing + TRAINING)
    assert (done.status, done.findings) == (0, [])


def test_a_thread_may_train(diagnose):
    body = "".join(f"    {line}\n" for line in HEALTHY.replace("STEPS", "10**9").strip().splitlines())
    threaded = (
        f"import threading\ndef train():\n{body}\nthread = threading.Thread(target=train)\nthread.start()\nthread.join()\n"
    )
    done = diagnose(threaded, "--max-steps", "25")
    assert (done.status, done.findings) == (0, [])
    assert "25 steps of Adam; the step limit was reached" in done.stderr
    assert "Stopped" not in done.stderr


def test_warnings_may_be_errors(diagnose):
    done = diagnose("import warnings\nwarnings.simplefilter('error')\n" + TRAINING)
    assert (done.status, done.findings) == (0, [])


HANDLING = """
import os, signal
signal.signal(signal.SIGUSR1, lambda *_: print("handled", flush=True))
os.kill(os.getpid(), signal.SIGUSR1)
"""


def test_signal_handlers_of_the_program_are_called(diagnose):
    done = diagnose(HANDLING + TRAINING)
    assert (done.status, done.stdout) == (0, "handled\n")


def test_two_models_are_two_tracks(diagnose):
    second = TRAINING.replace("net", "second").replace("optimizer", "rmsprop").replace("Adam(", "RMSprop(")
    done = diagnose(TRAINING + second)
    assert (done.status, done.findings) == (0, [])
    assert "20 steps of Adam, 20 steps of RMSprop" in done.stderr


def test_checkpoints_are_the_programs_alone(diagnose, tmp_path):
    saving = "torch.save(net.state_dict(), 'best.pt')\n"
    diagnose(TRAINING + saving)
    first = (tmp_path / "project" / "best.pt").read_bytes()
    assert {path.name for path in (tmp_path / "project").iterdir()} == {"train.py", "best.pt"}
    diagnose(TRAINING + saving)
    assert (tmp_path / "project" / "best.pt").read_bytes() == first


def test_a_model_that_does_not_fit_twice_is_not_tried_again(monkeypatch):
    from dllint.diagnose import treatment

    monkeypatch.setattr(treatment, "available_memory", lambda: 1 << 20)
    monkeypatch.setattr(treatment, "resident_memory", lambda: 2 << 20)
    assert treatment._obstacle() == "the program does not fit twice in memory (2 MiB are used, 1 MiB are left)"


def test_a_limit_of_memory_ends_the_program(diagnose):
    done = diagnose(HEALTHY.replace("STEPS", "10**9"), "--max-memory", "1MB")
    assert done.status == 0
    assert "16 steps of Adam; the memory limit was reached" in done.stderr


def test_a_program_that_catches_every_end_is_given_up(diagnose):
    stubborn = "import time\nwhile True:\n    try:\n        time.sleep(100)\n    except BaseException:\n        pass\n"
    done = diagnose(stubborn, "--max-seconds", "1")
    assert done.status == 2
    assert "the time limit was reached" in done.stderr
