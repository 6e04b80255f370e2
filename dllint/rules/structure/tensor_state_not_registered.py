"""DLS108: a tensor attribute of a module that is neither parameter nor buffer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar as Constant
from typing import Final, TypeGuard

import libcst as cst

from dllint.analysis.class_reads import Access, ClassReads, Method, class_reads
from dllint.analysis.facts import Facts
from dllint.analysis.idle_constants import idle_operation
from dllint.analysis.meets_input import meets_input
from dllint.analysis.modules import is_resolved, library_of, tree
from dllint.analysis.trained_by_hand import trained_by_hand
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import offering
from dllint.fixes.calls import wrap
from dllint.fixes.imports import name_for
from dllint.fixes.places import inner, replacing
from dllint.ir.events import Instance, LibraryCall
from dllint.ir.program import Site, TensorVal
from dllint.ir.values import ClassVal, InstanceVal, LibSymbol, Value
from dllint.ops.kinds import does, having_any
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.source.walk import small_statements, walk

_CREATIONS = having_any(Trait.FILLS | Trait.EMPTY | Trait.DRAWS | Trait.TAKES_DATA)
_REGISTERS = frozenset({"register_buffer", "register_parameter"})
_MOVES = (".to(", ".type_as(", ".cuda(", "device=")


class TensorStateNotRegistered(Rule[Instance]):
    """A tensor that a module keeps is neither a parameter nor a buffer.

    ## What it finds
    `self.w = torch.randn(...)` in the `__init__` of an `nn.Module`: (a) with `requires_grad=True` or `requires_grad_()`, (b)
    combined with the inputs in `forward`, or (c) ones that `forward` multiplies by, or zeros that it adds, and that nothing
    changes.

    ## Why it is bad
    (a) The tensor is missing from `parameters()`: it is never trained. (b) It stays on the CPU when the model moves to a
    GPU, where `forward` then raises, and it is missing from checkpoints; where the program does not move the module, or
    what holds it, the tensor is put on a device itself, or nothing that the module is given meets it (it is copied into another
    tensor), this is told as information only. (c) The operation does nothing: `nn.Parameter` was forgotten.

    ## Bad
    ```python
    import torch
    from torch import nn


    class Scale(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = torch.randn(8, requires_grad=True)  # error: [DLS108]

        def forward(self, x):
            return x * self.weight


    layer = Scale()
    ```

    ## Good
    ```python
    import torch
    from torch import nn


    class Scale(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.randn(8))

        def forward(self, x):
            return x * self.weight


    layer = Scale()
    ```

    ## When it stays silent
    Tensors that are moved where they are used or by a `to`, `cuda` or `_apply` of the class, that only configure the module, or
    that the program trains itself: by an optimizer that is given a list of them, or by their gradients.
    ```python
    import torch
    from torch import nn


    class Scale(nn.Module):
        def __init__(self):
            super().__init__()
            self.steps = torch.arange(8)
            self.depth = int(self.steps.sum())

        def forward(self, x):
            return x * self.steps.to(x.device)


    layer = Scale()
    ```

    ## References
    - PyTorch documentation, `torch.nn.Module.register_buffer`.
    """

    code = "DLS108"
    name = "tensor-state-not-registered"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: Constant[tuple[str, ...]] = ("event:instance",)

    def check(self, item: Instance, context: Context) -> Iterator[Finding]:
        """The tensors among a new module's attributes."""
        instance = item.instance
        if not isinstance(instance.cls, ClassVal):
            return
        cls = instance.cls
        if library_of(cls) != "torch" or not is_resolved(cls) or cls.document is not context.document:
            return
        reads = class_reads(cls.node)
        for name, value in instance.attrs.items():
            if not isinstance(value, TensorVal):
                continue
            access = reads.methods["__init__"].assigned.get(name, [None])[0] if "__init__" in reads.methods else None
            if access is None or registered(reads) or is_buffer_of_base(name, cls):
                continue
            asks = asks_for_gradient(access.node, context)
            idle = None if asks else idle_operation(value, name, cls, reads, context.facts)
            if not (is_created_here(value) if asks else idle is not None or is_plain_tensor(value)):
                continue
            if asks:
                if name in trained_by_hand(cls.document):
                    continue
                message = f"`self.{name}` requires a gradient but is not a parameter, so it is never trained"
                advice = "wrap it in nn.Parameter(…)"
                severity = Severity.ERROR
            elif idle is not None:
                message = f"`self.{name}` is no parameter, and nothing changes it, so that {idle} does nothing"
                advice, severity = "wrap it in nn.Parameter(…), or leave it out", Severity.WARNING
            elif is_plain_tensor(value) and used_in_forward(name, reads, context) and not is_moved_by_hand(name, reads):
                message = f"`self.{name}` is a plain tensor: .to(device) leaves it behind and state_dict() omits it"
                advice = f'use self.register_buffer("{name}", …)'
                met = meets_input(value, cls.node, context.facts) if context.facts.users(value) else is_operand(name, reads)
                harms = met and not is_placed(access, context) and is_moved_away(instance, context.facts)
                severity = Severity.WARNING if harms else Severity.INFO
            else:
                continue
            site = Site(cls.document, access.statement, access.node)
            fixes = registration(site, name, "nn.Parameter" in advice, context)
            yield context.finding(self, site, message, advice=advice, severity=severity, fixes=fixes)


