"""Score dllint on the labelled programs and write the result file.

python -m benchmarks.recall.run --peers DIR [--set shape] [--framework torch,keras] [--missed] [--false-alarms] [--unlabelled]

The labels, the scorer and the authored programs stand beside this file; public repositories lie in DIR as
``owner+name`` and unzipped wheels as ``pypi+NAME`` (absent ones are counted as not present, never as passed).
The share of tensor operations with known shape is measured on the same files and written beside the score.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks import results
from benchmarks.recall.score import root_of

HERE = Path(__file__).parent
#: The releases that the labels are for: what TensorFlow 1 had lost by its end, what torch and Keras lack today.
RELEASES = ("tensorflow==1.15.5", "torch==2.13.0", "keras==3.15.1")
CHECK = f"{sys.executable} -m dllint check --output-format json --isolated --no-cache --exit-zero --show-hints" + "".join(
    f" --target {release}" for release in RELEASES
)


def main() -> None:
    """Run the scorer, print its tables, write ``results/recall-<set>.json``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--set", default="")
    options, rest = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "score.json"
        command = [
            sys.executable,
            str(HERE / "score.py"),
            str(HERE / "dev.jsonl"),
            "--peers",
            str(options.peers),
            "--tool",
            CHECK,
        ]
        command += ["--json", str(out), *(["--set", options.set] if options.set else []), *rest]
        subprocess.run(command, check=True)
        figures = json.loads(out.read_text(encoding="utf-8"))
    known = coverage(figures["rows"], options.peers)
    print("\ncoverage: share of tensor operations with known rank, shape and type, on the same files (no seeded edits)")
    for bench, share in known.items():
        print(f"  {bench:24}" + "  ".join(f"{key} {value}" for key, value in share.items()))
    path = results.write(
        f"recall-{options.set or 'all'}".replace(",", "-"), summary(figures, options.peers) | {"coverage": known}
    )
    print(f"written: {path.name}")


def coverage(scored: list[dict[str, Any]], peers: Path) -> dict[str, dict[str, float]]:
    """Per benchmark, how much dllint knows about the tensor operations of its files."""
    labels = {row["id"]: row for row in map(json.loads, (HERE / "dev.jsonl").read_text(encoding="utf-8").splitlines())}
    files: dict[str, set[str]] = {}
    for row in scored:
        label = labels[row["id"]]
        path = root_of(label["repo"], peers.resolve(), HERE) / label["path"]
        if row["present"] and not label.get("edit") and path.is_file():
            files.setdefault(row["bench"], set()).add(str(path))
    return {bench: share(sorted(paths)) for bench, paths in sorted(files.items())}


def share(files: list[str]) -> dict[str, float]:
    """The shares over some files, by ``dllint dev coverage``."""
    command = [sys.executable, "-m", "dllint", "dev", "coverage", "--output-format", "json", "--reasons", "0", *files]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["all"]
    return {"files": len(files), **{key: round(found[key], 3) for key in ("operations", "rank", "shape", "dtype")}}


def summary(figures: dict[str, Any], peers: Path) -> dict[str, Any]:
    """The figures worth keeping, with this machine's paths removed."""
    short = {str(peers.resolve()): "PEERS", str(HERE): "benchmarks/recall"}

    def relative(text: str) -> str:
        for long, name in short.items():
            text = text.replace(long, name)
        return text

    wanted = [r for r in figures["rows"] if r["status"] == "buggy" and r["present"] and r["headline"]]
    kept = ("kind", "code", "severity", "row", "id")
    alarms = [{k: a[k] for k in kept} | {"file": relative(a["file"])} for a in figures["false_alarms"]]
    return {
        "by_set": figures["by_set"],
        "by_bench": figures["by_bench"],
        "closed_world": figures["closed_world"],
        "failed": figures["failed"],
        "unlabelled": figures["unlabelled"],
        "false_alarms": alarms,
        "missed": [r["id"] for r in wanted if not r["detected"]],
    }


if __name__ == "__main__":
    main()
