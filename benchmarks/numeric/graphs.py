"""Numerical faults in the graphs of the labelled TensorFlow 1 programs, and the time a graph takes.

    python -m benchmarks.numeric.graphs --peers DIR

The programs run under ``tf.compat.v1`` until their graph is complete (:mod:`benchmarks.numeric.export`). ``dllint check`` gets
the graph alone; a finding counts for the source line that dllint traces its node to. Labels on lines from which no operation
of the graph was made are not counted. Result file: ``numeric-graphs.json``.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import measure, results
from benchmarks.recall import score

LABELS = Path(__file__).parents[1] / "recall" / "dev.jsonl"
#: Seconds per graph as DEBAR's talk and paper give them.
DEBAR_SECONDS = {"mean": 12.1, "known bugs": [1.7, 2.3], "real architectures": [2.6, 135.4]}
#: Other files of a folder that are tried for a labelled file that builds no graph by itself.
DRIVERS = 6


@dataclass
class Exported:
    """A graph, the program that builds it, and what ``dllint check`` says about it."""

    program: Path
    path: Path
    operations: int
    seconds: float = 0.0
    cpu_s: float = 0.0
    findings: list[dict[str, Any]] = field(default_factory=list)
    #: Lines of source files from which operations were made.
    lines: dict[str, set[int]] = field(default_factory=dict)


def main() -> None:
    """See the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--peers", type=Path, required=True)
    peers = parser.parse_args().peers.resolve()
    every = [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in every if row["set"] == "numeric" and row["framework"] == "tf1"]
    files = sorted({(row["repo"], row["path"]) for row in rows})
    roots = {file: peers / file[0].replace("/", "+") for file in files}
    present = [file for file in files if (roots[file] / file[1]).is_file()]
    with tempfile.TemporaryDirectory() as folder:
        graphs, failures = build([(roots[file] / file[1], roots[file]) for file in present], Path(folder))
        for graph in graphs:
            check(graph)
        figures = {
            "programs": {
                "labelled": len(files),
                "present": len(present),
                "with a graph": len(present) - len(failures),
                "graphs": len(graphs),
                "without": failures,
            },
            **scored(rows, graphs, peers),
            "seconds": seconds(graphs),
        }
    print(json.dumps({name: figures[name] for name in figures if name != "programs"}, indent=1))
    print(results.write("numeric-graphs", figures))


@dataclass(frozen=True)
class Answer:
    """What became of a program: why it ended (empty: it has come to use its graphs), and the graphs with their sizes."""

    error: str
    graphs: list[tuple[str, int]]


def build(programs: list[tuple[Path, Path]], folder: Path) -> tuple[list[Exported], dict[str, str]]:
    """The graphs of programs; of those without one, why. A file that builds none by itself gets that of a script beside it
    that imports it."""
    answers = export(programs, folder / "own")
    silent = [(path, root) for path, root in programs if not answers[path].graphs and not answers[path].error]
    drivers = {path: list(beside(path)) for path, _ in silent}
    tried = sorted({(driver, root) for path, root in silent for driver in drivers[path]})
    driven = export(tried, folder / "drivers")
    graphs: dict[Path, list[Exported]] = {}
    failures: dict[str, str] = {}
    for path, root in programs:
        candidates = [(path, answers[path]), *((driver, driven[driver]) for driver in drivers.get(path, ()))]
        found = next((item for item in candidates if item[1].graphs), None)
        if found is None:
            failures[str(path.relative_to(root))] = _why(candidates)
        else:
            driver, answer = found
            graphs.setdefault(driver, [Exported(driver, Path(file), count) for file, count in answer.graphs])
    return [graph for several in graphs.values() for graph in several], failures


def _why(candidates: list[tuple[Path, Answer]]) -> str:
    (_, own), *others = candidates
    told = [f"{driver.name}: {answer.error}" for driver, answer in others if answer.error]
    return own.error or "; ".join(["defines no graph by itself", *told])


def beside(path: Path) -> Iterable[Path]:
    """Scripts of the same and the outer folder that import a file."""
    imports = re.compile(rf"^\s*(?:from|import)\b.*\b{re.escape(path.stem)}\b", re.MULTILINE)
    near = [other for folder in (path.parent, path.parent.parent) for other in sorted(folder.glob("*.py"))]
    users = [other for other in near if other != path and imports.search(other.read_text("utf-8", "replace"))]
    return users[:DRIVERS]


def export(programs: list[tuple[Path, Path]], folder: Path) -> dict[Path, Answer]:
    """What becomes of programs when they are run to the first use of their graph."""
    folder.mkdir()
    command = [sys.executable, "-m", "benchmarks.numeric.export", str(folder)]
    given = json.dumps([[str(path), str(root)] for path, root in programs])
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if len(answers) != len(programs):
        sys.exit(f"the exporter failed: {done.stderr[-500:]}")
    return {Path(answer["program"]): Answer(answer["error"], answer["graphs"]) for answer in answers}


