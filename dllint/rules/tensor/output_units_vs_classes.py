"""DLT112: the number of output units is not the number of classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.label_kind import LabelKind, Labels, labels
from dllint.analysis.output_kind import affine_source, source
from dllint.domains.lattice import Unknown
from dllint.domains.shape import show_shape
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import offering
from dllint.fixes.operations import replace_constant
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import by_name, does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.fault_rule import built, origin
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

_SPARSE = "sparse_categorical_crossentropy"
_CATEGORICAL = "categorical_crossentropy"
_BINARY = "binary_crossentropy"


class OutputUnitsVsClasses(Rule[Op]):
    """The number of output units is not the number of classes in the labels.

    ## What it finds
    Under a classification loss: class indices that reach beyond the output units, one-hot labels of another width, or
    indices of more than two classes for the one unit of a binary cross-entropy.

    ## Why it is bad
    An index without a unit raises on the CPU and kills the process on a GPU; another width raises. One unit cannot tell more
    than two classes apart: its loss falls without end below zero.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 5)
    scores = model(torch.randn(32, 8))
    labels = torch.randint(0, 10, (32,))
    loss = nn.functional.cross_entropy(scores, labels)  # error: [DLT112]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 10)
    scores = model(torch.randn(32, 8))
    labels = torch.randint(0, 10, (32,))
    loss = nn.functional.cross_entropy(scores, labels)
    ```

    ## When it stays silent
    More units than classes seen (a background class, padded class counts), and labels that are not known.
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 11)
    scores = model(torch.randn(32, 8))
    loss = nn.functional.cross_entropy(scores, torch.randint(0, 10, (32,)))
    ```

    ## References
    - Humbatova et al., ICSE 2020: wrong defined output shape.
    """

    code = "DLT112"
    name = "output-units-vs-classes"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    topics: ClassVar[tuple[str, ...]] = ("op:keras_loss", "op:cross_entropy", "op:nll_loss")
    suppresses = ("DLT109", "DLL109", "DLT116")

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """The class axis of the prediction against the classes of the target."""
        x, target = item.args.get("x"), item.args.get("target")
        if not isinstance(x, TensorVal) or not isinstance(target, TensorVal):
            return
        units = class_axis(item, x)
        found = labels(target)
        if units is None or found.classes is None:
            return
        reason = conflict(item, units, found)
        if reason is None:
            return
        made = source(x).op
        layer = f" from {operation(made, context)}" if made is not None else ""
        known = f"{units} {'class' if units == 1 else 'classes'}"
        message = f"the prediction {show_shape(x.shape)}{layer} has {known}, but {reason}{context.condition_note(item)}"
        where = (affine_source(x) if does(item, Trait.KERAS_LOSS) else None) or item
        met = context.related(item, "the labels meet the prediction here") if where is not item else None
        related = [met, *(built(made, context) if made else []), origin(target, item, context)]
        fixes = fitting_units(affine_source(x), found.classes, context)
        evidence = [r for r in related if r]
        advice = f"use {found.classes} output units"
        yield context.finding(self, where, message, advice=advice, related=evidence, fixes=fixes)


#: Parameters that hold the number of a layer's units.
_UNITS = by_name({Trait.DENSE: "out_features", Trait.CONVOLVES: "out_channels"})


@offering
def fitting_units(made: Op | None, classes: int, context: Context) -> list[Fix]:
    """The number of units in the layer that makes the prediction is replaced, if it is written as a number."""
    name = _UNITS.get(made.kind) if made is not None else None
    edits = replace_constant(made.layer, name, classes) if made is not None and name is not None else ()
    return offer(context, f"Use {classes} units", edits, Applicability.UNSAFE)


def conflict(loss: Op, units: int, found: Labels) -> str | None:
    """What the labels show that the prediction's units cannot express."""
    classes = found.classes or 0
    indices = found.kind in (LabelKind.INDEX, LabelKind.BINARY) and classes > units
    if indices and takes_indices(loss):
        return f"the class indices reach {classes - 1}"
    if loss.args.get("kind") == _CATEGORICAL and found.kind is LabelKind.ONE_HOT and classes != units:
        return f"the one-hot labels have {classes} columns"
    if loss.args.get("kind") == _BINARY and units == 1 and found.kind is LabelKind.INDEX and classes > 2:
        return f"the labels of this binary cross-entropy reach {classes - 1}"
    return None


def takes_indices(op: Op) -> bool:
    """Whether the loss reads class indices."""
    return op.args.get("kind") == _SPARSE if does(op, Trait.KERAS_LOSS) else op.framework == "torch"


def class_axis(op: Op, x: TensorVal) -> int | None:
    """The size of the class axis: the last in Keras, axis 1 in PyTorch (0 for a single sample)."""
    if isinstance(x.shape, Unknown) or not x.shape:
        return None
    size = x.shape[-1] if does(op, Trait.KERAS_LOSS) or len(x.shape) == 1 else x.shape[1]
    return size if isinstance(size, int) else None
