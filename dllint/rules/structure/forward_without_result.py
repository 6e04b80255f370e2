"""DLS111: a module's forward returns nothing, or is not called forward."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from typing import ClassVar as Constant

import libcst as cst

from dllint.analysis.class_reads import ClassReads, class_reads
from dllint.analysis.modules import is_module, is_resolved, library_of, user_classes
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.places import inner, replacing
from dllint.ir.events import Instance
from dllint.ir.program import Site
from dllint.ir.values import ClassVal, LibSymbol
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.source.memo import of_node
from dllint.source.walk import walk, walk_for

_ENTRY = {"torch": "forward", "keras": "call"}
_MISSPELT = {"torch": ("foward", "forwad", "farward", "fordward", "forwards", "__forward__", "_forward_", "forwrad", "forword"),
             "keras": ("cal", "calls", "__cal__")}  # fmt: skip
_LIGHTNING, _STEP = "pytorch_lightning.LightningModule", "training_step"
#: Names in the code of a module that optimizes by itself.
_BY_HAND = frozenset({"automatic_optimization", "backward", "manual_backward", "optimizers"})
_NO_RESULT = (cst.Return, cst.Raise, cst.Yield)


class ForwardWithoutResult(Rule[Instance]):
    """A module's `forward` or `training_step` returns nothing, or its name is misspelt.

    ## What it finds
    A `forward` (Keras: `call`) that applies layers and has no return statement; a class with layers whose method is called
    `foward`, `forwards` or `__forward__` and that has no `forward`; a `training_step` of a `LightningModule` that computes
    something and returns nothing, while Lightning optimizes.

    ## Why it is bad
    The model returns `None`, or the call raises `NotImplementedError`. Lightning skips a step without a loss, says so in one
    warning, and trains nothing.

    ## Bad
    ```python
    import torch
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(8, 2)

        def forward(self, x):  # error: [DLS111]
            x = torch.relu(self.fc(x))


    net = Net()
    ```

    ```python
    import lightning.pytorch as pl
    import torch
    from torch import nn


    class Net(pl.LightningModule):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(8, 2)

        def training_step(self, batch, index):  # error: [DLS111]
            x, y = batch
            loss = nn.functional.cross_entropy(self.fc(x), y)
            self.log("loss", loss)

        def configure_optimizers(self):
            return torch.optim.Adam(self.parameters())


    net = Net()
    ```

    ## Good
    ```python
    import torch
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(8, 2)

        def forward(self, x):
            x = torch.relu(self.fc(x))
            return x


    net = Net()
    ```

    ## When it stays silent
    Abstract methods, methods declared to return `None`, methods that keep or pass on what they compute, holders of parameters,
    training steps that optimize by hand.
    ```python
    import lightning.pytorch as pl
    from torch import nn


    class Base(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(8, 2)

        def forward(self, x):
            raise NotImplementedError


    class Logger(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(8, 2)

        def forward(self, x) -> None:
            print(self.fc(x))


    class Trainer(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(8, 2)
            self.losses = []

        def forward(self, x):
            self.losses.append(self.fc(x).mean())


    class ByHand(pl.LightningModule):
        def __init__(self):
            super().__init__()
            self.automatic_optimization = False
            self.fc = nn.Linear(8, 2)

        def training_step(self, batch, index):
            optimizer = self.optimizers()
            optimizer.zero_grad()
            self.manual_backward(self.fc(batch).mean())
            optimizer.step()


    modules = Base(), Logger(), Trainer(), ByHand()
    ```

    ## References
    - Humbatova et al., ICSE 2020: missing API call.
    - Lightning documentation, `LightningModule.training_step`: what a step may return.
    """

    code = "DLS111"
    name = "forward-without-result"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    topics: Constant[tuple[str, ...]] = ("event:instance",)

    def check(self, item: Instance, context: Context) -> Iterator[Finding]:
        """The entry method of a new instance's class."""
        instance = item.instance
        if not isinstance(instance.cls, ClassVal) or not is_resolved(instance.cls):
            return
        cls, library = instance.cls, library_of(instance.cls)
        parts = {name for name, value in instance.attrs.items() if is_module(value)}
        if library is None or not parts:
            return
        yield from self._training_step(cls, context)
        reads = class_reads(cls.node)
        entry = _ENTRY[library]
        if entry in reads.methods:
            if applies_without_result(reads, entry, parts):
                node = reads.methods[entry].node
                message, site = f"`{cls.name}.{entry}` applies layers but returns nothing", Site(cls.document, node, node.name)
                yield context.finding(self, site, message, advice="return its last tensor")
        elif not any(entry in class_reads(base.node).methods for base in user_classes(cls)) and is_plain_base(cls):
            yield from self._misspelt(cls, reads, library, context)

    def _training_step(self, cls: ClassVal, context: Context) -> Iterator[Finding]:
        """The step of a module that Lightning trains."""
        method = class_reads(cls.node).methods.get(_STEP)
        if method is None or not any(isinstance(base, LibSymbol) and base.name == _LIGHTNING for base in cls.mro):
            return
        silent = declared_none(method.node) or is_abstract(method.node) or not method.called
        if not silent and not gives_value(method.node) and not any(optimizes_by_hand(each.node) for each in user_classes(cls)):
            message = f"`{cls.name}.{_STEP}` returns no loss, so that Lightning trains nothing"
            site = Site(cls.document, method.node, method.node.name)
            yield context.finding(self, site, message, advice="return the loss", severity=Severity.WARNING)

    def _misspelt(self, cls: ClassVal, reads: ClassReads, library: str, context: Context) -> Iterator[Finding]:
        for name in _MISSPELT[library]:
            if name in reads.methods:
                node = reads.methods[name].node
                message = f"`{cls.name}` has no `{_ENTRY[library]}`, but a method `{name}`"
                site = Site(cls.document, node, node.name)
                edits = (replacing(site, *inner(site, node.name), _ENTRY[library]),)
                fixes = offer(context, f"Rename it to {_ENTRY[library]}", edits, Applicability.UNSAFE)
                advice = f"rename it to `{_ENTRY[library]}`"
                yield context.finding(self, site, message, advice=advice, fixes=fixes)


