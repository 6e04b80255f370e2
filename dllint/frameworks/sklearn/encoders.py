"""Encoders of classes, and transformers that give another number of columns."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import Dim, counted
from dllint.domains.dtype import FLOAT64, INT64, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.array_like import as_array
from dllint.frameworks.given import given
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, ListVal, Value, unwrap

LABELS: Final = "sklearn.preprocessing.LabelEncoder"
ONE_HOT: Final = "sklearn.preprocessing.OneHotEncoder"
BINARIZERS: Final = ("LabelBinarizer", "MultiLabelBinarizer", "KBinsDiscretizer", "PolynomialFeatures")
WIDE: Final = "sklearn.base.WideTransformer"
#: Transformer → the parameter that says how many columns it gives.
NARROW: Final = {
    "sklearn.decomposition.PCA": "n_components", "sklearn.decomposition.TruncatedSVD": "n_components",
    "sklearn.decomposition.NMF": "n_components", "sklearn.decomposition.FastICA": "n_components",
    "sklearn.decomposition.IncrementalPCA": "n_components", "sklearn.manifold.TSNE": "n_components",
    "sklearn.feature_selection.SelectKBest": "k", "sklearn.feature_extraction.text.CountVectorizer": "max_features",
    "sklearn.feature_extraction.text.TfidfVectorizer": "max_features",
    "sklearn.feature_extraction.text.HashingVectorizer": "n_features", "sklearn.compose.ColumnTransformer": "",
    "sklearn.feature_extraction.DictVectorizer": "",
}  # fmt: skip
LIBRARY_BASES.update({f"sklearn.preprocessing.{name}": (WIDE,) for name in BINARIZERS})
LIBRARY_BASES.update(dict.fromkeys(NARROW, (WIDE,)))
LIBRARY_BASES.update({LABELS: (), ONE_HOT: (), WIDE: ()})


def operand(arguments: Arguments) -> Value:
    """The data a transformer is given."""
    return as_array(arguments.args[0] if arguments.args else arguments.kwargs.get("X", arguments.kwargs.get("y")))


def rows_of(value: Value) -> Dim:
    """The number of samples of an array or list."""
    if isinstance(value, TensorVal) and not isinstance(value.shape, Unknown) and value.shape:
        size: Dim = value.shape[0]
        return size
    return len(value.items) if isinstance(value, ListVal) and value.rest is None else counted("rows", 1)


@handler(f"{LABELS}.fit", f"{ONE_HOT}.fit", f"{WIDE}.fit")
def fit(machine: Machine, encoder: Value, arguments: Arguments) -> Value:
    """Returns the object itself."""
    return encoder


@handler(f"{LABELS}.fit_transform", f"{LABELS}.transform")
def encode(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """One class index per sample."""
    labels = operand(arguments)
    if isinstance(labels, TensorVal) and labels.shape == ():
        return machine.unknown("no-argument", "labels")
    if isinstance(labels, TensorVal) and (isinstance(labels.shape, Unknown) or len(labels.shape) > 1):
        labels = machine.emit(
            "reshape", {"x": labels, "shape": (rows_of(labels),)}, framework="numpy", spelled=f"{LABELS}.transform"
        )
    return class_indices(machine, labels, f"{LABELS}.transform")


def class_indices(machine: Machine, values: Value, spelled: str) -> Value:
    """The numbers of the classes that values stand for, from 0."""
    if not isinstance(values, TensorVal):
        values = machine.tensor(TensorType((rows_of(values),), Unknown("unknown-data", "labels")), framework="numpy")
    return machine.emit("class_indices", {"x": values}, framework="numpy", spelled=spelled)


@handler(f"{LABELS}.inverse_transform", f"{ONE_HOT}.inverse_transform", f"{WIDE}.inverse_transform")
def decode(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Not followed."""
    return machine.unknown("unknown-data", "labels")


@handler(f"{ONE_HOT}.fit_transform", f"{ONE_HOT}.transform")
def one_hot(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """One column per class of each column: of a single column, one-hot rows."""
    x = operand(arguments)
    shape = x.shape if isinstance(x, TensorVal) else Unknown("no-tensor", "X")
    if isinstance(shape, Unknown) or len(shape) != 2:
        return _table(machine, x, counted("classes", 1))
    if shape[1] != 1:
        return _table(machine, x, counted("classes", 1))
    column = machine.emit("squeeze", {"x": class_indices(machine, x, ONE_HOT), "dim": 1}, framework="numpy", spelled=ONE_HOT)
    encoded = machine.emit("one_hot", {"x": column, "num_classes": counted("classes", 1)}, framework="numpy", spelled=ONE_HOT)
    return machine.emit("cast", {"x": encoded, "dtype": FLOAT64}, framework="numpy", spelled=ONE_HOT)


def _table(machine: Machine, x: Value, columns: Dim, dtype: DType | Unknown = FLOAT64) -> Value:
    return machine.tensor(TensorType((rows_of(x), columns), dtype), framework="numpy", name="transformed")


@handler("sklearn.preprocessing.label_binarize")
def label_binarize(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """One column per class given; two classes share one."""
    options = given("y, *, classes, neg_label=0, pos_label=1", arguments)
    classes = unwrap(options.get("classes"))
    count = len(classes.items) if isinstance(classes, ListVal) and classes.rest is None else None
    y = as_array(options.get("y"))
    if count is None or count <= 2:
        return _table(machine, y, 1 if count == 2 else counted("classes", 1), INT64)
    spelled = "sklearn.preprocessing.label_binarize"
    args = {"x": class_indices(machine, y, spelled), "num_classes": count}
    encoded = machine.emit("one_hot", args, framework="numpy", spelled=spelled)
    return machine.emit("cast", {"x": encoded, "dtype": INT64}, framework="numpy", spelled=spelled)


@handler(*NARROW)
def construct(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Remembers how many columns the transformer gives."""
    return InstanceVal(LibSymbol("sklearn.base.WideTransformer"), site=machine.site, state={"width": _width(arguments)})


def _width(arguments: Arguments) -> Value:
    names = [name for name in ("n_components", "max_features", "n_features", "k") if name in arguments.kwargs]
    value = unwrap(arguments.kwargs[names[0]]) if names else unwrap(arguments.args[0]) if arguments.args else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


@handler(f"{WIDE}.fit_transform", f"{WIDE}.transform")
def transform(machine: Machine, transformer: Value, arguments: Arguments) -> Value:
    """As many columns as were asked for."""
    width = transformer.state.get("width") if isinstance(transformer, InstanceVal) else None
    texts = not isinstance(operand(arguments), TensorVal)
    # A vectorizer gives at most the number asked for, and a data set may have fewer columns than components.
    columns = width if isinstance(width, int) and not texts else counted("columns", 1)
    return _table(machine, operand(arguments), columns, Unknown("unknown-data", "transformed"))


@handler("numpy.ndarray.toarray", "numpy.ndarray.todense")
def dense(machine: Machine, x: Value, arguments: Arguments) -> Value:
    """Sparse results are treated as the arrays they stand for."""
    return x


@handler("sklearn.cluster.KMeans.fit_predict", "sklearn.cluster.KMeans.predict")
def clusters(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The number of a cluster per sample."""
    return machine.tensor(TensorType((rows_of(operand(arguments)),), INT64), framework="numpy", name="clusters")
