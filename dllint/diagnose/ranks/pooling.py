"""Statistics of the same quantity in several processes, pooled into one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from dllint.diagnose.records import BatchRecord, LossCall, ParameterSample, TensorStats


def pooled_stats(parts: Sequence[TensorStats]) -> TensorStats:
    """The statistics of all elements together; ``minimum`` and ``maximum`` are of the finite ones."""
    count = sum(part.count for part in parts)
    finite = [part.count * part.finite_share for part in parts]
    known = [(weight, part) for weight, part in zip(finite, parts, strict=True) if weight]
    total = sum(finite)
    if not count or not known:
        return parts[0]
    mean = sum(weight * part.mean for weight, part in known) / total
    spread = sum(weight * (part.std**2 + (part.mean - mean) ** 2) for weight, part in known) / total
    return TensorStats(
        count,
        total / count,
        mean,
        math.sqrt(spread),
        min(part.minimum for _, part in known),
        max(part.maximum for _, part in known),
        sum(part.count * part.zero_share for part in parts) / count,
    )


def pooled_call(calls: Sequence[LossCall]) -> LossCall:
    """The arguments of a loss function in all processes, as if their batches had been one."""
    weights = [max(call.prediction.count, 1) for call in calls]

    def mean(values: Sequence[float | None]) -> float | None:
        known = [value for value in values if value is not None]
        if len(known) < len(calls):
            return None
        return sum(weight * value for weight, value in zip(weights, known, strict=True)) / sum(weights)

    changes = [call.changes for call in calls]
    return replace(
        calls[0],
        value=mean([call.value for call in calls]) or 0.0,
        prediction=pooled_stats([call.prediction for call in calls]),
        target=pooled_stats([call.target for call in calls]),
        correct=mean([call.correct for call in calls]),
        labels=_summed(call.labels for call in calls),
        predicted=_summed(call.predicted for call in calls),
        hits=_summed(call.hits for call in calls),
        changes=sum(change or 0 for change in changes) if None not in changes else None,
        constant=mean([call.constant for call in calls]),
        row_sum=_if_known(max, [call.row_sum for call in calls]),
        spread=mean([call.spread for call in calls]),
    )


def pooled_batch(batches: Sequence[BatchRecord]) -> BatchRecord:
    """The statistics of all batches, under the shape and the marks of the first one."""
    tensors = []
    for index, tensor in enumerate(batches[0].tensors):
        same = [batch.tensors[index] for batch in batches if index < len(batch.tensors)]
        stats = [other.stats for other in same if other.stats is not None]
        counts = _summed(other.classes for other in same)
        tensors.append(replace(tensor, stats=pooled_stats(stats) if stats else None, classes=counts))
    return replace(batches[0], tensors=tuple(tensors))


def whole_parameter(shards: Sequence[ParameterSample]) -> ParameterSample:
    """The norms of a parameter of which each process holds a part."""
    return ParameterSample(
        math.hypot(*(shard.weight for shard in shards)),
        _if_known(lambda norms: math.hypot(*norms), [shard.gradient for shard in shards]),
        _if_known(lambda norms: math.hypot(*norms), [shard.update for shard in shards]),
    )


def _summed(mappings: Iterable[Mapping[str, int]]) -> Mapping[str, int]:
    total: Counter[str] = Counter()
    for mapping in mappings:
        total.update(mapping)
    return dict(total)


def _if_known(combine: Callable[[list[float]], float], values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return combine(known) if known and len(known) == len(values) else None
