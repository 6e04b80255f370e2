"""DLT109: the shapes that meet in an operation do not fit."""

from __future__ import annotations

from typing import ClassVar, Final

from dllint.domains.dim import same
from dllint.domains.shape import broadcast, show_shape
from dllint.finding import Confidence, Releases, Severity
from dllint.ir.program import Fault, Op
from dllint.ops.keras_loss import BINARY, SPARSE
from dllint.ops.kinds import does, having
from dllint.ops.sizes import is_shape
from dllint.ops.traits import Trait
from dllint.ops.walk import maker_behind, steps_back
from dllint.rules.context import Context
from dllint.rules.fault_rule import FaultRule
from dllint.rules.wording import listed, operation, size

#: Losses whose targets DLL109 looks after.
CLASS_INDEX_LOSSES = having(Trait.TAKES_CLASS_NUMBERS)
_DATA: Final = "torch.Tensor.data"
#: What may stand between that and the index: a copy on the CPU, as an array, of another type.
_SAME: Final = having(Trait.KEEPS_PLACES)


class OperatorShapeIncompatible(FaultRule):
    """The shapes that meet in an operation do not fit.

    ## What it finds
    Operands that do not broadcast (a residual branch with other channels or another stride), inner sizes of a matrix
    product that differ, tensors that are concatenated although another axis differs (a skip connection of another
    size), an axis or index outside the rank or size, a shape unpacked into the wrong number of names, a prediction and
    a target of different sizes.

    ## Why it is bad
    The operation raises on every run with these sizes.

    ## Bad
    ```python
    import torch

    a = torch.randn(8, 64, 32, 32)
    b = torch.randn(8, 128, 16, 16)
    y = torch.cat([a, b], dim=1)  # error: [DLT109]
    ```

    ## Good
    ```python
    import torch
    from torch.nn import functional as F

    a = torch.randn(8, 64, 32, 32)
    b = torch.randn(8, 128, 16, 16)
    y = torch.cat([a, F.interpolate(b, size=(32, 32))], dim=1)
    ```

    ## When it stays silent
    Valid broadcasting and sizes that are not known.
    ```python
    import torch


    def fuse(x, scale):
        return x * scale + torch.ones(1, 8, 1, 1)


    y = torch.randn(4, 8, 6, 6) * torch.randn(8, 1, 1)
    ```

    ## References
    - Humbatova et al., ICSE 2020: tensor shape mismatch.
    - Zhang et al., *An Empirical Study on TensorFlow Program Bugs*, ISSTA 2018: unaligned tensor.
    """

    code = "DLT109"
    name = "operator-shape-incompatible"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    topics: ClassVar[tuple[str, ...]] = (
        "fault:broadcast",
        "fault:matmul",
        "fault:concat",
        "fault:axis-range",
        "fault:operator-shape",
        "fault:unpack",
        "fault:target-shape",
    )

    def concerns(self, op: Op, fault: Fault, context: Context) -> bool:
        """Cross-entropy targets are DLL109's."""
        return not (fault.kind == "target-shape" and op.kind in CLASS_INDEX_LOSSES)

    def releases(self, op: Op, fault: Fault) -> Releases | None:
        """Before release 0.4, a loss of PyTorch had one axis, and its number was `loss.data[0]`; since 1.0 that raises. Up to
        Keras 2, the class indices and predictions of a loss were laid out in a row, so that only their number mattered, and
        binary labels were broadcast, which changes nothing where all are equal."""
        if does(op, Trait.KERAS_LOSS) and _has_as_many_classes(op, fault):
            return Releases("keras", "3.0", "class indices of another shape than the predictions", usual=True, recent=True)
        if does(op, Trait.KERAS_LOSS) and _broadcasts_one_number(op, fault):
            return Releases("keras", "3.0", "labels of another rank than the predictions", usual=True, recent=True)
        x = op.args.get("x")
        if not does(op, Trait.SUBSCRIPTS) or op.args.get("index") != (0,) or fault.shapes != ((),):
            return None
        if all(step.spelled != _DATA for step in steps_back(x, _SAME)):
            return None
        return Releases("torch", "1.0", "`.data[0]` of a number")

    def message(self, op: Op, fault: Fault, context: Context) -> str:
        """A sentence per kind of fault, with the shapes involved."""
        if does(op, Trait.CROSSES_GRAPH):
            return f"{operation(op, context)} does not fit its placeholder: {fault.detail}"
        text = SENTENCES[fault.kind](fault)
        detail = f": {fault.detail}" if fault.detail and fault.detail not in text else ""
        return f"{operation(op, context)} {text}{detail}"

    def advice(self, op: Op, fault: Fault, context: Context) -> str:
        """The sizes that have to become equal."""
        if does(op, Trait.CROSSES_GRAPH):
            return "feed what the placeholder is declared for, or declare it anew"
        return _advice(fault)


