"""Functions that are several operations: sums of lists, moments, normalisation with given moments, gradients."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import Dim, DimExpr, symbol
from dllint.domains.dtype import INT32, INT64
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.given import given
from dllint.frameworks.keras.protocols.plain import argument, plain, tensors
from dllint.frameworks.machine import Handler, Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, ListVal, SliceVal, Value, unwrap

_TF: Final = "tensorflow"


def emit(machine: Machine, kind: str, spelled: str, **args: Value) -> Value:
    """Perform an operation in TensorFlow's terms."""
    return machine.emit(kind, args, framework=_TF, spelled=f"tensorflow.{spelled}")


@handler("tensorflow.add_n", "tensorflow.math.accumulate_n")
def add_n(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The sum of a list of tensors; a list of unknown length has a sum of its elements' type."""
    given_list = arguments.args[0] if arguments.args else arguments.kwargs.get("inputs")
    parts = machine.iterate(given_list)
    if isinstance(parts, Unknown):
        elements = unwrap(given_list)
        rest = elements.rest if isinstance(elements, ListVal) else None
        return rest if isinstance(rest, TensorVal) else machine.unknown("unknown-length", "tensorflow.add_n")
    if not parts:
        return machine.unknown("empty-list", "tensorflow.add_n")
    total = plain(parts[0])
    for part in parts[1:]:
        total = emit(machine, "add", "add_n", x=total, y=plain(part))
    return total


@handler("tensorflow.div")
def div(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """TensorFlow 1's ``div``: Python 2's division, which rounds integers down."""
    x, y = argument(arguments, "x", 0), argument(arguments, "y", 1)
    kind = "floor_divide" if all(map(_is_integer, (x, y))) else "div"
    return emit(machine, kind, "div", x=x, y=y)


def _is_integer(value: Value) -> bool:
    if isinstance(value, TensorVal):
        return not isinstance(value.dtype, Unknown) and value.dtype.kind == "int"
    return isinstance(value, (int, DimExpr))


@handler("tensorflow.math.squared_difference")
def squared_difference(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``(x - y)²``."""
    difference = emit(machine, "sub", "math.squared_difference", x=argument(arguments, "x", 0), y=argument(arguments, "y", 1))
    return emit(machine, "square", "math.squared_difference", x=difference)


@handler("tensorflow.nn.l2_loss")
def l2_loss(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Half the sum of the squares."""
    squares = emit(machine, "square", "nn.l2_loss", x=argument(arguments, "t", 0))
    return emit(machine, "div", "nn.l2_loss", x=emit(machine, "sum", "nn.l2_loss", x=squares), y=2.0)


@handler("tensorflow.nn.moments")
def moments(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Mean and variance over axes."""
    asked = given("x, axes, shift=None, keepdims=None, name=None, keep_dims=None", arguments)
    keep = bool(asked["keepdims"] or asked["keep_dims"])
    x = plain(asked.get("x"))
    args = {"x": x, "dim": plain(asked.get("axes")), "keepdim": keep}
    mean = machine.emit("mean", args, framework=_TF, spelled="tensorflow.nn.moments")
    if isinstance(x, TensorVal) and x.dtype in (INT32, INT64) and isinstance(mean, TensorVal):
        return mean, machine.tensor(mean.type, framework=_TF)  # computed in whole numbers, too
    return mean, machine.emit("var", args, framework=_TF, spelled="tensorflow.nn.moments")


@handler("tensorflow.nn.weighted_moments")
def weighted_moments(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Mean and variance over axes of elements that count by weights, which take the type of the elements."""
    asked = given("x, axes, frequency_weights, name=None, keepdims=False, keep_dims=None", arguments)
    x, weights = plain(asked.get("x")), plain(asked.get("frequency_weights"))
    spelled, axes = "nn.weighted_moments", plain(asked.get("axes"))
    keep = bool(asked["keepdims"] or asked["keep_dims"])
    x = emit(machine, "tensor", spelled, data=x) if isinstance(x, (int, float)) else x
    if isinstance(x, TensorVal) and isinstance(weights, TensorVal) and weights.dtype != x.dtype:
        weights = emit(machine, "cast", spelled, x=weights, dtype=x.dtype)

    def averaged(values: Value) -> Value:
        parts = (emit(machine, "mul", spelled, x=values, y=weights), emit(machine, "mul", spelled, x=weights, y=ones))
        total, weight = (emit(machine, "sum", spelled, x=part, dim=axes, keepdim=keep) for part in parts)
        return emit(machine, "div", spelled, x=total, y=weight)

    ones = emit(machine, "ones_like", spelled, x=x)
    mean = averaged(x)
    squares = averaged(emit(machine, "square", spelled, x=x))
    return mean, emit(machine, "sub", spelled, x=squares, y=emit(machine, "square", spelled, x=mean))


@handler("tensorflow.nn.batch_normalization")
def batch_normalization(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``(x - mean) · rsqrt(variance + epsilon) · scale + offset``; scale and offset may be ``None``."""
    names = ("x", "mean", "variance", "offset", "scale", "variance_epsilon")
    x, mean, variance, offset, scale, epsilon = (argument(arguments, name, i) for i, name in enumerate(names))
    spelled = "nn.batch_normalization"
    factor = emit(machine, "rsqrt", spelled, x=emit(machine, "add", spelled, x=variance, y=epsilon))
    if isinstance(x, TensorVal) and _is_of_other_type(x, (mean, variance, offset, scale)):
        return _normalized_in_own_type(machine, x, mean, factor, offset, scale)
    out = emit(machine, "mul", spelled, x=emit(machine, "sub", spelled, x=x, y=mean), y=factor)
    for kind, other in (("mul", scale), ("add", offset)):
        if other is not None:
            out = emit(machine, kind, spelled, x=out, y=other)
    return out


def _is_of_other_type(x: TensorVal, others: tuple[Value, ...]) -> bool:
    """Whether a tensor is of another element type than tensors beside it, or may be."""
    return any(isinstance(other, TensorVal) and other.dtype != x.dtype for other in others)


def _normalized_in_own_type(machine: Machine, x: TensorVal, mean: Value, factor: Value, offset: Value, scale: Value) -> Value:
    """What ``x`` is multiplied by and what is added are computed in their own types, and converted to that of ``x``."""
    spelled = "nn.batch_normalization"
    if scale is not None:
        factor = emit(machine, "mul", spelled, x=factor, y=scale)
    moved = emit(machine, "mul", spelled, x=mean, y=factor)
    moved = emit(machine, "neg", spelled, x=moved) if offset is None else emit(machine, "sub", spelled, x=offset, y=moved)
    parts = [emit(machine, "cast", spelled, x=part, dtype=x.dtype) for part in (factor, moved)]
    return emit(machine, "add", spelled, x=emit(machine, "mul", spelled, x=x, y=parts[0]), y=parts[1])


@handler("tensorflow.nn.fused_batch_norm")
def fused_batch_norm(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The normalised tensor with the batch's mean and variance."""
    asked = given(
        "x, scale=None, offset=None, mean=None, variance=None, epsilon=0.001, data_format='NHWC', *rest, **options", arguments
    )
    axis = 1 if plain(asked["data_format"]) == "NCHW" else -1
    out = emit(machine, "batch_norm", "nn.fused_batch_norm", x=plain(asked.get("x")), weight=plain(asked["scale"]), dim=axis)
    return out, plain(asked["scale"]), plain(asked["scale"])


@handler("tensorflow.nn.xw_plus_b")
def affine(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``x @ weights + biases``."""
    x, weights, biases = (argument(arguments, name, i) for i, name in enumerate(("x", "weights", "biases")))
    product = emit(machine, "matmul", "nn.xw_plus_b", x=x, y=weights)
    return emit(machine, "add", "nn.xw_plus_b", x=product, y=biases)


@handler("tensorflow.nn.relu_layer")
def relu_layer(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``relu(x @ weights + biases)``."""
    return emit(machine, "relu", "nn.relu_layer", x=affine(machine, None, arguments))


@handler("tensorflow.nn.crelu")
def crelu(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The positive and the negative part, one behind the other."""
    x, axis = argument(arguments, "features", 0), argument(arguments, "axis", 2)
    both = (x, emit(machine, "neg", "nn.crelu", x=x))
    return emit(machine, "relu", "nn.crelu", x=emit(machine, "cat", "nn.crelu", tensors=both, dim=-1 if axis is None else axis))


@handler("tensorflow.gradients", "tensorflow.hessians")
def gradients(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """One gradient per ``xs``, each of its type."""
    sources = arguments.args[1] if len(arguments.args) > 1 else arguments.kwargs.get("xs")
    found = tensors(plain(sources))
    if not found:
        return ListVal([], Unknown("run-time", "gradient"))
    return ListVal([machine.perhaps(machine.tensor(x.type, framework=_TF, name="gradient")) for x in found])


@handler("tensorflow.clip_by_global_norm")
def clip_by_global_norm(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The list itself, clipped, and its norm."""
    parts = arguments.args[0] if arguments.args else arguments.kwargs.get("t_list")
    return parts, _scalar(machine, "norm")


@handler("tensorflow.linalg.global_norm")
def global_norm(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A number."""
    return _scalar(machine, "norm")


def _scalar(machine: Machine, name: str) -> TensorVal:
    return machine.tensor(TensorType((), Unknown("no-argument", name)), framework=_TF, name=name)


_CASTS: Final = {
    "to_float": "float32", "to_double": "float64", "to_int32": "int32", "to_int64": "int64", "to_bfloat16": "bfloat16",
}  # fmt: skip


def _cast(name: str, dtype: str) -> Handler:
    def convert(machine: Machine, _: Value, arguments: Arguments) -> Value:
        return emit(machine, "cast", name, x=argument(arguments, "x", 0), dtype=dtype)

    return convert


for _name, _dtype in _CASTS.items():
    handler(f"tensorflow.{_name}")(_cast(_name, _dtype))


def _unique(name: str, counts: bool) -> Handler:
    def unique(machine: Machine, _: Value, arguments: Arguments) -> Value:
        options = given("x, out_idx='int32', name=None", arguments)
        args = {"x": options.get("x"), "return_inverse": True, "return_counts": counts, "index_dtype": options["out_idx"]}
        found = emit(machine, "unique", name, **args)
        return found if isinstance(found, tuple) else machine.unknown("no-tensor", f"tensorflow.{name}")

    return unique


for _name in ("unique", "unique_with_counts"):
    handler(f"tensorflow.{_name}")(_unique(_name, _name != "unique"))


@handler("tensorflow.meshgrid")
def meshgrid(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``meshgrid(*vectors, indexing="xy")``."""
    indexing = plain(arguments.kwargs.get("indexing", "xy"))
    return emit(machine, "meshgrid", "meshgrid", tensors=tuple(map(plain, arguments.args)), indexing=indexing)


@handler("tensorflow.sort")
def sort(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``sort(values, axis=-1, direction="ASCENDING")``."""
    asked = given("values, axis=-1, direction='ASCENDING', name=None", arguments)
    direction = asked["direction"]
    descending: Value = direction == "DESCENDING" if isinstance(direction, str) else Unknown("no-argument", "direction")
    return emit(machine, "sort", "sort", x=plain(asked.get("values")), dim=asked["axis"], descending=descending)


def _reordered(name: str, first: str) -> Handler:
    def reorder(machine: Machine, _: Value, arguments: Arguments) -> Value:
        """The elements in an order that is not followed."""
        return emit(machine, "roll", name, x=argument(arguments, first, 0), shifts=Unknown("random", "order"))

    return reorder


for _name, _first in (
    ("random.shuffle", "value"), ("reverse_sequence", "input"), ("image.random_flip_left_right", "image"),
    ("image.random_flip_up_down", "image"), ("image.flip_left_right", "image"), ("image.flip_up_down", "image"),
):  # fmt: skip
    handler(f"tensorflow.{_name}")(_reordered(_name, _first))


@handler("tensorflow.strided_slice")
def strided_slice(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``strided_slice(x, begin, end, strides)``: ``x[begin:end:strides]`` on the leading axes."""
    asked = given("input_, begin, end, strides=None, *rest, **masks", arguments)
    begin, end, strides = (plain(asked.get(name)) for name in ("begin", "end", "strides"))
    if not isinstance(begin, tuple) or not isinstance(end, tuple) or asked.get("masks") or asked.get("rest"):
        return machine.unknown("no-argument", "tensorflow.strided_slice")
    steps = strides if isinstance(strides, tuple) else (1,) * len(begin)
    index = tuple(SliceVal(*bounds) for bounds in zip(begin, end, steps, strict=False))
    return emit(machine, "getitem", "strided_slice", x=plain(asked.get("input_")), index=index)


@handler("tensorflow.image.resize_images")
def resize_images(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``resize_images(images, size)``; before TensorFlow 1.0 ``resize_images(images, new_height, new_width)``."""
    images, second, third = (argument(arguments, name, i) for i, name in enumerate(("images", "size", "new_width")))
    if not isinstance(second, tuple) and (third is not None or "new_height" in arguments.kwargs):
        second = (plain(arguments.kwargs.get("new_height", second)), third)
    unchanged = Unknown("release", "an image that has the size already keeps its type")
    return emit(machine, "resize_image", "image.resize_images", x=images, shape=second, mode=unchanged)


def _free_image(machine: Machine, channels: Value, *frames: Dim) -> TensorVal:
    known = channels if isinstance(channels, int) and channels else symbol("C")
    type_ = TensorType((*frames, symbol("H"), symbol("W"), known), Unknown("data-file", "image"))
    return machine.tensor(type_, framework=_TF, name="image")


def _decoders(*names: str) -> tuple[str, ...]:
    return tuple(f"tensorflow.{home}.{name}" for home in ("image", "io") for name in names)


@handler(*_decoders("decode_jpeg", "decode_png", "decode_bmp", "decode_and_crop_jpeg"))
def decode(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """An image of any size, with the channels asked for."""
    return _free_image(machine, argument(arguments, "channels", 1))


@handler(*_decoders("decode_gif"))
def decode_animation(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The frames of an animation, each with three channels."""
    return _free_image(machine, 3, symbol("frames"))


@handler(*_decoders("decode_image"))
def decode_any(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """An image of any format: of an animation it is all frames, with an axis for them, if these are not declined."""
    if plain(argument(arguments, "expand_animations", 4)) is False:
        return _free_image(machine, argument(arguments, "channels", 1))
    unknown = Unknown("data-file", "image or animation")
    return machine.tensor(TensorType(unknown, Unknown("data-file", "image")), framework=_TF, name="image")


@handler("tensorflow.image.random_crop")
def random_crop(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A part of the given shape."""
    x, size = argument(arguments, "value", 0), argument(arguments, "size", 1)
    if isinstance(x, TensorVal) and isinstance(x.shape, Unknown) and isinstance(size, tuple):
        return emit(machine, "reshape", "image.random_crop", x=x, shape=size)
    begin = (0,) * len(size) if isinstance(size, tuple) else size
    return emit(machine, "slice", "image.random_crop", x=x, begin=begin, size=size)


@handler("tensorflow.image.central_crop")
def central_crop(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The middle of an image; its size is not followed."""
    x = argument(arguments, "image", 0)
    if not isinstance(x, TensorVal) or isinstance(x.shape, Unknown) or len(x.shape) < 3:
        return machine.unknown("no-argument", "image")
    return emit(machine, "crop_image", "image.central_crop", x=x, height=symbol("H"), width=symbol("W"))
