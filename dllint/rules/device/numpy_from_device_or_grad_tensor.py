"""DLG104: a tensor that requires gradients, or is on an accelerator, is made a numpy array."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.devices import Fetched
from dllint.analysis.own_statements import enclosing, is_watched
from dllint.analysis.recorded import requires_gradient
from dllint.analysis.typestate import order
from dllint.domains.lattice import Unknown
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.calls import append_call
from dllint.ir.events import Backward, LibraryCall, OpaqueCall
from dllint.ir.program import Program, Site, TensorVal
from dllint.ir.values import ListVal, Value, unwrap
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted
from dllint.source.walk import small_statements, walk

#: What asks a tensor for its numpy array (each raises for a tensor that requires gradients; seen with torch 2.13).
_METHOD: Final = "torch.Tensor.numpy"
_FUNCTIONS: Final = frozenset({"numpy.array", "numpy.asarray", "numpy.asanyarray", "numpy.ascontiguousarray"})
#: What makes an array of a list of tensors, whatever it computes from that; a single tensor computes some of these itself.
_OF_LISTS: Final = _FUNCTIONS | {
    "numpy.mean", "numpy.sum", "numpy.std", "numpy.var", "numpy.median", "numpy.average", "numpy.max", "numpy.min",
    "numpy.amax", "numpy.amin", "numpy.percentile", "numpy.quantile", "numpy.argmax", "numpy.argmin", "numpy.abs",
    "numpy.sqrt", "numpy.round", "numpy.concatenate", "numpy.stack", "numpy.vstack", "numpy.hstack", "numpy.column_stack",
}  # fmt: skip
#: What computes from its arguments number by number, and makes an array of each of them first.
_ELEMENTWISE: Final = frozenset({
    "numpy.exp", "numpy.expm1", "numpy.log", "numpy.log1p", "numpy.tanh", "numpy.sin", "numpy.cos", "numpy.square",
    "numpy.abs", "numpy.sqrt", "numpy.sign", "numpy.floor", "numpy.ceil", "numpy.isnan", "numpy.isfinite", "numpy.maximum",
    "numpy.minimum", "numpy.power", "numpy.add", "numpy.subtract", "numpy.multiply", "numpy.divide", "numpy.where",
    "numpy.dot", "numpy.matmul", "numpy.allclose",
})  # fmt: skip
#: Functions that make arrays of what they compare.
_METRICS: Final = "sklearn.metrics."
#: The method that cuts a tensor off from its graph in place.
_DETACHING: Final = "detach_"
#: Words of tests that may be about devices.
_ASKS: Final = re.compile(r"cuda|cpu|gpu|device|mps|xpu", re.IGNORECASE)
#: Libraries whose tensors have ``backward()`` and may be made arrays all the same.
_OTHERS: Final = re.compile(r"\b(paddle|tinygrad|mindspore|oneflow|jittor|mxnet)\b")


class NumpyFromDeviceOrGradTensor(Rule[LibraryCall | OpaqueCall | Program]):
    """`.numpy()`, `np.array()` or a metric of scikit-learn of a tensor that requires gradients or is on an accelerator.

    ## What it finds
    A tensor that is computed from trained weights, outside `no_grad()`, and that is made an array without `.detach()`, and a
    loss of which `backward()` was called; also such a tensor that is given to a metric of scikit-learn or to a function like
    `np.maximum`, and lists of them that numpy joins or reduces. `.numpy()` of a tensor that is on an accelerator, since it, or
    the weights that it is computed with, were moved there; a warning, if that depends on the machine.

    ## Why it is bad
    PyTorch refuses: "Can't call numpy() on Tensor that requires grad", "can't convert cuda:0 device type tensor to numpy".

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    scores = model(torch.randn(4, 8)).softmax(dim=1)
    print(scores.numpy())  # error: [DLG104]
    ```

    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2).cuda()
    with torch.no_grad():
        print(model(torch.randn(4, 8, device="cuda")).argmax(dim=1).numpy())  # error: [DLG104]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    scores = model(torch.randn(4, 8)).softmax(dim=1)
    print(scores.detach().cpu().numpy())
    ```

    ## When it stays silent
    Tensors that are detached or computed without gradients, results of operations without gradients, weights that are frozen,
    functions whose callers may have switched gradients off, and errors that are expected.
    ```python
    import numpy as np
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    x = torch.randn(4, 8)
    print(np.array(x), np.array(model(x).data), model(x).argmax(dim=1).numpy())
    with torch.no_grad():
        print(model(x).numpy())


    def predict(network: nn.Linear, batch: torch.Tensor):
        return model(batch).numpy()


    try:
        model(x).numpy()
    except RuntimeError:
        print("requires gradients")
    ```

    ## References
    - PyTorch documentation, `torch.Tensor.numpy`.
    """

    code = "DLG104"
    name = "numpy-from-device-or-grad-tensor"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.SAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("event:call", "event:opaque", "program")
    calls: ClassVar[tuple[str, ...]] = (_METHOD, *sorted(_OF_LISTS | _ELEMENTWISE), f"{_METRICS}*")

    def check(self, item: LibraryCall | OpaqueCall | Program, context: Context) -> Iterator[Finding]:
        """A call that makes an array of a tensor, and all those of a program that fetch it from an accelerator."""
        if isinstance(item, Program):
            yield from self._elsewhere(context)
            return
        node = item.site.node
        if not isinstance(node, cst.Call):
            return
        if isinstance(item, OpaqueCall):
            expression = node.func.value if _is_of_loss(item, context) and isinstance(node.func, cst.Attribute) else None
        else:
            expression = _argument(item, node, context) if _is_of_several(item) else None
            expression = _tensor(item, node) if expression is None and _is_of_recorded(item, context) else expression
        if expression is None or is_watched(item.site) or _is_detached_in_place(item, context):
            return
        yield context.finding(
            self,
            item,
            f"{quoted(context.text(expression))} requires gradients, of which no array can be made",
            advice=f"write {quoted(f'{context.text(expression)}.detach()')}",
            fixes=offer(context, "Detach the tensor", append_call(item.site, expression, "detach"), _applicability(item)),
        )

    def _elsewhere(self, context: Context) -> Iterator[Finding]:
        """The arrays of what is on an accelerator, each place once."""
        seen = set[int]()
        for found in context.facts.misplaced:
            node = found.call.site.node if isinstance(found, Fetched) else None
            if not isinstance(found, Fetched) or not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
                continue
            forced = unwrap(found.call.bound.get("force", False)) is not False
            if id(node) in seen or forced or is_watched(found.call.site) or _is_asked(found.call.site, context):
                continue
            seen.add(id(node))
            tensor, moved = node.func.value, context.related(found.moved, "the move to another device")
            yield context.finding(
                self,
                found.call,
                f"{quoted(context.text(tensor))} {'is' if found.is_certain else 'may be'} on an accelerator, as no array is",
                advice=f"write {quoted(f'{context.text(tensor)}.cpu()')}",
                severity=Severity.ERROR if found.is_certain else Severity.WARNING,
                related=[moved] if moved else [],
                kind="device",
                fixes=offer(context, "Fetch the tensor", append_call(found.call.site, tensor, "cpu"), Applicability.SAFE),
            )


def _is_asked(site: Site, context: Context) -> bool:
    """Whether a test around an expression, or in its statement, may ask on which device something is."""
    tests = [part.test for part in enclosing(site) if isinstance(part, cst.If)]
    tests += [part.test for small in small_statements(site.statement) for part in walk(small) if isinstance(part, cst.IfExp)]
    return any(_ASKS.search(context.text(test)) for test in tests)


def _applicability(item: LibraryCall | OpaqueCall) -> Applicability:
    """What is measured may be an array in other calls of the function around a metric, and has no ``detach`` then; and what is
    computed from may be meant to have gradients."""
    is_unsafe = isinstance(item, LibraryCall) and _is_of_several(item)
    return Applicability.UNSAFE if is_unsafe else Applicability.SAFE


def _is_detached_in_place(item: LibraryCall | OpaqueCall, context: Context) -> bool:
    """Whether what an array is made of is cut off from its graph in place by the program."""
    values = item.values if isinstance(item, OpaqueCall) else tuple(item.bound.values())
    made = {id(unwrap(value)) for value in values}
    calls: list[LibraryCall | OpaqueCall] = [*context.facts.events(LibraryCall), *context.facts.events(OpaqueCall)]
    return any(call.name.endswith(_DETACHING) and id(_first(call)) in made for call in calls)


def _first(call: LibraryCall | OpaqueCall) -> Value:
    given = call.values if isinstance(call, OpaqueCall) else tuple(call.bound.values())
    return unwrap(given[0]) if given else None


def _is_of_recorded(item: LibraryCall, context: Context) -> bool:
    """Whether a function makes an array of a tensor that requires gradients for sure, or of a list of such tensors."""
    value = unwrap(next(iter(item.bound.values()), None))
    if item.name in _OF_LISTS and isinstance(value, (ListVal, tuple)):
        return any(requires_gradient(part, item.site, context.facts) for part in _elements(value))
    if item.name != _METHOD and item.name not in _FUNCTIONS:
        return False
    if not isinstance(value, TensorVal) or value.framework != "torch" or unwrap(item.bound.get("force", False)) is not False:
        return False
    return requires_gradient(value, item.site, context.facts) or _is_differentiated(value, item, context)


def _elements(value: ListVal | tuple[Value, ...]) -> Iterator[TensorVal]:
    """The tensors of torch that a list surely has, and what stands for those that a loop puts into it."""
    parts = value if isinstance(value, tuple) else () if value.alternatives else (*value.items, value.rest)
    for part in map(unwrap, parts):
        if isinstance(part, TensorVal) and part.framework == "torch":
            yield part


def _is_of_several(item: LibraryCall) -> bool:
    """Whether a function makes an array of each of its arguments."""
    return item.name in _ELEMENTWISE or item.name.startswith(_METRICS)


def _argument(item: LibraryCall, node: cst.Call, context: Context) -> cst.BaseExpression | None:
    """The argument that requires gradients for sure of a function that makes an array of each."""
    for argument, value in zip(node.args, map(unwrap, item.given), strict=False):
        if argument.star:
            return None
        is_tensor = isinstance(value, TensorVal) and value.framework == "torch"
        if is_tensor and isinstance(value, TensorVal) and requires_gradient(value, item.site, context.facts):
            return argument.value
    return None


def _is_differentiated(value: TensorVal, item: LibraryCall, context: Context) -> bool:
    """Whether a tensor is differentiated itself, whenever an array is made of it: what requires no gradients cannot be, so that
    nothing has switched them off."""
    passes = (event for event in context.facts.events(Backward) if event.target is value and event.via is None)
    return any(order.happens_with(event, item) for event in passes)


def _is_of_loss(item: OpaqueCall, context: Context) -> bool:
    """Whether a value of which nothing else is known is made an array after it has been differentiated."""
    value = item.values[0] if item.values else None
    if item.name != _METHOD.rpartition(".")[2] or not isinstance(value, Unknown) or len(item.values) != 1:
        return False
    text = item.site.document.text
    if "torch" not in text or _OTHERS.search(text):
        return False
    passes = (event for event in context.facts.events(Backward) if event.target is value and event.via is None)
    return any(order.happens_with(event, item) for event in passes)


def _tensor(item: LibraryCall, node: cst.Call) -> cst.BaseExpression | None:
    """The expression of the tensor."""
    if item.name == _METHOD:
        return node.func.value if isinstance(node.func, cst.Attribute) else None
    return node.args[0].value if node.args and not node.args[0].star else None