def is_plain_base(cls: ClassVal) -> bool:
    """Whether the library base is the bare module or layer class, which has no forward of its own."""
    names = [base.name for base in cls.mro if isinstance(base, LibSymbol)]
    return bool(names) and names[0] in ("torch.nn.Module", "keras.layers.Layer", "keras.Model")


def applies_without_result(reads: ClassReads, entry: str, parts: set[str]) -> bool:
    """Whether an entry method applies a part of the module and has no exit with a value."""
    method = reads.methods[entry]
    if not parts & set(method.called) or declared_none(method.node) or is_abstract(method.node):
        return False
    return not has_result(method.node) and not hands_on(method.node, parts)


def is_abstract(node: cst.FunctionDef) -> bool:
    """Whether a decorator of a function says that subclasses define it."""
    return any(part.__class__ is cst.Name and "abstract" in part.value for part in _decorating(node))


def _decorating(node: cst.FunctionDef) -> Iterator[Any]:
    for decorator in node.decorators:
        yield from walk(decorator)


@of_node
def gives_value(node: cst.FunctionDef) -> bool:
    """Whether a function returns or yields anything but ``None``, or raises."""
    exits = walk_for(node.body, *_NO_RESULT)
    return any(not isinstance(part, cst.Return) or part.value is not None for part in exits)


@of_node
def optimizes_by_hand(node: cst.ClassDef) -> bool:
    """Whether a class says that it optimizes by itself, or differentiates or steps."""
    return any(part.value in _BY_HAND for part in walk_for(node.body, cst.Name))


@of_node
def has_result(node: cst.FunctionDef) -> bool:
    """Whether a function has any exit with a value, or raises."""
    return any(True for _ in walk_for(node.body, *_NO_RESULT))


def hands_on(node: cst.FunctionDef, parts: set[str]) -> bool:
    """Whether a method keeps or passes on what it computes: in an attribute (``self.loss = …``), an element of what it was
    given, or a call on its object or its arguments that is a statement of its own (``self.add_loss(…)``) and no layer."""
    params = [param.name.value for param in (*node.params.params, *node.params.kwonly_params)]
    receiver, given = (params[0] if params else "self"), set(params)
    for part in walk(node.body):
        if isinstance(part, cst.AssignTarget) and isinstance(part.target, (cst.Attribute, cst.Subscript)):
            if _root(part.target) in given:
                return True
        elif isinstance(part, cst.Expr) and isinstance(part.value, cst.Call) and _is_passed(part.value, receiver, given, parts):
            return True
    return False


def _is_passed(call: cst.Call, receiver: str, given: set[str], parts: set[str]) -> bool:
    func = call.func
    if not call.args or not isinstance(func, cst.Attribute) or _root(func) not in given:
        return False
    of_itself = isinstance(func.value, cst.Name) and func.value.value == receiver
    return not (of_itself and func.attr.value in parts)


def _root(node: cst.BaseExpression) -> str:
    while isinstance(node, (cst.Attribute, cst.Subscript)):
        node = node.value
    return node.value if isinstance(node, cst.Name) else ""


def declared_none(node: cst.FunctionDef) -> bool:
    """Whether a function is annotated ``-> None``."""
    annotation = node.returns.annotation if node.returns is not None else None
    return isinstance(annotation, cst.Name) and annotation.value == "None"
