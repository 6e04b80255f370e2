"""DLL107: the kind of cross-entropy does not fit the number of outputs or their activation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from dllint.analysis.keras_training import CROSS_ENTROPIES, Head, fitted_target, heads
from dllint.analysis.label_kind import LabelKind, labels
from dllint.analysis.output_kind import OutputKind, last_axis_size, source
from dllint.domains.lattice import Unknown
from dllint.domains.shape import show_shape
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.calls import replace_expression
from dllint.ir.events import Compile
from dllint.ir.program import Op, TensorVal
from dllint.rules.context import Context
from dllint.rules.fault_rule import built
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

_CLASSES = ("categorical_crossentropy", "sparse_categorical_crossentropy")
_HINGES = ("hinge", "squared_hinge")
_NO_SHARES = (OutputKind.NON_NEGATIVE, OutputKind.TANH)


class CrossentropyKindVsOutput(Rule[Op | Compile]):
    """The kind of cross-entropy does not fit the number of outputs or their activation.

    ## What it finds
    Categorical or sparse cross-entropy on one output unit; binary cross-entropy on a softmax of several units;
    categorical or sparse cross-entropy on several sigmoid units; a cross-entropy on a relu or tanh; hinge loss on
    probabilities; PyTorch's `CrossEntropyLoss` on (N, 1).

    ## Why it is bad
    One class has the constant loss 0. The other pairs optimise something else than the task: training runs and the
    accuracy stays low. Of several sigmoids Keras computes the loss as if they were divided by their sum; the outputs, which
    are no probabilities of exclusive classes, are not, so this is a warning.

    ## Bad
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential([Input((8,)), Dense(1, activation="sigmoid")])
    model.compile("adam", loss="categorical_crossentropy")  # error: [DLL107]
    ```

    ## Good
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential([Input((8,)), Dense(1, activation="sigmoid")])
    model.compile("adam", loss="binary_crossentropy")
    ```

    ## When it stays silent
    Multi-label classification (several sigmoids with binary cross-entropy), and a softmax over two units with categorical
    cross-entropy.
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    labels = Sequential([Input((8,)), Dense(5, activation="sigmoid")])
    labels.compile("adam", loss="binary_crossentropy")
    two = Sequential([Input((8,)), Dense(2, activation="softmax")])
    two.compile("adam", loss="categorical_crossentropy")
    ```

    ## References
    - Nikanjam et al., NeuraLint; Humbatova et al., ICSE 2020: wrong selection of loss function.
    """

    code = "DLL107"
    name = "crossentropy-kind-vs-output"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    topics: ClassVar[tuple[str, ...]] = ("event:compile", "op:keras_loss", "op:cross_entropy")
    suppresses = ("DLT120",)

    def check(self, item: Op | Compile, context: Context) -> Iterator[Finding]:
        """Every head against the table; PyTorch's loss on one column."""
        if isinstance(item, Op) and item.kind == "cross_entropy":
            yield from self._one_class(item, context)
            return
        for head in heads(item, context.facts):
            target = fitted_target(head, context.facts)
            one_hot = target is not None and labels(target).kind is LabelKind.ONE_HOT
            made = source(head.output)
            verdict = judge(head, one_hot, operation(made.op, context)) if made.op is not None else None
            if verdict is not None and made.op is not None:
                text, severity = verdict
                advice = remedy(head)
                if blames_activation(head, made.kind, one_hot):
                    loss = context.related(head.where, "the loss is chosen here", node=head.node)
                    related = [*built(made.op, context), *([loss] if loss else [])]
                    yield context.finding(self, made.op, text, advice=advice, severity=severity, related=related)
                    continue
                fixes = offer(context, "Use the partner of the activation", partner(head, context), Applicability.UNSAFE)
                yield context.finding(
                    self,
                    head.where,
                    text,
                    advice=advice,
                    node=head.node,
                    severity=severity,
                    related=built(made.op, context),
                    fixes=fixes,
                )

    def _one_class(self, op: Op, context: Context) -> Iterator[Finding]:
        x = op.args.get("x")
        if op.framework != "torch" or op.faults or not isinstance(x, TensorVal) or isinstance(x.shape, Unknown):
            return
        if len(x.shape) == 2 and isinstance(x.shape[1], int) and x.shape[1] == 1:
            message = f"{operation(op, context)} is always 0 for scores of shape {show_shape(x.shape)}, which have one class"
            advice = "use BCEWithLogitsLoss, or one output unit per class"
            yield context.finding(self, op, message + context.condition_note(op), advice=advice)


def judge(head: Head, one_hot: bool, maker: str) -> tuple[str, Severity | None] | None:
    """What a loss makes of the output of ``maker``, if that is not what it expects; severity ``None`` is the rule's own.
    ``one_hot``: the labels are known to name one class per sample."""
    kind, units = source(head.output).kind, last_axis_size(head.output)
    if kind is OutputKind.UNKNOWN:
        return None
    if units is None:
        return judge_any_width(head, kind, maker)
    if head.kind in _CLASSES and units == 1 and kind is not OutputKind.SOFTMAX:
        return f"`{head.kind}` is constant for the single unit of {maker}", None
    if head.kind in _CLASSES and units > 1 and kind is OutputKind.SIGMOID:
        # Keras divides the outputs by their sum before it takes the logarithm: the loss is one of shares.
        return f"`{head.kind}` expects a softmax over the {units} units of {maker}, not sigmoids", Severity.WARNING
    if head.kind == "binary_crossentropy" and units > 1 and kind is OutputKind.SOFTMAX:
        # Over two units it is the same number as the categorical one.
        severity = None if one_hot and units > 2 else Severity.WARNING
        return f"`{head.kind}` treats the {units} softmax units of {maker} as independent", severity
    if head.kind in _HINGES and kind in (OutputKind.SIGMOID, OutputKind.SOFTMAX):
        return f"`{head.kind}` expects scores around -1 and 1, not the {kind.value} of {maker}", None
    if head.kind in CROSS_ENTROPIES and head.from_logits is False and is_no_share(head, kind):
        return f"`{head.kind}` expects probabilities, not the {kind.value} of {maker}", None
    return None


def judge_any_width(head: Head, kind: OutputKind, maker: str) -> tuple[str, Severity | None] | None:
    """The same of an output whose number of units is not known: what does not fit with one unit, and not with several."""
    if not is_wide(head):
        return None
    if head.kind in _CLASSES and kind is OutputKind.SIGMOID:
        return f"`{head.kind}` expects a softmax over the units of {maker}, not sigmoids", Severity.WARNING
    if head.kind == "binary_crossentropy" and kind is OutputKind.SOFTMAX:
        return f"`{head.kind}` treats the softmax units of {maker} as independent", Severity.WARNING
    if head.kind in CROSS_ENTROPIES and head.from_logits is False and kind is OutputKind.NON_NEGATIVE:
        return f"`{head.kind}` expects probabilities, not the {kind.value} of {maker}", None
    return None


def is_wide(head: Head) -> bool:
    """Whether an output has rows of units, whose number may be a symbol."""
    return (rank(head) or 0) > 1


def is_no_share(head: Head, kind: OutputKind) -> bool:
    """Whether an activation gives no probabilities. Generators of adversarial pairs end in tanh and are compiled with any loss:
    only a single unit counts there."""
    return kind is OutputKind.NON_NEGATIVE or (kind is OutputKind.TANH and last_axis_size(head.output) == 1 and rank(head) == 2)


def rank(head: Head) -> int | None:
    """The number of axes of the output."""
    return None if isinstance(head.output.shape, Unknown) else len(head.output.shape)


def blames_activation(head: Head, kind: OutputKind, one_hot: bool) -> bool:
    """Whether the labels agree with the loss, so that sigmoids are what does not fit: one label per sample. No loss of
    probabilities fits a relu or tanh."""
    if kind in _NO_SHARES and head.kind in CROSS_ENTROPIES:
        return True
    if kind is not OutputKind.SIGMOID or head.kind not in _CLASSES or last_axis_size(head.output) == 1:
        return False
    return one_hot or head.kind == "sparse_categorical_crossentropy"


@builder
def partner(head: Head, context: Context) -> tuple[Edit, ...]:
    """The loss that fits a single sigmoid, or a softmax over several units, if the loss is written as a string."""
    kind, units = source(head.output).kind, last_axis_size(head.output)
    if not isinstance(head.node, cst.SimpleString) or head.kind in _HINGES:
        return ()
    single = units == 1 and kind in (OutputKind.SIGMOID, OutputKind.LOGITS)
    several = kind is OutputKind.SOFTMAX and head.kind == "binary_crossentropy"
    if not single and not several:
        return ()
    new = "binary_crossentropy" if single else "categorical_crossentropy"
    return replace_expression(head.where.site, head.node, f"{head.node.quote}{new}{head.node.quote}")


def remedy(head: Head) -> str:
    """The partner of the activation."""
    kind, units = source(head.output).kind, last_axis_size(head.output)
    if head.kind in _HINGES:
        return "use tanh or no activation, with labels -1 and 1"
    if kind in _NO_SHARES:
        return f"use {'a sigmoid' if head.kind == 'binary_crossentropy' else 'a softmax'}"
    if units == 1:
        return "use binary_crossentropy with a sigmoid, or one softmax unit per class"
    if kind is OutputKind.SOFTMAX:
        return "use categorical_crossentropy, or sigmoids for several labels per sample"
    if head.kind.startswith("sparse"):
        return "use a softmax, as its labels are one class per sample"
    return "use a softmax for one label per sample, or binary_crossentropy for several"
