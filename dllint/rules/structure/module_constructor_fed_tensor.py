"""DLS105: a tensor is passed to the constructor of a module in place of its call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from dllint.analysis.own_statements import enclosing
from dllint.domains.lattice import Unknown
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.calls import call
from dllint.fixes.places import inner, replacing
from dllint.frameworks.registry import layer_row
from dllint.ir.events import LibraryCall
from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted

#: Constructors whose first parameter is a tensor of weights.
_TAKES_WEIGHTS = ("Loss", "Embedding", "PReLU")
_CONSTRUCTOR = "__init__"
#: Required sizes, for which an element of a tensor may be given.
_COUNTS = frozenset({"in_features", "out_features", "in_channels", "out_channels"})


class ModuleConstructorFedTensor(Rule[LibraryCall]):
    """A tensor is passed to the constructor of a module in place of its call.

    ## What it finds
    `nn.ReLU(x)`, `nn.Softmax(x)`, `Flatten(x)`, `Dense(10, x)`, `nn.CrossEntropyLoss(output, target)`: the class is
    called with the tensors that its instance should be called with.

    ## Why it is bad
    The result is a module object, not a tensor. The next operation raises, or a loss never has a `backward`.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 3)
    output = model(torch.randn(4, 8))
    target = torch.randint(0, 3, (4,))
    loss = nn.CrossEntropyLoss(output, target)  # error: [DLS105]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 3)
    output = model(torch.randn(4, 8))
    target = torch.randint(0, 3, (4,))
    loss = nn.CrossEntropyLoss()(output, target)
    ```

    ## When it stays silent
    Class weights, pretrained embeddings and other tensors that constructors do take.
    ```python
    import torch
    from torch import nn

    criterion = nn.CrossEntropyLoss(torch.tensor([1.0, 2.0, 1.0]))
    weighted = nn.BCEWithLogitsLoss(pos_weight=torch.ones(3))
    scale = nn.Parameter(torch.ones(3))
    table = nn.Embedding.from_pretrained(torch.randn(10, 4))
    ```

    ## References
    - Zhang et al., ISSTA 2018: API misuse.
    """

    code = "DLS105"
    name = "module-constructor-fed-tensor"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.SAFE
    topics: ClassVar[tuple[str, ...]] = ("event:call",)
    suppresses = ("DLS106", "DLT101", "DLT102", "DLT105", "DLT109", "DLT117", "DLT118")

    @classmethod
    def may_concern(cls, name: str) -> bool:
        """As of a rule."""
        return is_constructor(name)

    def check(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """A constructor call with a positional tensor where no tensor belongs."""
        name = item.name
        if not is_constructor(name) or _is_function(name, item.site.node):
            return
        short = name.rpartition(".")[2]
        is_building = _is_constructed_with(item)
        given = [
            value
            for parameter, value in item.bound.items()
            if is_batch(parameter, value) and not (is_building and _is_of_parameters(value))
        ]
        limit = 1 if short.endswith(_TAKES_WEIGHTS) else 0
        if len(given) <= limit or not item.positional:
            return
        text = quoted(context.text(item.site.node))
        if required_first(name):
            message = f"{text} passes a tensor to the constructor of `{short}`"
            advice = f"call the layer on it: `{short}(…)(x)`"
        else:
            message = f"{text} builds a `{short}` from a tensor and does not apply one"
            advice = f"add the missing call: `{short}()(…)`"
        fixes = offer(context, "Add the missing call", called(item, name), Applicability.SAFE)
        yield context.finding(self, item, message + context.condition_note(item), advice=advice, fixes=fixes)


def _is_constructed_with(item: LibraryCall) -> bool:
    """Whether a call stands in the constructor of a class, or in what that calls: what it is given, as far as nothing has
    computed it, is a tensor by its annotation at best, and is meant for a size where it is used as one."""
    around = ([part for part in enclosing(place) if isinstance(part, cst.FunctionDef)] for place in item.site.stack())
    return any(functions and functions[-1].name.value == _CONSTRUCTOR for functions in around)


def _is_of_parameters(value: Value) -> bool:
    """Whether a tensor is what a function is given, or is computed from nothing else."""
    asked, seen = [value], set[int]()
    while asked:
        part = asked.pop()
        if not isinstance(part, TensorVal) or part.id in seen:
            continue
        seen.add(part.id)
        if part.producer is not None and not part.producer.inputs:
            return False
        asked += part.producer.inputs if part.producer is not None else ()
    return True


def _is_function(name: str, node: cst.CSTNode) -> bool:
    """Whether the layer is made by a function of TensorFlow 1 that applies it (``tf.layers.dropout(x, 0.5, mask)``)."""
    callee = node.func if isinstance(node, cst.Call) else None
    last = callee.attr if isinstance(callee, cst.Attribute) else callee
    return name.startswith("keras.") and isinstance(last, cst.Name) and last.value.islower()


@builder
def called(event: LibraryCall, name: str) -> tuple[Edit, ...]:
    """``C(x)`` becomes ``C()(x)``; ``C(10, x)`` becomes ``C(10)(x)``."""
    node = event.site.node
    if not isinstance(node, cst.Call) or any(arg.keyword is not None or arg.star for arg in node.args):
        return ()
    if not required_first(name):
        return call(event.site, node.func)
    if len(node.args) != 2:
        return ()
    (_, first_end), (second, second_end) = inner(event.site, node.args[0].value), inner(event.site, node.args[1].value)
    return (replacing(event.site, first_end, second, ")("),) if second_end else ()


def is_batch(parameter: str, value: Value) -> bool:
    """Whether a value is a tensor with axes: a number of numpy or of a tensor is a size like any other."""
    if not isinstance(value, TensorVal) or value.framework in ("numpy", "python") or value.shape == ():
        return False
    if parameter.startswith("_"):  # what tests of the library draw beforehand
        return False
    return parameter not in _COUNTS or not isinstance(value.shape, Unknown)


def is_constructor(name: str) -> bool:
    """Whether a qualified name is a layer or loss class."""
    short = name.rpartition(".")[2]
    return short[:1].isupper() and (layer_row(name) is not None or name.startswith("keras.losses."))


def required_first(name: str) -> bool:
    """Whether the class cannot be built without arguments."""
    return name.rpartition(".")[2] in ("Dense", "Linear", "Conv1D", "Conv2D", "Conv3D", "LSTM", "GRU", "Dropout", "Activation")
