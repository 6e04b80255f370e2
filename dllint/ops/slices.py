"""Parts of tensors in TensorFlow's terms: slices by start and length, indices of several axes, masks, segments."""

from __future__ import annotations

from dllint.domains.dim import Dim, add, counted, differs, opaque, show
from dllint.domains.dtype import BOOL, INT32
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, show_shape
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.binary import quotient_type
from dllint.ops.operand import as_tensor, dims_or_unknown, read_dtype
from dllint.ops.sizes import is_dim, size
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait


@op("slice", traits=Trait.FROM_START)
def slice_(call: Call, x: TensorType, begin: Value, size: Value) -> Result:
    """``size`` elements from ``begin`` on every axis; -1 takes all that are left."""
    given = as_tensor(call, x)
    shape, starts, lengths = known_shape(given), dims_or_unknown(begin), dims_or_unknown(size)
    if isinstance(starts, Unknown) or isinstance(lengths, Unknown):
        return given.with_shape(given.shape if shape is None else tuple(opaque("slice") for _ in shape))
    if shape is None:
        return given.with_shape(tuple(opaque("slice") if n == -1 else n for n in lengths))
    if len(starts) != len(shape) or len(lengths) != len(shape):
        detail = f"{len(starts)} starts and {len(lengths)} lengths are given for the {len(shape)} axes of {show_shape(shape)}"
        call.fault(
            faults.OPERATOR_SHAPE, operand="begin", expected=len(shape), actual=len(starts), shapes=(shape,), detail=detail
        )
        return given.with_shape(Unknown("fault", "slice"))
    return given.with_shape(tuple(_taken(call, a, shape, starts[a], lengths[a]) for a in range(len(shape))))


def _taken(call: Call, axis: int, shape: Shape, start: Dim, length: Dim) -> Dim:
    if isinstance(length, int) and length == -1:
        return add(shape[axis], -start) if isinstance(start, int) else opaque("slice")
    whole = shape[axis]
    if isinstance(start, int) and isinstance(length, int) and isinstance(whole, int) and start + length > whole:
        detail = f"{show(length)} elements from {show(start)} on do not fit into the {show(whole)} of axis {axis}"
        call.fault(
            faults.OPERATOR_SHAPE,
            operand="size",
            axis=axis,
            expected=whole,
            actual=start + length,
            shapes=(shape,),
            detail=detail,
        )
    return length


@op("gather_nd", traits=Trait.INDEXES)
def gather_nd(call: Call, x: TensorType, index: TensorType) -> Result:
    """The parts of ``x`` at index tuples, which stand on the last axis of ``index``."""
    given, wanted = as_tensor(call, x), as_tensor(call, index)
    shape, places = known_shape(given), known_shape(wanted)
    if shape is None or not places or not isinstance(places[-1], int):
        return given.with_shape(Unknown("no-argument", "gather_nd"))
    if places[-1] > len(shape):
        detail = f"indices of {places[-1]} axes are given for the {len(shape)} axes of {show_shape(shape)}"
        call.fault(
            faults.OPERATOR_SHAPE,
            operand="index",
            expected=len(shape),
            actual=places[-1],
            shapes=(shape, places),
            detail=detail,
        )
        return given.with_shape(places[:-1])
    return given.with_shape((*places[:-1], *shape[places[-1] :]))


@op("scatter_nd")
def scatter_nd(call: Call, index: Value, src: Value, shape: Value) -> Result:
    """A tensor of the given shape, zero but for the values at the indices."""
    values, target = as_tensor(call, src), dims_or_unknown(shape)
    return values.with_shape(target)


