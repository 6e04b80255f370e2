"""DLS110: ``forward`` or ``call`` is called by name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.hooks import is_passed_over
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.calls import unwrap
from dllint.ir.events import ForwardCall
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted


class ForwardCalledDirectly(Rule[ForwardCall]):
    """`model.forward(x)` is called in place of `model(x)`.

    ## What it finds
    `m.forward(x)` or `m.call(x)` on a module or layer other than `self` and `super()`.

    ## Why it is bad
    `__call__` runs hooks, autocast wrappers, and in Keras the building of the layer; the direct call skips all of them. It is
    told as information only in a file without hooks that may be on the module, sharded and reparametrised weights.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    model.register_forward_hook(print)
    y = model.forward(torch.randn(4, 8))  # error: [DLS110]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    model.register_forward_hook(print)
    y = model(torch.randn(4, 8))
    ```

    ## When it stays silent
    Calls of the base class's method, and of an object's own.
    ```python
    import torch
    from torch import nn


    class Net(nn.Linear):
        def forward(self, x):
            return super().forward(x) + 1

        def features(self, x):
            return self.forward(x)


    y = Net(8, 2)(torch.randn(4, 8))
    ```

    ## References
    - Zhang H. et al., *Code Smells for Machine Learning Applications*, CAIN 2022.
    """

    code = "DLS110"
    name = "forward-called-directly"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.SAFE
    topics: ClassVar[tuple[str, ...]] = ("event:forward-call",)

    def check(self, item: ForwardCall, context: Context) -> Iterator[Finding]:
        """A written-out forward call on another object."""
        if item.owner is not None and item.callee is item.owner:
            return
        text = context.text(item.site.node)
        if text.startswith("super("):
            return
        method = "call" if ".call(" in text or text.endswith(".call") else "forward"
        message, advice = f"{quoted(text)} skips the hooks and checks of `__call__`", f"leave out `.{method}`"
        node = item.site.node
        func = node.func if isinstance(node, cst.Call) else node
        edits = unwrap(item.site, func, func.value) if isinstance(func, cst.Attribute) else ()
        fixes = offer(context, f"Leave out .{method}", edits, Applicability.SAFE)
        is_relied_on = relies_on_call(context.document.text) or is_passed_over(func, context.document)
        severity = self.severity if is_relied_on else Severity.INFO
        yield context.finding(self, item, message, advice=advice, severity=severity, fixes=fixes)


#: What has all modules called, beside hooks: sharded and reparametrised weights, which hooks gather. The wrappers
#: ``DataParallel``, ``DistributedDataParallel`` and what ``torch.compile`` gives do all in their ``forward``.
_TAKE_PART: Final = re.compile(r"\bFullyShardedDataParallel\b|\bfully_shard\b|\b(?:spectral|weight)_norm\(")


def relies_on_call(text: str) -> bool:
    """Whether a file uses something that works only where modules are called."""
    return _TAKE_PART.search(text) is not None
