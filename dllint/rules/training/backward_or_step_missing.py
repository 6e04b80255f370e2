"""DLO103: a training loop lacks the backward pass or the step, or the step stands behind the loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant

from dllint.analysis.training import Training, is_optimizer
from dllint.analysis.typestate import gradients, thrown_away
from dllint.analysis.typestate.named import receiver
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.statements import delete, insert_after
from dllint.ir import events
from dllint.ir.program import Program
from dllint.ir.values import Value
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import TRAINS, Rule
from dllint.rules.training_places import same_function
from dllint.rules.wording import assigned_name, quoted


class BackwardOrStepMissing(Rule[Program]):
    """A loop clears gradients, but computes none, or no step applies them.

    ## What it finds
    Four forms, each in one function or spread over helper functions, methods and files:

    - gradients are cleared and a step is made, but the program has no backward pass;
    - gradients are cleared and computed, but the program never steps the optimizer that it has made;
    - each pass of a loop clears and computes gradients of an optimizer that the code is given, and nothing steps it;
    - each pass of a loop clears and computes gradients, and the step stands behind the loop.

    ## Why it is bad
    Nothing raises and nothing is learned; in the fourth form, each epoch learns from its last batch alone.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 2, (4,)))
        optimizer.step()  # error: [DLO103]
    ```

    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 2, (4,)))
        loss.backward()  # error: [DLO103]
    ```

    ```python
    from torch import nn


    def train(model, optimizer, loader):
        for epoch in range(10):
            for x, y in loader:
                optimizer.zero_grad()
                loss = nn.functional.cross_entropy(model(x), y)
                loss.backward()
            optimizer.step()  # error: [DLO103]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 2, (4,)))
        loss.backward()
        optimizer.step()
    ```

    ## When it stays silent
    Engines that differentiate or step, closures, gradients that are computed or used by hand, gradients that several passes add
    up for one step, and optimizers and models that are handed to code that is not followed.
    ```python
    import torch
    from engine import differentiate, launch
    from torch import nn


    def with_engine(accelerator, model, optimizer, loader):
        for x, y in loader:
            optimizer.zero_grad()
            accelerator.backward(nn.functional.mse_loss(model(x), y))
            optimizer.step()


    def with_function(model, optimizer, loader):
        for x, y in loader:
            optimizer.zero_grad()
            differentiate(nn.functional.mse_loss(model(x), y))
            optimizer.step()


    def by_hand(weight, optimizer, loader):
        for x, y in loader:
            optimizer.zero_grad()
            weight.grad = (weight * x - y) * x
            optimizer.step()


    def whole_set(model, optimizer, loader):
        for epoch in range(10):
            optimizer.zero_grad()
            for x, y in loader:
                nn.functional.mse_loss(model(x), y, reduction="sum").backward()
            optimizer.step()


    def stepped_elsewhere(model, loader):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            launch(optimizer)
    ```

    ## References
    - PyTorch documentation, "Optimizing Model Parameters".
    - Humbatova et al., Taxonomy of Real Faults in Deep Learning Systems, ICSE 2020: missing API call.
    """

    code = "DLO103"
    name = "backward-or-step-missing"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: Constant[tuple[str, ...]] = ("program",)
    needs: Constant[tuple[str, ...]] = TRAINS

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The loops of a program that lack a part of the training step, or have one in the wrong place."""
        training: Training = context.facts.training
        if not training.trains:
            return
        yield from self._without_backward(training, context)
        yield from self._without_step(training, context)
        yield from self._step_outside(training, context)

    def _without_backward(self, training: Training, context: Context) -> Iterator[Finding]:
        for cleared, step in gradients.without_backward(training):
            related = context.related(cleared, "the gradients are cleared here")
            yield context.finding(
                self,
                step,
                f"{quoted(context.text(step))} has no gradients to apply: nothing calls `backward()`",
                advice="call backward() on the loss in front of the step",
                related=[related] if related else [],
                confidence=_confidence(step.target),
            )

    def _without_step(self, training: Training, context: Context) -> Iterator[Finding]:
        for made, backward in gradients.never_stepped(training):
            name = assigned_name(made.site, context)
            related = context.related(made, "the optimizer is made here")
            yield context.finding(
                self,
                backward,
                f"no step applies these gradients: {quoted(name or 'the optimizer')} is never stepped",
                advice=f"call {name or 'optimizer'}.step() behind the backward pass",
                related=[related] if related else [],
            )

        for cleared, backward in thrown_away.thrown_away(training):
            node = receiver(cleared.site.node)
            name = context.text(node) if node is not None else "optimizer"
            related = context.related(cleared, "each pass clears the gradients of the pass before")
            yield context.finding(
                self,
                backward,
                f"no step applies these gradients: the loop never steps {quoted(name)}",
                advice=f"call {name}.step() behind the backward pass",
                related=[related] if related else [],
                confidence=_confidence(cleared.target),
            )

    def _step_outside(self, training: Training, context: Context) -> Iterator[Finding]:
        for outside in gradients.stepped_outside(training):
            related = (
                context.related(outside.cleared, "each pass clears the gradients of the pass before"),
                context.related(outside.backward, "and computes new ones"),
            )
            yield context.finding(
                self,
                outside.step,
                f"{quoted(context.text(outside.step))} stands behind the loop: only the gradients of its last pass are applied",
                advice="move the step into the loop, behind the backward pass",
                related=[place for place in related if place],
                confidence=_confidence(outside.step.target),
                fixes=_moved(outside, context),
            )


def _confidence(optimizer: Value) -> Confidence:
    return Confidence.HIGH if is_optimizer(optimizer) else Confidence.MEDIUM


@builder
def _moved(outside: gradients.Outside, context: Context) -> tuple[Fix, ...]:
    """Move the step behind the backward pass of the same function."""
    backward, step = outside.backward, outside.step
    if not same_function(backward, step) or not _is_whole_statement(step):
        return ()
    edits = (*delete(step.site), *insert_after(backward.site, context.text(step)))
    return tuple(offer(context, "Move the step into the loop", edits, Applicability.UNSAFE))


def _is_whole_statement(event: events.Step) -> bool:
    body = getattr(event.site.statement, "body", ())
    return isinstance(body, (tuple, list)) and len(body) == 1
