"""DLS103: one layer is applied in the place of its sibling, which is never applied."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import ClassVar as Constant

import libcst as cst

from dllint.analysis.applied_again import applied_again, is_twin
from dllint.analysis.class_reads import Method, class_reads
from dllint.analysis.idle_layers import idle_layers
from dllint.analysis.modules import has_weights
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
    """One layer is applied in the place of its sibling, which is never applied.

    ## What it finds
    `self.bn1` is called at two places of `forward` while `self.bn2`, of the same class and name but for the number, is built
    and never called. With any names: `self.k` is applied twice to the same tensor, which gives the same result twice, while
    `self.v`, built alike, is never called. Two calls with different tensors are a warning, if the sibling is built alike.

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
        """The layers of a new instance of which one is applied in the place of another."""
        instance = item.instance
        idle = list(idle_layers(instance, context.document))
        if not idle or not isinstance(instance.cls, ClassVal):
            return
        reads = class_reads(instance.cls.node)
        told: set[str] = set()
        for method in (reads.methods[name] for name in ("forward", "call") if name in reads.methods):
            for used, sibling in copied(method, instance, idle):
                access = method.called[used][0 if _stands_before(sibling, used) else -1]
                told.add(used)
                site = Site(instance.cls.document, access.statement, access.node)
                how = f"{len(method.called[used])} times in `{instance.cls.name}.{method.node.name.value}`"
                yield self._finding(instance, site, access.node.func, used, sibling, how, context)
        for used, again in applied_again(instance, context.program).items():
            twin = next((name for name in idle if is_twin(instance.attrs[used], instance.attrs[name])), None)
            if twin is not None and used not in told:
                how = f"twice{' to the same tensor' if again.same else ''} in `{instance.cls.name}.{again.method}`"
                severity = self.severity if again.same else Severity.WARNING
                yield self._finding(instance, again.site, again.node, used, twin, how, context, severity)

    def _finding(
        self,
        instance: InstanceVal,
        site: Site,
        node: cst.BaseExpression | None,
        used: str,
        sibling: str,
        how: str,
        context: Context,
        severity: Severity = Severity.ERROR,
    ) -> Finding:
        unused = f"its sibling `self.{sibling}` ({class_name(instance.attrs[sibling])}) never"
        edits = rename_attribute(site, node, sibling) if node is not None else ()
        fixes = offer(context, f"Use self.{sibling}", edits, Applicability.UNSAFE)
        message = f"`self.{used}` is applied {how}, {unused}"
        return context.finding(self, site, message, advice=f"use `self.{sibling}` here", fixes=fixes, severity=severity)


def _stands_before(first: str, second: str) -> bool:
    """Whether the number in one name is smaller than that in another: the layer is meant for an earlier place."""
    numbers = [int(match[2]) for name in (first, second) if (match := _NUMBERED.match(name)) is not None]
    return len(numbers) == len((first, second)) and numbers[0] < numbers[1]


def copied(method: Method, instance: InstanceVal, idle: Collection[str]) -> Iterator[tuple[str, str]]:
    """``(applied twice, idle)`` among attributes of one class and stem that have weights."""
    for used, calls in method.called.items():
        match = _NUMBERED.match(used)
        if len(calls) < 2 or match is None or not has_weights(instance.attrs.get(used)):
            continue
        for other in idle:
            found = _NUMBERED.match(other)
            if found is None or (found[1], found[3]) != (match[1], match[3]):
                continue
            if class_name(instance.attrs[other]) == class_name(instance.attrs[used]):
                yield used, other
                break
