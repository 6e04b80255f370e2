"""What operations demand of an input whose rank is not known."""

from __future__ import annotations

from typing import Any

import pytest

import dllint.ops.all
from dllint.domains.dim import DimExpr
from dllint.domains.dtype import FLOAT32
from dllint.domains.shape import TensorType
from dllint.ir.program import Framework
from dllint.ops.layers import LAYERS, demand, demanded_shape
from dllint.ops.spec import OPS, apply

assert dllint.ops.all
CONV = {"spatial": 2, "in_channels": 3, "out_channels": 8, "kernel_size": 3}


def sizes(op: str, framework: Framework, config: dict[str, Any]) -> tuple[Any, ...] | None:
    """The demanded shape, symbols by name."""
    shape = demanded_shape(op, framework, config)
    return None if shape is None else tuple(repr(d) if isinstance(d, DimExpr) else d for d in shape)


@pytest.mark.parametrize(
    ("op", "framework", "config", "expected"),
    [
        ("conv", "torch", CONV, ("B", 3, "H", "W")),
        ("conv", "keras", CONV, ("B", "H", "W", 3)),
        ("conv", "keras", {**CONV, "data_format": "channels_first"}, ("B", 3, "H", "W")),
        ("conv", "torch", {"spatial": 1}, ("B", "C", "L")),
        ("max_pool", "torch", {"spatial": 3}, ("B", "C", "D", "H", "W")),
        ("batch_norm", "torch", {"spatial": 2, "num_features": 5}, ("B", 5, "H", "W")),
        ("batch_norm", "torch", {"spatial": 1, "num_features": 5}, None),
        ("batch_norm", "keras", {}, None),
        ("rnn", "torch", {"input_size": 7}, ("T", "B", 7)),
        ("rnn", "torch", {"input_size": 7, "batch_first": True}, ("B", "T", 7)),
        ("rnn", "keras", {}, ("B", "T", "C")),
        ("embedding", "torch", {"num_embeddings": 9}, None),
        ("linear", "torch", {"in_features": 9}, None),
    ],
)
def test_demanded_shape(op: str, framework: Framework, config: dict[str, Any], expected: tuple[Any, ...] | None) -> None:
    assert sizes(op, framework, config) == expected


def test_symbols_of_two_demands_differ() -> None:
    first, second = demanded_shape("conv", "torch", CONV), demanded_shape("conv", "torch", CONV)
    assert first is not None
    assert second is not None
    assert first[0] is not second[0]


@pytest.mark.parametrize("op", sorted(op for op, layer in LAYERS.items() if layer.demand))
@pytest.mark.parametrize("framework", ["torch", "keras"])
def test_an_operation_accepts_what_it_demands(op: str, framework: Framework) -> None:
    config = {"spatial": 2, "kind": "gru", "kernel_size": 1, "out_channels": 8, "hidden_size": 4, "n": 3, "factor": 1}
    found = demand(op, framework, config)
    first = next(iter(OPS[op].parameters))
    if found is None or first != "x":
        return
    outcome = apply(op, framework, {"x": TensorType(found.shape(config), FLOAT32), **config})
    assert not outcome.faults
