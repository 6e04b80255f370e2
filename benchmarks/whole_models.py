"""Whole models: the output type inferred from a library's source against what the library itself computes.

python -m benchmarks.whole_models --torchvision --timm --keras [--only NAME] [--reasons]

The library's source is linked into a directory of its own, which is the workspace; a short driver builds the model with
its default configuration and applies it to one image. The truth is the model run on torch's meta device, or the output
shape of the Keras model. ``exact``: same shape and element type; ``unknown``: some part is not known; ``WRONG``: anything else.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks import results
from benchmarks.whole_model_list import SETS, Model
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.engine.coverage import Coverage, coverage_of
from dllint.ir.program import TensorVal
from dllint.ir.values import DictVal, Value, unwrap
from dllint.lower.document import lower_document
from dllint.lower.options import Options
from dllint.source.document import Document
from dllint.source.workspace import Workspace

TORCH_DRIVER = """import torch
from {module} import *
from {module} import {function}
model = {expression}
model.eval()
output = model(torch.randn(1, 3, {size}, {size}))
"""
KERAS_DRIVER = """import numpy as np
from {module} import {function}
model = {expression}
output = model(np.zeros((1, {size}, {size}, 3), dtype="float32"))
"""


def main() -> None:
    """Measure the chosen sets and write the result file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in SETS:
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--only", default="", help="comma-separated model names")
    parser.add_argument("--reasons", action="store_true", help="why values are unknown")
    options = parser.parse_args()
    only = set(filter(None, options.only.split(",")))
    figures = {name: measure(name, only, options.reasons) for name in SETS if getattr(options, name)}
    if not only:
        print("written:", results.write("whole_models", figures))
    sys.exit(any(row["verdict"] == "WRONG" for figure in figures.values() for row in figure["models"]))


def measure(library: str, only: set[str], reasons: bool) -> dict[str, Any]:
    """One library's models: verdicts and the share of tensor operations with known types."""
    rows: list[dict[str, Any]] = []
    total = Coverage()
    for model in SETS[library]:
        if only and model.name not in only:
            continue
        started = time.process_time()
        inferred, coverage, faults = infer(library, model)
        seconds = time.process_time() - started
        truth = actual(library, model)
        total.add(coverage)
        verdict = compare(inferred, truth)
        rows.append(
            {
                "model": model.name,
                "verdict": verdict,
                "inferred": inferred,
                "actual": truth,
                "faults": faults,
                "seconds": round(seconds, 2),
            }
        )
        share = coverage.shape / max(coverage.operations, 1)
        known = f"{coverage.operations} operations, {share:.0%} of shapes known"
        print(f"{model.name:28} {verdict:8} {inferred} {truth} {seconds:.1f}s {known}")
        for fault in faults:
            print("    fault:", fault)
        if reasons and verdict != "exact":
            print("   ", coverage.reasons.most_common(8))
    verdicts = Counter(row["verdict"] for row in rows)
    shares = {key: round(getattr(total, key) / max(total.operations, 1), 4) for key in ("rank", "shape", "dtype")}
    print(f"{library}: {dict(verdicts)} of {len(rows)}; known {shares} of {total.operations} tensor operations\n")
    return {"verdicts": verdicts, "operations": total.operations, "known": shares, "models": rows}


def infer(library: str, model: Model) -> tuple[Any, Coverage, list[str]]:
    """The output's type by abstract execution, the coverage of the model's trace, and the faults in it (none is true)."""
    driver = KERAS_DRIVER if library == "keras" else TORCH_DRIVER
    function = model.expression.partition("(")[0]
    text = driver.format(module=model.module, function=function, expression=model.expression, size=model.size)
    with tempfile.TemporaryDirectory() as folder:
        spec = importlib.util.find_spec(library)
        assert spec is not None
        assert spec.origin is not None
        (Path(folder) / library).symlink_to(Path(spec.origin).parent)
        document = Document.from_text(Path(folder) / "driver.py", text)
        lowered = lower_document(document, Workspace([Path(folder)]), Options(fuel=400_000, total_fuel=400_000))
    if lowered.failures:
        print("    failure:", lowered.failures[0])
    trace = lowered.programs[:1]
    faults = [f"{op.spelled}: {fault.kind} {fault.detail}" for program in trace for op in program.ops for fault in op.faults]
    return described(lowered.module.attrs.get("output")), coverage_of(trace), faults


def described(value: Value) -> Any:
    """An abstract output: (shape, type), a dict of them, or why it is not known."""
    value = unwrap(value)
    if isinstance(value, DictVal):
        return {str(key): described(part) for key, part in value.items.items()}
    if isinstance(value, tuple):
        return tuple(described(part) for part in value)
    if not isinstance(value, TensorVal):
        return repr(value) if isinstance(value, Unknown) else f"?{type(value).__name__}"
    shape = "?" if isinstance(value.shape, Unknown) else tuple(d if isinstance(d, int) else f"?{d}" for d in value.shape)
    return (shape, value.dtype.name if isinstance(value.dtype, DType) else "?")


def actual(library: str, model: Model) -> Any:
    """The output's type as the library computes it."""
    if library == "keras":
        os.environ.setdefault("KERAS_BACKEND", "torch")
        namespace = vars(importlib.import_module(model.module))
        output = eval(model.expression, namespace).output
        return ((1, *output.shape[1:]), str(output.dtype))
    torch = importlib.import_module("torch")
    from dllint.dev.libraries.torchvision_import import import_torchvision

    import_torchvision()
    namespace = vars(importlib.import_module(model.module))
    with torch.no_grad():
        try:
            with torch.device("meta"):
                built = eval(model.expression, namespace)
        except (NotImplementedError, RuntimeError):  # the constructor looks at numbers
            built = eval(model.expression, namespace).to("meta")
        return _concrete(built.eval()(torch.empty(1, 3, model.size, model.size, device="meta")))


def _concrete(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _concrete(part) for key, part in value.items()}
    return (tuple(value.shape), str(value.dtype).removeprefix("torch."))


def compare(inferred: Any, truth: Any) -> str:
    """``exact``, ``unknown`` or ``WRONG``."""
    if inferred == truth:
        return "exact"
    if isinstance(truth, dict) and isinstance(inferred, dict) and set(truth) == set(inferred):
        found = {compare(inferred[key], truth[key]) for key in truth}
        return "WRONG" if "WRONG" in found else "unknown"
    if isinstance(inferred, str):
        return "unknown"
    if isinstance(inferred, tuple) and len(inferred) == 2 and isinstance(truth, tuple):
        return "unknown" if _may_be(inferred, truth) else "WRONG"
    return "WRONG"


def _may_be(inferred: Any, truth: Any) -> bool:
    (shape, dtype), (true_shape, true_dtype) = inferred, truth
    if dtype not in ("?", true_dtype):
        return False
    if shape == "?":
        return True
    fits = len(shape) == len(true_shape)
    return fits and all(isinstance(d, str) or d == t for d, t in zip(shape, true_shape, strict=True))


if __name__ == "__main__":
    main()
