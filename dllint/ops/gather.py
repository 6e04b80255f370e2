"""Elements picked and placed by index tensors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dllint.domains.dim import differs, exceeds, product, show
from dllint.domains.dtype import BOOL, INT32, INT64, UINT8, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, broadcast
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.binary import broadcast_operands
from dllint.ops.operand import as_tensor
from dllint.ops.positions import true_elements
from dllint.ops.promotion import refuse
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait


def _index_type(call: Call, index: TensorType, allowed: tuple[DType, ...] = (INT64,)) -> None:
    """torch takes 64-bit indices only (some operations also 32-bit ones)."""
    if isinstance(index.shape, tuple) and 0 in index.shape:
        return  # nothing is looked up
    if call.framework == "torch" and isinstance(index.dtype, DType) and index.dtype not in allowed:
        refuse(call, index, "index", INT64)


def _covers(call: Call, index: Shape, other: Shape, skip: int, operand: str) -> None:
    """``index`` must not be larger than ``other`` on any axis but ``skip`` (-1: none). One without elements fits any tensor."""
    if 0 in index:
        return
    for axis, (wanted, have) in enumerate(zip(index, other, strict=True)):
        if axis != skip and exceeds(wanted, have):
            detail = f"the index has size {show(wanted)} on axis {axis}, `{operand}` only {show(have)}"
            call.fault(
                faults.OPERATOR_SHAPE,
                operand="index",
                axis=axis,
                expected=have,
                actual=wanted,
                shapes=(other, index),
                detail=detail,
            )
            return


def _ranks_agree(call: Call, x: TensorType, index: TensorType) -> tuple[Shape, Shape] | None:
    a, b = known_shape(x), known_shape(index)
    if a is None or b is None:
        return None
    if len(a or (1,)) != len(b or (1,)) and 0 in b:  # an index without elements fits any tensor
        return None
    if len(a or (1,)) != len(b or (1,)):
        detail = f"the index must have as many axes as its input ({len(a)})"
        call.fault(faults.RANK, operand="index", expected=(len(a),), actual=len(b), shapes=(a, b), detail=detail)
        return None
    return a, b


@op("gather", traits=Trait.INDEXES | Trait.ROW_BY_ROW)
def gather(call: Call, x: TensorType, dim: Value, index: TensorType) -> Result:
    """The elements at ``index`` along ``dim``: the shape of ``index``, which has as many axes as ``x`` and is nowhere
    larger, except on ``dim``."""
    axis = call.axis(dim, x)
    _index_type(call, index, (INT64, INT32))
    shapes = _ranks_agree(call, x, index)
    if shapes is not None and axis is not None and shapes[0] and shapes[1]:
        _covers(call, shapes[1], shapes[0], axis, "x")
    return TensorType(index.shape, x.dtype)


def scattering(call: Call, x: TensorType, dim: Value, index: TensorType, src: Value = None, value: Value = None) -> Result:
    """``x`` with ``src`` put to the places that ``index`` names along ``dim``."""
    axis = call.axis(dim, x)
    _index_type(call, index, (INT64, INT32))
    shapes = _ranks_agree(call, x, index)
    source = known_shape(src)
    if shapes is not None and axis is not None and shapes[0] and shapes[1]:
        _covers(call, shapes[1], shapes[0], axis, "x")
        if source is not None and len(source) == len(shapes[1]):
            _covers(call, shapes[1], source, -1, "src")
        elif source and 0 not in shapes[1]:
            detail = f"the index must have as many axes as `src` ({len(source)})"
            actual = len(shapes[1])
            call.fault(faults.RANK, operand="index", expected=(len(source),), actual=actual, shapes=shapes, detail=detail)
    if isinstance(src, TensorType) and isinstance(src.dtype, DType) and isinstance(x.dtype, DType) and src.dtype != x.dtype:
        refuse(call, src, "src", x.dtype)
    return x.with_shape(x.shape)


_SCATTER_TRAITS: Final[Mapping[str, Trait]] = {
    "scatter": Trait.KEEPS_SHAPE,
    "scatter_add": Trait.KEEPS_SHAPE | Trait.AUTOCAST_WIDEST_ON_CARD,
    "scatter_reduce": Trait.KEEPS_SHAPE,
}

for _name, _traits in _SCATTER_TRAITS.items():
    op(_name, traits=_traits)(scattering)


@op("index_select", traits=Trait.INDEXES | Trait.ROW_BY_ROW)
def index_select(call: Call, x: TensorType, dim: Value, index: TensorType) -> Result:
    """The slices at ``index`` (a vector) along ``dim``."""
    axis, shape, wanted = call.axis(dim, x), known_shape(x), known_shape(index)
    _index_type(call, index, (INT64, INT32))
    if shape is None or axis is None or wanted is None or not call.rank(index, 0, 1, operand="index"):
        return x.with_shape(Unknown("no-argument", "index_select"))
    if not shape:
        return x.with_shape(())
    return x.with_shape((*shape[:axis], wanted[0] if wanted else 1, *shape[axis + 1 :]))


def index_placing(call: Call, x: TensorType, dim: Value, index: TensorType, src: Value = None, value: Value = None) -> Result:
    """``x`` with slices along ``dim`` changed at ``index`` (``index_add``, ``index_copy``, ``index_fill``)."""
    axis, shape, source, wanted = call.axis(dim, x), known_shape(x), known_shape(src), known_shape(index)
    if call.kind != "index_fill" and shape and source and len(shape) != len(source):
        call.fault(faults.RANK, operand="src", expected=(len(shape),), actual=len(source), shapes=(shape, source))
    if axis is None or not shape or not source or len(shape) != len(source):
        return x.with_shape(x.shape)
    expected = (*shape[:axis], wanted[0] if wanted else source[axis], *shape[axis + 1 :])
    for place, (want, have) in enumerate(zip(expected, source, strict=True)):
        if differs(want, have):
            detail = f"`src` has size {show(have)} on axis {place}, not {show(want)}"
            call.fault(
                faults.OPERATOR_SHAPE,
                operand="src",
                axis=place,
                expected=want,
                actual=have,
                shapes=(shape, source),
                detail=detail,
            )
            break
    return x.with_shape(x.shape)


_INDEX_TRAITS: Final[Mapping[str, Trait]] = {
    "index_add": Trait.KEEPS_SHAPE,
    "index_copy": Trait.KEEPS_SHAPE,
    "index_fill": Trait.KEEPS_SHAPE | Trait.PUTS_NUMBER,
}

for _name, _traits in _INDEX_TRAITS.items():
    op(_name, traits=_traits)(index_placing)


@op("take", traits=Trait.INDEXES | Trait.ROW_BY_ROW)
def take(call: Call, x: TensorType, index: Value, dim: Value = None) -> Result:
    """The slices at ``index`` along ``dim``, whose place the index's shape takes; without ``dim`` elements of the
    flattened tensor (TensorFlow: along axis 0)."""
    given, wanted = as_tensor(call, x), as_tensor(call, index)
    if dim is None and call.framework == "torch":
        _index_type(call, wanted)
    if dim is None and call.framework != "tensorflow":
        return TensorType(wanted.shape, given.dtype)
    axis, shape = call.axis(0 if dim is None else dim, given), known_shape(given)
    if shape is None or axis is None or isinstance(wanted.shape, Unknown):
        return given.with_shape(Unknown("no-argument", "take"))
    return given.with_shape((*shape[:axis], *wanted.shape, *shape[axis + 1 :]))


@op("take_along_dim", traits=Trait.INDEXES)
def take_along_dim(call: Call, x: TensorType, index: TensorType, dim: Value = None) -> Result:
    """``gather`` whose index broadcasts on the other axes; without ``dim`` on the flattened tensor."""
    if dim is None:
        return TensorType(index.shape if index.rank == 1 else Unknown("no-argument", "take_along_dim"), x.dtype)
    if not isinstance(dim, int):
        return TensorType(Unknown("no-argument", "dim"), x.dtype)
    axis, shapes = call.axis(dim, x), _ranks_agree(call, x, index)
    if shapes == ((), ()) and call.framework == "torch":
        call.fault(faults.RANK, operand="x", expected=(1, 2, 3, 4), actual=0, shapes=((),))
    if axis is None or shapes is None or not shapes[0]:
        return TensorType(index.shape if shapes == ((), ()) else Unknown("rank", "take_along_dim"), x.dtype)
    sides = [tuple(1 if place == axis else n for place, n in enumerate(s)) for s in shapes]
    shape, conflict = broadcast(sides)
    if conflict is not None:
        call.fault(
            faults.BROADCAST, operand="index", axis=conflict.axis, expected=conflict.left, actual=conflict.right, shapes=shapes
        )
    return TensorType((*shape[:axis], *shapes[1][axis : axis + 1], *shape[axis + 1 :]), x.dtype)


def _mask_type(call: Call, mask: TensorType) -> None:
    if call.framework == "torch" and isinstance(mask.dtype, DType) and mask.dtype.kind != "bool" and mask.dtype != UINT8:
        refuse(call, mask, "mask", BOOL)


@op("masked_select", traits=Trait.SELECTS | Trait.RANKS | Trait.ROW_BY_ROW)
def masked_select(call: Call, x: TensorType, mask: TensorType) -> Result:
    """The elements where ``mask`` is true, as a vector."""
    _mask_type(call, mask)
    broadcast_operands(call, x, mask)
    return TensorType((true_elements(),), x.dtype)


@op("masked_fill", traits=Trait.KEEPS_SHAPE | Trait.POINTWISE | Trait.REPLACES | Trait.PUTS_NUMBER)
def masked_fill(call: Call, x: TensorType, mask: Value, value: Value = 0) -> Result:
    """``x`` with ``value`` where ``mask`` is true; both broadcast."""
    given = as_tensor(call, mask)
    _mask_type(call, given)
    if isinstance(value, TensorType) and value.rank not in (None, 0):
        call.rank(value, 0, operand="value")
    return TensorType(broadcast_operands(call, x, given), x.dtype)


@op("masked_scatter", traits=Trait.KEEPS_SHAPE)
def masked_scatter(call: Call, x: TensorType, mask: TensorType, src: TensorType) -> Result:
    """``x`` with elements of ``src`` where ``mask`` is true."""
    if call.framework == "torch" and isinstance(mask.dtype, DType) and mask.dtype != BOOL:
        call.fault(faults.DTYPE, operand="mask", expected=BOOL, actual=mask.dtype)
    else:
        _check_source(call, x, src)
    return TensorType(broadcast_operands(call, x, mask), x.dtype)


@op("put", traits=Trait.KEEPS_SHAPE)
def put(call: Call, x: TensorType, index: TensorType, source: TensorType, accumulate: Value = False) -> Result:
    """``x`` with the elements of ``source``, as many as there are positions, at positions of the flattened tensor."""
    positions, given = known_shape(index), known_shape(source)
    if positions is None or given is None or not differs(product(positions), product(given)):
        _check_source(call, x, source)
        return x
    expected, actual = product(positions), product(given)
    detail = f"there are {show(actual)} elements for {show(expected)} positions"
    call.fault(
        faults.OPERATOR_SHAPE, operand="source", expected=expected, actual=actual, shapes=(given, positions), detail=detail
    )
    return x


def _check_source(call: Call, x: TensorType, source: TensorType) -> None:
    """What is written has the element type of the tensor."""
    if call.framework == "torch" and isinstance(x.dtype, DType) and isinstance(source.dtype, DType) and x.dtype != source.dtype:
        call.fault(faults.DTYPE, operand="source", expected=x.dtype, actual=source.dtype)
