"""One record of a run, made of the records of its processes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from dllint.diagnose.ranks.pooling import pooled_batch, pooled_call, whole_parameter
from dllint.diagnose.records import LossRecord, NumericFault, ParameterSample, RunRecord, StepRecord


def united(own: RunRecord, others: Mapping[int, RunRecord]) -> RunRecord:
    """The first process's record with the numbers of all: losses are means, norms of shards those of the whole, batches and
    loss calls pooled, at the steps that all have sampled. Processes with another model (a pipeline's, say) only add their
    faults."""
    alike = [run for run in others.values() if _model(run) == _model(own)]
    faults = sorted((*own.faults, *_of_ranks(others)), key=_age)
    whole = replace(own, faults=tuple(faults))
    if not alike or not own.grouped:
        return whole
    sharded = frozenset(parameter.name for parameter in own.parameters if parameter.sharded)
    return replace(
        whole,
        losses=tuple(_mean(loss, [_loss(run, loss) for run in alike]) for loss in own.losses),
        steps=tuple(_pooled(step, [_step(run, step) for run in alike], sharded) for step in own.steps),
    )


def _model(run: RunRecord) -> frozenset[tuple[str, tuple[int, ...]]]:
    return frozenset((parameter.name, parameter.shape) for parameter in run.parameters)


def _of_ranks(others: Mapping[int, RunRecord]) -> Iterator[NumericFault]:
    for rank, run in others.items():
        for fault in run.faults:
            yield replace(fault, rank=rank)


def _age(fault: NumericFault) -> tuple[int, bool]:
    """Gradients are summed over processes: in all but one the fault came from another."""
    return fault.step, fault.where in ("gradient", "weight")


def _loss(run: RunRecord, wanted: LossRecord) -> LossRecord | None:
    return next((loss for loss in run.losses if (loss.key, loss.backward) == (wanted.key, wanted.backward)), None)


def _mean(own: LossRecord, others: Sequence[LossRecord | None]) -> LossRecord:
    """A loss whose values are means over processes, at the steps that all of them have."""
    courses = [dict(zip(loss.steps, loss.values, strict=True)) for loss in others if loss is not None]
    if len(courses) < len(others):
        return own
    values = [
        fmean([value, *(course[step] for course in courses)]) if all(step in course for course in courses) else value
        for step, value in zip(own.steps, own.values, strict=True)
    ]
    return replace(own, values=tuple(values))


def _step(run: RunRecord, wanted: StepRecord) -> StepRecord | None:
    return next((step for step in run.steps if (step.track, step.step) == (wanted.track, wanted.step)), None)


def _pooled(own: StepRecord, others: Sequence[StepRecord | None], sharded: frozenset[str]) -> StepRecord:
    steps = [own, *(step for step in others if step is not None)]
    if len(steps) <= len(others):
        return own
    batches = [step.batch for step in steps if step.batch is not None]
    same_calls = {tuple(call.kind for call in step.calls) for step in steps}
    return replace(
        own,
        batch=pooled_batch(batches) if len(batches) == len(steps) else own.batch,
        calls=tuple(map(pooled_call, zip(*(step.calls for step in steps), strict=True))) if len(same_calls) == 1 else own.calls,
        parameters={name: _whole(name, sample, steps, sharded) for name, sample in own.parameters.items()},
    )


def _whole(name: str, own: ParameterSample, steps: Sequence[StepRecord], sharded: frozenset[str]) -> ParameterSample:
    if name not in sharded:
        return own
    return whole_parameter([step.parameters[name] for step in steps if name in step.parameters])
