"""DLL119: a loss that a training step computes and leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.idle_losses import idle_losses
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.rule import Rule


class LossTermUnused(Rule[Program]):
    """A training step computes a loss that no backward pass takes and nobody reads.

    ## What it finds
    A loss of weights that are trained, or another number that is computed of them, bound to a name in the loop or function
    that calls `backward()`, or in a function that computes the loss for it, where nothing reads that name.

    ## Why it is bad
    The part of the model that the loss was meant for is not trained by it: a head, a regulariser, the other of two networks.
    Nothing raises, and the loss that is optimised falls as it should.

    ## Bad
    ```python
    import torch
    from torch import nn

    body, kind, place = nn.Linear(8, 16), nn.Linear(16, 5), nn.Linear(16, 2)
    optimizer = torch.optim.SGD([*body.parameters(), *kind.parameters(), *place.parameters()], lr=0.1)
    for _ in range(10):
        features = body(torch.randn(4, 8)).relu()
        kind_loss = nn.functional.cross_entropy(kind(features), torch.randint(0, 5, (4,)))
        place_loss = nn.functional.mse_loss(place(features), torch.rand(4, 2))  # error: [DLL119]
        optimizer.zero_grad()
        kind_loss.backward()
        optimizer.step()
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    body, kind, place = nn.Linear(8, 16), nn.Linear(16, 5), nn.Linear(16, 2)
    optimizer = torch.optim.SGD([*body.parameters(), *kind.parameters(), *place.parameters()], lr=0.1)
    for _ in range(10):
        features = body(torch.randn(4, 8)).relu()
        kind_loss = nn.functional.cross_entropy(kind(features), torch.randint(0, 5, (4,)))
        place_loss = nn.functional.mse_loss(place(features), torch.rand(4, 2))
        optimizer.zero_grad()
        (kind_loss + place_loss).backward()
        optimizer.step()
    ```

    ## When it stays silent
    Losses that are printed or kept: they may be measured only.
    ```python
    import torch
    from torch import nn

    layer = nn.Linear(8, 5)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    for _ in range(10):
        y = torch.rand(4, 5)
        out = layer(torch.randn(4, 8))
        loss, distance = nn.functional.mse_loss(out, y), nn.functional.l1_loss(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(distance.item())
    ```

    ## References
    - Humbatova et al., ICSE 2020: missing loss, wrong loss calculation.
    """

    code = "DLL119"
    name = "loss-term-unused"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("program",)
    needs: ClassVar[tuple[str, ...]] = ("event:backward",)

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The losses of a program's training steps."""
        for found in idle_losses(context.facts):
            related = context.related(found.backward, "the step is differentiated here")
            yield context.finding(
                self,
                found.site,
                f"`{found.name}` is computed in the training step, but nothing reads it{context.condition_note(found.op)}",
                advice="add it to the loss that is differentiated, or delete it",
                related=[related] if related else [],
            )
