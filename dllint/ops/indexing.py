"""Subscripts: ``x[...]`` and ``x[...] = value``.

``index`` is one item or a tuple of items; a list of numbers is a tuple inside it (``x[[0, 1]]`` has index
``((0, 1),)``).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dllint.domains.dim import Dim, add, bounds, counted, differs, mul, opaque, product, show
from dllint.domains.dtype import BOOL, INT32, INT64, UINT8, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, broadcast
from dllint.ir.values import SliceVal, Value
from dllint.ops import faults
from dllint.ops.operand import as_tensor
from dllint.ops.promotion import refuse
from dllint.ops.sizes import is_dim
from dllint.ops.slicing import axes_taken, cut, is_mask, is_slice
from dllint.ops.spec import Call, Result, op
from dllint.ops.stored import OBJECT_ELEMENTS, is_object_element
from dllint.ops.traits import Trait
from dllint.ops.view import LAID_OUT, laid_out, layout

FULL = SliceVal(None, None, None)


@dataclass(slots=True)
class _Selection:
    """The result under construction: sizes and strides from left to right, index tensors met and where they stand."""

    shape: list[Dim] = field(default_factory=list)
    strides: list[Dim] = field(default_factory=list)
    advanced: list[Shape | Unknown] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    #: Number of result axes in front of the first index tensor.
    before: int = 0


def selected(call: Call, x: TensorType, index: Value) -> TensorType:
    """The part of ``x`` that an index expression selects."""
    items = _complete(call, x, index)
    if isinstance(items, Unknown) or isinstance(x.shape, Unknown):
        found = items if isinstance(items, Unknown) else x.shape
        return TensorType(found, x.dtype, found)
    steps = layout(x)
    strides: list[Dim] = list(steps) if isinstance(steps, tuple) else [0] * len(x.shape)
    out, axis = _Selection(), 0
    for place, item in enumerate(items):
        axis += _apply(call, x, item, axis, place, strides, out)
    if out.advanced:
        return _advanced(call, x, out)
    known = isinstance(steps, tuple) and call.framework in LAID_OUT
    return laid_out(x, tuple(out.shape), tuple(out.strides) if known else (steps if isinstance(steps, Unknown) else None))


def _complete(call: Call, x: TensorType, index: Value) -> tuple[Value, ...] | Unknown:
    """The items with the ellipsis and trailing axes written out as full slices."""
    items = index if isinstance(index, tuple) else (index,)
    items = tuple(as_tensor(call, item) if isinstance(item, tuple) else item for item in items)
    taken = [axes_taken(item, call.framework) for item in items if item is not Ellipsis]
    used = sum(n for n in taken if n is not None)
    if isinstance(x.shape, Unknown):
        return x.shape
    if any(n is None for n in taken):
        return Unknown("no-argument", "index")
    room = len(x.shape) - used
    if room < 0 and _may_be_text(call, x):
        return Unknown(OBJECT_ELEMENTS, "getitem")
    if room < 0:
        detail = f"{used} axes are indexed, but the tensor has {len(x.shape)}"
        call.fault(faults.OPERATOR_SHAPE, operand="index", expected=len(x.shape), actual=used, shapes=(x.shape,), detail=detail)
        return Unknown("rank", "too many indices")
    at = next((place for place, item in enumerate(items) if item is Ellipsis), None)
    if at is None:
        return (*items, *(FULL,) * room)
    return (*items[:at], *(FULL,) * room, *(item for item in items[at + 1 :] if item is not Ellipsis))


def _may_be_text(call: Call, x: TensorType) -> bool:
    """Whether an element of an array may be a text or another object with elements of its own."""
    return call.framework == "numpy" and x.shape == () and (isinstance(x.dtype, Unknown) or x.dtype.kind == "string")


def _apply(call: Call, x: TensorType, item: Value, axis: int, place: int, strides: list[Dim], out: _Selection) -> int:
    """Add one item's part of the result; returns the number of axes of ``x`` it used."""
    shape = x.shape if isinstance(x.shape, tuple) else ()
    if item is None:
        out.shape.append(1)
        out.strides.append(mul(shape[axis], strides[axis]) if axis < len(shape) else 1)
        return 0
    if isinstance(item, bool):
        item = TensorType((), BOOL)
    if is_slice(item):
        found = cut(shape[axis], item)
        if call.framework == "torch" and isinstance(found.step, int) and found.step < 0:
            call.fault(
                faults.ARGUMENT,
                operand="index",
                axis=axis,
                actual=found.step,
                shapes=(shape,),
                detail="a slice step is negative",
            )
        out.shape.append(found.length)
        out.strides.append(mul(strides[axis], found.step) if isinstance(found.step, int) else opaque("stride"))
        return 1
    if is_dim(item):
        check_index(call, shape, axis, item)
    if is_dim(item) or (call.framework == "torch" and _is_number(item)):
        out.numbers.append(place)
        return 1
    return _index_tensor(call, shape, as_tensor(call, item), axis, place, out)


