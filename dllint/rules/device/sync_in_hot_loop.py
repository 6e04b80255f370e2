"""DLG106: each training step waits for the device to tell a number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.every_pass import is_in_every_pass
from dllint.analysis.typestate.order import is_unconditional
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import LibraryCall
from dllint.ir.program import Program, TensorVal
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted

#: What needs the number at once.
_WAITING: Final = frozenset(f"torch.Tensor.{name}" for name in ("item", "tolist", "cpu", "numpy", "__float__", "__bool__"))
#: What moves a model to an accelerator.
_MOVES: Final = frozenset({"torch.nn.Module.cuda", "torch.nn.Module.to"})


class SyncInHotLoop(Rule[Program]):
    """`.item()` or `.cpu()` in every training step.

    ## What it finds
    `.item()`, `.tolist()`, `.cpu()` and `.numpy()` of a tensor in each pass of the innermost loop that differentiates and
    steps, in a program that moves its model. It is off unless it is selected.

    ## Why it is bad
    An accelerator works behind the program, which hands it one operation after the other. To tell a number, the program waits
    until all of them are done. Where a step takes milliseconds, that is a part of the time.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    total = 0.0
    for _ in range(100):
        optimizer.zero_grad()
        loss = model(torch.randn(4, 8, device="cuda")).square().mean()
        loss.backward()
        optimizer.step()
        total += loss.item()  # info: [DLG106]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    total = torch.zeros((), device="cuda")
    for _ in range(100):
        optimizer.zero_grad()
        loss = model(torch.randn(4, 8, device="cuda")).square().mean()
        loss.backward()
        optimizer.step()
        total += loss.detach()
    print(total.item())
    ```

    ## When it stays silent
    Numbers that are asked for every few steps, programs that run on the CPU, and loops that do not train.
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        loss = model(torch.randn(4, 8)).square().mean()
        loss.backward()
        optimizer.step()
        print(loss.item())
    ```

    ## References
    - PyTorch performance tuning guide: "Avoid unnecessary CPU-GPU synchronization".
    """

    code = "DLG106"
    name = "sync-in-hot-loop"
    severity = Severity.INFO
    confidence = Confidence.MEDIUM
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("program",)
    default = "off"

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """What the training loops of a program wait for, each place once."""
        training, seen = context.facts.training, set[int]()
        if not training.trains or not any(call.name in _MOVES for call in context.facts.events(LibraryCall)):
            return
        for loop in training.step_loops():
            for call in training.within(loop, LibraryCall):
                if call.name not in _WAITING or id(call.site.node) in seen or not isinstance(call.receiver, TensorVal):
                    continue
                seen.add(id(call.site.node))
                own = training.innermost(call) is loop and is_unconditional(call, loop)
                if own and is_in_every_pass(call.site, loop):
                    yield context.finding(
                        self,
                        call,
                        f"{quoted(context.text(call))} waits for the device in every step",
                        advice="keep the tensor, and take the number every few steps",
                    )
