"""Axes inserted, removed, moved and mirrored."""

from __future__ import annotations

from collections.abc import Sequence
from types import NoneType

from dllint.domains.atoms import Symbol
from dllint.domains.dim import Dim, differs, mul, opaque, same
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.domains.unsolved import unsolved
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.operand import as_tensor, is_axis_list
from dllint.ops.promotion import has_no_elements
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait
from dllint.ops.view import LAID_OUT, Strides, anew, elementwise_layout, laid_out, layout


def reordered(call: Call, x: TensorType, order: Sequence[int]) -> TensorType:
    """``x`` with axis ``order[i]`` at place i."""
    shape = known_shape(x)
    if shape is None:
        return x
    strides = layout(x)
    found: Strides = None
    if call.framework in LAID_OUT:
        found = strides if isinstance(strides, Unknown) else tuple(strides[axis] for axis in order)
    return laid_out(x, tuple(shape[axis] for axis in order), found)


def _reordered_somehow(x: TensorType, reason: str) -> TensorType:
    """A tensor whose axes change places, which is not known: each of them has one of the sizes."""
    if isinstance(x.shape, Unknown):
        return _unordered(x, reason)
    shape = tuple(unsolved(reason, x.shape) for _ in x.shape)
    return TensorType(shape, x.dtype, Unknown("layout", reason))


def _unordered(x: TensorType, reason: str) -> TensorType:
    return TensorType(Unknown("no-argument", reason), x.dtype, Unknown("layout", reason))


@op("transpose", traits=Trait.PERMUTES | Trait.VIEW | Trait.TELLS_LAYOUT)
def transpose(call: Call, x: TensorType, dim0: Value, dim1: Value) -> Result:
    """Two axes exchanged."""
    given = as_tensor(call, x)
    first, second = call.axis(dim0, given, "dim0"), call.axis(dim1, given, "dim1")
    rank = given.rank
    if rank is None or first is None or second is None:
        return _reordered_somehow(given, "transpose") if not call.faults else given
    order = list(range(rank))
    if order:
        order[first], order[second] = second, first
    return reordered(call, given, order)


@op("swapaxes", traits=Trait.PERMUTES | Trait.VIEW | Trait.TELLS_LAYOUT)
def swapaxes(
    call: Call,
    x: TensorType,
    dim0: Value = None,
    dim1: Value = None,
    axis0: Value = None,
    axis1: Value = None,
    axis2: Value = None,
) -> Result:
    """``transpose`` under numpy's names (``axis1``, ``axis2``) and torch's (``axis0``, ``axis1``)."""
    names = [axis for axis in (dim0, dim1, axis0, axis1, axis2) if axis is not None]
    return transpose(call, x, *names[:2]) if len(names) >= 2 else _unordered(x, "swapaxes")


@op("permute", traits=Trait.PERMUTES | Trait.VIEW | Trait.TELLS_LAYOUT)
def permute(call: Call, x: TensorType, dims: Value = None) -> Result:
    """The axes in another order; without ``dims`` in reverse."""
    given = as_tensor(call, x)
    shape = known_shape(given)
    if shape is None:
        return _permuted_rank(given, dims)
    wanted = dims[0] if isinstance(dims, tuple) and len(dims) == 1 and isinstance(dims[0], tuple) else dims
    if wanted is None or (wanted == () and call.framework != "torch"):
        return reordered(call, given, range(len(shape) - 1, -1, -1))
    if isinstance(wanted, int):
        wanted = (wanted,)
    if not isinstance(wanted, tuple) or (len(wanted) == 1 and isinstance(wanted[0], Unknown)):
        return _unordered(given, "permute")
    order = [call.axis(axis, given, "dims") for axis in wanted]
    known = [axis for axis in order if axis is not None]
    if len(wanted) != len(shape):
        detail = f"{len(wanted)} axes are named but the tensor has {len(shape)}"
        call.fault(
            faults.OPERATOR_SHAPE, operand="dims", expected=len(shape), actual=len(wanted), shapes=(shape,), detail=detail
        )
        return _unordered(given, "permute")
    if len(known) != len(order):
        return _unordered(given, "permute")
    if len(set(known)) != len(known):
        call.fault(
            faults.OPERATOR_SHAPE, operand="dims", shapes=(shape,), detail=f"the order {tuple(wanted)} names an axis twice"
        )
        return _unordered(given, "permute")
    return reordered(call, given, known)


def _permuted_rank(x: TensorType, dims: Value) -> TensorType:
    """A permutation of a tensor of unknown rank has as many axes as the permutation names."""
    wanted = dims[0] if isinstance(dims, tuple) and len(dims) == 1 else dims
    if not is_axis_list(wanted) or not wanted:
        return x if not isinstance(wanted, tuple) else _unordered(x, "permute")
    return TensorType(tuple(opaque("permute") for _ in wanted), x.dtype, Unknown("layout", "permute"))