#: What the constructors of torch's modules register as buffers, and a part of the names of those that do (``register_buffer``
#: in the sources of ``torch.nn.modules`` 2.13). A tensor that is assigned to such a name becomes the buffer.
_BUFFERS: Final = {
    "weight": "Loss",
    "pos_weight": "Loss",
    "running_mean": "Norm",
    "running_var": "Norm",
    "num_batches_tracked": "Norm",
}


def is_buffer_of_base(name: str, cls: ClassVal) -> bool:
    """Whether a base in torch has registered a buffer of this name."""
    part = _BUFFERS.get(name)
    bases = (base.name for base in cls.mro if isinstance(base, LibSymbol))
    return part is not None and any(part in base.rpartition(".")[2] for base in bases if base.startswith("torch.nn."))


#: Methods of modules that move them, and all that they hold.
_MOVING: Final = frozenset(f"torch.nn.Module.{name}" for name in ("to", "cuda", "xpu"))
#: Where tensors are made.
_HERE: Final = "cpu"


def is_moved_away(module: InstanceVal, facts: Facts) -> bool:
    """Whether the program moves a module, or one that holds it, to another device than the one where tensors are made."""
    moves = (call for call in facts.events(LibraryCall) if call.name in _MOVING and _HERE not in call.bound.values())
    return any(part is module for move in moves for part in tree(move.result))


def is_placed(access: Access, context: Context) -> bool:
    """Whether a tensor is put on a device where it is made."""
    made = context.text(access.node)
    return any(move in made for move in _MOVES)


@offering
def registration(site: Site, name: str, is_trained: bool, context: Context) -> list[Fix]:
    """The tensor becomes a parameter, or its assignment a ``register_buffer`` call."""
    if is_trained:
        written, imports = name_for(site.document, "torch.nn.Parameter")
        return offer(context, "Make it a parameter", (*wrap(site, site.node, written), *imports), Applicability.UNSAFE)
    assignments = (part for part in small_statements(site.statement) if isinstance(part, cst.Assign))
    made = next((part for part in assignments if part.value is site.node and len(part.targets) == 1), None)
    if made is None:
        return []
    text = f'self.register_buffer("{name}", {context.text(site.node)})'
    start, end = inner(site, made)
    return offer(context, "Register it as a buffer", (replacing(site, start, end, text),), Applicability.UNSAFE)


#: Methods that move a module.
_MOVERS: Final = ("to", "cuda", "cpu", "_apply")


def is_moved_by_hand(name: str, reads: ClassReads) -> bool:
    """Whether a method of the class that moves it moves the attribute along."""
    return any(name in reads.methods[method].assigned for method in _MOVERS if method in reads.methods)


def is_plain_tensor(value: Value) -> TypeGuard[TensorVal]:
    """Whether a value is a tensor with axes that a creation function made."""
    if not isinstance(value, TensorVal) or value.framework != "torch" or value.producer is None:
        return False
    return value.producer.kind in _CREATIONS and bool(value.type.rank)


#: Tensors of a product of made ones that are followed back.
_MOST: Final = 20


def is_created_here(value: Value) -> bool:
    """Whether a value is a tensor with axes of which every element comes from creation functions."""
    if not isinstance(value, TensorVal) or value.framework != "torch" or not value.type.rank:
        return False
    todo, seen = [value], 0
    while todo:
        maker = todo.pop().producer
        seen += 1
        if maker is None or seen > _MOST:
            return False
        if maker.kind not in _CREATIONS:
            if not does(maker, Trait.POINTWISE) or not maker.inputs:
                return False
            todo += maker.inputs
    return True


def asks_for_gradient(node: cst.CSTNode, context: Context) -> bool:
    """Whether an assigned expression turns the gradient of its tensor on."""
    text = context.text(node)
    return "requires_grad=True" in text or text.endswith((".requires_grad_()", ".requires_grad_(True)"))


def registered(reads: ClassReads) -> bool:
    """Whether the class registers tensors by name."""
    return any(_REGISTERS & set(method.called) for method in reads.methods.values())


def is_operand(name: str, reads: ClassReads) -> bool:
    """Whether ``forward``, which was not followed, calculates with an attribute as it stands."""
    reading = reads.methods["forward"].read[name]
    nodes = {id(access.node) for access in reading}
    return any(
        isinstance(part, cst.BinaryOperation) and not nodes.isdisjoint((id(part.left), id(part.right)))
        for access in reading
        for part in walk(access.statement)
    )


#: What takes a tensor along to the device of another one, beside the moves.
_TAKES_ALONG: Final = (*_MOVES, ".new_tensor(")


def used_in_forward(name: str, reads: ClassReads, context: Context) -> bool:
    """Whether ``forward`` reads the attribute, and no method moves it to a device where it reads it, nor by the name that it
    gives to it."""
    forward = reads.methods.get("forward")
    if forward is None or name not in forward.read or name in forward.assigned:
        return False
    return not any(
        is_moved(access, method, context)
        for where, method in reads.methods.items()
        if where != "__init__"
        for access in method.read.get(name, ())
    )


def is_moved(access: Access, method: Method, context: Context) -> bool:
    """Whether the statement that reads an attribute moves it, or the method moves what the statement has named."""
    if any(move in context.text(access.statement) for move in _TAKES_ALONG):
        return True
    named = {
        target.target.value
        for part in small_statements(access.statement)
        if isinstance(part, cst.Assign)
        for target in part.targets
        if isinstance(target.target, cst.Name)
    }
    text = context.text(method.node) if named else ""
    moves = "|".join(re.escape(move) for move in _TAKES_ALONG if move.startswith("."))
    return any(re.search(rf"\b{one}({moves})", text) for one in named)
