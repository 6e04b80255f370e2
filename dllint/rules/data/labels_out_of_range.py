"""DLD116: labels that are no class of the task."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from dllint.analysis.label_kind import is_integer, label_maker
from dllint.domains.dtype import STRING
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Op, TensorVal
from dllint.rules.rule import Rule
from dllint.rules.tensor.output_units_vs_classes import class_axis, takes_indices
from dllint.rules.wording import operation

_CLASSIFYING = ("binary_crossentropy", "categorical_crossentropy", "sparse_categorical_crossentropy")


class LabelsOutOfRange(Rule):
    """Labels that are no class of the task.

    ## What it finds
    Under a classification loss: class indices that are counted from 1 although there is one unit per class, negative ones that
    the loss is not told to ignore, labels that are texts, and random labels that are all the same because the upper bound of
    `randint` is not included.

    ## Why it is bad
    An index without a unit raises or gives NaN. A single class teaches nothing: the loss falls to 0 at once.

    ## Bad
    ```python
    import numpy as np
    from keras import Input, Sequential
    from keras.layers import Dense

    x, y = np.random.rand(100, 8), np.random.randint(0, 1, (100, 1))  # error: [DLD116]
    model = Sequential([Input((8,)), Dense(1, activation="sigmoid")])
    model.compile("adam", loss="binary_crossentropy")
    model.fit(x, y)
    ```

    ## Good
    ```python
    import numpy as np
    from keras import Input, Sequential
    from keras.layers import Dense

    x, y = np.random.rand(100, 8), np.random.randint(0, 2, (100, 1))
    model = Sequential([Input((8,)), Dense(1, activation="sigmoid")])
    model.compile("adam", loss="binary_crossentropy")
    model.fit(x, y)
    ```

    ## When it stays silent
    An `ignore_index` that is one of the labels, and labels whose range is not known.
    ```python
    import torch
    from torch.nn import functional as F

    scores = torch.nn.Linear(8, 5)(torch.randn(32, 8))
    loss = F.cross_entropy(scores, torch.randint(-1, 5, (32,)), ignore_index=-1)
    ```

    ## References
    - Humbatova et al., ICSE 2020: wrong labels; encoding of categorical data.
    """

    code = "DLD116"
    name = "labels-out-of-range"
    severity = Severity.WARNING
    confidence = Confidence.MEDIUM
    topics: ClassVar[tuple[str, ...]] = ("op:keras_loss", "op:cross_entropy", "op:nll_loss")
    suppresses = ("DLT112", "DLT117")

    def check(self, item: Op, context: Any) -> Iterator[Finding]:
        """The target of a classification loss; reported where the labels are made."""
        x, target = item.args.get("x"), item.args.get("target")
        if not isinstance(x, TensorVal) or not isinstance(target, TensorVal):
            return
        if item.kind == "keras_loss" and item.args.get("kind") not in _CLASSIFYING:
            return
        reason = trouble(item, x, target)
        if reason is None:
            return
        maker = label_maker(target)
        made = f"the labels that {operation(maker, context)} makes" if maker is not None else "the labels"
        met = context.related(item, "the loss meets these labels here") if maker is not None else None
        message = f"{made} {reason}{context.condition_note(item)}"
        yield context.finding(self, maker or item, message, related=[met] if met else [])


def trouble(loss: Op, x: TensorVal, target: TensorVal) -> str | None:
    """What is wrong with the labels and how to repair them."""
    if target.dtype is STRING:
        return "are texts; number them, e.g. with LabelEncoder"
    low, high = target.low, target.high
    if low is None or high is None or not is_integer(target):
        return None
    maker = label_maker(target)
    if low == high and maker is not None and maker.kind == "randint":
        return f"are all {int(low)}, because randint does not reach its upper bound; use randint({int(low)}, {int(low) + 2}, …)"
    if not takes_indices(loss):
        return None
    if low < 0 and loss.args.get("ignore_index", loss.args.get("ignore_class")) != low:
        return f"reach down to {int(low)}, which is no class; give the loss ignore_index={int(low)}, or number classes from 0"
    units = class_axis(loss, x)
    if low >= 1 and units is not None and high >= units >= high - low + 1:
        return (
            f"go from {int(low)} to {int(high)}, but the {units} output units stand for 0 to {units - 1}; subtract {int(low)}"
        )
    return None
