"""DLL111: the loss belongs to another task than the output layer or the labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.keras_training import CROSS_ENTROPIES, DISTANCES, Head, fitted_target, heads, is_only_applied
from dllint.analysis.label_kind import LabelKind, labels
from dllint.analysis.output_kind import OutputKind, last_axis_size, source
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.calls import replace_expression
from dllint.ir.events import Compile, Fit
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.fault_rule import built
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation


class LossVsTask(Rule[Op | Compile]):
    """The loss belongs to another task than the output layer or the labels.

    ## What it finds
    A squared or absolute error on a softmax, and a cross-entropy whose labels are real numbers outside of [0, 1].

    ## Why it is bad
    The squared error of a softmax hardly corrects a prediction that is surely wrong, and its output can never be a number
    other than a share. Where the labels are known to be one-hot rows, that is the Brier score, which trains, if more slowly:
    the finding is information there, as it is where the program loads or applies the model and does not train it. A
    cross-entropy of real numbers falls without end below zero.

    ## Bad
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential([Input((8,)), Dense(3, activation="softmax")])
    model.compile("adam", loss="mean_squared_error")  # error: [DLL111]
    ```

    ## Good
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential([Input((8,)), Dense(3, activation="softmax")])
    model.compile("adam", loss="categorical_crossentropy")
    ```

    ## When it stays silent
    Sigmoids with a squared error (least-squares GANs, the Brier score), and labels that are not known.
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    judge = Sequential([Input((8,)), Dense(1, activation="sigmoid")])
    judge.compile("adam", loss="mse")
    ```

    ## References
    - Humbatova et al., ICSE 2020: wrong selection of loss function; Nikanjam et al., TheDeepChecker.
    """

    code = "DLL111"
    name = "loss-vs-task"
    severity = Severity.WARNING
    confidence = Confidence.MEDIUM
    applicability = Applicability.UNSAFE
    frameworks = ("keras",)
    topics: ClassVar[tuple[str, ...]] = ("event:compile", "op:keras_loss")

    def check(self, item: Op | Compile, context: Context) -> Iterator[Finding]:
        """Every head whose loss is chosen at the item."""
        for head in heads(item, context.facts):
            made = source(head.output)
            if made.op is None:
                continue
            if head.kind in DISTANCES and made.kind is OutputKind.SOFTMAX and not may_be_distilled(head, context.facts):
                given = f"the model's output comes from the softmax {operation(made.op, context)}"
                message, advice = f"`{head.kind}` is for real numbers, but {given}", remedy(head)
                fixes = offer(context, "Use categorical_crossentropy", crossentropy(head), Applicability.UNSAFE)
                weak = are_shares(fitted_target(head, context.facts)) or trains_nothing(head, context.facts)
                severity = Severity.INFO if weak else None
            elif head.kind in CROSS_ENTROPIES and are_real(fitted_target(head, context.facts)):
                message = f"`{head.kind}` is for classes, but the labels are real numbers outside of [0, 1]"
                advice, fixes, severity = "use 'mse' or 'mae'", [], None
            else:
                continue
            related = built(made.op, context)
            yield context.finding(
                self, head.where, message, advice=advice, node=head.node, related=related, fixes=fixes, severity=severity
            )


def may_be_distilled(head: Head, facts: Facts) -> bool:
    """Whether a softmax over several classes is fitted to targets that are not known: they may be another model's shares."""
    if last_axis_size(head.output) == 1 or fitted_target(head, facts) is not None:
        return False
    return isinstance(head.where, Compile) and any(event.model is head.where.model for event in facts.events(Fit))


def trains_nothing(head: Head, facts: Facts) -> bool:
    """Whether the model of a head is used without being trained."""
    return isinstance(head.where, Compile) and is_only_applied(head.where, facts)


def remedy(head: Head) -> str:
    """The loss, or the activation, to use instead."""
    if last_axis_size(head.output) == 1:
        return "for numbers leave the activation out; for two classes use a sigmoid and binary_crossentropy"
    return "use categorical_crossentropy for classes, or no activation for numbers"


@builder
def crossentropy(head: Head) -> tuple[Edit, ...]:
    """The loss of a softmax over several classes, if the loss is written as a string."""
    if not isinstance(head.node, cst.SimpleString) or last_axis_size(head.output) == 1:
        return ()
    return replace_expression(head.where.site, head.node, f"{head.node.quote}categorical_crossentropy{head.node.quote}")


def are_shares(target: TensorVal | None) -> bool:
    """Whether labels are known to be one-hot rows, so that their squared distance from a softmax is the Brier score."""
    return target is not None and labels(target).kind is LabelKind.ONE_HOT


def are_real(target: TensorVal | None) -> bool:
    """Whether labels are known to be real numbers that are no shares of a class."""
    if target is None or labels(target).kind is not LabelKind.REAL:
        return False
    maker = target.producer
    spread = target.low is not None and target.high is not None and (target.low < 0 or target.high > 1)
    return spread or does(maker, Trait.DRAWS_NORMAL)
