"""DLO121: gradients are clipped where none wait for the step, or while a scaler has made them larger."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar as Constant
from typing import Final, NamedTuple

import libcst as cst

from dllint.analysis.training import is_optimizer
from dllint.analysis.typestate import scaling
from dllint.analysis.typestate.dropped_clips import dropped_clips
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.statements import insert_before
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import TRAINS, Rule
from dllint.rules.training_places import receiver, same_function
from dllint.rules.wording import quoted


class _Words(NamedTuple):
    fact: str
    advice: str


_BETWEEN: Final = "move the call between backward() and step()"
_WORDS: Final[Mapping[scaling.State, _Words]] = {
    "cleared": _Words("has nothing to clip: the gradients have just been cleared", _BETWEEN),
    "applied": _Words("comes too late: the step has applied the gradients", _BETWEEN),
    "computed": _Words(
        "clips gradients that are still scaled by the gradient scaler", "call unscale_(optimizer) of the scaler before clipping"
    ),
}


class GradientClippingMisplaced(Rule[Program]):
    """Gradients are clipped before they are computed, after they are applied, or while a gradient scaler has made them larger.

    ## What it finds
    `clip_grad_norm_` or `clip_grad_value_` in a loop with one backward pass and one optimizer, in one function or spread over
    several: in front of the backward pass, behind the step, or between `scaler.scale(loss).backward()` and
    `scaler.step(optimizer)` without `scaler.unscale_(optimizer)`.
    And `tf.clip_by_norm` and its likes on gradients of a tape, where the result is dropped.

    ## Why it is bad
    In the wrong place, clipping does nothing. Scaled gradients are larger by a factor of 65536 and more: nearly every step is
    clipped, to a norm that is smaller than intended by that factor.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 2, (4,)))
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # error: [DLO121]
        loss.backward()
        optimizer.step()
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
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # error: [DLO121]
            scaler.step(optimizer)
            scaler.update()
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
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
    ```

    ## When it stays silent
    The step is made only sometimes (accumulated gradients), there are several backward passes or optimizers, or gradients are
    changed by hand.
    ```python
    import torch
    from torch import nn


    def accumulate(model, optimizer, loader):
        for number, (x, y) in enumerate(loader):
            nn.functional.mse_loss(model(x), y).backward()
            if number % 4 == 3:
                optimizer.step()
                optimizer.zero_grad()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)


    def in_turn(generator, critic, of_generator, of_critic, loader):
        for x, y in loader:
            of_critic.zero_grad()
            critic(generator(x).detach()).mean().backward()
            nn.utils.clip_grad_norm_(critic.parameters(), 1.0)
            of_critic.step()
            of_generator.zero_grad()
            critic(generator(x)).mean().backward()
            of_generator.step()


    def by_hand(model, optimizer, scaler, loader):
        for x, y in loader:
            optimizer.zero_grad()
            scaler.scale(nn.functional.mse_loss(model(x), y)).backward()
            for parameter in model.parameters():
                parameter.grad.div_(scaler.get_scale())
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
    ```

    ## References
    - PyTorch documentation, "Automatic Mixed Precision examples", gradient clipping.
    """

    code = "DLO121"
    name = "gradient-clipping-misplaced"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch", "keras", "tensorflow")
    topics: Constant[tuple[str, ...]] = ("program",)
    needs: Constant[tuple[str, ...]] = (*TRAINS, "call:tensorflow.GradientTape.gradient")

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The places of a program where gradients are clipped in vain."""
        yield from self._dropped(context)
        for clipped in scaling.misplaced_clips(context.facts.training) if context.facts.training.trains else ():
            words = _WORDS[clipped.state]
            related = (
                context.related(clipped.of.backward, "the gradients are computed here"),
                context.related(clipped.of.step, "and applied here"),
            )
            yield context.finding(
                self,
                clipped.clip,
                f"{quoted(_function(clipped, context))} {words.fact}",
                advice=words.advice,
                related=[place for place in related if place],
                confidence=Confidence.HIGH if is_optimizer(clipped.of.step.target) else Confidence.MEDIUM,
                fixes=_fixes(clipped, context),
            )

    def _dropped(self, context: Context) -> Iterator[Finding]:
        """Gradients of TensorFlow that are clipped, and of which the clipped ones are dropped."""
        for dropped in dropped_clips(context.facts):
            place = context.related(dropped.applied, "others are applied here")
            yield context.finding(
                self,
                dropped.clip,
                f"{quoted(context.text(dropped.clip))} gives clipped gradients that nothing takes",
                advice="apply what it gives",
                related=[place] if place else [],
                kind="dropped",
            )


def _function(clipped: scaling.Clipped, context: Context) -> str:
    node = clipped.clip.site.node
    return context.text(node.func if isinstance(node, cst.Call) else node)


@builder
def _fixes(clipped: scaling.Clipped, context: Context) -> tuple[Fix, ...]:
    """Make scaled gradients small again in front of the clipping, where the names of the step mean the same."""
    step = clipped.of.step
    optimizer = receiver(step, context)
    if clipped.state != "computed" or not optimizer or not same_function(step, clipped.clip):
        return ()
    node = step.site.node
    scaler = context.text(node.func.value) if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) else ""
    edits = insert_before(clipped.clip.site, f"{scaler}.unscale_({optimizer})")
    return tuple(offer(context, "Unscale the gradients before clipping", edits, Applicability.UNSAFE))
