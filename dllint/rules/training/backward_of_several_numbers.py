"""DLO132: a tensor of several numbers is differentiated without saying how they are weighed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant
from typing import Final

import libcst as cst

from dllint.analysis.typestate import caught
from dllint.analysis.unreduced import unreduced_loss
from dllint.domains.dim import differs
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, show_shape
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.calls import append_call
from dllint.ir.events import Backward
from dllint.ir.program import Program, TensorVal
from dllint.rules.context import Context
from dllint.rules.fault_rule import origin
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation, quoted

#: What may be one, by whether the shape is not known.
_ONE: Final = {False: "the size", True: "their number"}


class BackwardOfSeveralNumbers(Rule[Program]):
    """`backward()` is called on a tensor of several numbers.

    ## What it finds
    `loss.backward()` without a `gradient` where the loss has an axis whose size is not 1: losses with `reduction="none"`, and
    sums of a loss with terms that still have a number for each sample. Where the size is a batch that may have one sample, it
    is a warning; also where the samples are not known, but a loader gives several at once and the loss has `reduction="none"`.

    ## Why it is bad
    PyTorch raises `RuntimeError`: gradients are created for one number only.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    loss = nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 2, (4,)), reduction="none")
    loss.backward()  # error: [DLO132]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    loss = nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 2, (4,)), reduction="none")
    loss.mean().backward()
    ```

    ## When it stays silent
    Losses of one number, calls that are given a gradient, losses whose shape and reduction are not known, or whose samples may
    come one by one, and code that expects the error.
    ```python
    import torch
    from torch import nn


    def train(model, criterion, x, y):
        criterion(model(x), y).backward()


    model = nn.Linear(8, 2)
    scores = model(torch.randn(4, 8))
    scores.backward(torch.ones(4, 2))
    model(torch.randn(4, 8)).square().sum(dim=(0, 1), keepdim=True).backward()
    try:
        model(torch.randn(4, 8)).backward()
    except RuntimeError:
        pass
    ```

    ## References
    - PyTorch documentation, `torch.Tensor.backward`.
    """

    code = "DLO132"
    name = "backward-of-several-numbers"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: Constant[tuple[str, ...]] = ("program",)
    needs: Constant[tuple[str, ...]] = ("event:backward",)

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The backward passes of a program, each place once."""
        seen: set[int] = set()
        for event in context.facts.events(Backward):
            loss, call = event.target, event.site.node
            if id(call) in seen or not isinstance(call, cst.Call) or not isinstance(loss, TensorVal):
                continue
            whose = _differentiated(call)
            if whose is None or loss.framework != "torch" or caught.is_caught(event.site):
                continue
            each = _each(event, loss.shape, context)
            if not each:
                continue
            seen.add(id(call))
            certain = not isinstance(loss.shape, Unknown) and any(differs(size, 1) for size in loss.shape)
            message = f"{quoted(context.text(whose))} has a number for each {each}, not one"
            place = origin(loss, item.ops[0], context) if item.ops else None
            yield context.finding(
                self,
                event,
                message + ("" if certain else f", unless {_ONE[isinstance(loss.shape, Unknown)]} is 1"),
                advice="take its mean or sum first",
                severity=Severity.ERROR if certain else Severity.WARNING,
                confidence=Confidence.HIGH if certain else Confidence.MEDIUM,
                related=[place] if place is not None else [],
                fixes=offer(context, "Take its mean", append_call(event.site, whose, "mean"), Applicability.UNSAFE),
            )


def _differentiated(call: cst.Call) -> cst.BaseExpression | None:
    """What a call ``x.backward(…)`` without a gradient differentiates."""
    function = call.func
    if not isinstance(function, cst.Attribute) or function.attr.value != "backward":
        return None
    given = any(arg.star or arg.keyword is None or arg.keyword.value == "gradient" for arg in call.args)
    return None if given else function.value


def _each(event: Backward, shape: Shape | Unknown, context: Context) -> str:
    """Of what a loss has a number for each, in words; empty if it has one number, or that is not known."""
    if isinstance(shape, Unknown):
        loss = unreduced_loss(event, context.facts)
        return f"sample, which {operation(loss, context)} does not reduce" if loss is not None else ""
    return "" if all(size == 1 for size in shape) else f"element of {show_shape(shape)}"
