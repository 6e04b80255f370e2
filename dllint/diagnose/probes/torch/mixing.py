"""The operation that mixes the samples of a batch, found by changing one of them.

The model runs twice in evaluation mode, on a batch and on the same batch with one sample changed. What an operation gives
differs in that sample alone, along the axis of the batch wherever it stands, until one mixes the samples. The search goes back
from the predictions through what differs in other samples to the operation all of whose operands do not.
"""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor

from dllint.diagnose.places import SourcePlace
from dllint.diagnose.probes.torch.recent import Example
from dllint.diagnose.probes.torch.tracing import Operation, TooLongError, Trace
from dllint.diagnose.probes.torch.trial import TrialModel

#: The sample that is changed: not the first one, so that an axis is not confined by chance.
_CHANGED: Final = 1


def mixing_operation(trial: TrialModel, example: Example) -> tuple[SourcePlace, str] | None:
    """The user's place and the name of the operation that mixes samples; ``None`` if it is not to be found."""
    given, *others = example.arguments
    trial.restore()
    trial.module.eval()
    try:
        first, output = _traced(trial, example, given, *others)
        second, _ = _traced(trial, example, _changed(given), *others)
    except TooLongError:
        return None
    if len(first) != len(second) or any(a.name != b.name for a, b in zip(first, second, strict=True)) or output is None:
        return None
    return _searched(first, second, output, len(given))


def _traced(trial: TrialModel, example: Example, *given: Tensor) -> tuple[list[Operation], int | None]:
    """The operations of a forward pass, and the number of the one that gave the predictions."""
    trace = Trace(_traced.__code__)
    with torch.no_grad(), trace:
        output = trial.output(example, *given)
    return trace.operations, trace.origin_of(output)


def _changed(given: Tensor) -> Tensor:
    """A batch with one other sample."""
    changed = given.detach().clone()
    changed[_CHANGED] = -1.5 * given[_CHANGED] + 0.3 if given.is_floating_point() else given[_CHANGED + 1]
    return changed


def _searched(first: list[Operation], second: list[Operation], output: int, size: int) -> tuple[SourcePlace, str] | None:
    """Back from the predictions to the first operation that has mixed the samples on the way to them."""
    seen: set[int] = set()
    at: int | None = output
    while at is not None and at not in seen:
        seen.add(at)
        mixed = [
            source
            for source in first[at].sources
            if source is not None
            and _differs(first[source], second[source])
            and not _keeps(first[source], second[source], size)
        ]
        if not mixed:
            operation = first[at]
            is_mixing = _differs(operation, second[at]) and not _keeps(operation, second[at], size)
            return (operation.places[0], operation.name) if is_mixing and operation.places else None
        at = mixed[0]
    return None


def _differs(first: Operation, second: Operation) -> bool:
    return any(bool(mask.any()) for mask in _masks(first, second))


def _keeps(first: Operation, second: Operation, size: int) -> bool:
    """Whether all that differs belongs to the sample that was changed."""
    return all(_is_confined(mask, size) for mask in _masks(first, second))


def _masks(first: Operation, second: Operation) -> list[Tensor]:
    """Where results differ; those of other shapes are left out."""
    pairs = zip(first.given, second.given, strict=False)
    return [(a != b) & ~((a != a) & (b != b)) for a, b in pairs if a.shape == b.shape]


def _is_confined(mask: Tensor, size: int) -> bool:
    """Whether an axis, of the batch's size or of samples that stand in a row, has differences at one sample only."""
    if not mask.any():
        return True
    for axis, length in enumerate(mask.shape):
        if length and length % size == 0:
            rows = mask.movedim(axis, 0).reshape(length, -1).any(dim=1).nonzero()
            width = length // size
            if int(rows.min()) >= _CHANGED * width and int(rows.max()) < (_CHANGED + 1) * width:
                return True
    return False
