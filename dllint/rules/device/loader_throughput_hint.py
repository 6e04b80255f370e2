"""DLG110: samples are loaded in the process that trains, gradients are filled, or a tensor grows by copies of itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.own_statements import enclosing
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import add_keyword, keyword_argument, remove_argument
from dllint.ir.events import LibraryCall
from dllint.ir.program import Op
from dllint.ir.values import InstanceVal, LibSymbol, Value, unwrap
from dllint.ops.kinds import having
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted
from dllint.source.walk import dotted, small_statements, walk

_LOADER: Final = "torch.utils.data.DataLoader"
_CLEARS: Final = ("torch.optim.Optimizer.zero_grad", "torch.nn.Module.zero_grad")
_MOVES: Final = frozenset({"torch.nn.Module.cuda", "torch.nn.Module.to"})
#: Data that are in memory.
_IN_MEMORY: Final = LibSymbol("torch.utils.data.TensorDataset")

#: What a statement may stand in: a loop, or code of which it is not known how often it is performed.
_BORDERS: Final = (cst.For, cst.While, cst.FunctionDef, cst.ClassDef)


class LoaderThroughputHint(Rule[LibraryCall | Op]):
    """A `DataLoader` without workers feeds a model on an accelerator, or a loop does work that it could leave out.

    ## What it finds
    - `DataLoader(…)` without `num_workers` over data that are no tensors in memory, in a program that moves its model.
    - `zero_grad(set_to_none=False)`.
    - A tensor or array to which each pass of a loop concatenates more, and with which the loop does nothing else.

    It is off unless it is selected.

    ## Why it is bad
    Without workers, the program loads a batch, trains, loads the next one: the device waits. Gradients that are filled with
    zeros are written and read once more in each step than gradients that are dropped. A tensor that grows is copied in each
    pass, all that is in it: ten times the passes take a hundred times as long.

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

    ```python
    import torch
    from torch import nn


    def outputs(model, batches):
        table = torch.empty(0, 2)
        for x in batches:
            table = torch.cat([table, model(x)])  # info: [DLG110]
        return table


    print(outputs(nn.Linear(8, 2), torch.randn(64, 8).split(4)).shape)
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
    Tensors in memory, programs that run on the CPU, and loaders whose number of workers is stated; and tensors that grow while
    the loop needs them as they are (the layers of a dense block, tokens that are generated one by one).
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
    tokens = torch.zeros(1, 4, 8).cuda()
    for _ in range(10):
        tokens = torch.cat([tokens, tokens[:, -2:] * 2], dim=1)
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
    topics: ClassVar[tuple[str, ...]] = ("event:call", *(f"op:{kind}" for kind in sorted(having(Trait.CONCATENATES))))
    calls: ClassVar[tuple[str, ...]] = (_LOADER, *_CLEARS)
    default = "off"

    def check(self, item: LibraryCall | Op, context: Context) -> Iterator[Finding]:
        """The construction of a loader, what clears gradients, and what concatenates."""
        if isinstance(item, LibraryCall):
            yield from self._called(item, context)
        elif name := _grown(item):
            yield context.finding(
                self,
                item,
                f"each pass of this loop copies all that {quoted(name)} holds, to add to it",
                advice="append to a list, and concatenate once behind the loop",
                kind="grown",
            )

    def _called(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
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


def _grown(op: Op) -> str:
    """The name, or attribute, to which a statement of a loop concatenates something, where nothing else in the loop speaks of
    it but to begin with the first part; empty if there is none."""
    around = enclosing(op.site)
    loop = next((part for part in reversed(around) if isinstance(part, _BORDERS)), None)
    assigned = next((part for part in small_statements(op.site.statement) if isinstance(part, cst.Assign)), None)
    if assigned is None or len(assigned.targets) != 1 or not isinstance(loop, (cst.For, cst.While)):
        return ""
    name, parts = dotted(assigned.targets[0].target), _concatenated(op, assigned.value)
    if not name or parts is None or all(dotted(part.value) != name for part in parts.elements):
        return ""
    begins = (part for part in around if isinstance(part, cst.If) and _asks_whether_there(part.test, name))
    own = [part for top in (next(begins, assigned),) for part in walk(top)]
    bound = sum(isinstance(part, cst.AssignTarget) and dotted(part.target) == name for part in own)
    asked = sum(isinstance(part, (cst.If, cst.IfExp)) and _asks_whether_there(part.test, name) for part in own)
    told = sum(isinstance(part, (cst.Name, cst.Attribute)) and dotted(part) == name for part in walk(loop))
    return name if told == bound + asked + 1 else ""


def _concatenated(op: Op, value: cst.BaseExpression) -> cst.List | cst.Tuple | None:
    """The parts that an operation is given in a list or tuple, if it is what is assigned, or one of two such things."""
    call = value if not isinstance(value, cst.IfExp) else value.orelse if value.orelse is op.site.node else value.body
    parts = call.args[0].value if isinstance(call, cst.Call) and call is op.site.node and call.args else None
    return parts if isinstance(parts, (cst.List, cst.Tuple)) else None


def _asks_whether_there(test: cst.BaseExpression, name: str) -> bool:
    """Whether a condition asks no more than whether a name is bound to something."""
    if isinstance(test, cst.UnaryOperation):
        return _asks_whether_there(test.expression, name)
    return dotted(test.left if isinstance(test, cst.Comparison) else test) == name
