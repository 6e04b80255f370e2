"""Splitting and scaling: arrays keep their columns, splits have fewer rows."""

from __future__ import annotations

from types import NoneType
from typing import Final

from dllint.domains.dim import Dim, counted
from dllint.domains.dtype import FLOAT64, DType
from dllint.domains.lattice import Unknown
from dllint.frameworks.array_like import as_array
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler
from dllint.frameworks.pandas import frame
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, ListVal, Value

SCALERS: Final = (
    "StandardScaler",
    "MinMaxScaler",
    "MaxAbsScaler",
    "RobustScaler",
    "Normalizer",
    "QuantileTransformer",
    "PowerTransformer",
    "OrdinalEncoder",
    "Binarizer",
)
SCALER: Final = "sklearn.base.TransformerMixin"


@handler("sklearn.model_selection.train_test_split", "sklearn.cross_validation.train_test_split")
def train_test_split(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """For each array or table, its training and its test rows. The row counts are exact where length and share are numbers."""
    if arguments.star is not None:  # so many arrays that nobody knows
        return machine.unknown("dynamic-argument", "train_test_split")
    out: list[Value] = []
    counts: tuple[Dim, Dim] | None = None
    for whole in arguments.args:
        array = as_array(whole)
        if not isinstance(array, TensorVal) or isinstance(array.shape, Unknown) or not array.shape:
            out += [machine.unknown("train-test-split"), machine.unknown("train-test-split")]
            continue
        counts = counts or _counts(array.shape[0], arguments)
        for rows in counts:
            part = array.redrawn(array.type.with_shape((rows, *array.shape[1:])))
            out.append(frame.wrapped(machine, part, frame.names_of(whole)) if is_table(whole) else part)
    return ListVal(out)


def is_table(value: Value) -> bool:
    """Whether a value is a table or column of pandas."""
    return isinstance(value, InstanceVal) and isinstance(value.cls, LibSymbol) and value.cls.name in (frame.FRAME, frame.SERIES)


def _counts(rows: Dim, arguments: Arguments) -> tuple[Dim, Dim]:
    test, train = (as_array(arguments.kwargs.get(name)) for name in ("test_size", "train_size"))
    if not isinstance(rows, int) or train is not None or not isinstance(test, (int, float, NoneType)):
        return counted("train", 1), counted("test", 1)
    share = 0.25 if test is None else test
    tested = share if isinstance(share, int) else -int(-(rows * share) // 1)
    return rows - tested, tested


LIBRARY_BASES.update({f"sklearn.preprocessing.{name}": (SCALER,) for name in SCALERS})
LIBRARY_BASES.update({f"sklearn.impute.{name}": (SCALER,) for name in ("SimpleImputer", "KNNImputer", "IterativeImputer")})
LIBRARY_BASES["sklearn.preprocessing.Imputer"] = (SCALER,)


@handler(f"{SCALER}.fit")
def fit(machine: Machine, scaler: Value, arguments: Arguments) -> Value:
    """Returns the object itself."""
    return scaler


@handler(f"{SCALER}.fit_transform", f"{SCALER}.transform", f"{SCALER}.inverse_transform", "sklearn.preprocessing.scale",
         "sklearn.preprocessing.normalize", "sklearn.preprocessing.minmax_scale", "sklearn.preprocessing.maxabs_scale",
         "sklearn.preprocessing.robust_scale")  # fmt: skip
def transform(machine: Machine, scaler: Value, arguments: Arguments) -> Value:
    """The same shape in floating point; of data that are not known, so many rows and columns (scikit-learn takes no others)."""
    x = as_array(arguments.args[0]) if arguments.args else as_array(arguments.kwargs.get("X"))
    if isinstance(x, Unknown) and isinstance(scaler, InstanceVal):
        shape = (counted("rows", 0), counted("columns", 0))
        x = machine.emit(
            "stored_data", {"shape": shape, "dtype": Unknown("data-file", SCALER)}, framework="numpy", spelled=SCALER
        )
    if not isinstance(x, TensorVal):
        return machine.unknown("no-tensor", "transform")
    args = {"x": x, "dtype": _scaled_type(x.dtype, _class_of(scaler))}
    return machine.emit("rescale", args, framework="numpy", spelled=f"{SCALER}.transform")


def _class_of(scaler: Value) -> str:
    name = scaler.cls.name if isinstance(scaler, InstanceVal) and isinstance(scaler.cls, LibSymbol) else ""
    return name.rpartition(".")[2]


def _scaled_type(dtype: DType | Unknown, scaler: str) -> DType | Unknown:
    """Floating-point numbers keep their precision, whole ones and those of tables are of double precision afterwards."""
    if scaler == "OrdinalEncoder":
        return FLOAT64
    if isinstance(dtype, Unknown):
        return FLOAT64 if dtype.reason == "data-file" else dtype
    return dtype if dtype.kind in ("float", "complex") or scaler == "Binarizer" else FLOAT64
