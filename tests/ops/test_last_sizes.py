"""Tensors of unknown rank whose last size is known: what is said of results is what samples of every rank give."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from dllint.domains.dim import is_fixed
from dllint.domains.dtype import FLOAT32
from dllint.domains.lattice import Unknown
from dllint.domains.shape import OpenShape, TensorType
from dllint.ir.values import PartsVal
from dllint.ops.spec import apply
from tests.ops.harness import FRAMEWORKS, Case, Quiet, arguments, canonical_arguments, cases

CASES = [case for framework in FRAMEWORKS for case in cases(framework)]
#: A weight that is not known is a matrix.
ASSUMING = frozenset({("linear", "weight")})
#: What is put in front of the last axis.
IN_FRONT = ((), (2,), (3, 2), (2, 3, 4), (1, 2, 1, 3))


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where tensors with a last axis stand in arguments."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _places(part, (name,))
    elif isinstance(value, tuple):
        for place, part in enumerate(value):
            yield from _places(part, (*path, place))
    elif isinstance(value, TensorType) and isinstance(value.shape, tuple) and value.shape:
        yield path


def _put(value: Any, path: tuple[Any, ...], shape: Any) -> Any:
    """Arguments with another shape at a place; its last size stays."""
    if isinstance(value, dict):
        return {name: _put(part, path[1:], shape) if name == path[0] else part for name, part in value.items()}
    if isinstance(value, tuple):
        return tuple(_put(part, path[1:], shape) if place == path[0] else part for place, part in enumerate(value))
    found = OpenShape("test", "", value.shape[-1]) if shape is None else (*shape, value.shape[-1])
    return TensorType(found, value.dtype)


def _wrong(open_result: Any, result: Any) -> bool:
    """Whether the last sizes that are claimed are not those of a result."""
    if isinstance(open_result, tuple) and isinstance(result, tuple):
        longer = len(open_result) - len(result)
        may_be_fewer = longer > 0 and isinstance(open_result, PartsVal)
        return (longer != 0 and not may_be_fewer) or any(map(_wrong, open_result, result))
    if not isinstance(open_result, TensorType) or not isinstance(open_result.shape, OpenShape):
        return False
    if not isinstance(result, TensorType) or isinstance(result.shape, Unknown):
        return not isinstance(result, (TensorType, Unknown))
    last = open_result.shape.last
    return not result.shape or (is_fixed(last) and is_fixed(result.shape[-1]) and result.shape[-1] != last)


@pytest.mark.parametrize("case", CASES, ids=[f"{case.framework}-{case.op}-{case.name}" for case in CASES])
def test_last_sizes_are_those_of_every_rank(case: Case) -> None:
    for sample in case.samples:
        if isinstance(sample, Quiet):
            continue
        args = canonical_arguments(case, arguments(sample))
        places = [place for place in _places(args) if (case.op, place[0]) not in ASSUMING]
        for chosen in (*((place,) for place in places), *combinations(places, 2)):
            open_args = args
            for place in chosen:
                open_args = _put(open_args, place, None)
            claimed = apply(case.op, case.framework, open_args)
            for shape in IN_FRONT:
                given = args
                for place in chosen:
                    given = _put(given, place, shape)
                outcome = apply(case.op, case.framework, given)
                if not outcome.faults:
                    assert not claimed.faults, (open_args, given)
                    assert not _wrong(claimed.result, outcome.result), (open_args, given, claimed.result, outcome.result)


KNOWN = (
    ("chunk", {"chunks": 2, "dim": -1}, 32), ("cat", {"dim": -1}, 128), ("mean", {"dim": -1, "keepdim": True}, 1),
    ("getitem", {"index": (..., slice(None, 8))}, 8), ("matmul", {"y": TensorType((64, 7), FLOAT32)}, 7),
)  # fmt: skip


@pytest.mark.parametrize(("op", "more", "last"), KNOWN, ids=[op for op, *_ in KNOWN])
def test_last_sizes_go_through(op: str, more: dict[str, Any], last: int) -> None:
    x = TensorType(OpenShape("test", "", 64), FLOAT32)
    result = apply(op, "torch", {"tensors": (x, x), **more} if op == "cat" else {"x": x, **more}).result
    for part in result if isinstance(result, tuple) else (result,):
        assert isinstance(part, TensorType)
        assert isinstance(part.shape, OpenShape)
        assert part.shape.last == last
