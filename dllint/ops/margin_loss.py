"""torch's losses of distances, rankings, margins and alignments."""

from __future__ import annotations

from dllint.domains.dim import Dim, differs, show
from dllint.domains.dtype import FLOAT32, INT64, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, broadcast, show_shape
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.promotion import has_no_elements, promote
from dllint.ops.reduction import check_same_shape, kind_of, reduced, target_dtype, target_shape
from dllint.ops.spec import Call, Flag, Result, known_shape, op
from dllint.ops.traits import Trait


@op("cosine_similarity", traits=Trait.AUTOCAST_SINGLE_ON_CARD)
def cosine_similarity(call: Call, x: TensorType, y: TensorType, *, dim: Value = 1) -> Result:
    """Cosine of the angle along ``dim`` of broadcast operands; that axis is dropped."""
    joined = together(call, x, y)
    if kind_of(x) in ("int", "bool") and kind_of(y) in ("int", "bool"):
        call.fault(faults.DTYPE, operand="x", expected=FLOAT32, actual=x.dtype)
    x = _floating(call, x.with_shape((1,)), y.with_shape((1,)))  # axes do not count
    if isinstance(joined, Unknown):
        return x.with_shape(joined)
    axis = call.axis(dim, x.with_shape(joined))
    return x.with_shape(Unknown("no-argument", "dim") if axis is None else joined[:axis] + joined[axis + 1 :])


@op("pairwise_distance", traits=Trait.NON_NEGATIVE)
def pairwise_distance(call: Call, x: TensorType, y: TensorType, *, p: Value = 2.0, keepdim: Flag = False) -> Result:
    """Distance along the last axis of broadcast operands."""
    joined = together(call, x, y)
    x = _floating(call, x, y)
    if isinstance(joined, Unknown) or isinstance(keepdim, Unknown) or not joined:
        return x.with_shape(Unknown("no-argument", "keepdim"))
    return x.with_shape((*joined[:-1], 1) if keepdim else joined[:-1])


def _floating(call: Call, x: TensorType, y: TensorType) -> TensorType:
    """The first of two operands with the type of their difference, if both have floating-point types."""
    if not isinstance(x.dtype, DType) or not isinstance(y.dtype, DType) or {kind_of(x), kind_of(y)} != {"float"}:
        return x.with_dtype(Unknown("no-argument", "element type"))
    return x.with_dtype(promote(call, x, y))


def together(call: Call, *tensors: TensorType) -> Shape | Unknown:
    """The broadcast shape, with an operator-shape fault if there is none; the first shape goes on then."""
    shapes = [s for s in map(known_shape, tensors) if s is not None]
    if len(shapes) < len(tensors):
        return Unknown("no-argument", "rank")
    joined, conflict = broadcast(shapes)
    if conflict is None:
        return joined
    detail = f"sizes {show(conflict.left)} and {show(conflict.right)} differ on axis {conflict.axis}"
    call.fault(
        faults.OPERATOR_SHAPE,
        operand="y",
        axis=conflict.axis,
        expected=conflict.left,
        actual=conflict.right,
        shapes=tuple(shapes),
        detail=detail,
    )
    return shapes[0]


@op("cosine_embedding_loss", traits=Trait.NON_NEGATIVE | Trait.LOSS | Trait.AUTOCAST_SINGLE)
def cosine_embedding_loss(call: Call, x: TensorType, y: TensorType, target: TensorType, *, reduction: Value = "mean") -> Result:
    """(N, D) pairs with targets (N,) of ±1, or one pair (D,) with a scalar target."""
    joined, labels, dtype = together(call, x, y), known_shape(target), _floating(call, x, y).dtype
    if isinstance(joined, Unknown) or labels is None:
        return reduced(call, target.shape, dtype, reduction)
    expected = joined[:1] if len(joined) > 1 else ()
    if len(labels) > 1 or (len(labels) == len(expected) == 1 and _refused(labels[0], expected[0])):
        target_shape(call, joined, labels, expected, f"the target must have shape {show_shape(expected)}")
    elif len(labels) + 1 != len(joined):
        call.fault(faults.RANK, operand="x", expected=(len(labels) + 1,), actual=len(joined), shapes=(joined, labels))
    return reduced(call, expected, dtype, reduction)


def _refused(actual: Dim, expected: Dim) -> bool:
    _, conflict = broadcast(((actual,), (expected,)))
    return conflict is not None


