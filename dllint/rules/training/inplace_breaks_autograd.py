"""DLO118: a tensor is changed in place that autograd needs, or that is a weight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar as Constant

import libcst as cst

from dllint.analysis.typestate import overwritten
from dllint.edit import Applicability, Edit, Fix
from dllint.finding import Confidence, Finding, Related, Severity
from dllint.fixes.arguments import keyword_argument, replace_value
from dllint.fixes.boundary import builder
from dllint.fixes.imports import name_for
from dllint.fixes.places import inner, replacing
from dllint.fixes.statements import enclose
from dllint.ir import events
from dllint.ir.program import Op, Program
from dllint.ops.aliases import AUGMENTED
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation, quoted
from dllint.source.walk import small_statements


class InplaceBreaksAutograd(Rule[Program]):
    """A tensor is changed in place where autograd does not allow it.

    ## What it finds
    - A change in place (`x += 1`, `x[0] = 1`, `x.mul_(2)`, `inplace=True`), directly or through a view, of what an operation
      keeps for a later backward pass: the result of `sigmoid`, `relu`, `softmax` or `exp`, the input of a layer with weights, a
      factor of a product.
    - The same in the `forward` of a module, in a file that trains; as information, as the backward pass is elsewhere.
    - A change in place of a weight outside of `no_grad()`.
    - `w = w - rate * w.grad` in a loop: the new `w` is the result of an operation and gets no gradient.

    ## Why it is bad
    The backward pass raises ("one of the variables needed for gradient computation has been modified by an inplace operation"),
    far from the line that is to blame; so do changes of weights, and products with a gradient that is `None`.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 4)
    gate = torch.sigmoid(model(torch.randn(2, 8)))
    gate += 0.1  # error: [DLO118]
    gate.sum().backward()
    ```

    ```python
    import torch

    w = torch.randn(8, requires_grad=True)
    for _ in range(100):
        loss = (torch.randn(4, 8) @ w).square().mean()
        loss.backward()
        w = w - 0.1 * w.grad  # error: [DLO118]
    ```

    ```python
    import torch

    w = torch.randn(8, requires_grad=True)
    loss = (torch.randn(4, 8) @ w).square().mean()
    loss.backward()
    w -= 0.1 * w.grad  # error: [DLO118]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 4)
    gate = torch.sigmoid(model(torch.randn(2, 8)))
    gate = gate + 0.1
    gate.sum().backward()

    w = torch.randn(8, requires_grad=True)
    for _ in range(100):
        loss = (torch.randn(4, 8) @ w).square().mean()
        loss.backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
            w.grad.zero_()
    ```

    ## When it stays silent
    Changes of what nothing keeps (results of sums, of layers with weights, of normalisations), of copies, under `no_grad()` of
    weights, through `.data`, after the backward pass, and in programs that differentiate nothing.
    ```python
    import torch
    from torch import nn

    layer, norm = nn.Linear(8, 8), nn.BatchNorm1d(8)
    x = torch.randn(4, 8)
    hidden = nn.functional.relu(norm(layer(x)), inplace=True)
    total = hidden + x
    total += 1
    copy = torch.sigmoid(total).clone()
    copy[0] = 0
    state = torch.zeros(4, 3, 8)
    state[:, 0] = torch.tanh(layer(x))
    state[:, 1] = torch.tanh(layer(copy))
    state.sum().backward()
    copy.mul_(2)
    with torch.no_grad():
        layer.weight[0] = 1
        layer.weight -= 0.1
    layer.bias.data.zero_()
    nn.init.normal_(layer.bias)
    probabilities = torch.sigmoid(layer(x))
    probabilities[probabilities < 0.5] = 0
    print(probabilities)
    ```

    ## References
    - PyTorch documentation, "Autograd mechanics": in-place operations with autograd.
    - Reported of public code: `lzx1413/PytorchSSD` (`layers/modules/l2norm.py`, issue 72), `lyongo/NWPU-MOC`
      (`models/FPN/FPN_Head.py`, issue 4).
    """

    code = "DLO118"
    name = "inplace-breaks-autograd"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: Constant[tuple[str, ...]] = ("program",)

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The changes in place of a program that make it raise."""
        for found in overwritten.overwritten(context.facts):
            places = (
                context.related(found.keeper, "this is needed as it was to differentiate this operation"),
                context.related(found.backward, "the backward pass raises here"),
            )
            yield self._overwritten(found.change, found.keeper, places, Severity.WARNING, context)
        for change, keeper in overwritten.in_forwards(context.facts):
            places = (context.related(keeper, "this is needed as it was to differentiate this operation"), None)
            yield self._overwritten(change, keeper, places, Severity.INFO, context)
        for op in overwritten.changed_weights(context.facts):
            yield context.finding(
                self,
                op,
                f"{operation(op, context)} changes a tensor in place that requires gradients, which raises",
                advice="change it under `with torch.no_grad():`",
                fixes=_without_gradient(op, context),
                kind="weight",
            )
        for rebind, backward in overwritten.replaced_weights(context.facts):
            yield from self._replaced(rebind, backward, context)

    def _overwritten(
        self, change: Op, keeper: Op, places: Sequence[Related | None], severity: Severity, context: Context
    ) -> Finding:
        made = f"{operation(change, context)} changes in place what the gradient of {operation(keeper, context)}"
        return context.finding(
            self,
            change,
            f"{made} is computed from",
            advice="make a new tensor instead of changing this one",
            severity=severity,
            related=[place for place in places if place is not None],
            fixes=_fixes(change, context),
            kind="kept",
        )

    def _replaced(self, rebind: events.Rebind, backward: events.Backward, context: Context) -> Iterator[Finding]:
        related = context.related(backward, "the backward pass gives gradients to the first one alone")
        yield context.finding(
            self,
            rebind,
            f"this makes {quoted(rebind.name)} the result of an operation, so that {quoted(f'{rebind.name}.grad')} is None in "
            "the next pass",
            advice=f"change {rebind.name} in place under `with torch.no_grad():`",
            related=[related] if related else [],
            kind="replaced",
        )


@builder
def _fixes(op: Op, context: Context) -> tuple[Fix, ...]:
    """Make a new tensor: of a call with ``inplace=True``, of ``x += y``, or of ``x.add_(y)`` as a statement."""
    return tuple(offer(context, "Make a new tensor", _as_new(op, context), Applicability.UNSAFE))


@builder
def _as_new(op: Op, context: Context) -> tuple[Edit, ...]:
    site = op.site
    if op.args.get("inplace") is True and isinstance(site.node, cst.Call):
        argument = keyword_argument(site.node, "inplace")
        return replace_value(site, argument, "False") if argument is not None else ()
    for small in small_statements(site.statement):
        if isinstance(small, cst.AugAssign) and op.spelled in AUGMENTED:
            target, sign = context.text(small.target), context.text(small.operator).rstrip("=")
            value = context.text(small.value)
            plain = isinstance(small.value, (cst.Name, cst.Attribute, cst.Call, cst.Integer, cst.Float, cst.Subscript))
            value = value if plain or value.startswith("(") else f"({value})"
            return (replacing(site, *inner(site, small), f"{target} = {target} {sign} {value}"),)
        if isinstance(small, cst.Expr) and small.value is site.node and isinstance(site.node, cst.Call):
            method = site.node.func
            if isinstance(method, cst.Attribute) and isinstance(method.value, cst.Name) and method.attr.value.endswith("_"):
                name, arguments = method.value.value, context.text(site.node).partition("(")[2]
                text = f"{name} = {name}.{method.attr.value.rstrip('_')}({arguments}"
                return (replacing(site, *inner(site, small), text),)
    return ()


@builder
def _without_gradient(op: Op, context: Context) -> tuple[Fix, ...]:
    """Change a weight under ``no_grad``."""
    name, imports = name_for(op.site.document, "torch.no_grad")
    around = enclose(op.site, op.site.statement, f"with {name}()")
    edits = (*around, *imports) if around else ()
    return tuple(offer(context, "Change it without gradients", edits, Applicability.UNSAFE))