@op("t", traits=Trait.PERMUTES | Trait.VIEW | Trait.TELLS_LAYOUT)
def t(call: Call, x: TensorType) -> Result:
    """A matrix transposed; torch refuses more than two axes, numpy reverses them all."""
    if x.rank is not None and call.framework == "torch" and not call.rank(x, 0, 1, 2):
        return x
    return x if x.rank is None else reordered(call, x, range(x.rank - 1, -1, -1))


@op("adjoint", traits=Trait.PERMUTES | Trait.VIEW | Trait.TELLS_LAYOUT)
def adjoint(call: Call, x: TensorType) -> Result:
    """The last two axes exchanged (``mT``, ``mH``, ``matrix_transpose``)."""
    if x.rank == 1:
        call.rank(x, 2, 3, 4)
    return x if x.rank is None or x.rank < 2 else reordered(call, x, (*range(x.rank - 2), x.rank - 1, x.rank - 2))


@op("movedim", traits=Trait.PERMUTES | Trait.VIEW | Trait.TELLS_LAYOUT)
def movedim(call: Call, x: TensorType, source: Value, destination: Value) -> Result:
    """Axes moved to other places, the rest keeps its order."""
    given = as_tensor(call, x)
    sources = source if isinstance(source, tuple) else (source,)
    places = destination if isinstance(destination, tuple) else (destination,)
    origin = [call.axis(axis, given, "source") for axis in sources]
    target = [call.axis(axis, given, "destination") for axis in places]
    if given.rank is None or None in origin or None in target:
        return _unordered(given, "movedim")
    if len(origin) != len(target) or len(set(origin)) != len(origin) or len(set(target)) != len(target):
        shapes = (known_shape(given) or (),)
        detail = f"the source axes {tuple(sources)} and places {tuple(places)} are not one-to-one"
        call.fault(faults.OPERATOR_SHAPE, operand="destination", shapes=shapes, detail=detail)
        return _unordered(given, "movedim")
    rest = iter(axis for axis in range(given.rank) if axis not in origin)
    moved = dict(zip(target, origin, strict=True))
    order = [moved[place] if place in moved else next(rest) for place in range(given.rank)]
    return reordered(call, given, [axis for axis in order if axis is not None])


@op("unsqueeze", traits=Trait.KEEPS_ORDER | Trait.INSERTS_AXIS | Trait.VIEW | Trait.TELLS_LAYOUT)
def unsqueeze(call: Call, x: TensorType, dim: Value) -> Result:
    """New axes of size 1 at ``dim`` (numpy and Keras: also several)."""
    given = as_tensor(call, x)
    shape = known_shape(given)
    wanted = dim if isinstance(dim, tuple) else (dim,)
    places = [call.axis(axis, given, extra=len(wanted)) for axis in wanted]
    if shape is None or any(place is None for place in places):
        return _unordered(given, "unsqueeze") if not call.faults else given
    out, steps = list(shape), layout(given)
    strides: list[Dim] = [] if isinstance(steps, Unknown) else list(steps)
    for place in sorted(place for place in places if place is not None):
        out.insert(place, 1)
        if not isinstance(steps, Unknown):
            strides.insert(place, mul(out[place + 1], strides[place]) if place < len(strides) else 1)
    return laid_out(
        given, tuple(out), None if given.strides is None else steps if isinstance(steps, Unknown) else tuple(strides)
    )


@op("squeeze", traits=Trait.KEEPS_ORDER | Trait.VIEW | Trait.TELLS_LAYOUT)
def squeeze(call: Call, x: TensorType, dim: Value = None, listed: Value = False) -> Result:
    """Axes of size 1 removed: all, or those named. torch leaves a named axis of another size as it is, the others refuse.
    Where no name is given in a sequence, TensorFlow removes all, torch and numpy none, Keras what its backend does.
    ``listed``: the names are given one by one, as torch's method takes them, or all in one sequence."""
    given = as_tensor(call, x)
    shape = known_shape(given)
    if shape is None:
        return anew(given, Unknown("no-argument", "squeeze"))
    if listed is True and isinstance(dim, tuple):
        dim = (dim or (None,))[0] if len(dim) < 2 else dim
    if isinstance(dim, Unknown):
        return anew(given, dim)
    if dim == () and call.framework == "keras" and 1 in shape:
        return given.with_shape(Unknown("backend", "squeeze of no axis"))
    if dim is None or (dim == () and call.framework == "tensorflow"):
        named = tuple(range(len(shape)))
    else:
        found = [call.axis(axis, given) for axis in (dim if isinstance(dim, tuple) else (dim,))]
        if any(axis is None for axis in found):
            return given if call.faults else anew(given, Unknown("no-argument", "dim"))
        named = tuple(axis for axis in found if axis is not None and axis < len(shape))
    return _squeezed(call, given, shape, named, explicit=dim is not None and dim != ())


