"""DLT118: the arguments of a layer contradict each other."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.compiled_metrics import SINCE, counts, is_no_list
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Releases, Severity
from dllint.fixes.arguments import remove_argument, replace_value
from dllint.frameworks import registry
from dllint.frameworks.keras.renames import TWO_SIDED, is_keras_1_file, is_keras_1_window
from dllint.ir.events import Compile, LibraryCall
from dllint.ir.program import Fault, Op
from dllint.ir.values import InstanceVal
from dllint.lower.configuration import UNUSABLE
from dllint.ops.faults import MISSING
from dllint.ops.whole import is_of_float
from dllint.rules.context import Context
from dllint.rules.fault_rule import FaultRule
from dllint.rules.offers import offer
from dllint.rules.wording import operation, quoted, size


class LayerArgumentConstraint(FaultRule):
    """The arguments of a layer or function contradict each other.

    ## What it finds
    Channels that `groups` does not divide, an embedding width that the number of heads does not divide, `padding='same'`
    with a stride in PyTorch, an output padding not smaller than stride and dilation, negative sizes, a padding list
    for more axes than the tensor has, a float where a whole number is needed (`channels / 4`); in PyTorch also an argument
    that is missing or a number where a tensor is needed. Also metrics of `compile` that are no list, or not as many as the
    outputs, and Keras 1's `Conv2D(32, 3, 3)`, whose third argument is a
    stride today.

    ## Why it is bad
    The constructor or the first call raises. What torch does not look at before the call (the window, stride, padding and
    dilation of convolutions and poolings, floats among them) is an error where the layer is called, and information where a
    layer is built that nothing calls.

    ## Bad
    ```python
    import torch
    from torch import nn

    conv = nn.Conv2d(30, 64, 3, groups=4)  # error: [DLT118]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    conv = nn.Conv2d(32, 64, 3, groups=4)
    ```

    ## When it stays silent
    Values that are not known.
    ```python
    from torch import nn


    def block(channels, groups):
        return nn.Conv2d(channels, 64, 3, groups=groups)
    ```

    ## References
    - Humbatova et al., ICSE 2020: wrong output padding.
    - PyTorch and Keras documentation of the layers.
    """

    code = "DLT118"
    name = "layer-argument-constraint"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    topics: ClassVar[tuple[str, ...]] = ("fault:argument", "event:call", "event:compile")
    calls: ClassVar[tuple[str, ...]] = tuple(sorted(TWO_SIDED))
    suppresses = ("DLT104", "DLT101", "DLT109", "DLL110")

    def check(self, item: Op | LibraryCall | Compile, context: Context) -> Iterator[Finding]:
        """The violated constraints of an operation, metrics that Keras refuses, and Keras 1's way to write a window."""
        if isinstance(item, Op):
            yield from super().check(item, context)
        elif isinstance(item, Compile):
            yield from self._refused_metrics(item, context)
        elif (window := legacy_window(item)) is not None:
            call, second, third = window
            height, width = context.text(second.value), context.text(third.value)
            text = f"{context.text(call.func)}({context.text(call.args[0].value)}, {height}, {width})"
            edits = (*replace_value(item.site, second, f"({height}, {width})"), *remove_argument(item.site, call, third))
            fixes = offer(context, f"Write the window as ({height}, {width})", edits, Applicability.UNSAFE)
            message = f"{quoted(text)} has a stride of {width}, not a window of {height}×{width} as in Keras 1"
            advice = f"write kernel_size=({height}, {width})"
            message += context.condition_note(item)
            releases = Releases(
                "keras", "2.0", f"the window in {quoted(text)}", usual=not is_keras_1_file(context.document.text)
            )
            yield context.finding(self, item, message, advice=advice, node=call, fixes=fixes, releases=releases)

    def _refused_metrics(self, event: Compile, context: Context) -> Iterator[Finding]:
        node = event.nodes.get("metrics")
        edits: tuple[Edit, ...] = ()
        if is_no_list(event):
            fact, what, advice = (
                "`compile` takes a list of metrics, not a single one",
                "a metric that is no list",
                "write a list",
            )
            if isinstance(node, cst.Arg):
                edits = replace_value(event.site, node, f"[{context.text(node.value)}]")
        elif (found := counts(event)) is not None:
            metrics, outputs = found
            entries = "entry" if metrics == 1 else "entries"
            fact = f"the list of metrics has {metrics} {entries} for {outputs} outputs"
            what, advice = (
                "lists of metrics that have another length than the outputs",
                "give one entry per output, each a list",
            )
        else:
            return
        yield context.finding(
            self,
            event,
            fact + context.condition_note(event),
            advice=advice,
            node=node.value if isinstance(node, cst.Arg) else None,
            fixes=offer(context, "Write a list", edits, Applicability.UNSAFE),
            releases=Releases("keras", SINCE, what, usual=True, recent=True),
        )

    def concerns(self, op: Op, fault: Fault, context: Context) -> bool:
        """A negative size outside of the script itself is a default that says "set later". A float is told where it is
        used first; what is left to the calls of a layer, at them."""
        if op.kind == UNUSABLE and any(other.layer is op.layer for other in context.facts.ops if other is not op):
            return False
        if is_of_float(fault) and is_reported_before(op, fault, context):
            return False
        stands_for_unset = isinstance(fault.actual, int) and fault.actual < 0
        return not stands_for_unset or context.program.entry == "<module>"

    def severity_of(self, op: Op, fault: Fault) -> Severity:
        """A layer that cannot be called, and is not: the program runs."""
        return Severity.INFO if op.kind == UNUSABLE else self.severity

    def releases(self, op: Op, fault: Fault) -> Releases | None:
        """Before release 3, Keras made the units of a layer whole numbers itself, and took the padding of each side; before
        1.11, torch convolved images with a ``Conv1d`` that has a kernel of two sizes."""
        if is_kernel_of_images(op, fault):
            return Releases("torch", "1.11", "a kernel of several sizes in a layer for one axis")
        if op.framework != "keras":
            return None
        if fault.operand == "padding" and isinstance(op.args.get("padding"), tuple):
            return Releases("keras", "3.0", "the padding of each side as an argument")
        if fault.operand in ("out_features", "out_channels") and is_of_float(fault):
            return Releases("keras", "3.0", f"a float as `{own_name(op, fault.operand)}`", usual=True, recent=True)
        return None

    def message(self, op: Op, fault: Fault, context: Context) -> str:
        """The violated constraint with the values."""
        if fault.detail == MISSING:
            return f"{operation(op, context)} needs {quoted(fault.operand)}, which is not given"
        name = f" {quoted(own_name(op, fault.operand))}" if fault.operand else " its arguments"
        values = "" if fault.actual is None else f" = {size(fault.actual)}"
        return f"{operation(op, context)} does not accept{name}{values}: {fault.detail or 'the value is out of range'}"

    def advice(self, op: Op, fault: Fault, context: Context) -> str:
        """The value that would do, or which argument to change."""
        if fault.detail == MISSING:
            return f"give {quoted(fault.operand)}"
        if fault.expected is not None:
            return f"give {size(fault.expected)}"
        return (
            f"change {quoted(own_name(op, fault.operand))}, or what it has to agree with"
            if fault.operand
            else "make the arguments agree"
        )


