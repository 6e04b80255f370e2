"""DLO104: a method stands as a statement and is not called."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.modules import is_module
from dllint.analysis.own_statements import is_displayed
from dllint.analysis.training import is_optimizer, is_scheduler
from dllint.domains.lattice import Unknown
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.calls import call
from dllint.ir.events import BY_METHOD, Mention
from dllint.ir.program import TensorVal
from dllint.ir.values import BoundVal, Value, unwrap
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted


class MethodReferencedNotCalled(Rule[Mention]):
    """A method of a tensor, model, optimizer or scheduler is a statement of its own, without the parentheses that call it.

    ## What it finds
    A statement that is nothing but a method: `loss.backward`, `optimizer.step`, `model.eval`, `model.summary`. Of objects
    whose class is not known, the methods of training steps count, in a file that imports torch.

    ## Why it is bad
    Reading a method does nothing. The gradients are not computed, the weights not updated, dropout not switched off, and
    nothing raises.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        loss = nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 2, (4,)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step  # error: [DLO104]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        loss = nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 2, (4,)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    ```

    ## When it stays silent
    Properties and other attributes, methods that are handed on, attributes that are read to see whether they are there, what a
    notebook shows, and methods of objects that are not known, as long as they have no name of a training step.
    ```python
    import torch
    from torch import nn


    class Scaled(nn.Module):
        @property
        def scale(self):
            self.used = True
            return 2


    model = Scaled()
    model.scale
    model.training
    update = torch.optim.SGD(nn.Linear(4, 2).parameters(), lr=0.1).step
    update()
    try:
        model.eval
    except AttributeError:
        print("no module")


    def opened(stream, counter):
        stream.closed
        counter.step()
    ```

    ## References
    - Python reference, expression statements.
    - PyTorch documentation, `torch.optim`.
    - Found in public code: `saforem2/l2hmc-qcd` (`src/l2hmc/trainers/pytorch/trainer.py`).
    """

    code = "DLO104"
    name = "method-referenced-not-called"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch", "keras")
    topics: ClassVar[tuple[str, ...]] = ("event:mention",)

    def check(self, item: Mention, context: Context) -> Iterator[Finding]:
        """A statement that only reads an attribute."""
        if is_displayed(item.site) or not _is_idle_method(item):
            return
        method = context.text(item)
        yield context.finding(
            self,
            item,
            f"{quoted(method)} is only named here, so that nothing happens",
            advice=f"call the method, {quoted(f'{method}()')}",
            fixes=offer(context, "Call the method", call(item.site, item.site.node), Applicability.UNSAFE),
        )


def _is_idle_method(item: Mention) -> bool:
    """Whether an attribute is a method that does its work only if it is called."""
    receiver = unwrap(item.receiver)
    if isinstance(receiver, Unknown):
        return item.name in BY_METHOD and "torch" in item.site.document.text
    return isinstance(item.value, BoundVal) and _trains(receiver)


def _trains(value: Value) -> bool:
    """Whether an object is a tensor, a module or model, an optimizer or a scheduler."""
    return isinstance(value, TensorVal) or is_module(value) or is_optimizer(value) or is_scheduler(value)
