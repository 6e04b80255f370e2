"""DLL110: a metric that says nothing about the task."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.keras_training import DISTANCES, Head, fitted_target, fitted_targets, heads
from dllint.analysis.label_kind import LabelKind, label_maker, labels
from dllint.analysis.output_kind import OutputKind, last_axis_size, source
from dllint.finding import Confidence, Finding, Severity
from dllint.frameworks.keras.protocols.plain import plain
from dllint.ir.events import Compile, Fit, ModuleCall
from dllint.ir.program import TensorVal
from dllint.ir.values import DictVal, InstanceVal, Value
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.fault_rule import built
from dllint.rules.rule import Rule
from dllint.rules.wording import class_name, operation

_SHARES_RIGHT: Final = frozenset({
    "accuracy", "acc", "Accuracy", "BinaryAccuracy", "CategoricalAccuracy", "SparseCategoricalAccuracy", "binary_accuracy",
    "categorical_accuracy", "sparse_categorical_accuracy",
})  # fmt: skip
#: Those that compare outputs with 0.5, and those that do so if the output has one unit.
_BINARY: Final = frozenset({"BinaryAccuracy", "binary_accuracy"})
_ANY: Final = frozenset({"accuracy", "acc"})
#: Axes of outputs that are one row for each sample.
_ROWS: Final = 2
_CLASSES: Final = (LabelKind.INDEX, LabelKind.BINARY, LabelKind.ONE_HOT)


class MetricVsTask(Rule[Compile]):
    """A metric that says nothing about the task.

    ## What it finds
    An accuracy for a Keras model whose output layer has no activation and whose loss measures distances between numbers.

    ## Why it is bad
    Accuracy counts predictions that are exactly the target, or of one unit those on the side of 0.5 that the target names. Of
    real numbers almost none is: the metric stays near 0 however good the model gets, and callbacks that watch it act at random.

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
    Labels that are classes, and outputs with a sigmoid or softmax (classification by squared error); accuracies that compare
    with 0.5 where labels lie from 0 to 1, and of maps of scores whose labels are not known.
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
            halves = asks_for_half(metric, head.output)
            if has_classes(head, context) or (halves and may_be_yes_or_no(head, context.facts)):
                continue
            made_by = f"{operation(made.op, context)}, which has no activation"
            counted = "asks whether outputs are above 0.5" if halves else "counts exact hits"
            message = f"`{metric}` {counted}, but `{head.kind}` on {made_by}, is for real numbers"
            argument = item.nodes.get("metrics")
            node = argument.value if isinstance(argument, cst.Arg) else argument
            yield context.finding(self, item, message, advice="use 'mae'", node=node, related=built(made.op, context))
            return


def has_classes(head: Head, context: Context) -> bool:
    """Whether the labels the model is fitted to are known to be classes."""
    target = fitted_target(head, context.facts)
    return target is not None and labels(target).kind in _CLASSES


def asks_for_half(metric: str, output: TensorVal) -> bool:
    """Whether an accuracy compares outputs with 0.5: of outputs of one unit, ``"accuracy"`` is the binary one, whatever the
    labels are (all generations of Keras; called in 3.15 for outputs and labels of several shapes)."""
    return metric in _BINARY or (metric in _ANY and last_axis_size(output) == 1)


def may_be_yes_or_no(head: Head, facts: Facts) -> bool:
    """Whether the numbers that a head is compared with may be 0 for no and 1 for yes, of which squared errors are made in
    least-squares adversarial training: they lie from 0 to 1 and are no measurements; or they are not known, and the output is
    a map of scores, or the model is called instead of being fitted."""
    shape = head.output.shape
    is_map = isinstance(shape, tuple) and len(shape) > _ROWS
    targets = list(fitted_targets(head, facts))
    return any(_is_share(target, is_map, facts) for target in targets) or (
        not targets and (is_map or _is_only_called(head, facts))
    )


def _is_share(target: TensorVal, if_unknown: bool, facts: Facts) -> bool:
    if labels(target).kind is LabelKind.REAL:
        return False
    if does(label_maker(target), Trait.ZEROS):
        return not target.modified or if_unknown
    found = facts.ranges.of(target)
    is_known = found.low.known and found.high.known
    return found.low.value >= 0 and found.high.value <= 1 if is_known else if_unknown


def _is_only_called(head: Head, facts: Facts) -> bool:
    """Whether the program applies a compiled model, and trains it otherwise than by ``fit``: its metrics are never asked."""
    if not isinstance(head.where, Compile):
        return False
    model = head.where.model
    called = any(event.callee is model for event in facts.events(ModuleCall))
    return called and not any(event.model is model for event in facts.events(Fit))


def names_of(metrics: Value) -> list[str]:
    """The metrics that are given by name or as objects, in a list, in lists of a list, or by the names of outputs."""
    found = plain(metrics)
    if isinstance(found, DictVal):
        found = tuple(found.items.values())
    if isinstance(found, tuple):
        return [name for one in found for name in names_of(one)]
    return [found if isinstance(found, str) else class_name(found)] if isinstance(found, (str, InstanceVal)) else []
