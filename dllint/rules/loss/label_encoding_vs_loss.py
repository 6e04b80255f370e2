"""DLL108: the encoding of the labels is not the one the loss expects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from dllint.analysis.keras_training import Head, compiled_loss, head_of
from dllint.analysis.label_kind import LabelKind, Labels, label_maker, labels
from dllint.analysis.output_kind import OutputKind, last_axis_size, source
from dllint.domains.dim import equal
from dllint.domains.lattice import Unknown
from dllint.domains.shape import show_shape
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.calls import replace_expression
from dllint.ir.events import Compile
from dllint.ir.program import Op, TensorVal
from dllint.rules.context import Context
from dllint.rules.fault_rule import origin
from dllint.rules.offers import offer
from dllint.rules.rule import Rule

_BINARY = "binary_crossentropy"


class LabelEncodingVsLoss(Rule[Op]):
    """The encoding of the labels is not the one the loss expects.

    ## What it finds
    `sparse_categorical_crossentropy` with one-hot labels (`to_categorical`, `one_hot`), `categorical_crossentropy` with class
    indices (the labels of `keras.datasets` as they are, `randint`, `LabelEncoder`, `class_mode="binary"`), and
    `binary_crossentropy` of several units with one class index per sample.

    ## Why it is bad
    Keras raises a shape error for most pairs; where the shapes happen to fit, it trains on nonsense.

    ## Bad
    ```python
    import numpy as np
    from keras import Input, Sequential
    from keras.layers import Dense
    from keras.utils import to_categorical

    x = np.random.rand(100, 8)
    y = to_categorical(np.random.randint(0, 3, (100,)), 3)
    model = Sequential([Input((8,)), Dense(3, activation="softmax")])
    model.compile("adam", loss="sparse_categorical_crossentropy")  # error: [DLL108]
    model.fit(x, y)
    ```

    ## Good
    ```python
    import numpy as np
    from keras import Input, Sequential
    from keras.layers import Dense
    from keras.utils import to_categorical

    x = np.random.rand(100, 8)
    y = to_categorical(np.random.randint(0, 3, (100,)), 3)
    model = Sequential([Input((8,)), Dense(3, activation="softmax")])
    model.compile("adam", loss="categorical_crossentropy")
    model.fit(x, y)
    ```

    ## When it stays silent
    Labels that are not known.
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense


    def train(x, y):
        model = Sequential([Input((8,)), Dense(3, activation="softmax")])
        model.compile("adam", loss="sparse_categorical_crossentropy")
        model.fit(x, y)
    ```

    ## References
    - Humbatova et al., ICSE 2020: wrong selection of loss function; encoding of categorical data.
    """

    code = "DLL108"
    name = "label-encoding-vs-loss"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("keras",)
    topics: ClassVar[tuple[str, ...]] = ("op:keras_loss",)
    suppresses = ("DLT109", "DLL109", "DLT112", "DLT108")

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """The label kind of a computed loss's target."""
        head = head_of(item)
        if head is None or head.target is None:
            return
        found, units = labels(head.target), last_axis_size(head.output)
        remedy = conflict(head, found, units)
        if remedy and head.kind == _BINARY:
            yield self._unencoded(item, head.target, units, remedy, context)
        elif remedy:
            wanted = "class indices" if head.kind.startswith("sparse") else "one-hot rows"
            given = f"the labels of shape {show_shape(head.target.shape)} are {found.kind.value}"
            message = f"`{head.kind}` expects {wanted}, but {given}{context.condition_note(item)}"
            event, node = compiled_loss(item, context.facts)
            fit = context.related(item, "the loss meets these labels here") if event is not None else None
            related = [r for r in (fit, origin(head.target, item, context)) if r]
            fixes = offer(context, "Use the loss for these labels", other_loss(event, node, head.kind), Applicability.UNSAFE)
            where = event or item
            yield context.finding(self, where, message, advice=remedy, node=node, related=related, fixes=fixes)

    def _unencoded(self, op: Op, target: TensorVal, units: int | None, remedy: str, context: Context) -> Finding:
        """Labels of which the loss needs one per unit; they are what is to be changed."""
        maker = label_maker(target)
        met = context.related(op, "the loss meets these labels here") if maker is not None else None
        taken = f"`{_BINARY}` compares them with {units} units"
        text = f"labels of shape {show_shape(target.shape)} are one class index per sample, but {taken}"
        evidence, note = [met] if met else [], context.condition_note(op)
        found: Finding = context.finding(self, maker or op, text + note, advice=remedy, related=evidence)
        return found


@builder
def other_loss(event: Compile | None, node: cst.CSTNode, kind: str) -> tuple[Edit, ...]:
    """The loss named as a string in ``compile`` becomes its sparse or dense sibling."""
    if event is None or not isinstance(node, cst.SimpleString):
        return ()
    new = kind.removeprefix("sparse_") if kind.startswith("sparse_") else f"sparse_{kind}"
    return replace_expression(event.site, node, f"{node.quote}{new}{node.quote}")


def conflict(head: Head, found: Labels, units: int | None) -> str | None:
    """The loss to use in place of one that expects the other encoding."""
    if head.kind == "sparse_categorical_crossentropy" and found.kind is LabelKind.ONE_HOT:
        return "use categorical_crossentropy, or argmax of the labels"
    if found.kind not in (LabelKind.INDEX, LabelKind.BINARY) or units is None or not are_indices(head):
        return None
    if head.kind == "categorical_crossentropy" and units > 1:
        return "use sparse_categorical_crossentropy, or to_categorical of the labels"
    if head.kind == "categorical_crossentropy" and source(head.output).kind is OutputKind.SOFTMAX:
        return "use binary_crossentropy with a sigmoid"
    if head.kind == _BINARY and units > 1:
        return "use to_categorical of the labels, or one unit"
    return None


def are_indices(head: Head) -> bool:
    """Whether labels have one number per sample, and not one per unit."""
    target, output = head.target, head.output
    if target is None or isinstance(target.shape, Unknown) or isinstance(output.shape, Unknown):
        return False
    return len(target.shape) < len(output.shape) or equal(target.shape[-1], 1) is True
