"""Operations that lay elements out anew, join and cut tensors."""

from __future__ import annotations

from typing import Any, Final

from dllint.domains.dim import mul, opaque, product
from dllint.domains.dtype import BOOL, FLOAT32, INT64
from dllint.domains.lattice import Unknown
from dllint.domains.shape import MOST_AXES, TensorType, broadcast, normalize_axis
from dllint.ir.program import TensorVal
from dllint.lower.graphs.builder import Call
from dllint.lower.graphs.elements import vector
from dllint.lower.graphs.onnx.operators.arithmetic import kept
from dllint.lower.graphs.onnx.registry import axes_of, operator, whole_numbers
from dllint.lower.graphs.onnx.types import dtype_of


def sizes_of(call: Call, number: int) -> tuple[Any, ...] | Unknown:
    """The elements of an operand that is a shape."""
    found = vector(call.elements(number))
    return Unknown("computed-shape", call.node.operator) if found is None else found


@operator("Reshape")
def reshape(call: Call, opset: int) -> Any:
    """A size of 0 stands for that of the input, unless ``allowzero``."""
    x = call.input(0)
    given = call.attribute("shape") if opset < 5 else None
    shape = given if given is not None else sizes_of(call, 1)
    if isinstance(shape, tuple) and not call.attribute("allowzero", 0) and x is not None and 0 in shape:
        if isinstance(x.shape, Unknown):
            shape = Unknown("computed-shape", "Reshape")
        else:
            shape = tuple(x.shape[n] if size == 0 and n < len(x.shape) else size for n, size in enumerate(shape))
    return call.emit("reshape", x=x, shape=shape)


@operator("Flatten")
def flatten(call: Call, _opset: int) -> Any:
    """To two axes: those before ``axis`` and those from it on."""
    x, axis = call.input(0), call.attribute("axis", 1)
    if x is None or isinstance(x.shape, Unknown):
        return call.emit("reshape", x=x, shape=Unknown("unknown-rank", "Flatten"))
    axis = axis + len(x.shape) if axis < 0 else axis
    if axis == 1 and len(x.shape) > 1:
        return call.emit("flatten", x=x, start_dim=1)
    return call.emit("reshape", x=x, shape=(product(x.shape[:axis]), product(x.shape[axis:])))


@operator("Squeeze")
def _squeeze(call: Call, _opset: int) -> Any:
    axes = axes_of(call, 1)
    return call.emit("squeeze", x=call.input(0), dim=Unknown("computed-axes", "Squeeze") if axes is None else axes or None)


@operator("Unsqueeze")
def unsqueeze(call: Call, _opset: int) -> Any:
    """The axes are those of the result."""
    x, axes = call.input(0), axes_of(call, 1)
    if x is None or axes is None or isinstance(x.shape, Unknown):
        return call.emit("unsqueeze", x=x, dim=Unknown("computed-axes", "Unsqueeze"))
    if len(axes) > MOST_AXES:
        return None
    rank, out = len(x.shape) + len(axes), x
    if len(axes) == 1:
        return call.emit("unsqueeze", x=x, dim=axes[0])
    for axis in sorted(axis % rank for axis in axes):
        out = call.emit("unsqueeze", x=out, dim=axis)
    return out


@operator("Transpose")
def _transpose(call: Call, _opset: int) -> Any:
    x, order = call.input(0), call.attribute("perm")
    if order is None and x is not None and x.type.rank is not None:
        order = tuple(reversed(range(x.type.rank)))
    return call.emit("permute", x=x, dims=Unknown("unknown-rank", "Transpose") if order is None else order)


@operator("Expand")
def expand(call: Call, _opset: int) -> Any:
    """Broadcast in both directions."""
    x, shape = call.input(0), sizes_of(call, 1)
    if x is not None and isinstance(shape, tuple) and not isinstance(x.shape, Unknown):
        shape = broadcast((x.shape, shape))[0]
    return call.emit("broadcast_to", x=x, shape=shape)


@operator("Tile")
def _tile(call: Call, _opset: int) -> Any:
    return call.emit("tile", x=call.input(0), repeats=sizes_of(call, 1))


@operator("Concat")
def _concatenate(call: Call, _opset: int) -> Any:
    return call.emit("cat", tensors=call.tensors(), dim=call.attribute("axis", 1))


