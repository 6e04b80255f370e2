"""Builds the forty deployed models, says what each one costs, and compares that with the table in ``entries.json``.

python -m benchmarks.bisection.second.suite [--check] [--write] [--only TEXT] [--digest]

``built(name)`` gives one entry for a runner: the trained network, samples with targets, a metric for each sample, and the bytes
of the reference and of the candidate as ONNX models. The same seeds give the same models on one machine and release of torch;
elsewhere the weights differ slightly, so ``--check`` allows the drops a margin.
"""

from __future__ import annotations

import argparse
import copy
import functools
import hashlib
import json
import logging
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import onnxruntime
import torch
from onnxruntime import quantization
from onnxruntime.transformers.float16 import convert_float_to_float16

from benchmarks.bisection.second.candidates import BENIGN, CANDIDATES, HALF, INT8, PAIR, Candidate
from benchmarks.bisection.second.edits import Draft, in_order, origin, pruned
from benchmarks.bisection.second.models import Subject, subject

TABLE: Final = Path(__file__).with_name("entries.json")
_BATCH: Final = 128
#: How far a drop may lie from the table: so much, or this share of it.
_MARGIN, _SHARE = 0.03, 0.25
#: How far the metric of the network in torch may lie from that of its export.
_EXPORTED: Final = 2e-3
_LEVELS: Final = {
    "disable": onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL,
    "basic": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC,
    "extended": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED,
    "all": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL,
}


@dataclass(frozen=True)
class Built:
    """One entry: ``candidate`` is run at ``level``. Each of ``culprits`` is the place of one fault: the output of the node that
    is wrong, then other names of that place (of roundings of the value, or of the same call in torch's program)."""

    name: str
    subject: Subject
    reference: bytes
    candidate: bytes
    level: str
    culprits: tuple[tuple[str, ...], ...]


