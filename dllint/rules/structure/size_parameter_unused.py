"""DLS113: a size that a model is given reaches none of its layers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant

import libcst as cst

from dllint.analysis.class_reads import ClassReads, class_reads
from dllint.analysis.idle_layers import is_mentioned
from dllint.analysis.modules import has_weights, is_module, is_resolved, library_of, parts, tree
from dllint.analysis.roles import ROLES, Role
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.operations import constructor, constructor_argument, is_constant
from dllint.fixes.places import inner, replacing
from dllint.ir.events import Instance
from dllint.ir.program import Site
from dllint.ir.values import ClassVal, InstanceVal, unwrap
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.source.memo import of_node
from dllint.source.receivers import is_receiver, receiver_of
from dllint.source.uses import used_elsewhere
from dllint.source.walk import walk

#: What hands all parameters on without naming them.
_HANDS_ON = frozenset({"locals", "vars", "save_hyperparameters", "eval", "exec"})


class SizeParameterUnused(Rule[Instance]):
    """A size that a model is given by name reaches none of its layers.

    ## What it finds
    A parameter such as `in_channels`, `num_classes` or `vocab_size` of a model's `__init__` that nothing reads, while the layer
    whose size it names has a number in its place.

    ## Why it is bad
    Whoever passes another size gets a model of the old one: it fails at the first batch, or learns with classes too many. A
    number of classes that another one was passed for is a warning.

    ## Bad
    ```python
    import torch
    from torch import nn


    class Net(nn.Module):
        def __init__(self, num_classes=10):
            super().__init__()
            self.body = nn.Linear(32, 64)
            self.head = nn.Linear(64, 10)  # info: [DLS113]

        def forward(self, x):
            return self.head(torch.relu(self.body(x)))


    y = Net(num_classes=10)(torch.randn(4, 32))
    ```

    ## Good
    ```python
    import torch
    from torch import nn


    class Net(nn.Module):
        def __init__(self, num_classes=10):
            super().__init__()
            self.body = nn.Linear(32, 64)
            self.head = nn.Linear(64, num_classes)

        def forward(self, x):
            return self.head(torch.relu(self.body(x)))


    y = Net(num_classes=10)(torch.randn(4, 32))
    ```

    ## When it stays silent
    Parameters that anything else is computed from, that other code reads as an attribute, or that stand beside no number.
    ```python
    from torch import nn


    class Net(nn.Module):
        def __init__(self, width, num_classes=10):
            super().__init__()
            self.num_classes = num_classes
            self.head = nn.Linear(64, 10)

        def forward(self, x):
            return self.head(x)


    model = Net(64)
    print(model.num_classes)
    ```

    ## References
    - Humbatova et al., ICSE 2020: layer with wrong size.
    """

    code = "DLS113"
    name = "size-parameter-unused"
    severity = Severity.INFO
    confidence = Confidence.MEDIUM
    applicability = Applicability.UNSAFE
    topics: Constant[tuple[str, ...]] = ("event:instance",)

    def check(self, item: Instance, context: Context) -> Iterator[Finding]:
        """The size parameters of a new model's class."""
        instance = item.instance
        cls = instance.cls
        if not isinstance(cls, ClassVal) or cls.document is not context.document or cls.node is None:
            return
        if library_of(cls) is None or not is_resolved(cls) or instance.open is not None:
            return
        reads = class_reads(cls.node)
        method = reads.methods.get("__init__")
        if method is None or reads.open:
            return
        for parameter, attribute in unused(method.node):
            if attribute is not None and is_read(attribute, cls, reads, context):
                continue
            role = ROLES[parameter]
            found = layer_of(role, instance, method.node)
            if found is None:
                continue
            site, arg, size = found
            given = unwrap(instance.attrs.get(attribute)) if attribute is not None else None
            differs = isinstance(given, int) and given != size
            is_now = f", which is {given} here" if isinstance(given, int) and differs else ""
            message = f"this layer {role.what} {size} whatever `{parameter}` is{is_now}: nothing reads that parameter"
            start, end = inner(site, arg.value)
            edits = (replacing(site, start, end, parameter),)
            fixes = offer(context, f"Build it with {parameter}", edits, Applicability.UNSAFE)
            severity = Severity.WARNING if differs and role.is_counted else Severity.INFO
            advice = f"build it with {parameter}, or take no such parameter"
            yield context.finding(self, site, message, advice=advice, severity=severity, fixes=fixes)


