"""Which forms of an operation its samples compare with a library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dllint.domains.dtype import DType
from dllint.ops.spec import OPS
from tests.ops.harness import FRAMEWORKS, Case, arguments, calls, canonical_arguments, cases, tensors_in

AXES = frozenset({"dim", "dim0", "dim1", "dim2", "dims", "start_dim", "end_dim", "source", "axes"})
OTHERS = frozenset({"y", "tensors", "operands", "mask", "value", "target"})


def _negative(value: Any) -> bool:
    return any(map(_negative, value)) if isinstance(value, tuple) else isinstance(value, int) and value < 0


def forms(case: Case) -> set[str]:
    """Which forms the samples of a case compare with the library."""
    found: set[str] = set()
    dtypes: set[DType] = set()
    for sample in case.samples:
        args = canonical_arguments(case, arguments(sample))
        tensors = list(tensors_in(tuple(args.values())))
        dtypes |= {x.dtype for x in tensors} | {v for v in args.values() if isinstance(v, DType)}
        shapes = [x.shape for x in tensors]
        found |= {"rank 0"} if () in shapes else set()
        found |= {"empty"} if any(0 in s for s in shapes) or (not tensors and _empty(args)) else set()
        found |= {"broadcast"} if len(set(shapes)) > 1 else set()
        found |= {"negative axis"} if any(_negative(args[a]) for a in AXES & args.keys()) else set()
        found |= {"keyword"} if len(list(calls(case, arguments(sample)))) > 1 else set()
    return found | ({"dtype"} if len(dtypes) > 1 else set())


def _empty(args: Mapping[str, Any]) -> bool:
    return any(v == 0 or (isinstance(v, tuple) and (not v or 0 in v)) for v in args.values())


def applicable(op: str, of_op: list[Case]) -> set[str]:
    """The forms that make sense for an operation, by its parameters."""
    parameters = set(OPS[op].parameters)
    takes_tensor = any(list(tensors_in(arguments(s))) for case in of_op for s in case.samples)
    wanted = {"dtype", "empty"} | ({"rank 0"} if takes_tensor else set())
    wanted |= {"negative axis"} if AXES & parameters and takes_tensor else set()
    wanted |= {"broadcast"} if OTHERS & parameters else set()
    return wanted | (
        {"keyword"} if any(not case.variadic and len(case.params.split()) > case.positional for case in of_op) else set()
    )


def coverage() -> dict[str, set[str]]:
    """For each operation with samples, the applicable forms that no sample compares; empty means covered."""
    by_op: dict[str, list[Case]] = {}
    for framework in FRAMEWORKS:
        for case in cases(framework):
            by_op.setdefault(case.op, []).append(case)
    return {op: applicable(op, of_op) - set().union(*map(forms, of_op)) for op, of_op in by_op.items()}
