"""DLI103: weights are loaded and then drawn anew, before anything is computed with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.loaded_in_vain import loaded_in_vain
from dllint.analysis.loaded_weights import Overwritten, overwritten
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.statements import swap
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted


class InitOverwritesPretrained(Rule[Program]):
    """The initialisation of a model runs after its weights were loaded.

    ## What it finds
    `model.apply(init_weights)`, `reset_parameters()` or a loop over the layers that draws the weights of most layers of a model
    anew after `load_state_dict(…)`, or after a model of `torchvision` came with its trained weights; and nothing is computed
    with them in between. And a model that is given weights and whose variable then gets a new model of the same kind, before
    anything uses it.

    ## Why it is bad
    The loaded weights are lost. The model trains from random values, and nothing tells.

    ## Bad
    ```python
    import torch
    from torch import nn


    def init_weights(layer):
        if isinstance(layer, nn.Linear):
            nn.init.kaiming_normal_(layer.weight)


    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
    model.load_state_dict(torch.load("weights.pt", weights_only=True))
    model.apply(init_weights)  # error: [DLI103]
    print(model(torch.randn(4, 8)))
    ```

    ## Good
    ```python
    import torch
    from torch import nn


    def init_weights(layer):
        if isinstance(layer, nn.Linear):
            nn.init.kaiming_normal_(layer.weight)


    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
    model.apply(init_weights)
    model.load_state_dict(torch.load("weights.pt", weights_only=True))
    print(model(torch.randn(4, 8)))
    ```

    ## When it stays silent
    A head that is drawn anew, weights that are loaded in part (`strict=False`), models that are used or saved in between, runs
    that are repeated from the start, and code that draws weights where none are loaded.
    ```python
    import torch
    from torch import nn


    def draw(layer):
        if isinstance(layer, nn.Linear):
            layer.reset_parameters()


    def make():
        return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))


    weights = torch.load("weights.pt", weights_only=True)
    model = make()
    model.load_state_dict(weights)
    nn.init.zeros_(model[2].weight)
    print(model(torch.randn(4, 8)))
    for _ in range(3):
        model.apply(draw)
        print(model(torch.randn(4, 8)))
    other = make()
    other.load_state_dict(weights, strict=False)
    other.apply(draw)


    def either(path=None):
        built = make()
        if path:
            built.load_state_dict(torch.load(path))
        if not path:
            built.apply(draw)
        return built(torch.randn(4, 8))
    ```

    ## References
    - PyTorch documentation, `torch.nn.Module.load_state_dict` and `torch.nn.Module.apply`.
    """

    code = "DLI103"
    name = "init-overwrites-pretrained"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch", "keras")
    topics: ClassVar[tuple[str, ...]] = ("program",)
    needs: ClassVar[tuple[str, ...]] = (
        "call:torch.nn.Module.load_state_dict",
        "call:torch.nn.Module.apply",
        "call:torchvision.models.*",
        "call:keras.Model.load_weights",
        "call:keras.Layer.set_weights",
    )

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The models of a program whose loaded weights are lost."""
        seen = set[int]()
        for found in overwritten(context.facts):
            if id(found.sweep.site.node) in seen:
                continue
            seen.add(id(found.sweep.site.node))
            loaded = context.related(found.load, "the weights come from here")
            yield context.finding(
                self,
                found.sweep,
                f"{quoted(context.text(found.sweep))} draws the weights anew that were loaded before",
                advice="move the initialisation in front of the loading",
                related=[loaded] if loaded else [],
                fixes=_fixes(found, context),
            )
        for lost in loaded_in_vain(context.facts):
            if id(lost.again.site.node) not in seen:
                seen.add(id(lost.again.site.node))
                yield context.finding(
                    self,
                    lost.load,
                    f"{quoted(context.text(lost.load))} is in vain: a new model takes the place of this one before it is used",
                    advice="load the weights into the model that is used",
                    related=[place] if (place := context.related(lost.again, "the new model is made here")) else [],
                    kind="replaced",
                )


@builder
def _fixes(found: Overwritten, context: Context) -> tuple[Fix, ...]:
    """Change the order of both statements, if they follow each other in one block."""
    first, second = found.load.site, found.sweep.site
    if found.load.scope != found.sweep.scope or first.document is not second.document:
        return ()
    edits = swap(first, second)
    return tuple(offer(context, "Load the weights after the initialisation", edits, Applicability.UNSAFE))