def is_kernel_of_images(op: Op, fault: Fault) -> bool:
    """Whether a layer of torch for one axis has a kernel for several."""
    kernel = fault.operand == "kernel_size" and isinstance(fault.actual, tuple)
    return kernel and op.framework == "torch" and op.layer is not None and op.args.get("spatial") == 1


def is_reported_before(op: Op, fault: Fault, context: Context) -> bool:
    """Whether a layer that is built before in the same function is given the same name, and raises."""
    name = _given_name(op, fault.operand)
    earlier = itertools.takewhile(lambda other: other is not op, context.facts.ops)
    return name is not None and any(
        name == _given_name(other, one.operand)
        for other in earlier
        if other.kind != UNUSABLE and other.scope == op.scope and other.owner is op.owner
        for one in other.faults
        if is_of_float(one)
    )


def _given_name(op: Op, operand: str) -> str | None:
    """The name that a layer's argument is written as."""
    config = op.layer.layer if isinstance(op.layer, InstanceVal) else None
    node = config.nodes.get(operand) if config is not None else None
    return node.value.value if isinstance(node, cst.Arg) and isinstance(node.value, cst.Name) else None


def own_name(op: Op, operand: str) -> str:
    """What the library calls a parameter of a layer."""
    config = op.layer.layer if isinstance(op.layer, InstanceVal) else None
    if config is None:
        return operand
    renames = {**registry.renames(op.framework), **config.row.rename}
    taken = {parameter.name for parameter in registry.parameters(config.row.name, config.row.params) or ()}
    return next((own for own, canonical in renames.items() if canonical == operand and own in taken), operand)


#: Where Keras 1 took the initializer.
_PADDING_PLACE: Final = 3


def _names_padding(call: cst.Call) -> bool:
    """Whether the padding follows the window and the stride (``Conv2DTranspose(64, 3, 3, "valid")``), as since Keras 2."""
    value = call.args[_PADDING_PLACE].value if len(call.args) > _PADDING_PLACE else None
    return isinstance(value, cst.SimpleString) and value.evaluated_value in ("valid", "same")


def legacy_window(event: LibraryCall) -> tuple[cst.Call, cst.Arg, cst.Arg] | None:
    """The call and its second and third argument, if they are written as the sides of Keras 1's window."""
    call = event.site.node
    if event.name not in TWO_SIDED or not isinstance(call, cst.Call) or len(call.args) < 3:
        return None
    second, third = call.args[1:3]
    if any(arg.keyword is not None or arg.star for arg in (second, third)) or _names_padding(call):
        return None
    if sum(arg.keyword is None for arg in call.args) != event.positional:  # TensorFlow 1's functions take the input, too
        return None
    height, width = (int(a.value.evaluated_value) if isinstance(a.value, cst.Integer) else None for a in (second, third))
    return (call, second, third) if is_keras_1_window(height, width, event.unbound) else None
