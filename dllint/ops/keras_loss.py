"""Keras's losses by kind, with the alignment and the checks of Keras 3."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import equal, show
from dllint.domains.dtype import BFLOAT16, FLOAT16, FLOAT32, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, broadcast, show_shape
from dllint.ir.values import Value
from dllint.ops.operand import read_dtype
from dllint.ops.promotion import by_backend
from dllint.ops.reduce import reduced_axes
from dllint.ops.reduction import check_same_shape, different, target_shape
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait

#: Kinds whose prediction and target must have the same shape once aligned.
SAME_SHAPE: Final = frozenset({"binary_crossentropy", "binary_focal_crossentropy", "categorical_crossentropy"})
#: Those of them that take a probability for each label.
BINARY: Final = frozenset({"binary_crossentropy", "binary_focal_crossentropy"})
#: Kinds that need class indices, one axis less than the prediction.
SPARSE: Final = frozenset({"sparse_categorical_crossentropy"})
#: Kinds that give one number for the whole batch, unless axes are named.
WHOLE: Final = frozenset({"dice", "tversky"})
#: Kinds with a layout of their own, not checked here.
OWN_LAYOUT: Final = frozenset({"circle", "ctc", "categorical_generalized_cross_entropy"})
#: Kinds whose functions take both as they are: only their classes align them.
_ALIGNED_BY_CLASSES: Final = frozenset({
    "hinge", "squared_hinge", "categorical_hinge", "kl_divergence", "poisson", "categorical_crossentropy", "dice", "tversky",
    "categorical_focal_crossentropy", "binary_crossentropy", "binary_focal_crossentropy",
})  # fmt: skip
_REDUCED: Final = frozenset({"sum_over_batch_size", "sum", "mean", "mean_with_sample_weight", "auto"})


@op("keras_loss", traits=Trait.KERAS_LOSS | Trait.ON_SAMPLES)
def keras_loss(
    call: Call,
    x: TensorType,
    target: TensorType,
    *,
    kind: Value = None,
    reduction: Value = "sum_over_batch_size",
    dim: Value = -1,
    dtype: Value = None,
    delta: Value = 1,
) -> Result:
    """The loss ``kind`` of prediction ``x`` and ``target``, with the classes on axis ``dim``; one value per sample without
    ``reduction``, one per element with ``"elements"`` (the binary cross-entropy of ``keras.ops``).

    Keras first adds or removes a last axis of size 1 where that makes the ranks equal, so (N,) and (N, 1) fit. A ``reduction``
    leaves a row of no losses as it is.
    """
    found = _dtype(call, x, target, read_dtype(dtype))
    if reduction == "elements":
        return TensorType(x.shape, found)
    each = _per_sample(call, x, target, kind, dim, of_class=reduction != "none")
    if isinstance(reduction, str) and reduction in _REDUCED:
        return TensorType((0,) if each == (0,) else (), found)
    return TensorType(each if reduction in (None, "none") else Unknown("no-argument", "reduction"), found)


def _dtype(call: Call, x: TensorType, target: TensorType, wanted: DType | Unknown | None) -> DType | Unknown:
    """The element type of a loss: the one that is asked for, or the prediction's, but for half precision: the losses that are
    classes make single precision of it since Keras 3, the functions most often do not."""
    if wanted is not None:
        is_float = isinstance(wanted, DType) and wanted.kind == "float"
        return by_backend(call, wanted) if is_float else Unknown("no-argument", "dtype")
    found: DType | Unknown = x.dtype if isinstance(x.dtype, Unknown) or x.dtype.kind == "float" else FLOAT32
    if isinstance(target.dtype, DType) and target.dtype.kind == "float" and target.dtype != found:
        found = Unknown("backend", "two element types")
    return Unknown("backend", "half precision") if found in (FLOAT16, BFLOAT16) else by_backend(call, found)


def _per_sample(call: Call, x: TensorType, target: TensorType, kind: Value, dim: Value, *, of_class: bool) -> Shape | Unknown:
    scores, labels = known_shape(x), known_shape(target)
    if kind == "ctc":
        call.rank(x, 3)
        call.rank(target, 2)
    if scores is None or labels is None or not isinstance(kind, str) or kind in OWN_LAYOUT:
        return Unknown("no-argument", "keras_loss")
    if kind in SPARSE and dim != -1:  # not every backend takes it, and those that do agree on no more than the shapes
        return Unknown("no-argument", "dim")
    both = aligned(scores, labels)
    if isinstance(both, Unknown):
        return both
    if kind in _ALIGNED_BY_CLASSES and not of_class and both != (scores, labels):
        return Unknown("no-argument", "alignment")  # a function, or a class of Keras 2 without reduction
    if kind in SPARSE:
        return _check_sparse(call, *both)
    joined = _check_same(call, *both) if kind in SAME_SHAPE else _check_broadcast(call, *both)
    return _without(call, joined, dim) if dim != -1 or kind in WHOLE else joined[:-1]


def _without(call: Call, shape: Shape, dim: Value) -> Shape | Unknown:
    """A shape without the axes that a loss sums over; backends disagree on an empty tuple of axes."""
    if dim == () or isinstance(dim, bool):
        return Unknown("backend", "axis of a loss")
    gone = reduced_axes(call, TensorType(shape, FLOAT32), dim)
    if isinstance(gone, Unknown):
        return gone
    return tuple(size for axis, size in enumerate(shape) if axis not in gone)


def aligned(x: Shape, target: Shape) -> tuple[Shape, Shape] | Unknown:
    """Both shapes after Keras's alignment: of two ranks that differ by one, the longer loses a last axis of size 1,
    or the shorter, if a vector, gains it. Unknown if that axis may or may not be 1."""
    if abs(len(x) - len(target)) != 1:
        return x, target
    long, short = (x, target) if len(x) > len(target) else (target, x)
    single = equal(long[-1], 1)
    if single is None:
        return Unknown("undecided", "last axis")
    if single:
        long, short = (long, (*short, 1)) if len(short) == 1 else (long[:-1], short)
    return (long, short) if len(x) > len(target) else (short, long)


def _check_same(call: Call, x: Shape, target: Shape) -> Shape:
    check_same_shape(call, x, target)
    return x


def _check_broadcast(call: Call, x: Shape, target: Shape) -> Shape:
    joined, conflict = broadcast((x, target))
    if conflict is not None:
        detail = f"sizes {show(conflict.left)} and {show(conflict.right)} differ on axis {conflict.axis}"
        target_shape(call, x, target, x, detail)
        return x
    return joined


def _check_sparse(call: Call, x: Shape, target: Shape) -> Shape:
    """Class indices: the prediction's shape without its last axis, or with a last axis of size 1."""
    labels = target[:-1] if len(target) == len(x) and target and equal(target[-1], 1) is not False else target
    expected = x[:-1]
    if not x or different(labels, expected):
        target_shape(call, x, target, expected, f"class indices must have shape {show_shape(expected)}")
    return expected