@of_node
def unused(init: cst.FunctionDef) -> tuple[tuple[str, str | None], ...]:
    """The parameters of a constructor that stand for a size and that nothing in it reads, with the attribute that one is kept
    in, if it is."""
    named = (*init.params.posonly_params, *init.params.params, *init.params.kwonly_params)
    wanted = {param.name.value for param in named} & ROLES.keys()
    if not wanted:
        return ()
    kept: dict[str, str] = {}
    no_reads: set[int] = set()
    for part in walk(init.body):
        if isinstance(part, cst.Attribute):
            no_reads.add(id(part.attr))
        elif isinstance(part, cst.Arg) and part.keyword is not None:
            no_reads.add(id(part.keyword))
        elif isinstance(part, cst.Assign) and isinstance(part.value, cst.Name) and len(part.targets) == 1:
            target = part.targets[0].target
            if part.value.value in wanted and isinstance(target, cst.Attribute) and is_receiver(target.value, init):
                kept[part.value.value] = target.attr.value
                no_reads.add(id(part.value))
    names = [part for part in walk(init.body) if isinstance(part, cst.Name)]
    if any(name.value in _HANDS_ON for name in names):
        return ()
    wanted -= {name.value for name in names if id(name) not in no_reads}
    return tuple((name, kept.get(name)) for name in sorted(wanted))


def is_read(attribute: str, cls: ClassVal, reads: ClassReads, context: Context) -> bool:
    """Whether anything reads an attribute of the objects of a class."""
    text, init = context.document.text, reads.methods["__init__"]
    receiver = receiver_of(init.node)
    if reads.reads(attribute) or is_mentioned(attribute, text, receiver):
        return True
    if text.count(f"{receiver}.{attribute}") > len(init.assigned.get(attribute, ())):
        return True
    return used_elsewhere(context.document.path, text, cls.name, attribute)


def layer_of(role: Role, instance: InstanceVal, init: cst.FunctionDef) -> tuple[Site, cst.Arg, int] | None:
    """The layer that the constructor builds and whose size a role names, as the argument that is a number; None if that layer
    has something else in its place, or if parts with weights come from elsewhere."""
    layers = {id(made[1]): layer for layer in tree(instance) if (made := constructor(layer)) is not None}
    calls = [part for part in walk(init.body) if isinstance(part, cst.Call) and id(part) in layers]
    built = [layers[id(call)] for call in calls if _is_part(layers[id(call)])]
    own = {id(layers[id(call)]) for call in calls}
    if any(is_module(part) and id(part) not in own and (part.layer is None or has_weights(part)) for part in parts(instance)):
        return None
    sized = [layer for layer in built if any(constructor_argument(layer, name) is not None for name in role.arguments)]
    if not sized or (role.is_outermost and sized[-1 if role.is_last else 0] is not built[-1 if role.is_last else 0]):
        return None
    layer = sized[-1 if role.is_last else 0]
    written = next(found for name in role.arguments if (found := constructor_argument(layer, name)) is not None)
    site, arg = written
    if not is_constant(arg.value) or not isinstance(arg.value, cst.Integer):
        return None
    return site, arg, int(arg.value.value.replace("_", ""), 0)


def _is_part(layer: InstanceVal) -> bool:
    """Whether a module is a layer with weights, or one of the program's own classes that has some."""
    return (layer.layer is not None or isinstance(layer.cls, ClassVal)) and has_weights(layer)
