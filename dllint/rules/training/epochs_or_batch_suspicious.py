"""DLO125: a Keras model is trained for one epoch by default, on single samples with batch normalisation, or on one batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.modules import tree
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import Fit
from dllint.ir.program import TensorVal
from dllint.ir.values import InstanceVal, unwrap
from dllint.ops.kinds import having
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted

_BY_BATCH: Final = having(Trait.STANDARDISES | Trait.SCALES)
#: What is trained on so few samples fits into any batch.
_FEW: Final = 256


class EpochsOrBatchSuspicious(Rule[Fit]):
    """The number of epochs or the size of batches is hardly meant.

    ## What it finds
    - `fit()` without `epochs`, outside of any loop: one epoch.
    - `batch_size=1` for a model with batch normalisation.
    - A batch that holds all of a larger data set, so that each epoch is one step.

    ## Why it is bad
    One epoch seldom trains a network. Statistics of one sample are no statistics: batch normalisation makes each feature
    without places its own mean, 0. One step per epoch makes few steps of many epochs.

    ## Bad
    ```python
    import keras
    import numpy as np

    model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")
    model.fit(np.zeros((640, 8)), np.zeros(640))  # hint: [DLO125]
    ```

    ## Good
    ```python
    import keras
    import numpy as np

    model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")
    model.fit(np.zeros((640, 8)), np.zeros(640), epochs=20)
    ```

    ## When it stays silent
    Loops around `fit()`, models that are trained again, numbers that are not known, and a few samples in one batch.
    ```python
    import keras
    import numpy as np

    model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")
    for part in range(10):
        model.fit(np.zeros((640, 8)), np.zeros(640))


    def train(model, x, y, epochs, size):
        model.fit(x, y, epochs=epochs, batch_size=size)


    model.fit(np.zeros((16, 8)), np.zeros(16), epochs=5, batch_size=32)
    ```

    ## References
    - N. Humbatova et al., "Taxonomy of real faults in deep learning systems", ICSE 2020.
    """

    code = "DLO125"
    name = "epochs-or-batch-suspicious"
    severity = Severity.HINT
    confidence = Confidence.LOW
    frameworks = ("keras",)
    topics: ClassVar[tuple[str, ...]] = ("event:fit",)
    default = "hint"

    def check(self, item: Fit, context: Context) -> Iterator[Finding]:
        """A training by `fit`."""
        if item.method != "fit" or item.path:
            return
        size = unwrap(item.values.get("batch_size"))
        samples = _samples(item)
        if isinstance(size, int) and size == 1 and (layer := _by_batch(item)) is not None:
            yield self._told(
                item, context, f"batches of 1 sample leave {quoted(layer)} nothing to take statistics of", "batch_size"
            )
        elif isinstance(size, int) and samples is not None and size >= samples > _FEW:
            yield self._told(
                item, context, f"a batch of {size} holds all {samples} samples, so that an epoch is one step", "batch_size"
            )
        if "epochs" not in item.values and self._is_trained_once(item, context):
            yield self._told(item, context, "this trains for 1 epoch, the default", "epochs")

    def _told(self, item: Fit, context: Context, message: str, argument: str) -> Finding:
        advice = f"set {argument} to what is meant"
        return context.finding(self, item, message, advice=advice, node=item.nodes.get(argument), kind=argument)

    def _is_trained_once(self, item: Fit, context: Context) -> bool:
        """Whether nothing else trains the model, and no loop or keyword that is not known stands around."""
        fits = [event for event in context.facts.events(Fit) if event.model is item.model and event.method != "predict"]
        trained = [event for event in fits if event.method not in ("evaluate", "predict_on_batch")]
        keywords = any(getattr(node, "star", "") for node in getattr(item.site.node, "args", ()))
        return len(trained) == 1 and context.facts.training.innermost(item) is None and not keywords


def _samples(item: Fit) -> int | None:
    """The number of samples that a model is trained on, where it is a number."""
    shape = item.x.shape if isinstance(item.x, TensorVal) else None
    return shape[0] if isinstance(shape, tuple) and shape and isinstance(shape[0], int) else None


def _by_batch(item: Fit) -> str | None:
    """The name of a layer that normalises by the batch."""
    for layer in tree(item.model):
        if isinstance(layer, InstanceVal) and layer.layer is not None and layer.layer.row.op in _BY_BATCH:
            return getattr(layer.cls, "name", "").rpartition(".")[2]
    return None
