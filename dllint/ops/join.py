"""Tensors put together: cat, stack, meshgrid."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from dllint.domains.dim import Dim, counted, differs, is_fixed, mul, opaque, product, same, total
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.domains.shape import OpenSequence, Shape, TensorType
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.operand import as_tensor
from dllint.ops.promotion import promote
from dllint.ops.spec import Call, Result, op
from dllint.ops.traits import Trait
from dllint.ops.view import anew


def listed(call: Call, tensors: Value) -> list[TensorType] | Unknown:
    """The tensors of a sequence argument; a single tensor counts as the sequence of its parts along axis 0."""
    if isinstance(tensors, TensorType):
        return Unknown("no-argument", "sequence of tensors")
    if not isinstance(tensors, tuple):
        return Unknown(tensors.reason, tensors.detail) if isinstance(tensors, Unknown) else Unknown("no-argument", "tensors")
    return [as_tensor(call, item) for item in tensors] if tensors else Unknown("empty-list", "tensors")


def _one_of(tensors: Value, change: Callable[[list[TensorType]], Iterable[TensorType]] = list) -> OpenSequence | None:
    """A sequence of unknown length of tensors whose rank is known, each of them changed; ``None`` for anything else."""
    if not isinstance(tensors, OpenSequence) or isinstance(tensors.element.shape, Unknown):
        return None
    (element,) = change([tensors.element])
    return OpenSequence(tensors.reason, tensors.detail, element, tensors.fewest)


def _cat_of_many(call: Call, tensors: OpenSequence, dim: Value) -> TensorType:
    """``cat`` of a sequence of unknown length: the size of the joined axis is counted, the others are those of its elements."""
    shape, dtype = tensors.element.shape, tensors.element.dtype
    if isinstance(shape, Unknown) or not shape:
        return TensorType(Unknown("no-argument", "shape of the parts"), dtype)
    axis = call.axis((-1 if call.framework == "keras" else 0) if dim is None else dim, tensors.element)
    if axis is None:
        return TensorType(tuple(opaque("joined") for _ in shape), dtype)
    size = mul(counted("length", tensors.fewest), shape[axis]) if is_fixed(shape[axis]) else counted("joined")
    return TensorType((*shape[:axis], size, *shape[axis + 1 :]), dtype)


def _stack_of_many(call: Call, tensors: OpenSequence, dim: Value) -> TensorType:
    """``stack`` of a sequence of unknown length: the new axis has a size that is counted."""
    shape, axis = tensors.element.shape, call.axis(dim, tensors.element, extra=1)
    if isinstance(shape, Unknown) or axis is None:
        return tensors.element.with_shape(Unknown("no-argument", "dim"))
    return tensors.element.with_shape((*shape[:axis], counted("length", tensors.fewest), *shape[axis:]))


def _first_shape(items: list[TensorType]) -> Shape | Unknown:
    """The first known shape; torch skips empty vectors in ``cat``."""
    known = [t.shape for t in items if not isinstance(t.shape, Unknown)]
    return known[0] if known else Unknown("no-argument", "shape of the parts")


def _joined_axis(call: Call, items: list[TensorType], shape: Shape, axis: int) -> Dim:
    """The sum of the sizes on the joined axis, after the other axes have been compared."""
    for item in items:
        if not isinstance(item.shape, Unknown):
            _agree(call, shape, item.shape, axis)
    ranked = [t.shape for t in items if not isinstance(t.shape, Unknown) and len(t.shape) == len(shape)]
    return total(s[axis] for s in ranked) if len(ranked) == len(items) else opaque("joined")


def _agree(call: Call, first: Shape, other: Shape, axis: int | None) -> None:
    """Compare two parts; ``axis`` is the joined one. Only the first disagreement of an application is recorded."""
    if any(f.kind == faults.CONCAT for f in call.faults):
        return
    if len(first) != len(other):
        call.fault(faults.CONCAT, operand="tensors", expected=len(first), actual=len(other), shapes=(first, other))
        return
    for place, (m, n) in enumerate(zip(first, other, strict=True)):
        if place != axis and differs(m, n):
            call.fault(faults.CONCAT, operand="tensors", axis=place, expected=m, actual=n, shapes=(first, other))
            return


def _refined(items: list[TensorType], shape: Shape) -> Shape:
    """Where the first part's size is a symbol and another part's a number, the number is it."""
    out = list(shape)
    for item in items:
        if not isinstance(item.shape, Unknown) and len(item.shape) == len(shape):
            for place, found in enumerate(item.shape):
                if isinstance(found, int) and not isinstance(out[place], int) and not same(out[place], found):
                    out[place] = found
    return tuple(out)


def _skipped(part: TensorType, parts: list[TensorType]) -> bool:
    """Whether torch leaves a part out: an empty vector, which may stand among tensors of any rank."""
    if isinstance(part.shape, Unknown) or len(part.shape) != 1 or differs(part.shape[0], 0):
        return False
    return part.shape == (0,) or any(t.rank not in (None, 1) for t in parts)


@op("cat", traits=Trait.CONCATENATES | Trait.AUTOCAST_WIDEST)
def cat(call: Call, tensors: Value, dim: Value = None) -> Result:
    """Tensors one after the other along ``dim`` (torch and numpy: 0, Keras: -1); all other axes agree. numpy flattens for
    an axis of ``None``."""
    if (many := _one_of(tensors)) is not None:
        return _cat_of_many(call, many, dim)
    items = listed(call, tensors)
    if isinstance(items, Unknown):
        return TensorType(items, tensors.dtype if isinstance(tensors, TensorType) else items)
    if not items:
        return Unknown("no-argument", "empty list of tensors")
    dtype = promote(call, *items)
    if call.framework == "torch":
        if all(t.shape == (0,) for t in items):  # whatever the axis
            return TensorType((0,), dtype)
        items = [t for t in items if not _skipped(t, items)] or items[:1]
    shape = _first_shape(items)
    if isinstance(shape, Unknown):
        return TensorType(shape, dtype)
    if not shape:
        call.fault(
            faults.RANK,
            operand="tensors",
            expected=(1, 2, 3, 4),
            actual=0,
            shapes=(shape,),
            detail="it does not take numbers",
            advice="use stack for numbers",
        )
        return TensorType((len(items),), dtype)
    if call.framework == "keras" and any(t.rank != 1 for t in items) and any(_skipped(t, items) for t in items):
        # some backends leave such vectors out
        return TensorType(Unknown("backend", "tensors without elements"), dtype)
    axis = call.axis((-1 if call.framework == "keras" else 0) if dim is None else dim, TensorType(shape, dtype))
    if axis is None:
        return TensorType(tuple(opaque("joined") for _ in shape), dtype)
    size = _joined_axis(call, items, shape, axis)
    found = _refined(items, shape)
    return TensorType((*found[:axis], size, *found[axis + 1 :]), dtype)


@op("stack", traits=Trait.JOINS | Trait.ROW_BY_ROW | Trait.AUTOCAST_WIDEST)
def stack(call: Call, tensors: Value, dim: Value = 0) -> Result:
    """Tensors of one shape along a new axis."""
    if (many := _one_of(tensors)) is not None:
        return _stack_of_many(call, many, dim)
    items = listed(call, tensors)
    if isinstance(items, Unknown):
        return TensorType(items, tensors.dtype if isinstance(tensors, TensorType) else items)
    if not items:
        return Unknown("no-argument", "empty list of tensors")
    dtype = _with_numbers(call, tensors) if call.framework == "tensorflow" else promote(call, *items)
    shape = _first_shape(items)
    if isinstance(shape, Unknown):
        return TensorType(shape, dtype)
    for item in items:
        if not isinstance(item.shape, Unknown):
            _agree(call, shape, item.shape, None)
    axis = call.axis(dim, TensorType(shape, dtype), extra=1)
    found = _refined(items, shape)
    if axis is None:
        return TensorType(Unknown("no-argument", "dim"), dtype)
    return TensorType((*found[:axis], len(items), *found[axis:]), dtype, _stacked_layout(call, items, len(found)))


#: The numbers of axes of tensors that torch may lay out with the channels last.
_IMAGES: Final = (4, 5)


def _stacked_layout(call: Call, items: list[TensorType], rank: int) -> Unknown | None:
    """The layout of stacked tensors of so many axes: row by row, but for images of torch that are not."""
    kept = call.framework == "torch" and rank in _IMAGES and any(item.strides is not None for item in items)
    return Unknown("layout", "stack") if kept else None


def _with_numbers(call: Call, tensors: Value) -> DType | Unknown:
    """The type that TensorFlow gives to what is stacked: numbers take that of the tensors beside them. A float alone may be a
    part of a size (``tf.shape(x)[0] / 2``), which is float64 there."""
    parts = tensors if isinstance(tensors, tuple) else ()
    if not any(isinstance(part, TensorType) for part in parts) and any(
        isinstance(part, (float, UnknownFloat)) for part in parts
    ):
        return Unknown("number", "float")
    return promote(call, *parts)


def _raised(items: list[TensorType], rank: int, where: int) -> tuple[TensorType, ...]:
    """Parts with too few axes get axes of size 1, on the left (``where`` 0) or as columns (1)."""
    out = []
    for item in items:
        shape = item.shape
        if not isinstance(shape, Unknown) and len(shape) < rank:
            missing = (1,) * (rank - len(shape))
            shape = (*missing, *shape) if where == 0 or not shape else (*shape, *missing)
        out.append(TensorType(shape, item.dtype))
    return tuple(out)


@op("hstack", traits=Trait.JOINS)
def hstack(call: Call, tensors: Value) -> Result:
    """``cat`` along axis 1, along axis 0 for vectors."""
    if (many := _one_of(tensors, lambda items: _raised(items, 1, 0))) is not None:
        return _cat_of_many(call, many, 0 if many.element.rank == 1 else 1)
    items = listed(call, tensors)
    if isinstance(items, Unknown):
        return items
    parts = _raised(items, 1, 0)
    ranks = {t.rank for t in parts}
    if None in ranks and ranks <= {None, 1}:
        return TensorType(Unknown("rank", "hstack"), promote(call, *items))
    return cat(call, parts, 0 if ranks == {1} else 1)


@op("vstack", traits=Trait.JOINS)
def vstack(call: Call, tensors: Value) -> Result:
    """``cat`` along axis 0 after vectors have become rows."""
    if (many := _one_of(tensors, lambda items: _raised(items, 2, 0))) is not None:
        return _cat_of_many(call, many, 0)
    items = listed(call, tensors)
    return items if isinstance(items, Unknown) else cat(call, _raised(items, 2, 0), 0)


@op("column_stack", traits=Trait.JOINS)
def column_stack(call: Call, tensors: Value) -> Result:
    """``cat`` along axis 1 after vectors have become columns."""
    if (many := _one_of(tensors, lambda items: _raised(items, 2, 1))) is not None:
        return _cat_of_many(call, many, 1)
    items = listed(call, tensors)
    return items if isinstance(items, Unknown) else cat(call, _raised(items, 2, 1), 1)


@op("dstack", traits=Trait.JOINS)
def dstack(call: Call, tensors: Value) -> Result:
    """``cat`` along axis 2 after vectors have become (1, N, 1) and matrices (M, N, 1)."""
    if (many := _one_of(tensors, lambda items: _raised(list(_raised(items, 2, 0)), 3, 1))) is not None:
        return _cat_of_many(call, many, 2)
    items = listed(call, tensors)
    if isinstance(items, Unknown):
        return items
    return cat(call, _raised(list(_raised(items, 2, 0)), 3, 1), 2)


@op("meshgrid", traits=Trait.INSERTS_AXIS | Trait.MAY_VIEW | Trait.ROW_BY_ROW, various=True)
def meshgrid(call: Call, tensors: Value, indexing: Value = None) -> Result:
    """Coordinate grids of vectors: as many as vectors. ``xy`` (numpy, Keras, TensorFlow) exchanges the first two axes."""
    if call.framework == "torch" and isinstance(tensors, tuple) and len(tensors) == 1 and isinstance(tensors[0], tuple):
        tensors = tensors[0]  # ``meshgrid([a, b])``
    items = listed(call, tensors)
    if isinstance(items, Unknown):
        return items
    types = [t.dtype for t in items if isinstance(t.dtype, DType)]
    if call.framework == "torch" and (other := next((dtype for dtype in types if dtype != types[0]), None)) is not None:
        call.fault(faults.DTYPE, operand="tensors", expected=types[0], actual=other, detail="all vectors must have one type")
    _check_vectors(call, items, 0, 1)
    sizes = [opaque("grid") if isinstance(t.shape, Unknown) else product(t.shape) for t in items]
    order = indexing or ("ij" if call.framework == "torch" else "xy")
    if order == "xy" and len(sizes) > 1:
        sizes[0], sizes[1] = sizes[1], sizes[0]
    shape: Shape | Unknown = order if isinstance(order, Unknown) else tuple(sizes)
    return tuple(TensorType(shape, t.dtype, Unknown("layout", "meshgrid")) for t in items)


@op("block_diag", traits=Trait.JOINS | Trait.ROW_BY_ROW)
def block_diag(call: Call, tensors: Value) -> Result:
    """Matrices along the diagonal of a larger one."""
    items = listed(call, tensors)
    if isinstance(items, Unknown):
        return items
    matrices = [t.shape for t in _raised(items, 2, 0)]
    known = [s for s in matrices if not isinstance(s, Unknown)]
    dtype = promote(call, *items)
    if len(known) != len(items):
        return TensorType((opaque("rows"), opaque("columns")), dtype)
    return TensorType((total(s[0] for s in known), total(s[1] for s in known)), dtype)


def _check_vectors(call: Call, items: list[TensorType], *ranks: int) -> None:
    """torch takes vectors only."""
    if call.framework == "torch":
        all(call.rank(item, *ranks, operand="tensors") for item in items)


@op("cartesian_prod", traits=Trait.TELLS_LAYOUT)
def cartesian_prod(call: Call, tensors: Value) -> Result:
    """All combinations of the elements of vectors, one per row."""
    items = listed(call, tensors)
    if isinstance(items, Unknown):
        return items
    _check_vectors(call, items, 1)
    if len(items) == 1:  # nothing to combine it with: it is given back
        return items[0] if isinstance(items[0].shape, tuple) else anew(items[0], (opaque("combinations"),))
    sizes = [opaque("combinations") if isinstance(t.shape, Unknown) else product(t.shape) for t in items]
    return TensorType((product(sizes), len(items)), promote(call, *items))
