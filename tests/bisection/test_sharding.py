"""Two processes share the samples, find what one finds, and tell of it when one fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

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


@pytest.fixture
def both(run_ranks, tmp_path):
    """Runs the command in two processes: status, standard output and error of each."""

    def run(*options: str) -> list[tuple[int, str, str]]:
        command = ["bisect", "spec.py", "-q", "--cache-size", "0", *options]
        return list(zip(*run_ranks(command, tmp_path), strict=True))

    return run


@pytest.mark.oracle
def test_two_processes_find_what_one_finds_with_half_of_the_work_each(both, bisect, tmp_path):
    spec(tmp_path)
    first, second = both("--output-format", "json")
    assert (first[0], second[0]) == (1, 1), first[2] + second[2]
    assert second[1] == ""
    found = json.loads(first[1])
    assert [culprit["operator"] for culprit in found["culprits"]] == ["t3"]
    alone = bisect(tmp_path, "spec.py", "-q", "--cache-size", "0", "--output-format", "json")
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
def test_the_first_process_tells_that_the_second_one_fails(both, tmp_path, fault, told):
    spec(tmp_path, fault)
    first, _ = both("--patience", "3")
    assert first[0] == 2, first
    assert told in first[2]
    assert "Traceback" not in first[2]


@pytest.mark.oracle
def test_processes_with_different_models_are_not_searched(both, tmp_path):
    (tmp_path / "spec.py").write_text(
        SPEC.replace("    FAULT\n", "").replace("x = rows()", 'x = rows(int(os.environ["RANK"]))')
    )
    first, second = both()
    assert (first[0], second[0]) == (2, 2)
    assert "have opened different models or samples" in first[2]
