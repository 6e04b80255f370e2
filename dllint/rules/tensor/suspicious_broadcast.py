"""DLT108: a column meets a row of the same length and silently becomes a matrix."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from dllint.analysis.collapsed_samples import collapsed
from dllint.analysis.facts import Facts
from dllint.domains.dim import Dim, same
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, broadcast, show_shape
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.calls import append_call
from dllint.fixes.operations import convert_argument
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import does, having, having_any
from dllint.ops.ranges.spec import shape_of
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.fault_rule import origin
from dllint.rules.offers import offer
from dllint.rules.places import called_directly
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

#: PyTorch losses that broadcast their arguments with a warning at most.
PAIRWISE_LOSSES = having(Trait.PAIRWISE_LOSS)
ARITHMETIC = having_any(Trait.SUBTRACTS | Trait.ADDS | Trait.MULTIPLIES | Trait.DIVIDES) | having(Trait.COMPARES) - having(
    Trait.ORDERS
)
_ELEMENTWISE = having(Trait.POINTWISE)
_REDUCTIONS = having(Trait.REDUCES | Trait.AVERAGES) | having(Trait.REDUCES | Trait.SUMS)
#: Steps of which each element is a sum of elements of the operands, up to their signs.
_SUMS = having_any(Trait.SUBTRACTS | Trait.ADDS | Trait.NEGATES)
#: Operations that are followed behind a broadcast.
_FURTHEST = 16
_AXIS_MAKERS = having(Trait.INSERTS_AXIS)


class SuspiciousBroadcast(Rule[Op]):
    """A column of predictions meets a row of targets and silently becomes a matrix.

    ## What it finds
    Shapes (N, 1) and (N,) in a pairwise loss (`MSELoss`, `L1Loss`, `HuberLoss`, …) or in hand-written arithmetic such as
    `(p - y) ** 2` whose result is averaged or summed: broadcasting pairs every prediction with every target. In a pairwise
    loss also a prediction that is one number, because a sum or mean without `dim` has reduced the samples with the features.

    ## Why it is bad
    Nothing raises. The loss pulls every prediction towards the mean of all targets, so the model learns a constant. Where the
    pairs leave the mean as it is (sums and differences that only a mean over everything takes, or one number repeated), it is
    told as information only.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 1)
    criterion = nn.MSELoss()
    x = torch.randn(32, 8)
    y = torch.randn(32)
    loss = criterion(model(x), y)  # error: [DLT108]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 1)
    criterion = nn.MSELoss()
    x = torch.randn(32, 8)
    y = torch.randn(32)
    loss = criterion(model(x).squeeze(-1), y)
    ```

    ## When it stays silent
    Deliberate outer products: an axis inserted in the expression, or a result that is not reduced.
    ```python
    import torch

    a = torch.randn(32)
    b = torch.randn(32)
    distances = (a[:, None] - b).abs()
    mean = ((a.unsqueeze(1) - b) ** 2).mean()
    ```

    ## References
    - PyTorch's warning "Using a target size that is different to the input size".
    - Humbatova et al., ICSE 2020: missing squeeze.
    """

    code = "DLT108"
    name = "suspicious-broadcast"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    topics: ClassVar[tuple[str, ...]] = tuple(f"op:{kind}" for kind in sorted(PAIRWISE_LOSSES | ARITHMETIC))

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """A loss or an arithmetic operation whose operands stretch each other."""
        pair = operands(item)
        if pair is None or item.faults:
            return
        left, right = pair
        a, b = shape_of(left), shape_of(right)
        if a is None or b is None:
            return
        yield from self._one_for_all(item, left, right, context)
        if item.kind in PAIRWISE_LOSSES:
            bad = item.framework == "torch" and stretches(a, b)
        else:
            bad = outer(a, b) and not deliberate(item, pair) and any(reductions(item, context.facts))
        if bad:
            shape, _ = broadcast([a, b])
            pairs = f"every element of {show_shape(a)} with every element of {show_shape(b)}"
            message = f"{operation(item, context)} pairs {pairs}, which gives {show_shape(shape)}"
            advice = f"give both the same shape, e.g. squeeze(-1) on the {show_shape(longer(a, b))} tensor"
            related = [r for r in (origin(left, item, context), origin(right, item, context)) if r]
            fixes = offer(context, "Squeeze the last axis", squeezed(item, left, right, context), Applicability.UNSAFE)
            same_mean = is_averaged_over_one_number(item, pair, context.facts) or is_averaged_sum(item, context.facts)
            severity = Severity.INFO if same_mean else None
            message += context.condition_note(item)
            yield context.finding(self, item, message, advice=advice, related=related, fixes=fixes, severity=severity)

    def _one_for_all(self, item: Op, left: TensorVal, right: TensorVal, context: Context) -> Iterator[Finding]:
        """A loss of PyTorch whose prediction is one sum over the features of all samples."""
        target = shape_of(right)
        if item.kind not in PAIRWISE_LOSSES or item.framework != "torch" or target is None:
            return
        reduction = collapsed(left, target)
        if reduction is None or is_one_number(item, right, context.facts):
            return
        message = f"{operation(item, context)} compares each of {show_shape(target)} with one number, to which all samples are"
        yield context.finding(
            self,
            item,
            f"{message} reduced" + context.condition_note(item),
            advice="reduce the axes of the features only, e.g. dim=1",
            severity=Severity.WARNING,
            related=[place for place in (context.related(reduction, "all samples are reduced to one number here"),) if place],
        )


@builder
def squeezed(op: Op, left: TensorVal, right: TensorVal, context: Context) -> tuple[Edit, ...]:
    """``.squeeze(-1)`` on the operand with the last axis of size 1, where it stands in the source."""
    a, b = shape_of(left), shape_of(right)
    if a is None or b is None or not is_one(longer(a, b)[-1]) or op.framework != "torch":
        return ()
    second = longer(a, b) is b
    node = op.site.node
    if isinstance(node, cst.BinaryOperation):
        return append_call(op.site, node.right if second else node.left, "squeeze", "-1")
    return convert_argument(op, int(second), "squeeze", "-1") if called_directly(op, context) else ()


def operands(op: Op) -> tuple[TensorVal, TensorVal] | None:
    """The two tensors of the operation, if both have known rank."""
    left, right = op.args.get("x"), op.args.get("target" if op.kind in PAIRWISE_LOSSES else "y")
    if not isinstance(left, TensorVal) or not isinstance(right, TensorVal):
        return None
    return None if isinstance(left.shape, Unknown) or isinstance(right.shape, Unknown) else (left, right)


def longer(left: Shape, right: Shape) -> Shape:
    """The shape with more axes."""
    return left if len(left) >= len(right) else right


def is_one(dim: Dim) -> bool:
    """Whether a size is exactly 1."""
    return isinstance(dim, int) and dim == 1


def aligned(a: Shape, b: Shape) -> list[tuple[Dim, Dim]]:
    """The sizes of both shapes axis by axis, the shorter one filled with 1 in front."""
    rank = max(len(a), len(b))
    return list(zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b, strict=True))


def outer(a: Shape, b: Shape) -> bool:
    """Whether (N, 1) meets (N,), up to order: both operands are stretched to the same other size."""
    pairs = aligned(a, b)
    left = [y for x, y in pairs if is_one(x) and not is_one(y)]
    right = [x for x, y in pairs if is_one(y) and not is_one(x)]
    return len(a) != len(b) and len(left) == len(right) == 1 and same(left[0], right[0]) and max(len(a), len(b)) == 2


def stretches(a: Shape, b: Shape) -> bool:
    """Whether a loss would stretch both of its operands, or the prediction's single column over several targets."""
    pairs = aligned(a, b)
    left = any(is_one(x) and not is_one(y) for x, y in pairs)
    right = any(is_one(y) and not is_one(x) for x, y in pairs)
    return left and right


def deliberate(op: Op, pair: tuple[TensorVal, TensorVal]) -> bool:
    """Whether an operand got its axis in the same statement, as for pairwise distances."""
    for value in pair:
        maker = value.producer
        if maker is not None and (maker.kind in _AXIS_MAKERS or inserts_axis(maker)):
            return True
    return False


def inserts_axis(op: Op) -> bool:
    """``x[:, None]``."""
    index = op.args.get("index")
    return does(op, Trait.SUBSCRIPTS) and (index is None or (isinstance(index, tuple) and any(part is None for part in index)))


def is_averaged_over_one_number(op: Op, pair: tuple[TensorVal, TensorVal], facts: Facts) -> bool:
    """Whether one operand is the same number everywhere, as the labels of a GAN, and only means are taken of the result: each
    is what it would be without the pairs. Losses warn of them when they run."""
    if op.kind in PAIRWISE_LOSSES or not all(does(reduction, Trait.AVERAGES) for reduction in reductions(op, facts)):
        return False
    return any(is_one_number(op, value, facts) for value in pair)


def is_one_number(op: Op, value: TensorVal, facts: Facts) -> bool:
    """Whether an operand is the same number everywhere."""
    found = facts.ranges.at(op, value)
    return found.low.known and found.low.value == found.high.value


def is_averaged_sum(op: Op, facts: Facts) -> bool:
    """Whether a sum or difference is averaged as it is, as energies are: the mean of ``a[i] + b[j]``
    over all pairs is ``mean(a) + mean(b)``, and so are the gradients. Whatever else takes the result sees the pairs."""
    if op.kind not in _SUMS:
        return False
    todo, seen = [op], 0
    while todo:
        current = todo.pop()
        seen += 1
        takers = [taker for output in current.outputs for taker in facts.users(output)]
        if not takers or seen > _FURTHEST:
            return False
        for taker in takers:
            if taker.kind in _SUMS:
                todo.append(taker)
            elif not does(taker, Trait.AVERAGES) or taker.args.get("dim") is not None:
                return False
    return True


def reductions(op: Op, facts: Facts) -> Iterator[Op]:
    """The means and sums over everything in which the result ends through element-wise steps."""
    todo, seen = [op], 0
    while todo and seen < _FURTHEST:
        current = todo.pop()
        seen += 1
        for user in (u for output in current.outputs for u in facts.users(output)):
            if user.kind in _REDUCTIONS and user.args.get("dim") is None:
                yield user
            if user.kind in _ELEMENTWISE:
                todo.append(user)
