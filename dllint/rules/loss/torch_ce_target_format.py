"""DLL109: the target of PyTorch's cross-entropy has the wrong shape or element type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.domains.dtype import DType
from dllint.domains.shape import show_shape
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import offering
from dllint.fixes.operations import convert_argument
from dllint.ir.program import Fault, Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import does, having
from dllint.ops.ranges.spec import shape_of
from dllint.ops.traits import Trait
from dllint.ops.walk import maker_behind
from dllint.rules.context import Context
from dllint.rules.fault_rule import FaultRule
from dllint.rules.offers import offer
from dllint.rules.places import called_directly
from dllint.rules.tensor.operator_shape_incompatible import CLASS_INDEX_LOSSES
from dllint.rules.wording import operation, size


class TorchCeTargetFormat(FaultRule):
    """The target of PyTorch's cross-entropy has the wrong shape or element type.

    ## What it finds
    A target of shape (N, 1), float class indices, integer one-hot rows, or scores of an image or sequence whose class
    axis is not axis 1. One-hot rows of floats are accepted as probabilities and are reported as information only.

    ## Why it is bad
    The loss raises, often with a message about another axis than the one at fault.

    ## Bad
    ```python
    import torch
    from torch import nn

    scores = nn.Linear(8, 10)(torch.randn(32, 8))
    labels = torch.randint(0, 10, (32, 1))
    loss = nn.CrossEntropyLoss()(scores, labels)  # error: [DLL109]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    scores = nn.Linear(8, 10)(torch.randn(32, 8))
    labels = torch.randint(0, 10, (32, 1))
    loss = nn.CrossEntropyLoss()(scores, labels.squeeze(1))
    ```

    ## When it stays silent
    Soft labels (mixup, label smoothing, distillation) of the scores' own shape.
    ```python
    import torch
    from torch import nn

    scores = nn.Linear(8, 10)(torch.randn(32, 8))
    soft = torch.rand(32, 10).softmax(1)
    loss = nn.CrossEntropyLoss()(scores, soft)
    ```

    ## References
    - PyTorch documentation, `torch.nn.CrossEntropyLoss`.
    - Humbatova et al., ICSE 2020: wrong shape or type of input for a loss function.
    """

    code = "DLL109"
    name = "torch-ce-target-format"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("fault:target-shape", "fault:target-dtype", "op:cross_entropy")
    suppresses = ("DLT108", "DLT109", "DLT117")

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """Faults of the target; and one-hot rows, which need not be."""
        yield from super().check(item, context)
        target = item.args.get("target")
        shape = shape_of(target)
        if (
            isinstance(target, TensorVal)
            and shape
            and not item.faults
            and item.framework == "torch"
            and is_one_hot_float(target)
        ):
            message = f"{operation(item, context)} gets one-hot rows of shape {show_shape(shape)} as its target"
            advice = f"give it class indices of shape {show_shape(shape[:-1])}: the loss is the same"
            yield context.finding(self, item, message, advice=advice, severity=Severity.INFO)

    def concerns(self, op: Op, fault: Fault, context: Context) -> bool:
        """Other losses' targets are DLT109's and DLT117's."""
        return op.kind in CLASS_INDEX_LOSSES

    def message(self, op: Op, fault: Fault, context: Context) -> str:
        """The shapes or types."""
        name = operation(op, context)
        detail = f" ({fault.detail})" if fault.detail else ""
        if fault.kind == "target-dtype":
            wanted = size(fault.expected)
            return f"{name} needs a target of {wanted}, but it is {size(fault.actual)}{detail}"
        if len(fault.shapes) < 2:
            return f"{name} gets a target that does not fit its scores{detail}"
        scores, target = map(show_shape, fault.shapes[:2])
        return f"{name} compares scores {scores} with a target {target}"

    def advice(self, op: Op, fault: Fault, context: Context) -> str:
        """The conversion of the target, or what the scores must be."""
        return type_remedy(op) if fault.kind == "target-dtype" else shape_remedy(fault)

    @offering
    def fixes(self, op: Op, fault: Fault, context: Context) -> list[Fix]:
        """The target is converted, or loses its last axis, where it is passed."""
        if not called_directly(op, context):
            return []
        method, arguments = target_conversion(op, fault)
        edits = convert_argument(op, 1, method, arguments) if method else ()
        return offer(context, f"Use .{method}({arguments}) on the target", edits, Applicability.SAFE)


def type_remedy(op: Op) -> str:
    """Indices want ``long``; rows of integers want the index of the 1 in each."""
    x, target = op.args.get("x"), op.args.get("target")
    same_rank = isinstance(x, TensorVal) and isinstance(target, TensorVal) and x.type.rank == target.type.rank
    if same_rank and isinstance(target, TensorVal) and isinstance(target.dtype, DType) and target.dtype.kind == "int":
        return "give class indices (`.argmax(1)`), or make the rows floats (`.float()`)"
    return "convert it with `.long()`"


def shape_remedy(fault: Fault) -> str:
    """What to do about a pair of shapes."""
    if len(fault.shapes) < 2:
        return "give one class index per prediction"
    scores, target = fault.shapes[:2]
    if len(target) == len(scores) and len(target) and target[-1] == 1:
        return "drop the last axis of the target: `.squeeze(1)`"
    if len(scores) == len(target) + 1 and len(target) > 1 and tuple(target) == tuple(scores[:-1]):
        order = ", ".join(map(str, (0, len(scores) - 1, *range(1, len(scores) - 1))))
        return f"move the classes to axis 1 of the scores: permute({order})"
    if len(scores) == 2 and len(target) > 1:
        return "flatten the target to one index per row: `.view(-1)`"
    return "give scores (N, C, …) and a target (N, …) of class indices"


def target_conversion(op: Op, fault: Fault) -> tuple[str, str]:
    """The method, with its arguments, that makes the target what the loss expects; empty if none does."""
    if fault.kind == "target-dtype":
        return ("argmax", "1") if "argmax" in type_remedy(op) else ("long", "")
    return ("squeeze", "1") if "squeeze" in shape_remedy(fault) else ("", "")


def is_one_hot_float(target: Value) -> bool:
    """Whether a target was made by one-hot coding and converted to float."""
    if not isinstance(target, TensorVal) or not isinstance(target.dtype, DType) or target.dtype.kind != "float":
        return False
    maker = maker_behind(target, having(Trait.KEEPS_PLACES))
    return does(maker, Trait.ONE_HOT) and bool(maker.inputs) and isinstance(target.shape, tuple)
