"""Normalisation layers."""

from __future__ import annotations

from collections.abc import Mapping

from dllint.domains.dim import Dim, differs, mod, show
from dllint.domains.dtype import FLOAT32, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.open_rank import through_last_axis
from dllint.ops.promotion import has_no_elements
from dllint.ops.sizes import is_dim, size
from dllint.ops.spec import Call, Result, known_shape, known_shapes, op, weights
from dllint.ops.traits import Trait
from dllint.ops.window import layer_dtype

#: Ranks that torch's BatchNorm and InstanceNorm classes accept, by their number of spatial axes.
BATCH_RANKS: Mapping[int, tuple[int, ...]] = {1: (2, 3), 2: (4,), 3: (5,)}
INSTANCE_RANKS: Mapping[int, tuple[int, ...]] = {1: (2, 3), 2: (3, 4), 3: (4, 5)}


@op(
    "batch_norm",
    traits=(
        Trait.KEEPS_SHAPE
        | Trait.LEARNED
        | Trait.STANDARDISES
        | Trait.STARTS_PLAIN
        | Trait.SCALES
        | Trait.COUNTS_AXES
        | Trait.MIXED_ORDER
    ),
)
def batch_norm(
    call: Call,
    x: TensorType,
    *,
    num_features: Value = None,
    spatial: Value = None,
    dim: Value = None,
    affine: Value = None,
    weight: Value = None,
    running_mean: Value = None,
    weight_dtype: Value = None,
    track_running_stats: Value = True,
) -> Result:
    """Normalise each channel over the batch. torch: axis 1, and the class fixes the rank; Keras: ``dim`` (last)."""
    out = _normalized(call, x, affine, weight, weight_dtype)
    shape = known_shape(x)
    if call.framework == "torch" and affine is False and track_running_stats is False:
        num_features = None  # there is nothing that has as many elements
    if shape is None:
        return out
    ranks = _ranks(spatial, BATCH_RANKS)
    if call.framework == "torch" and ranks and not call.rank(x, *ranks):
        return out
    if call.framework == "torch" and has_no_elements(x):  # it is not looked at any further
        return out
    axis = _feature_axis(call, x, dim, minimum=2)
    return (
        out if axis is None else _check_features(call, out, axis, _declared(num_features, running_mean, weight), "num_features")
    )


@op("instance_norm", traits=Trait.KEEPS_SHAPE | Trait.LEARNED | Trait.STANDARDISES | Trait.STARTS_PLAIN | Trait.MIXED_ORDER)
def instance_norm(
    call: Call,
    x: TensorType,
    *,
    num_features: Value = None,
    spatial: Value = None,
    affine: Value = False,
    weight: Value = None,
    running_mean: Value = None,
    weight_dtype: Value = None,
) -> Result:
    """Normalise each channel of each sample. torch compares the channels only if the layer is ``affine``."""
    out = _normalized(call, x, affine, weight, weight_dtype)
    shape = known_shape(x)
    ranks = _ranks(spatial, INSTANCE_RANKS)
    if shape is None or (ranks and not call.rank(x, *ranks)):
        return out
    axis = 0 if isinstance(spatial, int) and len(shape) == spatial + 1 else 1
    if axis < len(shape):
        expected = _declared(num_features if affine is True else None, running_mean, weight)
        return _check_features(call, out, axis, expected, "num_features")
    return out


@op(
    "layer_norm",
    traits=(
        Trait.KEEPS_SHAPE
        | Trait.LEARNED
        | Trait.TRAILING_AXES
        | Trait.STARTS_PLAIN
        | Trait.ROW_BY_ROW
        | Trait.AUTOCAST_SINGLE_ON_CARD
    )
    | Trait.NEEDS_OPERAND,
)
def layer_norm(
    call: Call,
    x: TensorType,
    *,
    normalized_shape: Value = None,
    dim: Value = None,
    elementwise_affine: Value = None,
    weight: Value = None,
    weight_dtype: Value = None,
) -> Result:
    """Normalise over the trailing axes ``normalized_shape`` (torch) or over ``dim`` (Keras)."""
    out = _normalized(call, x, elementwise_affine, weight, weight_dtype)
    return _check_trailing(call, out, normalized_shape, dim, weight)


