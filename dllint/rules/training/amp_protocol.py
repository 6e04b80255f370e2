"""DLO122: a gradient scaler scales the loss, but the optimizer steps without it, or it is never updated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant

import libcst as cst

from dllint.analysis.typestate import scaling
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.calls import replace_expression
from dllint.fixes.statements import insert_after
from dllint.ir.program import Program
from dllint.ir.values import InstanceVal
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import TRAINS, Rule
from dllint.rules.training_places import receiver, same_function
from dllint.rules.wording import quoted


class AmpProtocol(Rule[Program]):
    """The loss is scaled by a gradient scaler, and the rest of the step does not take part in it.

    ## What it finds
    In a loop, in one function or spread over several, after `scaler.scale(loss).backward()`: an `optimizer.step()` that is not
    made by the scaler, with no `unscale_`; or a `scaler.step(optimizer)` without a `scaler.update()` anywhere. Where networks
    are trained in turn, a step belongs to the last backward pass before it.

    ## Why it is bad
    A plain step applies gradients that are 65536 times too large at first. Without `update()`, the scale never changes, and the
    second `scaler.step()` raises a `RuntimeError`.

    ## Bad
    ```python
    import torch
    from torch import nn


    def train(model, optimizer, loader):
        scaler = torch.amp.GradScaler("cuda")
        for x, y in loader:
            optimizer.zero_grad()
            with torch.autocast("cuda"):
                loss = nn.functional.cross_entropy(model(x), y)
            scaler.scale(loss).backward()
            optimizer.step()  # error: [DLO122]
            scaler.update()
    ```

    ```python
    import torch
    from torch import nn


    def train(model, optimizer, loader):
        scaler = torch.amp.GradScaler("cuda")
        for x, y in loader:
            optimizer.zero_grad()
            with torch.autocast("cuda"):
                loss = nn.functional.cross_entropy(model(x), y)
            scaler.scale(loss).backward()
            scaler.step(optimizer)  # error: [DLO122]
    ```

    ## Good
    ```python
    import torch
    from torch import nn


    def train(model, optimizer, loader):
        scaler = torch.amp.GradScaler("cuda")
        for x, y in loader:
            optimizer.zero_grad()
            with torch.autocast("cuda"):
                loss = nn.functional.cross_entropy(model(x), y)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
    ```

    ## When it stays silent
    The scaled pass and the plain step stand in different branches, gradients are made small again, or the scaler is handed to
    code that is not followed.
    ```python
    import torch
    from engine import finish
    from torch import nn


    def either(model, optimizer, loader, mixed):
        scaler = torch.amp.GradScaler("cuda")
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            if mixed:
                scaler.scale(loss).backward()
                scaler.step(optimizer)
                scaler.update()
            else:
                loss.backward()
                optimizer.step()


    def unscaled(model, optimizer, loader):
        scaler = torch.amp.GradScaler("cuda")
        for x, y in loader:
            optimizer.zero_grad()
            scaler.scale(nn.functional.mse_loss(model(x), y)).backward()
            scaler.unscale_(optimizer)
            optimizer.step()
            scaler.update()


    def elsewhere(model, optimizer, loader):
        scaler = torch.amp.GradScaler("cuda")
        for x, y in loader:
            optimizer.zero_grad()
            scaler.scale(nn.functional.mse_loss(model(x), y)).backward()
            scaler.step(optimizer)
            finish(scaler)
    ```

    ## References
    - PyTorch documentation, "Automatic Mixed Precision examples"; `torch/amp/grad_scaler.py`: `step` raises if it has been
      called since the last `update`.
    - Found in public code: `Azure/MS-AMP` (`examples/mnist.py`, pull request 45).
    """

    code = "DLO122"
    name = "amp-protocol"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: Constant[tuple[str, ...]] = ("program",)
    needs: Constant[tuple[str, ...]] = TRAINS

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The steps of a program that leave the scaler out, and the scalers that are never updated."""
        if not context.facts.training.trains:
            return
        for step in scaling.plain_steps(context.facts.training):
            yield self._reported(
                step,
                f"{quoted(context.text(step.step))} applies gradients that are still scaled by the gradient scaler",
                "pass the optimizer to step() of the scaler",
                _by_scaler(step, context),
                context,
            )
        for step in scaling.without_update(context.facts.training):
            yield self._reported(
                step,
                f"{quoted(context.text(step.step))} is never followed by `update()`: the next step of the scaler raises",
                "call update() of the scaler behind the step",
                _updated(step, context),
                context,
            )

    def _reported(
        self, step: scaling.TrainingStep, message: str, advice: str, fixes: tuple[Fix, ...], context: Context
    ) -> Finding:
        related = context.related(step.backward, "the scaled loss is differentiated here")
        return context.finding(
            self,
            step.step,
            message,
            advice=advice,
            related=[related] if related else [],
            confidence=Confidence.HIGH if isinstance(step.scaler, InstanceVal) else Confidence.MEDIUM,
            fixes=fixes,
        )


def _scaler_name(step: scaling.TrainingStep, context: Context) -> str:
    """The scaler in the words of ``scaler.scale(loss).backward()``, if that is how the backward pass is written."""
    node = step.backward.site.node
    for _ in range(2):
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
            return ""
        node = node.func.value
    return context.text(node) if isinstance(node, (cst.Name, cst.Attribute)) else ""


@builder
def _by_scaler(step: scaling.TrainingStep, context: Context) -> tuple[Fix, ...]:
    scaler, optimizer = _scaler_name(step, context), receiver(step.step, context)
    if not scaler or not optimizer or not same_function(step.backward, step.step):
        return ()
    edits = replace_expression(step.step.site, step.step.site.node, f"{scaler}.step({optimizer})")
    return tuple(offer(context, "Make the step by the scaler", edits, Applicability.UNSAFE))


@builder
def _updated(step: scaling.TrainingStep, context: Context) -> tuple[Fix, ...]:
    scaler = _scaler_name(step, context)
    if not scaler or not same_function(step.backward, step.step):
        return ()
    edits = insert_after(step.step.site, f"{scaler}.update()")
    return tuple(offer(context, "Update the scaler behind the step", edits, Applicability.UNSAFE))
