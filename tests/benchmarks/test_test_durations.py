"""Durations of tests are read from a log, and tests that a quick run leaves out are those that take long."""

from __future__ import annotations

from benchmarks.test_durations import ROOT, listing, long_modules, main, read, slow_tests
from tests.conftest import slow_tests as left_out

LOG = """============================== slowest durations ===============================
9.00s call     tests/a/test_one.py::test_runs[x - y::z]
1.50s setup    tests/a/test_one.py::test_runs[x - y::z]
0.01s teardown tests/a/test_one.py::test_runs[other]
0.02s call     tests/a/test_one.py::TestClass::test_quick
3.00s call     tests/a/test_two.py::test_waits
2.00s call     tests/b/test_three.py::test_opens
5.00s call     tests/b/test_four.py::test_builds

(12 durations < 0.005s hidden.  Use -vv to show these durations.)
"""


def test_seconds_are_those_of_all_phases():
    seconds = read(LOG.splitlines(keepends=True))
    assert seconds["tests/a/test_one.py::test_runs[x - y::z]"] == 10.5
    assert len(seconds) == 6


def test_whole_modules_stand_for_their_functions_and_no_folder_is_empty():
    slow = slow_tests(read(LOG.splitlines()), limit=1.0)
    assert slow == ["tests/a/test_one.py::test_runs", "tests/a/test_two.py", "tests/b/test_four.py"]


def test_modules_with_a_long_test_are_long():
    long = long_modules(read(LOG.splitlines()), limit=3.0)
    assert [(name, took.longest, took.whole) for name, took in long.items()] == [
        ("tests/a/test_one.py", 10.5, 10.53),
        ("tests/b/test_four.py", 5.0, 5.0),
        ("tests/a/test_two.py", 3.0, 3.0),
    ]


def test_the_slowest_come_first():
    lines = list(listing(read(LOG.splitlines()), shown=2))
    assert lines[0] == "The 2 slowest tests, of 21 s:"
    assert [line.split()[-1] for line in lines[4:]] == ["tests/a/test_one.py", "tests/b/test_four.py"]


def test_a_log_is_listed(tmp_path, capsys):
    log = tmp_path / "log.txt"
    log.write_text(LOG)
    assert main(["--log", str(log)]) == 0
    assert "10.50 s  tests/a/test_one.py::test_runs[x - y::z]" in capsys.readouterr().out


def test_of_several_logs_the_longest_time_counts(tmp_path, capsys):
    for number, seconds in enumerate((2, 7, 3)):
        (tmp_path / f"{number}.txt").write_text(f"{seconds}.00s call     tests/a/test_one.py::test_runs\n")
    assert main(["--log", *map(str, sorted(tmp_path.glob("*.txt")))]) == 0
    assert "7.00 s  tests/a/test_one.py::test_runs" in capsys.readouterr().out


def test_a_log_without_durations_is_an_error(tmp_path, capsys):
    log = tmp_path / "log.txt"
    log.write_text("3 passed\n")
    assert main(["--log", str(log)]) == 2
    assert "no durations" in capsys.readouterr().err


def test_what_a_quick_run_leaves_out_exists():
    for name in left_out():
        path, _, function = name.partition("::")
        text = (ROOT / path).read_text(encoding="utf-8")
        assert not function or f"def {function.rpartition('::')[2]}(" in text


def test_a_quick_run_has_tests_of_every_folder():
    whole = {name for name in left_out() if "::" not in name}
    for folder in (path for path in (ROOT / "tests").iterdir() if any(path.rglob("test_*.py"))):
        modules = {path.relative_to(ROOT).as_posix() for path in folder.rglob("test_*.py")}
        assert modules - whole, f"nothing of {folder.name} is left"
