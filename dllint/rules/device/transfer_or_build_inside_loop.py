"""DLG105: a loop repeats in every pass what needs to be done once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.every_pass import is_in_every_pass, place_in
from dllint.analysis.modules import tree
from dllint.analysis.own_statements import is_own_statement, is_watched
from dllint.analysis.training import Loop
from dllint.analysis.typestate.order import is_unconditional
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.statements import delete
from dllint.ir import events
from dllint.ir.program import Program, Site, TensorVal
from dllint.ir.values import ListVal, Value, unwrap
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted
from dllint.source.walk import small_statements, walk

#: What moves a module, and what moves it back.
_MOVES: Final = frozenset(f"torch.nn.Module.{name}" for name in ("to", "cuda"))
_BACK: Final = "torch.nn.Module.cpu"
#: What looks through all memory.
_COLLECTS: Final = frozenset({"torch.cuda.empty_cache", "gc.collect", "torch.mps.empty_cache"})


class TransferOrBuildInsideLoop(Rule[Program]):
    """A training loop moves the model, or empties the cache, in every step; or a loop predicts row by row.

    ## What it finds
    In the innermost loop that differentiates and steps: `model.to(device)` of a model that is made before the loop, and
    `torch.cuda.empty_cache()` or `gc.collect()`. And a loop that goes through samples and calls `predict` of a Keras model for
    each of them. It is off unless it is selected.

    ## Why it is bad
    A model stays where it is: moving it again looks at every parameter and does nothing. Emptying the cache gives memory back
    that the next step asks for anew, which waits for the device each time. Each `predict` sets up a pipeline of data, which
    takes many times as long as one sample does.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        model.cuda()  # info: [DLG105]
        optimizer.zero_grad()
        model(torch.randn(4, 8, device="cuda")).square().mean().backward()
        optimizer.step()
        torch.cuda.empty_cache()  # info: [DLG105]
    ```

    ```python
    import keras
    import numpy as np

    model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
    rows = np.random.rand(100, 8)
    for row in rows:
        print(model.predict(row[None, :]))  # info: [DLG105]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        model(torch.randn(4, 8, device="cuda")).square().mean().backward()
        optimizer.step()
    torch.cuda.empty_cache()
    ```

    ## When it stays silent
    Models that are moved back in the same loop, loops over epochs, steps under a condition, error handlers, and data.
    ```python
    import gc

    import torch
    from torch import nn

    models = [nn.Linear(8, 2), nn.Linear(8, 2)]
    optimizer = torch.optim.SGD([p for model in models for p in model.parameters()], lr=0.1)
    for number in range(100):
        for model in models:
            model.cuda()
            x = torch.randn(4, 8).cuda()
            optimizer.zero_grad()
            try:
                model(x).square().mean().backward()
            except RuntimeError:
                torch.cuda.empty_cache()
            optimizer.step()
            model.cpu()
        if number % 50 == 0:
            gc.collect()
    ```

    ## References
    - PyTorch documentation, "CUDA semantics": memory management.
    """

    code = "DLG105"
    name = "transfer-or-build-inside-loop"
    severity = Severity.INFO
    confidence = Confidence.HIGH
    default = "off"
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch", "keras")
    topics: ClassVar[tuple[str, ...]] = ("program",)

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """What each training loop of a program repeats, each place once."""
        training, seen = context.facts.training, set[int]()
        yield from self._single_predictions(context)
        if not training.trains:
            return
        for loop in training.step_loops():
            calls = training.within(loop, events.LibraryCall)
            goes_back = any(call.name == _BACK for call in calls)
            for call in calls:
                collects, moves = call.name in _COLLECTS, call.name in _MOVES and not goes_back
                if not (collects or moves) or id(call.site.node) in seen or training.innermost(call) is not loop:
                    continue
                seen.add(id(call.site.node))
                always = is_unconditional(call, loop) and is_in_every_pass(call.site, loop)
                if always and (collects or _is_older(call, loop, context)) and not is_watched(call.site):
                    yield self._finding(call, collects, context)

    def _single_predictions(self, context: Context) -> Iterator[Finding]:
        seen = set[int]()
        for event in context.facts.events(events.Fit):
            if (
                event.method == "predict"
                and _is_of_one(event.x)
                and _is_about_element(event.site)
                and id(event.site.node) not in seen
            ):
                seen.add(id(event.site.node))
                yield self._single(event, event.site, context)
            loop = context.facts.training.innermost(event)
            if event.method != "predict" or loop is None or not _is_of_one(event.x) or not is_in_every_pass(event.site, loop):
                continue
            place = place_in(event.site, loop)
            if id(place.node) not in seen and _is_about_item(place, loop):
                seen.add(id(place.node))
                yield self._single(event, place, context)

    def _single(self, event: events.Fit, place: Site, context: Context) -> Finding:
        return context.finding(
            self,
            place,
            f"{quoted(context.text(event))} predicts one sample in each pass of a loop",
            advice="pass all samples at once, or call the model itself",
            kind="predict",
        )

    def _finding(self, call: events.LibraryCall, collects: bool, context: Context) -> Finding:
        text = quoted(context.text(call))
        alone = is_own_statement(call.site)
        return context.finding(
            self,
            call,
            f"{text} searches all memory in every step" if collects else f"{text} moves the model in every step",
            advice="leave it out, or call it once per epoch" if collects else "move it in front of the loop",
            fixes=offer(context, "Drop the call", delete(call.site), Applicability.UNSAFE) if collects and alone else (),
        )


def _is_of_one(data: Value) -> bool:
    """Whether data hold one sample, of each input if there are several."""
    parts = data.items if isinstance(data, ListVal) and data.rest is None else data if isinstance(data, tuple) else ()
    if parts:
        return all(_is_of_one(unwrap(part)) for part in parts)
    shape = data.shape if isinstance(data, TensorVal) else None
    return isinstance(shape, tuple) and len(shape) > 1 and shape[0] == 1


def _is_about_item(place: Site, loop: Loop) -> bool:
    """Whether a place in a loop through given samples uses the sample of the pass, so that no pass needs what others give."""
    node = loop.edge.node
    if not isinstance(node, cst.For) or not isinstance(node.iter, (cst.Name, cst.Attribute, cst.Subscript)):
        return False
    targets = {part.value for part in walk(node.target) if isinstance(part, cst.Name)}
    read = {part.value for part in walk(place.node) if isinstance(part, cst.Name)}
    assigned = {
        part.value
        for target in walk(node.body)
        if isinstance(target, cst.AssignTarget)
        for part in walk(target)
        if isinstance(part, cst.Name)
    }
    return bool(targets & read) and not assigned & read


def _is_about_element(site: Site) -> bool:
    """Whether a call is what a comprehension makes of each of given samples."""
    parts = (part for small in small_statements(site.statement) for part in walk(small))
    for part in parts:
        if not isinstance(part, cst.BaseSimpleComp) or not any(inner is site.node for inner in walk(part.elt)):
            continue
        targets = {inner.value for inner in walk(part.for_in.target) if isinstance(inner, cst.Name)}
        read = {inner.value for inner in walk(site.node) if isinstance(inner, cst.Name)}
        return isinstance(part.for_in.iter, (cst.Name, cst.Attribute, cst.Subscript)) and bool(targets & read)
    return False


def _is_older(call: events.LibraryCall, loop: Loop, context: Context) -> bool:
    """Whether the model that is moved is made before a loop, with all of its layers."""
    made = {id(event.instance) for event in context.facts.training.within(loop, events.Construction)}
    asked = [value for value in call.given if value is not None]
    moves = call.name.endswith(".cuda") or bool(asked)
    return moves and bool(list(tree(call.receiver))) and not any(id(part) in made for part in tree(call.receiver))