@op("margin_ranking_loss", traits=Trait.NON_NEGATIVE | Trait.LOSS | Trait.AUTOCAST_SINGLE)
def margin_ranking_loss(call: Call, x: TensorType, y: TensorType, target: TensorType, *, reduction: Value = "mean") -> Result:
    """Pairs of scores and a target of ±1, all of one rank."""
    for name, type_ in (("y", y), ("target", target)):
        if x.rank is not None and type_.rank is not None and not call.rank(type_, x.rank, operand=name):
            return reduced(call, x.shape, x.dtype, reduction)
    scores = _floating(call, x, y)
    both = _floating(call, scores, target) if kind_of(target) == "float" else scores
    return reduced(call, together(call, x, y, target), both.dtype, reduction)


@op("triplet_margin_loss", traits=Trait.NON_NEGATIVE | Trait.LOSS | Trait.AUTOCAST_SINGLE)
def triplet_margin_loss(
    call: Call,
    anchor: TensorType,
    positive: TensorType,
    negative: TensorType,
    *,
    swap: Value = False,
    reduction: Value = "mean",
) -> Result:
    """Anchor, positive and negative of one rank: the distances from the anchor along the last axis, which are broadcast to each
    other; with ``swap`` also that from the positive to the negative."""
    dtype = _floating(call, _floating(call, anchor, positive), negative).dtype
    for name, type_ in (("positive", positive), ("negative", negative)):
        if anchor.rank is not None and type_.rank is not None and not call.rank(type_, anchor.rank, operand=name):
            return reduced(call, Unknown("fault", "rank"), dtype, reduction)
    pairs = [(anchor, positive), (anchor, negative), *([(positive, negative)] if swap is True else [])]
    apart = [together(call, *pair) for pair in pairs]
    known = [shape[:-1] for shape in apart if not isinstance(shape, Unknown)]
    if len(known) < len(apart):
        return reduced(call, Unknown("no-argument", "rank"), dtype, reduction)
    return reduced(call, together(call, *(TensorType(shape, dtype) for shape in known)), dtype, reduction)


@op("multi_margin_loss", traits=Trait.NON_NEGATIVE | Trait.LOSS | Trait.AUTOCAST_SINGLE)
def multi_margin_loss(call: Call, x: TensorType, target: TensorType, *, reduction: Value = "mean") -> Result:
    """Scores (N, C) with class indices (N,)."""
    scores, labels = known_shape(x), known_shape(target)
    if scores is not None and labels is not None:
        expected = scores[:1] if len(scores) > 1 else ()
        wrong = len(labels) > 1 or (len(scores) > 1 and differs(labels[0] if labels else 1, scores[0]))
        if wrong:
            target_shape(call, scores, labels, expected, f"class indices must have shape {show_shape(expected)}")
    _check_indices(call, target)
    return reduced(call, target.shape, x.dtype, reduction)


@op("multilabel_margin_loss", traits=Trait.NON_NEGATIVE | Trait.LOSS | Trait.AUTOCAST_SINGLE)
def multilabel_margin_loss(call: Call, x: TensorType, target: TensorType, *, reduction: Value = "mean") -> Result:
    """Scores (N, C) with int64 class indices of the same shape, padded with -1."""
    scores, labels = known_shape(x), known_shape(target)
    if scores is not None and labels is not None:
        check_same_shape(call, scores, labels)
    _check_indices(call, target)
    return reduced(call, x.shape if scores is None else scores[:-1], x.dtype, reduction)


def _check_indices(call: Call, target: TensorType) -> None:
    if isinstance(target.dtype, DType) and target.dtype != INT64 and not has_no_elements(target):
        target_dtype(call, target, INT64, "class indices must be int64")


@op("ctc_loss", traits=Trait.LOSS | Trait.AUTOCAST_SINGLE)
def ctc_loss(
    call: Call,
    x: TensorType,
    target: TensorType,
    *,
    input_lengths: Value = None,
    target_lengths: Value = None,
    reduction: Value = "mean",
) -> Result:
    """Log-probabilities (T, N, C), or (T, C), with label sequences (N, S) or their concatenation."""
    scores, labels = known_shape(x), known_shape(target)
    if scores is None or not call.rank(x, 2, 3):
        return reduced(call, Unknown("no-argument", "rank"), x.dtype, reduction)
    batch = scores[1:2] if len(scores) == 3 else ()
    if labels is not None and len(labels) == 2 and batch and differs(labels[0], batch[0]):
        detail = f"the predictions (T, N, C) hold a batch of {show(batch[0])}, the targets of {show(labels[0])}"
        target_shape(call, scores, labels, (*batch, labels[1]), detail)
    return reduced(call, batch, x.dtype, reduction)
