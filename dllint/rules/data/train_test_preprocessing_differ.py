"""DLD102: training and test data are not brought to the same scale."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.data_scale import TRAINING, Scale, scale
from dllint.analysis.loader_scale import fed_otherwise
from dllint.analysis.statistics_slices import standardised
from dllint.domains.shape import show_shape
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import Fit
from dllint.ir.program import Op, Program, TensorVal
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import operation


class TrainTestPreprocessingDiffer(Rule[Op | Fit | Program]):
    """Training and test data are not brought to the same scale.

    ## What it finds
    Arrays of one source of which one is divided, multiplied or put through a scaler and trained on, and another one is given to
    `evaluate`, `predict` or `validation_data` without it or with another constant; pictures of PyTorch's loaders that are
    normalised for training alone; a mean and a standard deviation of different parts of the data that standardise the same
    array.

    ## Why it is bad
    The model meets numbers it was not trained on: the accuracy it shows there says nothing.

    ## Bad
    ```python
    from keras import Input, Sequential
    from keras.datasets import mnist
    from keras.layers import Dense, Flatten

    (x, y), (x_test, y_test) = mnist.load_data()
    model = Sequential([Input((28, 28)), Flatten(), Dense(10, activation="softmax")])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(x / 255.0, y)
    model.evaluate(x_test, y_test)  # error: [DLD102]
    ```

    ## Good
    ```python
    from keras import Input, Sequential
    from keras.datasets import mnist
    from keras.layers import Dense, Flatten

    (x, y), (x_test, y_test) = mnist.load_data()
    model = Sequential([Input((28, 28)), Flatten(), Dense(10, activation="softmax")])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(x / 255.0, y)
    model.evaluate(x_test / 255.0, y_test)
    ```

    ## When it stays silent
    Arrays of different sources, and steps that are not known.
    ```python
    import numpy as np
    from keras import Input, Sequential
    from keras.datasets import mnist
    from keras.layers import Dense, Flatten

    (x, y), _ = mnist.load_data()
    model = Sequential([Input((28, 28)), Flatten(), Dense(10, activation="softmax")])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(x / 255.0, y)
    model.predict(np.random.rand(1, 28, 28))
    ```

    ## References
    - Humbatova et al., ICSE 2020: wrong preprocessing.
    """

    code = "DLD102"
    name = "train-test-preprocessing-differ"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    topics: ClassVar[tuple[str, ...]] = ("event:fit", "op:div", "program")

    def check(self, item: Op | Fit | Program, context: Context) -> Iterator[Finding]:
        """A later use of a trained model, or a standardisation."""
        if isinstance(item, Program):
            yield from self._loaded(context)
            return
        if isinstance(item, Op):
            yield from self._standardisation(item, context)
            return
        for fit, trained, given in pairs(item, context):
            found = difference(trained, given, context)
            if found is not None:
                reason, advice = found
                related = context.related(fit, "the model is trained on the other data here")
                evidence = [related] if related and fit is not item else []
                yield context.finding(self, item, reason, advice=advice, related=evidence)

    def _loaded(self, context: Context) -> Iterator[Finding]:
        for trained, given in fed_otherwise(context.facts):
            numbers, before = (f"from {fed.numbers[0]:g} to {fed.numbers[1]:g}" for fed in (given, trained))
            message = f"the batches {show_shape(given.shape)} have numbers {numbers}, but those in training {before}"
            related = context.related(trained.layer.site.stack()[-1], "the model is trained on the other data here")
            evidence, where = [related] if related else [], given.layer.site.stack()[-1]
            yield context.finding(self, where, message, advice="scale both in the same way", related=evidence)

    def _standardisation(self, op: Op, context: Context) -> Iterator[Finding]:
        found = standardised(op)
        if found is not None and found.parts[0] != found.parts[1]:
            mean, deviation = found.parts
            name = operation(found.deviation, context)
            message = f"{name} is the standard deviation of rows {deviation}, but the mean subtracted is that of rows {mean}"
            related = context.related(found.mean, "the mean is taken here")
            evidence = [related] if related else []
            yield context.finding(self, found.deviation, message, advice="take both of the training rows", related=evidence)


def pairs(item: Fit, context: Context) -> Iterator[tuple[Fit, Scale, Scale]]:
    """The data a model was trained on before, and those it gets now: at ``evaluate`` and ``predict``, and as validation."""
    if item.method in TRAINING:
        validation = item.validation
        given = validation[0] if isinstance(validation, tuple) and validation else None
        fit: Fit | None = item
    else:
        given = item.x
        fits = (e for e in context.facts.events(Fit) if e.model is item.model and e.method in TRAINING)
        fit = next(fits, None)
    trained = scale(fit.x) if fit is not None else None
    other = scale(given) if isinstance(given, TensorVal) else None
    if fit is not None and trained is not None and other is not None:
        yield fit, trained, other


def difference(trained: Scale, given: Scale, context: Context) -> tuple[str, str] | None:
    """What one of the two goes through and the other does not, and what to do."""
    if trained.root.site.node is not given.root.site.node or trained.root.kind != given.root.kind:
        return None
    if trained.factor is not None and given.factor is not None:
        if trained.factor == given.factor:
            return None
        ratio = given.factor / trained.factor
        return f"these data have numbers {ratio:g} times those the model is trained on", "scale both in the same way"
    fitted, applied = (any(does(op, Trait.POINTWISE | Trait.SCALES) for op in one.steps) for one in (trained, given))
    if fitted and not applied and not given.steps:
        step = operation(trained.steps[0], context)
        return f"these data do not go through {step}, as the training data do", "transform them, too"
    if applied and not fitted and not trained.steps:
        step = operation(given.steps[0], context)
        return f"these data go through {step}, but the training data do not", "transform both"
    return None