@op(
    "rms_norm",
    traits=(Trait.KEEPS_SHAPE | Trait.LEARNED | Trait.TRAILING_AXES | Trait.STARTS_PLAIN | Trait.AUTOCAST_SINGLE_ON_CARD),
)
def rms_norm(
    call: Call,
    x: TensorType,
    *,
    normalized_shape: Value = None,
    dim: Value = None,
    weight: Value = None,
    weight_dtype: Value = None,
) -> Result:
    """Divide by the root mean square over the trailing axes; torch promotes here instead of refusing a type."""
    out = x.with_shape(x.shape) if call.framework == "torch" else _normalized(call, x, None, weight, weight_dtype)
    return _check_trailing(call, out, normalized_shape, dim, weight)


@op(
    "group_norm",
    traits=(
        Trait.KEEPS_SHAPE
        | Trait.LEARNED
        | Trait.STANDARDISES
        | Trait.STARTS_PLAIN
        | Trait.MIXED_ORDER
        | Trait.AUTOCAST_SINGLE_ON_CARD
    )
    | Trait.NEEDS_OPERAND,
)
def group_norm(
    call: Call,
    x: TensorType,
    *,
    num_groups: Value = None,
    num_channels: Value = None,
    dim: Value = None,
    affine: Value = None,
    weight: Value = None,
    weight_dtype: Value = None,
) -> Result:
    """Normalise groups of channels of each sample; the channels must divide into ``num_groups``."""
    out = _normalized(call, x, affine, weight, weight_dtype)
    shape = known_shape(x)
    axis = _feature_axis(call, x, dim, minimum=2)
    if shape is None or axis is None:
        return out
    plain = call.framework == "torch" and affine is not None and affine is not True  # no weights tell the number of channels
    channels, declared = shape[axis], None if plain else _declared(num_channels, weight)
    out = _check_features(call, out, axis, declared, "num_channels")
    groups = shape[axis] if num_groups == -1 and call.framework != "torch" else num_groups
    unchecked = declared is None or call.framework != "torch"
    if unchecked and isinstance(groups, int) and groups > 0 and differs(mod(channels, groups), 0):
        detail = f"{show(channels)} channels do not divide into {groups} groups"
        call.fault(
            faults.OPERATOR_SHAPE,
            operand="num_groups",
            axis=axis,
            expected=groups,
            actual=channels,
            shapes=(shape,),
            detail=detail,
        )
    return out


@op("local_response_norm", traits=Trait.KEEPS_SHAPE | Trait.KEEPS_SIGN | Trait.STANDARDISES | Trait.AUTOCAST_SINGLE)
def local_response_norm(call: Call, x: TensorType, *, window: Value = 5) -> Result:
    """Normalise over neighbouring channels; torch wants at least 3 axes."""
    shape = known_shape(x)
    if shape is not None and len(shape) < 3:
        call.fault(faults.RANK, operand="x", expected=(3, 4, 5), actual=len(shape), shapes=(shape,))
    is_float = isinstance(x.dtype, DType) and x.dtype.kind == "float"
    return x.with_shape(x.shape) if is_float else x.with_dtype(Unknown("no-argument", "element type"))


