"""Parts of a training step that are missing or in the wrong order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from benchmarks.training_slips.kinds.kind import Site, kind
from benchmarks.training_slips.script import (
    Called,
    Loop,
    Script,
    all_removed,
    code,
    expression,
    followed,
    preceded,
    removed,
    replaced,
    without_comments,
)

#: Optimizers whose steps do not depend on the size of all gradients together.
_INVARIANT: Final = re.compile(r"Adam|RMSprop|Adagrad|Adadelta|Rprop|Adafactor|LAMB|Lion")


def steps(script: Script) -> Iterator[tuple[Called, Loop]]:
    """The steps of optimizers in the innermost loop that differentiates, too."""
    for step in script.called("step"):
        loop = step.line.loop
        if loop is not None and step.receiver in script.optimizers and within(script.backwards, loop, script):
            yield step, loop


def within(calls: list[Called], loop: Loop, script: Script) -> list[Called]:
    """Those of some calls that stand in a loop."""
    inside = {id(line.node) for line in script.inside(loop)}
    return [call for call in calls if id(call.line.node) in inside]


@kind("zero-grad-dropped", "DLO101")
def zero_grad_dropped(script: Script) -> Iterator[Site]:
    """All statements that clear the gradients of an optimizer are taken out; in a loop it steps, and losses are
    differentiated, and nothing but other optimizers is cleared in the script."""
    cleared = script.called("zero_grad")
    if any(call.receiver not in script.optimizers for call in cleared):
        return
    for step, loop in steps(script):
        own = [call for call in cleared if call.receiver == step.receiver]
        if within(own, loop, script):
            yield Site(step.line.number, all_removed(call.line for call in own))


@kind("zero-grad-before-step", "DLO102")
def zero_grad_before_step(script: Script) -> Iterator[Site]:
    """In one block, gradients were cleared before the backward pass and are now cleared between it and the step."""
    for step, _ in steps(script):
        block = step.line.block
        cleared = [c for c in script.called("zero_grad") if c.line.block is block and c.receiver == step.receiver]
        passes = [c for c in script.backwards if c.line.block is block]
        places = [call.line.index for call in (*cleared, *passes, step)]
        if len(cleared) == 1 and passes and places == sorted(places):
            moved = without_comments(cleared[0].line.node)
            yield Site(step.line.number, {cleared[0].line.node: removed, step.line.node: preceded(moved)})


@kind("backward-dropped", "DLO103")
def backward_dropped(script: Script) -> Iterator[Site]:
    """The only backward pass of a loop in which an optimizer steps is taken out."""
    for step, loop in steps(script):
        passes = within(script.backwards, loop, script)
        if len(passes) == 1 and passes[0].line.loop is step.line.loop:
            yield Site(passes[0].line.number, all_removed([passes[0].line]))


@kind("step-dropped", "DLO103")
def step_dropped(script: Script) -> Iterator[Site]:
    """The only step of an optimizer whose gradients are cleared and computed is taken out."""
    for step, _ in steps(script):
        if sum(call.receiver == step.receiver for call in script.called("step")) == 1 and "closure" not in script.text:
            yield Site(step.line.number, all_removed([step.line]))


@kind("step-behind-loop", "DLO103", "DLO102")
def step_behind_loop(script: Script) -> Iterator[Site]:
    """The only step of an optimizer stands behind the loop that clears and computes the gradients anew in each pass."""
    for step, loop in steps(script):
        cleared = [call for call in within(script.called("zero_grad"), loop, script) if call.receiver == step.receiver]
        own = sum(call.receiver == step.receiver for call in script.called("step")) == 1
        if own and step.line.block is loop.body and any(call.line.block is loop.body for call in cleared):
            yield Site(step.line.number, {step.line.node: removed, loop: followed(without_comments(step.line.node))})


@kind("method-not-called", "DLO104")
def method_not_called(script: Script) -> Iterator[Site]:
    """A statement that steps, clears gradients or differentiates lacks its parentheses."""
    for step, loop in steps(script):
        others = within(script.called("zero_grad") + script.backwards, loop, script)
        for called in (step, *others):
            if not called.call.args:
                yield Site(called.line.number, {called.call: replaced(called.call.func)})


@kind("clip-after-step", "DLO121")
def clip_after_step(script: Script) -> Iterator[Site]:
    """Gradients were clipped in front of the step of the same block, and are now clipped behind it."""
    for step, _ in steps(script):
        clips = [c for c in script.called("clip_grad_norm_", "clip_grad_value_") if c.line.block is step.line.block]
        if len(clips) == 1 and clips[0].line.index < step.line.index:
            moved = without_comments(clips[0].line.node)
            yield Site(clips[0].line.number, {clips[0].line.node: removed, step.line.node: followed(moved)})


@kind("no-grad-around-training", "DLO106", effect="raises")
def no_grad_around_training(script: Script) -> Iterator[Site]:
    """The statements of a block that lead to a loss, which is bound in them and nowhere else before, stand in
    ``torch.no_grad()``; the loss is differentiated behind them."""
    if "import torch" not in script.text:
        return
    for step, loop in steps(script):
        passes = [call for call in within(script.backwards, loop, script) if call.line.block is step.line.block]
        if len(passes) != 1 or not passes[0].receiver.isidentifier():
            continue
        loss, block = passes[0].receiver, passes[0].line.block
        bound = [b for b in script.bindings if b.name == loss and b.line.block is block and b.line.index < passes[0].line.index]
        if not bound:
            continue
        wrapped = [node for node in block.body[: passes[0].line.index] if isinstance(node, cst.BaseStatement)]
        first = block.body[0]
        context = cst.With(
            items=[cst.WithItem(expression("torch.no_grad()"))],
            body=cst.IndentedBlock([without_comments(node) for node in wrapped]),
        )
        changes = {node: removed for node in wrapped if node is not first}
        yield Site(passes[0].line.number, {**changes, first: replaced(context)})


@kind("loss-detached", "DLO106", "DLO119", "DLL117", effect="raises")
def loss_detached(script: Script) -> Iterator[Site]:
    """The loss that is differentiated is cut off from its graph."""
    for _, loop in steps(script):
        for call in within(script.backwards, loop, script):
            function = call.call.func
            if isinstance(function, cst.Attribute) and call.receiver.isidentifier():
                yield Site(call.line.number, {function.value: replaced(expression(f"{call.receiver}.detach()"))})


@kind("backward-twice", "DLO120", effect="raises")
def backward_twice(script: Script) -> Iterator[Site]:
    """A loss is differentiated twice, and its graph is not retained."""
    for _, loop in steps(script):
        for call in within(script.backwards, loop, script):
            if call.receiver.isidentifier() and not call.call.args:
                yield Site(call.line.number, {call.line.node: followed(without_comments(call.line.node))})


@kind("retain-graph", "DLO120")
def retain_graph(script: Script) -> Iterator[Site]:
    """The only backward pass of a loop retains its graph, which nothing uses again."""
    for _, loop in steps(script):
        passes = within(script.backwards, loop, script)
        if len(passes) == 1 and not passes[0].call.args and passes[0].line.loop is loop:
            new = passes[0].call.with_changes(args=[cst.Arg(expression("True"), keyword=cst.Name("retain_graph"))])
            yield Site(passes[0].line.number, {passes[0].call: replaced(new)})


@kind("accumulation-unscaled", "DLO123")
def accumulation_unscaled(script: Script) -> Iterator[Site]:
    """The loss was divided by the number of batches whose gradients are added up, by its name, and is so no more; the script
    names no optimizer whose steps are the same for larger gradients."""
    if _INVARIANT.search(script.with_imports) or "SGD" not in script.with_imports:
        return
    for bound in script.bindings:
        value, loop = bound.value, bound.line.loop
        if loop is None or not isinstance(value, cst.BinaryOperation) or not isinstance(value.operator, cst.Divide):
            continue
        if "accum" in code(value.right).lower() and within(script.backwards, loop, script):
            yield Site(bound.line.number, {value: replaced(value.left)})
