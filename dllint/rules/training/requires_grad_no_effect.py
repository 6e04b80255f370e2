"""DLO114: something is to be frozen by an attribute that freezes nothing, or that is not set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.modules import library_of
from dllint.domains.lattice import Unknown
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.calls import replace_expression
from dllint.fixes.operations import rename_attribute
from dllint.fixes.statements import replace_assignment
from dllint.frameworks import registry
from dllint.ir.events import AttributeWrite, IdleComparison
from dllint.ir.program import TensorVal
from dllint.ir.values import ClassVal, InstanceVal, LibSymbol, Value, unwrap
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted

#: The attribute of tensors that decides whether gradients are recorded for them.
_ATTRIBUTE: Final = "requires_grad"
#: The attributes that decide what is trained, of tensors and of layers of Keras.
_FREEZING: Final = frozenset({_ATTRIBUTE, "trainable"})
_TENSOR: Final = "torch.Tensor."
#: How the models are called that torchvision makes: modules of torch.
_MODELS: Final = "torchvision.models."
#: From so much likeness on, a name is that attribute's, misspelt.
_ALIKE: Final = 0.9


class RequiresGradNoEffect(Rule[AttributeWrite | IdleComparison]):
    """`requires_grad` is set on a module, or under a misspelt name on a parameter, or only compared: nothing is frozen.

    ## What it finds
    `model.requires_grad = False` for a module, which has no such attribute, names that are nearly `requires_grad`
    (`parameter.require_grad = False`) and that nothing in the file reads, and the statements
    `parameter.requires_grad == False` and `layer.trainable == False` (Keras), which compare and set nothing.

    ## Why it is bad
    Python makes a new attribute that no one looks at. The weights that were to be kept are trained, and nothing raises.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 2))
    model[0].requires_grad = False  # error: [DLO114]
    for parameter in model[2].parameters():
        parameter.require_grad = False  # error: [DLO114]
    for parameter in model[2].parameters():
        parameter.requires_grad == False  # error: [DLO114]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 2))
    model[0].requires_grad_(False)
    for parameter in model[2].parameters():
        parameter.requires_grad = False
    ```

    ## When it stays silent
    Tensors and parameters, which have the attribute, classes that define or read it themselves, objects that are not known, and
    `True`, which is what parameters have anyway.
    ```python
    import torch
    from torch import nn


    class Frozen(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(4, 2)

        @property
        def requires_grad(self):
            return self.layer.weight.requires_grad

        @requires_grad.setter
        def requires_grad(self, value):
            self.layer.requires_grad_(value)


    frozen = Frozen()
    frozen.requires_grad = False
    frozen.layer.weight.requires_grad = False
    frozen.layer.requires_grad = True
    x = torch.ones(3)
    x.requires_grad = True


    def freeze(part):
        part.requires_grad = False
    ```

    ## References
    - PyTorch documentation, `torch.nn.Module.requires_grad_`.
    - TorchFix, rule TOR002.
    - Found in public code: `udacity/deep-learning-v2-pytorch` (`transfer-learning/Transfer_Learning_Exercise.ipynb`, issue 12),
      `zjunlp/HVPNeT` (`modules/train.py`).
    """

    code = "DLO114"
    name = "requires-grad-no-effect"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch", "keras")
    topics: ClassVar[tuple[str, ...]] = ("event:attribute-write", "event:idle-comparison")

    def check(self, item: AttributeWrite | IdleComparison, context: Context) -> Iterator[Finding]:
        """An attribute that is set on an object, or compared in a statement."""
        if isinstance(item, IdleComparison):
            yield from self._compared(item, context)
            return
        receiver = unwrap(item.receiver)
        if item.name == _ATTRIBUTE:
            if unwrap(item.value) is False and _has_none(receiver, item) and not _is_frozen_too(item, context):
                yield self._on_module(item, context)
        elif _is_misspelt(item, receiver):
            yield self._misspelt(item, context)

    def _compared(self, item: IdleComparison, context: Context) -> Iterator[Finding]:
        node, given = item.site.node, context.text(item.other)
        if item.name not in _FREEZING or not isinstance(node, cst.Comparison):
            return
        assignment = f"{context.text(node.left)} = {given}"
        yield context.finding(
            self,
            item,
            f"{quoted(context.text(node))} compares and sets nothing: `{item.name}` stays as it is",
            advice=f"write {quoted(assignment)}",
            fixes=offer(context, "Assign it", replace_expression(item.site, node, assignment), Applicability.UNSAFE),
        )

    def _on_module(self, item: AttributeWrite, context: Context) -> Finding:
        module = _written(item, context)
        edits = replace_assignment(item.site, f"{module}.requires_grad_(False)") if module else ()
        return context.finding(
            self,
            item,
            f"{quoted(module)} is a module, which has no `requires_grad`: none of its parameters is frozen",
            advice=f"call {quoted(f'{module}.requires_grad_(False)')}",
            fixes=offer(context, "Freeze the parameters", edits, Applicability.UNSAFE),
        )

    def _misspelt(self, item: AttributeWrite, context: Context) -> Finding:
        node = item.site.node
        edits = rename_attribute(item.site, node, _ATTRIBUTE) if isinstance(node, cst.Attribute) else ()
        return context.finding(
            self,
            item,
            f"`{item.name}` is no attribute of a tensor, so that setting it changes nothing",
            advice=f"write `{_ATTRIBUTE}`",
            fixes=offer(context, f"Write `{_ATTRIBUTE}`", edits, Applicability.UNSAFE),
        )


def _has_none(value: Value, item: AttributeWrite) -> bool:
    """Whether an object is a torch module of which nothing says that it has such an attribute of its own."""
    if isinstance(value, InstanceVal) and isinstance(value.cls, LibSymbol) and value.cls.name.startswith(_MODELS):
        return True
    if not isinstance(value, InstanceVal) or library_of(value.cls) != "torch":
        return False
    if isinstance(value.cls, LibSymbol):
        return value.cls.name.startswith("torch.nn.")
    assert isinstance(value.cls, ClassVal)
    if not all(isinstance(base, ClassVal) or (isinstance(base, LibSymbol) and _is_plain(base)) for base in value.cls.mro):
        return False
    classes = [base for base in value.cls.mro if isinstance(base, ClassVal)]
    return not any(_speaks_of(base.document.text, item.name) for base in classes) and not any(
        item.name in base.attrs or "__setattr__" in base.attrs for base in classes
    )


def _is_frozen_too(item: AttributeWrite, context: Context) -> bool:
    """Whether the file goes through the parameters of the module as well, or freezes it by its method."""
    module = re.escape(_written(item, context))
    freezing = rf"\bin {module}\.(named_)?parameters\(|\b{module}\.requires_grad_\("
    return re.search(freezing, item.site.document.text) is not None


def _is_plain(base: LibSymbol) -> bool:
    return base.name.startswith(("torch.nn.", "builtins.", "abc."))


def _speaks_of(text: str, name: str) -> bool:
    """Whether a file reads an attribute of ``self``, or of anything by its name as a text."""
    return re.search(rf"self\.{name}\b(?!\s*=[^=])|[\"']{name}[\"']", text) is not None


def _is_misspelt(item: AttributeWrite, receiver: Value) -> bool:
    """Whether an attribute's name is nearly that of tensors, on what may be one, and nothing reads it."""
    name = item.name
    if name[:3] != _ATTRIBUTE[:3] or SequenceMatcher(None, name, _ATTRIBUTE, autojunk=False).ratio() < _ALIKE:
        return False
    if not isinstance(receiver, (TensorVal, Unknown)) and library_of(getattr(receiver, "cls", None)) != "torch":
        return False
    if registry.known(_TENSOR + name) or "torch" not in item.site.document.text:
        return False
    reads = re.compile(rf"\.{re.escape(name)}\b(?!\s*=[^=])|[\"']{re.escape(name)}[\"']")
    return reads.search(item.site.document.text) is None


def _written(item: AttributeWrite, context: Context) -> str:
    """The expression whose attribute is set."""
    node = item.site.node
    return context.text(node.value) if isinstance(node, cst.Attribute) else ""
