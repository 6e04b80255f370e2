"""DLT105: a reshape to another number of elements, or one that mixes samples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from dllint.domains.dim import DimExpr, differs, equal, exact_quotient, product, same, show
from dllint.domains.lattice import Unknown
from dllint.domains.shape import show_shape
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import positional_arguments
from dllint.fixes.boundary import builder, offering
from dllint.fixes.operations import constructor, is_constant
from dllint.fixes.performed import Edits, as_method, first_operand, operand_text
from dllint.fixes.places import outer, replacing
from dllint.ir.program import Fault, Op, TensorVal
from dllint.ops.kinds import having, having_any
from dllint.ops.sizes import is_shape
from dllint.ops.traits import Trait
from dllint.ops.walk import maker_behind
from dllint.rules.context import Context
from dllint.rules.fault_rule import FaultRule
from dllint.rules.offers import offer
from dllint.rules.wording import operation, size


class ReshapeSizeMismatch(FaultRule):
    """A reshape asks for another number of elements than the tensor has, or mixes the samples of a batch.

    ## What it finds
    (a) The element count of the target shape differs from that of the tensor. (b) `view(-1, K)` of a batch whose
    samples have another size than K: the -1 hides the mistake by making more, or fewer, rows than the batch has.

    ## Why it is bad
    (a) raises. (b) runs: rows now hold parts of several samples and no longer belong to their labels.

    ## Bad
    ```python
    import torch

    x = torch.randn(32, 16, 5, 5)
    x = x.view(32, 16 * 4 * 4)  # error: [DLT105]
    ```

    ## Good
    ```python
    import torch

    x = torch.randn(32, 16, 5, 5)
    x = x.view(32, 16 * 5 * 5)
    ```

    ## When it stays silent
    Flattening batch and time for a loss per token keeps the last axis, patches divide the samples on purpose, and rows of one
    element mix nothing.
    ```python
    import torch
    from torch.nn import functional as F

    logits = torch.randn(8, 20, 100)
    tokens = torch.randint(0, 100, (8, 20))
    loss = F.cross_entropy(logits.view(-1, 100), tokens.view(-1))
    ```

    ## References
    - Nikanjam et al., NeuraLint: mismatching reshape.
    - Humbatova et al., ICSE 2020: wrong tensor shape.
    """

    code = "DLT105"
    name = "reshape-size-mismatch"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    topics: ClassVar[tuple[str, ...]] = ("fault:reshape-size", "op:reshape", "op:view")
    suppresses = ("DLT101", "DLT109")

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """Form (a) from the op's fault, form (b) from a leading -1."""
        yield from super().check(item, context)
        if not item.faults and (found := mixed_samples(item, context)):
            message, advice = found
            fixes = offer(context, "Flatten each sample", flattened(item), Applicability.UNSAFE)
            yield context.finding(self, item, message + context.condition_note(item), advice=advice, fixes=fixes)

    def message(self, op: Op, fault: Fault, context: Context) -> str:
        """Both shapes with their element counts."""
        source = show_shape(fault.shapes[0]) if fault.shapes else "its input"
        target = f" {show_shape(fault.shapes[1])}" if len(fault.shapes) > 1 else " the target shape"
        counts = f"{source} ({size(fault.actual)} elements) to{target} ({size(fault.expected)} elements)"
        return f"{operation(op, context)} cannot reshape {counts}{': ' + fault.detail if fault.detail else ''}"

    def advice(self, op: Op, fault: Fault, context: Context) -> str:
        """The form that keeps the batch, or what must be equal."""
        return remedy(fault)

    @offering
    def fixes(self, op: Op, fault: Fault, context: Context) -> list[Fix]:
        """Every sample is flattened where rows are asked for; a ``Reshape`` layer gets a last axis that fits."""
        if op.layer is not None:
            return offer(context, "Fit the last axis", fitted(op, fault), Applicability.UNSAFE)
        return offer(context, "Flatten each sample", flattened(op), Applicability.UNSAFE)