def check(graph: Exported) -> None:
    """Ask dllint about a graph; the time includes the start of the interpreter."""
    from dllint.lower.graphs.tensorflow.reading import read

    command = [sys.executable, "-m", "dllint", "check", "--isolated", "--no-cache", "--exit-zero", "--output-format", "json"]
    began = time.perf_counter()
    done = measure.run([*command, str(graph.path)])
    graph.seconds, graph.cpu_s = time.perf_counter() - began, done.cpu_s
    graph.findings = [finding for finding in json.loads(done.stdout) if finding["code"] in score.NUMERIC]
    lines: dict[str, set[int]] = defaultdict(set)
    for node in read(graph.path.read_bytes(), text=False).nodes:
        for frame in node.trace:
            lines[frame.path].add(frame.line)
    graph.lines = lines


@dataclass(frozen=True)
class Place:
    """A source line that a finding about a graph is traced to."""

    file: str
    line: int
    code: str


def places(graph: Exported) -> list[Place]:
    """The source lines of the errors and warnings about a graph."""
    out = []
    for finding in graph.findings:
        source = next((each for each in finding["related"] if each["filename"].endswith(".py")), None)
        if finding["severity"] in score.STRONG and source is not None:
            out.append(Place(source["filename"], source["location"]["row"], finding["code"]))
    return out


def scored(rows: list[dict[str, Any]], graphs: list[Exported], peers: Path) -> dict[str, Any]:
    """Labels against findings, by source line. Of a line with faults and guarded operations, a graph does not tell which is
    meant, so that such guarded ones are not counted."""
    reported = {place for graph in graphs for place in places(graph)}
    made: dict[str, set[int]] = defaultdict(set)
    for graph in graphs:
        for file, lines in graph.lines.items():
            made[file] |= lines
    present = []
    for row in rows:
        row["_file"] = str(score.root_of(row["repo"], peers, LABELS.parent) / row["path"])
        if made[row["_file"]] & set(lines_of(row)):
            present.append(row)
    faults = [row for row in present if row["status"] == "buggy"]
    faulty_lines = {(row["_file"], line) for row in faults for line in lines_of(row)}
    guarded = [row for row in present if row["status"] == "hard-negative" and not on(row, faulty_lines)]
    return {
        "labels in graphs": Counter(f"{row['status']}, {row['role']}" for row in present),
        "faults": {role: recall([row for row in faults if row["role"] == role], reported) for role in ("primary", "secondary")},
        "guarded operations": {"count": len(guarded), "reported": [row["id"] for row in guarded if hit(row, reported)]},
        "closed world": closed_world(rows, reported, made),
    }


def lines_of(row: dict[str, Any]) -> Iterable[int]:
    """The lines of a labelled operation."""
    return [*range(row["line"], (row.get("end_line") or row["line"]) + 1), *row["alt_lines"]]


def on(row: dict[str, Any], lines: set[tuple[str, int]]) -> bool:
    return any((row["_file"], line) in lines for line in lines_of(row))


def hit(row: dict[str, Any], reported: set[Place]) -> bool:
    """Whether a finding of the right rule is on the lines of a label."""
    wanted = set(lines_of(row))
    return any(p.file == row["_file"] and p.line in wanted and p.code in row["codes"] for p in reported)


def recall(faults: list[dict[str, Any]], reported: set[Place]) -> dict[str, Any]:
    missed = [row["id"] for row in faults if not hit(row, reported)]
    return {"count": len(faults), "found": len(faults) - len(missed), "missed": missed}


def closed_world(rows: list[dict[str, Any]], reported: set[Place], made: dict[str, set[int]]) -> dict[str, Any]:
    """Of the lines reported in programs all of whose dangerous operations are labelled, the share with a fault."""
    labelled = [row for row in rows if row["bench"] == score.CLOSED_WORLD]
    files = {row["_file"] for row in labelled}
    faulty = {(row["_file"], n) for row in labelled if row["status"] == "buggy" for n in lines_of(row)}
    open_ = {(row["_file"], n) for row in labelled if row["status"] == "ignore" for n in lines_of(row)}
    found = {(p.file, p.line) for p in reported if p.file in files} - open_
    wrong = sorted(f"{Path(file).name}:{line}" for file, line in found - faulty)
    return {
        "files": len([file for file in files if made[file]]),
        "lines reported": len(found),
        "precision": round(len(found & faulty) / max(len(found), 1), 3),
        "without a label of a fault": wrong,
    }


def seconds(graphs: list[Exported]) -> dict[str, Any]:
    """Time per graph, the start of the interpreter included, beside DEBAR's."""
    taken, cpu = [graph.seconds for graph in graphs], [graph.cpu_s for graph in graphs]
    return {
        "median": round(statistics.median(taken), 2),
        "worst": round(max(taken), 2),
        "median, of the processor": round(statistics.median(cpu), 2),
        "worst, of the processor": round(max(cpu), 2),
        "operations of the largest graph": max(graph.operations for graph in graphs),
        "DEBAR, published": DEBAR_SECONDS,
    }


if __name__ == "__main__":
    main()