@operator("Split")
def split(call: Call, opset: int) -> Any:
    """Sizes are an attribute up to operator set 12; without them, as many equal parts as there are results (the last one may be
    smaller)."""
    x, axis = call.input(0), call.attribute("axis", 0)
    sizes = call.attribute("split") or (vector(call.elements(1)) if call.input(1) is not None else None)
    parts = len(call.node.outputs)
    if sizes is None and call.input(1) is None and x is not None and not isinstance(x.shape, Unknown):
        place = normalize_axis(axis, len(x.shape))
        size = x.shape[place] if place is not None else None
        sizes = _equal_parts(size, parts) if isinstance(size, int) else None
    if sizes is None:
        return call.emit("chunk", x=x, chunks=parts, dim=axis)
    return call.emit("split", x=x, sections=tuple(sizes), dim=axis)


def _equal_parts(size: int, parts: int) -> tuple[int, ...]:
    each = -(-size // max(parts, 1))
    return tuple(max(0, min(each, size - each * n)) for n in range(parts))


@operator("Pad")
def pad(call: Call, _opset: int) -> Any:
    """How much, all beginnings and then all ends; operands from operator set 11 on, with axes from 18 on."""
    x = call.input(0)
    given = call.attribute("pads") or call.attribute("paddings") or vector(call.elements(1))
    value = call.attribute("value", call.operand(2)) or 0.0
    numbers = whole_numbers(given) if given is not None else None
    if x is None or isinstance(x.shape, Unknown) or numbers is None:
        return call.emit("pad", x=x, pad=Unknown("computed-shape", "Pad"))
    rank = len(x.shape)
    axes = axes_of(call, 3) or tuple(range(rank))
    half, around = len(numbers) // 2, {}
    for number, axis in enumerate(axes[:half]):
        around[axis % rank] = numbers[number], numbers[half + number]
    pairs = [around.get(axis, (0, 0)) for axis in reversed(range(rank))]
    mode = {"edge": "replicate", "wrap": "circular"}.get(call.attribute("mode", "constant"), call.attribute("mode", "constant"))
    if mode != "constant":
        shape = tuple(size + sum(around.get(axis, (0, 0))) for axis, size in enumerate(x.shape))
        return call.produce("expand", {"x": x}, TensorType(shape, x.dtype))
    return call.emit("pad", x=x, pad=tuple(n for pair in pairs for n in pair), value=value)


@operator("Shape")
def _shape(call: Call, _opset: int) -> Any:
    x = call.input(0)
    if x is None or isinstance(x.shape, Unknown):
        return call.produce("shape", {"x": x}, TensorType(Unknown("unknown-rank", "Shape"), INT64))
    rank = len(x.shape)
    sizes = x.shape[slice(call.attribute("start", 0), call.attribute("end", rank))]
    return call.holds(call.produce("shape", {"x": x}, TensorType((len(sizes),), INT64))[0], sizes)


@operator("Size")
def _number_of_elements(call: Call, _opset: int) -> Any:
    x = call.input(0)
    count = None if x is None or isinstance(x.shape, Unknown) else product(x.shape)
    return call.holds(call.produce("numel", {"x": x}, TensorType((), INT64))[0], count)


@operator("Range")
def counted(call: Call, _opset: int) -> Any:
    """From the first operand to before the second, in steps of the third."""
    start, end, step = (_scalar(call, number) for number in range(3))
    dtype = first.dtype if (first := call.input(0)) is not None else None
    return kept(call.emit("arange", start=start, end=end, step=step, dtype=dtype), dtype)


def _scalar(call: Call, number: int) -> Any:
    elements = call.elements(number)
    if elements is None:
        return Unknown("computed-size", call.node.operator)
    return elements[0] if isinstance(elements, tuple) and len(elements) == 1 else elements


@operator("ConstantOfShape")
def filled(call: Call, _opset: int) -> Any:
    """With 0 of float32, unless a tensor of one element says otherwise."""
    tensor, sizes = call.attribute("value"), sizes_of(call, 0)
    dtype = FLOAT32 if tensor is None else dtype_of(tensor.data_type)
    value = 0.0 if tensor is None else _only_element(tensor)
    out = call.emit("full", shape=sizes, fill_value=Unknown("weight", "value") if value is None else value, dtype=dtype)
    count = sizes[0] if isinstance(sizes, tuple) and len(sizes) == 1 else None
    whole = value is not None and value == int(value)
    return call.holds(out, (int(value or 0),) * count if whole and isinstance(count, int) and count <= _SHORT else None)


#: Longer vectors are no shapes.
_SHORT: Final = 256


def _only_element(tensor: Any) -> float | None:
    from onnx.numpy_helper import to_array

    array = to_array(tensor)
    number = array.ravel()[0].item() if array.size == 1 else None
    return number if isinstance(number, (bool, int, float)) and number - number == 0 else None


@operator("EyeLike")
def _identity_matrix(call: Call, _opset: int) -> Any:
    x = call.input(0)
    dtype = call.attribute("dtype")
    made = TensorType(x.shape, x.dtype if dtype is None else dtype_of(dtype)) if x is not None else None
    return call.produce("eye_like", {"x": x}, made) if made is not None else None


@operator("DepthToSpace", "SpaceToDepth")
def blocks(call: Call, _opset: int) -> Any:
    """Space to depth, or the reverse: both orders of channels give the same shape."""
    kind = "pixel_shuffle" if call.node.operator == "DepthToSpace" else "pixel_unshuffle"
    return call.emit(kind, x=call.input(0), factor=call.attribute("blocksize", 1))


@operator("ReverseSequence")
def _reversed_parts(call: Call, _opset: int) -> Any:
    return call.emit("flip", x=call.input(0), dims=(call.attribute("time_axis", 0),))


@operator("Trilu")
def _triangle(call: Call, _opset: int) -> Any:
    diagonal = whole_numbers(call.elements(1)) if call.input(1) is not None else (0,)
    k = diagonal[0] if diagonal else Unknown("computed-size", "Trilu")
    return call.emit("triu" if call.attribute("upper", 1) else "tril", x=call.input(0), diagonal=k)


@operator("Resize", "Upsample")
def resize(call: Call, opset: int) -> Any:
    """To sizes, or by factors, for all axes (or those of ``axes``). Interpolation stays between the elements, except cubic."""
    x = call.input(0)
    if x is None or isinstance(x.shape, Unknown):
        return call.produce("resize", {"x": x}, TensorType(Unknown("unknown-rank", "Resize"), typed(x)))
    made = TensorType(_resized(call, opset, x), x.dtype)
    return call.produce("resize" if call.attribute("mode") == "cubic" else "expand", {"x": x}, made)


def typed(x: TensorVal | None) -> Any:
    """The element type of an operand."""
    return Unknown("missing-operand") if x is None else x.dtype


def _resized(call: Call, opset: int, x: TensorVal) -> Any:
    first = 1 if call.node.operator == "Upsample" or opset < 11 else 2
    sizes = vector(call.elements(3)) if call.input(3) is not None else None
    scales = call.input(first)
    factors = vector(call.attribute("scales") or (scales.data if scales is not None else None))
    if isinstance(x.shape, Unknown):
        return x.shape
    axes = tuple(axis % len(x.shape) for axis in call.attribute("axes") or range(len(x.shape)))
    shape = list(x.shape)
    for number, axis in enumerate(axes):
        if sizes is not None and number < len(sizes) and call.attribute("keep_aspect_ratio_policy", "stretch") == "stretch":
            shape[axis] = sizes[number]
        elif sizes is None and factors is not None and number < len(factors):
            shape[axis] = _scaled(shape[axis], factors[number])
        else:
            return Unknown("computed-shape", call.node.operator)
    return tuple(shape)


def _scaled(size: Any, factor: float) -> Any:
    if isinstance(size, int):
        return int(size * factor)
    return mul(size, int(factor)) if factor == int(factor) else Unknown("computed-shape", "Resize")


@operator("OneHot")
def one_hot(call: Call, _opset: int) -> Any:
    """Two numbers: that of all other places, that of the class."""
    x, depth, values = call.input(0), _scalar(call, 1), call.input(2)
    if x is None or values is None:
        return None
    if isinstance(x.shape, Unknown) or isinstance(depth, Unknown):
        made: Any = Unknown("computed-shape", "OneHot")
    else:
        axis = call.attribute("axis", -1) % (len(x.shape) + 1)
        made = (*x.shape[:axis], depth, *x.shape[axis:])
    return call.produce("expand", {"x": values}, TensorType(made, values.dtype))


@operator("Compress", "Unique", "NonZero")
def chosen(call: Call, _opset: int) -> Any:
    """Elements selected by a condition; their number is unknown."""
    x = call.input(0)
    if x is None:
        return None
    open_shape: Any = Unknown("data-dependent", call.node.operator)
    if call.node.operator == "NonZero":
        rank = x.type.rank
        return call.produce("nonzero", {"x": x}, TensorType(open_shape if rank is None else (rank, opaque("found")), INT64))
    if call.attribute("axis") is None:
        open_shape = (opaque("found"),)
    kept_elements = call.produce("masked_select", {"x": x}, TensorType(open_shape, x.dtype))
    positions = (TensorType(Unknown("data-dependent"), INT64) for _ in call.node.outputs[1:])
    return (*kept_elements, *call.produce("unique_positions", {"x": x}, *positions)) if call.node.outputs[1:] else kept_elements


@operator("IsInf")
def _infinite(call: Call, _opset: int) -> Any:
    return kept(call.emit("isinf", x=call.input(0)), BOOL)