def _check_trailing(call: Call, x: TensorType, normalized_shape: Value, dim: Value, weight: Value) -> TensorType:
    """Compare the trailing axes with ``normalized_shape`` or the weight's shape; a Keras axis must exist."""
    shape = known_shape(x)
    wanted = weight.shape if normalized_shape is None and isinstance(weight, TensorType) else normalized_shape
    wanted = (wanted,) if is_dim(wanted) else wanted
    if wanted is None:
        for axis in dim if isinstance(dim, tuple) else (dim,):
            call.axis(axis, x)
    if not isinstance(wanted, tuple):
        return x
    if shape is None:
        expected = wanted[-1] if wanted and is_dim(wanted[-1]) else None
        return x.with_shape(through_last_axis(call, x, expected, "normalized_shape", None))
    if len(shape) < len(wanted):
        detail = f"normalized_shape has {len(wanted)} axes"
        call.fault(faults.RANK, operand="x", expected=(len(wanted),), actual=len(shape), shapes=(shape,), detail=detail)
        return x
    for axis, declared in enumerate(wanted, len(shape) - len(wanted)):
        x = _check_features(call, x, axis, declared if is_dim(declared) else None, "normalized_shape")
    return x


def _normalized(call: Call, x: TensorType, affine: Value, weight: Value, declared: Value) -> TensorType:
    """The input's shape. In torch weights refuse other types (those of float32 take half precision), without weights any
    floating point will do; Keras computes in its own type, and makes the input's type of it where it normalises over
    trailing axes."""
    own = weight.dtype if isinstance(weight, TensorType) else weight if isinstance(weight, Unknown) else declared
    whole = isinstance(x.dtype, DType) and x.dtype.kind in ("int", "bool")
    if call.framework == "keras" and call.does(Trait.TRAILING_AXES) and (whole or declared is None):
        return x.with_dtype(Unknown("backend", "whole numbers")) if whole else x.with_shape(x.shape)
    if call.framework != "torch":
        return TensorType(x.shape, layer_dtype(call, x, own))
    if affine is True or isinstance(weight, TensorType):
        return TensorType(x.shape, x.dtype if own in (None, FLOAT32) and _may_be_half(x, own) else layer_dtype(call, x, own))
    if isinstance(x.dtype, DType) and x.dtype.kind in ("int", "bool"):
        if has_no_elements(x):
            return x.with_dtype(Unknown("empty", "type of no elements"))
        call.fault(faults.DTYPE, operand="x", expected=FLOAT32, actual=x.dtype)
        return TensorType(x.shape, FLOAT32)
    return x.with_shape(x.shape)


def _ranks(spatial: Value, table: Mapping[int, tuple[int, ...]]) -> tuple[int, ...]:
    """The ranks that a layer for images of so many axes takes; none if that is not known."""
    return table.get(spatial, ()) if isinstance(spatial, int) else ()


def _may_be_half(x: TensorType, own: Value) -> bool:
    """Whether a type has 16 bits, or may have beside weights that are written out; that of a layer's input is its own."""
    return own is not None if isinstance(x.dtype, Unknown) else x.dtype.bits == 16 and x.dtype.kind == "float"


def _feature_axis(call: Call, x: TensorType, dim: Value, minimum: int) -> int | None:
    if not x.rank and (x.rank is None or call.framework != "torch"):
        return None
    if call.framework == "torch":
        if x.rank is None or x.rank < minimum:
            call.fault(faults.RANK, operand="x", expected=(2, 3, 4, 5), actual=x.rank, shapes=known_shapes(x))
            return None
        return 1
    return call.axis(-1 if dim is None else dim, x)


def _declared(*sources: Value) -> Dim | None:
    """The declared number of features: the first source that has it, a size or a rank-1 weight."""
    for source in sources:
        if is_dim(source):
            return source
        if isinstance(source, TensorType) and (shape := known_shape(source)):
            return shape[0]
    return None


