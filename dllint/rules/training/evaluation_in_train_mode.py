"""DLO107: a model is evaluated in training mode, in a program that never puts it into evaluation mode."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant

import libcst as cst

from dllint.analysis.typestate.modes import Evaluated, EvaluatedInLoop
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.statements import insert_before
from dllint.ir.program import Program
from dllint.ir.values import InstanceVal
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import TRAINS, Rule
from dllint.rules.wording import quoted


class EvaluationInTrainMode(Rule[Program]):
    """A program trains a model or loads a trained one and evaluates it, and nothing calls `eval()`.

    ## What it finds
    A model that a program trains, never puts into evaluation mode, and evaluates: in a loop over data that applies it and
    trains nothing, under `no_grad` or over data that are called test or validation data, or in a call under `no_grad` on other
    data than it is trained on, whose result is compared with something. The model has dropout or batch normalisation, or it
    is unknown and the program calls its `train()`. The same of a script that trains nothing, loads weights with
    `load_state_dict` and applies the model under `no_grad`. All this may stand in helper functions, methods and other files.

    ## Why it is bad
    In training mode, dropout drops, and batch normalisation takes the statistics of each batch and keeps learning its own from
    the evaluation data: the figures are too low, depend on the batches, and the test data leak into the model.

    ## Bad
    ```python
    import torch
    from torch import nn
    from torch.utils.data import DataLoader, TensorDataset

    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.5), nn.Linear(16, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train_loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(0, 2, (64,))), 8)
    test_loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(0, 2, (64,))), 8)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    correct = 0
    with torch.no_grad():
        for x, y in test_loader:
            correct += (model(x).argmax(1) == y).sum().item()  # error: [DLO107]
    ```

    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 1))
    optimizer = torch.optim.Adam(model.parameters())
    x_train, y_train, x_val, y_val = torch.randn(64, 8), torch.randn(64, 1), torch.randn(16, 8), torch.randn(16, 1)
    for epoch in range(100):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x_train), y_train).backward()
        optimizer.step()
        with torch.no_grad():
            print(nn.functional.mse_loss(model(x_val), y_val).item())  # error: [DLO107]
    ```

    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.5), nn.Linear(16, 2))
    model.load_state_dict(torch.load("best.pt", weights_only=True))
    with torch.no_grad():
        print(model(torch.randn(1, 8)).argmax(1))  # error: [DLO107]
    ```

    ## Good
    ```python
    import torch
    from torch import nn
    from torch.utils.data import DataLoader, TensorDataset

    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.5), nn.Linear(16, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train_loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(0, 2, (64,))), 8)
    test_loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(0, 2, (64,))), 8)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    correct = 0
    model.eval()
    with torch.no_grad():
        for x, y in test_loader:
            correct += (model(x).argmax(1) == y).sum().item()
    ```

    ## When it stays silent
    Models without layers that depend on the mode, models that are put into evaluation mode anywhere or are handed to code that
    is not followed, dropout that is left on for an estimate of uncertainty, statistics that are computed anew, and whatever is
    no evaluation: targets, samples and rollouts in the midst of training.
    ```python
    import torch
    from engine import evaluated
    from torch import nn


    def plain(train_loader, test_loader):
        model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
        fit(model, train_loader)
        return [model(x).argmax(1) for x, y in test_loader]


    def fit(model, loader):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()


    def mode_is_an_argument(train_loader, test_loader):
        model = nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.5), nn.Linear(16, 2))
        for mode, loader in ((True, train_loader), (False, test_loader)):
            model.train(mode)
            if mode:
                fit(model, loader)
            else:
                with torch.no_grad():
                    for x, y in loader:
                        print(model(x))


    def monte_carlo(train_loader, test_loader):
        model = nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.5), nn.Linear(16, 2))
        fit(model, train_loader)
        with torch.no_grad():
            for x, y in test_loader:
                print(torch.stack([model(x) for _ in range(20)]).var(0))


    def statistics_anew(train_loader):
        model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.Linear(16, 2))
        fit(model, train_loader)
        with torch.no_grad():
            for x, y in train_loader:
                model(x)


    def elsewhere(train_loader, test_loader):
        model = nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.5), nn.Linear(16, 2))
        fit(model, train_loader)
        evaluated(model)
        with torch.no_grad():
            for x, y in test_loader:
                print(model(x))
    ```

    ## References
    - PyTorch documentation, `torch.nn.Module.eval`.
    - A. Karpathy, the most common neural net mistakes, 2018.
    """

    code = "DLO107"
    name = "evaluation-in-train-mode"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: Constant[tuple[str, ...]] = ("program",)
    needs: Constant[tuple[str, ...]] = (*TRAINS, "call:*.load_state_dict")

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """Where a program evaluates in training mode."""
        modes = context.facts.modes
        trains = context.facts.training.trains
        for found in modes.evaluated_while_training() if trains else modes.loaded_and_not_evaluating():
            name, where = _name(found, context), " the loop" if isinstance(found, EvaluatedInLoop) else ""
            related = context.related(found.mode, "the last call that sets a mode") if found.mode is not None else None
            yield context.finding(
                self,
                found.application,
                f"{quoted(name or 'the model')} is evaluated in training mode: nothing in the program calls its `eval()`",
                advice=f"call {name or 'model'}.eval() before{where}, and train() before it is trained again",
                related=[related] if related else [],
                confidence=Confidence.HIGH if isinstance(found.application.callee, InstanceVal) else Confidence.MEDIUM,
                fixes=_fixes(found, name, context),
            )


def _name(found: Evaluated, context: Context) -> str:
    """The model as the application names it."""
    node = found.application.site.node
    named = isinstance(node, cst.Call) and isinstance(node.func, (cst.Name, cst.Attribute))
    return context.text(node.func) if named else ""


@builder
def _fixes(found: Evaluated, name: str, context: Context) -> tuple[Fix, ...]:
    """Put the model into evaluation mode in front of the loop that applies it, where its name means the same."""
    at = found.loop.edge if isinstance(found, EvaluatedInLoop) else found.application
    if not name or at.site.document is not found.application.site.document or at.scope != found.application.scope:
        return ()
    edits = insert_before(at.site, f"{name}.eval()")
    return tuple(offer(context, "Put the model into evaluation mode", edits, Applicability.UNSAFE))
