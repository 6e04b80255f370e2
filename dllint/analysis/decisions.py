"""Decisions between two classes: where a score is compared with a threshold, and what that score is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dllint.analysis.facts import Facts
from dllint.analysis.output_kind import OutputKind, source
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import InstanceVal, Value
from dllint.ops.kinds import does
from dllint.ops.traits import Trait

#: The probability at which both classes are equally likely.
_MIDDLE: Final = 0.5
_BINARY: Final = "binary_crossentropy"
_SCORED: Final = Trait.BINARY_LOSS | Trait.ALWAYS_TAKES_SCORES


@dataclass(frozen=True, slots=True)
class Decision:
    """A raw score that is compared with 0.5 or rounded (``decides``), and the loss that turns this score into a probability
    by itself (``loss``); both scores come from the same layer."""

    decides: Op
    layer: Op
    loss: Op


def on_raw_scores(facts: Facts) -> Iterator[Decision]:
    """The decisions of a program that take raw scores for probabilities, one for each place."""
    trained: dict[int, Op] = {}
    for op in facts.ops:
        if _takes_scores(op) and (made := _score(op.args.get("x"))) is not None:
            trained.setdefault(_identity(made), op)
    if not trained:
        return
    seen: set[int] = set()
    for op in facts.ops:
        made = _score(op.args.get("x")) if _decides(op) else None
        if made is not None and _identity(made) in trained and id(op.site.node) not in seen:
            seen.add(id(op.site.node))
            yield Decision(op, made, trained[_identity(made)])


def _takes_scores(op: Op) -> bool:
    """Whether a loss between two classes applies the sigmoid itself."""
    if does(op, _SCORED):
        return True
    return op.args.get("kind") == _BINARY and op.args.get("from_logits") is True and does(op, Trait.LOSS)


def _decides(op: Op) -> bool:
    return does(op, Trait.ROUNDS) or (does(op, Trait.ORDERS) and op.args.get("y") == _MIDDLE)


def _score(value: Value) -> Op | None:
    """The affine layer whose raw result a tensor is."""
    found = source(value) if isinstance(value, TensorVal) else None
    return found.op if found is not None and found.kind is OutputKind.LOGITS else None


def _identity(op: Op) -> int:
    """The layer that computes an operation, else the expression that stands for it."""
    return id(op.layer) if isinstance(op.layer, InstanceVal) else id(op.site.node)
