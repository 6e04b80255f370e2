"""Fully connected layers."""

from __future__ import annotations

from collections.abc import Mapping

from dllint.domains.dim import Dim, differs, opaque, show
from dllint.domains.dtype import FLOAT32
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.open_rank import through_last_axis
from dllint.ops.operand import as_tensor
from dllint.ops.sizes import given, is_dim, size
from dllint.ops.spec import Call, Result, known_shape, op, weights
from dllint.ops.traits import Trait
from dllint.ops.window import layer_dtype


@op("linear", traits=Trait.DENSE | Trait.LEARNED | Trait.TELLS_LAYOUT | Trait.AUTOCAST_LOWER)
def linear(
    call: Call,
    x: TensorType,
    in_features: Value = None,
    out_features: Value = None,
    weight: Value = None,
    bias: Value = True,
    weight_dtype: Value = None,
) -> Result:
    """``x @ W + b`` on the last axis. Sizes come from the declared features or from the ``weight``
    (torch: out × in)."""
    tensor = as_tensor(call, x)
    declared, out = _features(in_features, out_features, weight)
    dtype = layer_dtype(call, tensor, _weight_dtype(weight, weight_dtype))
    shape = known_shape(tensor)
    if shape is None:
        open_shape = through_last_axis(call, tensor, declared, "in_features", out[-1] if out else None)
        return TensorType(open_shape if out else Unknown("unknown-rank", "linear"), dtype)
    least = 2 if call.framework == "keras" and not isinstance(weight, TensorType) else 1
    if len(shape) < least:
        call.fault(faults.RANK, operand="x", expected=(least, least + 1, least + 2), actual=len(shape), shapes=(shape,))
        return TensorType((*shape[:-1], *out), dtype)
    if declared is not None and differs(shape[-1], declared):
        axis = len(shape) - 1
        call.fault(faults.FEATURE_SIZE, operand="in_features", axis=axis, expected=declared, actual=shape[-1], shapes=(shape,))
    _check_bias(call, bias, out)
    strides = None if tensor.strides is None else Unknown("layout", "linear")
    return TensorType((*shape[:-1], *out), dtype, strides)


def _check_bias(call: Call, bias: Value, out: tuple[Dim, ...]) -> None:
    """The bias that a function is given is broadcast along its last axis."""
    shape = known_shape(bias)
    if call.framework == "torch" and shape and out and differs(shape[-1], out[0]) and differs(shape[-1], 1):
        detail = f"the bias has {show(shape[-1])} elements for {show(out[0])} outputs"
        call.fault(faults.OPERATOR_SHAPE, operand="bias", expected=out[0], actual=shape[-1], shapes=(shape,), detail=detail)


def _features(declared: Value, out: Value, weight: Value) -> tuple[Dim | None, tuple[Dim, ...]]:
    """The declared input size and the output axes (none for a weight vector)."""
    matrix = known_shape(weight)
    if matrix is not None and len(matrix) in (1, 2):
        return matrix[-1], matrix[:-1]
    if given(weight):
        return None, (opaque("out_features", 1),)
    return (declared if is_dim(declared) else None), (size(out, "out_features", 1),)


def _weight_dtype(weight: Value, declared: Value) -> Value:
    """The element type of a weight that is given as an argument, else the declared one."""
    if isinstance(weight, Unknown):
        return weight
    return weight.dtype if isinstance(weight, TensorType) else declared


@op("bilinear", traits=Trait.AFFINE | Trait.LEARNED | Trait.AUTOCAST_WIDEST_ON_CARD)
def bilinear(
    call: Call,
    x: TensorType,
    y: TensorType,
    in_features: Value = None,
    in_features2: Value = None,
    out_features: Value = None,
    weight: Value = None,
    weight_dtype: Value = None,
) -> Result:
    """``x W y + b`` on the last axes; all other axes must agree."""
    a, b, w = known_shape(x), known_shape(y), known_shape(weight)
    if w is not None and len(w) == 3:
        out_features, in_features, in_features2 = w
    dtype = layer_dtype(call, x, _weight_dtype(weight, weight_dtype))
    layer_dtype(call, y, dtype, "y")
    for shape, declared, operand in ((a, in_features, "in1_features"), (b, in_features2, "in2_features")):
        if shape and is_dim(declared) and differs(shape[-1], declared):
            axis = len(shape) - 1
            call.fault(faults.FEATURE_SIZE, operand=operand, axis=axis, expected=declared, actual=shape[-1], shapes=(shape,))
    for shape, operand in ((a, "x"), (b, "y")):
        if shape == ():
            call.fault(faults.RANK, operand=operand, expected=(1, 2, 3), actual=0, shapes=((),))
    if not a or not b:
        return TensorType(Unknown("rank", "bilinear"), dtype)
    if len(a) != len(b) or any(differs(m, n) for m, n in zip(a[:-1], b[:-1], strict=True)):
        call.fault(faults.OPERATOR_SHAPE, operand="y", shapes=(a, b), detail="all axes but the last must agree")
    return TensorType((*a[:-1], size(out_features, "out_features", 1)), dtype)


@weights("linear")
def linear_weights(
    *, framework: str = "torch", in_features: Value = None, out_features: Value = None, bias: Value = True, **_: Value
) -> Mapping[str, TensorType]:
    """``weight`` (out × in) and ``bias`` in torch, ``kernel`` (in × out) and ``bias`` in Keras."""
    inputs, outputs = size(in_features, "in_features", 1), size(out_features, "out_features", 1)
    matrix = (outputs, inputs) if framework == "torch" else (inputs, outputs)
    found = {"weight" if framework == "torch" else "kernel": TensorType(matrix, FLOAT32)}
    return {**found, "bias": TensorType((outputs,), FLOAT32)} if bias is not False else found


@weights("bilinear")
def bilinear_weights(
    *, in_features: Value = None, in_features2: Value = None, out_features: Value = None, bias: Value = True, **_: Value
) -> Mapping[str, TensorType]:
    """``weight`` (out × in1 × in2) and ``bias``."""
    sizes = tuple(size(n, "features", 1) for n in (out_features, in_features, in_features2))
    found = {"weight": TensorType(sizes, FLOAT32)}
    return {**found, "bias": TensorType(sizes[:1], FLOAT32)} if bias is not False else found


@weights("prelu")
def prelu_weights(*, num_parameters: Value = 1, **_: Value) -> Mapping[str, TensorType]:
    """``weight``: one slope per channel, or one for all."""
    return {"weight": TensorType((size(num_parameters, "num_parameters", 1),), FLOAT32)}
