"""The same elements in another shape: reshape, view, flatten, unflatten."""

from __future__ import annotations

from dllint.domains.dim import Dim, bounds, differs, exact_quotient, mod, opaque, product, show
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import MOST_AXES, Shape, TensorType, numel
from dllint.domains.unsolved import unsolved
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.operand import as_tensor, read_dtype, shape_argument
from dllint.ops.sizes import is_dim, size
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait
from dllint.ops.view import anew, laid_out, layout, view_impossible, view_strides


def target_shape(call: Call, source: Shape | Unknown, target: tuple[Value, ...]) -> Shape:
    """A target with its -1 solved; numpy takes any negative number for it (2.4, run). Element counts that provably differ are a
    ``reshape-size`` fault."""
    if call.framework == "numpy":
        target = tuple(-1 if isinstance(wanted, int) and wanted < 0 else wanted for wanted in target)
    free = [axis for axis, wanted in enumerate(target) if isinstance(wanted, int) and wanted == -1]
    sizes = tuple(1 if axis in free else size(wanted, "size") for axis, wanted in enumerate(target))
    shapes = (target_with(target, sizes),) if isinstance(source, Unknown) else (source, target_with(target, sizes))
    if len(free) > 1:
        call.fault(faults.OPERATOR_SHAPE, operand="shape", shapes=shapes, detail="only one size of the target can be -1")
        return tuple(opaque("size") if axis in free else n for axis, n in enumerate(sizes))
    if isinstance(source, Unknown):
        return tuple(opaque("size") if axis in free else n for axis, n in enumerate(sizes))
    known, count = product(sizes), numel(source)
    if not free:
        if differs(known, count):
            call.fault(faults.RESHAPE_SIZE, operand="shape", expected=known, actual=count, shapes=shapes)
        return sizes
    rest = _inferred(call, count, known, shapes)
    return tuple(rest if axis in free else n for axis, n in enumerate(sizes))


def target_with(target: tuple[Value, ...], sizes: Shape) -> Shape:
    """The target as written, -1 included, for messages."""
    return tuple(-1 if isinstance(t, int) and t == -1 else n for t, n in zip(target, sizes, strict=True))


def _inferred(call: Call, count: Dim, known: Dim, shapes: tuple[Shape, ...]) -> Dim:
    """The size that -1 stands for. It is a fault only if the division can never be without remainder."""
    if isinstance(known, int) and known == 0:
        if call.framework != "keras" and all(
            isinstance(n, int) for n in shapes[0]
        ):  # beside symbols, a 0 is a default that stands for "none"
            call.fault(faults.OPERATOR_SHAPE, operand="shape", shapes=shapes, detail="-1 is ambiguous beside a size of 0")
        return opaque("size")
    if (rest := exact_quotient(count, known)) is not None:
        return rest
    if differs(mod(count, known), 0):
        detail = f"{show(count)} elements do not divide by {show(known)}"
        call.fault(faults.RESHAPE_SIZE, operand="shape", expected=known, actual=count, shapes=shapes, detail=detail)
    return unsolved("size", (count, known), 1 if _positive(count) else 0)


def _positive(dim: Dim) -> bool:
    low, _ = bounds(dim)
    return low is not None and low > 0


@op("reshape", traits=Trait.KEEPS_ORDER | Trait.MAY_VIEW | Trait.TELLS_LAYOUT)
def reshape(call: Call, x: TensorType, shape: Value) -> Result:
    """``x`` with the elements in row-major order in another shape; one size may be -1. Keeps the memory where it can."""
    given, target = as_tensor(call, x), shape_argument(shape)
    if isinstance(target, Unknown):
        return anew(given, target)
    return _copied_if_needed(given, target_shape(call, given.shape, target))


def _copied_if_needed(x: TensorType, target: Shape) -> TensorType:
    strides = layout(x)
    if x.strides is None or isinstance(x.shape, Unknown) or isinstance(strides, Unknown):
        return anew(x, target)
    found = view_strides(x.shape, strides, target)
    if found is None:
        return TensorType(target, x.dtype, None if view_impossible(x.shape, strides, target) else Unknown("layout", "reshape"))
    return laid_out(x, target, found)