def _has_as_many_classes(op: Op, fault: Fault) -> bool:
    """Whether there is one class index for each prediction of a sample, in another shape."""
    if op.args.get("kind") not in SPARSE or not is_shape(fault.expected) or not is_shape(fault.actual):
        return False
    wanted, given = ([size for size in shape[1:] if size != 1] for shape in (fault.expected, fault.actual))
    return len(wanted) == len(given) and all(same(a, b) for a, b in zip(wanted, given, strict=True))


def _broadcasts_one_number(op: Op, fault: Fault) -> bool:
    """Whether all binary labels are one number, and of a shape that broadcasts with that of the predictions."""
    if op.args.get("kind") not in BINARY or not is_shape(fault.expected) or not is_shape(fault.actual):
        return False
    maker = maker_behind(op.args.get("target"), _SAME)
    return maker is not None and _is_one_number(maker) and broadcast((fault.expected, fault.actual))[1] is None


def _is_one_number(maker: Op) -> bool:
    """Whether an operation gives tensors whose elements are all equal."""
    if does(maker, Trait.FULL):
        return isinstance(maker.args.get("fill_value"), (int, float))
    return does(maker, Trait.ZEROS) or does(maker, Trait.ONES)


def _broadcast(fault: Fault) -> str:
    axis = "" if fault.axis is None else f" on axis {fault.axis}"
    sizes = f"{size(fault.expected)} and {size(fault.actual)}{axis}"
    if not fault.shapes:
        return f"combines tensors that do not broadcast: {sizes} differ and neither is 1"
    return f"combines shapes {listed(fault.shapes)}, which do not broadcast: {sizes} differ and neither is 1"


def _matmul(fault: Fault) -> str:
    shapes = " by ".join(show_shape(s) for s in fault.shapes)
    return f"multiplies {shapes}, but the inner sizes {size(fault.expected)} and {size(fault.actual)} differ"


def _concat(fault: Fault) -> str:
    if fault.axis is None and len(fault.shapes) == 2:
        return f"joins shapes {listed(fault.shapes)} of {len(fault.shapes[0])} and {len(fault.shapes[1])} axes"
    axis = "" if fault.axis is None else f" on axis {fault.axis}"
    sizes = "" if fault.expected is None else f", where {size(fault.expected)} and {size(fault.actual)} differ{axis}"
    return f"joins shapes {listed(fault.shapes)}{sizes}"


def _axis_range(fault: Fault) -> str:
    shape = f" of shape {show_shape(fault.shapes[0])}" if fault.shapes else ""
    if fault.operand in ("index", "indices"):
        where = "" if fault.axis is None else f" on axis {fault.axis}"
        return f"uses index {size(fault.actual)}{where}, but the tensor{shape} has only {size(fault.expected)} there"
    return f"is asked for axis {size(fault.actual)}, but its input{shape} has {size(fault.expected)} axes"


def _operator(fault: Fault) -> str:
    shapes = f" {listed(fault.shapes)}" if fault.shapes else " its operands"
    sizes = (
        f" (expected {size(fault.expected)}, got {size(fault.actual)})"
        if fault.expected is not None and not fault.detail
        else ""
    )
    return f"cannot take{shapes}{sizes}"


def _unpack(fault: Fault) -> str:
    shape = f" of shape {show_shape(fault.shapes[0])}" if fault.shapes else ""
    return f"unpacks {size(fault.actual)} values{shape} into {size(fault.expected)} names"


def _target(fault: Fault) -> str:
    if not fault.shapes:
        return "gets a target whose shape differs from the prediction's"
    return f"compares a prediction of shape {show_shape(fault.shapes[0])} with a target of shape {show_shape(fault.shapes[-1])}"


SENTENCES = {
    "broadcast": _broadcast,
    "matmul": _matmul,
    "concat": _concat,
    "axis-range": _axis_range,
    "operator-shape": _operator,
    "unpack": _unpack,
    "target-shape": _target,
}

_ADVICE = {
    "broadcast": "make the two sizes equal, or insert the missing axis",
    "matmul": "transpose an operand, or change one of the two sizes",
    "concat": "make all axes but the joined one agree",
    "axis-range": "name one of the axes that the input has",
    "operator-shape": "change one of the operands",
    "unpack": "make the two numbers equal",
    "target-shape": "give both the same shape (squeeze or unsqueeze one of them)",
}


def _advice(fault: Fault) -> str:
    if fault.kind == "concat" and fault.axis is None and len(fault.shapes) == 2:
        return "insert the missing axis, as all tensors that are joined need as many"
    if fault.operand in ("index", "indices") and fault.kind == "axis-range":
        return f"keep the index below {size(fault.expected)}"
    return _ADVICE[fault.kind]
