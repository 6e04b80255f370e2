"""DLO109: a model is evaluated while gradients are recorded, which nothing asks for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant

import libcst as cst

from dllint.analysis.every_pass import place_in
from dllint.analysis.typestate import evaluations
from dllint.analysis.typestate.modes import EvaluatedInLoop
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.imports import name_for
from dllint.fixes.statements import enclose
from dllint.ir.events import ModuleCall
from dllint.ir.program import Program, Site
from dllint.ir.values import InstanceVal
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted


class EvaluationWithoutNoGrad(Rule[Program]):
    """A model is evaluated outside of `no_grad()`, and nothing asks for gradients.

    ## What it finds
    A loop over data that applies a model and trains nothing, in evaluation mode or over data that are called test or validation
    data, outside of `no_grad()` and `inference_mode()`, where nothing is differentiated that comes from it. The loop may stand
    in helper functions, methods and other files, as long as their callers are known.

    ## Why it is bad
    Each application keeps what a backward pass would need until its result is gone: an evaluation needs a multiple of the
    memory, and more time, than it has to. Results that are collected keep the graphs of all batches.

    ## Bad
    ```python
    import torch
    from torch import nn
    from torch.utils.data import DataLoader, TensorDataset

    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.5), nn.Linear(16, 2))
    test_loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(0, 2, (64,))), 8)
    correct = 0
    model.eval()
    for x, y in test_loader:
        correct += (model(x).argmax(1) == y).sum().item()  # info: [DLO109]
    ```

    ## Good
    ```python
    import torch
    from torch import nn
    from torch.utils.data import DataLoader, TensorDataset

    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.5), nn.Linear(16, 2))
    test_loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(0, 2, (64,))), 8)
    correct = 0
    model.eval()
    with torch.no_grad():
        for x, y in test_loader:
            correct += (model(x).argmax(1) == y).sum().item()
    ```

    ## When it stays silent
    Evaluations that ask for gradients (attacks, attributions, forces), weights that are frozen, code whose callers may have
    switched gradients off, contexts and decorators that are not known, and loops that train, or on whose results something is
    trained.
    ```python
    import torch
    from engine import attacked, inference
    from torch import nn


    def callers_decide(model, loader):
        model.eval()
        return [model(x).argmax(1) for x, y in loader]


    @inference
    def decorated(model, loader):
        model.eval()
        for x, y in loader:
            print(model(x).argmax(1))


    def under_attack(loader):
        model = nn.Sequential(nn.Linear(8, 2)).eval()
        for x, y in loader:
            print(model(attacked(model, x, y)).argmax(1))


    @torch.no_grad()
    def switched_off(loader):
        model = nn.Sequential(nn.Linear(8, 2)).eval()
        for x, y in loader:
            print(model(x).argmax(1))


    loader = [(torch.randn(4, 8), torch.randint(0, 2, (4,)))]
    under_attack(loader)
    switched_off(loader)
    decorated(nn.Linear(8, 2), loader)
    frozen = nn.Linear(8, 2).eval().requires_grad_(False)
    for x, y in loader:
        print(frozen(x))
    ```

    ## References
    - PyTorch documentation, "Autograd mechanics": locally disabling gradient computation.
    - Found in public code: `pytorch/examples` (`language_translation/main.py`, `validate`), `d2l-ai/d2l-en` (`d2l/torch.py`,
      `evaluate_loss`).
    """

    code = "DLO109"
    name = "evaluation-without-no-grad"
    severity = Severity.INFO
    confidence = Confidence.HIGH
    applicability = Applicability.SAFE
    frameworks = ("torch",)
    topics: Constant[tuple[str, ...]] = ("program",)
    needs: Constant[tuple[str, ...]] = ("event:loop",)

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The loops of a program that evaluate and record gradients."""
        for found in evaluations.with_gradients(context.facts):
            node = found.application.site.node
            named = isinstance(node, cst.Call) and isinstance(node.func, (cst.Name, cst.Attribute))
            name = context.text(node.func) if named else ""
            related = context.related(found.mode, "evaluation mode does not switch gradients off") if found.mode else None
            yield context.finding(
                self,
                _place(found, context),
                f"{quoted(name or 'the model')} is evaluated while gradients are recorded, which nothing asks for",
                advice=f"put the loop into {quoted('with torch.no_grad():')}",
                related=[related] if related else [],
                confidence=Confidence.HIGH if isinstance(found.application.callee, InstanceVal) else Confidence.MEDIUM,
                fixes=_fixes(found, context),
            )


def _place(found: EvaluatedInLoop, context: Context) -> Site:
    """Where a model is applied; if the same code is applied elsewhere, too, to train it for instance, its call in the loop."""
    site, node = found.application.site, found.loop.edge.node
    inside = [(loop.start, loop.end) for loop in context.facts.training.loops if loop.edge.node is node]
    for number, item in enumerate(context.program.trace):
        is_same = isinstance(item, ModuleCall) and item.site.node is site.node
        if is_same and not any(start <= number < end for start, end in inside):
            return place_in(site, found.loop)
    return site


@builder
def _fixes(found: EvaluatedInLoop, context: Context) -> tuple[Fix, ...]:
    """Put the loop into ``no_grad``. The results are the same numbers; of code that is not followed, something may want their
    gradients."""
    edge = found.loop.edge
    name, imports = name_for(edge.site.document, "torch.no_grad")
    around = enclose(edge.site, edge.node, f"with {name}()")
    safe = evaluations.is_followed(found, context.facts)
    applicability = Applicability.SAFE if safe else Applicability.UNSAFE
    return tuple(offer(context, "Switch gradients off for the loop", (*around, *imports) if around else (), applicability))
