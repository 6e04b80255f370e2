"""DLO130: a distributed sampler is never told the epoch, or a loader is to shuffle beside its sampler."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant
from typing import Final

import libcst as cst

from dllint.analysis.typestate import schedules
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import LibraryCall
from dllint.ir.program import Program
from dllint.ir.values import InstanceVal, unwrap
from dllint.rules.context import Context
from dllint.rules.rule import TRAINS, Rule
from dllint.rules.wording import assigned_name, quoted

_LOADER: Final = "torch.utils.data.DataLoader"
#: What decides on the order of samples in place of a loader.
_SAMPLERS: Final = ("sampler", "batch_sampler")


class SamplerEpochNotSet(Rule[Program]):
    """The loop over the epochs never calls `set_epoch` of the `DistributedSampler` that shuffles its data.

    ## What it finds
    A `DistributedSampler` that shuffles (the default), of a `DataLoader` that a loop trains from in a loop over epochs, in a
    program whose files mention `set_epoch` nowhere. And a `DataLoader` that is given a sampler of any kind and `shuffle=True`.

    ## Why it is bad
    The sampler draws its order from a seed and the epoch. Without `set_epoch`, that is the same order in every epoch: each
    process sees the same batches again and again. A loader that is given an order and is to make one raises `ValueError`.

    ## Bad
    ```python
    from torch import nn
    from torch.utils.data import DataLoader
    from torch.utils.data.distributed import DistributedSampler


    def train(model, optimizer, dataset):
        sampler = DistributedSampler(dataset)  # error: [DLO130]
        loader = DataLoader(dataset, batch_size=8, sampler=sampler)
        for epoch in range(10):
            for x, y in loader:
                optimizer.zero_grad()
                nn.functional.mse_loss(model(x), y).backward()
                optimizer.step()
    ```

    ```python
    import torch
    from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

    data = TensorDataset(torch.randn(64, 8), torch.randint(0, 2, (64,)))
    sampler = WeightedRandomSampler(torch.ones(64), 64)
    loader = DataLoader(data, batch_size=8, sampler=sampler, shuffle=True)  # error: [DLO130]
    ```

    ## Good
    ```python
    from torch import nn
    from torch.utils.data import DataLoader
    from torch.utils.data.distributed import DistributedSampler


    def train(model, optimizer, dataset):
        sampler = DistributedSampler(dataset)
        loader = DataLoader(dataset, batch_size=8, sampler=sampler)
        for epoch in range(10):
            sampler.set_epoch(epoch)
            for x, y in loader:
                optimizer.zero_grad()
                nn.functional.mse_loss(model(x), y).backward()
                optimizer.step()
    ```

    ## When it stays silent
    A single pass over the data, a sampler that does not shuffle, loaders that are evaluated with, and loaders and samplers that
    are handed to code that is not followed.
    ```python
    from engine import prepare
    from torch import nn
    from torch.utils.data import DataLoader
    from torch.utils.data.distributed import DistributedSampler


    def one_pass(model, optimizer, loader):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()


    def once(model, optimizer, dataset):
        one_pass(model, optimizer, DataLoader(dataset, sampler=DistributedSampler(dataset)))


    def in_order(model, optimizer, dataset):
        loader = DataLoader(dataset, sampler=DistributedSampler(dataset, shuffle=False))
        for epoch in range(10):
            one_pass(model, optimizer, loader)


    def evaluated(model, optimizer, dataset, tested):
        loader = DataLoader(dataset, shuffle=True)
        test_loader = DataLoader(tested, sampler=DistributedSampler(tested))
        for epoch in range(10):
            one_pass(model, optimizer, loader)
            for x, y in test_loader:
                print(nn.functional.mse_loss(model(x), y).item())


    def elsewhere(model, optimizer, dataset):
        loader = DataLoader(dataset, sampler=DistributedSampler(dataset))
        prepare(loader)
        for epoch in range(10):
            one_pass(model, optimizer, loader)
    ```

    ## References
    - PyTorch documentation, `torch.utils.data.distributed.DistributedSampler`.
    - Found in public code: `NVIDIA/tacotron2` (`train.py`).
    """

    code = "DLO130"
    name = "sampler-epoch-not-set"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    frameworks = ("torch",)
    topics: Constant[tuple[str, ...]] = ("program",)
    needs: Constant[tuple[str, ...]] = (*TRAINS, f"call:{_LOADER}")

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The samplers of a program whose order never changes."""
        yield from _refused(context, self)
        if not context.facts.training.trains:
            return
        for found in schedules.unshuffled(context.facts.training):
            name = assigned_name(found.sampler.site, context)
            related = context.related(found.epochs.edge, "the loop over the epochs")
            node = found.sampler.site.node
            made = context.text(node.func) if isinstance(node, cst.Call) else ""
            yield context.finding(
                self,
                found.sampler,
                f"{quoted(name or made)} gives each epoch the same order: nothing calls its `set_epoch`",
                advice=f"call {name or 'sampler'}.set_epoch(epoch) at the beginning of each epoch",
                related=[related] if related else [],
            )


def _refused(context: Context, rule: SamplerEpochNotSet) -> Iterator[Finding]:
    """The loaders that are given a sampler and are to shuffle by themselves, too, which raises."""
    for call in context.facts.events(LibraryCall):
        if call.name != _LOADER or unwrap(call.bound.get("shuffle")) is not True:
            continue
        given = [name for name in _SAMPLERS if isinstance(unwrap(call.bound.get(name)), InstanceVal)]
        if given:
            yield context.finding(
                rule,
                call,
                f"a loader with a {given[0].replace('_', ' ')} refuses `shuffle=True`: it raises ValueError",
                advice="leave `shuffle` out: the sampler decides on the order",
                severity=Severity.ERROR,
                kind="refused",
            )
