"""DLO111: the learning-rate scheduler steps before the optimizer has made its first step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant
from typing import Final

from dllint.analysis.typestate import schedules
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Releases, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.statements import delete, insert_after
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import TRAINS, Rule
from dllint.rules.training_places import same_function
from dllint.rules.wording import quoted

_TODAY: Final = Releases("torch", "1.1", "schedulers that step after the optimizer", usual=True)


class SchedulerBeforeOptimizer(Rule[Program]):
    """`scheduler.step()` stands in front of the first `optimizer.step()`.

    ## What it finds
    The first step of a scheduler in a loop, before the optimizer that it drives has made one: in the same loop, or in a loop in
    it, the step of the optimizer follows. The calls may stand in helper functions, methods and files.

    ## Why it is bad
    Since PyTorch 1.1, the first rate of the schedule belongs to the first steps of the optimizer. It is never used: every epoch
    gets the rate of the next one, and warm-up and cycles are off by one. PyTorch warns once, among the other output.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=30)
    for epoch in range(100):
        scheduler.step()  # error: [DLO111]
        optimizer.zero_grad()
        model(torch.randn(4, 8)).square().mean().backward()
        optimizer.step()
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=30)
    for epoch in range(100):
        optimizer.zero_grad()
        model(torch.randn(4, 8)).square().mean().backward()
        optimizer.step()
        scheduler.step()
    ```

    ## When it stays silent
    Schedules that are resumed or are brought to an epoch, steps that are given an epoch or a metric, steps under a condition,
    and optimizers that are handed to code that is not followed.
    ```python
    import torch
    from engine import train_one_epoch
    from torch.optim.lr_scheduler import ReduceLROnPlateau, StepLR


    def one_step(model, optimizer, x):
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()


    def brought_to_an_epoch(model, optimizer, loader, start):
        scheduler = StepLR(optimizer, 30)
        for _ in range(start):
            scheduler.step()
        for x in loader:
            one_step(model, optimizer, x)
            scheduler.step()


    def resumed(model, optimizer, loader, start):
        scheduler = StepLR(optimizer, 30, last_epoch=start)
        for x in loader:
            scheduler.step()
            one_step(model, optimizer, x)


    def given_a_metric(model, optimizer, loader):
        scheduler = ReduceLROnPlateau(optimizer)
        for x in loader:
            scheduler.step(model(x).mean().item())
            one_step(model, optimizer, x)


    def from_the_second_epoch_on(model, optimizer, loader):
        scheduler = StepLR(optimizer, 30)
        for epoch in range(10):
            if epoch > 0:
                scheduler.step()
            for x in loader:
                one_step(model, optimizer, x)


    def elsewhere(model, optimizer, loader):
        scheduler = StepLR(optimizer, 30)
        for epoch in range(10):
            train_one_epoch(model, optimizer, loader)
            scheduler.step()
            for x in loader:
                one_step(model, optimizer, x)
    ```

    ## References
    - PyTorch documentation, "How to adjust learning rate".
    """

    code = "DLO111"
    name = "scheduler-before-optimizer"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: Constant[tuple[str, ...]] = ("program",)
    needs: Constant[tuple[str, ...]] = TRAINS

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The schedulers of a program that step too early."""
        if not context.facts.training.trains:
            return
        for early in schedules.early(context.facts.training):
            places = (
                (early.of_optimizer, "the first step of the optimizer"),
                (early.construction, "the scheduler is made here"),
            )
            related = (context.related(event, text) for event, text in places if event is not None)
            yield context.finding(
                self,
                early.step,
                f"{quoted(context.text(early.step))} comes before any step of the optimizer: the first rate is never used",
                advice="move the call behind the steps of the optimizer, to the end of the epoch",
                related=[place for place in related if place],
                fixes=_fixes(early, context),
                releases=_TODAY,
            )


@builder
def _fixes(early: schedules.Scheduled, context: Context) -> tuple[Fix, ...]:
    """Move the step of the scheduler behind that of the optimizer, if both stand in one block."""
    step, behind = early.step, early.of_optimizer
    if behind is None or not same_function(step, behind) or step.path != behind.path:
        return ()
    if context.facts.training.innermost(step) is not context.facts.training.innermost(behind):
        return ()
    edits = (*delete(step.site), *insert_after(behind.site, context.text(step)))
    return tuple(offer(context, "Step the scheduler after the optimizer", edits, Applicability.UNSAFE))