def _is_number(item: Value) -> bool:
    """Whether torch takes an index for a number: a tensor without axes of whole numbers other than bytes, which are a mask."""
    whole = isinstance(item, TensorType) and isinstance(item.dtype, DType) and item.dtype.kind == "int"
    return whole and isinstance(item, TensorType) and item.shape == () and item.dtype != UINT8


def check_index(call: Call, shape: Shape, axis: int, index: Dim) -> None:
    """An index must lie in ``[-size, size)``. Whoever counts through an empty axis never comes to index it."""
    if shape[axis] == 0 and not isinstance(index, int):
        return
    low, _ = bounds(index - shape[axis])
    _, high = bounds(index + shape[axis])
    if (low is not None and low >= 0) or (high is not None and high < 0):
        call.fault(faults.AXIS_RANGE, operand="index", axis=axis, expected=shape[axis], actual=index, shapes=(shape,))


def _index_tensor(call: Call, shape: Shape, item: TensorType, axis: int, place: int, out: _Selection) -> int:
    if not out.places:
        out.before = len(out.shape)
    out.places.append(place)
    out.numbers.append(place)
    if not is_mask(item, call.framework):
        out.advanced.append(item.shape)
        return 1
    mask = item.shape if isinstance(item.shape, tuple) else ()
    for offset, size in enumerate(mask):
        ignored = call.framework == "numpy" and 0 in mask  # beside other indices, numpy does not always look at it
        if differs(size, shape[axis + offset]) and not ignored:
            detail = f"a mask of shape {mask} does not fit on axis {axis + offset}"
            call.fault(
                faults.OPERATOR_SHAPE, operand="index", axis=axis + offset, expected=shape[axis + offset], actual=size,
                shapes=(shape, mask), detail=detail,
            )  # fmt: skip
            break
    out.advanced.append((counted("selected"),))
    return len(mask)


def _advanced(call: Call, x: TensorType, out: _Selection) -> TensorType:
    """Index tensors broadcast; their shape stands where they stood, or in front if something stands between them.
    numpy counts plain numbers among them, torch takes numbers out first."""
    known = [shape for shape in out.advanced if not isinstance(shape, Unknown)]
    if len(known) != len(out.advanced):
        return TensorType(Unknown("rank", "index tensor"), x.dtype, Unknown("layout", "index"))
    shape, conflict = broadcast(known)
    if conflict is not None:
        call.fault(
            faults.BROADCAST,
            operand="index",
            axis=conflict.axis,
            expected=conflict.left,
            actual=conflict.right,
            shapes=tuple(known),
        )
    places = out.places if call.framework == "torch" else out.numbers
    between = set(range(places[0], places[-1])) - set(out.numbers)
    first = 0 if between else out.before
    return TensorType((*out.shape[:first], *shape, *out.shape[first:]), x.dtype, Unknown("layout", "index"))


@op("getitem", traits=Trait.SUBSCRIPTS | Trait.MAY_VIEW | Trait.TELLS_LAYOUT)
def getitem(call: Call, x: TensorType, index: Value) -> Result:
    """``x[index]``."""
    part = selected(call, x, index)
    return Unknown(OBJECT_ELEMENTS, "getitem") if is_object_element(part) else part


@op("setitem", traits=Trait.KEEPS_SHAPE | Trait.TELLS_LAYOUT | Trait.OVERWRITES)
def setitem(call: Call, x: TensorType, index: Value, value: Value) -> Result:
    """``x[index] = value``: the value must broadcast to the selected part, unless it is one element of what may be an array of
    objects. The result is ``x``."""
    slot = selected(Call("getitem", call.framework, call.faults), x, index)
    if isinstance(value, tuple) and call.framework == "torch":
        call.fault(faults.ARGUMENT, operand="value", detail="it takes a tensor or a number, no list")
        return x
    given = as_tensor(call, value)
    if call.framework == "numpy" and slot.shape == () and isinstance(x.dtype, Unknown):
        return x
    if not isinstance(slot.shape, Unknown) and not isinstance(given.shape, Unknown):
        _fits(call, slot.shape, given.shape)
    return x


