"""The mutator changes one place of a text, the record knows what a test executes, and a trial gives the right verdict."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.mutation import coverage, report
from benchmarks.mutation.blocks import PROBES, block_of_statements, blocks, instrumented
from benchmarks.mutation.coverage import Coverage, KnownTest
from benchmarks.mutation.kept import Kept
from benchmarks.mutation.mutators import candidates, is_valid
from benchmarks.mutation.planning import Plan, plan
from benchmarks.mutation.sampling import Drawn, draw, files_of
from benchmarks.mutation.trials import Outcome, Verdict, Zygote, failing_without_a_fault

ROOT = Path(__file__).parents[2]
PLACES = [
    ("def f(a, b):\n    return a < b", {"(a <= b)", "(a > b)", "return None"}),
    ("def f(a, b):\n    return a and not b", {"(a or not b)", "(not b)", "(a)", "(b)", "return None"}),
    ("def f(a):\n    if a:\n        g(a)", {"(not a)", "(True)", "(False)", "pass"}),
    ("def f(a):\n    a.b = 3", {"pass", "(4)", "(0)"}),
    ("def f(a):\n    while True:\n        break", {"(not True)", "(True)", "(False)", "continue"}),
    ("def f(a):\n    for _ in a:\n        continue", {"break", "pass"}),
    ("x = g(1, *a, k=-b)", {"(2)", "(0)", "(g(1, *a))", "(b)"}),
    ("x = g(a, b, **c)", {"(g(a, **c))"}),
    ("x = A | B", {"(A)", "(B)"}),
    ("x = a + b * c if d else e", {"(a - b * c)", "(b // c)", "(a + b * c)", "(e)"}),
    ("x = 'text' f'{a + 1}'", set()),
    ("import a\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    x = 1 + 2", set()),
    ("def f(a: Literal[1] = 2) -> Literal[3]:\n    x: Literal[4] = 5\n    raise E", {"(3)", "(0)", "(6)", "pass"}),
    ("def f(a):\n    match a:\n        case 7:\n            return a", {"(8)", "(0)", "return None"}),
    ("class A:\n    b = False\n", {"(True)"}),
]


@pytest.mark.parametrize(("source", "after"), PLACES)
def test_what_is_written_instead(source, after):
    data = source.encode()
    found = [candidate.mutant(data) for statement in candidates(source) for candidate in statement]
    assert {mutant.after for mutant in found} == after
    for mutant in found:
        assert data[mutant.start : mutant.end].decode() == mutant.before
        assert mutant.before in source.split("\n", mutant.line - 1)[-1]


def _own_sources():
    return [ROOT / file for file in files_of(ROOT)[::60]]


@pytest.mark.parametrize("path", _own_sources(), ids=lambda path: path.stem)
def test_a_mutant_changes_one_statement_and_nothing_else(path):
    source = path.read_bytes()
    lines = source.splitlines()
    for statement in candidates(source.decode())[::3]:
        mutant = statement[0].mutant(source)
        if not is_valid(source, mutant):
            continue
        changed = mutant.applied(source)
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(source))
        assert changed.splitlines()[: mutant.line - 1] == lines[: mutant.line - 1]
        rest = source[mutant.end :]
        assert changed.endswith(rest)


def test_lines_with_other_characters_and_breaks_keep_their_places():
    source = 'a = "ü"  # ä\r\nb = "日本" if f(1, "ü") else 2\r\n'
    data = source.encode()
    mutants = [candidate.mutant(data) for statement in candidates(source) for candidate in statement]
    assert {(mutant.before, mutant.after) for mutant in mutants} >= {('f(1, "ü")', "(f(1))"), ("2", "(3)"), ("1", "(0)")}
    assert all(is_valid(data, mutant) for mutant in mutants)


def test_the_same_seed_draws_the_same_and_a_larger_count_more():
    files = files_of(ROOT, ["engine"])[:12]
    few, many = draw(ROOT, files, 5, 1), draw(ROOT, files, 15, 1)
    assert many[:5] == few == draw(ROOT, files, 5, 1) != draw(ROOT, files, 5, 2)
    assert max(Counter((one.file, one.mutant.start, one.mutant.end) for one in many).values()) == 1


BRANCHES = '''
def outer(n):
    """Text."""
    if n > 1:
        n += 1
    elif n:
        def inner():
            return 5
        return inner()
    try:
        n = 1 // n
    except ZeroDivisionError:
        n = 7
    finally:
        n = n
    for i in range(n):
        n = i
    else:
        n = 9
    match n:
        case 9:
            n = 10
    return n
'''


@pytest.mark.parametrize("number", [-1, 0, 1, 2, 3])
def test_probes_say_which_statements_are_executed(number):
    lines: set[int] = set()

    def trace(frame, event, argument):
        if frame.f_code.co_filename == "<branches>" and event == "line":
            lines.add(frame.f_lineno)
        return trace

    plain: dict[str, object] = {}
    exec(compile(BRANCHES, "<branches>", "exec"), plain)
    sys.settrace(trace)
    try:
        expected = plain["outer"](number)
    finally:
        sys.settrace(None)
    tree = ast.parse(BRANCHES)
    starts = [block.body[block.start].lineno for block in blocks(tree)]
    probes = bytearray(len(starts) + 3)
    probed = {PROBES: probes}
    exec(compile(instrumented(tree, 3), "<probed>", "exec"), probed)
    assert probed["outer"](number) == expected
    assert probed["outer"].__doc__ == "Text."
    assert {starts[place - 3] for place, hit in enumerate(probes) if hit} == {line for line in lines if line in starts}


def test_a_statement_belongs_to_the_block_it_is_in():
    tree = ast.parse(BRANCHES)
    found = block_of_statements(tree)
    for number, block in enumerate(blocks(tree)):
        assert {found[statement] for statement in block.body[block.start : block.end]} == {number}
    assert found[tree.body[0]] == 0


PACKAGE = """
from dllint.room.other import LIMIT

