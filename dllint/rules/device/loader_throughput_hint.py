"""DLG110: samples are loaded in the process that trains, so that the device waits for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import add_keyword, keyword_argument, remove_argument
from dllint.ir.events import LibraryCall
from dllint.ir.values import InstanceVal, LibSymbol, Value, unwrap
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule

_LOADER: Final = "torch.utils.data.DataLoader"
_CLEARS: Final = ("torch.optim.Optimizer.zero_grad", "torch.nn.Module.zero_grad")
_MOVES: Final = frozenset({"torch.nn.Module.cuda", "torch.nn.Module.to"})
#: Data that are in memory.
_IN_MEMORY: Final = LibSymbol("torch.utils.data.TensorDataset")


class LoaderThroughputHint(Rule[LibraryCall]):
    """A `DataLoader` without workers feeds a model on an accelerator.

    ## What it finds
    `DataLoader(…)` without `num_workers` over data that are no tensors in memory, in a program that moves its model; and
    `zero_grad(set_to_none=False)`. It is off unless it is selected.

    ## Why it is bad
    Without workers, the program loads a batch, trains, loads the next one: the device waits. Gradients that are filled with
    zeros are written and read once more in each step than gradients that are dropped.

    ## Bad
    ```python
    import torch
    from files import Pictures
    from torch import nn
    from torch.utils.data import DataLoader

    model = nn.Linear(8, 2).cuda()
    for x in DataLoader(Pictures("train"), batch_size=32):  # info: [DLG110]
        print(model(x.cuda()))
    ```

    ## Good
    ```python
    import torch
    from files import Pictures
    from torch import nn
    from torch.utils.data import DataLoader

    model = nn.Linear(8, 2).cuda()
    for x in DataLoader(Pictures("train"), batch_size=32, num_workers=4, pin_memory=True):
        print(model(x.cuda()))
    ```

    ## When it stays silent
    Tensors in memory, programs that run on the CPU, and loaders whose number of workers is stated.
    ```python
    import torch
    from files import Pictures
    from torch import nn
    from torch.utils.data import DataLoader, TensorDataset

    model = nn.Linear(8, 2).cuda()
    for (x,) in DataLoader(TensorDataset(torch.randn(64, 8)), batch_size=32):
        print(model(x.cuda()))
    for x in DataLoader(Pictures("train"), num_workers=0):
        print(model(x.cuda()))
    ```

    ## References
    - PyTorch performance tuning guide: "Enable asynchronous data loading and augmentation".
    - TorchFix, rules TOR401 and TOR402.
    """

    code = "DLG110"
    name = "loader-throughput-hint"
    severity = Severity.INFO
    confidence = Confidence.MEDIUM
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("event:call",)
    calls: ClassVar[tuple[str, ...]] = (_LOADER, *_CLEARS)
    default = "off"

    def check(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """The construction of a loader, and what clears gradients."""
        node = item.site.node
        if (
            item.name == _LOADER
            and "num_workers" not in item.bound
            and not item.unbound
            and _is_loaded(item.bound.get("dataset"))
        ):
            if any(call.name in _MOVES for call in context.facts.events(LibraryCall)):
                edits = add_keyword(item.site, node, "num_workers", "4") if isinstance(node, cst.Call) else ()
                yield context.finding(
                    self,
                    item,
                    "this loader reads its samples in the process that trains, and the device waits",
                    advice="pass `num_workers=`, as many as there are cores to spare",
                    kind="workers",
                    fixes=offer(context, "Load in four processes", edits, Applicability.UNSAFE),
                )
        elif item.name in _CLEARS and unwrap(item.bound.get("set_to_none")) is False:
            given = keyword_argument(node, "set_to_none") if isinstance(node, cst.Call) else None
            edits = remove_argument(item.site, node, given) if given is not None else ()
            yield context.finding(
                self,
                item,
                "gradients are filled with zeros, which costs a pass over them in each step",
                advice="leave `set_to_none` on",
                kind="zeros",
                fixes=offer(context, "Drop the gradients", edits, Applicability.UNSAFE),
            )


def _is_loaded(dataset: Value) -> bool:
    """Whether the samples of a dataset are made one by one."""
    value = unwrap(dataset)
    return not (isinstance(value, InstanceVal) and value.cls == _IN_MEMORY)
