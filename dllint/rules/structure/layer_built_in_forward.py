"""DLS104: a layer is built anew on every call."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain, count
from typing import ClassVar as Constant

import libcst as cst

from dllint.analysis.class_reads import class_reads
from dllint.analysis.modules import has_weights, library_of, tree
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.attributes import build_once
from dllint.fixes.boundary import builder
from dllint.ir.events import Construction
from dllint.ir.values import ClassVal, InstanceVal
from dllint.ops.kinds import having
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import class_name
from dllint.source.walk import walk

_STEPS = ("forward", "call", "training_step", "validation_step", "train_step")
#: Conditions under which a layer is built once only.
_LAZY = ("None", "built", "hasattr", "initialized")


class LayerBuiltInForward(Rule[Construction]):
    """A layer with weights, or a dropout, is built inside `forward` or `call`.

    ## What it finds
    The constructor of `nn.Linear`, `nn.Conv2d`, `nn.BatchNorm2d`, `nn.LSTM`, a Keras layer with weights, or `nn.Dropout`
    evaluated inside a module's `forward`, `call` or training step.

    ## Why it is bad
    Every call makes new random weights that no optimizer knows: the layer is never trained. A fresh `nn.Dropout` is
    always in training mode, so it stays active during evaluation.

    ## Bad
    ```python
    import torch
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Linear(8, 16)

        def forward(self, x):
            x = torch.relu(self.body(x))
            return nn.Linear(16, 2)(x)  # error: [DLS104]


    y = Net()(torch.randn(4, 8))
    ```

    ## Good
    ```python
    import torch
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Linear(8, 16)
            self.head = nn.Linear(16, 2)

        def forward(self, x):
            x = torch.relu(self.body(x))
            return self.head(x)


    y = Net()(torch.randn(4, 8))
    ```

    ## When it stays silent
    Modules without weights, new containers of modules that the model has already, and creation guarded so that it happens once.
    ```python
    import torch
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.head = None
            self.body = nn.Linear(8, 16)

        def forward(self, x):
            x = nn.Sequential(self.body, nn.ReLU())(x)
            if self.head is None:
                self.head = nn.Linear(x.shape[1], 2)
            return nn.ReLU()(self.head(x))


    y = Net()(torch.randn(4, 8))
    ```

    ## References
    - Humbatova et al., ICSE 2020: wrong API usage.
    """

    code = "DLS104"
    name = "layer-built-in-forward"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    topics: Constant[tuple[str, ...]] = ("event:construct",)

    def check(self, item: Construction, context: Context) -> Iterator[Finding]:
        """A construction whose innermost function is a module's forward method."""
        layer = item.instance
        method = item.scope.rpartition(".")[2]
        if method not in _STEPS or "." not in item.scope:
            return
        if (
            not isinstance(item.owner, InstanceVal)
            or not isinstance(item.owner.cls, ClassVal)
            or library_of(item.owner.cls) is None
        ):
            return
        if guarded(item, item.owner.cls, context):
            return
        name = class_name(layer)
        if layer.layer is not None and layer.layer.row.op in having(Trait.DROPS) and library_of(layer.cls) == "torch":
            reason = "and a new module is in training mode, so it drops during evaluation, too"
            advice = "build it in __init__, or use F.dropout(x, p, training=self.training)"
        elif has_weights(layer, is_new(layer, item.owner)):
            reason = f"so every call starts with new {weights_of(layer)} that are never trained"
            advice = "build it once in __init__ as an attribute"
        else:
            return
        message = f"`{name}` is built inside `{item.scope}`, {reason}{context.condition_note(item)}"
        fixes = offer(context, "Build it once in __init__", moved(item, item.owner.cls, name), Applicability.UNSAFE)
        yield context.finding(self, item, message, advice=advice, fixes=fixes)


def is_new(layer: InstanceVal, owner: InstanceVal) -> Callable[[InstanceVal], bool]:
    """Whether a part of a layer that is built in a method came with it: the owner of the method neither has it elsewhere nor
    is younger than it."""
    had = {id(module) for module in tree(owner, lambda module: module is not layer)}
    return lambda module: module is layer or (id(module) not in had and module.born > owner.born)


#: Layers whose weights start as ones and zeros.
_PLAIN_STARTS = having(Trait.STARTS_PLAIN)


def weights_of(layer: InstanceVal) -> str:
    """What is new in a layer that is built again: of most layers, random numbers."""
    return "weights" if layer.layer is not None and layer.layer.row.op in _PLAIN_STARTS else "random weights"


@builder
def moved(event: Construction, cls: ClassVal, name: str) -> tuple[Edit, ...]:
    """The construction moves to the end of ``__init__``, if it uses nothing that only the method knows."""
    site, method = event.site, next((m for m in class_reads(cls.node).methods.values() if holds(m.node, event)), None)
    if method is None or cls.document is not site.document or not isinstance(site.node, cst.Call):
        return ()
    own = local_names(method.node)
    used = (part for arg in site.node.args for part in walk(arg.value))
    if any(isinstance(part, cst.Name) and part.value in own for part in used):
        return ()
    return build_once(site, site.node, cls.node, free_attribute(cls, re.sub(r"\d.*", "", name).lower()))


def holds(method: cst.FunctionDef, event: Construction) -> bool:
    """Whether an event's statement stands in a method."""
    return any(part is event.site.statement for part in walk(method))


def local_names(method: cst.FunctionDef) -> set[str]:
    """The names that a method binds, its receiver aside."""
    parameters = [p for p in walk(method.params) if isinstance(p, cst.Param)]
    targets = [part for part in walk(method.body) if isinstance(part, (cst.AssignTarget, cst.For, cst.CompFor, cst.NamedExpr))]
    bound = [part for target in targets for part in walk(target.target) if isinstance(part, cst.Name)]
    return {p.name.value for p in parameters[1:]} | {name.value for name in bound}


def free_attribute(cls: ClassVal, stem: str) -> str:
    """``stem``, with a number if the class has such an attribute."""
    taken = {name for method in class_reads(cls.node).methods.values() for name in (*method.assigned, *method.read)}
    numbered = (f"{stem}{number}" for number in count(2))
    return next(name for name in chain([stem], numbered) if name not in taken)


def guarded(event: Construction, cls: ClassVal, context: Context) -> bool:
    """Whether the construction stands under a condition that makes it happen once."""
    branches = (part for part in walk(cls.node) if isinstance(part, cst.If))
    lazy = [part for part in branches if any(word in context.text(part.test) for word in _LAZY)]
    return any(inside is event.site.statement for part in lazy for inside in walk(part))
