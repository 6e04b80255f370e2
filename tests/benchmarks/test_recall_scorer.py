"""The scorer of the labelled programs: told or warned, and what it says of lines without a label."""

from __future__ import annotations

import pytest

from benchmarks.recall.score import per_rule, score, tally, unlabelled

FILE, TWIN, CLEAN = "/peers/o+n/model.py", "/peers/o+n/fixed.py", "/peers/o+n/clean.py"


@pytest.fixture
def texts(tmp_path):
    """A faulty file of ten lines and its repair, which has one more line before the fault."""
    lines = [f"x{number} = {number}" for number in range(1, 11)]
    faulty, fixed = tmp_path / "faulty.py", tmp_path / "fixed.py"
    faulty.write_text("\n".join(lines))
    fixed.write_text("\n".join(["import this", *lines]))
    return str(faulty), str(fixed)


def row(status="buggy", line=3, file=FILE, twin=None, **more):
    """A label, as the manifest has it."""
    place = {"line": line, "end_line": line, "alt_lines": []} if line else {}
    name = {
        "id": f"{status}/{file}/{line}",
        "set": "numeric",
        "bench": "own",
        "framework": "torch",
        "repo": "o/n",
        "path": file,
    }
    rest = {"fault": "log", "codes": ["DLN101"], "status": status, "_file": file, "_twin": twin, "fixed_path": twin, "why": ""}
    return {**name, **rest, **place, **more}


def finding(line=3, code="DLN101", severity="warning", file=FILE):
    """A finding, as the runner keeps it."""
    return {"code": code, "severity": severity, "file": file, "row": line, "col": 1, "message": "it may be 0"}


def by_file(*findings):
    return {file: [one for one in findings if one["file"] == file] for file in {one["file"] for one in findings}}


@pytest.mark.parametrize(
    ("severity", "told", "warned"),
    [("error", True, True), ("warning", True, True), ("info", True, False), ("hint", True, False)],
)
def test_a_fault_is_told_at_any_level_and_warned_of_at_the_upper_two(severity, told, warned):
    label = row()
    score([label], [label], by_file(finding(severity=severity)))
    assert (label["_told"], label["_warned"], label["_detected"]) == (told, warned, warned)


def test_another_code_and_another_line_tell_nothing():
    label = row()
    score([label], [label], by_file(finding(code="DLN102", severity="hint"), finding(line=4)))
    assert (label["_told"], label["_warned"], label["_located"]) == (False, False, False)


def test_both_figures_are_in_the_table():
    labels = [row(line=line) for line in (3, 4, 5)] + [row("hard-negative", 6), row("hard-negative", 7)]
    alarms = score(labels, labels, by_file(finding(3), finding(4, severity="hint"), finding(6, severity="hint")))
    counts = tally(labels, alarms)["total"]
    assert (counts["buggy"], counts["told"], counts["warned"]) == (3, 2, 1)
    assert (counts["hard-negative"], counts["hard-negative_told"], counts["hard-negative_flagged"]) == (2, 1, 0)


def test_lines_without_a_label_are_counted(texts):
    faulty, fixed = texts
    label = row(line=3, file=faulty, twin=fixed)
    clean = row("clean", None, CLEAN)
    findings = by_file(
        finding(3, file=faulty),
        finding(5, "DLT101", "error", faulty),
        finding(6, "DLN104", "hint", faulty),
        finding(4, file=fixed),
        finding(3, "DLT101", "error", fixed),
        finding(1, "DLT101", "error", CLEAN),
    )
    alarms = score([label, clean], [label, clean], findings)
    found = unlabelled([label, clean], [label, clean], findings, alarms)
    assert [(one["severity"], one["code"], one["row"], one["file"]) for one in found] == [
        ("error", "DLT101", 5, f"o/n/{faulty}"),
        ("error", "DLT101", 3, f"o/n/{fixed}"),
    ]
    assert per_rule(found) == {"errors": {"all": 2, "DLT101": 2}, "warnings": {"all": 0}}


def test_a_label_of_another_set_is_a_label():
    here, other = row(line=3), row(line=5, set="shape")
    found = unlabelled([here], [here, other], by_file(finding(5, "DLT101", "error")), [])
    assert found == []


def test_a_seeded_fault_is_named_by_its_label():
    label = row(edit=[{"line": 3}])
    (one,) = unlabelled([label], [label], by_file(finding(9)), [])
    assert one["file"].endswith(f"({label['id']})")
