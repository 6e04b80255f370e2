"""DLD116: labels that are no class of the task."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.index_bounds import index_range, is_reached
from dllint.analysis.label_kind import LabelKind, is_integer, label_maker, scaled_labels
from dllint.domains.dtype import STRING
from dllint.domains.shape import show_shape
from dllint.edit import Applicability, Edit, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import positional_arguments, set_argument
from dllint.fixes.boundary import builder, offering
from dllint.fixes.calls import replace_expression
from dllint.fixes.operations import set_option
from dllint.fixes.performed import written_argument
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.numeric_evidence import evidence, flow
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.tensor.output_units_vs_classes import class_axis, takes_indices
from dllint.rules.wording import operation

_CLASSIFYING = ("binary_crossentropy", "categorical_crossentropy", "sparse_categorical_crossentropy")


class LabelsOutOfRange(Rule[Op]):
    """Labels that are no class of the task.

    ## What it finds
    Under a classification loss: class indices that are counted from 1 although there is one unit per class, negative ones that
    the loss is not told to ignore, labels that are texts, labels that are divided as pixels are, and random labels that are
    all the same because the upper bound of `randint` is not included.

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
    applicability = Applicability.UNSAFE
    topics: ClassVar[tuple[str, ...]] = ("op:keras_loss", "op:cross_entropy", "op:nll_loss")
    suppresses = ("DLT112", "DLT117")

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """The target of a classification loss; reported where the labels are made."""
        x, target = item.args.get("x"), item.args.get("target")
        if not isinstance(x, TensorVal) or not isinstance(target, TensorVal):
            return
        if does(item, Trait.KERAS_LOSS) and item.args.get("kind") not in _CLASSIFYING:
            return
        yield from self._scaled(item, target, context)
        wrong = trouble(item, x, target)
        found = None if wrong else _limits(item, target, context.facts)
        if found is not None:
            wrong = _outside(item, x, found)
        if wrong is None:
            return
        maker = label_maker(target)
        made = f"the labels that {operation(maker, context)} makes" if maker is not None else "the labels"
        met = context.related(item, "the loss meets these labels here") if maker is not None else None
        yield context.finding(
            self,
            maker or item,
            f"{made} {wrong.reason}{context.condition_note(item)}",
            advice=wrong.advice,
            related=[*([met] if met else []), *(evidence(item, target, context) if found else ())],
            flow=flow(item, target, context) if found else (),
            fixes=_fixes(item, x, found or (target.low, target.high), context),
        )

    def _scaled(self, op: Op, target: TensorVal, context: Context) -> Iterator[Finding]:
        """Labels that are divided as pixels are."""
        found = scaled_labels(target)
        if found is None or not is_lost(op, found.labels.kind, found.labels.classes, found.factor):
            return
        left = "below 1" if found.labels.kind is LabelKind.INDEX else "no longer 0 and 1"
        shape = show_shape(target.shape)
        message = f"{operation(found.step, context)} makes {found.labels.kind.value} of shape {shape} {found.factor:.3g} times"
        message = f"{message} what they are, {left}{context.condition_note(op)}"
        met = context.related(op, "the loss meets these labels here")
        yield context.finding(
            self, found.step, message, advice="scale the inputs alone, and leave the labels", related=[met] if met else []
        )


#: Labels are not smoothed by so much.
_SMOOTHED = 0.1
#: What pixels are divided by. Where the number of classes is not known, it is taken to be less.
_BRIGHTEST = 255


def is_lost(loss: Op, kind: LabelKind, classes: int | None, factor: float) -> bool:
    """Whether labels that are multiplied by a factor do not say any more what they are for: class indices are all below 1, and
    one-hot rows, or zeros and ones, are far from 1."""
    if kind in (LabelKind.ONE_HOT, LabelKind.BINARY):
        return 0 < factor <= _SMOOTHED
    if kind is not LabelKind.INDEX or not takes_indices(loss):
        return False
    return 0 < factor * ((classes or _BRIGHTEST) - 1) < 1