def remedy(fault: Fault) -> str:
    """For rows, the form that keeps the batch; else what must be equal."""
    if len(fault.shapes) > 1 and len(fault.shapes[1]) == 2 and len(fault.shapes[0]) > 2:
        return f"keep the batch axis and write -1 for the rest: ({show(fault.shapes[0][0])}, -1)"
    return "make the sizes of both multiply to the same number"


@builder
def flattened(op: Op) -> Edits:
    """``x.view(16, 400)`` becomes ``x.flatten(1)``, in numpy ``x.reshape(len(x), -1)``."""
    x, target, text = op.args.get("x"), op.args.get("shape"), operand_text(op)
    if not isinstance(x, TensorVal) or x.type.rank is None or text is None or not isinstance(target, tuple):
        return ()
    if len(target) != 2 or x.type.rank < 2:
        return ()
    if op.framework == "torch":
        return as_method(op, "flatten", "1")
    named = isinstance(first_operand(op), (cst.Name, cst.Attribute))  # what makes the array must not run twice
    return as_method(op, "reshape", f"len({text}), -1") if op.framework == "numpy" and named else ()


@builder
def fitted(op: Op, fault: Fault) -> Edits:
    """The last size of ``Reshape((7, 7, 256))`` is changed so that both element counts agree."""
    found, target = constructor(op.layer), op.args.get("shape")
    shape = positional_arguments(found[1])[0].value if found is not None and positional_arguments(found[1]) else None
    if found is None or not isinstance(shape, (cst.Tuple, cst.List)) or not is_shape(target):
        return ()
    last = exact_quotient(fault.actual, product(target[:-1])) if isinstance(fault.actual, (int, DimExpr)) else None
    if not isinstance(last, int) or not is_constant(shape.elements[-1].value):
        return ()
    return (replacing(found[0], *outer(found[0], shape.elements[-1].value), str(last)),)


def mixed_samples(op: Op, context: Context) -> tuple[str, str] | None:
    """Message and advice of form (b): ``(-1, K)`` of a convolution's map whose samples do not have K elements."""
    x, target = op.args.get("x"), op.args.get("shape")
    if not isinstance(x, TensorVal) or isinstance(x.shape, Unknown) or not isinstance(target, tuple) or len(target) != 2:
        return None
    if target[0] != -1 or not isinstance(target[1], int) or target[1] <= 1 or len(x.shape) != 4 or not from_feature_map(x):
        return None
    sample = product(x.shape[1:])
    if not isinstance(sample, int) or not differs(sample, target[1]) or same(x.shape[-1], target[1]) or equal(sample, 1):
        return None
    rows = exact_quotient(product(x.shape), target[1])
    asked = f"{operation(op, context)} makes rows of {target[1]}"
    advice = f"write flatten(1), or {sample} in place of {target[1]}"
    if rows is None and target[1] < sample:
        return f"{asked}, which does not divide the {sample} elements of each sample of {show_shape(x.shape)}", advice
    if rows is None or (isinstance(rows, DimExpr) and same(rows, x.shape[0])):
        return None
    outcome = f"{show(rows)} rows for a batch of {show(x.shape[0])}"
    return f"{asked} from samples of {sample} elements, {show_shape(x.shape)}, which mixes them: {outcome}", advice


def from_feature_map(x: TensorVal) -> bool:
    """Whether a tensor comes out of a convolution stack, where the first axis is certainly the batch."""
    maker = maker_behind(x, PASSES)
    return maker is not None and maker.kind in MAPS


#: What makes maps with the batch in front.
MAPS = having_any(Trait.CONVOLVES | Trait.POOLS) | having(Trait.STANDARDISES | Trait.SCALES)
#: What leaves every element in its row.
PASSES = having_any(Trait.KEEPS_PLACES | Trait.DROPS) | having(Trait.POINTWISE | Trait.KEEPS_SHAPE)
