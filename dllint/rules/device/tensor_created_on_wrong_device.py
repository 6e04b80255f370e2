"""DLG102: a tensor is made on the CPU and meets tensors or weights that were moved to another device."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant

import libcst as cst

from dllint.analysis.devices import Apart, is_left_behind
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import add_keyword
from dllint.fixes.boundary import builder
from dllint.ir.events import ModuleCall
from dllint.ir.program import Program, TensorVal
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted
from dllint.source.walk import walk


class TensorCreatedOnWrongDevice(Rule[Program]):
    """A tensor is made without `device=` and meets what was moved to an accelerator.

    ## What it finds
    `torch.zeros(…)`, `torch.arange(…)`, `torch.randn(…)` and the like in `forward`, in a loss or in a training step, whose
    result is combined with a tensor or with weights of a model that `model.cuda()` or `model.to(device)` has moved.

    ## Why it is bad
    Such functions make tensors on the CPU. PyTorch refuses to compute with tensors of two devices: "Expected all tensors to be
    on the same device". On a machine without an accelerator the program runs, so that nobody sees it there.

    ## Bad
    ```python
    import torch
    from torch import nn


    class Noisy(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(8, 2)

        def forward(self, x):
            hidden = self.layer(x)
            return hidden + torch.randn(4, 2)  # error: [DLG102]


    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = Noisy().to(device)
    print(model(torch.randn(4, 8, device=device)))
    ```

    ## Good
    ```python
    import torch
    from torch import nn


    class Noisy(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(8, 2)

        def forward(self, x):
            hidden = self.layer(x)
            return hidden + torch.randn(4, 2, device=x.device)


    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = Noisy().to(device)
    print(model(torch.randn(4, 8, device=device)))
    ```

    ## When it stays silent
    Programs that move nothing, tensors that are moved by any means, numbers without axes, which every device takes, tensors
    that serve as an index, default devices, and models that distribute their inputs themselves.
    ```python
    import torch
    from torch import nn


    class Careful(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(8, 2)
            self.register_buffer("steps", torch.arange(2.0))

        def forward(self, x):
            hidden = self.layer(x) * torch.tensor(0.5) + self.steps
            hidden = hidden + torch.zeros(4, 2).to(hidden) + torch.ones_like(hidden) + hidden.new_zeros(2)
            return hidden[torch.randperm(4)]


    model = Careful().cuda()
    print(model(torch.randn(4, 8).cuda()))
    ```

    ## References
    - PyTorch documentation, "CUDA semantics": best practices, device-agnostic code.
    """

    code = "DLG102"
    name = "tensor-created-on-wrong-device"
    severity = Severity.WARNING
    confidence = Confidence.MEDIUM
    applicability = Applicability.SAFE
    frameworks = ("torch",)
    topics: Constant[tuple[str, ...]] = ("program",)
    default = "off"

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The tensors of a program that were made on the CPU, each once."""
        seen = set[int]()
        for found in context.facts.misplaced:
            if not isinstance(found, Apart) or not is_left_behind(found) or id(found.creation.site.node) in seen:
                continue
            seen.add(id(found.creation.site.node))
            places = (
                (found.op, "here it meets what is on another device"),
                (found.moved, "the move to that device"),
            )
            related = (context.related(where, text) for where, text in places)
            meets = "meets tensors on the accelerator" if found.is_certain else "may meet tensors on another device"
            yield context.finding(
                self,
                found.creation,
                f"{quoted(context.text(found.creation))} makes a tensor on the CPU, which {meets}",
                advice="pass `device=`, that of the tensors it is combined with",
                severity=Severity.ERROR if found.is_certain else Severity.WARNING,
                related=[place for place in related if place],
                fixes=_fixes(found, context),
            )


@builder
def _fixes(found: Apart, context: Context) -> tuple[Fix, ...]:
    """Make the tensor on the device of the tensor that the method is given, if it is given one."""
    node = found.creation.site.node
    given = _given(found, context)
    if not isinstance(node, cst.Call) or not given or found.creation.name in ("torch.from_numpy", "torch.Tensor"):
        return ()
    edits = add_keyword(found.creation.site, node, "device", f"{given}.device")
    return tuple(offer(context, "Make the tensor on the device of the input", edits, Applicability.SAFE))


def _given(found: Apart, context: Context) -> str:
    """The first parameter of the method in which a tensor is made, if its module is called with a tensor there and it is not
    assigned to."""
    site = found.creation.site
    called = (event for event in context.facts.events(ModuleCall) if event.callee is found.creation.owner)
    if not any(event.args and isinstance(event.args[0], TensorVal) for event in called):
        return ""
    for part in (part for top in site.document.chunk_of(site.statement).statements for part in walk(top)):
        if (
            isinstance(part, cst.FunctionDef)
            and part.name.value == "forward"
            and any(inner is site.statement for inner in walk(part.body))
        ):
            names = [param.name.value for param in part.params.params]
            targets = (inner for inner in walk(part.body) if isinstance(inner, cst.AssignTarget))
            is_kept = len(names) > 1 and all(context.text(target.target) != names[1] for target in targets)
            return names[1] if is_kept else ""
    return ""
