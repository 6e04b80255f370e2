"""A sample of the scripts of ``benchmarks.diagnose.differential``: each does the same with and without a diagnosis."""

from __future__ import annotations

import shutil

import pytest

from benchmarks.diagnose.differential.cases import Case, cases
from benchmarks.diagnose.differential.comparing import differences, unexplained
from benchmarks.diagnose.differential.running import Seen, files_in, text_of

#: Differs yet: functions are traced again where their steps are looked at, which a program that counts its traces sees.
KNOWN = {"tensorflow_traces_counted"}
#: Those whose libraries are there: not all belong to the extra `oracle`. Scripts that a launcher starts have no fork of their
#: own here, and a fork's traceback has frames of its server.
CASES = {
    case.name: case
    for case in cases()
    if not case.missing and not case.processes and "fails" not in case.name and case.path.stem not in KNOWN
}


@pytest.fixture
def case(request) -> Case:
    return CASES[request.param]


@pytest.fixture
def framework(case):
    return f"keras-{case.backend}" if case.backend else "torch"


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("case", CASES, indirect=True)
def test_a_program_does_the_same(case, run_in_fork, tmp_path):
    folder = tmp_path / "run"
    options = ["--quiet", "--no-replay", "--output-format", "json", "--output-file", str(tmp_path / "report.json")]

    def seen(*, diagnosed: bool) -> Seen:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "train.py").write_text(text_of(case), encoding="utf-8")
        ours = ["diagnose", *options] if diagnosed else []
        # Python shows a script under its full path, whatever it was called by.
        status, out, err = run_in_fork([*ours, str(folder / "train.py"), *case.arguments], folder, plain=not diagnosed)
        return Seen(status, out, tuple(err.splitlines()), files_in(folder), 0.0)

    plain, watched = seen(diagnosed=False), seen(diagnosed=True)
    if differences(plain, watched, launched=False):
        assert unexplained(plain, seen(diagnosed=False), watched, launched=False) == {}
