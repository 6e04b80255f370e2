"""DLO128: a callback watches a metric that training does not log, or in the wrong direction."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.logged_metrics import VALIDATION, Watcher, is_closed, logged, validates, watchers
from dllint.finding import Confidence, Finding, Releases, Severity
from dllint.ir.events import Fit
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted

_TRAINING: Final = frozenset({"fit", "fit_generator"})
#: Names that releases before Keras 2.3 and after it give to one metric.
_RENAMED: Final = frozenset({"acc", "accuracy"})
#: What Keras puts behind the name of a second metric of one class.
_NUMBER: Final = re.compile(r"_\d+$")
_SINCE: Final = Releases("keras", "2.3", "metrics logged under the names they are compiled with")


class CallbackMonitorMissing(Rule[Fit]):
    """`EarlyStopping`, `ModelCheckpoint` or `ReduceLROnPlateau` watches a metric that this `fit` does not log.

    ## What it finds
    A callback that monitors `val_...` where `fit` has no validation data, a name that is neither the loss nor a compiled
    metric, and a direction that contradicts the metric: `min` for an accuracy, `max` for a loss.

    ## Why it is bad
    Keras only warns and goes on: training is not stopped, the best model is not told from the others, the learning rate stays.
    With the wrong direction the worst model is kept.

    ## Bad
    ```python
    import numpy as np
    import keras
    from keras import layers

    x, y = np.random.rand(100, 8), np.random.rand(100)
    model = keras.Sequential([keras.Input((8,)), layers.Dense(4, activation="relu"), layers.Dense(1)])
    model.compile(loss="mse", optimizer="adam")
    stopping = keras.callbacks.EarlyStopping(monitor="val_loss", patience=3)  # error: [DLO128]
    model.fit(x, y, epochs=50, callbacks=[stopping])
    ```

    ## Good
    ```python
    import numpy as np
    import keras
    from keras import layers

    x, y = np.random.rand(100, 8), np.random.rand(100)
    model = keras.Sequential([keras.Input((8,)), layers.Dense(4, activation="relu"), layers.Dense(1)])
    model.compile(loss="mse", optimizer="adam")
    stopping = keras.callbacks.EarlyStopping(monitor="val_loss", patience=3)
    model.fit(x, y, epochs=50, validation_split=0.2, callbacks=[stopping])
    ```

    ## When it stays silent
    Callbacks of the code itself, which may add to what is logged, models with a `train_step` of their own, metrics whose names
    are not known, and checkpoints that are saved every epoch.
    ```python
    import numpy as np
    import keras
    from keras import layers


    class Validation(keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            logs["val_loss"] = 0.5


    x, y = np.random.rand(100, 8), np.random.rand(100)
    model = keras.Sequential([keras.Input((8,)), layers.Dense(4, activation="relu"), layers.Dense(1)])
    model.compile(loss="mse", optimizer="adam", metrics=[keras.metrics.MeanAbsoluteError()])
    stopping = keras.callbacks.EarlyStopping(monitor="val_loss", patience=3)
    model.fit(x, y, epochs=50, callbacks=[Validation(), stopping])
    saving = keras.callbacks.ModelCheckpoint("model.keras", monitor="val_loss")
    plateau = keras.callbacks.ReduceLROnPlateau(monitor="mean_absolute_error")
    model.fit(x, y, epochs=50, callbacks=[saving, plateau])
    ```

    ## References
    - Keras documentation, `EarlyStopping`, `ModelCheckpoint` and `ReduceLROnPlateau`.
    - Found in public code: `cderinbogaz/inpredo` (`src/train-binary.py`, issue 15).
    """

    code = "DLO128"
    name = "callback-monitor-missing"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    frameworks = ("keras",)
    topics: ClassVar[tuple[str, ...]] = ("event:fit",)

    def check(self, item: Fit, context: Context) -> Iterator[Finding]:
        """A call of ``fit`` with callbacks."""
        if item.method not in _TRAINING:
            return
        for watcher in watchers(item, context.facts):
            if (found := self._direction(watcher, context)) is not None or (
                is_closed(item) and (found := self._missing(watcher, item, context)) is not None
            ):
                yield found

    def _direction(self, watcher: Watcher, context: Context) -> Finding | None:
        base = watcher.monitor.removeprefix(VALIDATION)
        wrong = "max" if base == "loss" else "min" if base in _RENAMED else ""
        if not wrong or watcher.mode != wrong:
            return None
        kept = "largest" if wrong == "max" else "smallest"
        right = "min" if wrong == "max" else "max"
        return context.finding(
            self,
            watcher.construction,
            f'`mode="{wrong}"` takes the {kept} {quoted(watcher.monitor)} for the best',
            advice=f'pass `mode="{right}"`',
            node=_node(watcher, "mode"),
        )

    def _missing(self, watcher: Watcher, item: Fit, context: Context) -> Finding | None:
        monitor = watcher.monitor
        base = monitor.removeprefix(VALIDATION)
        releases, known = None, logged(item, context.facts)
        if monitor != base and validates(item) is False:
            message = f"`{monitor}` is watched, and this `fit` has no validation data to measure it on"
            advice = "pass `validation_data` or `validation_split` to `fit`"
        elif known is not None and known.isdisjoint((base, _NUMBER.sub("", base))):
            message = f"`{monitor}` is watched, and what is compiled logs only {_listed(known)}"
            advice = "name a metric that is logged, or compile the model with this one"
            releases = _SINCE if base in _RENAMED and known & _RENAMED else None
        else:
            return None
        related = context.related(item, "the training")
        return context.finding(
            self,
            watcher.construction,
            message,
            advice=advice,
            node=_node(watcher, "monitor"),
            related=[related] if related else [],
            releases=releases,
        )


def _listed(names: frozenset[str]) -> str:
    shown = sorted(names - {"lr", "learning_rate"})
    return " and ".join(f"`{name}`" for name in shown[:4])


def _node(watcher: Watcher, parameter: str) -> cst.CSTNode | None:
    """The argument that names something; ``None`` where the default does."""
    return watcher.construction.nodes.get(parameter)
