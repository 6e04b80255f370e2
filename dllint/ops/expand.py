"""Copies along axes: expand, repeat, tile, repeat_interleave."""

from __future__ import annotations

from dllint.domains.dim import Dim, differs, mul, opaque, product, show, total
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, show_shape
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.binary import broadcast_operands
from dllint.ops.join import listed
from dllint.ops.operand import as_tensor, shape_argument
from dllint.ops.promotion import widened
from dllint.ops.sizes import is_dim, is_shape, size
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait
from dllint.ops.view import LAID_OUT, laid_out, layout


@op("expand", traits=Trait.INSERTS_AXIS | Trait.REPEATS | Trait.VIEW | Trait.TELLS_LAYOUT)
def expand(call: Call, x: TensorType, shape: Value) -> Result:
    """Axes of size 1 repeated without copying, new axes on the left; -1 keeps a size (torch)."""
    given, target = as_tensor(call, x), shape_argument(shape)
    source = known_shape(given)
    if isinstance(target, Unknown) or source is None:
        found = target if isinstance(target, Unknown) else tuple(opaque("size") if n == -1 else n for n in _sizes(target))
        return TensorType(found, given.dtype, Unknown("layout", "expand"))
    if len(target) < len(source):
        detail = f"a target of {len(target)} axes is shorter than the shape"
        call.fault(faults.OPERATOR_SHAPE, operand="shape", shapes=(source, _sizes(target)), detail=detail)
        return given.with_shape(_sizes(target))
    new = len(target) - len(source)
    out = tuple(_expanded(call, source, axis - new, wanted, _sizes(target)) for axis, wanted in enumerate(target))
    if call.framework not in LAID_OUT:
        return given.with_shape(out)
    steps = layout(given)
    if isinstance(steps, Unknown):
        return TensorType(out, given.dtype, steps)
    strides = (0,) * new + tuple(
        step if have == 1 or have == n else 0 for step, have, n in zip(steps, source, out[new:], strict=True)
    )
    repeated = tuple(
        0 if have == 1 and n != 1 else step for step, have, n in zip(strides[new:], source, out[new:], strict=True)
    )
    return laid_out(given, out, strides[:new] + repeated)


@op("broadcast_tensors", traits=Trait.MAY_VIEW | Trait.TELLS_LAYOUT, various=True)
def broadcast_tensors(call: Call, tensors: Value) -> Result:
    """Views of all tensors with the shape that they are broadcast to."""
    items = listed(call, tensors)
    if isinstance(items, Unknown):
        return items
    shape = broadcast_operands(call, *items)
    if isinstance(shape, Unknown) or call.faults:
        return tuple(TensorType(shape, item.dtype, Unknown("layout", "expand")) for item in items)
    return tuple(expand(call, item, shape) for item in items)


def _expanded(call: Call, source: Shape, axis: int, wanted: Value, target: Shape) -> Dim:
    if isinstance(wanted, int) and wanted == -1:
        if axis < 0:
            call.fault(faults.OPERATOR_SHAPE, operand="shape", shapes=(source, target), detail="a new axis cannot have size -1")
            return opaque("size")
        return source[axis]
    if isinstance(wanted, int) and wanted < -1 and call.framework == "torch":
        call.fault(faults.ARGUMENT, operand="shape", actual=wanted, detail=f"a size cannot be {wanted}")
        return opaque("size")
    out = size(wanted, "size")
    if axis >= 0 and differs(source[axis], out) and differs(source[axis], 1):
        detail = f"axis {axis} has size {show(source[axis])}, which is neither 1 nor {show(out)}"
        call.fault(
            faults.OPERATOR_SHAPE,
            operand="shape",
            axis=axis,
            expected=out,
            actual=source[axis],
            shapes=(source, target),
            detail=detail,
        )
    return out


def _sizes(target: tuple[Value, ...]) -> Shape:
    return tuple(size(n, "size") for n in target)


op("broadcast_to", traits=Trait.INSERTS_AXIS | Trait.REPEATS | Trait.VIEW | Trait.TELLS_LAYOUT)(expand)


