"""Layers on symbolic batch and spatial sizes: putting numbers in gives the result for those numbers."""

from __future__ import annotations

from typing import Any

import pytest

from dllint.domains.dim import DimExpr, is_fixed, symbol
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.domains.substitution import substitute
from dllint.frameworks import registry
from dllint.frameworks.binding import bind, defaults
from dllint.ir.values import Arguments
from dllint.ops.spec import apply
from tests.ops import keras_layers, torch_layers
from tests.ops.layer_calls import Operand, call_layer, configuration, operand_type, parse, rename, tensors

SAMPLES = [
    pytest.param(f"{package}.{sample}", call, id=f"{package}.{sample} {call}")
    for package, samples in (("torch.nn", torch_layers.SAMPLES), ("keras.layers", keras_layers.SAMPLES))
    for sample, calls in samples
    for call in calls
    if not any(o and isinstance(o[0], tuple) for o in call)
]


@pytest.mark.parametrize(("sample", "call"), SAMPLES)
def test_symbolic_result_contains_the_concrete_one(sample: str, call: tuple[Operand, ...]) -> None:
    qualified, arguments = parse(sample)
    row, config = configuration(qualified, arguments)
    if "Reshape" in qualified or "Permute" in qualified or "Padding" in qualified or "Cropping" in qualified:
        return  # converted by the framework's own rules before the operation sees them
    concrete = call_layer(row, config, call)
    names: dict[int, DimExpr] = {}
    types = [_symbolic(operand_type(operand), names) for operand in call]
    params = registry.parameters(f"{row.name}.__call__", row.call) or ()
    bound = bind(params, Arguments(tuple(types)))
    given: dict[str, Any] = {**defaults(params, bound), **bound.values}
    general = apply(row.op, row.framework, {**config, **{rename(row, k): v for k, v in given.items()}})
    if not concrete.faults:
        assert not general.faults, "a fault that numbers refute"
        for found, wanted in zip(tensors(general.result), tensors(concrete.result), strict=True):
            assert _agrees(found, wanted, names), f"{found} does not contain {wanted}"


def _symbolic(type_: TensorType, names: dict[int, DimExpr]) -> TensorType:
    """The type with a symbol for each size, the same for equal sizes."""
    assert isinstance(type_.shape, tuple)
    shape = tuple(names.setdefault(int(d), symbol(f"n{d}", lower=0)) if isinstance(d, int) else d for d in type_.shape)
    return TensorType(shape, type_.dtype)


def _agrees(found: Any, wanted: Any, names: dict[int, DimExpr]) -> bool:
    if not isinstance(found, TensorType) or not isinstance(wanted, TensorType):
        return isinstance(found, Unknown) or found == wanted
    if isinstance(found.shape, Unknown) or isinstance(wanted.shape, Unknown):
        return True
    values = {dim.symbol: number for number, dim in names.items() if dim.symbol is not None}
    put = [substitute(d, values) for d in found.shape]
    return len(put) == len(wanted.shape) and all(not is_fixed(p) or p == w for p, w in zip(put, wanted.shape, strict=True))
