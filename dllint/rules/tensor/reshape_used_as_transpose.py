"""DLT106: a reshape whose target is a permutation of the source's sizes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import ClassVar

from dllint.analysis.facts import Facts
from dllint.analysis.moved_axis import Moved
from dllint.domains.dim import Dim, same
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, show_shape
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.performed import Edits, as_function, as_method
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import SliceVal
from dllint.ops.kinds import does, having, having_any
from dllint.ops.traits import Trait
from dllint.ops.walk import maker_behind
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

#: Results without a meaning of their own: nothing is lost when their elements are dealt out anew.
_UNSTRUCTURED = having_any(Trait.FILLS | Trait.EMPTY | Trait.DRAWS)
#: Operations that lay the elements of a tensor down again and again: what deals them out tells the repetitions apart.
_REPEATING = having(Trait.REPEATS)
#: Operations that cut a part out.
_CUTS = having_any(Trait.SUBSCRIPTS | Trait.FROM_START)
_COUNTED = having(Trait.COUNTS_UP)
_IN_ORDER = having(Trait.KEEPS_ORDER)
#: Operations that give a tensor another shape.
_RESHAPING = _IN_ORDER - having(Trait.KEEPS_PLACES)
_PADS = having(Trait.PADS)
_PERMUTES = having(Trait.PERMUTES)


class ReshapeUsedAsTranspose(Rule[Op]):
    """A reshape swaps the sizes of two axes, but not their elements.

    ## What it finds
    `view` or `reshape` to a shape that is a permutation of the tensor's own: (B, T, F) to (T, B, F), or (N, H, W, C) to
    (N, C, H, W); and one that moves an axis while it splits or merges others: heads (B, T, H·D) to (B, H, T, D), and back.

    ## Why it is bad
    The elements stay in memory order, so samples, time steps or colours are mixed; nothing raises and training runs on
    scrambled data.

    ## Bad
    ```python
    import torch
    from torch import nn

    embed = nn.Embedding(100, 16)
    x = embed(torch.randint(0, 100, (8, 20)))
    x = x.view(20, 8, 16)  # error: [DLT106]
    ```
    ```python
    from torch import nn


    class Heads(nn.Module):
        def __init__(self):
            super().__init__()
            self.query = nn.Linear(64, 64)

        def forward(self, x):
            batch, steps, _ = x.shape
            return self.query(x).view(batch, 4, steps, 16)  # error: [DLT106]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    embed = nn.Embedding(100, 16)
    x = embed(torch.randint(0, 100, (8, 20)))
    x = x.transpose(0, 1)
    ```

    ## When it stays silent
    Axes of size 1 may move, an axis may be split or merged, and numbers that are written down may be laid out in any form.
    ```python
    import torch
    from torch import nn

    embed = nn.Embedding(100, 16)
    x = embed(torch.randint(0, 100, (8, 20)))
    heads = x.view(8, 20, 4, 4).transpose(1, 2)
    column = x.view(8, 1, 20, 16)
    numbers = torch.tensor([[1, 2, 3], [4, 5, 6]]).view(3, 2)
    ```

    ## References
    - Karpathy, *Most common neural net mistakes*: view and permute are not the same.
    """

    code = "DLT106"
    name = "reshape-used-as-transpose"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    topics: ClassVar[tuple[str, ...]] = ("op:reshape", "op:view")

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """A reshape without faults whose result permutes the sizes of its input."""
        x = item.args.get("x")
        if (
            not isinstance(x, TensorVal)
            or item.faults
            or is_skewing(item, x, context.facts)
            or is_permuted_too(item, x, context.facts)
            or (x.producer is not None and x.producer.kind in _REPEATING)
            or not item.outputs
            or isinstance(x.shape, Unknown)
            or isinstance(item.output.shape, Unknown)
        ):
            return
        order = permutation(x.shape, item.output.shape)
        moved = context.facts.moved_axis(x.shape, item.output.shape) if order is None else None
        if (order is None and moved is None) or is_example(x, x.shape, item):
            return
        if moved is not None and equal_shapes(moved.shape, x.shape):
            order = moved.after
        swap = "permute" if item.framework == "torch" else "transpose"
        shapes = f"{show_shape(x.shape)} into {show_shape(item.output.shape)}"
        message = f"{operation(item, context)} deals out the elements of {shapes} anew, which mixes the axes"
        advice = f"to swap axes use {swap}({listed(order)})" if order is not None else remedy(moved, swap)
        edits = permuted(item, order) if order is not None else ()
        fixes = offer(context, "Permute the axes", edits, Applicability.UNSAFE)
        yield context.finding(self, item, message + context.condition_note(item), advice=advice, fixes=fixes)


def listed(order: tuple[int, ...]) -> str:
    """An order of axes as arguments."""
    return ", ".join(map(str, order))


def remedy(moved: Moved | None, swap: str) -> str:
    """The permutation without which the reshape mixes axes."""
    if moved is None:
        return ""
    if moved.after == tuple(sorted(moved.after)):
        return f"move axis {moved.axis} before it, with {swap}({listed(moved.before)})"
    return f"reshape to {show_shape(moved.shape)}, then use {swap}({listed(moved.after)})"


def is_example(x: TensorVal, shape: Shape, op: Op) -> bool:
    """Whether the axes of a tensor need not mean anything: its numbers are written down or counted, as where a text shows what
    a reshape does, or it is filled with one number or drawn ones and a matrix, or changes its number of axes outside of a
    model."""
    if x.data is not None and not isinstance(x.data, Unknown):
        return True
    maker = maker_behind(x, _IN_ORDER)
    if maker is None or maker.kind in _COUNTED:
        return maker is not None
    is_plain = len(shape) < 3 or (op.owner is None and op.output.type.rank != len(shape))
    return maker.kind in _UNSTRUCTURED and is_plain


#: Functions that permute the axes of their first argument.
_PERMUTING = {"tensorflow": "tensorflow.transpose", "keras": "keras.ops.transpose"}


@builder
def permuted(op: Op, order: tuple[int, ...]) -> Edits:
    """The reshape becomes the permutation that its shapes suggest."""
    axes = ", ".join(map(str, order))
    if op.framework == "torch":
        return as_method(op, "permute", axes)
    if op.framework == "numpy":
        return as_method(op, "transpose", axes)
    name = _PERMUTING.get(op.framework)
    return as_function(op, name, f"({axes})") if name is not None else ()


def is_permuted_too(op: Op, x: TensorVal, facts: Facts) -> bool:
    """Whether the same tensor is also permuted into the same shape: who writes both knows the difference, and shows it."""
    shape = op.output.shape
    return any(
        user.kind in _PERMUTES
        and user.outputs
        and not isinstance(user.output.shape, Unknown)
        and equal_shapes(user.output.shape, shape)
        for user in facts.users(x)
    )


def equal_shapes(a: Shape, b: Shape | Unknown) -> bool:
    """Whether two shapes are provably the same."""
    return not isinstance(b, Unknown) and len(a) == len(b) and all(same(p, q) for p, q in zip(a, b, strict=True))


def is_skewing(op: Op, x: TensorVal, facts: Facts) -> bool:
    """Whether elements are dealt out anew on purpose, to shift each row by one more place than the row before: the tensor
    was padded, or is cut and put back into its old form, as in attention over relative positions."""
    producer = x.producer
    if producer is not None and producer.kind in _PADS:
        return True
    if producer is not None and producer.kind in _CUTS:
        cut = producer.args.get("x")
        return isinstance(cut, TensorVal) and cut.producer is not None and cut.producer.kind in _RESHAPING
    return any(taker.kind in _CUTS and _drops_first(taker) for taker in facts.takers(op))


def _drops_first(cut: Op) -> bool:
    begin = next((cut.args[name] for name in ("index", "begin", "start") if name in cut.args), None)
    parts = begin if isinstance(begin, tuple) else (begin,)
    if does(cut, Trait.SUBSCRIPTS):
        parts = tuple(part.start for part in parts if isinstance(part, SliceVal))
    return any(part is not None and part != 0 for part in parts)


def permutation(source: Shape, target: Shape) -> tuple[int, ...] | None:
    """The axes of ``source`` in the order of ``target``, if the sizes differ from each other and are truly permuted."""
    if len(source) != len(target):
        return None
    wide = [(i, d) for i, d in enumerate(source) if d != 1]
    kept = [d for d in target if d != 1]
    if len(wide) < 2 or len(wide) != len(kept) or not distinct([d for _, d in wide]):
        return None
    order = []
    for size in kept:
        match = next((i for i, d in wide if same(d, size)), None)
        if match is None:
            return None
        order.append(match)
    return _with_ones(source, target, order) if order != sorted(order) else None


def _with_ones(source: Shape, target: Shape, order: list[int]) -> tuple[int, ...]:
    ones, wide = iter([i for i, d in enumerate(source) if d == 1]), iter(order)
    return tuple(next(ones) if d == 1 else next(wide) for d in target)


def distinct(dims: list[Dim]) -> bool:
    """Whether no two sizes are the same."""
    return not any(same(a, b) for a, b in combinations(dims, 2))
