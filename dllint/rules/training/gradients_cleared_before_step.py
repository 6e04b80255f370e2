"""DLO102: gradients are cleared between the backward pass and the step that should apply them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant

from dllint.analysis.clearings import ClearedInLoop
from dllint.analysis.training import is_optimizer
from dllint.analysis.typestate import gradients
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.statements import delete, insert_before
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import TRAINS, Rule
from dllint.rules.training_places import same_function, site_in_common_function
from dllint.rules.wording import quoted


class GradientsClearedBeforeStep(Rule[Program]):
    """`zero_grad()` stands between `backward()` and the `step()` of the same optimizer.

    ## What it finds
    A step of an optimizer whose gradients were computed and then cleared (also by a loop over parameters, `p.grad = None`),
    with no backward pass in between: in one function or spread over helper functions, methods and files, in one pass of a loop
    or from one pass to the next.

    ## Why it is bad
    The optimizer finds no gradients. It changes nothing, or only what momentum and weight decay still do, and nothing raises.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        loss = nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 2, (4,)))
        loss.backward()
        optimizer.zero_grad()  # error: [DLO102]
        optimizer.step()
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        loss = nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 2, (4,)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    ```

    ## When it stays silent
    Another optimizer's gradients are cleared (two networks that are trained in turn), the step follows only where nothing was
    cleared, gradients are kept and put back by hand, or code that is not followed may compute new ones.
    ```python
    import torch
    from engine import differentiate
    from torch import nn


    def in_turn(generator, critic, of_generator, of_critic, batches):
        for x in batches:
            of_critic.zero_grad()
            critic(generator(x).detach()).mean().backward()
            of_generator.zero_grad()
            of_critic.step()
            (-critic(generator(x)).mean()).backward()
            of_generator.step()


    def skips_bad_batches(model, optimizer, batches):
        for x, y in batches:
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            if not torch.isfinite(loss):
                optimizer.zero_grad()
                continue
            optimizer.step()
            optimizer.zero_grad()


    def perturbed(model, optimizer, batches):
        for x, y in batches:
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x + 0.1), y).backward()
            optimizer.step()
            optimizer.zero_grad()


    def elsewhere(model, optimizer, batches):
        for x, y in batches:
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.zero_grad()
            differentiate(model, optimizer, x, y)
            optimizer.step()
    ```

    ## References
    - PyTorch documentation, `torch.optim.Optimizer.zero_grad`.
    """

    code = "DLO102"
    name = "gradients-cleared-before-step"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: Constant[tuple[str, ...]] = ("program",)
    needs: Constant[tuple[str, ...]] = TRAINS
    suppresses: Constant[tuple[str, ...]] = ("DLO101",)

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The steps of a program that find no gradients."""
        if not context.facts.training.trains:
            return
        for lost in gradients.lost(context.facts):
            related = (
                context.related(lost.backward, "the gradients are computed here"),
                context.related(lost.step, "the step that finds none"),
            )
            place = site_in_common_function(lost.cleared, lost.step)
            yield context.finding(
                self,
                place,
                f"{quoted(context.text(place))} clears what {quoted(context.text(lost.step))} is to apply",
                advice="move the call in front of the backward pass",
                related=[place for place in related if place],
                confidence=Confidence.HIGH if is_optimizer(lost.step.target) else Confidence.MEDIUM,
                fixes=_fixes(lost, context),
            )


@builder
def _fixes(lost: gradients.Lost, context: Context) -> tuple[Fix, ...]:
    """Move the call in front of the backward pass of the same function."""
    if isinstance(lost.cleared, ClearedInLoop) or lost.backward.path != lost.cleared.path:
        return ()
    if not same_function(lost.backward, lost.cleared):
        return ()
    edits = (*delete(lost.cleared.site), *insert_before(lost.backward.site, context.text(lost.cleared)))
    return tuple(offer(context, "Clear the gradients before the backward pass", edits, Applicability.UNSAFE))
