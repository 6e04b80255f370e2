"""Keras layers: result shapes, types and refusals against symbolic calls of the real layers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from dllint.domains.shape import TensorType, show_type
from dllint.ops.constraints import at_construction
from tests.ops.keras_layers import CONSTRUCTIONS, SAMPLES
from tests.ops.layer_calls import Operand, call_layer, configuration, operand_type, parse, tensors

os.environ.setdefault("KERAS_BACKEND", "torch")
pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
keras = pytest.importorskip("keras")


def build(sample: str) -> Any:
    return eval(f"layers.{sample}", {"layers": keras.layers})


def real_operand(operand: Any) -> Any:
    if operand and isinstance(operand[0], tuple):
        return list(map(real_operand, operand))
    type_ = operand_type(operand)
    return keras.KerasTensor(type_.shape, dtype=type_.dtype.name)


def real_result(sample: str, operands: tuple[Operand, ...]) -> list[TensorType] | Exception:
    """The types of what the real layer returns, or what it raises."""
    try:
        result = build(sample)(*map(real_operand, operands))
    except (RuntimeError, ValueError, IndexError, TypeError, AssertionError) as error:
        return error
    return [operand_type((t.dtype, *t.shape)) for t in tensors(result)]


CALLS = [pytest.param(sample, call, id=f"{sample} {call}") for sample, calls in SAMPLES for call in calls]


@pytest.mark.parametrize(("sample", "call"), CALLS)
def test_layer_gives_the_real_type_or_a_fault(sample: str, call: tuple[Operand, ...]) -> None:
    name, arguments = parse(sample)
    row, config = configuration(f"keras.layers.{name}", arguments)
    outcome = call_layer(row, config, call)
    real = real_result(sample, call)
    if isinstance(real, Exception):
        assert outcome.faults, f"Keras raises {str(real)[:200]}; inferred {outcome.result}"
    else:
        assert not outcome.faults
        shown = [show_type(t) if isinstance(t, TensorType) else str(t) for t in tensors(outcome.result)]
        assert shown == [show_type(t) for t in real]


def _reshaped(operand: Any, rank: int, batch: int | None) -> Any:
    """An operand, or each of several, with so many axes, the last ones of its own; with another size of the first one."""
    if operand and isinstance(operand[0], tuple):
        return tuple(_reshaped(part, rank, batch) for part in operand)
    named, sizes = (operand[:1], operand[1:]) if operand and isinstance(operand[0], str) else ((), operand)
    sizes = ((4,) * max(rank - len(sizes), 0) + sizes)[-rank:]
    return (*named, *(sizes if batch is None or rank == 1 else (batch, *sizes[1:])))


def _rank(operand: Any) -> int:
    return _rank(operand[0]) if isinstance(operand[0], tuple) else sum(not isinstance(size, str) for size in operand)


def _other_ranks(call: tuple[Operand, ...]) -> Iterator[tuple[Operand, ...]]:
    """The operands of a call with 1 to 5 axes, and with a batch of 1: the first one alone, the others alone, and all."""
    for rank, batch in product(range(1, 6), (None, 1)):
        changed = tuple(_reshaped(operand, rank, batch) for operand in call)
        yield from {changed, (changed[0], *call[1:]), (call[0], *changed[1:])}


_FIRST = {parse(sample)[0]: (sample, calls[0]) for sample, calls in reversed(SAMPLES) if _rank(calls[0][0])}


@pytest.mark.parametrize(("sample", "call"), _FIRST.values(), ids=_FIRST)
def test_no_error_is_claimed_where_a_layer_runs(sample: str, call: tuple[Operand, ...]) -> None:
    name, arguments = parse(sample)
    row, config = configuration(f"keras.layers.{name}", arguments)
    for operands in _other_ranks(call):
        outcome = call_layer(row, config, operands)
        if outcome.faults:
            assert not _runs(sample, operands), (operands, outcome.faults)


def _runs(sample: str, operands: tuple[Operand, ...]) -> bool:
    """Whether the real layer takes arrays; what it makes of symbolic ones it may refuse when these have elements."""
    try:
        build(sample)(*map(_array, operands))
    except (RuntimeError, ValueError, IndexError, TypeError, AssertionError):
        return False
    return True


def _array(operand: Any) -> Any:
    if operand and isinstance(operand[0], tuple):
        return list(map(_array, operand))
    type_ = operand_type(operand)
    return np.ones(type_.shape, type_.dtype.name)


@pytest.mark.parametrize("sample", CONSTRUCTIONS)
def test_construction_raises_exactly_on_violated_constraints(sample: str) -> None:
    name, arguments = parse(sample)
    row, config = configuration(f"keras.layers.{name}", arguments)
    try:
        build(sample)
        raised = ""
    except (ValueError, TypeError, ZeroDivisionError) as error:
        raised = str(error) or "error"
    assert bool(at_construction(row.op, row.framework, config)) == bool(raised), raised
