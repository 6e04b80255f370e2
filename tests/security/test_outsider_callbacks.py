"""What an outsider puts into a program that is watched through a callback of its training library, to have it changed, ended or
broken by that: it prints the same losses, weights and random numbers, bit by bit, as without the callback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.security.outsider import ROOT
from tests.security.programs_for_compiled_keras import ON_JAX, ON_TENSORFLOW
from tests.security.programs_for_keras import HEAD as KERAS
from tests.security.programs_for_keras import PROGRAMS as ON_TORCH
from tests.security.programs_for_lightning import HEAD as LIGHTNING
from tests.security.programs_for_lightning import PROGRAMS as IN_LIGHTNING

pytest.importorskip("torch")

#: What stays behind of what watched: a limit of Python's that is raised meanwhile.
END = "\ngc.collect()\nprint(sys.getrecursionlimit())\n"
#: What an error of dllint's looks like that has reached the program.
BROKEN = ("Traceback (most recent call last)", "Exception ignored")
needs_keras = pytest.mark.skipif(not (find_spec("keras") and find_spec("tensorflow")), reason="Keras is not installed")


@pytest.fixture(scope="module")
def server():
    threads = dict.fromkeys(("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS"), "1")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3", **threads}
    command = [sys.executable, "-m", "tests.security.callback_server"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) as process:
        yield process
        process.kill()


@pytest.fixture
def same(server, tmp_path):
    """What is told of a program that does the same whether it is watched or not."""

    def run(kind: str, text: str, *, watched: bool) -> tuple[int, str, str]:
        folder = tmp_path / f"watched-{watched}"
        folder.mkdir()
        program, out, err = folder / "train.py", folder / "out", folder / "err"
        program.write_text(text + END, encoding="utf-8")
        request = {"kind": kind, "program": str(program), "out": str(out), "err": str(err), "watched": watched}
        print(json.dumps(request), file=server.stdin, flush=True)
        return int(server.stdout.readline()), out.read_text(), err.read_text()

    def same(kind: str, text: str) -> str:
        plain = run(kind, text, watched=False)
        assert plain[0] == 0, plain[2]
        status, printed, told = run(kind, text, watched=True)
        assert (status, printed) == plain[:2], told
        assert not any(word in told for word in BROKEN), told
        return told

    return same


#: Programs that leave no standard error to tell something on, or end before anything is told.
SILENT = ("stderr is gone", "bad loss")


@pytest.mark.skipif(not find_spec("lightning"), reason="Lightning is not installed")
@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("attack", IN_LIGHTNING)
def test_lightning_trains_as_without_a_callback(same, attack):
    assert ("dllint: " in same("lightning", LIGHTNING + IN_LIGHTNING[attack])) == (attack not in SILENT)


@needs_keras
@pytest.mark.sampled(every=6)
@pytest.mark.parametrize("attack", ON_TORCH)
def test_keras_trains_as_without_a_callback(same, attack):
    assert ("dllint: " in same("torch", KERAS + "import torch\n" + ON_TORCH[attack])) == (attack not in SILENT)


@needs_keras
@pytest.mark.sampled(every=10)
@pytest.mark.parametrize("attack", ON_TENSORFLOW)
def test_compiled_steps_train_as_without_a_callback(same, attack):
    assert "dllint: " in same("tensorflow", KERAS + "import tensorflow as tf\n" + ON_TENSORFLOW[attack])


@pytest.mark.thorough
@needs_keras
@pytest.mark.skipif(not find_spec("jax"), reason="JAX is not installed")
@pytest.mark.sampled(every=10)
@pytest.mark.parametrize("attack", ON_JAX)
def test_steps_of_jax_train_as_without_a_callback(same, attack):
    assert "dllint: " in same("jax", KERAS + "import jax\n" + ON_JAX[attack])
