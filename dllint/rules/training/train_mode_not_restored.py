"""DLO108: a model is evaluated after each epoch and then trained in evaluation mode."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant

from dllint.analysis.typestate.modes import NotRestored
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.statements import insert_after
from dllint.ir.program import Program
from dllint.ir.values import InstanceVal
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import TRAINS, Rule
from dllint.rules.training_places import receiver
from dllint.rules.wording import quoted


class TrainModeNotRestored(Rule[Program]):
    """A loop trains a model and evaluates it after `eval()`, and nothing in the loop calls `train()`.

    ## What it finds
    `eval()` in a loop, with an evaluation behind it, on a model that was in training mode before the loop and that the loop
    trains: from the second pass on, it is trained in evaluation mode. The calls may stand in helper functions, methods and
    other files. The model has dropout or batch normalisation, or it is unknown and the program has called its `train()`.
    Also `eval()` in a function that makes or evaluates a model, such as one that loads it, where the program trains the model
    behind that and nothing calls `train()`.

    ## Why it is bad
    From the second epoch on, dropout no longer drops and batch normalisation no longer learns its statistics: the model is
    trained as another one than in the first epoch, and nothing raises.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.5), nn.Linear(16, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    for epoch in range(10):
        for _ in range(100):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 2, (4,))).backward()
            optimizer.step()
        model.eval()  # error: [DLO108]
        with torch.no_grad():
            print(nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 2, (4,))))
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.5), nn.Linear(16, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(10):
        model.train()
        for _ in range(100):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 2, (4,))).backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            print(nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 2, (4,))))
    ```

    ## When it stays silent
    Training in evaluation mode from the first pass on (frozen statistics), modes of parts of a model, `eval()` behind the loop
    or in a branch that leaves it, modes that are set by code that is not followed, and models without layers that depend on
    them.
    ```python
    import torch
    from engine import prepared
    from torch import nn


    def one_epoch(model, optimizer, loader):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()


    def evaluate(model, loader):
        with torch.no_grad():
            for x, y in loader:
                print(model(x).argmax(1) == y)


    def frozen_statistics(model, optimizer, train_loader, test_loader):
        for epoch in range(10):
            model.eval()
            one_epoch(model, optimizer, train_loader)
            evaluate(model, test_loader)


    def of_a_part(model, optimizer, train_loader, test_loader):
        model.train()
        for epoch in range(10):
            model.backbone.eval()
            one_epoch(model, optimizer, train_loader)
            evaluate(model, test_loader)


    def at_the_end(model, optimizer, train_loader, test_loader):
        model.train()
        for epoch in range(10):
            one_epoch(model, optimizer, train_loader)
            if epoch == 9:
                model.eval()
                evaluate(model, test_loader)
                break


    def set_elsewhere(model, optimizer, train_loader, test_loader):
        model.train()
        for epoch in range(10):
            prepared(model)
            one_epoch(model, optimizer, train_loader)
            model.eval()
            evaluate(model, test_loader)


    def restored(model, optimizer, train_loader, test_loader):
        model.train()
        for epoch in range(10):
            one_epoch(model, optimizer, train_loader)
            was_training = model.training
            model.eval()
            evaluate(model, test_loader)
            model.train(was_training)
    ```

    ## References
    - PyTorch documentation, `torch.nn.Module.train`.
    - Zhang et al., Code Smells for Machine Learning Applications, CAIN 2022: training / evaluation mode improper toggling.
    - Found in public code: `wkentaro/pytorch-fcn` (`torchfcn/trainer.py`, issue 57).
    """

    code = "DLO108"
    name = "train-mode-not-restored"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: Constant[tuple[str, ...]] = ("program",)
    needs: Constant[tuple[str, ...]] = TRAINS

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The calls of ``eval()`` in a program after which it trains on."""
        if not context.facts.training.trains:
            return
        yield from self._left(context)
        for found in context.facts.modes.not_restored():
            name = receiver(found.call, context)
            places = (
                (found.evaluated, "the model is evaluated here"),
                (found.trained, "from the next pass on, it is trained here in evaluation mode"),
            )
            related = (context.related(event, text) for event, text in places)
            yield context.finding(
                self,
                found.call,
                f"after {quoted(context.text(found.call))} the loop trains on, and nothing in it calls `train()`",
                advice=f"call {name or 'model'}.train() at the beginning of each epoch",
                related=[place for place in related if place],
                confidence=Confidence.HIGH if isinstance(found.call.target, InstanceVal) else Confidence.MEDIUM,
                fixes=_fixes(found, name, context),
            )

    def _left(self, context: Context) -> Iterator[Finding]:
        """Models that a function has put into evaluation mode, and that are trained in it."""
        for found in context.facts.modes.left_in_evaluation():
            related = context.related(found.trained, "it is trained here in evaluation mode")
            yield context.finding(
                self,
                found.call,
                f"after {quoted(context.text(found.call))} the model is trained, and nothing calls its `train()`",
                advice="call train() on the model before it is trained",
                related=[related] if related else [],
                confidence=Confidence.MEDIUM,
            )


@builder
def _fixes(found: NotRestored, name: str, context: Context) -> tuple[Fix, ...]:
    """Put the model back into training mode behind its evaluation, where that stands in the same block of the same function."""
    evaluated = found.evaluated
    if not name or evaluated.site.document is not found.call.site.document or evaluated.scope != found.call.scope:
        return ()
    edits = insert_after(evaluated.site, f"{name}.train()")
    return tuple(offer(context, "Put the model back into training mode", edits, Applicability.UNSAFE))
