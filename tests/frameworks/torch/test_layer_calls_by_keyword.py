"""A layer called with torch's own parameter names gives what it gives by position."""

from __future__ import annotations

import inspect
from typing import Any

import torch

from tests.frameworks.torch.programs import lowered
from tests.ops.layer_calls import parse
from tests.ops.torch_layers import SAMPLES


def _tensor(operand: tuple[Any, ...]) -> str:
    if operand and isinstance(operand[0], tuple):
        return f"({', '.join(map(_tensor, operand))},)"
    dtype, shape = (operand[0], operand[1:]) if operand and isinstance(operand[0], str) else ("float32", operand)
    return f"torch.zeros({tuple(shape)}, dtype=torch.{dtype})"


def _seen(sample: str, arguments: list[str]) -> list[tuple[Any, ...]]:
    """Operations, results and faults of a call."""
    programs = lowered(f"layer = nn.{sample}\nlayer({', '.join(arguments)})\n").programs
    return [
        (op.kind, [str(o.type) for o in op.outputs], [f.kind for f in op.faults], op.layer is not None)
        for program in programs
        for op in program.ops
        if op.spelled != "torch.zeros"
    ]


def test_every_layer_takes_its_arguments_by_keyword() -> None:
    different, seen = [], 0
    for sample, calls in SAMPLES:
        names = list(inspect.signature(getattr(torch.nn, parse(sample)[0]).forward).parameters)[1:]
        for call in calls[:2]:
            tensors = list(map(_tensor, call))
            keywords = [f"{name}={tensor}" for name, tensor in zip(names, tensors, strict=False)]
            positional = _seen(sample, tensors)
            seen += bool(positional)
            if any(_seen(sample, given) != positional for given in (keywords, keywords[::-1], [*tensors[:1], *keywords[1:]])):
                different.append((sample, call))
    assert different == []
    assert seen > len(SAMPLES)