@op("index_put", traits=Trait.KEEPS_SHAPE | Trait.AUTOCAST_WIDEST_ON_CARD)
def index_put(call: Call, x: TensorType, index: Value, value: Value, accumulate: Value = False) -> Result:
    """``x`` with ``value`` at the places that a sequence of index tensors names: the value must broadcast to them, without
    further axes, and has the element type of ``x``."""
    for item in index if isinstance(index, tuple) else ():
        if isinstance(item, TensorType) and isinstance(item.dtype, DType) and item.dtype not in (INT64, INT32, BOOL, UINT8):
            refuse(call, item, "index", INT64)
    slot = selected(Call("getitem", call.framework, call.faults), x, index)
    given = as_tensor(call, value)
    if not isinstance(slot.shape, Unknown) and not isinstance(given.shape, Unknown):
        if len(given.shape) > len(slot.shape):
            ranks, shapes = tuple(range(len(slot.shape) + 1)), (slot.shape, given.shape)
            call.fault(faults.RANK, operand="value", expected=ranks, actual=len(given.shape), shapes=shapes)
        else:
            _fits(call, slot.shape, given.shape)
    if (
        isinstance(given.dtype, DType)
        and isinstance(x.dtype, DType)
        and given.dtype != x.dtype
        and not _fills(call, index, given)
    ):
        refuse(call, given, "value", x.dtype)
    return x.with_shape(x.shape)


def _fills(call: Call, index: Value, given: TensorType) -> bool:
    """Whether one element is put wherever a mask is true, which converts it."""
    masks = [item for item in index if is_mask(item, call.framework)] if isinstance(index, tuple) else []
    return bool(masks) and (isinstance(given.shape, Unknown) or not differs(product(given.shape), 1))


def _fits(call: Call, slot: Shape, value: Shape) -> None:
    """Broadcast in one direction only; surplus leading axes of size 1 are allowed."""
    for axis in range(-len(value), 0):
        wanted = slot[axis] if -axis <= len(slot) else 1
        if differs(value[axis], wanted) and differs(value[axis], 1):
            call.fault(faults.BROADCAST, operand="value", axis=axis, expected=wanted, actual=value[axis], shapes=(slot, value))
            return


@op("narrow", traits=Trait.CUTS | Trait.FROM_START | Trait.VIEW | Trait.TELLS_LAYOUT)
def narrow(call: Call, x: TensorType, dim: Value, start: Value, length: Value) -> Result:
    """``length`` elements from ``start`` along ``dim``."""
    axis = call.axis(dim, x)
    if x.shape == ():
        call.fault(faults.RANK, operand="x", expected=(1, 2, 3, 4), actual=0, shapes=((),))
    if not x.shape or isinstance(x.shape, Unknown) or axis is None or not is_dim(length):
        return TensorType(Unknown("no-argument", "narrow"), x.dtype, Unknown("layout", "narrow"))
    end = add(start, length) if is_dim(start) and not (isinstance(start, int) and start < 0) else length
    low, _ = bounds(add(end, mul(x.shape[axis], -1)))
    if low is not None and low > 0:
        detail = f"start + length is {show(end)}, but axis {axis} has size {show(x.shape[axis])}"
        call.fault(
            faults.OPERATOR_SHAPE,
            operand="length",
            axis=axis,
            expected=x.shape[axis],
            actual=end,
            shapes=(x.shape,),
            detail=detail,
        )
    return laid_out(x, (*x.shape[:axis], length, *x.shape[axis + 1 :]), layout(x))


def _position(index: Value) -> Dim:
    """A position along one axis; ``True`` and ``False`` are numbers there, not masks."""
    return int(index) if isinstance(index, int) else index if is_dim(index) else opaque("index")


@op("select", traits=Trait.INDEXES | Trait.CUTS | Trait.VIEW | Trait.TELLS_LAYOUT)
def select(call: Call, x: TensorType, dim: Value, index: Value) -> Result:
    """The slice at the number ``index`` along ``dim``, which is removed."""
    axis = call.axis(dim, x)
    if axis is None:
        return TensorType(Unknown("no-argument", "select"), x.dtype, Unknown("layout", "select"))
    return selected(call, x, (*(FULL,) * axis, _position(index)))
