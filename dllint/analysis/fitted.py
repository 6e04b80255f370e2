"""Transformations that are fitted to data: scalers, imputers, projections, vocabularies, and the data they have seen.

What a fitted transformation does depends on all rows that it was fitted to, so that rows which are to be held out tell
something of themselves to a model that is trained on its results.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.ir.events import LibraryCall
from dllint.ir.values import ClassVal, InstanceVal, LibSymbol, Value

#: The classes whose statistics are of the values of rows, by module.
_STATISTICS: Final = {
    "sklearn.preprocessing": frozenset({
        "StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler", "QuantileTransformer", "PowerTransformer",
        "KBinsDiscretizer", "Imputer",
    }),
    "sklearn.impute": frozenset({"SimpleImputer", "KNNImputer", "IterativeImputer"}),
    "sklearn.decomposition": frozenset({
        "PCA", "IncrementalPCA", "KernelPCA", "SparsePCA", "TruncatedSVD", "FastICA", "NMF", "FactorAnalysis",
    }),
    "sklearn.feature_selection": frozenset({
        "SelectKBest", "SelectPercentile", "SelectFromModel", "RFE", "RFECV", "VarianceThreshold",
    }),
    "sklearn.discriminant_analysis": frozenset({"LinearDiscriminantAnalysis"}),
    "keras.layers": frozenset({"Normalization"}),
}  # fmt: skip
#: The classes that learn which words or categories there are.
_VOCABULARIES: Final = {
    "sklearn.feature_extraction.text": frozenset({"CountVectorizer", "TfidfVectorizer", "TfidfTransformer"}),
    "sklearn.feature_extraction": frozenset({"DictVectorizer"}),
    "sklearn.preprocessing": frozenset({"OneHotEncoder", "OrdinalEncoder", "TargetEncoder"}),
    "keras.layers": frozenset({"TextVectorization", "StringLookup", "IntegerLookup"}),
    "keras.preprocessing.text": frozenset({"Tokenizer"}),
}
_FITTING: Final = frozenset({"fit", "fit_transform", "fit_on_texts", "adapt"})
#: The parameter that the data go to.
_DATA: Final = ("X", "x", "data", "texts", "raw_documents", "y")


@dataclass(frozen=True, slots=True)
class Fitting:
    """A transformation is fitted: the call, the object, the name of its class, and the data."""

    call: LibraryCall
    transformer: InstanceVal
    cls: str
    data: Value
    #: Whether it learns from the values of rows, and not only which categories there are.
    has_statistics: bool

    @property
    def transforms(self) -> bool:
        """Whether the call also gives the transformed data."""
        return self.call.name.endswith(".fit_transform")

    @property
    def argument(self) -> cst.BaseExpression | None:
        """The expression of the data."""
        node = self.call.site.node
        if not isinstance(node, cst.Call) or not node.args:
            return None
        first = node.args[0]
        return first.value if not first.star else None


def fittings(facts: Facts) -> Iterator[Fitting]:
    """The transformations that a program fits to data, in order."""
    made: dict[int, str] = {}
    for call in facts.events(LibraryCall):
        if isinstance(call.result, InstanceVal):
            made.setdefault(id(call.result), call.name)
        method = call.name.rpartition(".")[2]
        receiver = call.receiver
        if method not in _FITTING or not isinstance(receiver, InstanceVal) or (data := _data(call)) is None:
            continue
        for name in _classes(receiver, made):
            module, _, cls = name.rpartition(".")
            has_statistics = cls in _STATISTICS.get(module, ())
            if has_statistics or cls in _VOCABULARIES.get(module, ()):
                yield Fitting(call, receiver, cls, data, has_statistics)
                break


def _classes(transformer: InstanceVal, made: dict[int, str]) -> list[str]:
    """The library classes of an object, by qualified name: that of the call which made it, those that its class inherits."""
    classes = transformer.cls.mro if isinstance(transformer.cls, ClassVal) else (transformer.cls,)
    return [made.get(id(transformer), ""), *(cls.name for cls in classes if isinstance(cls, LibSymbol))]


def _data(call: LibraryCall) -> Value:
    named = next((call.bound[name] for name in _DATA if name in call.bound), None)
    return named if named is not None else next(iter(call.given), None)


#: Methods that make new rows of those they are given: of classes that balance data.
_RESAMPLING: Final = frozenset({"fit_resample", "fit_sample"})
_OVERSAMPLING: Final = ("imblearn.over_sampling.", "imblearn.combine.")


def resamplings(facts: Facts) -> Iterator[LibraryCall]:
    """The calls that make new rows, each of several others, so that rows resemble others."""
    for call in facts.events(LibraryCall):
        if call.name.rpartition(".")[2] in _RESAMPLING and call.name.startswith(_OVERSAMPLING):
            yield call


def transformed(fitting: Fitting, facts: Facts) -> Iterator[Value]:
    """What a transformation gives of the data that it was fitted to: by the call itself, and by ``transform`` behind it."""
    if fitting.transforms:
        yield fitting.call.result
    for call in facts.events(LibraryCall):
        if call.receiver is fitting.transformer and call.name.endswith(".transform") and _data(call) is fitting.data:
            yield call.result