@op("view", traits=Trait.KEEPS_ORDER | Trait.VIEW | Trait.TELLS_LAYOUT)
def view(call: Call, x: TensorType, shape: Value) -> Result:
    """``x`` in another shape without a copy; impossible if it merges axes that are not adjacent in memory. With an element
    type instead of a shape, the same bytes read as that type."""
    if (dtype := _reinterpreted(shape)) is not None:
        return _reread(x, dtype)
    target = shape_argument(shape)
    if isinstance(target, Unknown):
        return anew(x, target)
    before = len(call.faults)
    found = target_shape(call, x.shape, target)
    strides = layout(x)
    if isinstance(x.shape, Unknown):
        return TensorType(found, x.dtype, Unknown("layout", "view"))
    if x.strides is None or isinstance(strides, Unknown):
        return TensorType(found, x.dtype, x.strides)
    seen = view_strides(x.shape, strides, found)
    if seen is not None:
        return laid_out(x, found, seen)
    if len(call.faults) == before and view_impossible(x.shape, strides, found):
        call.fault(faults.VIEW_STRIDE, operand="x", shapes=(x.shape, found), detail=f"the strides are {_listed(strides)}")
        return x.with_shape(found)
    return TensorType(found, x.dtype, Unknown("layout", "view"))


def _listed(strides: tuple[Dim, ...]) -> str:
    return f"({', '.join(map(show, strides))})"


def _reinterpreted(shape: Value) -> DType | None:
    only = shape[0] if isinstance(shape, tuple) and len(shape) == 1 else shape
    found = None if is_dim(only) or isinstance(only, (tuple, TensorType)) else read_dtype(only)
    return found if isinstance(found, DType) else None


def _reread(x: TensorType, dtype: DType) -> TensorType:
    if isinstance(x.dtype, DType) and x.dtype.bits == dtype.bits:
        return x.with_dtype(dtype)
    shape = x.shape if isinstance(x.shape, Unknown) else (*x.shape[:-1], opaque("bytes"))
    return TensorType(shape, dtype)


@op("flatten", traits=Trait.KEEPS_ORDER | Trait.MAY_VIEW | Trait.GIVES_BACK | Trait.TELLS_LAYOUT)
def flatten(call: Call, x: TensorType, start_dim: Value = 0, end_dim: Value = -1) -> Result:
    """Axes ``start_dim`` to ``end_dim`` as one."""
    given = as_tensor(call, x)
    if call.framework == "keras" and given.rank == 1 and isinstance(given.shape, tuple):
        return given.with_shape((*given.shape, 1))
    first, last = call.axis(start_dim, given, "start_dim"), call.axis(end_dim, given, "end_dim")
    shape = known_shape(given)
    least = 1 if call.framework == "keras" else 0  # Keras's vectors get a second axis
    if shape is None and isinstance(start_dim, int) and least <= start_dim < MOST_AXES and end_dim == -1:
        return anew(given, tuple(opaque("flatten") for _ in range(start_dim + 1)))
    if shape is None or first is None or last is None:
        return anew(given, Unknown("no-argument", "flatten"))
    if not shape:
        return given.with_shape((1,))
    if first > last:
        detail = f"start_dim {first} lies behind end_dim {last}"
        call.fault(faults.OPERATOR_SHAPE, operand="start_dim", axis=first, shapes=(shape,), detail=detail)
        return given
    return _copied_if_needed(given, (*shape[:first], product(shape[first : last + 1]), *shape[last + 1 :]))


@op("ravel", traits=Trait.KEEPS_ORDER | Trait.MAY_VIEW | Trait.GIVES_BACK | Trait.TELLS_LAYOUT)
def ravel(call: Call, x: TensorType) -> Result:
    """All elements in one axis."""
    given = as_tensor(call, x)
    shape = known_shape(given)
    if shape is None:
        return _raveled(call, anew(given, (opaque("elements"),)))
    return _raveled(call, _copied_if_needed(given, (product(shape),)))


def _raveled(call: Call, found: TensorType) -> TensorType:
    """torch copies what is not row by row."""
    return TensorType(found.shape, found.dtype) if call.framework == "torch" else found


@op("unflatten", traits=Trait.KEEPS_ORDER | Trait.VIEW | Trait.TELLS_LAYOUT)
def unflatten(call: Call, x: TensorType, dim: Value, sizes: Value) -> Result:
    """One axis split into several; one of the sizes may be -1."""
    axis, shape, wanted = call.axis(dim, x), known_shape(x), shape_argument(sizes)
    if shape == ():
        call.fault(faults.RANK, operand="x", expected=(1, 2, 3, 4), actual=0, shapes=(shape,))
    if axis is None or not shape or isinstance(wanted, Unknown):
        return anew(x, Unknown("no-argument", "unflatten"))
    parts = target_shape(call, (shape[axis],), wanted)
    target = (*shape[:axis], *parts, *shape[axis + 1 :])
    return _copied_if_needed(x, target)
