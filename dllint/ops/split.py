"""A tensor cut into several along an axis."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Final, TypeGuard

from dllint.domains.dim import Dim, add, bounds, differs, floordiv, maximum, minimum, mod, mul, opaque, show, total
from dllint.domains.lattice import Unknown
from dllint.domains.shape import MOST_AXES, OpenSequence, Shape, TensorType
from dllint.domains.unsolved import unsolved
from dllint.ir.values import PartsVal, Value
from dllint.ops import faults
from dllint.ops.operand import as_tensor
from dllint.ops.sizes import is_dim, size
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait
from dllint.ops.view import laid_out, layout


def _parts(call: Call, x: TensorType, axis: int, sizes: Iterable[Dim]) -> tuple[TensorType, ...]:
    shape = known_shape(x) or ()
    strides = layout(x) if call.framework == "torch" else None
    return tuple(laid_out(x, (*shape[:axis], n, *shape[axis + 1 :]), strides) for n in sizes)


def _axis(call: Call, x: TensorType, dim: Value) -> tuple[Shape, int] | None:
    axis, shape = call.axis(dim, x), known_shape(x)
    if shape == ():
        call.fault(faults.RANK, operand="x", expected=(1, 2, 3, 4), actual=0, shapes=(shape,))
    return None if axis is None or not shape else (shape, axis)


def _unplaced(x: TensorType, count: int) -> tuple[TensorType, ...]:
    """``count`` parts whose sizes are not known; the rank stays."""
    shape = x.shape if isinstance(x.shape, Unknown) else tuple(unsolved("part", (size,)) for size in x.shape)
    return (TensorType(shape, x.dtype, Unknown("layout", "part")),) * count


def _any_number(x: TensorType, shape: Shape, axis: int, part: Dim) -> OpenSequence:
    """Parts whose number is not known, each of them of some size on an axis."""
    return _many(x, (*shape[:axis], part, *shape[axis + 1 :]))


def _many(x: TensorType, shape: Shape) -> OpenSequence:
    return OpenSequence("no-argument", "number of parts", TensorType(shape, x.dtype, Unknown("layout", "part")))


#: Parts that are distinguished.
_MOST_PARTS: Final = 4096


def _is_countable(number: Value) -> TypeGuard[int]:
    """Whether a number of parts is known, and not larger than anybody looks at."""
    return isinstance(number, int) and number <= _MOST_PARTS


def _unknown_number(reason: str = "number of parts") -> Unknown:
    return Unknown("no-argument", reason)


@op("split", traits=Trait.CUTS | Trait.VIEW | Trait.TELLS_LAYOUT, various=True)
def split(call: Call, x: TensorType, sections: Value, dim: Value = 0) -> Result:
    """torch: parts of the given size (the last may be smaller) or of the given sizes; the others: a number of equal
    parts or the places to cut (TensorFlow: sizes)."""
    found = _axis(call, x, dim)
    if found is None:
        count = _count_of(call, sections)
        return _unknown_number() if count is None else _unplaced(x, count)
    shape, axis = found
    if isinstance(sections, tuple):
        if call.framework in ("torch", "tensorflow"):
            return _parts(call, x, axis, _declared_sizes(call, shape, axis, sections))
        return _parts(call, x, axis, _between(shape[axis], sections))
    if not is_dim(sections):
        return _any_number(x, shape, axis, opaque("section"))
    if call.framework == "torch":
        return _chunks(call, x, shape, axis, sections)
    return _equal(call, x, shape, axis, sections)


def _count_of(call: Call, sections: Value) -> int | None:
    """How many parts ``split`` gives, where that does not depend on the size."""
    if isinstance(sections, tuple):
        return len(sections) + (call.framework not in ("torch", "tensorflow"))
    return sections if _is_countable(sections) and call.framework != "torch" and sections > 0 else None


def _declared_sizes(call: Call, shape: Shape, axis: int, sections: tuple[Value, ...]) -> tuple[Dim, ...]:
    """Sizes that must sum up to the axis; one may be -1 (TensorFlow)."""
    sizes = [size(n, "section") for n in sections]
    if call.framework == "tensorflow" and -1 in sizes:
        free = sizes.index(-1)
        sizes[free] = add(shape[axis], mul(-1, add(total(sizes), 1)))
        return tuple(sizes)
    if differs(total(sizes), shape[axis]):
        text = " + ".join(map(show, sizes))
        detail = f"the sections {text} sum to {show(total(sizes))}, but axis {axis} has size {show(shape[axis])}"
        call.fault(
            faults.OPERATOR_SHAPE,
            operand="sections",
            axis=axis,
            expected=shape[axis],
            actual=total(sizes),
            shapes=(shape,),
            detail=detail,
        )
    return tuple(sizes)


def _between(length: Dim, cuts: tuple[Value, ...]) -> list[Dim]:
    """The sizes between cuts; cuts outside the axis give empty parts."""
    known = [cut for cut in cuts if isinstance(cut, int) and cut >= 0]
    if len(known) != len(cuts):
        return [opaque("section") for _ in range(len(cuts) + 1)]
    places = [0, *(minimum(cut, length) for cut in known), length]
    return [maximum(add(b, mul(a, -1)), 0) for a, b in pairwise(places)]


def _chunks(call: Call, x: TensorType, shape: Shape, axis: int, part: Dim) -> Result:
    """Parts of size ``part``, the last smaller; their number must be known."""
    length = shape[axis]
    if isinstance(part, int) and part <= 0:
        if part < 0 or differs(length, 0):
            call.fault(
                faults.ARGUMENT,
                operand="sections",
                actual=part,
                shapes=(shape,),
                detail=f"the split size {part} is not positive",
            )
            return _unknown_number()
        return (x,)
    whole = floordiv(length, part)
    count = whole if mul(whole, part) == length else floordiv(add(length, add(part, -1)), part)
    if not _is_countable(count):
        return _any_number(x, shape, axis, opaque("section"))
    if count == 0:
        return (x,)
    rest = add(length, mul(-1, mul(part, count - 1)))
    return _parts(call, x, axis, [part] * (count - 1) + [rest])


def _equal(call: Call, x: TensorType, shape: Shape, axis: int, number: Dim) -> Result:
    if not isinstance(number, int):
        return _any_number(x, shape, axis, floordiv(shape[axis], number))
    if not _is_countable(number) or (call.framework == "keras" and number < 0 and shape[axis] == 0):
        return _unknown_number()
    if number <= 0 or differs(mod(shape[axis], number), 0):
        detail = f"size {show(shape[axis])} on axis {axis} does not divide into {number} equal parts"
        call.fault(
            faults.OPERATOR_SHAPE,
            operand="sections",
            axis=axis,
            expected=number,
            actual=shape[axis],
            shapes=(shape,),
            detail=detail,
        )
        return _parts(call, x, axis, [opaque("section")] * max(number, 0))
    return _parts(call, x, axis, [floordiv(shape[axis], number)] * number)


@op("chunk", traits=Trait.CUTS | Trait.VIEW | Trait.TELLS_LAYOUT, various=True)
def chunk(call: Call, x: TensorType, chunks: Value, dim: Value = 0) -> Result:
    """At most ``chunks`` parts of equal size, the last smaller: (size + chunks - 1) // chunks each."""
    found = _axis(call, x, dim)
    if not _is_countable(chunks):
        if isinstance(chunks, int) or found is None:
            return _unknown_number("chunks")
        return _any_number(x, *found, opaque("part"))
    if found is None:
        return PartsVal(_unplaced(x, max(chunks, 0)))
    shape, axis = found
    if chunks <= 0:
        call.fault(faults.ARGUMENT, operand="chunks", actual=chunks, shapes=(shape,), detail=f"{chunks} chunks are asked for")
        return _unknown_number("chunks")
    length = shape[axis]
    part = floordiv(add(length, chunks - 1), chunks)
    if isinstance(length, int):
        return _chunks(call, x, shape, axis, part) if length else (x,) * chunks
    if mod(length, chunks) == 0:
        return _parts(call, x, axis, [part] * chunks)
    last = minimum(part, add(length, mul(-1, mul(part, chunks - 1))))
    return PartsVal(_parts(call, x, axis, [part] * (chunks - 1) + [last]))


