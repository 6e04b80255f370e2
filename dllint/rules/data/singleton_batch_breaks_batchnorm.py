"""DLD115: a batch normalisation that trains is given one number per channel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.singletons import Refused, refused
from dllint.domains.shape import show_shape
from dllint.edit import Applicability, Edit, Fix
from dllint.finding import Confidence, Finding, Related, Severity
from dllint.fixes.boundary import builder, offering
from dllint.fixes.operations import set_option
from dllint.ir.events import SingleLeft
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.fault_rule import built
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation


class SingletonBatchBreaksBatchnorm(Rule[Program]):
    """A batch normalisation in training mode is given one number per channel, which raises.

    ## What it finds
    `BatchNorm1d` and the like in training mode whose operand has one number per channel: a batch of one row, or of one picture
    that was pooled to one position; the last batch of a loader that leaves one sample over, in a loop that trains.

    ## Why it is bad
    Of one number, there is no variance: PyTorch raises `Expected more than 1 value per channel when training`; with a loader,
    at the end of the first epoch.

    ## Bad
    ```python
    import torch
    from torch import nn
    from torch.utils.data import DataLoader, TensorDataset

    data = TensorDataset(torch.randn(101, 20), torch.randint(0, 3, (101,)))
    loader = DataLoader(data, batch_size=10, shuffle=True)
    model = nn.Sequential(nn.Linear(20, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()  # error: [DLD115]
            optimizer.step()
    ```

    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(20, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 3))
    print(model(torch.randn(1, 20)))  # error: [DLD115]
    ```

    ## Good
    ```python
    import torch
    from torch import nn
    from torch.utils.data import DataLoader, TensorDataset

    data = TensorDataset(torch.randn(101, 20), torch.randint(0, 3, (101,)))
    loader = DataLoader(data, batch_size=10, shuffle=True, drop_last=True)
    model = nn.Sequential(nn.Linear(20, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
    ```

    ## When it stays silent
    Models in evaluation mode, or whose mode is not known (hooks, an own `train`), functions that ask for the mode or the batch
    before they normalise, operands with several positions per channel, numbers of samples that are not known, loops over a
    part of a loader's batches, and programs that synchronise the statistics of several processes.
    ```python
    import torch
    from torch import nn

    rows = nn.Sequential(nn.Linear(20, 16), nn.BatchNorm1d(16), nn.ReLU()).eval()
    pictures = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8))
    print(rows(torch.randn(1, 20)), pictures(torch.randn(1, 3, 32, 32)))
    ```

    ## References
    - `torch.nn.functional.batch_norm` (torch 2.13), which raises the error; Humbatova et al., ICSE 2020: wrong batch size.
    """

    code = "DLD115"
    name = "singleton-batch-breaks-batchnorm"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("program",)

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The batch normalisations of a program that raise."""
        for found in refused(context.facts):
            yield context.finding(
                self,
                found.op,
                f"{operation(found.op, context)} is given {_given(found)} in training mode: one number per channel has no "
                f"variance{context.condition_note(found.op)}",
                advice=_advice(found),
                related=[*built(found.op, context), *_loader(found, context)],
                fixes=_fixes(found, context),
            )


def _given(found: Refused) -> str:
    shape = show_shape(found.shape)
    if found.left is None:
        return shape
    return f"{shape} by the last batch, of 1 of {found.left.samples} samples where {found.left.batch_size} make a batch,"


def _advice(found: Refused) -> str:
    if found.left is None:
        return "call eval() on the model first, or give it more than one sample"
    return "pass drop_last=True to the loader, or take another batch size"


def _loader(found: Refused, context: Context) -> Iterator[Related]:
    related = context.related(found.left.loader.site, "the loader is made here") if found.left is not None else None
    if related is not None:
        yield related


@offering
def _fixes(found: Refused, context: Context) -> list[Fix]:
    if found.left is None:
        return []
    return offer(context, "Leave the last batch out", without_rest(found.left), Applicability.UNSAFE)


@builder
def without_rest(left: SingleLeft) -> tuple[Edit, ...]:
    """The loader is given ``drop_last=True``."""
    return set_option(left.loader, "drop_last", "True")
