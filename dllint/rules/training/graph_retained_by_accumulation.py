"""DLO110: a sum or a list keeps losses with their graphs from pass to pass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant

import libcst as cst

from dllint.analysis.typestate import held
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.calls import append_call
from dllint.ir.program import Program, TensorVal
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted


class GraphRetainedByAccumulation(Rule[Program]):
    """A loss that has been differentiated is added to a sum or put into a list as a tensor.

    ## What it finds
    `total += loss`, `total = total + loss` or `losses.append(loss)` in a loop that differentiates this loss (or one that it is
    part of), where the sum or list lives on from pass to pass and is never differentiated itself. Sums in attributes, running
    averages (`average = 0.9 * average + 0.1 * loss`), and lists that are passed to helper functions, count; and lists in which
    the `training_step` of a `LightningModule` keeps the loss that it returns.

    ## Why it is bad
    The tensor holds its graph: the nodes of every operation of every pass stay in memory for as long as the sum or the list
    does, and a sum becomes a chain of all of them. Memory grows from step to step, until it runs out on a long epoch. In a list
    each graph stays by itself, without the numbers that its backward pass has freed: that is told as information only.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    total = 0.0
    for _ in range(100):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 2, (4,)))
        loss.backward()
        optimizer.step()
        total += loss  # error: [DLO110]
    print(total / 100)
    ```

    ```python
    from torch import nn


    def train(model, optimizer, loader):
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            total = total + loss  # error: [DLO110]
        return total
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    total = 0.0
    for _ in range(100):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 2, (4,)))
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(total / 100)
    ```

    ## When it stays silent
    Numbers and detached tensors, sums that are differentiated later, what is summed up without gradients, and variables that
    each pass sets anew, empties or cuts off with `detach_()`, in a function of the same file, too.
    ```python
    import torch
    from torch import nn


    def detached(model, optimizer, loader):
        total, losses = 0.0, []
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.detach()
            losses.append(float(loss))
        return total, losses


    def differentiated_later(model, optimizer, loader):
        total = 0.0
        for number, (x, y) in enumerate(loader):
            total = total + nn.functional.cross_entropy(model(x), y)
            if number % 4 == 3:
                optimizer.zero_grad()
                total.backward()
                optimizer.step()
                total = 0.0


    def without_gradients(model, optimizer, loader):
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            with torch.no_grad():
                total += loss
        return total


    def of_one_pass(model, optimizer, loader):
        for x, y in loader:
            optimizer.zero_grad()
            loss = 0.0
            parts = []
            for logits in model(x):
                part = nn.functional.cross_entropy(logits, y)
                loss = loss + part
                parts.append(part)
            loss.backward()
            optimizer.step()
    ```

    ## References
    - PyTorch documentation, "Frequently Asked Questions": my model reports "cuda runtime error(2): out of memory".
    - Found in public code: `BatsResearch/labelmodels` (`labelmodels/label_model.py`, issue 4).
    """

    code = "DLO110"
    name = "graph-retained-by-accumulation"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: Constant[tuple[str, ...]] = ("program",)
    needs: Constant[tuple[str, ...]] = ("event:kept",)

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The sums and lists of a program that keep graphs."""
        for found in held.held(context.facts):
            related = context.related(found.differentiated, "its graph is differentiated here")
            target = context.text(found.kept.target)
            is_list = found.kept.container is not None
            verb = "keeps each loss" if is_list else "adds up losses"
            yield context.finding(
                self,
                found.kept,
                f"{quoted(target)} {verb} with the graph of its pass, so that memory grows from step to step",
                advice="add the number, loss.item()" if not is_list else "keep the number, loss.item()",
                related=[related] if related else [],
                severity=Severity.INFO if is_list else None,
                confidence=Confidence.HIGH if isinstance(found.kept.value, TensorVal) else Confidence.MEDIUM,
                fixes=_fixes(found, context),
            )


@builder
def _fixes(found: held.Held, context: Context) -> tuple[Fix, ...]:
    """Keep the tensor without its graph, which computes the same numbers."""
    node = found.kept.site.node
    value = node.args[0].value if isinstance(node, cst.Call) and node.args else None
    if isinstance(node, cst.AugAssign) and found.kept.container is None:
        value = node.value
    if value is None:
        return ()
    edits = append_call(found.kept.site, value, "detach")
    return tuple(offer(context, "Keep the value without its graph", edits, Applicability.UNSAFE))
