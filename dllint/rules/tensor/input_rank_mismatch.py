"""DLT102: a layer or function gets a tensor with a number of axes it does not accept."""

from __future__ import annotations

from math import isqrt
from typing import Any, ClassVar

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, show_shape
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Releases, Severity
from dllint.fixes.arguments import replace_value
from dllint.fixes.boundary import offering
from dllint.fixes.calls import append_call, append_index
from dllint.fixes.operations import argument_of
from dllint.fixes.performed import first_operand
from dllint.ir.events import LibraryCall, ModelInput
from dllint.ir.program import Fault, Op, TensorVal
from dllint.ops.faults import SEQUENCE_RANK
from dllint.ops.kinds import does, having_any
from dllint.ops.ranges.spec import shape_of
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.fault_rule import FaultRule
from dllint.rules.offers import offer
from dllint.rules.places import called_directly, input_shape_argument
from dllint.rules.wording import operand, operation, ranks, size


class InputRankMismatch(FaultRule):
    """A layer or function gets a tensor with a number of axes it does not accept.

    ## What it finds
    The number of axes (rank) of the input is known and is none of those the layer takes: a batch of images without a
    channel axis into `Conv2d`, a flattened image into a convolution, a single sample without a batch axis, rows of a table
    in a recurrent layer.

    ## Why it is bad
    The call raises; where a library adds the missing axis itself, it may take the batch for the channels.

    ## Bad
    ```python
    import torch
    from torch import nn

    conv = nn.Conv2d(1, 8, 3)
    x = torch.randn(64, 784)
    y = conv(x)  # error: [DLT102]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    conv = nn.Conv2d(1, 8, 3)
    x = torch.randn(64, 784)
    y = conv(x.view(64, 1, 28, 28))
    ```

    ## When it stays silent
    PyTorch's convolutions and recurrent layers accept one sample without a batch axis.
    ```python
    import torch
    from torch import nn

    conv = nn.Conv2d(3, 8, 3)
    y = conv(torch.randn(3, 28, 28))
    ```

    ## References
    - Humbatova et al., ICSE 2020: wrong shape of input data for a layer; data batching required.
    - Nikanjam et al., NeuraLint: missing reshape.
    """

    code = "DLT102"
    name = "input-rank-mismatch"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    topics: ClassVar[tuple[str, ...]] = ("fault:rank", "fault:sequence-rank")
    suppresses = ("DLT101", "DLT109")

    def releases(self, op: Op, fault: Fault) -> Releases | None:
        """Before release 3, Keras convolved every image of an input with further axes in front (TensorFlow 2.3 to 2.15)."""
        further = isinstance(fault.actual, int) and all(isinstance(rank, int) and fault.actual > rank for rank in _ranks(fault))
        if op.framework != "keras" or not does(op, Trait.PLAIN_CONVOLUTION) or not further:
            return None
        return Releases("keras", "3.0", "further axes in front of the images of a convolution")

    def message(self, op: Op, fault: Fault, context: Context) -> str:
        """The accepted and the actual number of axes, and the shape."""
        shape = faulty_shape(op, fault)
        role = "its input" if fault.operand in ("", "x") else f"`{fault.operand}`"
        given = f"{role} has {size(fault.actual)}{f' (shape {show_shape(shape)})' if shape is not None else ''}"
        return f"{operation(op, context)} takes tensors with {ranks(fault.expected)} axes, but {given}"

    def advice(self, op: Op, fault: Fault, context: Context) -> str:
        """How to get as many axes."""
        return remedy(op, fault)

    @offering
    def fixes(self, op: Op, fault: Fault, context: Context) -> list[Fix]:
        """The operand gets the axes it lacks; a declared input shape gets or loses one."""
        value, node = operand(op, fault.operand or "x"), written_operand(op, fault, context)
        wanted = [rank for rank in _ranks(fault) if isinstance(rank, int)]
        if not isinstance(value, TensorVal) or isinstance(value.shape, Unknown) or not wanted:
            return []
        if (redeclared := declaration_fixes(op, value, max(wanted), context)) or node is None:
            return redeclared
        if (target := image_shape(op, value)) is not None:
            edits = append_call(op.site, node, "reshape", ", ".join(map(str, target)))
            return offer(context, f"Reshape to {target}", edits, Applicability.UNSAFE)
        if len(value.shape) + 1 not in wanted:
            return []
        return [fix for axis in new_axes(op, fault, value) for fix in _unsqueezed(op, node, axis, value, context)]


def _ranks(fault: Fault) -> tuple[Any, ...]:
    return tuple(fault.expected) if isinstance(fault.expected, (tuple, list)) else (fault.expected,)


def written_operand(op: Op, fault: Fault, context: Context) -> cst.BaseExpression | None:
    """The expression of the operand at fault, where the call that performs the operation names it."""
    value = operand(op, fault.operand or "x")
    for event in context.facts.events(LibraryCall) if op.layer is None else ():
        if event.site.node is op.site.node:
            names = (name for name, bound in event.bound.items() if bound is value)
            found = next((event.nodes[name] for name in names if name in event.nodes), None)
            if found is not None:
                return found.value if isinstance(found, cst.Arg) else None
    if fault.operand not in ("", "x"):
        return None
    if op.layer is None:
        return first_operand(op)
    return argument_of(op, 0) if called_directly(op, context) else None


#: Operations whose inputs may have a single feature or channel that nobody wrote down.
_ONE_FEATURE = having_any(Trait.PLAIN_CONVOLUTION | Trait.RECURRENT)
#: The channels of a picture.
_COLOURS = (1, 3, 4)


