"""DLO129: the best weights are kept without a copy, so that they change with the model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.kept_models import kept_models
from dllint.analysis.kept_states import KeptState, aliased
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.calls import wrap
from dllint.fixes.imports import name_for
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted


class BestWeightsAliased(Rule[Program]):
    """`model.state_dict()` is kept to be loaded later, without a copy, and the model is trained on.

    ## What it finds
    The result of `state_dict()`, or a shallow copy of it (`model.state_dict().copy()`), that goes to `load_state_dict()` of the
    same model or to `torch.save()`, and an optimizer's step between.

    ## Why it is bad
    `state_dict()` gives the parameters themselves. The optimizer changes them in place, so that what was kept as the best
    weights is always the present ones. Loading them does nothing, and the model that is evaluated or saved is the last one.

    ## Bad
    ```python
    from torch import nn


    def train(model, optimizer, batches, accuracy):
        best, highest = None, 0.0
        for epoch in range(20):
            for x, y in batches:
                optimizer.zero_grad()
                nn.functional.cross_entropy(model(x), y).backward()
                optimizer.step()
            reached = accuracy(model)
            if reached > highest:
                highest = reached
                best = model.state_dict()  # error: [DLO129]
        model.load_state_dict(best)
        return model
    ```

    ## Good
    ```python
    import copy

    from torch import nn


    def train(model, optimizer, batches, accuracy):
        best, highest = None, 0.0
        for epoch in range(20):
            for x, y in batches:
                optimizer.zero_grad()
                nn.functional.cross_entropy(model(x), y).backward()
                optimizer.step()
            reached = accuracy(model)
            if reached > highest:
                highest = reached
                best = copy.deepcopy(model.state_dict())
        model.load_state_dict(best)
        return model
    ```

    ## When it stays silent
    Weights that are copied or saved, that go to another model at once, or that are taken where the loop is left.
    ```python
    import torch
    from torch import nn


    def train(model, target, optimizer, batches, accuracy):
        best, last, highest = None, None, 0.0
        for epoch in range(20):
            for x, y in batches:
                optimizer.zero_grad()
                nn.functional.cross_entropy(model(x), y).backward()
                optimizer.step()
            target.load_state_dict(model.state_dict())
            reached = accuracy(model)
            if reached > highest:
                highest = reached
                best = {name: tensor.clone() for name, tensor in model.state_dict().items()}
                torch.save(model.state_dict(), "best.pt")
            if reached > 0.99:
                last = model.state_dict()
                break
        model.load_state_dict(torch.load("best.pt", weights_only=True))
        model.load_state_dict(best)
        if last is not None:
            model.load_state_dict(last)
        return model
    ```

    ## References
    - PyTorch documentation, saving and loading models: `state_dict()` returns references, not copies.
    - Found in public code: `THGLab/LP-PDBBind` (`model_retraining/deepdta/trainer.py`, pull request 1).
    """

    code = "DLO129"
    name = "best-weights-aliased"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("program",)
    needs: ClassVar[tuple[str, ...]] = ("event:step",)

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The weights that a program keeps without a copy."""
        for kept in aliased(item, context.facts.training):
            taking = context.text(kept.taken)
            related = context.related(kept.used, "used here, when it holds the present weights")
            yield context.finding(
                self,
                kept.taken,
                f"{quoted(taking)} gives the weights themselves, which the steps that follow change",
                advice=f"keep a copy, {quoted(f'copy.deepcopy({taking})')}",
                related=[related] if related else [],
                fixes=offer(context, "Keep a copy", _copied(kept), Applicability.UNSAFE),
            )
        for second in kept_models(context.facts):
            name, model = context.text(second.name), context.text(second.model)
            place = context.related(second.step, "the model is trained on here")
            yield context.finding(
                self,
                second.site,
                f"`{name}` is the model itself, which the steps that follow change",
                advice=f"keep a copy, {quoted(f'copy.deepcopy({model})')}",
                node=second.node.value,
                related=[place] if place else [],
                kind="model",
            )


@builder
def _copied(kept: KeptState) -> tuple[Edit, ...]:
    site = kept.taken.site
    name, imports = name_for(site.document, "copy.deepcopy")
    return (*wrap(site, site.node, name), *imports)