def _check_features(call: Call, x: TensorType, axis: int, expected: Dim | None, operand: str) -> TensorType:
    """Compare a feature size with the declared one. The result goes on with the declared one, unless another axis has it: then
    the axes are in another order than the layer wants, and what comes after it is written for one or the other."""
    shape = known_shape(x)
    if shape is None or expected is None or not differs(shape[axis], expected):
        return x
    elsewhere = [other for other, length in enumerate(shape) if other and other != axis and length == expected]
    moved = f"the {show(expected)} features are on axis {elsewhere[0]}: move them to axis {axis} before it" if elsewhere else ""
    call.fault(
        faults.FEATURE_SIZE, operand=operand, axis=axis, expected=expected, actual=shape[axis], shapes=(shape,), advice=moved
    )
    if elsewhere:
        return x.with_shape(Unknown("raised", "axes in another order"))
    return TensorType((*shape[:axis], expected, *shape[axis + 1 :]), x.dtype, x.strides)


@weights("batch_norm")
def batch_norm_weights(
    *,
    framework: str = "torch",
    num_features: Value = None,
    affine: Value = True,
    track_running_stats: Value = True,
    scale: Value = True,
    center: Value = True,
    **_: Value,
) -> Mapping[str, TensorType]:
    """``weight``, ``bias``, ``running_mean``, ``running_var`` (torch); ``gamma``, ``beta``, ``moving_…`` (Keras)."""
    features = TensorType((size(num_features, "num_features", 1),), FLOAT32)
    if framework != "torch":
        return dict.fromkeys((*_switched(scale, center), "moving_mean", "moving_variance"), features)
    names = ["weight", "bias"] if affine is True else []
    return dict.fromkeys(names + (["running_mean", "running_var"] if track_running_stats is True else []), features)


@weights("instance_norm")
def instance_norm_weights(
    *, num_features: Value = None, affine: Value = False, track_running_stats: Value = False, **_: Value
) -> Mapping[str, TensorType]:
    """``weight`` and ``bias`` if ``affine``; running statistics if tracked."""
    return batch_norm_weights(num_features=num_features, affine=affine, track_running_stats=track_running_stats)


@weights("group_norm")
def group_norm_weights(
    *,
    framework: str = "torch",
    num_channels: Value = None,
    affine: Value = True,
    scale: Value = True,
    center: Value = True,
    **_: Value,
) -> Mapping[str, TensorType]:
    """``weight`` and ``bias`` (torch), ``gamma`` and ``beta`` (Keras)."""
    features = TensorType((size(num_channels, "num_channels", 1),), FLOAT32)
    names = ("weight", "bias") if framework == "torch" else _switched(scale, center)
    return dict.fromkeys(names if affine is True else (), features)


def _switched(scale: Value, center: Value) -> tuple[str, ...]:
    """The weights of a normalisation of Keras, each of which has a switch of its own."""
    return ("gamma",) * bool(scale) + ("beta",) * bool(center)


@weights("layer_norm")
def layer_norm_weights(
    *,
    framework: str = "torch",
    normalized_shape: Value = None,
    elementwise_affine: Value = True,
    bias: Value = True,
    scale: Value = True,
    center: Value = True,
    **_: Value,
) -> Mapping[str, TensorType]:
    """``weight`` and ``bias`` (torch), ``gamma`` and ``beta`` (Keras)."""
    if isinstance(normalized_shape, Unknown):
        features = TensorType(normalized_shape, FLOAT32)
    else:
        wanted = normalized_shape if isinstance(normalized_shape, tuple) else (normalized_shape,)
        features = TensorType(tuple(size(d, "normalized_shape", 1) for d in wanted), FLOAT32)
    names = ("weight", *["bias"] * (bias is True)) if framework == "torch" else _switched(scale, center)
    return dict.fromkeys(names if elementwise_affine is True else (), features)


@weights("rms_norm")
def rms_norm_weights(
    *, framework: str = "torch", normalized_shape: Value = None, elementwise_affine: Value = True, **_: Value
) -> Mapping[str, TensorType]:
    """``weight`` (torch) or ``scale`` (Keras)."""
    found = layer_norm_weights(normalized_shape=normalized_shape, elementwise_affine=elementwise_affine, bias=False)
    return {"weight" if framework == "torch" else "scale": found["weight"]} if found else {}
