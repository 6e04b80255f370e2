"""Ranges of losses: element by element, then reduced.

That a loss is 0 takes a prediction without any error, so no end is known to be reached.
"""

from __future__ import annotations

import math
from typing import Final

from dllint.domains.dtype import DType
from dllint.domains.floating import BINARY32
from dllint.domains.interval import UNKNOWN, Interval
from dllint.domains.interval_arithmetic import absolute, mul, rising, sub
from dllint.domains.shape import broadcast
from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from dllint.ops.operand import read_dtype
from dllint.ops.ranges.elementwise import exp, squared
from dllint.ops.ranges.reduce import summed
from dllint.ops.ranges.rounding import averaged, widened
from dllint.ops.ranges.spec import RangeCall, is_float, least_precision, limit, range_of, shape_of, unreached
from dllint.ops.sizes import whole_numbers

_NON_NEGATIVE: Final = Interval(limit(0.0), limit(math.inf))
#: Reductions of Keras that are means.
_MEANS: Final = frozenset({"mean", "batchmean", "sum_over_batch_size", "auto", "mean_with_sample_weight"})


def reduced(each: Interval, call: RangeCall, count: int | None) -> Interval:
    """The range of a loss by that of its elements: their mean, their sum, or themselves."""
    reduction = call.arg("reduction")
    if reduction == "none" or (reduction is None and "reduction" in call.op.args):
        return unreached(each)
    if reduction in (None, "mean"):
        return unreached(averaged(each, count, call.fmt))
    return unreached(summed(each, count, call)) if reduction == "sum" else UNKNOWN


def element_count(call: RangeCall) -> int | None:
    """How many elements prediction and target broadcast to, if that is known."""
    x, target = shape_of(call.arg("x")), shape_of(call.arg("target"))
    if x is None or target is None:
        return None
    shape, _ = broadcast((x, target))
    sizes = whole_numbers(shape)
    return None if sizes is None else math.prod(sizes)


def _distance(call: RangeCall) -> Interval:
    """The absolute difference of prediction and target; unknown for whole numbers, which may overflow."""
    if not all(is_float(value.dtype) for name in ("x", "target") if isinstance(value := call.arg(name), TensorVal)):
        return UNKNOWN
    return absolute(sub(call.of("x"), call.of("target"), call.fmt))


@range_of("mse_loss")
def _squared_error(call: RangeCall) -> Interval:
    return reduced(squared(_distance(call), call), call, element_count(call))


@range_of("l1_loss")
def _absolute_error(call: RangeCall) -> Interval:
    return reduced(_distance(call), call, element_count(call))


@range_of("smooth_l1_loss")
def _smooth_error(call: RangeCall) -> Interval:
    """Not above the absolute error."""
    found = _distance(call)
    return reduced(Interval(limit(0.0), found.high), call, element_count(call))


@range_of("huber_loss")
def _huber_error(call: RangeCall) -> Interval:
    """The absolute error times delta at most."""
    found, delta = _distance(call), call.arg("delta")
    if delta is not None and not _is_positive(delta):
        return UNKNOWN
    high = found.high if delta in (None, 1) else mul(found, call.ranges(delta), call.fmt).high
    return reduced(Interval(limit(0.0), high), call, element_count(call))


#: The largest value that a binary cross-entropy of probabilities has by library: torch cuts logarithms at -100.
_LOG_CUT: Final = {"torch": 100.0}


@range_of("binary_cross_entropy")
def _binary_entropy(call: RangeCall) -> Interval:
    if not _is_probability(call.of("target")):
        return UNKNOWN
    if not _weights_keep_sign(call, "weight"):
        return UNKNOWN
    high = _LOG_CUT.get(call.op.framework, math.inf) if call.arg("weight") is None else math.inf
    return reduced(Interval(limit(0.0), limit(high)), call, element_count(call))


def _is_probability(found: Interval) -> bool:
    return found.low.value >= 0 and found.high.value <= 1


@range_of("bce_with_logits")
def _binary_entropy_of_scores(call: RangeCall) -> Interval:
    """log(1 + exp(-|x|)) and what the score is on the wrong side."""
    if not _is_probability(call.of("target")):
        return UNKNOWN
    if not _is_plain(call, "weight", "pos_weight"):
        return _NON_NEGATIVE if _weights_keep_sign(call, "weight", "pos_weight") else UNKNOWN
    most = rising(absolute(call.of("x")), lambda x: x + math.log1p(exp(-x)), call.fmt)
    most = widened(most, 2.0 ** (2 - min(call.fmt.precision, BINARY32.precision)), call.fmt)
    return reduced(Interval(limit(0.0), most.high), call, element_count(call))


def _weights_keep_sign(call: RangeCall, *names: str) -> bool:
    """Whether no weight that is given is negative."""
    return all(call.arg(name) is None or call.of(name).low.value >= 0 for name in names)


def _is_plain(call: RangeCall, *names: str) -> bool:
    """Whether a loss is not weighted, by class or by sample."""
    return all(call.arg(name) is None for name in names)


