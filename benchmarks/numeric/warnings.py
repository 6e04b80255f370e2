"""Findings of DLN rules and about indices in released packages: errors, warnings per 10,000 lines, and a sample of warnings
that was judged by reading.

python -m benchmarks.numeric.warnings --peers DIR [--only transformers,timm] [--sample 100] [--seed 20261121]

DIR holds unzipped wheels as ``pypi+NAME``. Absent ones are *not present*. The judgements stand in ``judged.jsonl`` beside this
file: package, file, code, the text of the line, verdict (*true*: some input or weight within its legal range makes the
number non-finite; *false*: none can) and the reason. A finding is known again by its text, so that line numbers may move.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks import results
from benchmarks.measure import run

PACKAGES = ("timm", "torchvision", "transformers", "diffusers", "keras")
JUDGED = Path(__file__).with_name("judged.jsonl")
CHECK = [sys.executable, "-m", "dllint", "check", "--isolated", "--no-cache", "--exit-zero", "--select", "DLN,DLT116,DLD116"]


def main() -> None:
    """Check the packages, print a table and the sample, write ``results/numeric-warnings.json``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--only", default=",".join(PACKAGES))
    parser.add_argument("--sample", type=int, default=100)
    parser.add_argument("--seed", type=int, default=20261121)
    options = parser.parse_args()
    judged = judgements()
    figures: dict[str, Any] = {"packages": {}}
    warnings: list[dict[str, Any]] = []
    for name in options.only.split(","):
        root = options.peers / f"pypi+{name}"
        if not root.is_dir():
            figures["packages"][name] = "not present"
            continue
        found = findings(root, name)
        figures["packages"][name] = counted(root, found, judged)
        warnings += [finding for finding in found if finding["severity"] == "warning"]
        print(name, json.dumps(figures["packages"][name]), flush=True)
    figures["sample"] = sampled(warnings, judged, options.sample, options.seed)
    print(json.dumps({key: value for key, value in figures["sample"].items() if key != "findings"}))
    print(f"written: {results.write('numeric-warnings', figures).name}")


def judgements() -> dict[tuple[str, ...], dict[str, str]]:
    """What was judged, by :func:`key`."""
    if not JUDGED.is_file():
        return {}
    rows = [json.loads(line) for line in JUDGED.read_text(encoding="utf-8").splitlines() if line]
    return {key(row): row for row in rows}


def key(row: dict[str, Any]) -> tuple[str, ...]:
    """What a finding is known by: everything but its line number."""
    return row["package"], row["file"], row["code"], row["text"]


def findings(root: Path, package: str) -> list[dict[str, Any]]:
    """The errors and warnings of one package, each with the text of its line."""
    done = run([*CHECK, "--output-format", "json", str(root)])
    if done.code:
        sys.exit(f"dllint check ended with {done.code}: {done.stderr[-2000:]}")
    return [row(root, package, finding) for finding in json.loads(done.stdout)]


def row(root: Path, package: str, finding: dict[str, Any]) -> dict[str, Any]:
    """A finding with what it is known by."""
    path = Path(finding["filename"])
    line = finding["location"]["row"]
    text = path.read_text(encoding="utf-8").splitlines()[line - 1].strip()
    place = {"package": package, "file": path.relative_to(root).as_posix(), "line": line}
    told = {name: finding[name] for name in ("code", "severity", "message")}
    return {**place, **told, "text": text}


def counted(root: Path, found: list[dict[str, Any]], judged: dict[tuple[str, ...], dict[str, str]]) -> dict[str, Any]:
    """Figures of one package; errors are listed, with their verdict."""
    lines = sum(path.read_bytes().count(b"\n") for path in root.rglob("*.py"))
    warnings = [finding for finding in found if finding["severity"] == "warning"]
    return {
        "lines": lines,
        "warnings": len(warnings),
        "warnings_per_10000_lines": round(len(warnings) / lines * 10_000, 2),
        "by_code": dict(sorted(Counter(finding["code"] for finding in warnings).items())),
        "errors": [with_verdict(finding, judged) for finding in found if finding["severity"] == "error"],
    }


def with_verdict(finding: dict[str, Any], judged: dict[tuple[str, ...], dict[str, str]]) -> dict[str, Any]:
    """A finding with what was judged of it, or *not judged*."""
    known = judged.get(key(finding))
    verdict = {"verdict": known["verdict"], "reason": known["reason"]} if known else {"verdict": "not judged"}
    return {**finding, **verdict}


def sampled(
    warnings: list[dict[str, Any]], judged: dict[tuple[str, ...], dict[str, str]], size: int, seed: int
) -> dict[str, Any]:
    """A random sample without replacement of all packages' warnings, with verdicts."""
    ordered = sorted(warnings, key=lambda finding: (*key(finding), finding["line"]))
    chosen = random.Random(seed).sample(ordered, min(size, len(ordered)))
    rows = [with_verdict(finding, judged) for finding in chosen]
    return {"of": len(ordered), "seed": seed, "verdicts": dict(Counter(r["verdict"] for r in rows)), "findings": rows}


if __name__ == "__main__":
    main()
