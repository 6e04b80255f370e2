"""DLG103: a model was moved to another device, and what it or its loss is given was not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant

import libcst as cst

from dllint.analysis.devices import MOVING, Apart, is_left_behind
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.calls import append_call
from dllint.ir.events import LibraryCall
from dllint.ir.program import Program, Site
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted


class ModelInputDeviceMismatch(Rule[Program]):
    """The model is moved to an accelerator, and the batch or its labels are not.

    ## What it finds
    A model that `model.cuda()` or `model.to(device)` has moved is called with a tensor that is on the CPU for sure: one that
    was made there, or a batch of a `DataLoader` whose samples are made there. The same of the labels that a loss compares
    with the results of such a model.

    ## Why it is bad
    PyTorch refuses to compute with tensors of two devices: "Expected all tensors to be on the same device". On a machine
    without an accelerator the program runs, so that nobody sees it there.

    ## Bad
    ```python
    import torch
    from torch import nn

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(8, 2).to(device)
    print(model(torch.randn(4, 8)))  # error: [DLG103]
    ```

    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2).cuda()
    labels = torch.randint(0, 2, (4,))
    scores = model(torch.randn(4, 8, device="cuda"))
    print(nn.functional.cross_entropy(scores, labels))  # error: [DLG103]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(8, 2).to(device)
    labels = torch.randint(0, 2, (4,), device=device)
    scores = model(torch.randn(4, 8).to(device))
    print(nn.functional.cross_entropy(scores, labels))
    ```

    ## When it stays silent
    Data that are moved by any means, or of which it is not known where they come from; devices that are not known; a move under
    a condition; default devices; and models that distribute their inputs themselves (`DataParallel`).
    ```python
    import torch
    from loading import batches
    from torch import nn

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(8, 2).to(device)
    for x, y in batches():
        print(nn.functional.cross_entropy(model(x), y))
    x = torch.randn(4, 8)
    x = x.to(device)
    print(model(x))
    on_cpu = nn.Linear(8, 2).to("cpu")
    print(on_cpu(torch.randn(4, 8)))
    parallel = nn.DataParallel(nn.Linear(8, 2)).cuda()
    print(parallel(torch.randn(4, 8)))
    ```

    ## References
    - PyTorch documentation, "CUDA semantics".
    """

    code = "DLG103"
    name = "model-input-device-mismatch"
    severity = Severity.WARNING
    confidence = Confidence.MEDIUM
    applicability = Applicability.SAFE
    frameworks = ("torch",)
    topics: Constant[tuple[str, ...]] = ("program",)
    needs: Constant[tuple[str, ...]] = tuple(
        f"call:torch.nn.Module.{name}" for name in ("to", "cuda", "cpu", "xpu", "to_empty")
    )

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The places where a model or loss gets what is on the CPU, each once."""
        seen = set[int]()
        for found in context.facts.misplaced:
            if not isinstance(found, Apart) or is_left_behind(found):
                continue
            place = _place(found, context)
            if id(place.node) in seen:
                continue
            seen.add(id(place.node))
            places = ((found.creation, "these data are on the CPU"), (found.moved, "the move to another device"))
            related = (context.related(where, text) for where, text in places)
            where = "what is on the accelerator" if found.is_certain else "what may be on another device"
            yield context.finding(
                self,
                place,
                f"{quoted(context.text(place))} gets a tensor on the CPU beside {where}",
                advice="move the data to the device of the model first, with `.to(device)`",
                severity=Severity.ERROR if found.is_certain else Severity.WARNING,
                related=[place for place in related if place],
                fixes=_fixes(found, place, context),
            )


def _place(found: Apart, context: Context) -> Site:
    """Where the data are handed over: in the function that has them, whether it has made them itself or a function that it
    calls, if that is followed. Where they are used, if it is not, or if what is given the data moves others itself."""
    used, made = found.op.site.stack()[::-1], found.creation.site.stack()[::-1]
    common = 0
    while common < min(len(used), len(made)) and used[common].node is made[common].node:
        common += 1
    outer = used[common] if common < len(used) else found.op.site
    has_them = common < len(made) and outer.document is made[common].document
    return outer if has_them and not _moves_others(outer, context) else found.op.site


def _moves_others(place: Site, context: Context) -> bool:
    """Whether a call moves tensors, by itself or what it calls."""
    moves = (call for call in context.facts.events(LibraryCall) if call.name in MOVING)
    return any(frame.node is place.node for call in moves for frame in call.site.stack()[1:])


@builder
def _fixes(found: Apart, place: Site, context: Context) -> tuple[Fix, ...]:
    """Move the only argument of the call as the model was moved, in the same words, where both stand in one function."""
    call, move = place.node, found.moved.site.node
    if not isinstance(call, cst.Call) or not isinstance(move, cst.Call) or not isinstance(move.func, cst.Attribute):
        return ()
    is_one = len(call.args) == 1 and not call.args[0].star and place.caller is found.moved.site.caller
    if not is_one or found.moved.scope != found.creation.scope or place.document is not found.moved.site.document:
        return ()
    arguments = ", ".join(context.text(arg) for arg in move.args)
    edits = append_call(place, call.args[0].value, move.func.attr.value, arguments)
    return tuple(offer(context, "Move the data to the device of the model", edits, Applicability.SAFE))