def new_axes(op: Op, fault: Fault, x: TensorVal) -> tuple[int, ...]:
    """Where a new axis may stand, the likelier place first: the batch in front of features or of an image with its channels, or
    else the channels behind the batch."""
    if does(op, Trait.DENSE):
        return (0,)
    if fault.kind == SEQUENCE_RANK:
        return (-1, 1)  # a series of numbers, or one step
    if does(op, Trait.MATRIX_PRODUCT) and fault.operand in ("", "x"):
        return (0, 1)  # a row on the left, a column on the right
    channels, shape = op.args.get("in_channels", op.args.get("num_features")), shape_of(x)
    if not shape:
        return (0,)
    if op.args.get("channels_last") is True:  # Keras takes the channels from the last axis, so that they always agree
        return (-1,) if not isinstance(shape[0], int) else (0, -1) if shape[-1] in _COLOURS else (-1, 0)
    batch = channels is not None and shape[0] == channels
    return (0, 1) if batch or (channels is None and shape[0] == 1) else (1, 0)


@offering
def _unsqueezed(op: Op, node: cst.BaseExpression, axis: int, x: TensorVal, context: Context) -> list[Fix]:
    index = {0: "None", 1: ":, None", -1: "..., None"}[axis]
    inserted = append_call(op.site, node, "unsqueeze", str(axis)) if x.framework == "torch" else ()
    return offer(context, f"Insert an axis at {axis}", inserted or append_index(op.site, node, index), Applicability.UNSAFE)


def image_shape(op: Op, x: TensorVal) -> tuple[int, ...] | None:
    """The square images that rows of a matrix hold, as a convolution takes them: ``(-1, 1, 28, 28)`` for rows of 784."""
    channels, shape = op.args.get("in_channels"), shape_of(x)
    if (
        not does(op, Trait.PLAIN_CONVOLUTION)
        or op.args.get("spatial") != 2
        or shape is None
        or len(shape) != 2
        or not isinstance(channels, int)
    ):
        return None
    pixels, rest = divmod(shape[1], channels) if isinstance(shape[1], int) and channels else (0, 1)
    side = isqrt(pixels)
    if rest or side * side != pixels or side < 2:
        return None
    return (-1, side, side, channels) if op.args.get("channels_last") is True else (-1, channels, side, side)


@offering
def declaration_fixes(op: Op, x: TensorVal, rank: int, context: Context) -> list[Fix]:
    """A declared Keras input that is one axis away from what the layer takes: ``x.shape`` loses the number of samples, a
    tuple its last 1 or its free first axis; images get one channel."""
    where = next((e for e in context.facts.events(ModelInput) if e.value is x), None)
    arg = input_shape_argument(where) if where is not None else None
    if where is None or arg is None or x.type.rank is None:
        return []
    surplus = x.type.rank - rank
    if surplus == 1 and isinstance(arg.value, cst.Attribute) and arg.value.attr.value == "shape":
        return offer(context, "Declare one sample", append_index(where.site, arg.value, "1:"), Applicability.UNSAFE)
    if not isinstance(arg.value, cst.Tuple) or surplus not in (1, -1):
        return []
    parts = [context.text(element.value) for element in arg.value.elements]
    if surplus == 1:
        parts = parts[:-1] if parts[-1] == "1" else parts[1:] if parts[0] == "None" else []
    elif op.kind in _ONE_FEATURE:
        parts.append("1")
    if not parts or len(parts) == len(arg.value.elements):
        return []
    text = f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    return offer(context, f"Declare {text}", replace_value(where.site, arg, text), Applicability.UNSAFE)


def faulty_shape(op: Op, fault: Fault) -> Shape | None:
    """The shape of the operand that has the wrong number of axes."""
    value = operand(op, fault.operand or "x")
    own = shape_of(value)
    known = fault.shapes if own is None else (own, *fault.shapes)
    return next((shape for shape in known if len(shape) == fault.actual), None)


def remedy(op: Op, fault: Fault) -> str:
    """Where to add the missing axes, or which surplus ones to merge or drop."""
    value, shape = operand(op, fault.operand or "x"), faulty_shape(op, fault)
    known = [rank for rank in _ranks(fault) if isinstance(rank, int)]
    if not known or value is None or shape is None:
        return "reshape it first"
    if (images := image_shape(op, value)) is not None:
        return f"reshape it to {images}"
    if len(shape) + 1 in known:
        return f"insert the missing axis ({added_axis(op, fault, value)})"
    if len(shape) < min(known):
        return f"reshape it to {min(known)} axes first"
    return dropped_axes(shape, len(shape) - max(known), in_keras=op.framework == "keras" and op.layer is not None)


def dropped_axes(shape: Shape, surplus: int, *, in_keras: bool) -> str:
    """Which of the surplus axes to drop, if that shows; what Keras has for a sequence of samples."""
    ones = [str(axis) for axis, length in enumerate(shape) if axis and isinstance(length, int) and length == 1]
    if len(ones) == surplus:
        return f"squeeze axis {' and '.join(ones)} of size 1 away, or flatten or index away another one"
    wrapped = ", or wrap the layer in TimeDistributed" if in_keras and surplus == 1 else ""
    return f"merge, squeeze or index away {surplus} of them first{wrapped}"


def added_axis(op: Op, fault: Fault, x: TensorVal) -> str:
    """How an axis is inserted at its likeliest place."""
    axis = new_axes(op, fault, x)[0]
    return f"unsqueeze({axis})" if x.framework == "torch" else f"{_INSERTING.get(x.framework, 'expand_dims')}(x, {axis})"


#: What inserts an axis, in code that imports the libraries as everybody does.
_INSERTING = {"numpy": "np.expand_dims", "tensorflow": "tf.expand_dims"}
