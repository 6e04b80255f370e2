"""The numbers of the pictures that a loader gives to a model, in training and in evaluation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dllint.analysis.data_scale import source
from dllint.analysis.facts import Facts
from dllint.analysis.output_kind import AFFINE
from dllint.domains.shape import Shape
from dllint.ir.program import Op, TensorVal

#: Pictures as they are stored, as floats or as bytes.
STORED: Final = ((0.0, 1.0), (0.0, 255.0))


@dataclass(frozen=True, slots=True)
class Fed:
    """A layer that takes what a loader gives, the shape of that, and the smallest and the largest number in it."""

    layer: Op
    shape: Shape
    numbers: tuple[float, float]


def fed_otherwise(facts: Facts) -> Iterator[tuple[Fed, Fed]]:
    """What models are trained on, and what they are evaluated on, where one is scaled as it is stored and the other is not.

    Both are batches of loaders, of samples with the same number of axes; the numbers of both are known.
    """
    trained: dict[int, Fed] = {}
    evaluated: list[Fed] = []
    for op in facts.ops:
        given = fed(op)
        if given is not None and id(op) in facts.without_gradient:
            evaluated.append(given)
        elif given is not None:
            trained.setdefault(id(op.layer), given)
    told: set[int] = set()
    for given in evaluated:
        before = trained.get(id(given.layer.layer))
        if before is None or before.numbers == given.numbers or id(given.layer.layer) in told:
            continue
        if len(before.shape) == len(given.shape) and (before.numbers in STORED) != (given.numbers in STORED):
            told.add(id(given.layer.layer))
            yield before, given


def fed(op: Op) -> Fed | None:
    """What a loader gives to a layer, if it does and the numbers are known."""
    x = op.args.get("x")
    if op.kind not in AFFINE or op.layer is None or not isinstance(x, TensorVal):
        return None
    batch = source(x)
    sample = batch.sample
    if batch.producer is not None or sample is None or sample.modified or batch.modified:
        return None
    if sample.low is None or sample.high is None or not isinstance(batch.shape, tuple):
        return None
    return Fed(op, batch.shape, (sample.low, sample.high))
