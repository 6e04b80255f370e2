"""Folds, shuffled copies, scores and weights of classes."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import Dim, counted
from dllint.domains.dtype import FLOAT64, INT64
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.domains.shape import TensorType
from dllint.frameworks.array_like import as_array
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler
from dllint.frameworks.sklearn.encoders import rows_of
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, IterVal, Value, unwrap

FOLDS: Final = "sklearn.model_selection.BaseCrossValidator"
SPLITTERS: Final = ("KFold", "StratifiedKFold", "ShuffleSplit", "StratifiedShuffleSplit", "RepeatedKFold", "LeaveOneOut",
                    "RepeatedStratifiedKFold", "TimeSeriesSplit", "GroupKFold")  # fmt: skip
LIBRARY_BASES.update({f"sklearn.model_selection.{name}": (FOLDS,) for name in SPLITTERS})
LIBRARY_BASES.update({f"sklearn.cross_validation.{name}": (FOLDS,) for name in SPLITTERS})
LIBRARY_BASES[FOLDS] = ()
SCORES: Final = ("accuracy_score", "f1_score", "precision_score", "recall_score", "roc_auc_score", "mean_squared_error",
                 "r2_score",
                 "mean_absolute_error", "log_loss", "average_precision_score", "cohen_kappa_score", "matthews_corrcoef",
                 "balanced_accuracy_score", "explained_variance_score", "auc")  # fmt: skip
REPORTS: Final = ("classification_report", "roc_curve", "precision_recall_curve")


@handler(f"{FOLDS}.split")
def split(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Pairs of row numbers: those to train on, and those to test on."""
    parts = (TensorType((counted(name, 1),), INT64) for name in ("train", "test"))
    return IterVal([], tuple(machine.tensor(part, framework="numpy", name="rows") for part in parts))


@handler("sklearn.utils.shuffle", "sklearn.utils.resample")
def shuffled(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The same arrays in another order, or as many rows as are asked for."""
    count = unwrap(arguments.kwargs.get("n_samples"))
    parts = tuple(_shuffled(as_array(value), count) for value in arguments.args)
    return parts[0] if len(parts) == 1 else parts


def _shuffled(value: Value, count: Value) -> Value:
    if type(value) is Unknown:
        return Unknown(value.reason, value.detail)
    if not isinstance(value, TensorVal):
        return value
    if isinstance(value.shape, Unknown) or not value.shape:
        return value.redrawn(value.type)
    rows: Dim = value.shape[0] if count is None else count if isinstance(count, int) else counted("rows", 1)
    return value.redrawn(value.type.with_shape((rows, *value.shape[1:])))


@handler(*(f"sklearn.metrics.{name}" for name in SCORES))
def score(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A number."""
    return UnknownFloat("training-result", "score")


@handler(*(f"sklearn.metrics.{name}" for name in REPORTS))
def report(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Not followed."""
    return Unknown("training-result", "report")


@handler("sklearn.metrics.confusion_matrix")
def confusion_matrix(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """(classes, classes) counts."""
    classes = counted("classes", 1)
    return machine.tensor(TensorType((classes, classes), INT64), framework="numpy", name="confusion")


@handler("sklearn.utils.class_weight.compute_class_weight", "sklearn.utils.compute_class_weight")
def class_weights(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """(classes,) float64: a weight for each of ``classes``."""
    return _weights(machine, arguments, "classes")


@handler("sklearn.utils.class_weight.compute_sample_weight", "sklearn.utils.compute_sample_weight")
def sample_weights(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """(rows,) float64: a weight for each label."""
    return _weights(machine, arguments, "y")


def _weights(machine: Machine, arguments: Arguments, name: str) -> Value:
    each = arguments.args[1] if len(arguments.args) > 1 else arguments.kwargs.get(name)
    return machine.tensor(TensorType((rows_of(as_array(each)),), FLOAT64), framework="numpy", name="weights")
