"""DLT103: a linear layer gets a feature map that nobody flattened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.keras_training import CROSS_ENTROPIES, fitted_target, heads
from dllint.analysis.output_kind import NONLINEAR
from dllint.domains.dim import product, same
from dllint.domains.lattice import Unknown
from dllint.domains.shape import show_shape
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import offering
from dllint.fixes.operations import convert_argument
from dllint.ir.events import Compile
from dllint.ir.program import Fault, Op, TensorVal
from dllint.ops.kinds import does, having, having_any
from dllint.ops.ranges.spec import shape_of
from dllint.ops.sizes import is_dim
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.fault_rule import FaultRule
from dllint.rules.offers import offer
from dllint.rules.places import called_directly
from dllint.rules.wording import operation, size

#: Losses that compare a prediction with labels sample by sample.
_LOSSES = having(Trait.ON_SAMPLES)


class MissingFlattenBeforeDense(FaultRule):
    """A linear layer gets a feature map that nobody flattened.

    ## What it finds
    A convolution's output of shape (N, C, H, W) goes into `Linear(C*H*W, …)`: the layer was built for the flattened map,
    but works on the last axis. In Keras, a `Dense` on a map whose output has more axes than the labels, or, where the labels
    are not known, predicts for every position of a shrunken map.

    ## Why it is bad
    The call raises, because the last axis is W. Keras raises where the labels do not fit, or compares each label with all
    positions.

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
    topics: ClassVar[tuple[str, ...]] = (
        "fault:feature-size",
        "fault:target-shape",
        "event:compile",
        *(f"op:{kind}" for kind in sorted(_LOSSES)),
    )
    suppresses = ("DLT102", "DLT101", "DLT109")

    def check(self, item: Op | Compile, context: Context) -> Iterator[Finding]:
        """A linear layer with a flattened width, or a Keras model whose output has too many axes for its labels."""
        if isinstance(item, Compile):
            yield from self._unlabelled(item, context)
            return
        yield from super().check(item, context)
        culprit = unflattened(item) if item.kind in _LOSSES and (item.faults or is_spread(item)) else None
        if culprit is not None:
            output, labels = (show_shape(shape_of(item.args.get(name)) or ()) for name in ("x", "target"))
            outcome = f"the output is {output} where the labels are {labels}"
            message = f"{operation(culprit, context)} {excess(culprit)}, so {outcome}"
            related = context.related(item, "the labels meet the output here")
            evidence = [related] if related else []
            yield context.finding(self, culprit, message, advice=without_excess(culprit), related=evidence)

    def _unlabelled(self, event: Compile, context: Context) -> Iterator[Finding]:
        """A compiled classifier that predicts for every position its convolutions left, labels of unknown shape."""
        for head in heads(event, context.facts):
            target = fitted_target(head, context.facts)
            culprit = dense_on_map(head.output) if head.kind in CROSS_ENTROPIES else None
            if culprit is not None and (target is None or target.type.rank is None):
                outcome = f"the output {show_shape(head.output.shape)} has one prediction per position"
                message = f"{operation(culprit, context)} {excess(culprit)}, so {outcome}"
                advice = without_excess(culprit)
                yield context.finding(self, culprit, message, advice=advice, severity=Severity.WARNING)

    def concerns(self, op: Op, fault: Fault, context: Context) -> bool:
        """Whether the declared size is exactly the size of a flattened sample."""
        x = op.args.get("x")
        if (
            fault.kind != "feature-size"
            or not does(op, Trait.DENSE)
            or not isinstance(x, TensorVal)
            or isinstance(x.shape, Unknown)
            or len(x.shape) < 3
        ):
            return False
        return is_dim(fault.expected) and same(product(x.shape[1:]), fault.expected)

    def message(self, op: Op, fault: Fault, context: Context) -> str:
        """The map's shape and the declared size."""
        shape = show_shape(shape_of(op.args.get("x")) or ())
        wanted = f"the {size(fault.expected)} features of a flattened sample"
        return f"{operation(op, context)} expects {wanted}, but gets the map {shape}"

    def advice(self, op: Op, fault: Fault, context: Context) -> str:
        """Where to flatten."""
        return "flatten the map first (`.flatten(1)`)"

    @offering
    def fixes(self, op: Op, fault: Fault, context: Context) -> list[Fix]:
        """The argument of a direct call is flattened."""
        edits = convert_argument(op, 0, "flatten", "1") if op.framework == "torch" and called_directly(op, context) else ()
        return offer(context, "Flatten the input", edits, Applicability.SAFE)