def _squeezed(call: Call, x: TensorType, shape: Shape, named: tuple[int, ...], explicit: bool) -> TensorType:
    if call.framework == "keras" and explicit and any(not same(shape[axis], 1) for axis in named):
        return x.with_shape(Unknown("backend", "squeeze of a size that is not 1"))
    strict = explicit and call.framework != "torch"
    for axis in named:
        if strict and differs(shape[axis], 1):
            detail = f"axis {axis} has size {shape[axis]}, not 1"
            call.fault(
                faults.OPERATOR_SHAPE, operand="dim", axis=axis, expected=1, actual=shape[axis], shapes=(shape,), detail=detail
            )
    gone = {axis for axis in named if shape[axis] == 1 or strict}
    if any(_undecided(shape[axis], explicit) for axis in named if axis not in gone):
        return _unordered(x, "squeeze of a size that may be 1")
    kept = [axis for axis in range(len(shape)) if axis not in gone]
    steps = layout(x)
    strides = None if x.strides is None else steps if isinstance(steps, Unknown) else tuple(steps[axis] for axis in kept)
    return laid_out(x, tuple(shape[axis] for axis in kept), strides)


def _undecided(size: Dim, named: bool) -> bool:
    """Whether a size may or may not be 1.

    An axis that is named is one that the code takes for 1. Where all axes of 1 go, the axes of an input count as larger, and
    so do products of them: a batch or length is meant to vary. What else is computed from them may well be 1, as what a
    pooling leaves, and so may the features that a constructor is asked for."""
    return not differs(size, 1) and (named or not varies(size))


def varies(size: Dim) -> bool:
    """Whether a size is that of an input's axis, or of several laid together."""
    if isinstance(size, int) or len(size.terms) > 1:
        return False
    ((atoms, _),) = size.terms
    return all(isinstance(atom, Symbol) and atom.origin == "input" for atom, _ in atoms)


@op("flip", traits=Trait.KEEPS_VALUES | Trait.KEEPS_SHAPE | Trait.NUMPY_VIEW)
def flip(call: Call, x: TensorType, dim: Value = None, dims: Value = None) -> Result:
    """Axes mirrored."""
    given = as_tensor(call, x)
    wanted = dim if dims is None else dims
    flat = wanted[0] if isinstance(wanted, tuple) and len(wanted) == 1 and isinstance(wanted[0], tuple) else wanted
    if call.framework == "tensorflow" and given.rank == 0:  # whatever axes are named
        return given
    for axis in flat if isinstance(flat, tuple) else (flat,):
        call.axis(axis, given, "dims")
    return TensorType(given.shape, given.dtype, elementwise_layout(given))


@op("roll", traits=Trait.KEEPS_VALUES | Trait.KEEPS_SHAPE)
def roll(call: Call, x: TensorType, shifts: Value = None, dim: Value = None, dims: Value = None) -> Result:
    """Elements shifted along axes, those pushed out come back in."""
    given = as_tensor(call, x)
    wanted = dim if dims is None else dims
    if call.framework == "torch":
        _check_shifts(call, shifts, wanted)
    if call.framework not in ("torch", "keras") or not has_no_elements(given):
        for axis in wanted if isinstance(wanted, tuple) else (wanted,):
            call.axis(axis, given)
    return given.with_shape(given.shape)


def _check_shifts(call: Call, shifts: Value, axes: Value) -> None:
    """torch shifts every axis that is named by a number of its own; without axes there is one."""
    counts = [len(value) if isinstance(value, tuple) else 1 for value in (shifts, axes or 0)]
    if not isinstance(shifts, (int, tuple)) or not isinstance(axes, (int, tuple, NoneType)) or counts[0] == counts[1]:
        return
    detail = f"the number of shifts ({counts[0]}) is not that of the axes ({counts[1]})"
    call.fault(faults.ARGUMENT, operand="shifts", actual=shifts, detail=detail)


@op("rot90", traits=Trait.KEEPS_VALUES | Trait.NUMPY_VIEW | Trait.OWN_ORDER)
def rot90(call: Call, x: TensorType, k: Value = 1, dims: Value = (0, 1)) -> Result:
    """Rotation by ``k`` quarter turns in the plane of two axes."""
    given = as_tensor(call, x)
    if isinstance(dims, tuple) and len(dims) != 2:
        call.fault(faults.ARGUMENT, operand="dims", actual=dims, detail=f"the plane of a rotation has 2 axes, not {len(dims)}")
    if not isinstance(dims, tuple) or len(dims) != 2 or not isinstance(k, int):
        return _unordered(given, "rot90")
    axes = [call.axis(axis, given, "dims") for axis in dims]
    if given.rank is None or axes[0] is None or axes[1] is None:
        return _unordered(given, "rot90")
    order = list(range(given.rank))
    if k % 2:
        order[axes[0]], order[axes[1]] = axes[1], axes[0]
    return given.with_shape(tuple((known_shape(given) or ())[axis] for axis in order))
