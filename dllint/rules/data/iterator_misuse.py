"""DLD118: every training step takes the first batch of a new iterator, or a loader has no batch at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.typestate.loaders import first_batches, is_in_order, is_shuffled
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import EmptyLoader, LibraryCall
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.rule import TRAINS, Rule
from dllint.rules.wording import assigned_name, quoted


class IteratorMisuse(Rule[Program | EmptyLoader]):
    """A loop makes a new iterator of the loader in every step and takes its first batch, or goes over a loader without batches.

    ## What it finds
    - `next(iter(loader))` in a loop that trains, with a loader that does not shuffle; information with one that does.
    - A loop over a `DataLoader` with `drop_last=True` that has fewer samples than a batch needs.

    ## Why it is bad
    Every step sees the same batch: the model is trained on a few samples, and the rest of the data is never used. Of a loader
    that shuffles, it is the first batch of another order each time: some samples are drawn many times before others are seen at
    all, and workers are started for one batch. A loader that drops its only batch gives none: the loop does nothing, without a
    word.

    ## Bad
    ```python
    import torch
    from torch import nn
    from torch.utils.data import DataLoader
    from torchvision import datasets, transforms

    data = datasets.MNIST("data", transform=transforms.ToTensor())
    loader = DataLoader(data, batch_size=32)
    model = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step in range(1000):
        x, y = next(iter(loader))  # error: [DLD118]
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    ```

    ```python
    import torch
    from torch.utils.data import DataLoader, TensorDataset

    data = TensorDataset(torch.randn(100, 8), torch.randn(100, 1))
    for x, y in DataLoader(data, batch_size=128, drop_last=True):  # error: [DLD118]
        print(x.mean(), y.mean())
    ```

    ## Good
    ```python
    from itertools import cycle

    import torch
    from torch import nn
    from torch.utils.data import DataLoader
    from torchvision import datasets, transforms

    data = datasets.MNIST("data", transform=transforms.ToTensor())
    batches = cycle(DataLoader(data, batch_size=32, shuffle=True))
    model = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step in range(1000):
        x, y = next(batches)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    ```

    ## When it stays silent
    One batch that is looked at outside the loop, and an iterator that is made anew when it has ended.
    ```python
    import torch
    from torch import nn
    from torch.utils.data import DataLoader
    from torchvision import datasets, transforms

    data = datasets.MNIST("data", transform=transforms.ToTensor())
    loader = DataLoader(data, batch_size=32, shuffle=True)
    model = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    print(next(iter(loader))[0].shape)
    batches = iter(loader)
    for step in range(1000):
        try:
            x, y = next(batches)
        except StopIteration:
            batches = iter(loader)
            x, y = next(batches)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    ```

    ## References
    - PyTorch documentation, `torch.utils.data`: loading order.
    """

    code = "DLD118"
    name = "iterator-misuse"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("program", "event:empty-loader")
    needs: ClassVar[tuple[str, ...]] = TRAINS

    def check(self, item: Program | EmptyLoader, context: Context) -> Iterator[Finding]:
        """The iterators that the training loops of a program make, and loaders without batches."""
        if isinstance(item, EmptyLoader):
            yield from self._empty(item, context)
            return
        training = context.facts.training
        if not training.trains:
            return
        for asked, loader in first_batches(training):
            if is_in_order(loader) or is_shuffled(loader):
                yield self._begun_anew(asked, loader, context)

    def _begun_anew(self, asked: LibraryCall, loader: LibraryCall, context: Context) -> Finding:
        name, shuffles = quoted(assigned_name(loader.site, context) or "the loader"), is_shuffled(loader)
        related = context.related(loader, f"the loader {'shuffles' if shuffles else 'does not shuffle'}")
        kept = (
            "of a new order: many samples are drawn again before others are drawn" if shuffles else "which is always the same"
        )
        return context.finding(
            self,
            asked,
            f"every step takes the first batch of {name}, {kept}",
            advice="make the iterator before the loop, or go over the loader with `for`",
            severity=Severity.INFO if shuffles else None,
            related=[related] if related else [],
        )

    def _empty(self, item: EmptyLoader, context: Context) -> Iterator[Finding]:
        made = item.loader.site
        if item.path or made is None:
            return
        used = context.related(item, "a loop over it does nothing")
        yield context.finding(
            self,
            made,
            f"this loader gives no batch: it drops the only one, {item.samples} samples, where {item.batch_size} make a batch",
            advice="take a smaller batch, or leave drop_last out",
            related=[used] if used else [],
            kind="empty",
        )