def clipped(value):
    if value > LIMIT:
        return LIMIT
    return value

def unused(value):
    return value - 1

def forever(value):
    while value > 0:
        value -= 1
    return value
"""
TESTS = """
import pytest
from dllint.room.numbers import clipped, forever

@pytest.mark.parametrize("value", range(4))
def test_small(value):
    assert clipped(value) == value

def test_large():
    assert clipped(11) in (10, 11)

def test_ends():
    assert forever(3) == 0

def test_fails():
    assert clipped(3) == 4
"""


@pytest.fixture(scope="module")
def small_tree(tmp_path_factory):
    """A repository with the package that the mutation run knows by name, and what was recorded of its tests."""
    tree = tmp_path_factory.mktemp("tree")
    for file, text in {
        "dllint/__init__.py": "",
        "dllint/room/__init__.py": "",
        "dllint/room/other.py": "LIMIT = 10\n",
        "dllint/room/numbers.py": PACKAGE,
        "tests/test_numbers.py": TESTS,
        "pytest.ini": "[pytest]\ntestpaths = tests\naddopts = --import-mode=importlib\n",
    }.items():
        (tree / file).parent.mkdir(parents=True, exist_ok=True)
        (tree / file).write_text(text)
    (tree / "benchmarks").symlink_to(ROOT / "benchmarks")
    files = files_of(tree, ["room"])
    first = coverage.number_blocks(tree, files, tree / "records")
    coverage.record(tree, tree / "records", 1, ["tests"])
    assert (tree / "records" / coverage.DONE).exists()
    covered = coverage.read(tree / "records", range(coverage.count_blocks(tree / "dllint/room/numbers.py")))
    assert first == {"dllint/room/numbers.py": 0}
    return tree, covered


def test_a_record_knows_the_tests_of_each_block(small_tree):
    _, covered = small_tree
    small, large = {f"test_small[{n}]" for n in range(4)}, {"test_large"}
    by_block = {block: {test.name.partition("::")[2] for test in tests} for block, tests in covered.by_block.items() if tests}
    assert by_block == {0: small | large, 1: small, 2: large, 4: {"test_ends"}, 5: {"test_ends"}, 6: {"test_ends"}}
    assert "tests/test_numbers.py::test_fails" not in covered.tests
    assert covered.import_seconds.keys() == {"tests/test_numbers.py"}


def _mutant(tree, before, after):
    file = "dllint/room/numbers.py"
    source = (tree / file).read_bytes()
    every = [one.mutant(source) for statement in candidates(source.decode()) for one in statement]
    return next(Drawn(file, one) for one in every if (one.before, one.after) == (before, after))


def test_verdicts(small_tree):
    tree, covered = small_tree
    before = {path: path.read_bytes() for path in (tree / "dllint").rglob("*.py")}
    expected = {
        ("value > LIMIT", "(value < LIMIT)"): Verdict.KILLED,
        ("value > LIMIT", "(False)"): Verdict.SURVIVED,
        ("return value - 1", "return None"): Verdict.NOT_COVERED,
        ("value > 0", "(True)"): Verdict.TIMED_OUT,
        ("return LIMIT", "return None"): Verdict.KILLED,
    }
    trials = {}
    with Zygote(tree, []) as zygote:
        for change, verdict in expected.items():
            drawn = _mutant(tree, *change)
            tests = covered.by_block.get(drawn.mutant.block, ())
            trials[drawn] = zygote.tried(drawn, plan(tests, covered, 20.0), more_seconds=3)
            assert trials[drawn].verdict is verdict, change
    assert {path: path.read_bytes() for path in before} == before
    figures = report.figures(trials)
    assert figures["noticed"]["share"] == 0.6
    assert [mutant["verdict"] for mutant in figures["unnoticed"]] == ["survived", "not covered"]
    assert any("survived" in line and "room/numbers.py:5" in line for line in report.lines(figures))


def test_tests_that_fail_without_a_fault_are_known(small_tree):
    tree, covered = small_tree
    failing = KnownTest("tests/test_numbers.py::test_fails", 0.0, 1)
    tests = [*covered.tests.values(), failing]
    with Zygote(tree, []) as zygote:
        assert failing_without_a_fault(zygote, tests) == {failing.name}


def _covered(tests, import_seconds=()):
    return Coverage({test.name: test for test in tests}, {}, dict(import_seconds))


def test_narrow_and_quick_tests_come_first_and_what_does_not_fit_is_counted():
    narrow = [KnownTest(f"tests/a.py::narrow[{n}]", 0.1, 10) for n in range(20)]
    wide = [KnownTest(f"tests/b.py::wide_{n}", 5.0, 900) for n in range(20)]
    found = plan([*wide, *narrow], _covered([*wide, *narrow], {"tests/b.py": 2.0}), 30.0)
    assert set(found.rounds[0]) == set(narrow[:1] + [test for test in narrow if test in found.rounds[0]])
    assert len(found.rounds[0]) == 5
    assert set(narrow) <= {test for tests in found.rounds for test in tests}
    assert found.left_out == len(wide) - sum(test in wide for tests in found.rounds for test in tests) > 0


def test_tests_beside_those_that_execute_a_mutant_use_the_time_left():
    one, beside, other = (KnownTest(f"tests/{name}", 1.0, 5) for name in ("a.py::one", "a.py::beside", "b.py::other"))
    assert plan([one], _covered([one, beside, other]), 30.0) == Plan([[one], [beside]], 0)
    assert plan([], _covered([one]), 30.0) == Plan([], 0)


def test_the_command_describes_itself():
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.mutation", "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "--commit" in done.stdout


def test_shares_have_their_interval():
    drawn = draw(ROOT, files_of(ROOT, ["engine"])[:4], 10, 0)
    outcomes = [Outcome(Verdict.KILLED)] * 8 + [Outcome(Verdict.TIMED_OUT), Outcome(Verdict.SURVIVED, left_out=3)]
    found = report.figures(dict(zip(drawn, outcomes, strict=True)))
    assert found["noticed"]["share"] == 0.9
    low, high = found["noticed"]["wilson"]
    assert low == pytest.approx(0.596, abs=1e-3)
    assert high == pytest.approx(0.982, abs=1e-3)
    assert found["survived with tests left out"] == 1


def test_trials_are_kept_and_the_last_one_of_a_mutant_counts(tmp_path):
    one, two, three = draw(ROOT, files_of(ROOT, ["engine"])[:4], 3, 0)
    kept = Kept(tmp_path / "trials.jsonl")
    assert kept.read([one]) == {}
    kept.add(one, Outcome(Verdict.KILLED, "tests/a.py::b", 1.5, 3, 2))
    kept.add(two, Outcome(Verdict.SURVIVED))
    kept.add(one, Outcome(Verdict.TIMED_OUT))
    assert Kept(tmp_path / "trials.jsonl").read([one, two, three]) == {
        one: Outcome(Verdict.TIMED_OUT),
        two: Outcome(Verdict.SURVIVED),
    }
