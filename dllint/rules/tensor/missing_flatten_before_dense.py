"""DLT103: a linear layer gets a feature map that nobody flattened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from dllint.domains.dim import product, same
from dllint.domains.lattice import Unknown
from dllint.domains.shape import show_shape
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.operations import convert_argument
from dllint.ir.program import Fault, Op, TensorVal
from dllint.rules.fault_rule import FaultRule
from dllint.rules.offers import offer
from dllint.rules.places import called_directly
from dllint.rules.wording import operation, size


class MissingFlattenBeforeDense(FaultRule):
    """A linear layer gets a feature map that nobody flattened.

    ## What it finds
    A convolution's output of shape (N, C, H, W) goes into `Linear(C*H*W, …)`: the layer was built for the flattened map,
    but works on the last axis.

    ## Why it is bad
    The call raises, because the last axis is W.

    ## Bad
    ```python
    import torch
    from torch import nn

    net = nn.Sequential(nn.Conv2d(1, 8, 5), nn.ReLU(), nn.Linear(8 * 24 * 24, 10))
    net(torch.randn(4, 1, 28, 28))  # error: [DLT103]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    net = nn.Sequential(nn.Conv2d(1, 8, 5), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 24 * 24, 10))
    net(torch.randn(4, 1, 28, 28))
    ```

    ## When it stays silent
    A linear layer that acts on the last axis on purpose.
    ```python
    import torch
    from torch import nn

    mixer = nn.Sequential(nn.Conv2d(1, 8, 5), nn.Linear(24, 24))
    mixer(torch.randn(4, 1, 28, 28))
    ```

    ## References
    - Humbatova et al., ICSE 2020: missing flatten.
    - Nikanjam et al., NeuraLint: missing flatten.
    """

    code = "DLT103"
    name = "missing-flatten-before-dense"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.SAFE
    topics: ClassVar[tuple[str, ...]] = ("fault:feature-size", "fault:target-shape")
    suppresses = ("DLT102", "DLT101", "DLT109")

    def check(self, item: Op, context: Any) -> Iterator[Finding]:
        """A linear layer with a flattened width, or a Keras model whose output has too many axes for its labels."""
        yield from super().check(item, context)
        culprit = unflattened(item) if item.kind == "keras_loss" and item.faults else None
        if culprit is not None:
            x, target = item.args["x"], item.args["target"]
            message = (
                f"{operation(culprit, context)} {excess(culprit)}, so the model's output is {show_shape(x.shape)} where the "
                f"labels are {show_shape(target.shape)}"
            )
            related = context.related(item, "the labels meet the output here")
            yield context.finding(self, culprit, message, related=[related] if related else [])

    def concerns(self, op: Op, fault: Fault, context: Any) -> bool:
        """Whether the declared size is exactly the size of a flattened sample."""
        x = op.args.get("x")
        if (
            fault.kind != "feature-size"
            or op.kind != "linear"
            or not isinstance(x, TensorVal)
            or isinstance(x.shape, Unknown)
            or len(x.shape) < 3
        ):
            return False
        return same(product(x.shape[1:]), fault.expected)

    def message(self, op: Op, fault: Fault, context: Any) -> str:
        """The map's shape, the declared size, and where to flatten."""
        shape = op.args["x"].shape
        return (
            f"{operation(op, context)} expects {size(fault.expected)} input features, the size of a flattened sample, "
            "but gets the "
            f"unflattened map {show_shape(shape)} with {size(shape[-1])} on the last axis; flatten it first (`.flatten(1)`)"
        )

    def fixes(self, op: Op, fault: Fault, context: Any) -> list[Fix]:
        """The argument of a direct call is flattened."""
        edits = convert_argument(op, 0, "flatten", "1") if op.framework == "torch" and called_directly(op, context) else ()
        return offer(context, "Flatten the input", edits, Applicability.SAFE)


#: What makes maps and sequences, which only a flattening or a pooling turns into features.
_RECURRENT = frozenset({"rnn", "bidirectional"})
_MAKERS = frozenset({"conv", "max_pool", "avg_pool", "separable_conv"}) | _RECURRENT


def unflattened(loss: Op) -> Op | None:
    """What gives a loss too many axes for its labels: the linear layer that works on a map, or the recurrent layer that
    returns its sequence to one."""
    x, target = loss.args.get("x"), loss.args.get("target")
    if not isinstance(x, TensorVal) or not isinstance(target, TensorVal) or x.type.rank is None or target.type.rank is None:
        return None
    if x.type.rank < 3 or target.type.rank > 2:
        return None
    found, value = None, x
    while value.producer is not None and isinstance(value.producer.args.get("x"), TensorVal):
        maker = value.producer
        if maker.kind in _MAKERS:
            return maker if found is not None and maker.kind in _RECURRENT else found
        if maker.kind == "linear":
            found = maker
        value = maker.args["x"]
    return None


def excess(op: Op) -> str:
    """What is wrong with the layer that keeps the axes."""
    if op.kind in _RECURRENT:
        return f"returns its whole sequence {show_shape(op.output.shape)} to the layers after it (drop return_sequences=True)"
    return f"is applied to the unflattened {show_shape(op.args['x'].shape)} (flatten or pool before it)"
