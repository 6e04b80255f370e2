"""DLD106: what is held out later takes part in a transformation's statistics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.data_parts import DataParts, keys
from dllint.analysis.facts import Facts
from dllint.analysis.fitted import fittings, resamplings, transformed
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import LibraryCall
from dllint.ir.program import Program, TensorVal
from dllint.ir.values import Value
from dllint.rules.context import Context
from dllint.rules.rule import Rule


class LeakBeforeSplit(Rule[Program]):
    """A transformation is fitted to all rows, or new rows are made of all rows, before some of them are held out.

    ## What it finds
    A scaler, an imputer, a projection or a selection of features (scikit-learn, `keras.layers.Normalization`) that is fitted
    before `train_test_split`, before the folds of a cross-validation, or before the rows are cut at a place, and whose result
    is what is split; oversampling (SMOTE) before the split.

    ## Why it is bad
    The model is trained on numbers that depend on the held-out rows, so that its score on these is better than on new data.
    With oversampling, rows of the test are mixtures of rows of the training.

    ## Bad
    ```python
    import keras
    import numpy as np
    from sklearn.model_selection import train_test_split
    from sklearn.preprocessing import StandardScaler

    x, y = np.loadtxt("x.txt"), np.loadtxt("y.txt")
    x = StandardScaler().fit_transform(x)  # error: [DLD106]
    x_train, x_test, y_train, y_test = train_test_split(x, y)
    model = keras.Sequential([keras.layers.Dense(1)])
    ```

    ## Good
    ```python
    import keras
    import numpy as np
    from sklearn.model_selection import train_test_split
    from sklearn.preprocessing import StandardScaler

    x, y = np.loadtxt("x.txt"), np.loadtxt("y.txt")
    x_train, x_test, y_train, y_test = train_test_split(x, y)
    scaler = StandardScaler().fit(x_train)
    x_train, x_test = scaler.transform(x_train), scaler.transform(x_test)
    model = keras.Sequential([keras.layers.Dense(1)])
    ```

    ## When it stays silent
    Transformations of each row by itself (a division by 255, a logarithm, `Normalizer`), encoders of categories and words, and
    data that are not split behind it.
    ```python
    import keras
    import numpy as np
    from sklearn.decomposition import PCA
    from sklearn.model_selection import train_test_split
    from sklearn.preprocessing import LabelEncoder, Normalizer

    x, y = np.loadtxt("x.txt"), np.loadtxt("y.txt")
    shown = PCA(2).fit_transform(x)
    x, y = Normalizer().fit_transform(x / 255), LabelEncoder().fit_transform(y)
    x_train, x_test, y_train, y_test = train_test_split(x, y)
    model = keras.Sequential([keras.layers.Dense(1)])
    ```

    ## References
    - scikit-learn documentation, "Common pitfalls and recommended practices": data leakage during pre-processing.
    """

    code = "DLD106"
    name = "leak-before-split"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    frameworks = ("sklearn", "keras")
    topics: ClassVar[tuple[str, ...]] = ("program",)
    needs: ClassVar[tuple[str, ...]] = (
        "call:*.fit",
        "call:*.fit_transform",
        "call:*.fit_on_texts",
        "call:*.adapt",
        "call:imblearn.*",
    )

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The transformations of a program, with the splits of what they give."""
        early = list(_early(context.facts))
        if not early:
            return
        parts = DataParts(context.facts)
        for call, data, results, what in early:
            if parts.of(data):
                continue
            origins = frozenset(key for result in results for key in keys(result))
            split = next(parts.splits_of(origins), None)
            if split is not None:
                yield self._reported(call, split, what, context)

    def _reported(self, call: LibraryCall, split: LibraryCall | TensorVal, what: str, context: Context) -> Finding:
        where = split.producer if isinstance(split, TensorVal) else split
        related = context.related(where, "rows are held out here")
        return context.finding(
            self,
            call,
            f"{what} all rows before some of them are held out",
            advice="split the data first, and use the training rows alone here",
            related=[related] if related else [],
        )


def _early(facts: Facts) -> Iterator[tuple[LibraryCall, Value, tuple[Value, ...], str]]:
    """What uses all rows it is given: the call, its data, its results, and what it does."""
    for fitting in fittings(facts):
        if fitting.has_statistics:
            results = tuple(transformed(fitting, facts))
            yield fitting.call, fitting.data, results, f"`{fitting.cls}` is fitted to"
    for call in resamplings(facts):
        yield call, next(iter(call.given), None), (call.result,), "new rows are made of"
