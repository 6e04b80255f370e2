"""Losses against class labels: cross-entropy and its relatives, with torch's checks of the target."""

from __future__ import annotations

from dllint.domains.dim import differs, product, same, show
from dllint.domains.dtype import FLOAT32, INT64, UINT8, DType
from dllint.domains.shape import Shape, TensorType, may_be_one, show_shape
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.promotion import promote
from dllint.ops.reduction import check_floating, different, kind_of, reduced, target_dtype, target_shape
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait


@op("cross_entropy", traits=Trait.TAKES_CLASS_NUMBERS | Trait.ALWAYS_TAKES_SCORES | Trait.AUTOCAST_SINGLE)
def cross_entropy(call: Call, x: TensorType, target: TensorType, *, weight: Value = None, reduction: Value = "mean") -> Result:
    """Cross-entropy of logits (N, C, d…) with class indices (N, d…) or class probabilities (N, C, d…)."""
    return _class_loss(call, x, target, weight, reduction, takes_probabilities=True)


@op("nll_loss", traits=Trait.TAKES_CLASS_NUMBERS | Trait.AUTOCAST_SINGLE)
def nll_loss(call: Call, x: TensorType, target: TensorType, *, weight: Value = None, reduction: Value = "mean") -> Result:
    """Negative log-likelihood of log-probabilities (N, C, d…) with class indices (N, d…)."""
    return _class_loss(call, x, target, weight, reduction, takes_probabilities=False)


def _class_loss(
    call: Call, x: TensorType, target: TensorType, weight: Value, reduction: Value, *, takes_probabilities: bool
) -> Result:
    check_floating(call, x)
    scores, labels = known_shape(x), known_shape(target)
    if scores is None or labels is None:
        return reduced(call, target.shape, x.dtype, reduction)
    if not _has_classes(call, scores):
        return reduced(call, (), x.dtype, reduction)
    _check_class_weight(call, scores, weight)
    if takes_probabilities and len(scores) == len(labels):
        dtype = promote(call, x, target, *_weights(weight)) if kind_of(target) == "float" else x.dtype
        return reduced(call, _probabilities(call, x, scores, target, labels), dtype, reduction)
    return reduced(call, _indices(call, scores, target, labels), x.dtype, reduction)


def _weights(weight: Value) -> tuple[Value, ...]:
    return () if weight is None else (weight,)


def _has_classes(call: Call, scores: Shape) -> bool:
    """Whether the prediction has an axis of classes at all."""
    if not scores:
        call.fault(faults.RANK, operand="x", expected=(1, 2, 3, 4), actual=0, shapes=(scores,))
    return bool(scores)


def _class_axis(scores: Shape) -> int:
    return 0 if len(scores) == 1 else 1


def _without_classes(scores: Shape) -> Shape:
    axis = _class_axis(scores)
    return scores[:axis] + scores[axis + 1 :]


def _check_class_weight(call: Call, scores: Shape, weight: Value) -> None:
    shape = known_shape(weight)
    if shape is None or not scores:
        return
    axis = _class_axis(scores)
    if len(shape) == 1 and not differs(shape[0], scores[axis]):
        return
    if len(scores) > 2 and not differs(product(shape), scores[axis]):  # only their number is asked for
        return
    detail = f"the class weights have shape {show_shape(shape)} but the prediction has {show(scores[axis])} classes"
    call.fault(
        faults.OPERATOR_SHAPE,
        operand="weight",
        axis=axis,
        expected=scores[axis],
        shapes=(scores, shape),
        actual=shape[0] if shape else None,
        detail=detail,
    )


def _probabilities(call: Call, x: TensorType, scores: Shape, target: TensorType, labels: Shape) -> Shape:
    """A target of the prediction's rank: probabilities of its very shape, in floating point."""
    expected = _without_classes(scores)
    if len(labels) == 1 and may_be_one(labels[0]) and kind_of(target) != "float":
        return expected  # one unbatched sample with its index in a vector
    if different(scores, labels):
        detail = f"class indices must have shape {show_shape(expected)}, class probabilities {show_shape(scores)}"
        target_shape(call, scores, labels, expected, detail)
    elif kind_of(target) in ("int", "bool"):
        exact = all(same(a, b) for a, b in zip(scores, labels, strict=True))
        detail = "a target of the prediction's shape holds class probabilities" if exact else "class indices have one axis less"
        target_dtype(call, target, x.dtype if isinstance(x.dtype, DType) else FLOAT32, detail)
    return expected


def _indices(call: Call, scores: Shape, target: TensorType, labels: Shape) -> Shape:
    """A target of class indices, one axis less than the prediction."""
    expected = _without_classes(scores)
    is_row = len(scores) == len(labels) == 1 and may_be_one(labels[0])  # one sample with its index in a vector
    if different(expected, labels) and not is_row:
        target_shape(call, scores, labels, expected, f"class indices must have shape {show_shape(expected)}")
    if isinstance(target.dtype, DType) and target.dtype not in (INT64, UINT8):
        target_dtype(call, target, INT64, "class indices must be int64")
    return expected
