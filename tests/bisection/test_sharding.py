"""Two processes share the samples, find what one finds, and tell of it when one fails."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPEC = """\
import os
import numpy as np
from tests.bisection.toys import chain, labels, right, rows

reference = chain(6)
candidate = reference.with_operator(t3=lambda h, f=reference.operators["t3"][0]: -f(h))
x = rows()
samples = list(zip(x, labels(reference, x)))
seen = 0

def per_sample(outputs, targets):
    global seen
    seen += len(targets)
    with open(f"seen{os.environ.get('RANK', '')}", "w") as file:
        file.write(str(seen))
    FAULT
    return outputs.argmax(-1) == targets
"""


def spec(folder: Path, fault: str = "") -> None:
    (folder / "spec.py").write_text(SPEC.replace("    FAULT\n", f"    {fault}\n" if fault else ""))


def started(folder: Path, rank: int, port: int, *options: str) -> subprocess.Popen[str]:
    launcher = {"RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    command = [sys.executable, "-m", "dllint", "bisect", "spec.py", "-q", "--cache-size", "0", *options]
    environment = {**os.environ, **launcher, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True)


def both(folder: Path, *options: str) -> list[tuple[int, str, str]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    processes = [started(folder, rank, port, *options) for rank in range(2)]
    ended = [process.communicate(timeout=120) for process in processes]
    return [(process.returncode, out, err) for process, (out, err) in zip(processes, ended, strict=True)]


@pytest.mark.oracle
def test_two_processes_find_what_one_finds_with_half_of_the_work_each(tmp_path):
    spec(tmp_path)
    first, second = both(tmp_path, "--output-format", "json")
    assert (first[0], second[0]) == (1, 1), first[2] + second[2]
    assert second[1] == ""
    found = json.loads(first[1])
    assert [culprit["operator"] for culprit in found["culprits"]] == ["t3"]
    command = [sys.executable, "-m", "dllint", "bisect", "spec.py", "-q", "--cache-size", "0", "--output-format", "json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    alone = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert json.loads(alone.stdout) == found
    shares = [int((tmp_path / f"seen{rank}").read_text()) for rank in ("0", "1", "")]
    assert max(shares[:2]) < 0.75 * shares[2]


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ('if os.environ["RANK"] == "1" and seen > 300: os._exit(3)', "another process has failed"),
        ('if os.environ["RANK"] == "1" and seen > 300: __import__("time").sleep(6)', "did not answer within 3 s"),
        ('if os.environ["RANK"] == "1" and seen > 300: raise ValueError("no such class")', "raised ValueError: no such class"),
    ],
    ids=["dies", "hangs", "raises"],
)
def test_the_first_process_tells_that_the_second_one_fails(tmp_path, fault, told):
    spec(tmp_path, fault)
    first, _ = both(tmp_path, "--patience", "3")
    assert first[0] == 2, first
    assert told in first[2]
    assert "Traceback" not in first[2]


@pytest.mark.oracle
def test_processes_with_different_models_are_not_searched(tmp_path):
    (tmp_path / "spec.py").write_text(
        SPEC.replace("    FAULT\n", "").replace("x = rows()", 'x = rows(int(os.environ["RANK"]))')
    )
    first, second = both(tmp_path)
    assert (first[0], second[0]) == (2, 2)
    assert "have opened different models or samples" in first[2]
