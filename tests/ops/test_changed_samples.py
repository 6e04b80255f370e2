"""The samples with one thing changed: a size that is 0 or another one, an axis more or less, another element type, or no
elements of another type.

What the library then runs gets no fault, and nothing that is said of the result is wrong. What it refuses may go unnoticed.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest

from dllint.domains.dtype import DType, dtype_named
from dllint.domains.shape import TensorType
from tests.ops.harness import Case, arguments, call_library, cases, mismatch, ours, type_of

CASES = cases("torch")
#: Of the libraries of which what they do with samples of other sizes and ranks is not compared. Keras's layers cast what they
#: are given, which is no matter of their operation.
OTHER_CASES = [
    case
    for framework in ("keras", "numpy", "tensorflow")
    for case in cases(framework)
    if not (framework == "keras" and case.name.endswith("_layer"))
]
_TYPES = tuple(
    dtype
    for name in ("float32", "float64", "float16", "int64", "int32", "uint8", "bool", "complex64")
    if (dtype := dtype_named(name)) is not None
)
_Change = Callable[[TensorType], Iterator[TensorType]]
_ids = [f"{case.op}-{case.name}" for case in CASES]
_other_ids = [f"{case.op}-{case.name}" for case in OTHER_CASES]


def _shape(x: TensorType) -> tuple[int, ...]:
    return tuple(size for size in x.shape if isinstance(size, int)) if isinstance(x.shape, tuple) else ()


def _resized(size: int) -> _Change:
    def change(x: TensorType) -> Iterator[TensorType]:
        shape = _shape(x)
        for axis in range(len(shape)):
            yield TensorType((*shape[:axis], size, *shape[axis + 1 :]), x.dtype)

    return change


def _reranked(x: TensorType) -> Iterator[TensorType]:
    shape = _shape(x)
    for other in ((), (0,), shape[1:], shape[:-1], (2, *shape), (1, *shape), (*shape, 1), (*shape, 3)):
        yield TensorType(other, x.dtype)


def _retyped(x: TensorType) -> Iterator[TensorType]:
    yield from (TensorType(x.shape, dtype) for dtype in _TYPES)


def _at_one_place(value: Any, change: _Change) -> Iterator[Any]:
    """A sample's arguments with one of their tensors changed."""
    if isinstance(value, TensorType):
        yield from change(value)
    elif isinstance(value, tuple):
        for place, item in enumerate(value):
            for changed in _at_one_place(item, change):
                yield (*value[:place], changed, *value[place + 1 :])


def _everywhere(value: Any, change: Callable[[TensorType], TensorType]) -> Any:
    """The arguments with every tensor changed."""
    if isinstance(value, TensorType):
        return change(value)
    return tuple(_everywhere(item, change) for item in value) if isinstance(value, tuple) else value


def _sizes(value: Any) -> set[int]:
    if isinstance(value, TensorType):
        return set(_shape(value))
    return {size for item in value for size in _sizes(item)} if isinstance(value, tuple) else set()


def _without(size: int) -> Callable[[TensorType], TensorType]:
    return lambda x: TensorType(tuple(0 if found == size else found for found in _shape(x)), x.dtype)


def _typed(dtype: DType) -> Callable[[TensorType], TensorType]:
    return lambda x: TensorType(x.shape, dtype)


def _of_sizes(args: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    for size in sorted(_sizes(args)):
        yield _everywhere(args, _without(size))
    for size in (0, 1, 2, 5):
        yield from _at_one_place(args, _resized(size))


def _of_types(args: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    yield from _at_one_place(args, _retyped)
    for dtype in _TYPES:
        yield _everywhere(args, _typed(dtype))


def _emptied(axis: int, dtype: DType) -> Callable[[TensorType], TensorType]:
    def change(x: TensorType) -> TensorType:
        shape = list(_shape(x))
        if shape:
            shape[axis] = 0
        return TensorType(tuple(shape), dtype)

    return change


def _without_elements(args: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    for axis, dtype in product((0, -1), _TYPES):
        yield _everywhere(args, _emptied(axis, dtype))


def _refuted(case: Case, args: tuple[Any, ...]) -> str | None:
    """What the library shows to be wrong of what is said about a call."""
    outcome = ours(case, args)
    try:
        result = call_library(case, args, by_keyword=False)
    except Exception:  # as many classes of errors as there are reasons
        return None
    if outcome.faults:
        return f"{case.name}{args} runs, we report {outcome.faults[0]}"
    wrong = mismatch(outcome.result, type_of(result), loose=True)
    return f"{case.name}{args}: {wrong}" if wrong else None


def _all_refuted(case: Case, variants: Callable[[tuple[Any, ...]], Iterator[tuple[Any, ...]]]) -> list[str]:
    changed = {repr(args): args for sample in case.samples for args in variants(arguments(sample))}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [wrong for args in changed.values() if (wrong := _refuted(case, args))]


@pytest.mark.oracle
@pytest.mark.sampled(every=6)
@pytest.mark.parametrize("case", CASES, ids=_ids)
def test_other_sizes(case: Case) -> None:
    assert not (found := _all_refuted(case, _of_sizes)), "\n".join(found)


@pytest.mark.oracle
@pytest.mark.sampled(every=6)
@pytest.mark.parametrize("case", CASES, ids=_ids)
def test_other_ranks(case: Case) -> None:
    assert not (found := _all_refuted(case, lambda args: _at_one_place(args, _reranked))), "\n".join(found)


@pytest.mark.oracle
@pytest.mark.sampled(every=6)
@pytest.mark.parametrize("case", CASES, ids=_ids)
def test_other_types(case: Case) -> None:
    assert not (found := _all_refuted(case, _of_types)), "\n".join(found)


@pytest.mark.oracle
@pytest.mark.sampled(every=6)
@pytest.mark.parametrize("case", [*CASES, *OTHER_CASES], ids=[*_ids, *_other_ids])
def test_no_elements(case: Case) -> None:
    pytest.importorskip(case.framework)
    assert not (found := _all_refuted(case, _without_elements)), "\n".join(found)


@pytest.mark.oracle
@pytest.mark.sampled(every=6)
@pytest.mark.parametrize("case", OTHER_CASES, ids=_other_ids)
def test_other_types_of_other_libraries(case: Case) -> None:
    pytest.importorskip(case.framework)
    assert not (found := _all_refuted(case, _of_types)), "\n".join(found)
