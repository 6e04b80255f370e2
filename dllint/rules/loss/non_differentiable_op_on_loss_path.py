"""DLL117: a loss without a graph is made to look differentiable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.typestate.pretended import Pretended, pretended
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.rule import TRAINS, Rule
from dllint.rules.wording import quoted


class NonDifferentiableOpOnLossPath(Rule[Program]):
    """A loss that no gradient leads from to the weights is asked for its own gradient, so that `backward` runs and trains
    nothing.

    ## What it finds
    `requires_grad_()`, `requires_grad = True`, `torch.tensor(..., requires_grad=True)` and `Variable(..., requires_grad=True)`
    on a tensor whose graph was ended before by `argmax`, `round`, a comparison, `detach`, `.data`, `.item()` or the like, where
    `backward` comes to that tensor and to no weight.

    ## Why it is bad
    PyTorch's error ("does not require grad and does not have a grad_fn") said that nothing can be trained by this loss. The new
    leaf takes the gradient for itself: the error is gone, and the weights stay as they are.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        guessed = model(torch.randn(4, 8)).argmax(dim=1).float().requires_grad_()
        loss = nn.functional.mse_loss(guessed, torch.zeros(4))
        loss.backward()  # error: [DLL117]
        optimizer.step()
    ```

    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 3, (4,)))
        torch.tensor(loss.item(), requires_grad=True).backward()  # error: [DLL117]
        optimizer.step()
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 3, (4,)))
        loss.backward()
        optimizer.step()
    ```

    ## When it stays silent
    Leaves behind which weights are applied (their gradient is wanted for itself, as in a gradient penalty or an attack), and a
    flag that is set although the graph leads to weights.
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        attacked = torch.randn(4, 8).requires_grad_()
        loss = nn.functional.cross_entropy(model(attacked), torch.randint(0, 3, (4,)))
        loss.requires_grad_()
        loss.backward()
        optimizer.step()
    ```

    ## References
    - PyTorch documentation, "Autograd mechanics": leaves and `requires_grad`.
    - Zhang Y. et al., ISSTA 2018: losses without a gradient.
    """

    code = "DLL117"
    name = "non-differentiable-op-on-loss-path"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("program",)
    needs: ClassVar[tuple[str, ...]] = TRAINS

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The backward passes of a program that reach no weight."""
        if not context.facts.training.trains:
            return
        for found in pretended(context.facts):
            yield self._reported(found, context)

    def _reported(self, found: Pretended, context: Context) -> Finding:
        notes = [context.related(found.asking, "this tensor is made a leaf here")]
        if found.end is not None:
            notes.append(context.related(found.end, "no gradient passes here"))
        return context.finding(
            self,
            found.backward,
            f"{quoted(context.text(found.backward))} reaches no weight: the loss was cut off and asked for its own gradient",
            advice="leave out `requires_grad`, and build the loss from differentiable operations",
            related=[note for note in notes if note is not None],
        )
