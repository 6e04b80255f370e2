"""Scores of diagnoses: what was found of a faulty program, what was said against a healthy one, and the figures over all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.diagnose.bounds import upper_bound
from benchmarks.diagnose.execution import Report, cold_start

#: What others have published. DeepDiagnosis' paper counts 53 faulty programs; the seconds are those of its talk's race.
PUBLISHED = {
    "DeepDiagnosis, fault localised": "34 of 53",
    "DeepDiagnosis, location and fix": "28 of 53",
    "DeepDiagnosis, median seconds": 13.7,
    "UMLAUT / DeepLocalize / AUTOTRAINER, seconds on one program": [104.65, 2.14, 495.83],
    "DeepDiagnosis, normal models flagged": "36 %",
}
_FLAGGED = ("error", "warning")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was right: the symptom (a code that the labels name), the line (one of those findings is told at a marked line, or
    its first fix edits one), and the fix (the first one that a trial has confirmed is of an accepted kind)."""

    symptom: bool
    line: bool
    fix: bool


def judge(report: Report) -> Verdict:
    """The verdict on the diagnosis of a faulty program. The fix is the one that ``--apply`` would write.

    Labels without codes (the second suite) leave symptom and fix to a reader: any finding counts as a symptom, no fix as right.
    """
    codes = report.program.codes
    expected = [finding for finding in report.findings if not codes or finding["code"] in codes]
    line = any(_is_at_a_marked_line(finding, report) for finding in expected)
    fix = next(filter(None, map(confirmed, report.findings)), None)
    return Verdict(bool(expected), line, fix is not None and fix["kind"] in report.program.accepted)


def _is_at_a_marked_line(finding: dict[str, Any], report: Report) -> bool:
    rows = {finding["location"]["row"]}
    if finding["fix"] is not None:
        rows |= {row for edit in finding["fix"]["edits"] for row in _rows(edit)}
    labels = report.program.lines
    if not report.program.codes:
        return not rows.isdisjoint(labels)
    return any(finding["code"] in labels.get(row, ()) for row in rows)


def _rows(edit: dict[str, Any]) -> range:
    """The lines that an edit changes."""
    first, last = edit["location"], edit["end_location"]
    is_before = last["column"] == 1 and last["row"] > first["row"]
    return range(first["row"], last["row"] + (not is_before))


def confirmed(finding: dict[str, Any]) -> dict[str, Any] | None:
    """The fix that is ranked first, if a trial has confirmed it: it removes the symptom, and is offered."""
    first = next(iter(finding.get("fixes", ())), None)
    offered = finding["fix"]
    if first is None or offered is None or not (first["tested"] and first["removed_symptom"]):
        return None
    return first if first["edits"] == offered["edits"] else None


def row_of_faulty(report: Report) -> dict[str, Any]:
    """What is written about a faulty program."""
    verdict = judge(report)
    return {
        "program": report.program.name,
        "framework": report.program.framework,
        "late": report.program.is_late,
        "symptom": verdict.symptom,
        "line": verdict.line,
        "fix": verdict.fix,
        "seconds": round(report.seconds, 1),
        "expected": sorted(report.program.codes),
        "lines": sorted(report.program.lines),
        "accepted": list(report.program.accepted),
        "findings": [_shown(finding) for finding in report.findings],
        "exit": report.status,
        "said": [] if report.findings else report.said.splitlines()[-3:],
    }


def row_of_healthy(report: Report) -> dict[str, Any]:
    """What is written about a run of a healthy program."""
    return {
        "program": report.program.name,
        "framework": report.program.framework,
        "seed": report.seed,
        "flagged": any(finding["severity"] in _FLAGGED for finding in report.findings),
        "seconds": round(report.seconds, 1),
        "findings": [_shown(finding) for finding in report.findings],
        "exit": report.status,
        "said": report.said.splitlines()[-3:] if report.status == 2 else [],
    }


def _shown(finding: dict[str, Any]) -> dict[str, Any]:
    tried = [_told(fix) for fix in finding.get("fixes", ())[:3]]
    best = confirmed(finding)
    return {
        "code": finding["code"],
        "symptom": finding.get("symptom"),
        "severity": finding["severity"],
        "row": finding["location"]["row"],
        "confirmed": best["kind"] if best is not None else None,
        "message": finding["message"],
        "fixes": tried,
    }


def _told(fix: dict[str, Any]) -> str:
    if not fix["tested"]:
        return f"{fix['kind']}: {fix['message']} (not tried)"
    change = f"{fix['measure']} {fix['before']:.3g} to {fix['after']:.3g}"
    return f"{fix['kind']}: {fix['message']} (symptom {'removed' if fix['removed_symptom'] else 'stays'}, {change})"


def summary_of_faulty(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Shares of right answers, and seconds to the verdict with the start of Python and its imports, and without."""
    warm = [row["seconds"] - cold_start(row["framework"]) for row in rows]
    return {
        "programs": len(rows),
        **_shares(rows),
        "programs written after the improvements": _shares([row for row in rows if row["late"]]),
        "seconds": {**_times([row["seconds"] for row in rows]), "after imports": _times(warm)},
        "imports": {name: round(cold_start(name), 1) for name in sorted({row["framework"] for row in rows})},
        "published": PUBLISHED,
    }


def summary_of_healthy(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Programs that were flagged with any seed, and the exact upper bound of the share at 95 % confidence."""
    names = {row["program"] for row in rows}
    flagged = sorted({row["program"] for row in rows if row["flagged"]})
    return {
        "programs": len(names),
        "runs": len(rows),
        "flagged": flagged,
        "share": round(len(flagged) / max(len(names), 1), 4),
        "95 % upper bound": round(upper_bound(len(flagged), len(names)), 4),
        "not diagnosed": sorted({row["program"] for row in rows if row["exit"] == 2}),
        "seconds": _times([row["seconds"] for row in rows]),
        "published": PUBLISHED["DeepDiagnosis, normal models flagged"],
    }


def _shares(rows: Sequence[dict[str, Any]]) -> dict[str, str]:
    right = {what: sum(row[what] for row in rows) for what in ("symptom", "line", "fix")}
    return {f"{what} right": f"{count} of {len(rows)} ({count / max(len(rows), 1):.0%})" for what, count in right.items()}


def _times(seconds: Sequence[float]) -> dict[str, float]:
    return {"median": round(median(seconds), 1), "worst": round(max(seconds), 1)} if seconds else {}