@op("tensor_split", traits=Trait.CUTS | Trait.VIEW | Trait.TELLS_LAYOUT, various=True)
def tensor_split(
    call: Call, x: TensorType, sections: Value, dim: Value = 0, least: Value = None, even: Value = False
) -> Result:
    """Exactly ``sections`` parts whose sizes differ by at most one, or are ``even``, or cuts at the given places. ``least``:
    the fewest axes that are taken."""
    if isinstance(least, int) and not call.rank(x, *range(least, MOST_AXES)):
        return _unknown_number()
    found = _axis(call, x, dim)
    if found is None:
        return _unknown_number()
    shape, axis = found
    if isinstance(sections, tuple):
        return _parts(call, x, axis, _between(shape[axis], sections))
    if not _is_countable(sections):
        return _unknown_number() if isinstance(sections, int) else _any_number(x, shape, axis, opaque("part"))
    if sections <= 0:
        detail = f"{sections} parts are asked for"
        call.fault(faults.ARGUMENT, operand="sections", actual=sections, shapes=(shape,), detail=detail)
        return _unknown_number()
    whole, rest = floordiv(shape[axis], sections), mod(shape[axis], sections)
    if even is True and differs(rest, 0):
        detail = f"{show(shape[axis])} does not divide into {sections} parts"
        call.fault(faults.OPERATOR_SHAPE, operand="sections", axis=axis, shapes=(shape,), detail=detail)
    if isinstance(rest, int):
        return _parts(call, x, axis, [add(whole, 1 if part < rest else 0) for part in range(sections)])
    return _parts(call, x, axis, [opaque("part") for _ in range(sections)])


@op("unbind", traits=Trait.CUTS | Trait.VIEW | Trait.TELLS_LAYOUT, various=True)
def unbind(call: Call, x: TensorType, dim: Value = 0) -> Result:
    """The slices along an axis, which is removed; their number must be known."""
    given = as_tensor(call, x)
    found = _axis(call, given, dim)
    if found is None:
        return _unknown_number("unbind")
    shape, axis = found
    if not _is_countable(shape[axis]):
        if isinstance(shape[axis], int):
            return _unknown_number("unbind")
        return _many(given, (*shape[:axis], *shape[axis + 1 :]))
    steps = layout(given) if call.framework == "torch" else None
    strides = (*steps[:axis], *steps[axis + 1 :]) if isinstance(steps, tuple) else steps
    low, _ = bounds(shape[axis])
    return (laid_out(given, (*shape[:axis], *shape[axis + 1 :]), strides),) * (low or 0)