@functools.cache
def _exported(name: str, early: bool, opset: int) -> bytes:
    """The network as torch exports it, for batches of any size."""
    made = subject(name)
    batch = torch.export.Dim("batch", min=2, max=4096)
    inputs = tuple(torch.from_numpy(array[:4]) for array in made.inputs)
    logging.disable(logging.WARNING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.onnx.export(
            copy.deepcopy(made.early if early else made.model),
            inputs,
            dynamo=True,
            opset_version=opset,
            dynamic_shapes=tuple({0: batch} for _ in inputs),
            verbose=False,
        )
    logging.disable(logging.NOTSET)
    if program is None:
        raise ValueError(f"{name} could not be exported")
    model = program.model_proto
    del model.graph.value_info[:]
    return bytes(model.SerializeToString())


class _Reader(quantization.CalibrationDataReader):
    """The first samples, in two batches."""

    def __init__(self, names: list[str], arrays: tuple[np.ndarray, ...]) -> None:
        self._batches = iter([{name: array[at : at + 64] for name, array in zip(names, arrays, strict=True)} for at in (0, 64)])

    def get_next(self) -> dict[str, np.ndarray] | None:
        return next(self._batches, None)


def _quantised(model: onnx.ModelProto, made: Subject) -> onnx.ModelProto:
    with tempfile.TemporaryDirectory() as folder:
        plain, small = Path(folder, "plain.onnx"), Path(folder, "int8.onnx")
        onnx.save(model, plain)
        logging.disable(logging.WARNING)
        quantization.quantize_static(
            plain,
            small,
            _Reader([value.name for value in model.graph.input], made.inputs),
            quant_format=quantization.QuantFormat.QDQ,
            per_channel=True,
        )
        logging.disable(logging.NOTSET)
        return onnx.load(small)


def _assembled(candidate: Candidate, faults: tuple[int, ...]) -> tuple[onnx.ModelProto, list[tuple[str, ...]]]:
    """The candidate with some of its faults, and their places."""
    made = subject(candidate.subject)
    draft = Draft(
        onnx.load_from_string(_exported(candidate.subject, False, candidate.opset)),
        lambda: onnx.load_from_string(_exported(candidate.subject, True, candidate.opset)),
    )
    every, culprits = (*candidate.faults, *candidate.late), []
    for i, edit in enumerate(candidate.faults):
        culprits += edit(draft) if i in faults else []
    for edit in candidate.decoys:
        edit(draft)
    if candidate.form == HALF:
        kept = [place.find(draft.model).name for place in candidate.kept]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            draft.model = convert_float_to_float16(
                draft.model, keep_io_types=True, disable_shape_infer=True, node_block_list=kept
            )
        in_order(draft.model)
    pruned(draft.model)
    if candidate.form == INT8:
        draft.model = _quantised(draft.model, made)
    for i, edit in enumerate(every):
        if i >= len(candidate.faults) and i in faults:
            culprits += edit(draft)
    pruned(draft.model)
    onnx.checker.check_model(draft.model)
    return draft.model, [_place(names, candidate, draft.model) for names in culprits]


def _place(names: list[str], candidate: Candidate, model: onnx.ModelProto) -> tuple[str, ...]:
    """The names of a fault's place that the candidate has, and those that come from the same call in torch's program."""
    outputs = {name for node in model.graph.node for name in node.output}
    if names[0] not in outputs:
        raise LookupError(f"{candidate.name}: {names[0]} is no output of the candidate")
    original = onnx.load_from_string(_exported(candidate.subject, False, candidate.opset))
    calls = {origin(node) for node in original.graph.node if set(names) & set(node.output)}
    same = [name for node in original.graph.node if origin(node) in calls for name in node.output]
    return tuple(dict.fromkeys(name for name in (*names, *same) if name in outputs))


def scores(model: bytes, made: Subject, level: str) -> np.ndarray:
    """The metric of each sample, as ONNX Runtime computes it on the processor."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = _LEVELS[level]
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    names = [value.name for value in session.get_inputs()]
    outputs = [
        session.run(None, {name: array[at : at + _BATCH] for name, array in zip(names, made.inputs, strict=True)})[0]
        for at in range(0, len(made.targets), _BATCH)
    ]
    return made.per_sample(np.concatenate(outputs), made.targets)


def _torch_metric(made: Subject) -> float:
    with torch.no_grad():
        inputs = [torch.from_numpy(array) for array in made.inputs]
        outputs = [made.model(*(array[at : at + _BATCH] for array in inputs)) for at in range(0, len(made.targets), _BATCH)]
    return float(made.per_sample(torch.cat(outputs).numpy(), made.targets).mean())


def find(name: str) -> Candidate:
    """A candidate by its name."""
    return next(candidate for candidate in CANDIDATES if candidate.name == name)


def built(name: str) -> Built:
    """One entry, for a runner."""
    candidate = find(name)
    count = len(candidate.faults) + len(candidate.late)
    model, culprits = _assembled(candidate, tuple(range(count)))
    reference = _exported(candidate.subject, False, 20)
    return Built(name, subject(candidate.subject), reference, model.SerializeToString(), candidate.level, tuple(culprits))


def measured(candidate: Candidate) -> dict[str, Any]:
    """The row of the table: places, metric of both, drop with its standard error; for a pair also each fault alone."""
    entry = built(candidate.name)
    before = scores(entry.reference, entry.subject, "all")
    trained = _torch_metric(entry.subject)
    if abs(trained - before.mean()) > _EXPORTED:
        raise ValueError(f"{candidate.subject}: {trained} in torch and {before.mean()} in ONNX Runtime")
    after = scores(entry.candidate, entry.subject, candidate.level)
    row: dict[str, Any] = {
        "name": candidate.name,
        "architecture": candidate.subject,
        "kind": candidate.kind,
        "form": candidate.form,
        "level": candidate.level,
        "opset": candidate.opset,
        "metric": entry.subject.metric,
        "culprits": [list(names) for names in entry.culprits],
        "reference": round(float(before.mean()), 4),
        "candidate": round(float(after.mean()), 4),
        "drop": round(float((before - after).mean()), 4) + 0.0,
        "standard_error": round(float((before - after).std() / len(before) ** 0.5), 5),
    }
    if candidate.kind == PAIR:
        row["drop_of_each_alone"] = []
        for i in range(2):
            model, _ = _assembled(candidate, (i,))
            alone = scores(model.SerializeToString(), entry.subject, candidate.level)
            row["drop_of_each_alone"].append(round(float((before - alone).mean()), 4))
    return row


def digest() -> str:
    """Of this folder's programs and table."""
    total = hashlib.sha256()
    for path in sorted(Path(__file__).parent.iterdir()):
        if path.suffix in (".py", ".json"):
            total.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()


def check(rows: list[dict[str, Any]], table: dict[str, dict[str, Any]]) -> list[str]:
    """What differs from the table beyond its margin."""
    wrong = []
    for row in rows:
        known = table.get(row["name"])
        if known is None:
            wrong.append(f"{row['name']}: not in the table")
            continue
        if row["culprits"] != known["culprits"]:
            wrong.append(f"{row['name']}: places {row['culprits']} instead of {known['culprits']}")
        margin = max(_MARGIN, _SHARE * abs(known["drop"]))
        if row["kind"] == BENIGN:
            margin = _MARGIN / 2
        if abs(row["drop"] - known["drop"]) > margin:
            wrong.append(f"{row['name']}: a drop of {row['drop']} instead of {known['drop']}")
    return wrong


def main() -> int:
    """Measure, and compare or write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the table")
    parser.add_argument("--write", action="store_true", help="write the table")
    parser.add_argument("--only", default="", help="only entries whose name contains this")
    parser.add_argument("--digest", action="store_true", help="print the digest of the suite and do nothing else")
    options = parser.parse_args()
    if options.digest:
        print(digest())
        return 0
    rows = []
    for candidate in CANDIDATES:
        if options.only in candidate.name:
            rows.append(measured(candidate))
            print(json.dumps(rows[-1]), flush=True)
    if options.write:
        TABLE.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    wrong = check(rows, {row["name"]: row for row in json.loads(TABLE.read_text("utf-8"))}) if options.check else []
    print("\n".join(wrong) or f"{len(rows)} entries measured")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
