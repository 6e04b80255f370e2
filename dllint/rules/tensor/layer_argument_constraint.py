"""DLT118: the arguments of a layer contradict each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import libcst as cst

from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import remove_argument, replace_value
from dllint.fixes.places import inner, replacing
from dllint.ir.program import Event, Fault, Op
from dllint.rules.fault_rule import FaultRule
from dllint.rules.offers import offer
from dllint.rules.wording import operation, quoted, size

#: Keras 1 took height and width of the window as two arguments; the second of them is the stride today.
_TWO_SIDED = ("keras.layers.Conv2D",)


class LayerArgumentConstraint(FaultRule):
    """The arguments of a layer or function contradict each other.

    ## What it finds
    Channels that `groups` does not divide, an embedding width that the number of heads does not divide, `padding='same'`
    with a stride in PyTorch, an output padding not smaller than stride and dilation, negative sizes, a padding list
    for more axes than the tensor has. In Keras, `Conv2D(32, 3, 3)`: since Keras 2 the third argument is the stride. Also Keras 1's `Conv2D(32, 3, 3)`, whose third argument is a stride today.

    ## Why it is bad
    The constructor or the first call raises.

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
    topics: ClassVar[tuple[str, ...]] = ("fault:argument", "event:call")
    suppresses = ("DLT104", "DLT101", "DLT109")

    def check(self, item: Any, context: Any) -> Iterator[Finding]:
        """The violated constraints of an operation, and Keras 1's way to write a window."""
        if not isinstance(item, Event):
            yield from super().check(item, context)
        elif (window := legacy_window(item)) is not None:
            call, second, third = window
            side = context.text(second.value)
            text = f"{context.text(call.func)}({context.text(call.args[0].value)}, {side}, {side})"
            edits = (*replace_value(item.site, second, f"({side}, {side})"), *remove_argument(item.site, call, third))
            fixes = offer(context, f"Write the window as ({side}, {side})", edits, Applicability.UNSAFE)
            meant = f"not a window of {side}×{side} (Keras 1); write kernel_size=({side}, {side})"
            message = f"{quoted(text)} has a stride of {side}, {meant}"
            yield context.finding(self, item, message + context.condition_note(item), node=call, fixes=fixes)

    def check(self, item: Op | Event, context: Any) -> Iterator[Finding]:
        """The faults of an operation, or a Keras convolution called as in Keras 1."""
        if isinstance(item, Op):
            yield from super().check(item, context)
        elif (size := legacy_kernel(item)) is not None:
            name = str(item.data["name"]).rpartition(".")[2]
            filters = unwrap(item.data["bound"].get("filters"))
            message = (
                f"the third positional argument of `{name}` is the stride, so {quoted(context.text(item.site.node))} moves by {size} "
                f"pixels; for a {size} x {size} kernel write {name}({filters}, ({size}, {size}))"
            )
            fixes = offer(context, "Write the kernel as a tuple", square_kernel(item, size), Applicability.UNSAFE)
            yield context.finding(self, item, message, fixes=fixes, severity=Severity.WARNING)

    def concerns(self, op: Op, fault: Fault, context: Any) -> bool:
        """A negative size outside of the script itself is a default that says "set later"."""
        stands_for_unset = isinstance(fault.actual, int) and fault.actual < 0
        return not stands_for_unset or context.program.entry == "<module>"

    def message(self, op: Op, fault: Fault, context: Any) -> str:
        """The violated constraint with the values."""
        name = f" {quoted(fault.operand)}" if fault.operand else " its arguments"
        values = "" if fault.actual is None else f" = {size(fault.actual)}"
        wanted = f", expected {size(fault.expected)}" if fault.expected is not None else ""
        return f"{operation(op, context)} does not accept{name}{values}: {fault.detail or 'the value is out of range'}{wanted}"


def legacy_window(event: Event) -> tuple[cst.Call, cst.Arg, cst.Arg] | None:
    """The call and its second and third argument, if they are the same odd number, written out: Keras 1's window.

    An even number twice is how images are cut into patches, and a stride as large as an odd window is not.
    """
    call = event.site.node
    if event.data.get("name") not in _TWO_SIDED or not isinstance(call, cst.Call) or len(call.args) < 3:
        return None
    _, second, third = call.args[:3]
    if any(arg.keyword is not None or arg.star or not isinstance(arg.value, cst.Integer) for arg in (second, third)):
        return None
    sides = [int(arg.value.evaluated_value) for arg in (second, third) if isinstance(arg.value, cst.Integer)]
    odd = sides[0] == sides[1] and sides[0] >= 3 and sides[0] % 2 == 1
    return (call, second, third) if odd else None


def legacy_kernel(event: Event) -> int | None:
    """The size n of ``Conv2D(filters, n, n)``, where n is odd: kernels are, strides are not."""
    bound, nodes = event.data.get("bound") or {}, event.data.get("nodes") or {}
    kernel, strides, arg = unwrap(bound.get("kernel_size")), unwrap(bound.get("strides")), nodes.get("strides")
    if event.data.get("name") not in _CONVOLUTIONS or not isinstance(arg, cst.Arg) or arg.keyword is not None:
        return None
    return kernel if isinstance(kernel, int) and kernel == strides and kernel > 1 and kernel % 2 else None


def square_kernel(event: Event, size: int) -> tuple[Edit, ...]:
    """``n, n`` becomes ``(n, n)``."""
    nodes = event.data["nodes"]
    first, last = nodes.get("kernel_size"), nodes.get("strides")
    if not isinstance(first, cst.Arg) or not isinstance(last, cst.Arg) or first.keyword is not None:
        return ()
    start, _ = inner(event.site, first.value)
    _, end = inner(event.site, last.value)
    return (replacing(event.site, start, end, f"({size}, {size})"),)


_CONVOLUTIONS = ("keras.layers.Conv2D", "keras.layers.Convolution2D", "keras.layers.SeparableConv2D")