class Trouble(NamedTuple):
    """What is wrong with labels, and how to repair them."""

    reason: str
    advice: str


def trouble(loss: Op, x: TensorVal, target: TensorVal) -> Trouble | None:
    """What is wrong with labels of which the source tells the numbers."""
    if target.dtype is STRING:
        return Trouble("are texts", "number them, e.g. with LabelEncoder")
    low, high = target.low, target.high
    if low is None or high is None or not is_integer(target):
        return None
    maker = label_maker(target)
    if low == high and does(maker, Trait.DRAWS_EVENLY):
        reason = f"are all {int(low)}, because randint does not reach its upper bound"
        return Trouble(reason, f"use randint({int(low)}, {int(low) + 2}, …)")
    return _misnumbered(loss, x, low, high)


def _misnumbered(loss: Op, x: TensorVal, low: float, high: float) -> Trouble | None:
    """What is wrong with class indices between two numbers: they go below 0, or are counted from 1."""
    if not takes_indices(loss):
        return None
    if low < 0 and ignored(loss) != low:
        advice = f"give the loss ignore_index={int(low)}, or number the classes from 0"
        return Trouble(f"reach down to {int(low)}, which is no class", advice)
    units = class_axis(loss, x)
    if low >= 1 and units is not None and high >= units >= high - low + 1 and ignored(loss) != high:
        reason = f"go from {int(low)} to {int(high)}, but the {units} output units stand for 0 to {units - 1}"
        return Trouble(reason, f"subtract {int(low)} from them")
    return None


def ignored(loss: Op) -> Any:
    """The label that a loss leaves out."""
    return loss.args.get("ignore_index", loss.args.get("ignore_class"))


def _limits(loss: Op, target: TensorVal, facts: Facts) -> tuple[float, float] | None:
    """The smallest and the largest label that are known to be reached, where only their computation tells them."""
    if target.low is not None or loss.doubtful:
        return None
    found = index_range(loss, target, facts)
    if found is None or not (is_reached(found.low) and is_reached(found.high)):
        return None
    return found.low.value, found.high.value


def _outside(loss: Op, x: TensorVal, limits: tuple[float, float]) -> Trouble | None:
    """What is wrong with class indices between two numbers that are computed."""
    low, high = limits
    if (wrong := _misnumbered(loss, x, low, high)) is not None:
        return wrong
    units = class_axis(loss, x) if takes_indices(loss) else None
    if units is None or high < units or ignored(loss) in (low, high):
        return None
    reason = f"reach {int(high)}, but the {units} output units stand for 0 to {units - 1}"
    return Trouble(reason, f"use {int(high) + 1} units")


@offering
def _fixes(loss: Op, x: TensorVal, limits: tuple[Any, Any], context: Context) -> list[Fix]:
    """Labels are counted from 0, or the loss is told which one to ignore."""
    low, high = limits
    units = class_axis(loss, x)
    if loss.framework != "torch" or low is None or high is None or low == 0:
        return []
    if low < 0 and units is not None and low + 2 < high < units:  # of two labels, none is there to be ignored
        edits = set_option(loss.layer, "ignore_index", str(int(low))) if loss.layer is not None else _ignoring(loss, low)
        return offer(context, f"Ignore the label {int(low)}", edits, Applicability.UNSAFE)
    written = written_argument(loss, "target", 0) if loss.layer is None else _second(loss)
    if written is None or low < 1 or units is None or high - low >= units:
        return []
    shifted = replace_expression(loss.site, written.value, f"{context.text(written.value)} - {int(low)}")
    return offer(context, "Count the classes from 0", shifted, Applicability.UNSAFE)


@builder
def _ignoring(loss: Op, label: float) -> tuple[Edit, ...]:
    node = loss.site.node
    return set_argument(loss.site, node, "ignore_index", str(int(label))) if isinstance(node, cst.Call) else ()


def _second(loss: Op) -> cst.Arg | None:
    """The target in the call of a loss object."""
    given = positional_arguments(loss.site.node) if isinstance(loss.site.node, cst.Call) else []
    return given[1] if len(given) == 2 else None
