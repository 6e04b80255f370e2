"""What can go wrong outside is told in a line that says what to do; what was run is kept."""

from __future__ import annotations

import errno
import json
import sys

import numpy as np
import pytest

from dllint.bisection.store import Store, opened_store

SPEC = """\
import os
import numpy as np
from pathlib import Path
from tests.bisection.toys import chain, labels, right, rows

reference = chain(6)
candidate = reference.with_operator(t3=lambda h, f=reference.operators["t3"][0]: -f(h))
x = rows()
samples = list(zip(x, labels(reference, x)))
per_sample = right
"""


@pytest.fixture
def bisected(bisect, tmp_path):
    """Runs the command about a spec with more text."""

    def run(text: str, *options: str, given: str = ""):
        (tmp_path / "spec.py").write_text(SPEC + text)
        return bisect(tmp_path, "spec.py", "-q", *options, given=given)

    return run


CASES = {
    "constant": ("per_sample = lambda outputs, targets: np.ones(len(targets))", "the metric is 1 whatever the outputs are"),
    "constant corpus": (
        "per_sample = None\nmetric = lambda outputs, targets: 0.5",
        "the metric is 0.5 whatever the outputs are",
    ),
    "nan": ("per_sample = lambda outputs, targets: np.full(len(targets), np.nan)", "`per_sample` is nan for a sample"),
    "nan corpus": ("per_sample = None\nmetric = lambda outputs, targets: float('nan')", "`metric` is nan"),
    "raises": ("per_sample = lambda outputs, targets: outputs[:, 9]", "`per_sample` raised IndexError"),
    "too few numbers": ("per_sample = lambda outputs, targets: np.ones(3)", "gave 3 numbers for 64 samples"),
    "misses its figure": ("expected = 0.99", "the reference reaches 0.835"),
    "shapes": (
        "candidate = reference.with_operator(logits=lambda h: h[:, :3])",
        "the outputs of the two sides have the shapes (8, 6) and (8, 3); give `candidate_postprocess`",
    ),
    "missing weights": (
        "def reference():\n    return np.load('weights.npz')",
        "`reference` of the spec raised FileNotFoundError: [Errno 2] No such file or directory: 'weights.npz'; check that its",
    ),
    "samples raise": ("def samples():\n    raise OSError('disk gone')", "`samples` of the spec raised OSError: disk gone"),
    "preparation raises": ("preprocess = lambda x: x.no", "raised AttributeError"),
    "candidate crashes": ("candidate.run = lambda *given: 1 / 0", "the candidate raised ZeroDivisionError"),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_input_is_told_in_a_line(bisected, case):
    text, told = CASES[case]
    done = bisected(text)
    assert done.returncode == 2, done.stdout
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_no_drop_is_no_failure(bisected):
    done = bisected("candidate = reference")
    assert done.returncode == 0, done.stderr
    assert "No drop is seen" in done.stdout


TAPS = '''
class Fragile:
    """Shows its output, and crashes when asked for certain values."""
    observables, outputs = candidate.observables, candidate.outputs
    def run(self, inputs, wanted):
        if {"h1", "t4"} & set(wanted):
            raise RuntimeError("cannot watch fused values")
        return inner.run(inputs, wanted)

inner, candidate = candidate, Fragile()
'''


def test_values_whose_watching_crashes_are_left_out(bisected):
    done = bisected(TAPS, "--output-format", "json")
    assert done.returncode == 1, done.stderr
    assert [culprit["operator"] for culprit in json.loads(done.stdout)["culprits"]] == ["t3"]
    assert "`h1`" in done.stderr
    assert "`t4`" in done.stderr


def test_a_metric_of_the_corpus_finds_the_culprit_too(bisected):
    done = bisected(
        "per_sample = None\nmetric = lambda outputs, targets: right(outputs, targets).mean()",
        "--output-format",
        "json",
    )
    assert [culprit["operator"] for culprit in json.loads(done.stdout)["culprits"]] == ["t3"], done.stderr


def test_a_full_disk_costs_the_cache_only(tmp_path, monkeypatch):
    told: list[str] = []
    store = Store(tmp_path, 10**6, told.append)

    def full(*args, **kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    store.put("a", np.zeros(3))
    monkeypatch.setattr(np, "save", full)
    store.put("b", np.zeros(3))
    store.put("c", np.zeros(3))
    assert told == ["intermediate values are not kept any more: No space left on device"]
    assert store.get("a") is not None
    assert store.get("b") is None
    assert not list(tmp_path.glob("*.part"))


def test_a_cache_that_cannot_be_made_is_done_without(tmp_path):
    (tmp_path / "file").touch()
    told: list[str] = []
    assert opened_store(tmp_path / "file" / "x", 100, told.append) is None
    assert "intermediate values are not kept" in told[0]


INTERRUPTED = """
run, reference.run = reference.run, lambda *given: counted(*given)

def counted(*given):
    path = Path("runs")
    runs = int(path.read_text()) + 1 if path.exists() else 1
    path.write_text(str(runs))
    if runs == LIMIT:
        raise KeyboardInterrupt
    return run(*given)

candidate = reference.with_operator(t3=lambda h, f=reference.operators["t3"][0]: -f(h))
"""


def test_an_interrupted_search_goes_on_from_what_it_has_run(bisected, tmp_path):
    first = bisected(INTERRUPTED.replace("LIMIT", "30"))
    assert first.returncode not in (0, 1)
    assert "interrupted; what was run is kept in .dllint_bisect" in first.stderr
    runs = []
    for options in ((), ("--cache-size", "0")):
        (tmp_path / "runs").unlink()
        done = bisected(INTERRUPTED.replace("LIMIT", "-1"), *options)
        assert done.returncode == 1, done.stderr
        runs.append(int((tmp_path / "runs").read_text()))
    assert runs[0] <= runs[1] - 20


def test_a_command_judges(bisected, tmp_path):
    (tmp_path / "check.py").write_text(
        "import sys, numpy as np\n"
        "said = np.load(sys.argv[1] + '/output_0.npy').argmax(-1)\n"
        "sys.exit(not (said == np.load(sys.argv[1] + '/targets.npy')).mean() > 0.75)\n"
    )
    done = bisected("", "--check", f"{sys.executable} check.py", "--output-format", "json")
    assert done.returncode == 1, done.stderr
    found = json.loads(done.stdout)
    assert (found["reference_metric"], found["candidate_metric"]) == (1, 0)
    assert [culprit["operator"] for culprit in found["culprits"]] == ["t3"]
    assert "the reference itself is judged as bad" in bisected("", "--check", "false").stderr
    assert "cannot be started" in bisected("", "--check", "no-such-command").stderr
    slow = bisected("", "--check", "sleep 9 #", "--check-seconds", "0.2")
    assert slow.returncode == 2


def test_a_person_judges(bisected):
    answers = "y\nn\n" + "y\n" * 20  # the reference is good, the candidate bad, all others good
    done = bisected("", "--ask", "--output-format", "json", given=answers)
    assert done.returncode == 1, done.stderr
    assert "Are these outputs of 1024 samples good?" in done.stderr
    assert "sample 0: [" in done.stderr
    assert len(json.loads(done.stdout)["culprits"]) == 1
    assert bisected("", "--ask", "--check", "true").returncode == 2


def test_the_alignment_is_printed(bisected):
    done = bisected("", "--print-alignment")
    assert done.returncode == 0
    assert '"t3" = "t3"  # op blocks.3.inner, by name' in done.stdout
