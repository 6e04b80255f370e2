"""Normalisations."""

from __future__ import annotations

from typing import Any

from dllint.domains.dtype import FLOAT32
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from dllint.lower.graphs.builder import Call
from dllint.lower.graphs.onnx.registry import MICROSOFT, operator


@operator("BatchNormalization")
def batch_norm(call: Call, _opset: int) -> Any:
    """With kept statistics; in a model that is still trained the new ones are given, too."""
    mean, epsilon = call.input(3), call.attribute("epsilon", 1e-5)
    out = call.emit(
        "batch_norm",
        x=call.input(0),
        weight=call.input(1),
        bias=call.input(2),
        running_mean=mean,
        running_var=call.input(4),
        eps=epsilon,
    )
    statistics = (TensorType(mean.shape, mean.dtype) if mean is not None else _unknown() for _ in call.node.outputs[1:])
    return (out, *call.produce("statistics", {"x": call.input(0)}, *statistics)) if call.node.outputs[1:] else out


def _unknown() -> TensorType:
    reason = Unknown("unmodelled-result", "statistics")
    return TensorType(reason, reason)


@operator("InstanceNormalization")
def _instance_norm(call: Call, _opset: int) -> Any:
    return call.emit("instance_norm", x=call.input(0), affine=True, weight=call.input(1), bias=call.input(2))


@operator("GroupNormalization")
def group_norm(call: Call, opset: int) -> Any:
    """The scale is one per group up to operator set 20, then one per channel."""
    weight = call.input(1) if opset >= 21 else None
    return call.emit("group_norm", x=call.input(0), num_groups=call.attribute("num_groups"), weight=weight, affine=True)


@operator("LayerNormalization")
@operator("LayerNormalization", domain=MICROSOFT)
def layer_norm(call: Call, _opset: int) -> Any:
    """Over the axes from ``axis`` on; the mean and the inverse deviation are given if asked for."""
    x = call.input(0)
    out = call.emit(
        "layer_norm",
        x=x,
        normalized_shape=_trailing(call, x),
        weight=call.input(1),
        bias=call.input(2),
        elementwise_affine=True,
    )
    rest = [_statistics(call, x) for _ in call.node.outputs[1:]]
    return (out, *call.produce("statistics", {"x": x}, *rest)) if rest else out


def _statistics(call: Call, x: Any) -> TensorType:
    """One number for all that is normalised together."""
    trailing = _trailing(call, x)
    if trailing is None:
        return TensorType(Unknown("unknown-rank", "statistics"), FLOAT32)
    return TensorType((*x.shape[: len(x.shape) - len(trailing)], *(1 for _ in trailing)), FLOAT32)


@operator("RMSNormalization")
@operator("SimplifiedLayerNormalization", domain=MICROSOFT)
@operator("SimplifiedLayerNormalization")
def _rms_norm(call: Call, _opset: int) -> Any:
    x = call.input(0)
    return call.emit("rms_norm", x=x, normalized_shape=_trailing(call, x), weight=call.input(1))


@operator("SkipLayerNormalization", domain=MICROSOFT)
def _sum_and_layer_norm(call: Call, _opset: int) -> Any:
    total = call.emit("add", x=call.input(0), y=call.input(1))
    return call.emit("layer_norm", x=total, normalized_shape=_trailing(call, total), weight=call.input(2), bias=call.input(3))


def _trailing(call: Call, x: Value) -> Any:
    if not isinstance(x, TensorVal) or isinstance(x.shape, Unknown):
        return None
    axis = call.attribute("axis", -1)
    return x.shape[axis + len(x.shape) if axis < 0 else axis :]


@operator("LpNormalization")
def _normalized(call: Call, _opset: int) -> Any:
    return call.emit("normalize", x=call.input(0), p=call.attribute("p", 2), dim=call.attribute("axis", -1), eps=0.0)


@operator("LRN")
def _response_norm(call: Call, _opset: int) -> Any:
    return call.emit("local_response_norm", x=call.input(0))


@operator("MeanVarianceNormalization", "RotaryEmbedding", "Hardmax")
def same_type(call: Call, _opset: int) -> Any:
    """Operations of which only the type is known, which is that of the first operand."""
    x = call.input(0)
    return call.produce("unmodelled", {"operands": call.tensors()}, x.type) if x is not None else None
