"""Summaries of models of installed libraries against what the libraries themselves count and compute.

python -m benchmarks.summary --seed N [--torchvision 22 --timm 30 --keras 14] [--only NAME,…] [--as NAME]

Models are drawn with the seed from all that a library lists. A script of three lines makes each with its defaults and calls
it with one image; ``dllint`` reads the script. The truth: ``numel()`` of the parameters, the shapes that forward hooks see on
torch's meta device, ``FlopCounterMode``; ``count_params()`` and ``output`` of Keras's layers. A number is *exact* (costs:
within 1 %), *unknown* (dllint says that there may be more), or *WRONG*.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from typing import Any

from benchmarks import results
from benchmarks.summary import keras_models, torch_models
from benchmarks.summary.found import Found, summarised

COUNTS = {"torchvision": 22, "timm": 30, "keras": 14}


def main() -> None:
    """Measure and write the result file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=2311)
    parser.add_argument("--only", default="")
    parser.add_argument("--as", dest="name", default="summary")
    for library, count in COUNTS.items():
        parser.add_argument(f"--{library}", type=int, default=count)
    options = parser.parse_args()
    only = set(filter(None, options.only.split(",")))
    rows: list[dict[str, Any]] = []
    without_truth: list[str] = []
    for library in COUNTS:
        source = keras_models if library == "keras" else torch_models
        drawn = source.drawn(library, options.seed, getattr(options, library))
        for model in drawn:
            if only and model not in only:
                continue
            try:
                row = measured(source, library, model)
            except Exception as error:  # the model does not run on the meta device, or the counter fails
                print(f"{library:12} {model:36} no truth: {type(error).__name__}: {error}", flush=True)
                without_truth.append(model)
                continue
            rows.append({"library": library, "model": model, **row})
            print(_shown(rows[-1]), flush=True)
    totals = {kind: dict(Counter(row[kind] for row in rows)) for kind in ("parameters", "output", "mult_adds")}
    shapes: Counter[str] = Counter()
    for row in rows:
        shapes.update(row["shapes"])
    figures = {
        "seed": options.seed,
        "models": len(rows),
        "without_truth": without_truth,
        **totals,
        "module_calls": dict(shapes),
    }
    print(figures)
    if not only:
        print("written:", results.write(options.name, {**figures, "rows": rows}))
    sys.exit(any("WRONG" in (row["parameters"], row["output"], row["mult_adds"]) or row["shapes"]["WRONG"] for row in rows))


def measured(source: Any, library: str, model: str) -> dict[str, Any]:
    """The verdicts about one model."""
    started = time.process_time()
    found = summarised(source.script(library, model))
    seconds = time.process_time() - started
    truth = source.truth(library, model)
    if found is None:
        shapes = Counter({"unknown": len(truth.calls)})
        verdicts = {"parameters": "unknown", "output": "unknown", "mult_adds": "unknown"}
        return {**verdicts, "shapes": _all(shapes), "seconds": round(seconds, 2)}
    shapes = Counter(_of_calls(found, path, calls) for path, calls in truth.calls.items())
    return {
        "parameters": _of_number(found.parameters, truth.parameters, found.is_complete, 0.0),
        "output": _of_output(found.output, truth.output),
        "mult_adds": _of_number(found.mult_adds, truth.mult_adds, found.is_cost_complete, 0.01),
        "shapes": _all(shapes),
        "counted": [found.parameters, truth.parameters],
        "cost": [found.mult_adds, truth.mult_adds],
        "seconds": round(seconds, 2),
        "gaps": found.gaps,
        "wrong_calls": [
            [path, calls, found.calls.get(path)]
            for path, calls in truth.calls.items()
            if _of_calls(found, path, calls) == "WRONG"
        ][:3],
    }


def _all(shapes: Counter[str]) -> dict[str, int]:
    return {verdict: shapes[verdict] for verdict in ("exact", "unknown", "WRONG")}


def _of_number(ours: int | str, real: int, is_complete: bool, tolerance: float) -> str:
    if not isinstance(ours, int):
        return "unknown"
    if not is_complete:
        return "unknown" if ours <= real * (1 + tolerance) else "WRONG"
    return "exact" if abs(ours - real) <= tolerance * real else "WRONG"


def _of_output(ours: Any, real: Any) -> str:
    if ours == real:
        return "exact"
    return "unknown" if ours is None or "?" in str(ours) or _may_be(ours, real) else "WRONG"


def _of_calls(found: Found, path: str, real: list[Any]) -> str:
    """The shapes that the calls of a module gave, in order."""
    ours = found.calls.get(path, [])
    if ours == real:
        return "exact"
    if len(ours) < len(real) or any(one is None or "?" in str(one) for one in ours):
        return "unknown"
    return "unknown" if len(ours) == len(real) and all(map(_may_be, ours, real)) else "WRONG"


def _may_be(ours: Any, real: Any) -> bool:
    """Whether a shape with free sizes fits; None stands for one."""
    if isinstance(ours, list) and isinstance(real, list):
        return len(ours) == len(real) and all(map(_may_be, ours, real))
    if not isinstance(ours, tuple) or not isinstance(real, tuple) or len(ours) != len(real):
        return False
    return all(a is None or a == b for a, b in zip(ours, real, strict=True))


def _shown(row: dict[str, Any]) -> str:
    head = f"{row['library']:12} {row['model']:36} {row['parameters']:8} {row['output']:8} {row['mult_adds']:8} {row['shapes']}"
    more = [f"{row.get('counted')} {row.get('cost')} {row.get('gaps')}", str(row.get("wrong_calls") or "")]
    return "\n    ".join([head, *(more if head.count("exact") < 4 or "WRONG': 0" not in head else [])])


if __name__ == "__main__":
    main()
