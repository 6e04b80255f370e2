"""DLO106: a loss is differentiated that was computed where no gradients are recorded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant

from dllint.analysis.typestate import recording
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import ContextEdge, LibraryCall
from dllint.ir.program import Program, TensorVal
from dllint.rules.context import Context
from dllint.rules.rule import TRAINS, Rule
from dllint.rules.wording import quoted


class TrainingUnderNoGrad(Rule[Program]):
    """`backward()` is called on a loss to which no gradients were recorded.

    ## What it finds
    A backward pass from a loss every part of which that depends on weights was computed under `no_grad` or `inference_mode`, or
    behind `torch.set_grad_enabled(False)`, or goes through `detach()`, `argmax` or a comparison, in one function or through
    helper functions, methods and decorators.

    ## Why it is bad
    Nothing was recorded that could be differentiated: `backward()` raises "element 0 of tensors does not require grad".

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        with torch.no_grad():
            logits = model(torch.randn(4, 8))
        loss = nn.functional.cross_entropy(logits, torch.randint(0, 2, (4,)))
        loss.backward()  # error: [DLO106]
        optimizer.step()
    ```

    ```python
    import torch
    from torch import nn


    @torch.no_grad()
    def train(model, optimizer, loader):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()  # error: [DLO106]
            optimizer.step()
    ```

    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 2, (4,)))
        loss.detach().backward()  # error: [DLO106]
        optimizer.step()
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        logits = model(torch.randn(4, 8))
        loss = nn.functional.cross_entropy(logits, torch.randint(0, 2, (4,)))
        loss.backward()
        optimizer.step()
    ```

    ## When it stays silent
    Only a part of the loss is computed without gradients or detached, gradients are recorded again inside the context, tensors
    other than weights may ask for gradients, or the context is switched by an argument.
    ```python
    import torch
    from torch import nn


    def frozen_features(loader):
        features, head = nn.Linear(8, 16), nn.Linear(16, 2)
        optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
        for x, y in loader:
            optimizer.zero_grad()
            with torch.no_grad():
                inner = features(x)
            nn.functional.cross_entropy(head(inner), y).backward()
            optimizer.step()


    @torch.no_grad()
    def recorded_again(model, optimizer, loader):
        for x, y in loader:
            optimizer.zero_grad()
            with torch.enable_grad():
                loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()


    def other_part_is_detached(model, optimizer, loader):
        for x, y in loader:
            optimizer.zero_grad()
            output = model(x)
            (nn.functional.mse_loss(output, y) * output.detach().abs().mean()).backward()
            optimizer.step()


    def by_argument(model, optimizer, loader, training):
        for x, y in loader:
            optimizer.zero_grad()
            with torch.inference_mode(not training):
                loss = nn.functional.cross_entropy(model(x), y)
            if training:
                loss.backward()
                optimizer.step()


    def targets(model, target, optimizer, loader):
        for x, y in loader:
            optimizer.zero_grad()
            with torch.no_grad():
                wanted = target(x)
            nn.functional.mse_loss(model(x), wanted).backward()
            optimizer.step()
    ```

    ## References
    - PyTorch documentation, "Locally disabling gradient computation".
    """

    code = "DLO106"
    name = "training-under-no-grad"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    frameworks = ("torch",)
    topics: Constant[tuple[str, ...]] = ("program",)
    needs: Constant[tuple[str, ...]] = TRAINS

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The backward passes of a program that find nothing recorded."""
        if not context.facts.training.trains:
            return
        for found in recording.unrecorded(context.facts):
            cause = found.cause
            if isinstance(cause, ContextEdge):
                reason, advice = f"was computed under `{cause.name}`", "move the forward pass out of the context"
                place = "no gradients are recorded from here on"
            elif isinstance(cause, LibraryCall):
                reason, advice = f"was computed behind {quoted(context.text(cause))}", "switch gradients on again before it"
                place = "no gradients are recorded from here on"
            else:
                reason = f"is cut off from its graph by {quoted(context.text(cause))}"
                advice, place = "keep the graph of the loss", "no gradient passes here"
            related = context.related(cause, place)
            yield context.finding(
                self,
                found.backward,
                f"{quoted(context.text(found.backward))} raises: its loss {reason}",
                advice=advice,
                related=[related] if related else [],
                confidence=Confidence.HIGH if isinstance(found.backward.target, TensorVal) else Confidence.MEDIUM,
            )
