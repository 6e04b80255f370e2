"""DLS103: one numbered layer is applied twice while its sibling is never applied."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar as Constant

from dllint.analysis.class_reads import Method, class_reads
from dllint.analysis.modules import has_weights, user_classes
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.operations import rename_attribute
from dllint.ir.events import Instance
from dllint.ir.program import Site
from dllint.ir.values import ClassVal, InstanceVal
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import class_name

_NUMBERED = re.compile(r"(.*?)(\d+)([a-z_]*)$")


class SiblingLayerCopyPaste(Rule[Instance]):
    """One numbered layer is applied twice while its sibling is never applied.

    ## What it finds
    `self.bn1` is called at two places of `forward` while `self.bn2`, of the same class, is built and never called.

    ## Why it is bad
    Two places share weights and statistics that were meant to be separate; the sibling is dead weight.

    ## Bad
    ```python
    import torch
    from torch import nn


    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1 = nn.Conv2d(8, 8, 3, padding=1)
            self.bn1 = nn.BatchNorm2d(8)
            self.conv2 = nn.Conv2d(8, 8, 3, padding=1)
            self.bn2 = nn.BatchNorm2d(8)

        def forward(self, x):
            x = torch.relu(self.bn1(self.conv1(x)))
            return self.bn1(self.conv2(x))  # error: [DLS103]


    block = Block()
    ```

    ## Good
    ```python
    import torch
    from torch import nn


    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1 = nn.Conv2d(8, 8, 3, padding=1)
            self.bn1 = nn.BatchNorm2d(8)
            self.conv2 = nn.Conv2d(8, 8, 3, padding=1)
            self.bn2 = nn.BatchNorm2d(8)

        def forward(self, x):
            x = torch.relu(self.bn1(self.conv1(x)))
            return self.bn2(self.conv2(x))


    block = Block()
    ```

    ## When it stays silent
    Shared layers without an unused sibling: weight tying, Siamese towers, recurrent unrolling; modules without weights.
    ```python
    from torch import nn


    class Siamese(nn.Module):
        def __init__(self):
            super().__init__()
            self.tower1 = nn.Linear(8, 4)

        def forward(self, a, b):
            return self.tower1(a) - self.tower1(b)


    net = Siamese()
    ```

    ## References
    - Islam et al., FSE 2019: coding bugs.
    """

    code = "DLS103"
    name = "sibling-layer-copy-paste"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    topics: Constant[tuple[str, ...]] = ("event:instance",)
    suppresses = ("DLS102",)

    def check(self, item: Instance, context: Context) -> Iterator[Finding]:
        """The forward methods of a new instance's class."""
        instance = item.instance
        if not isinstance(instance.cls, ClassVal) or instance.open is not None:
            return
        if instance.cls.document is not context.document:
            return
        reads = [class_reads(cls.node) for cls in user_classes(instance.cls)]
        if any(r.open for r in reads):
            return
        for method in (reads[0].methods[name] for name in ("forward", "call") if name in reads[0].methods):
            for used, sibling in copied(method, instance):
                if any(r.reads(sibling) for r in reads):
                    continue
                access = method.called[used][-1]
                where = f"`{instance.cls.name}.{method.node.name.value}`"
                unused = f"its sibling `self.{sibling}` ({class_name(instance.attrs[sibling])}) never"
                message = f"`self.{used}` is applied {len(method.called[used])} times in {where}, {unused}"
                site = Site(instance.cls.document, access.statement, access.node)
                edits = rename_attribute(site, access.node.func, sibling)
                fixes = offer(context, f"Use self.{sibling}", edits, Applicability.UNSAFE)
                yield context.finding(self, site, message, advice=f"use `self.{sibling}` here", fixes=fixes)


def copied(method: Method, instance: InstanceVal) -> Iterator[tuple[str, str]]:
    """``(applied twice, sibling)`` among attributes of one class and stem that have weights."""
    for used, calls in method.called.items():
        match = _NUMBERED.match(used)
        if len(calls) < 2 or match is None or not has_weights(instance.attrs.get(used)):
            continue
        for other, value in instance.attrs.items():
            found = _NUMBERED.match(other)
            if found is None or other == used or (found[1], found[3]) != (match[1], match[3]) or not has_weights(value):
                continue
            if class_name(value) == class_name(instance.attrs[used]):
                yield used, other
                break