#: What makes maps and sequences, which only a flattening or a pooling turns into features.
_RECURRENT = having(Trait.RECURRENT)
_MAKERS = having_any(Trait.CONVOLVES | Trait.POOLS) | _RECURRENT


def unflattened(loss: Op) -> Op | None:
    """What gives a loss too many axes for its labels: the linear layer that works on a map, or the recurrent layer that
    returns its sequence to one."""
    x, target = loss.args.get("x"), loss.args.get("target")
    if not isinstance(x, TensorVal) or not isinstance(target, TensorVal) or x.type.rank is None or target.type.rank is None:
        return None
    if x.type.rank < 3 or target.type.rank > 2:
        return None
    found = None
    for maker in _makers(x):
        if maker.kind in _MAKERS:
            return maker if found is not None and maker.kind in _RECURRENT else found
        if does(maker, Trait.DENSE):
            found = maker
    return None


def _makers(value: TensorVal) -> Iterator[Op]:
    """The operations that a tensor comes from along their first operands, as far as that is a tensor."""
    while (maker := value.producer) is not None and isinstance(operand := maker.args.get("x"), TensorVal):
        yield maker
        value = operand


def is_spread(loss: Op) -> bool:
    """Whether Keras drops the last axis of a prediction (N, T, 1) for labels (N, 1), and compares each with all T."""
    x, target = loss.args.get("x"), loss.args.get("target")
    scores, labels = shape_of(x), shape_of(target)
    if scores is None or labels is None or (len(scores), len(labels)) != (3, 2):
        return False
    return scores[2] == labels[1] == 1 and isinstance(scores[1], int) and scores[1] > 1


_PASSES = NONLINEAR | having_any(Trait.KEEPS_PLACES | Trait.DROPS | Trait.STANDARDISES)


def dense_on_map(output: TensorVal) -> Op | None:
    """The first linear layer between a convolution or pooling and an output that still has positions, fewer than the
    input along every axis: no label can belong to each of them."""
    found = None
    for maker in _makers(output):
        if maker.kind in _MAKERS - _RECURRENT:
            return found if found is not None and _is_smaller(output, _entry(output)) else None
        if does(maker, Trait.DENSE):
            found = maker
        elif maker.kind not in _PASSES:
            return None
    return None


def _entry(value: TensorVal) -> TensorVal:
    """The model input that a map was made from."""
    for maker in _makers(value):
        operand = maker.args.get("x")
        value = operand if isinstance(operand, TensorVal) else value
    return value


def _is_smaller(output: TensorVal, entry: TensorVal) -> bool:
    if isinstance(output.shape, Unknown) or isinstance(entry.shape, Unknown) or len(output.shape) != len(entry.shape):
        return False
    pairs = list(zip(output.shape[1:-1], entry.shape[1:-1], strict=True))
    return bool(pairs) and all(isinstance(o, int) and isinstance(e, int) and 1 < o < e for o, e in pairs)


def excess(op: Op) -> str:
    """What is wrong with the layer that keeps the axes."""
    if op.kind in _RECURRENT:
        return f"returns its whole sequence {show_shape(op.output.shape)}"
    return f"is applied to the unflattened {show_shape(shape_of(op.args.get('x')) or ())}"


def without_excess(op: Op) -> str:
    """What to do about the layer that keeps the axes."""
    return "drop return_sequences=True" if op.kind in _RECURRENT else "flatten or pool before it"
