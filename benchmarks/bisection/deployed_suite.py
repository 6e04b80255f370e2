"""Faults in deployed networks as ONNX Runtime runs them, fully optimised, quantised or in half precision.

python -m benchmarks.bisection.deployed_suite [--networks conv16,vit,…] [--only NAME] [--write]

The networks of ``architectures.py`` have random weights; the metric is the agreement with their own answers. A development set:
the bisection was improved with these programs in view. *Exact* is a result that names the changed operators and no other.
Writes ``results/bisection-deployed.json``.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import results
from benchmarks.bisection.architectures import NAMES, Network, made
from benchmarks.bisection.deployments import Deployment, cases, deployed
from benchmarks.bisection.suite import nearest
from dllint.bisection.candidates.onnx_runtime import OnnxCandidate
from dllint.bisection.graph import Graph
from dllint.bisection.report.record import record
from dllint.bisection.result import Bisection, Verdict
from dllint.bisection.session import Laid, Options, laid_out, opened, searched
from dllint.bisection.spec import Spec


def main() -> None:
    """Run the cases, print a line for each, and the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", default=",".join(NAMES))
    parser.add_argument("--only", default="")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rows = []
    for name in options.networks.split(","):
        network = made(name)
        for case in cases(name):
            if options.only in case.name:
                rows.append(run_case(case, network))
                print(json.dumps(rows[-1]), flush=True)
    print(json.dumps(summary(rows), indent=1))
    if options.write:
        print(f"written: {results.write('bisection-deployed', {'summary': summary(rows), 'cases': rows}).name}")


def run_case(case: Deployment, network: Network) -> dict[str, Any]:
    """One case: what was changed and what was found."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        faulty = deployed(case, network, path)
        start = time.perf_counter()
        found, laid = bisected(path, network, case.level)
        seconds = time.perf_counter() - start
    graph = laid.bench.graph
    said = record(found, graph)
    return {
        "network": network.name,
        "case": case.name,
        "form": case.form,
        "level": case.level,
        "expected": sorted({nearest(named(value, graph), laid) for value in faulty}),
        "found": [culprit["operator"] for culprit in said["culprits"]],
        "rows": [len(culprit.steps) for culprit in found.culprits],
        "shares": [round(culprit.share, 3) for culprit in found.culprits],
        "suspected": [culprit.suspected for culprit in found.culprits],
        "verdict": found.verdict.value,
        "drop": round(-found.contrast.difference, 4),
        "visible": round(found.smallest_visible_drop, 4),
        "operators": found.linear_sweep - 1,
        "evaluations": found.evaluations,
        "allowed": round(2 * math.log2(max(2, found.linear_sweep - 1)) + 4, 1),
        "seconds": round(seconds, 1),
    }


def bisected(path: Path, network: Network, level: str) -> tuple[Bisection, Laid]:
    """The search over one model file, with accuracy as metric."""
    spec = Spec(
        path.parent,
        reference=network.model,
        candidate=lambda: OnnxCandidate(path, optimise=level),
        batches=[(network.inputs, network.targets)],
        per_sample=lambda outputs, targets: _right(outputs, targets, network.axis),
        batch_size=128,
    )
    both = opened(spec, Options())
    laid = laid_out(spec, Options(), both, lambda text: None)
    return searched(laid), laid


def _right(outputs: np.ndarray, targets: np.ndarray, axis: int) -> np.ndarray:
    right: np.ndarray = outputs.argmax(axis) == targets
    return right.reshape(len(right), -1).mean(1)


def named(value: str, graph: Graph) -> str:
    """The reference's node that a value stands for, whatever was put behind the value's name."""
    fits = [node.name for node in graph.nodes if value.startswith(f"{node.name}_")]
    return value if value in graph or not fits else max(fits, key=len)


def summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Shares over the cases; faults below the smallest visible drop are counted apart."""
    faults = [row for row in rows if row["expected"] and row["drop"] >= row["visible"]]
    single = [row for row in faults if len(row["expected"]) == 1]
    pairs = [row for row in faults if len(row["expected"]) > 1]
    fine = (Verdict.NO_DROP_SEEN.value, Verdict.EQUALLY_VALID.value)
    benign = [row for row in rows if not row["expected"]]
    return {
        "faults": sum(bool(row["expected"]) for row in rows),
        "visible": len(faults),
        "exact, single": f"{sum(row['found'] == row['expected'] for row in single)} of {len(single)}",
        "exact, pairs": f"{sum(sorted(row['found']) == row['expected'] for row in pairs)} of {len(pairs)}",
        "innocents": sum(len(set(row["found"]) - set(row["expected"])) for row in rows),
        "benign accused": f"{sum(bool(row['found']) for row in benign)} of {len(benign)}",
        "benign without a drop": sum(row["verdict"] in fine for row in benign),
        "within 2 log2 n + 4": f"{sum(row['evaluations'] <= row['allowed'] for row in faults)} of {len(faults)}",
    }


if __name__ == "__main__":
    main()
