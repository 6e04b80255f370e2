"""DLS114: an input that nothing reads, while another one goes through the same part twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant

from dllint.analysis.class_reads import class_reads
from dllint.analysis.modules import library_of
from dllint.analysis.unread_inputs import unread_inputs
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import replace_value
from dllint.ir.events import Instance
from dllint.ir.program import Site
from dllint.ir.values import ClassVal
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule


class InputUnused(Rule[Instance]):
    """A module sends one of its inputs through the same part twice, and another one nowhere.

    ## What it finds
    A required parameter of a method of a module (`forward(self, first, second)`) that nothing reads, where a call such as
    `self.encode(first)` stands twice.

    ## Why it is bad
    A copied line kept its argument: both branches see the same sample. A siamese network then finds that all pairs are alike,
    and nothing raises.

    ## Bad
    ```python
    import torch
    from torch import nn


    class Siamese(nn.Module):
        def __init__(self):
            super().__init__()
            self.encode = nn.Linear(16, 8)

        def forward(self, first, second):
            return self.encode(first) - self.encode(first)  # error: [DLS114]


    distance = Siamese()(torch.randn(4, 16), torch.randn(4, 16))
    ```

    ## Good
    ```python
    import torch
    from torch import nn


    class Siamese(nn.Module):
        def __init__(self):
            super().__init__()
            self.encode = nn.Linear(16, 8)

        def forward(self, first, second):
            return self.encode(first) - self.encode(second)


    distance = Siamese()(torch.randn(4, 16), torch.randn(4, 16))
    ```

    ## When it stays silent
    Parameters with a default, and inputs that nothing reads where no call is repeated: an interface may ask for them.
    ```python
    import torch
    from torch import nn


    class Head(nn.Module):
        def __init__(self):
            super().__init__()
            self.score, self.drop = nn.Linear(16, 8), nn.Dropout(0.1)

        def forward(self, features, mask):
            return self.score(features)

        def views(self, features, mask=None):
            return self.drop(features), self.drop(features)


    head = Head()
    ```

    ## References
    - Islam et al., FSE 2019: coding bugs.
    """

    code = "DLS114"
    name = "input-unused"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    topics: Constant[tuple[str, ...]] = ("event:instance",)

    def check(self, item: Instance, context: Context) -> Iterator[Finding]:
        """The methods of a new module's class."""
        cls = item.instance.cls
        if not isinstance(cls, ClassVal) or cls.node is None or cls.document is not context.document or not library_of(cls):
            return
        for method in class_reads(cls.node).methods.values():
            for found in unread_inputs(method.node):
                site = Site(cls.document, found.statement, found.argument.value)
                edits = replace_value(site, found.argument, found.unread)
                yield context.finding(
                    self,
                    site,
                    f"`{found.part}({found.given})` stands here a second time, and nothing reads `{found.unread}`",
                    advice=f"pass `{found.unread}`",
                    fixes=offer(context, f"Pass `{found.unread}`", edits, Applicability.UNSAFE),
                )
