"""Schedulers, samplers and scalers that are stepped or told something at the wrong place, or not at all."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from benchmarks.training_slips.kinds.gradients import steps, within
from benchmarks.training_slips.kinds.kind import Site, kind
from benchmarks.training_slips.script import (
    Called,
    Script,
    all_removed,
    ending,
    expression,
    followed,
    preceded,
    removed,
    replaced,
    without_comments,
)

_PLATEAU = "ReduceLROnPlateau"


def _scheduled(script: Script) -> Iterator[tuple[Called, str]]:
    """The only step of each scheduler, and what has made that."""
    for step in script.called("step"):
        maker = script.schedulers.get(step.receiver)
        if maker is not None and sum(other.receiver == step.receiver for other in script.called("step")) == 1:
            yield step, maker


def _batches(step: Called, script: Script) -> list[cst.For]:
    """The loops in the block of a scheduler's step, in front of it, in which an optimizer steps."""
    return [
        node
        for node in step.line.block.body[: step.line.index]
        if isinstance(node, cst.For) and any(loop is node for _, loop in steps(script))
    ]


@kind("scheduler-first", "DLO111")
def scheduler_first(script: Script) -> Iterator[Site]:
    """A scheduler that stepped behind its optimizer, in the same block or behind the loop in it, steps before it."""
    for step, maker in _scheduled(script):
        if maker == _PLATEAU or step.call.args or step.line.loop is None:
            continue
        own = [o for o, _ in steps(script) if o.line.block is step.line.block and o.line.index < step.line.index]
        before = [call.line.node for call in own] or list(_batches(step, script))
        if before:
            moved = without_comments(step.line.node)
            yield Site(step.line.number, {step.line.node: removed, before[0]: preceded(moved)})


@kind("scheduler-per-batch", "DLO112")
def scheduler_per_batch(script: Script) -> Iterator[Site]:
    """A scheduler that stepped behind the loop over the batches, once an epoch, steps in it."""
    for step, maker in _scheduled(script):
        loops = _batches(step, script)
        if maker != _PLATEAU and step.line.loop is not None and loops and not step.call.args:
            moved = without_comments(step.line.node)
            yield Site(step.line.number, {step.line.node: removed, loops[-1].body: ending(moved)})


@kind("scheduler-per-epoch", "DLO112")
def scheduler_per_epoch(script: Script) -> Iterator[Site]:
    """A scheduler that stepped in the loop over the batches steps behind it, once an epoch."""
    for step, maker in _scheduled(script):
        loop = step.line.loop
        if maker == _PLATEAU or not isinstance(loop, cst.For) or len(step.line.loops) < 2:
            continue
        if step.line.block is loop.body and within(script.backwards, loop, script):
            yield Site(step.line.number, {step.line.node: removed, loop: followed(without_comments(step.line.node))})


@kind("scheduler-never-stepped", "DLO112")
def scheduler_never_stepped(script: Script) -> Iterator[Site]:
    """The only step of a scheduler is taken out."""
    for step, _ in _scheduled(script):
        yield Site(step.line.number, all_removed([step.line]))


@kind("scheduler-without-metric", "DLO112", effect="raises")
def scheduler_without_metric(script: Script) -> Iterator[Site]:
    """A scheduler that waits for a plateau is stepped without its metric."""
    for step, maker in _scheduled(script):
        if maker == _PLATEAU and step.call.args:
            yield Site(step.line.number, {step.call: replaced(step.call.with_changes(args=[]))})


@kind("set-epoch-dropped", "DLO130")
def set_epoch_dropped(script: Script) -> Iterator[Site]:
    """A distributed sampler that shuffles was told the epoch, and is so no more."""
    calls = script.called("set_epoch")
    if calls and "shuffle=False" not in script.text and "DistributedSampler" in script.text:
        yield Site(calls[0].line.number, all_removed(call.line for call in calls))


@kind("unscale-dropped", "DLO121")
def unscale_dropped(script: Script) -> Iterator[Site]:
    """Gradients are clipped while a scaler has made them larger: the statement that made them small again is taken out."""
    clips = script.called("clip_grad_norm_", "clip_grad_value_")
    for call in script.called("unscale_"):
        if any(clip.line.block is call.line.block and clip.line.index > call.line.index for clip in clips):
            yield Site(call.line.number, all_removed([call.line]))


@kind("scaler-not-updated", "DLO122", effect="raises")
def scaler_not_updated(script: Script) -> Iterator[Site]:
    """A scaler that steps an optimizer is never updated, so that its second step raises."""
    for call in script.called("update"):
        steps_of = [step for step in script.called("step") if step.receiver == call.receiver and step.call.args]
        if steps_of and sum(other.receiver == call.receiver for other in script.called("update")) == 1:
            yield Site(call.line.number, all_removed([call.line]))


@kind("plain-step-of-scaled", "DLO122", effect="raises")
def plain_step_of_scaled(script: Script) -> Iterator[Site]:
    """A loss is scaled, and the optimizer steps without the scaler; nothing unscales the gradients, so that the update of the
    scaler raises."""
    if "unscale_" in script.text:
        return
    for call in script.called("step"):
        if len(call.call.args) == 1 and f"{call.receiver}.scale(" in script.text:
            optimizer = script.module.code_for_node(call.call.args[0].value)
            yield Site(call.line.number, {call.call: replaced(expression(f"{optimizer}.step()"))})
