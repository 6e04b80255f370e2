"""DLT112: the number of output units is not the number of classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from dllint.analysis.label_kind import LabelKind, labels
from dllint.analysis.output_kind import source
from dllint.domains.lattice import Unknown
from dllint.domains.shape import show_shape
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Op, TensorVal
from dllint.rules.fault_rule import built, origin
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

_SPARSE = "sparse_categorical_crossentropy"
_CATEGORICAL = "categorical_crossentropy"


class OutputUnitsVsClasses(Rule):
    """The number of output units is not the number of classes in the labels.

    ## What it finds
    Under a classification loss: class indices that reach beyond the output units, or one-hot labels of another width.

    ## Why it is bad
    An index without a unit raises on the CPU and kills the process on a GPU; another width raises.

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

    def check(self, item: Op, context: Any) -> Iterator[Finding]:
        """The class axis of the prediction against the classes of the target."""
        x, target = item.args.get("x"), item.args.get("target")
        if not isinstance(x, TensorVal) or not isinstance(target, TensorVal):
            return
        units = class_axis(item, x)
        found = labels(target)
        if units is None or found.classes is None:
            return
        if takes_indices(item) and found.kind in (LabelKind.INDEX, LabelKind.BINARY) and found.classes > units:
            reason = f"the class indices reach {found.classes - 1}"
        elif item.args.get("kind") == _CATEGORICAL and found.kind is LabelKind.ONE_HOT and found.classes != units:
            reason = f"the one-hot labels have {found.classes} columns"
        else:
            return
        made = source(x).op
        layer = f" from {operation(made, context)}" if made is not None else ""
        message = (
            f"the prediction {show_shape(x.shape)}{layer} has {units} classes, but {reason}; use {found.classes} output units"
        )
        related = [*(built(made, context) if made else []), *(r for r in (origin(target, item, context),) if r)]
        yield context.finding(self, item, message + context.condition_note(item), related=related)


def takes_indices(op: Op) -> bool:
    """Whether the loss reads class indices."""
    return op.args.get("kind") == _SPARSE if op.kind == "keras_loss" else op.framework == "torch"


def class_axis(op: Op, x: TensorVal) -> int | None:
    """The size of the class axis: the last in Keras, axis 1 in PyTorch (0 for a single sample)."""
    if isinstance(x.shape, Unknown) or not x.shape:
        return None
    size = x.shape[-1] if op.kind == "keras_loss" or len(x.shape) == 1 else x.shape[1]
    return size if isinstance(size, int) else None
