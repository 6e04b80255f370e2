"""Random numbers."""

from __future__ import annotations

from typing import Any

from dllint.domains.dtype import FLOAT32
from dllint.lower.graphs.builder import Call
from dllint.lower.graphs.onnx.operators.arithmetic import kept
from dllint.lower.graphs.onnx.registry import operator
from dllint.lower.graphs.onnx.types import dtype_of


def _dtype(call: Call) -> Any:
    given, x = call.attribute("dtype"), call.input(0)
    return dtype_of(given) if given else x.dtype if x is not None else FLOAT32


def _shape(call: Call) -> Any:
    x = call.input(0)
    return x.shape if x is not None else call.attribute("shape", ())


@operator("RandomNormal", "RandomNormalLike")
def _normal(call: Call, _opset: int) -> Any:
    mean, scale = call.attribute("mean", 0.0), call.attribute("scale", 1.0)
    return call.emit("normal", mean=mean, std=scale, shape=_shape(call), dtype=_dtype(call))


@operator("RandomUniform", "RandomUniformLike")
def _uniform(call: Call, _opset: int) -> Any:
    low, high = call.attribute("low", 0.0), call.attribute("high", 1.0)
    return call.emit("rand", shape=_shape(call), dtype=_dtype(call), low=low, high=high)


@operator("Bernoulli")
def _bernoulli(call: Call, _opset: int) -> Any:
    return kept(call.emit("bernoulli", x=call.input(0)), _dtype(call))


@operator("Multinomial")
def _multinomial(call: Call, _opset: int) -> Any:
    return call.emit("multinomial", x=call.input(0), num_samples=call.attribute("sample_size", 1))