@op("boolean_mask", traits=Trait.SELECTS | Trait.RANKS)
def boolean_mask(call: Call, x: TensorType, mask: TensorType, dim: Value = None) -> Result:
    """The parts of ``x`` where ``mask`` is true; the axes of the mask become one of unknown size."""
    given, chosen = as_tensor(call, x), as_tensor(call, mask)
    shape, wanted = known_shape(given), known_shape(chosen)
    axis = 0 if dim is None else call.axis(dim, given)
    if shape is None or not wanted or axis is None:
        return given.with_shape(Unknown("no-argument", "boolean_mask"))
    covered = shape[axis : axis + len(wanted)]
    if len(covered) < len(wanted) or any(differs(a, b) for a, b in zip(covered, wanted, strict=True)):
        detail = f"a mask of shape {show_shape(wanted)} does not fit onto {show_shape(shape)}"
        call.fault(
            faults.OPERATOR_SHAPE, operand="mask", expected=covered, actual=wanted, shapes=(shape, wanted), detail=detail
        )
    return given.with_shape((*shape[:axis], counted("chosen"), *shape[axis + len(wanted) :]))


@op("segment")
def segment(call: Call, x: TensorType, segment_ids: Value, num_segments: Value = None, divided: Value = False) -> Result:
    """One row per segment of rows (sum, mean …); ``segment_ids`` names the segment of each. ``divided``: a sum is divided by a
    count."""
    if not isinstance(divided, bool) and isinstance(x, TensorType):
        x = x.with_dtype(Unknown("no-argument", "divided"))
    elif divided and isinstance(x, TensorType):
        x = TensorType(x.shape, quotient_type(call, x, x))
    given, ids = as_tensor(call, x), as_tensor(call, segment_ids)
    shape, places = known_shape(given), known_shape(ids)
    if shape is None or places is None:
        return given.with_shape(Unknown("no-argument", "segment"))
    return given.with_shape((size(num_segments, "segments"), *shape[len(places) :]))


@op("sequence_mask", traits=Trait.TRUTH)
def sequence_mask(call: Call, x: TensorType, maxlen: Value = None, dtype: Value = None) -> Result:
    """True for the first ``x`` of ``maxlen`` places, on a new last axis."""
    lengths, found = known_shape(as_tensor(call, x)), read_dtype(dtype)
    width = maxlen if is_dim(maxlen) else counted("length")
    return TensorType(
        Unknown("no-argument", "lengths") if lengths is None else (*lengths, width), BOOL if found is None else found
    )


@op("in_top_k", traits=Trait.TRUTH)
def in_top_k(call: Call, x: TensorType, target: TensorType, k: Value = 1) -> Result:
    """Whether each sample's target is among the ``k`` best of its predictions: one answer per sample. TensorFlow 1 takes the
    predictions first, TensorFlow 2 the targets; the ranks determine which they are."""
    scores, labels = known_shape(as_tensor(call, x)), known_shape(as_tensor(call, target))
    if scores is None or labels is None:
        return TensorType((counted("samples"),), BOOL)
    if (len(scores), len(labels)) == (1, 2):
        scores, labels = labels, scores
    for operand, shape, rank in (("x", scores, 2), ("target", labels, 1)):
        if len(shape) != rank:
            call.fault(faults.RANK, operand=operand, expected=(rank,), actual=len(shape), shapes=(shape,))
    return TensorType((scores[0],) if scores else (counted("samples"),), BOOL)


@op("confusion_matrix", traits=Trait.NO_GRADIENT)
def confusion_matrix(call: Call, x: Value, target: Value, num_classes: Value = None, dtype: Value = None) -> Result:
    """Counts of (label, prediction) pairs."""
    width, found = size(num_classes, "classes", 1), read_dtype(dtype)
    return TensorType((width, width), INT32 if found is None else found)


@op("set_operation")
def set_operation(call: Call, x: TensorType, y: Value) -> Result:
    """Intersection, union or difference of the sets on the last axes (tf.sets): each row is a set, so there are rows."""
    found = [known_shape(as_tensor(call, operand)) for operand in (x, y)]
    for operand, shape in zip(("x", "y"), found, strict=True):
        if shape is not None and len(shape) < 2:
            call.fault(faults.RANK, operand=operand, expected=(2, 3, 4), actual=len(shape), shapes=(shape,))
    return x.with_shape(Unknown("no-argument", "sets"))
