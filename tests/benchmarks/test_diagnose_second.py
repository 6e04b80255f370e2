"""The layout of the second suite for ``diagnose``: each entry has its program and its twin, which differ by the repair only."""

import ast
import json
from difflib import SequenceMatcher

import pytest

from benchmarks.diagnose.kept import Kept
from benchmarks.diagnose.second.suite import DIGEST, HOME, Entry, digest, entries, programs

ENTRIES = entries()


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_entry_is_whole(entry: Entry):
    assert entry.source.startswith("https://")
    assert all((entry.symptom, entry.repair, entry.faulty_output, entry.repaired_output))
    assert entry.faulty_output != entry.repaired_output
    ast.parse(entry.repaired.read_text(encoding="utf-8"))
    rows = entry.faulty.read_text(encoding="utf-8").splitlines()
    ast.parse("\n".join(rows))
    assert entry.lines
    assert all(rows[row - 1].strip() for row in entry.lines)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_twin_differs_by_the_repair_only(entry: Entry):
    faulty, repaired = (path.read_text(encoding="utf-8").splitlines() for path in (entry.faulty, entry.repaired))
    blocks = [block for block in SequenceMatcher(None, faulty, repaired, autojunk=False).get_opcodes() if block[0] != "equal"]
    changed = {row + 1 for _, first, last, *_ in blocks for row in range(first, last)}
    assert sum(max(b - a, d - c) for _, a, b, c, d in blocks) <= 8
    assert changed <= set(entry.lines)


def test_no_program_is_without_entry_and_none_gives_itself_away():
    names = {entry.name for entry in ENTRIES}
    for kind in ("faulty", "repaired"):
        assert {path.stem for path in (HOME / kind).glob("*.py")} == names
    for path in (HOME / "faulty").glob("*.py"):
        text = path.read_text(encoding="utf-8").lower()
        assert not any(word in text for word in ("# bug", "# fault", "# wrong", "# expect", "# accept", "fixme"))


def test_healthy_programs_parse():
    for program in programs("healthy"):
        ast.parse(program.path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("number", [1, 2])
def test_the_fresh_judgements_count_their_verdicts_on_programs_of_the_suite(number):
    judged = json.loads((HOME.parents[1] / "results" / f"diagnose-second-{number}.json").read_text(encoding="utf-8"))
    rows = {row["program"]: row for row in judged["rows"]}
    lines = {entry.name: list(entry.lines) for entry in ENTRIES}
    assert len(rows) == len(judged["rows"]) == judged["faulty"]
    assert all(rows[name]["lines"] == lines[name] for name in rows)
    for what in ("symptom", "line", "repair"):
        right = sum(row["verdict"][what] for row in rows.values())
        assert judged[f"{what} right"].startswith(f"{right} of {len(rows)} ")
    for kind in ("repaired", "healthy"):
        assert judged["flagged"][kind]["flagged"] == sorted({row["program"] for row in judged[kind] if row["flagged"]})


def test_a_run_that_was_cut_goes_on(tmp_path):
    kept = Kept(tmp_path / "rows.jsonl")
    kept.add("faulty", "a", 0, {"exit": 1})
    kept.add("faulty", "a", 0, {"exit": 2})
    again = Kept(tmp_path / "rows.jsonl")
    assert again.get("faulty", "a", 0) == {"exit": 1}
    assert again.get("healthy", "a", 0) is again.get("faulty", "a", 1) is None


def test_suite_is_unchanged():
    assert DIGEST.read_text(encoding="utf-8").split()[0] == digest()
