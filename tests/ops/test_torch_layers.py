"""Torch layers: result shapes, types and refusals against the real layers on the CPU."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from dllint.domains.shape import TensorType, show_type
from dllint.ops.constraints import at_call, at_construction
from tests.ops.layer_calls import Operand, call_layer, configuration, operand_type, parse, tensors
from tests.ops.torch_layers import CONSTRUCTIONS, FIRST_CALLS, SAMPLES

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
torch = pytest.importorskip("torch")


def build(sample: str) -> Any:
    return eval(f"nn.{sample}", {"nn": torch.nn})


def real_operand(operand: Any) -> Any:
    if operand and isinstance(operand[0], tuple):
        return tuple(map(real_operand, operand))
    type_ = operand_type(operand)
    return torch.zeros(type_.shape, dtype=getattr(torch, type_.dtype.name))


def real_result(sample: str, operands: tuple[Operand, ...]) -> list[TensorType | None] | Exception:
    """The types of what the real layer returns, or what it raises."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = build(sample)(*map(real_operand, operands))
    except (RuntimeError, ValueError, IndexError, TypeError, AssertionError, NotImplementedError) as error:
        return error
    return [_type_of(t) for t in tensors(result)]


def _type_of(value: Any) -> TensorType | None:
    return None if value is None else operand_type((str(value.dtype).removeprefix("torch."), *value.shape))


def shown(results: list[Any]) -> list[str]:
    return [show_type(r) if isinstance(r, TensorType) else str(r) for r in results]


CALLS = [pytest.param(sample, call, id=f"{sample} {call}") for sample, calls in SAMPLES for call in calls]


@pytest.mark.parametrize(("sample", "call"), CALLS)
def test_layer_gives_the_real_type_or_a_fault(sample: str, call: tuple[Operand, ...]) -> None:
    name, arguments = parse(sample)
    row, config = configuration(f"torch.nn.{name}", arguments)
    outcome = call_layer(row, config, call)
    real = real_result(sample, call)
    if isinstance(real, Exception):
        assert outcome.faults, f"torch raises {real}; inferred {outcome.result}"
    else:
        assert not outcome.faults
        assert shown(tensors(outcome.result)) == shown(real)


@pytest.mark.parametrize("sample", CONSTRUCTIONS)
def test_construction_raises_exactly_on_violated_constraints(sample: str) -> None:
    name, arguments = parse(sample)
    row, config = configuration(f"torch.nn.{name}", arguments)
    try:
        build(sample)
        raised = False
    except (ValueError, AssertionError, RuntimeError, TypeError, ZeroDivisionError):
        raised = True
    assert bool(at_construction(row.op, row.framework, config)) == raised


@pytest.mark.parametrize(("sample", "shape"), FIRST_CALLS)
def test_first_call_raises_exactly_on_violated_constraints(sample: str, shape: tuple[int, ...]) -> None:
    name, arguments = parse(sample)
    row, config = configuration(f"torch.nn.{name}", arguments)
    build(sample)
    assert not at_construction(row.op, row.framework, config)
    assert bool(at_call(row.op, row.framework, config)) == isinstance(real_result(sample, (shape,)), Exception)
