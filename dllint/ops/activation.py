"""Activation functions and the other element-wise functions of neural networks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dllint.domains.dim import differs
from dllint.domains.dtype import BOOL, FLOAT32, UINT8, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.operand import as_tensor, read_dtype
from dllint.ops.promotion import floating, has_no_elements, refuse
from dllint.ops.sizes import is_dim
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait
from dllint.ops.view import elementwise_layout
from dllint.ops.window import layer_dtype

#: Element types an activation accepts in torch besides floating point (``kinds``); Keras makes them float where listed.
ACCEPTED: Mapping[str, tuple[str, ...]] = {
    "relu": ("int",), "relu6": ("int",), "hardtanh": ("int",), "threshold": ("int",), "softsign": ("int",),
    "tanhshrink": ("int",),
    **dict.fromkeys(("leaky_relu", "elu", "selu", "celu", "gelu", "silu", "mish", "softplus", "logsigmoid", "softshrink",
                     "hardshrink", "hardsigmoid", "hardswish", "glu", "prelu"), ()),
}  # fmt: skip
#: Activations that Keras computes in the input's own type, also for integers.
KERAS_KEEPS = frozenset({"relu", "relu6", "threshold", "hardtanh"})


def _dtype(call: Call, x: TensorType) -> DType | Unknown:
    if isinstance(x.dtype, Unknown) or x.dtype.kind not in ("bool", "int"):
        return x.dtype
    if call.framework == "torch":
        if x.dtype.kind not in ACCEPTED[call.kind]:
            refuse(call, x)
            return Unknown("empty", "type of no elements") if has_no_elements(x) else FLOAT32
        return FLOAT32 if call.kind in ("softsign", "tanhshrink") else x.dtype
    if call.framework == "tensorflow" and call.kind == "leaky_relu":
        return FLOAT32
    return x.dtype if call.kind in KERAS_KEEPS else floating(call, x)


def activation(call: Call, x: TensorType) -> Result:
    """The shape of ``x``; integers are refused (torch) or become floats (Keras) unless the function keeps them."""
    given = as_tensor(call, x)
    strides = None if call.kind == "logsigmoid" else elementwise_layout(given)  # its kernel writes row by row
    return TensorType(given.shape, _dtype(call, given), strides)


#: What is true of those that are functions of their operand alone, besides that they work element by element.
_TRAITS: Final[Mapping[str, Trait]] = {
    "relu": Trait.MONOTONE | Trait.LAYER_ACTIVATION | Trait.RECTIFIES | Trait.NEEDS_RESULT,
    "relu6": Trait.MONOTONE | Trait.KEEPS_SIGN | Trait.ONE_SIDED | Trait.NEEDS_OPERAND,
    "threshold": Trait.ACTIVATION,
    "softsign": Trait.MONOTONE | Trait.KEEPS_SIGN | Trait.LAYER_ACTIVATION,
    "tanhshrink": Trait.MONOTONE | Trait.KEEPS_SIGN | Trait.ACTIVATION,
    "elu": Trait.MONOTONE | Trait.KEEPS_SIGN | Trait.LEAKS | Trait.NEEDS_OPERAND,
    "selu": Trait.MONOTONE | Trait.KEEPS_SIGN | Trait.LEAKS | Trait.NEEDS_OPERAND,
    "celu": Trait.MONOTONE | Trait.KEEPS_SIGN | Trait.LEAKS | Trait.NEEDS_OPERAND,
    "gelu": Trait.KEEPS_SIGN | Trait.LEAKS | Trait.NEEDS_OPERAND,
    "silu": Trait.KEEPS_SIGN | Trait.LEAKS | Trait.NEEDS_OPERAND,
    "mish": Trait.KEEPS_SIGN | Trait.LEAKS | Trait.NEEDS_OPERAND,
    "softplus": Trait.MONOTONE | Trait.LAYER_ACTIVATION | Trait.ONE_SIDED | Trait.AUTOCAST_SINGLE_ON_CARD | Trait.NEEDS_OPERAND,
    "logsigmoid": Trait.MONOTONE | Trait.LAYER_ACTIVATION | Trait.LOG_PROBABILITIES | Trait.NEEDS_OPERAND,
    "softshrink": Trait.MONOTONE | Trait.KEEPS_SIGN | Trait.ACTIVATION | Trait.NEEDS_OPERAND,
    "hardshrink": Trait.MONOTONE | Trait.KEEPS_SIGN | Trait.ACTIVATION | Trait.NEEDS_OPERAND,
    "hardsigmoid": Trait.MONOTONE | Trait.LAYER_ACTIVATION | Trait.PROBABILITIES | Trait.NEEDS_OPERAND,
    "hardswish": Trait.KEEPS_SIGN | Trait.LEAKS | Trait.NEEDS_OPERAND,
}

for _name, _traits in _TRAITS.items():
    op(_name, traits=Trait.KEEPS_SHAPE | Trait.POINTWISE | _traits)(activation)


@op(
    "hardtanh",
    traits=Trait.KEEPS_SHAPE | Trait.POINTWISE | Trait.MONOTONE | Trait.ACTIVATION | Trait.CLAMPS | Trait.NEEDS_OPERAND,
)
def hardtanh(call: Call, x: TensorType, min_val: Value = -1, max_val: Value = 1) -> Result:
    """``x`` between two limits; bytes have no negative ones in torch."""
    given = as_tensor(call, x)
    limits = [limit for limit in (min_val, max_val) if isinstance(limit, (int, float))]
    if call.framework == "torch" and given.dtype == UINT8 and any(limit < 0 for limit in limits):
        refuse(call, given)
        return given.with_dtype(FLOAT32)
    return activation(call, x)


@op(
    "leaky_relu",
    traits=Trait.KEEPS_SHAPE | Trait.POINTWISE | Trait.MONOTONE | Trait.KEEPS_SIGN | Trait.LEAKS | Trait.NEEDS_OPERAND,
)
def leaky_relu(call: Call, x: TensorType, negative_slope: Value = None) -> Result:
    """``max(0, x) + negative_slope * min(0, x)``; with slopes that are drawn the result is a tensor of its own layout."""
    found = activation(call, x)
    is_drawn = isinstance(negative_slope, Unknown) and negative_slope.reason == "random"
    return TensorType(found.shape, found.dtype) if is_drawn and isinstance(found, TensorType) else found


@op("glu", traits=Trait.KEEPS_SIGN | Trait.ACTIVATION | Trait.NEEDS_OPERAND)
def glu(call: Call, x: TensorType, dim: Value = -1) -> Result:
    """One half of ``x`` along ``dim``, gated by the other; the size must be even."""
    out = TensorType(x.shape, _dtype(call, x))
    axis = call.axis(dim, x)
    shape = known_shape(x)
    if shape == ():
        call.fault(faults.RANK, operand="x", expected=(1, 2, 3, 4), actual=0, shapes=(shape,))
    if not shape or axis is None:
        return out.with_shape(Unknown("no-argument", "dim"))
    size = shape[axis]
    if differs(size % 2, 0):
        detail = f"the size on axis {axis} must be even"
        call.fault(
            faults.OPERATOR_SHAPE, operand="x", axis=axis, expected=size + 1, actual=size, shapes=(shape,), detail=detail
        )
    return out.with_shape((*shape[:axis], size // 2, *shape[axis + 1 :]))


@op("prelu", traits=(Trait.KEEPS_SHAPE | Trait.ACTIVATION | Trait.LEARNED | Trait.STARTS_PLAIN | Trait.AUTOCAST_LOWER))
def prelu(call: Call, x: TensorType, num_parameters: Value = 1, weight: Value = None, weight_dtype: Value = None) -> Result:
    """``max(0, x) + weight * min(0, x)``; torch has one weight per channel (axis 1) or one for all, of the type of ``x``."""
    slopes = weight.dtype if isinstance(weight, TensorType) else Unknown("no-argument", "weight")
    _check_slopes(call, x, weight_dtype if weight is None else slopes)
    shape, given = known_shape(x), known_shape(weight)
    count = num_parameters if weight is None else given[0] if given else 1
    out = TensorType(x.shape, _dtype(call, x), elementwise_layout(x))
    if call.framework != "torch" or shape is None or not is_dim(count) or not differs(count, 1):
        return out
    channels = shape[1] if len(shape) > 1 else 1
    if differs(channels, count):
        call.fault(faults.FEATURE_SIZE, operand="num_parameters", axis=1, expected=count, actual=channels, shapes=(shape,))
    return out


def _check_slopes(call: Call, x: TensorType, declared: Value) -> None:
    """torch multiplies by slopes of the type of ``x`` alone; other types than floating-point ones it refuses anyway."""
    if isinstance(x.dtype, DType) and x.dtype.kind == "float":
        layer_dtype(call, x, declared)


@op(
    "dropout",
    traits=(
        Trait.KEEPS_SHAPE
        | Trait.POINTWISE
        | Trait.KEEPS_SIGN
        | Trait.DROPS
        | Trait.MAY_VIEW
        | Trait.GIVES_BACK
        | Trait.TELLS_LAYOUT
    ),
)
def dropout(
    call: Call, x: TensorType, p: Value = 0.5, training: Value = True, *, noise: Value = None, axes: Value = None
) -> Result:
    """``x`` with elements set to zero; a layer for images or sequences takes so many ``axes``."""
    if isinstance(p, (int, float)) and not 0 <= p <= 1:
        call.fault(faults.ARGUMENT, operand="p", actual=p, detail=f"the probability {p} is not between 0 and 1")
    given = as_tensor(call, x)
    if isinstance(axes, int):
        call.rank(given, axes)
    return TensorType(given.shape, given.dtype, elementwise_layout(given))


def normalized(call: Call, x: TensorType, dim: Value = None, dtype: Value = None) -> Result:
    """The shape of ``x``, normalised along ``dim`` (Keras also takes several axes)."""
    given = as_tensor(call, x)
    for axis in dim if isinstance(dim, tuple) else (dim,):
        call.axis(axis, given)
    wanted = read_dtype(dtype)
    found = _softmax_dtype(call, given) if wanted is None else wanted
    return TensorType(given.shape, found, elementwise_layout(given))


def _softmax_dtype(call: Call, x: TensorType) -> DType | Unknown:
    """Without elements, torch, and so Keras with it, gives other types than floating-point ones back."""
    if call.framework in ("torch", "keras") and isinstance(x.dtype, DType) and x.dtype.kind != "float":
        if call.framework == "torch":
            refuse(call, x)
        return Unknown("empty", "type of no elements") if has_no_elements(x) else FLOAT32
    return floating(call, x)


#: What is true of those that work along an axis.
_AXIS_TRAITS: Final[Mapping[str, Trait]] = {
    "softmax": (
        Trait.LAYER_ACTIVATION
        | Trait.SATURATES
        | Trait.SHARES
        | Trait.MIXED_ORDER
        | Trait.AUTOCAST_SINGLE_ON_CARD
        | Trait.NEEDS_RESULT
    ),
    "log_softmax": Trait.LAYER_ACTIVATION
    | Trait.SOFTMAX
    | Trait.LOG_PROBABILITIES
    | Trait.MIXED_ORDER
    | Trait.AUTOCAST_SINGLE_ON_CARD
    | Trait.NEEDS_RESULT,
    "softmin": (
        Trait.ACTIVATION
        | Trait.SATURATES
        | Trait.PROBABILITIES
        | Trait.SOFTMAX
        | Trait.MIXED_ORDER
        | Trait.AUTOCAST_SINGLE_ON_CARD
        | Trait.NEEDS_RESULT
    ),
    "gumbel_softmax": (
        Trait.ACTIVATION | Trait.PROBABILITIES | Trait.SOFTMAX | Trait.DRAWS | Trait.MIXED_ORDER | Trait.AUTOCAST_SINGLE_ON_CARD
    ),
}

for _name, _traits in _AXIS_TRAITS.items():
    op(_name, traits=_traits)(normalized)


@op("normalize", traits=Trait.KEEPS_SHAPE | Trait.KEEPS_SIGN | Trait.NORMALISES | Trait.AUTOCAST_SINGLE_ON_CARD)
def normalize(call: Call, x: TensorType, p: Value = 2, dim: Value = None) -> Result:
    """``x`` divided by its norm along ``dim``."""
    for axis in dim if isinstance(dim, tuple) else (dim,):
        call.axis(axis, x)
    if x.dtype == BOOL and call.framework == "torch":
        refuse(call, x)
    if call.framework == "keras" and x.shape == ():  # its norm has an axis
        return TensorType((1,), floating(call, x))
    return TensorType(x.shape, floating(call, x), elementwise_layout(x))
