"""DLO120: a graph is differentiated twice, although the first backward pass gives it up, or is kept for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant

import libcst as cst

from dllint.analysis.typestate import retained, reused, twice
from dllint.analysis.typestate.twice import Twice
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import remove_argument, set_argument
from dllint.fixes.boundary import builder
from dllint.ir import events
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation


class GraphReuseError(Rule[Program]):
    """A backward pass goes through a graph that an earlier one has given up.

    ## What it finds
    - One loss is differentiated twice.
    - Two losses with a common forward pass are differentiated one after the other.
    - The generator's output is not detached in the step of the discriminator, and is differentiated again in its own.
    - The hidden state of one batch is the first one of the next, with its graph.
    - A forward pass in front of a loop that differentiates a loss in each pass.

    All of it without `retain_graph=True` in the first backward pass. The other way round, as information: a backward pass in a
    loop that keeps its graph, although the loop has no other one and leaves nothing of the graph to its next pass.

    ## Why it is bad
    A backward pass frees what it has used. The second one raises: "Trying to backward through the graph a second time". What
    is kept for nothing stays in memory until the loss is bound anew, so that the next forward pass needs room for two graphs.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 4)
    x, y = torch.randn(16, 8), torch.randint(0, 4, (16,))
    scores = model(x)
    nn.functional.cross_entropy(scores, y).backward()
    scores.square().mean().backward()  # error: [DLO120]
    ```

    ```python
    import torch
    from torch import nn

    cell, head = nn.GRUCell(8, 16), nn.Linear(16, 1)
    optimizer = torch.optim.SGD([*cell.parameters(), *head.parameters()], lr=0.1)
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), 4)
    hidden = torch.zeros(4, 16)
    for x, y in loader:
        optimizer.zero_grad()
        hidden = cell(x, hidden)
        loss = nn.functional.mse_loss(head(hidden), y)
        loss.backward()  # error: [DLO120]
        optimizer.step()
    ```

    ```python
    import torch
    from backbones import make

    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in torch.randn(16, 4, 8):
        optimizer.zero_grad()
        loss = model.loss(batch)
        loss.backward()
        loss.backward()  # error: [DLO120]
        optimizer.step()
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    cell, head = nn.GRUCell(8, 16), nn.Linear(16, 1)
    optimizer = torch.optim.SGD([*cell.parameters(), *head.parameters()], lr=0.1)
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), 4)
    hidden = torch.zeros(4, 16)
    for x, y in loader:
        optimizer.zero_grad()
        hidden = cell(x, hidden.detach())
        loss = nn.functional.mse_loss(head(hidden), y)
        loss.backward()
        optimizer.step()
    ```

    ## When it stays silent
    Losses that are added up first, graphs that are kept, states that are detached or made anew, what needs no numbers of the
    forward pass (sums, views), weights that are frozen, and losses that are not known.
    ```python
    import torch
    from torch import nn

    model, critic = nn.Linear(8, 4), nn.Linear(4, 1)
    x, y = torch.randn(16, 8), torch.randint(0, 4, (16,))
    scores = model(x)
    critic(scores.detach()).mean().backward()
    (nn.functional.cross_entropy(scores, y) + critic(scores).mean()).backward()
    scores = model(x)
    scores.mean().backward(retain_graph=True)
    scores.square().mean().backward()
    for _ in range(10):
        nn.functional.cross_entropy(model(x), y).backward()
    try:
        loss = model(x).square().mean()
        loss.backward()
    except RuntimeError:
        loss.backward()

    weight = torch.randn(4, requires_grad=True)
    total = weight + 1
    total.sum().backward()
    total.mean().backward()
    with torch.no_grad():
        fixed = model(x)
    for _ in range(10):
        critic(fixed).mean().backward()
    ```

    ## References
    - PyTorch documentation, `torch.Tensor.backward`; "Autograd mechanics".
    - Reported of public code: `facebookresearch/pytorch_GAN_zoo` (`models/base_GAN.py`, issue 83),
      `eriklindernoren/PyTorch-GAN` (`wgan.py`, issue 6).
    """

    code = "DLO120"
    name = "graph-reuse-error"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: Constant[tuple[str, ...]] = ("program",)
    needs: Constant[tuple[str, ...]] = ("event:backward",)

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The backward passes of a program that raise."""
        of_one_loss = list(twice.twice(context.facts))
        told = {id(again.later.site.node) for again in of_one_loss}
        for again in of_one_loss:
            yield _of_one_loss(self, again, context)
        for found in reused.reused(context.facts):
            if id(found.later.site.node) in told:
                continue
            shared = operation(found.op, context)
            if found.loop is None:
                message = f"this backward pass goes through the graph of {shared} a second time, which raises"
                advice = "add up the losses and differentiate once, or detach what is not to be trained here"
                first = context.related(found.first, "this backward pass gives the graph up")
            else:
                message = f"each pass of the loop goes through the graph of {shared}, which the first one gives up: it raises"
                advice = "call detach() of what one pass leaves to the next, or compute in the loop what it differentiates"
                first = context.related(found.loop.edge, "the loop begins here")
            places = (first, context.related(found.op, "the graph that they share"))
            yield context.finding(
                self,
                found.later,
                message,
                advice=advice,
                related=[place for place in places if place is not None],
                fixes=_fixes(found.first, context) if found.loop is None else (),
            )
        for kept, loop in retained.needlessly(context.facts):
            begins = context.related(loop.edge, "the loop begins here")
            yield context.finding(
                self,
                kept,
                "this backward pass keeps its graph, and no other one in the loop goes through it",
                advice="remove retain_graph=True, so that memory is freed before the next forward pass",
                severity=Severity.INFO,
                related=[begins] if begins is not None else [],
                fixes=_released(kept, context),
                kind="kept",
            )


def _of_one_loss(rule: Rule[Program], found: Twice, context: Context) -> Finding:
    first = context.related(found.first, "this backward pass gives the graph up")
    return context.finding(
        rule,
        found.later,
        "this loss is differentiated a second time, and the first backward pass has given up its graph: it raises",
        advice="remove the second backward pass, or keep the graph in the first one",
        related=[first] if first is not None else [],
        fixes=_fixes(found.first, context),
    )


@builder
def _fixes(first: events.Backward, context: Context) -> tuple[Fix, ...]:
    """Keep the graph in the first backward pass."""
    node = first.site.node
    if not isinstance(node, cst.Call):
        return ()
    edits = set_argument(first.site, node, "retain_graph", "True")
    return tuple(offer(context, "Keep the graph for the second backward pass", edits, Applicability.UNSAFE))


@builder
def _released(kept: events.Backward, context: Context) -> tuple[Fix, ...]:
    """Let the backward pass give its graph up."""
    node = kept.site.node
    if not isinstance(node, cst.Call) or not node.args:
        return ()
    edits = remove_argument(kept.site, node, node.args[0])
    return tuple(offer(context, "Let the backward pass free its graph", edits, Applicability.UNSAFE))
