"""DLD110: features and labels that are shuffled each in an order of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.row_orders import RowOrders, Unpaired
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted


class FeaturesLabelsDesynchronised(Rule[Program]):
    """Features and labels are put in random orders that have nothing to do with each other, or one of the two is.

    ## What it finds
    Two arrays, tables or lists that are used in pairs of rows (`fit(x, y)`, `TensorDataset(x, y)`, `train_test_split(x, y)`,
    `Dataset.from_tensor_slices((x, y))`, a loss of classes), after each has been shuffled by a call of its own: `shuffle(x);
    shuffle(y)`, or rows that are taken by two random permutations; an array that is shuffled in place, used in pairs with one
    that is not, where both come from one load, or are samples and labels by their names.

    ## Why it is bad
    Each sample gets the label of another one. Nothing raises, and the model learns no more than how frequent the labels are.

    ## Bad
    ```python
    import keras
    import numpy as np

    x, y = np.load("images.npy"), np.load("labels.npy")
    np.random.shuffle(x)
    np.random.shuffle(y)  # error: [DLD110]
    model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(10)])
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(x, y, epochs=5)
    ```

    ```python
    import keras
    import numpy as np

    (x, y), _ = keras.datasets.mnist.load_data()
    x = x / 255.0
    np.random.shuffle(x)  # error: [DLD110]
    model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(10)])
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(x, y, epochs=5)
    ```

    ## Good
    ```python
    import keras
    import numpy as np

    x, y = np.load("images.npy"), np.load("labels.npy")
    order = np.random.permutation(len(x))
    x, y = x[order], y[order]
    model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(10)])
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(x, y, epochs=5)
    ```

    ## When it stays silent
    One call that shuffles both, one permutation for both, the same seed before each, labels that follow from the shuffled
    rows, and copies that are shuffled.
    ```python
    import numpy as np
    from sklearn.model_selection import train_test_split
    from sklearn.utils import shuffle

    x, y = np.load("images.npy"), np.load("labels.npy")
    x, y = shuffle(x, y)
    np.random.seed(0)
    np.random.shuffle(x)
    np.random.seed(0)
    np.random.shuffle(y)
    parts = train_test_split(x, y)
    ```

    ## References
    - NumPy documentation, `numpy.random.shuffle`: shuffles along the first axis, in an order drawn anew by each call.
    """

    code = "DLD110"
    name = "features-labels-desynchronised"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    topics: ClassVar[tuple[str, ...]] = ("program",)

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The data of a program that are used in pairs of rows."""
        told: set[int] = set()
        for found in RowOrders(context.facts).one_sided():
            if id(found.first) not in told:
                told.add(id(found.first))
                yield self._one_sided(found, context)
        for found in RowOrders(context.facts).unpaired():
            if id(found.second) in told:
                continue
            told.add(id(found.second))
            related = [
                place
                for place in (
                    context.related(found.first, "the other order is drawn here"),
                    context.related(found.used, "their rows are used in pairs here"),
                )
                if place
            ]
            yield context.finding(
                self,
                found.second,
                f"{quoted(context.text(found.second.site.node))} draws another order than that of the data it belongs to",
                advice="take both by one permutation",
                related=related,
            )

    def _one_sided(self, found: Unpaired, context: Context) -> Finding:
        """One of two arrays is shuffled."""
        related = context.related(found.used, "their rows are used in pairs here")
        return context.finding(
            self,
            found.first,
            f"{quoted(context.text(found.first.site.node))} changes the order of these rows, but not that of the data they "
            "belong to",
            advice="take both by one permutation",
            related=[related] if related else [],
        )
