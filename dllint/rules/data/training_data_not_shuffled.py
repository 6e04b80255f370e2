"""DLD111: the training data come in one order in every epoch."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import ClassVar

import libcst as cst

from dllint.analysis.typestate.loaders import draws_before, is_in_order, joins_parts, trained_from
from dllint.domains.dim import DimExpr
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import set_argument
from dllint.ir.events import LibraryCall
from dllint.ir.program import Op, Program
from dllint.ir.values import unwrap
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import TRAINS, Rule
from dllint.rules.wording import assigned_name, quoted


class TrainingDataNotShuffled(Rule[Program]):
    """A loop trains from a `DataLoader` that gives the samples of its data set in the same order in every epoch.

    ## What it finds
    A `DataLoader` of a known data set without `shuffle=True`, `sampler` or `batch_sampler`, in a program that a loop trains
    with its batches in. That is the default of the class.

    ## Why it is bad
    Data are mostly stored class by class or recording by recording. The batches then hold one class each, gradients pull in
    one direction after the other, and batch statistics are those of single classes.

    ## Bad
    ```python
    import torch
    from torch import nn
    from torch.utils.data import DataLoader
    from torchvision import datasets, transforms

    data = datasets.ImageFolder("photos", transform=transforms.ToTensor())
    loader = DataLoader(data, batch_size=32)  # error: [DLD111]
    model = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(10):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
    ```

    ## Good
    ```python
    import torch
    from torch import nn
    from torch.utils.data import DataLoader
    from torchvision import datasets, transforms

    data = datasets.ImageFolder("photos", transform=transforms.ToTensor())
    loader = DataLoader(data, batch_size=32, shuffle=True)
    model = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(10):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
    ```

    ## When it stays silent
    Loaders that are evaluated with, data sets that are not known or that are iterated in their own order, recurrent models
    (their data may be a sequence), and data of which anything was put in a random order before, or that are made up of draws,
    unless they are parts that a `ConcatDataset` puts one behind the other.
    ```python
    import torch
    from torch import nn
    from torch.utils.data import DataLoader, random_split
    from torchvision import datasets, transforms

    data = datasets.ImageFolder("photos", transform=transforms.ToTensor())
    train, held_out = random_split(data, [0.8, 0.2])
    loader, tested = DataLoader(train, batch_size=32), DataLoader(held_out, batch_size=32)
    model = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(10):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            print(sum((model(x).argmax(1) == y).sum() for x, y in tested))
        model.train()
    ```

    ## References
    - PyTorch documentation, `torch.utils.data.DataLoader`: `shuffle` is false by default.
    - Humbatova et al., ICSE 2020: missing shuffle among the missing preprocessing.
    """

    code = "DLD111"
    name = "training-data-not-shuffled"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("program",)
    needs: ClassVar[tuple[str, ...]] = TRAINS

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The loaders that a program trains from."""
        training = context.facts.training
        if not training.trains or any(does(op, Trait.RECURRENT) for op in item.ops):
            return
        for found in trained_from(training):
            if _is_whole(found.loader, context):
                continue
            if not is_in_order(found.loader) or draws_before(found.loader, training):
                continue
            if joins_parts(found.loader, training) or not _is_drawn(found.loader, item):
                yield self._reported(found.loader, context)

    def _reported(self, loader: LibraryCall, context: Context) -> Finding:
        name = quoted(assigned_name(loader.site, context) or context.text(loader.site.node))
        node = loader.site.node
        edits = set_argument(loader.site, node, "shuffle", "True", position=2) if isinstance(node, cst.Call) else ()
        return context.finding(
            self,
            loader,
            f"{name}, which the model is trained from, gives the samples in the same order in every epoch",
            advice="pass `shuffle=True`",
            fixes=offer(context, "Pass `shuffle=True`", edits, Applicability.UNSAFE),
        )


def _is_whole(loader: LibraryCall, context: Context) -> bool:
    """Whether one batch may hold all samples, so that they have no order: its size is computed from sizes, or is the length of
    the data set."""
    size = unwrap(loader.bound.get("batch_size"))
    if isinstance(size, DimExpr) or "len(" in context.text(loader.nodes.get("batch_size")):
        return True
    calls = context.facts.events(LibraryCall)
    lengths = [call.result for call in calls if call.receiver is loader.bound.get("dataset") and call.name.endswith(".__len__")]
    return isinstance(size, int) and any(isinstance(length, int) and size >= length for length in lengths)


def _is_drawn(loader: LibraryCall, program: Program) -> bool:
    """Whether anything is drawn before the loader is made: there is no order in data that are made up."""
    before = takewhile(lambda item: item is not loader, program.trace)
    return any(isinstance(item, Op) and does(item, Trait.DRAWS) and item.layer is None for item in before)
