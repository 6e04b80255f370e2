"""The fault suite of metric bisection: exact operators, benign twins, evaluations, beside four baselines.

python -m benchmarks.bisection.suite [--subjects resnet,transformer,gru] [--only NAME] [--smoke]

Three small models are trained on generated data, exported to ONNX, changed (``faults.py``) and bisected under ONNX Runtime with
accuracy on 1,024 samples as metric. A culprit is *exact* if it is the operator that was changed; a fault that costs less than
the smallest visible drop is counted apart. Writes ``results/bisection.json``.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import torch

from benchmarks import results
from benchmarks.bisection import baselines
from benchmarks.bisection.faults import Case, cases
from benchmarks.bisection.models import NAMES, Subject, trained
from dllint.bisection.candidates.onnx_runtime import OnnxCandidate
from dllint.bisection.result import Bisection, Verdict
from dllint.bisection.session import Laid, Opened, Options, laid_out, opened, searched
from dllint.bisection.spec import Spec
from dllint.bisection.steps import PREPROCESS

#: The drop that the baselines take for one: two points of accuracy.
TOLERANCE: Final = 0.02
#: One fault of each subject, and its twin.
SMOKE: Final = ("norm epsilon",)


def main() -> None:
    """Run the cases, print a line for each, and the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--subjects", default=",".join(NAMES))
    parser.add_argument("--only", default="")
    parser.add_argument("--smoke", action="store_true", help="one fault and its twin for each model; writes nothing")
    options = parser.parse_args()
    rows = []
    for name in options.subjects.split(","):
        rows += list(run_subject(name, SMOKE if options.smoke else (options.only,)))
    print(json.dumps(summary(rows), indent=1))
    if not options.smoke and not options.only:
        print(f"written: {results.write('bisection', {'summary': summary(rows), 'cases': rows}).name}")


def run_subject(name: str, only: Sequence[str], *, compare: bool = True) -> Iterator[dict[str, Any]]:
    """Train and export one model, run its cases; unless it is to be compared, without the baselines, which take most time."""
    subject = trained(name)
    with tempfile.TemporaryDirectory() as folder:
        clean = exported(subject, Path(folder) / "clean.onnx")
        for case in cases():
            if case.subject == name and any(case.name.startswith(wanted) for wanted in only):
                row = run_case(case, subject, clean, Path(folder), compare=compare)
                print(json.dumps(row), flush=True)
                yield row


def exported(subject: Subject, path: Path) -> onnx.ModelProto:
    """The model's graph, with batch normalisations left in it."""
    example = tuple(torch.from_numpy(array[:4]) for array in subject.inputs)
    free = tuple({0: torch.export.Dim.AUTO} for _ in example)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fold = subject.name != "resnet"
        torch.onnx.export(
            subject.model,
            example,
            str(path),
            dynamo=True,
            verbose=False,
            optimize=fold,
            dynamic_shapes=free,
            external_data=False,
        )
    return onnx.load(str(path))


def run_case(case: Case, subject: Subject, clean: onnx.ModelProto, folder: Path, *, compare: bool) -> dict[str, Any]:
    """One case: what was changed, what was found, and if asked for, what the baselines say."""
    changed = onnx.ModelProto()
    changed.CopyFrom(clean)
    expected = [name for edit in case.edits for name in edit(changed)] or [PREPROCESS]
    path = folder / "changed.onnx"
    onnx.save(changed, str(path))
    spec = Spec(
        folder,
        reference=subject.model,
        candidate=OnnxCandidate(path, optimise="none"),
        batches=[(subject.inputs, subject.targets)],
        per_sample=lambda outputs, targets: outputs.argmax(1) == targets,
        candidate_preprocess=case.prepare,
        batch_size=128,
    )
    start = time.perf_counter()
    both = opened(spec, Options())
    laid = laid_out(spec, Options(), both, quiet)
    found = searched(laid)
    seconds = time.perf_counter() - start
    row = {**judged(case, expected, found, laid), "seconds": round(seconds, 1)}
    return {**row, **_baselines(both, laid, expected, case)} if compare else row


