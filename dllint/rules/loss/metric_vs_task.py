"""DLL110: a metric that says nothing about the task."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.keras_training import DISTANCES, Head, fitted_target, heads
from dllint.analysis.label_kind import LabelKind, labels
from dllint.analysis.output_kind import OutputKind, source
from dllint.finding import Confidence, Finding, Severity
from dllint.frameworks.keras.protocols.plain import plain
from dllint.ir.events import Compile
from dllint.ir.values import DictVal, InstanceVal, Value
from dllint.rules.context import Context
from dllint.rules.fault_rule import built
from dllint.rules.rule import Rule
from dllint.rules.wording import class_name, operation

_SHARES_RIGHT: Final = frozenset({
    "accuracy", "acc", "Accuracy", "BinaryAccuracy", "CategoricalAccuracy", "SparseCategoricalAccuracy", "binary_accuracy",
    "categorical_accuracy", "sparse_categorical_accuracy",
})  # fmt: skip
_CLASSES: Final = (LabelKind.INDEX, LabelKind.BINARY, LabelKind.ONE_HOT)


class MetricVsTask(Rule[Compile]):
    """A metric that says nothing about the task.

    ## What it finds
    An accuracy for a Keras model whose output layer has no activation and whose loss measures distances between numbers.

    ## Why it is bad
    Accuracy counts predictions that are exactly the target. Of real numbers almost none is: the metric stays near 0 however
    good the model gets, and callbacks that watch it act at random.

    ## Bad
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential([Input((8,)), Dense(16, activation="relu"), Dense(1)])
    model.compile("adam", loss="mse", metrics=["accuracy"])  # error: [DLL110]
    ```

    ## Good
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential([Input((8,)), Dense(16, activation="relu"), Dense(1)])
    model.compile("adam", loss="mse", metrics=["mae"])
    ```

    ## When it stays silent
    Labels that are classes, and outputs with a sigmoid or softmax (classification by squared error).
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential([Input((8,)), Dense(1, activation="sigmoid")])
    model.compile("adam", loss="mse", metrics=["accuracy"])
    ```

    ## References
    - Humbatova et al., ICSE 2020: wrong performance metric; Nikanjam et al., TheDeepChecker: accuracy in regression.
    """

    code = "DLL110"
    name = "metric-vs-task"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    frameworks = ("keras",)
    topics: ClassVar[tuple[str, ...]] = ("event:compile",)

    def check(self, item: Compile, context: Context) -> Iterator[Finding]:
        """The metrics of a model that is compiled with a distance."""
        for head in heads(item, context.facts):
            metric = next((name for name in names_of(head.metrics) if name in _SHARES_RIGHT), None)
            made = source(head.output)
            if metric is None or head.kind not in DISTANCES or made.op is None or made.kind is not OutputKind.LOGITS:
                continue
            if has_classes(head, context):
                continue
            made_by = f"{operation(made.op, context)}, which has no activation"
            message = f"`{metric}` counts exact hits, but `{head.kind}` on {made_by}, is for real numbers"
            argument = item.nodes.get("metrics")
            node = argument.value if isinstance(argument, cst.Arg) else argument
            yield context.finding(self, item, message, advice="use 'mae'", node=node, related=built(made.op, context))
            return


def has_classes(head: Head, context: Context) -> bool:
    """Whether the labels the model is fitted to are known to be classes."""
    target = fitted_target(head, context.facts)
    return target is not None and labels(target).kind in _CLASSES


def names_of(metrics: Value) -> list[str]:
    """The metrics that are given by name or as objects, in a list, in lists of a list, or by the names of outputs."""
    found = plain(metrics)
    if isinstance(found, DictVal):
        found = tuple(found.items.values())
    if isinstance(found, tuple):
        return [name for one in found for name in names_of(one)]
    return [found if isinstance(found, str) else class_name(found)] if isinstance(found, (str, InstanceVal)) else []