@op("sum_to_size", traits=Trait.MAY_VIEW | Trait.GIVES_BACK | Trait.TELLS_LAYOUT)
def sum_to_size(call: Call, x: TensorType, shape: Value = None) -> Result:
    """Sums over axes, so that what is left has a shape that could be expanded to that of ``x``."""
    target, source = shape_argument(shape), known_shape(x)
    if isinstance(target, Unknown) or source is None:
        return TensorType(target if isinstance(target, Unknown) else _sizes(target), x.dtype, Unknown("layout", "sum_to_size"))
    wanted = _sizes(target)
    short = len(wanted) > len(source)
    if short or any(differs(n, m) and differs(n, 1) for n, m in zip(wanted[::-1], source[::-1], strict=False)):
        detail = f"{show_shape(wanted)} cannot be expanded to {show_shape(source)}"
        call.fault(faults.OPERATOR_SHAPE, operand="shape", shapes=(source, wanted), detail=detail)
    return TensorType(wanted, x.dtype if wanted == source else widened(call, x.dtype), Unknown("layout", "sum_to_size"))


@op("expand_as", traits=Trait.INSERTS_AXIS | Trait.REPEATS | Trait.VIEW | Trait.TELLS_LAYOUT)
def expand_as(call: Call, x: TensorType, y: TensorType) -> Result:
    """``x`` expanded to the shape of ``y``."""
    return expand(call, x, y.shape)


@op("repeat", traits=Trait.REPEATS | Trait.ROW_BY_ROW)
def repeat(call: Call, x: TensorType, repeats: Value) -> Result:
    """torch's ``repeat``: as many copies per axis as given, new axes on the left; at least one number per axis."""
    given, counts = as_tensor(call, x), shape_argument(repeats)
    shape = known_shape(given)
    if shape is None or isinstance(counts, Unknown):
        return given.with_shape(Unknown("no-argument", "repeat"))
    if len(counts) < len(shape):
        detail = f"{len(counts)} repeat counts for {len(shape)} axes"
        call.fault(
            faults.OPERATOR_SHAPE, operand="repeats", expected=len(shape), actual=len(counts), shapes=(shape,), detail=detail
        )
    return given.with_shape(_tiled(shape, counts))


def _tiled(shape: Shape, counts: tuple[Value, ...]) -> Shape:
    rank = max(len(shape), len(counts))
    sizes = (1,) * (rank - len(shape)) + shape
    times = (1,) * (rank - len(counts)) + tuple(size(n, "repeats") for n in counts)
    return tuple(mul(n, k) for n, k in zip(sizes, times, strict=True))


@op("tile", traits=Trait.REPEATS | Trait.ROW_BY_ROW)
def tile(call: Call, x: TensorType, repeats: Value) -> Result:
    """``repeat`` with the shorter of shape and counts filled with 1 on the left (TensorFlow: lengths must agree)."""
    given, counts = as_tensor(call, x), shape_argument(repeats)
    shape = known_shape(given)
    if shape is None or isinstance(counts, Unknown):
        return given.with_shape(Unknown("no-argument", "tile"))
    if call.framework == "tensorflow" and len(counts) != len(shape):
        detail = f"{len(counts)} multiples for {len(shape)} axes"
        call.fault(
            faults.OPERATOR_SHAPE, operand="repeats", expected=len(shape), actual=len(counts), shapes=(shape,), detail=detail
        )
    return given.with_shape(_tiled(shape, counts))


@op("repeat_interleave", traits=Trait.REPEATS | Trait.ROW_BY_ROW)
def repeat_interleave(call: Call, x: TensorType, repeats: Value, dim: Value = None) -> Result:
    """Each element (along ``dim``, else of the flattened tensor) repeated in place."""
    given = as_tensor(call, x)
    shape = known_shape(given)
    if shape is None or isinstance(dim, Unknown):
        return given.with_shape(Unknown("no-argument", "repeat_interleave"))
    axis = 0 if dim is None else call.axis(dim, given)
    flat = (product(shape),) if dim is None or not shape else shape
    if axis is None:
        return given if call.faults else given.with_shape(Unknown("no-argument", "dim"))
    return given.with_shape((*flat[:axis], _interleaved(call, flat, axis, repeats), *flat[axis + 1 :]))


def _interleaved(call: Call, shape: Shape, axis: int, repeats: Value) -> Dim:
    if isinstance(repeats, tuple) and len(repeats) == 1:
        repeats = repeats[0]
    if is_dim(repeats):
        return mul(shape[axis], repeats)
    if is_shape(repeats):
        counted = any(isinstance(count, int) for count in repeats)  # what is not known may be a row of counts
        if counted and differs(shape[axis], len(repeats)):
            detail = f"{len(repeats)} repeat counts for size {show(shape[axis])} on axis {axis}"
            call.fault(
                faults.OPERATOR_SHAPE,
                operand="repeats",
                axis=axis,
                expected=shape[axis],
                actual=len(repeats),
                shapes=(shape,),
                detail=detail,
            )
        return total(repeats)
    return opaque("repeats")
