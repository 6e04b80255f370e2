"""DLD113: predictions in a random order are compared with labels in the order of the files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from dllint.analysis.image_generators import Flow, classes_taken, flows
from dllint.analysis.shuffled_predictions import LostOrder, lost_orders
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import set_argument
from dllint.ir.events import Fit, LibraryCall
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import assigned_name, quoted

_PREDICTS = ("predict", "predict_generator")


class PredictionOrderLost(Rule[Program]):
    """Predictions for shuffled data are compared with labels that have another order.

    ## What it finds
    `predict` on what `flow_from_directory`, `flow_from_dataframe` or `flow` gives, without `shuffle=False`, in a program that
    passes the `classes` (`labels`, `filenames`) of that flow to a metric; `predict` on a `tf.data.Dataset` that shuffles
    (`image_dataset_from_directory` and its like by default, `shuffle`), where a metric of scikit-learn compares what it gives
    with something else.

    ## Why it is bad
    The flow gives its batches in a random order by default, `classes` has that of the files. A data set draws a new order each
    time it is gone over: labels that another loop has collected are in another order than the predictions. Each prediction is
    compared with the label of another picture: the score is that of guessing.

    ## Bad
    ```python
    import keras
    from keras.preprocessing.image import ImageDataGenerator
    from sklearn.metrics import confusion_matrix

    test = ImageDataGenerator(rescale=1 / 255).flow_from_directory("test")  # error: [DLD113]
    model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(5, activation="softmax")])
    model.compile(loss="categorical_crossentropy", optimizer="adam")
    predictions = model.predict(test).argmax(axis=1)
    print(confusion_matrix(test.classes, predictions))
    ```

    ```python
    import keras
    import numpy as np
    from sklearn.metrics import accuracy_score

    test = keras.utils.image_dataset_from_directory("test")
    model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(5, activation="softmax")])
    model.compile(loss="sparse_categorical_crossentropy", optimizer="adam")
    truth = np.concatenate([y for _, y in test])
    guessed = model.predict(test).argmax(axis=1)  # error: [DLD113]
    print(accuracy_score(truth, guessed))
    ```

    ## Good
    ```python
    import keras
    from keras.preprocessing.image import ImageDataGenerator
    from sklearn.metrics import confusion_matrix

    test = ImageDataGenerator(rescale=1 / 255).flow_from_directory("test", shuffle=False)
    model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(5, activation="softmax")])
    model.compile(loss="categorical_crossentropy", optimizer="adam")
    predictions = model.predict(test).argmax(axis=1)
    print(confusion_matrix(test.classes, predictions))
    ```

    ## When it stays silent
    Flows that are not predicted, classes that are only counted, data sets that keep one order, by
    `reshuffle_each_iteration=False` or by `cache` behind the shuffle, and predictions batch by batch, beside the labels of the
    same batch.
    ```python
    import keras
    import numpy as np
    from keras.preprocessing.image import ImageDataGenerator

    train = ImageDataGenerator(rescale=1 / 255).flow_from_directory("train")
    print(np.bincount(train.classes))
    model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(5, activation="softmax")])
    model.compile(loss="categorical_crossentropy", optimizer="adam")
    model.fit(train, epochs=2)
    ```

    ## References
    - Keras 2 documentation, `ImageDataGenerator.flow_from_directory`: `shuffle` is true by default.
    """

    code = "DLD113"
    name = "prediction-order-lost"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("keras",)
    topics: ClassVar[tuple[str, ...]] = ("program",)
    needs: ClassVar[tuple[str, ...]] = ("event:fit",)

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The flows of a program whose predictions are compared with their classes."""
        for lost in lost_orders(context.facts):
            yield self._reshuffled(lost, context)
        found = flows(context.facts)
        if not found:
            return
        predicted = {id(fit.values.get("x")) for fit in context.facts.events(Fit) if fit.method in _PREDICTS}
        compared = {
            id(flow) for call in context.facts.events(LibraryCall) if len(call.given) > 1 for flow in classes_taken(call)
        }
        for number, flow in found.items():
            if number in predicted and number in compared and flow.shuffles:
                yield self._reported(flow, context)

    def _reshuffled(self, lost: LostOrder, context: Context) -> Finding:
        notes = (
            context.related(lost.shuffling, "the data are shuffled here"),
            context.related(lost.compared, "the predictions are compared with something of another order"),
        )
        return context.finding(
            self,
            lost.predict,
            "the data are shuffled anew each time they are gone over: these predictions have an order that nothing else has",
            advice="give `predict` data that are not shuffled, or cache them behind the shuffle",
            related=[note for note in notes if note is not None],
            severity=Severity.WARNING,
        )

    def _reported(self, flow: Flow, context: Context) -> Finding:
        name = quoted(assigned_name(flow.call.site, context) or "the flow")
        node = flow.call.site.node
        edits = set_argument(flow.call.site, node, "shuffle", "False") if isinstance(node, cst.Call) else ()
        return context.finding(
            self,
            flow.call,
            f"{name} shuffles: its predictions do not have the order of the classes that they are compared with",
            advice="pass `shuffle=False`",
            fixes=offer(context, "Pass `shuffle=False`", edits, Applicability.UNSAFE),
        )
