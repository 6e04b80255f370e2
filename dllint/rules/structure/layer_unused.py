"""DLS102: a layer is built, or applied, for nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar as Constant

from dllint.analysis.class_reads import ClassReads, class_reads
from dllint.analysis.dead_layers import dead_layers
from dllint.analysis.idle_layers import idle_layers, input_size_of
from dllint.analysis.unreturned import unreturned
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.places import inner, replacing
from dllint.fixes.statements import delete
from dllint.ir.events import Instance
from dllint.ir.program import Program, Site
from dllint.ir.values import ClassVal, InstanceVal
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import class_name, distinguished, operation


class LayerUnused(Rule[Instance | Program]):
    """A layer with weights is built but never applied, or applied but its result never read.

    ## What it finds
    (a) `self.fc2 = nn.Linear(...)` in `__init__` while no method of the class mentions `self.fc2`; (b) a local variable that
    holds a layer's output and is never read, among them a pooling that the next layer leaves out; (c) a result with which
    `forward` ends and that it does not return, but a value that it is computed from.

    ## Why it is bad
    The layer takes memory and appears in the summary and in `parameters()`, but the network does not contain it. Where it is
    not one of a numbered series of which layers before and after it are applied (`fc1`, `fc2`, `fc3`), nor the only one that is
    built with the size of the input that the model is told, and of a result that is never read, it is told as information only.

    ## Bad
    ```python
    import torch
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc1 = nn.Linear(8, 32)
            self.fc2 = nn.Linear(32, 32)  # error: [DLS102]
            self.fc3 = nn.Linear(32, 1)

        def forward(self, x):
            x = torch.relu(self.fc1(x))
            return self.fc3(x)


    model = Net()
    ```

    ## Good
    ```python
    import torch
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc1 = nn.Linear(8, 32)
            self.fc2 = nn.Linear(32, 32)
            self.fc3 = nn.Linear(32, 1)

        def forward(self, x):
            x = torch.relu(self.fc1(x))
            x = torch.relu(self.fc2(x))
            return self.fc3(x)


    model = Net()
    ```

    ## When it stays silent
    Classes that reach their parts by name or by iteration, parts that other code uses, also in other files of the project, and
    parts that a docstring names in backticks.
    ```python
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.block1 = nn.Linear(8, 8)
            self.block2 = nn.Linear(8, 8)
            self.head = nn.Linear(8, 1)

        def forward(self, x):
            for i in (1, 2):
                x = getattr(self, f"block{i}")(x)
            return x


    model = Net()
    features = model.head
    ```

    ## References
    - Humbatova et al., ICSE 2020: missing dense layer.
    """

    code = "DLS102"
    name = "layer-unused"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    topics: Constant[tuple[str, ...]] = ("event:instance", "program")

    def check(self, item: Instance | Program, context: Context) -> Iterator[Finding]:
        """Form (a) for an instance, form (b) for a program."""
        if isinstance(item, Instance):
            yield from self._attributes(item.instance, context)
        else:
            yield from self._results(item, context)

    def _attributes(self, instance: InstanceVal, context: Context) -> Iterator[Finding]:
        if not isinstance(instance.cls, ClassVal) or instance.open is not None:
            return
        for name in idle_layers(instance, context.document):
            access = class_reads(instance.cls.node).assignment(name)
            if access is None:
                continue
            layer = f"`self.{name}` ({class_name(instance.attrs[name])})"
            message = f"{layer} is built in `{instance.cls.name}` but never applied: no method mentions it"
            site = Site(instance.cls.document, access.statement, access.node)
            advice = "call it in forward, or delete it"
            reads = class_reads(instance.cls.node)
            size = input_size_of(instance, name, reads)
            severity = self.severity if size is not None or is_left_out(name, reads) else Severity.INFO
            message += f", and `{size}` reaches no other layer" if size is not None else ""
            fixes = [] if size is not None else offer(context, "Delete the layer", delete(site), Applicability.UNSAFE)
            yield context.finding(self, site, message, advice=advice, severity=severity, fixes=fixes)

    def _results(self, program: Program, context: Context) -> Iterator[Finding]:
        told = set[int]()
        for drop in unreturned(program, context.facts):
            site = drop.call.site
            if id(site.node) in told or site.document is not context.document:
                continue
            told.add(id(site.node))
            message = f"`{drop.name}` is never read: `{drop.returned}`, which it is computed from, is returned"
            place = Site(site.document, drop.place.statement, drop.place.node)
            edits = (replacing(place, *inner(place, drop.place.node), drop.name),)
            fixes = offer(context, f"Return {drop.name}", edits, Applicability.UNSAFE)
            yield context.finding(self, drop.call, message, advice=f"return `{drop.name}`, or do not compute it", fixes=fixes)
        for dead in dead_layers(program, context.facts, context.document):
            if id(dead.op.site.node) in told:
                continue
            if dead.bypass is not None:
                taker, made = distinguished([dead.bypass, dead.op], context)
                message = f"{taker} takes the tensor that {made} was made of, and `{dead.name}` is never read"
                yield context.finding(self, dead.bypass, message, advice=f"pass `{dead.name}` to it")
            elif not dead.restarts:
                message = f"the output of {operation(dead.op, context)} is bound to `{dead.name}` and never read"
                advice = "use it, or delete the layer"
                yield context.finding(self, dead.op, message, advice=advice, severity=Severity.INFO)


def is_left_out(name: str, reads: ClassReads) -> bool:
    """Whether a layer is one of several that are told apart by a number (``fc1``, ``fc2``), of which an earlier and a later one
    are applied."""
    applied = {other for method in reads.methods.values() for other in method.called}
    for found in re.finditer(r"\d+", name):
        before, after = name[: found.start()], name[found.end() :]
        others = [re.fullmatch(rf"{re.escape(before)}(\d+){re.escape(after)}", other) for other in applied]
        numbers = [int(match[1]) for match in others if match is not None]
        if numbers and min(numbers) < int(found[0]) < max(numbers):
            return True
    return False