@range_of("cross_entropy")
def _cross_entropy(call: RangeCall) -> Interval:
    """Of class numbers at most the distance of the scores and the logarithm of how many there are."""
    x, target = call.of("x"), call.arg("target")
    if not (isinstance(target, TensorVal) and _is_whole(target)) and not _is_probability(call.of("target")):
        return UNKNOWN
    if not _weights_keep_sign(call, "weight"):
        return UNKNOWN
    classes = _classes(call.arg("x"))
    most = x.high.value - x.low.value + math.log(classes) if classes else math.inf
    if not math.isfinite(most) or not _is_plain(call, "weight") or not _is_whole(target) or call.arg("reduction") == "sum":
        return _NON_NEGATIVE
    return Interval(limit(0.0), limit(call.fmt.above(most * _WHOLE_LOSS)))


#: What the rounding of a mean adds at most.
_WHOLE_LOSS: Final = 1.001


def _is_whole(target: Value) -> bool:
    kind = getattr(target.dtype, "kind", None) if isinstance(target, TensorVal) else None
    return kind == "int"


def _classes(x: Value) -> int | None:
    """The size of the axis of classes."""
    shape = x.shape if isinstance(x, TensorVal) else None
    if not isinstance(shape, tuple) or not shape:
        return None
    size = shape[1] if len(shape) > 1 else shape[0]
    return size if isinstance(size, int) else None


@range_of("nll_loss", "ctc_loss")
def _likelihood(call: RangeCall) -> Interval:
    """The negative of what is taken for log-probabilities."""
    return _NON_NEGATIVE if call.of("x").high.value <= 0 and _weights_keep_sign(call, "weight") else UNKNOWN


@range_of("multilabel_soft_margin_loss")
def _soft_margin(call: RangeCall) -> Interval:
    """Not below 0 where the targets are shares."""
    target = call.of("target")
    shares = target.low.value >= 0 and target.high.value <= 1
    return _NON_NEGATIVE if shares and _weights_keep_sign(call, "weight") else UNKNOWN


@range_of("soft_margin_loss", "multi_margin_loss", "multilabel_margin_loss",
          "cosine_embedding_loss", "margin_ranking_loss", "triplet_margin_loss")  # fmt: skip
def _margin(call: RangeCall) -> Interval:
    """Range of margin losses: the violated margin, or the logarithm of 1 plus a positive number. Without rows, torch gives
    what happens to be in memory for some of them."""
    if 0 in (shape_of(call.arg("x")) or ()):
        return UNKNOWN
    return _NON_NEGATIVE if _weights_keep_sign(call, "weight") else UNKNOWN


@range_of("hinge_embedding_loss")
def _hinge(call: RangeCall) -> Interval:
    """The distance itself for alike pairs."""
    return _NON_NEGATIVE if call.of("x").low.value >= 0 else UNKNOWN


@range_of("cosine_similarity")
def _cosine(call: RangeCall) -> Interval:
    """From -1 to 1, and a little beyond by rounding; not negative for operands that are not."""
    beyond = 1 + _BEYOND * 2.0 ** (1 - least_precision(call, "x", "y"))
    positive = call.of("x").low.value >= 0 and call.of("y").low.value >= 0
    return Interval(limit(0.0 if positive else -beyond), limit(beyond))


#: Units in the last place by which a cosine exceeds 1.
_BEYOND: Final = 8

#: Losses of Keras that are not negative whatever they are given, and those that are for probabilities.
_KERAS: Final = frozenset({
    "mean_squared_error", "mean_absolute_error", "mean_absolute_percentage_error", "mean_squared_logarithmic_error", "huber",
    "hinge", "squared_hinge", "categorical_hinge",
})  # fmt: skip
_KERAS_ENTROPIES: Final = frozenset({"sparse_categorical_crossentropy"})
_KERAS_LABELS: Final = frozenset({"categorical_crossentropy", "binary_crossentropy"})


@range_of("keras_loss")
def _named_loss(call: RangeCall) -> Interval:
    kind = call.arg("kind")
    wanted = read_dtype(call.arg("dtype"))
    if not _is_positive(call.arg("delta", 1)) or not is_float(call.op.outputs[call.index].dtype):
        return UNKNOWN
    if wanted is not None and not (isinstance(wanted, DType) and wanted.kind == "float"):
        return UNKNOWN
    if kind in _KERAS or kind in _KERAS_ENTROPIES or (kind in _KERAS_LABELS and _is_probability(call.of("target"))):
        return _NON_NEGATIVE
    return UNKNOWN


def _is_positive(delta: Value) -> bool:
    """Whether a parameter of a loss has the sign that the loss requires."""
    return isinstance(delta, (int, float)) and delta > 0


@range_of("sparse_categorical_crossentropy")
def _sparse_entropy(call: RangeCall) -> Interval:
    return _NON_NEGATIVE


@range_of("categorical_crossentropy", "binary_crossentropy")
def _entropy_of_labels(call: RangeCall) -> Interval:
    return _NON_NEGATIVE if _is_probability(call.of("target")) else UNKNOWN
