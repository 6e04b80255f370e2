"""Cross-entropies per element or per sample, without alignment or reduction (keras.ops, tf.nn)."""

from __future__ import annotations

from dllint.domains.dim import Dim, differs, product
from dllint.domains.dtype import FLOAT32, INT64, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, show_shape
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.promotion import promote
from dllint.ops.reduction import check_same_shape, different, kind_of, target_shape
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait


@op("binary_crossentropy", traits=Trait.BINARY_LOSS | Trait.TAKES_SCORES)
def binary_crossentropy(call: Call, x: TensorType, target: TensorType, *, from_logits: Value = False) -> Result:
    """One value per element; both of one shape (keras.ops.binary_crossentropy, tf.nn.sigmoid_cross_entropy_with_logits)."""
    scores, labels = known_shape(x), known_shape(target)
    if scores is not None and labels is not None:
        check_same_shape(call, scores, labels)
    return TensorType(x.shape, _dtype(x))


@op("categorical_crossentropy", traits=Trait.CLASS_LOSS | Trait.TAKES_SCORES | Trait.ON_SAMPLES)
def categorical_crossentropy(
    call: Call, x: TensorType, target: TensorType, *, from_logits: Value = False, dim: Value = -1
) -> Result:
    """One value per sample for class probabilities of the prediction's shape; the axis ``dim`` of classes goes."""
    scores, labels = known_shape(x), known_shape(target)
    _refuse_type(call, x, target, "string")
    if scores is not None and labels is not None:
        _check_distributions(call, scores, labels, dim)
    axis = call.axis(dim, x)
    shape = Unknown("no-argument", "dim") if scores is None or axis is None else _without(scores, axis)
    return TensorType(shape, _common_type(call, x, target))


def _common_type(call: Call, x: TensorType, target: TensorType) -> DType | Unknown:
    """That of the prediction; with Keras, some backends take that of targets of a wider type."""
    found = _dtype(x)
    wider = call.framework == "keras" and promote(call, TensorType((), found), TensorType((), target.dtype)) != found
    return Unknown("backend", "types of prediction and target") if wider else found


def _check_distributions(call: Call, scores: Shape, labels: Shape, dim: Value) -> None:
    """TensorFlow compares rows of classes: all axes before the last are one, and a single row of labels is repeated."""
    if call.framework == "tensorflow" and not isinstance(dim, int):
        return
    if call.framework != "tensorflow" or dim != -1 or not scores or not labels:
        check_same_shape(call, scores, labels)
        return
    rows, given = product(scores[:-1]), product(labels[:-1])
    classes = differs(scores[-1], labels[-1]) and 1 not in (scores[-1], labels[-1])
    if classes or (given != 1 and differs(rows, given)):
        detail = f"the target must have the prediction's shape {show_shape(scores)}"
        target_shape(call, scores, labels, scores, detail)


def _refuse_type(call: Call, x: TensorType, target: TensorType, *kinds: str) -> None:
    if call.framework == "tensorflow" and kind_of(target) in kinds:
        expected = INT64 if "float" in kinds else _dtype(x)
        shapes = () if isinstance(target.shape, Unknown) else (target.shape,)
        call.fault(faults.DTYPE, operand="target", expected=expected, actual=target.dtype, shapes=shapes)


@op("sparse_categorical_crossentropy", traits=Trait.CLASS_LOSS | Trait.TAKES_SCORES | Trait.ON_SAMPLES)
def sparse_categorical_crossentropy(
    call: Call, x: TensorType, target: TensorType, *, from_logits: Value = False, dim: Value = -1
) -> Result:
    """One value per sample for class indices of the prediction's shape without the axis of classes."""
    scores, labels = known_shape(x), known_shape(target)
    _refuse_type(call, x, target, "string", "float", "bool")
    axis = call.axis(dim, x)
    if scores is None or axis is None:
        return TensorType(Unknown("no-argument", "dim"), _dtype(x))
    expected = _without(scores, axis)
    if labels is not None:
        given = labels[:-1] if _has_last_axis_of_one(call, labels, scores) else labels
        if different(given, expected):
            target_shape(call, scores, labels, expected, f"class indices must have shape {show_shape(expected)}")
    return TensorType(expected, _dtype(x))


def _has_last_axis_of_one(call: Call, labels: Shape, scores: Shape) -> bool:
    """Keras drops a last axis of size 1 of the indices; TensorFlow does not."""
    last: Dim = labels[-1] if labels else 0
    return call.framework == "keras" and len(labels) == len(scores) and (not isinstance(last, int) or last == 1)


def _without(shape: Shape, axis: int) -> Shape:
    return shape[:axis] + shape[axis + 1 :]


def _dtype(x: TensorType) -> DType | Unknown:
    return FLOAT32 if kind_of(x) in ("int", "bool") else x.dtype
