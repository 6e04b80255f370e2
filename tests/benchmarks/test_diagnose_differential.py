"""What counts as a difference between a program by itself and diagnosed, and what is the program's own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.diagnose.differential.cases import SCRIPTS, cases
from benchmarks.diagnose.differential.comparing import differences, unexplained
from benchmarks.diagnose.differential.running import Seen

PLAIN = Seen(0, "loss 0.5\ntook 1.25 s\n", ("a warning at 12",), {"w.pt": "1", "log.N": "2"}, 1.0)
OTHERS = {
    "status": replace(PLAIN, status=2),
    "output": replace(PLAIN, output="loss 0.6\ntook 1.25 s\n"),
    "errors": replace(PLAIN, errors=()),
    "files": replace(PLAIN, files={"w.pt": "3", "log.N": "2"}),
}


@pytest.mark.parametrize("kind", OTHERS)
def test_each_difference_is_found_and_stays_one(kind):
    assert differences(PLAIN, PLAIN, launched=False) == {}
    assert list(differences(PLAIN, OTHERS[kind], launched=False)) == [kind]
    assert list(unexplained(PLAIN, PLAIN, OTHERS[kind], launched=False)) == [kind]


@pytest.mark.parametrize("files", [{"w.pt": "1"}, {"w.pt": "1", "log.N": "2", "more": "3"}])
def test_files_that_are_missing_or_added(files):
    assert list(unexplained(PLAIN, PLAIN, replace(PLAIN, files=files), launched=False)) == ["files"]


def test_findings_do_not_count_as_another_status():
    assert differences(PLAIN, replace(PLAIN, status=1), launched=False) == {}
    assert differences(PLAIN, replace(PLAIN, status=1), launched=True)
    unseen = "dllint: no training step was seen; the program finished after 1.0 s."
    assert differences(PLAIN, replace(PLAIN, status=2, errors=(*PLAIN.errors, unseen)), launched=False) == {}
    failed = replace(PLAIN, status=7)
    assert differences(failed, replace(PLAIN, status=2), launched=False) == {}
    assert differences(failed, PLAIN, launched=False)


def test_what_varies_by_itself_is_no_difference():
    again = replace(PLAIN, output="loss 0.5\ntook 1.31 s\n", files={"w.pt": "1", "log.N": "9"})
    watched = replace(PLAIN, output="loss 0.5\ntook 2.5 s\n", files={"w.pt": "1", "log.N": "7"})
    assert differences(PLAIN, watched, launched=False)
    assert unexplained(PLAIN, again, watched, launched=False) == {}
    spoiled = replace(watched, output="loss 0.5\nran 2.5 s\n", files={"w.pt": "4", "log.N": "7"})
    assert list(unexplained(PLAIN, again, spoiled, launched=False)) == ["output", "files"]


def test_scripts_know_nothing_of_the_tool():
    assert len({case.path for case in cases()}) >= 40
    assert not [path.name for path in SCRIPTS.glob("*.py") if "dllint" in path.read_text(encoding="utf-8")]
