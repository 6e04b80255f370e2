"""DLD101: pictures reach the model with the numbers 0 to 255."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.data_scale import TRAINING, raw_pixels, unscaled_entry
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import Fit
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import operation


class InputNotScaled(Rule[Fit]):
    """Pictures reach the model with the numbers 0 to 255.

    ## What it finds
    Pictures of a known data set, folder or file that a Keras model is trained on as they are stored: nothing on the way to the
    first layer with weights divides them, normalises them or subtracts their mean.

    ## Why it is bad
    Initial weights are made for inputs around 0 with a spread of about 1. Inputs a hundred times larger saturate activations,
    make the first steps huge, and training stalls or gives NaN.

    ## Bad
    ```python
    from keras import Input, Sequential
    from keras.datasets import mnist
    from keras.layers import Dense, Flatten

    (x, y), _ = mnist.load_data()  # error: [DLD101]
    model = Sequential([Input((28, 28)), Flatten(), Dense(10, activation="softmax")])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(x, y)
    ```

    ## Good
    ```python
    from keras import Input, Sequential
    from keras.datasets import mnist
    from keras.layers import Dense, Flatten

    (x, y), _ = mnist.load_data()
    model = Sequential([Input((28, 28)), Flatten(), Dense(10, activation="softmax")])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(x / 255.0, y)
    ```

    ## When it stays silent
    A `Rescaling`, `Normalization` or `BatchNormalization` layer before the first weights, architectures that rescale inside,
    generators that rescale, and data whose numbers are not known.
    ```python
    from keras import Input, Sequential
    from keras.datasets import cifar10
    from keras.layers import Conv2D, Dense, GlobalAveragePooling2D, Rescaling

    (x, y), _ = cifar10.load_data()
    layers = [Input((32, 32, 3)), Rescaling(1 / 255), Conv2D(8, 3), GlobalAveragePooling2D(), Dense(10, activation="softmax")]
    model = Sequential(layers)
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(x, y)
    ```

    ## References
    - Schoop et al., UMLAUT: input not normalised; Humbatova et al., ICSE 2020: missing preprocessing step.
    """

    code = "DLD101"
    name = "input-not-scaled"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    frameworks = ("keras",)
    topics: ClassVar[tuple[str, ...]] = ("event:fit",)

    def check(self, item: Fit, context: Context) -> Iterator[Finding]:
        """The data of a training that meets layers with weights unscaled."""
        loaded = raw_pixels(item.x) if item.method in TRAINING else None
        entry = unscaled_entry(item, context.facts) if loaded is not None else None
        if loaded is None or entry is None:
            return
        taken = f"{operation(entry, context)} is trained on them unscaled"
        message = f"{operation(loaded, context)} gives numbers from 0 to 255, and {taken}"
        advice = "divide training and test pictures by 255.0, or start the model with Rescaling(1/255)"
        related = context.related(item, "the model is trained on them here")
        note = context.condition_note(item)
        yield context.finding(self, loaded, message + note, advice=advice, related=[related] if related else [])