def quiet(text: str) -> None:
    """No progress."""


def judged(case: Case, expected: Sequence[str], found: Bisection, laid: Laid) -> dict[str, Any]:
    """The row of a case."""
    named = [culprit.steps[-1].name for culprit in found.culprits if len(culprit.steps) == 1]
    drop = -found.contrast.difference
    return {
        "case": case.name,
        "subject": case.subject,
        "benign": case.benign,
        "expected": sorted({nearest(name, laid) for name in expected}),
        "found": named,
        "rows": [[step.name for step in culprit.steps] for culprit in found.culprits if len(culprit.steps) > 1],
        "acquitted": [acquittal.step.name for acquittal in found.acquitted],
        "verdict": found.verdict.value,
        "drop": round(drop, 4),
        "visible": round(found.smallest_visible_drop, 4),
        "operators": found.linear_sweep - 1,
        "evaluations": found.evaluations,
        "allowed": round(2 * math.log2(max(2, found.linear_sweep - 1)) + 4, 1),
    }


def nearest(name: str, laid: Laid) -> str:
    """The aligned value that is the first to show what an operator of the candidate does."""
    shown = {value: node for node, value in laid.bench.aligned.items()}
    behind, candidate = {name}, laid.bench.candidate
    for observable in candidate.observables:
        if observable.name in behind and observable.name in shown:
            return shown[observable.name]
        if behind.intersection(observable.inputs):
            behind.add(observable.name)
            if observable.name in shown:
                return shown[observable.name]
    return name


def _baselines(both: Opened, laid: Laid, expected: Sequence[str], case: Case) -> dict[str, Any]:
    inside = [step for step in laid.profile.steps if step.name != PREPROCESS]
    found = baselines.differences(laid.bench, inside, np.arange(64))
    by_prefix, evaluations = baselines.prefix(laid.trials, laid.profile, TOLERANCE)
    falls, sweep = baselines.linear(laid.trials, laid.profile, TOLERANCE)
    said: dict[str, list[str | None]] = {
        "largest difference": [baselines.largest(found, inside)],
        "first difference": [baselines.first(found, inside)],
        "prefix bisection": [by_prefix],
        "linear sweep": falls,
    }
    right = [] if case.benign else sorted({nearest(name, laid) for name in expected})
    named = {name: sorted(value for value in values if value) for name, values in said.items()}
    return {"baselines": {name: values == right for name, values in named.items()}, "prefix": evaluations, "sweep": sweep}


def summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Shares over the cases; a single fault counts if its drop can be seen with so many samples."""
    faults = [row for row in rows if not row["benign"]]
    visible = [row for row in faults if row["drop"] >= row["visible"]]
    single = [row for row in visible if len(row["expected"]) == 1]
    benign = [row for row in rows if row["benign"]]
    scored = [*visible, *benign]
    few = sum(row["evaluations"] <= row["allowed"] for row in single)
    others = scored[0]["baselines"] if scored else ()
    return {
        "faults": len(faults),
        "faults above the smallest visible drop": len(visible),
        "exact": sum(sorted(row["found"]) == row["expected"] for row in visible),
        "single faults within 2 log2 n + 4 evaluations": f"{few} of {len(single)}",
        "benign": len(benign),
        "benign accused": sum(bool(row["found"] or row["rows"]) for row in benign),
        "median evaluations": float(np.median([row["evaluations"] for row in single])) if single else None,
        "median operators": float(np.median([row["operators"] for row in single])) if single else None,
        "dllint": f"{sum(_right(row) for row in scored)} of {len(scored)}",
        **{name: f"{sum(row['baselines'][name] for row in scored)} of {len(scored)}" for name in others},
    }


def _right(row: dict[str, Any]) -> bool:
    if row["benign"]:
        return row["verdict"] in (Verdict.NO_DROP_SEEN.value, Verdict.EQUALLY_VALID.value)
    return bool(sorted(row["found"]) == row["expected"])


if __name__ == "__main__":
    main()
