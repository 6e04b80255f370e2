"""Whole packages and one cold file: CPU seconds and peak memory, as multiples of parsing alone in the same run.

python -m benchmarks.speed.corpus --peers DIR [--only transformers,timm] [--rounds 3]

DIR holds unzipped wheels as ``pypi+NAME`` (``pip download --no-deps NAME``, then unzip). Absent ones are *not present*.
The parse yardstick runs in its own process with the garbage collector off, interleaved with dllint, so the ratio holds
while the machine's speed drifts. A file whose check fails or runs out of time counts as a crash.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks import results
from benchmarks.measure import Measured, run

PACKAGES = ("transformers", "diffusers", "keras", "timm", "torchvision")
CHECK = [
    sys.executable,
    "-m",
    "dllint",
    "check",
    "--isolated",
    "--no-cache",
    "--exit-zero",
    "-j",
    "1",
    "--output-format",
    "json",
]
IMPORT_AND_PARSE = "import gc; gc.disable(); import sys, libcst; libcst.parse_module(open(sys.argv[1], 'rb').read())"


def main() -> None:
    """Measure, print a table, write ``results/speed.json``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--only", default=",".join(PACKAGES))
    parser.add_argument("--rounds", type=int, default=5, help="pairs for the cold single file")
    options = parser.parse_args()
    figures: dict[str, Any] = {"packages": {}}
    for name in options.only.split(","):
        root = options.peers / f"pypi+{name}"
        figures["packages"][name] = package(root) if root.is_dir() else "not present"
        print(name, json.dumps(figures["packages"][name]), flush=True)
    models = sorted((options.peers / "pypi+timm" / "timm" / "models").glob("*.py"))
    figures["cold_file"] = cold(min(models, key=off_1000_lines), options.rounds) if models else "not present"
    print("cold file", json.dumps(figures["cold_file"]))
    print(f"written: {results.write('speed', figures).name}")


def off_1000_lines(path: Path) -> int:
    """How far a file is from 1000 lines."""
    return abs(path.read_bytes().count(b"\n") - 1000)


def package(root: Path) -> dict[str, Any]:
    """Parse all files of a package, check all of them, compare."""
    files = sorted(str(p) for p in root.rglob("*.py"))
    with tempfile.NamedTemporaryFile("w", suffix=".json") as listing:
        json.dump(files, listing)
        listing.flush()
        parse = run([sys.executable, "-m", "benchmarks.speed.parse_all", listing.name])
    check = run([*CHECK, str(root)])
    return {
        **json.loads(parse.stdout),
        "parse_cpu_s": round(parse.cpu_s, 2),
        "check_cpu_s": round(check.cpu_s, 2),
        "times_parse": round(check.cpu_s / parse.cpu_s, 2),
        "peak_mib": round(check.peak_mib),
        **verdict(check, str(root.parent)),
    }


def verdict(check: Measured, folder: str) -> dict[str, Any]:
    """Findings by severity, and what went wrong; ``folder`` is left out of the file names."""
    try:
        found = json.loads(check.stdout)
    except ValueError:
        return {"exit": check.code, "error": check.stderr[-300:]}
    counts = {s: sum(f["severity"] == s for f in found) for s in ("error", "warning")}
    notices = [line.replace(f"{folder}/", "") for line in check.stderr.splitlines() if line]
    return {"exit": check.code, **counts, "notices": notices[:20]}


def cold(sample: Path, rounds: int) -> dict[str, Any]:
    """One cold process per tool on one file of about 1000 lines, in turn; medians and the median of the pairwise ratio."""
    pairs = []
    for _ in range(rounds):
        parse = run([sys.executable, "-c", IMPORT_AND_PARSE, str(sample)])
        pairs.append((run([*CHECK, str(sample)]).cpu_s, parse.cpu_s))
    checks, parses = zip(*pairs, strict=True)
    return {
        "file": "/".join(sample.parts[-3:]),
        "lines": sample.read_bytes().count(b"\n"),
        "rounds": rounds,
        "import_and_parse_cpu_s": round(statistics.median(parses), 3),
        "check_cpu_s": round(statistics.median(checks), 3),
        "times": round(statistics.median(c / p for c, p in pairs), 2),
    }


if __name__ == "__main__":
    main()
