"""DLG101: a statement computes a new tensor from another one and drops it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis import taken_by_layers
from dllint.analysis.own_statements import enclosing, is_displayed, is_own_statement, is_read_after, is_watched
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.calls import assign_result
from dllint.frameworks import registry
from dllint.ir.events import LibraryCall, ModuleCall, OpaqueCall
from dllint.ir.program import TensorVal
from dllint.ir.values import ClassVal, InstanceVal, Value, unwrap
from dllint.lower.set_later import by_methods
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted
from dllint.source.walk import dotted

#: Arguments with which functions write to what they are given, and the value that says so.
_WRITING: Final = {"out": None, "inplace": False, "copy": True}
#: Arguments by which a function also changes others than its first one, and names for what others ask for by that name.
_ELSEWHERE: Final = frozenset({"running_mean", "running_var", "name"})
_METHOD: Final = "torch.Tensor."
#: Methods of tables of pandas that give a new table, unless `inplace=True` is given.
_OF_TABLES: Final = frozenset(
    f"pandas.{kind}.{name}"
    for kind in ("DataFrame", "Series")
    for name in (
        "drop", "dropna", "fillna", "ffill", "bfill", "drop_duplicates", "replace", "rename", "astype", "sort_values",
        "sort_index", "reset_index", "set_index", "clip", "round", "interpolate", "assign", "join", "merge",
    )
)  # fmt: skip
_DATA_SET: Final = "tensorflow.data.Dataset."
#: Methods of data sets of TensorFlow that give a new data set.
_OF_DATA_SETS: Final = frozenset(
    f"{_DATA_SET}{name}"
    for name in (
        "map", "shuffle", "batch", "padded_batch", "cache", "prefetch", "repeat", "filter", "take", "skip", "shard",
        "concatenate", "interleave", "flat_map",
        "unbatch", "enumerate", "with_options", "apply", "window", "snapshot", "unique", "rebatch",
        "ragged_batch", "take_while", "ignore_errors",
    )
)  # fmt: skip
#: The methods that compute what a module gives.
_FORWARD: Final = ("forward", "call")
_MODULE: Final = "torch.nn.Module."
#: Methods that move or convert tensors.
_MOVING: Final = frozenset({"to", "cuda", "cpu", "float", "double", "half", "long", "int"})


class PureResultDiscarded(Rule[LibraryCall | ModuleCall | OpaqueCall]):
    """A statement calls an operation that changes nothing in place, and nothing keeps its result.

    ## What it finds
    A call that is a statement of its own and only gives a new tensor or array (`x.to(device)`, `x.clamp(0, 1)`,
    `torch.relu(x)`, `np.append(a, b)`), of a name that the code after it still uses. In the `forward` of a module, also the
    call of one of its layers (`self.norm(x)`). The same of methods of tables of pandas without `inplace` (`frame.dropna()`),
    of methods of data sets of TensorFlow (`data.map(scale)`), and of moves of what nothing else is known about but that a
    layer takes it afterwards.

    ## Why it is bad
    Only methods that end with an underscore change a tensor. `x.to(device)` gives another tensor: `x` stays on its device, and
    what was to be clamped, normalised or reshaped is not. Modules are different: `model.to(device)` moves the module itself.

    ## Bad
    ```python
    import torch


    def scaled(pictures: torch.Tensor) -> torch.Tensor:
        pictures = pictures / 128 - 1
        pictures.clamp(-1, 1)  # error: [DLG101]
        return pictures * 0.5
    ```

    ```python
    import pandas as pd


    def cleaned(path: str) -> pd.DataFrame:
        frame = pd.read_csv(path)
        frame.dropna()  # error: [DLG101]
        return frame
    ```

    ```python
    import tensorflow as tf


    def batches(rows):
        data = tf.data.Dataset.from_tensor_slices(rows)
        data.shuffle(100)  # error: [DLG101]
        return data.batch(10)
    ```

    ## Good
    ```python
    import torch


    def scaled(pictures: torch.Tensor) -> torch.Tensor:
        pictures = pictures / 128 - 1
        pictures = pictures.clamp(-1, 1)
        return pictures * 0.5
    ```

    ## When it stays silent
    Methods that write in place, results that go somewhere by an argument, modules, what is computed to be timed or to see
    whether it raises, what a notebook or a script without blocks shows step by step, tensors that nobody uses afterwards, and
    objects whose class is not known.
    ```python
    import time

    import torch
    from torch import nn

    model = nn.Linear(4, 2)
    model.to("cpu")
    x = torch.randn(8, 4)
    x.clamp_(0, 1)
    x.softmax(dim=1)
    y = torch.empty(8, 4)
    torch.mul(x, 2, out=y)
    nn.functional.relu(x, inplace=True)
    start = time.time()
    for _ in range(100):
        torch.matmul(x, x.T)
    print(time.time() - start)
    try:
        x.view(5, 5)
    except RuntimeError:
        print("no view", x.shape)
    print(model(x) + y.sum())


    def moved(batch, device):
        batch.to(device)
        return model(batch)
    ```

    ## References
    - PyTorch documentation, `torch.Tensor.to` and in-place operations.
    - Zhang et al., Code smells for machine learning applications, CAIN 2022.
    - Found in public code: `Michedev/VAE_anomaly_detection` (`train.py`, issue 10).
    """

    code = "DLG101"
    name = "pure-result-discarded"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch", "numpy", "pandas", "tensorflow")
    topics: ClassVar[tuple[str, ...]] = ("event:call", "event:module-call", "event:opaque")

    def check(self, item: LibraryCall | ModuleCall | OpaqueCall, context: Context) -> Iterator[Finding]:
        """A call that is a statement of its own."""
        if not is_own_statement(item.site):
            return
        if isinstance(item, OpaqueCall):
            if item.name not in _MOVING or not taken_by_layers.is_taken(item.values[0], item, context.facts):
                return
        elif isinstance(item, ModuleCall):
            if not _is_layer_of_forward(item):
                return
        elif item.name in _OF_TABLES | _OF_DATA_SETS:
            if not _gives_another(item):
                return
        elif not _is_pure(item) or not _is_tensor(_first_operand(item), item, context):
            return
        operand = _operand_text(item, context)
        if not operand or not is_read_after(item.site, operand) or _is_for_its_own_sake(item):
            return
        call = context.text(item)
        yield context.finding(
            self,
            item,
            f"{quoted(call)} gives a new {_noun(item)} that nothing keeps, `{operand}` stays as it was",
            advice=f"write {quoted(f'{operand} = {call}')}",
            fixes=offer(context, "Assign the result", assign_result(item.site, operand), Applicability.UNSAFE),
        )


def _operand(event: LibraryCall | ModuleCall) -> Value:
    """What a function, method or layer is applied to: its first argument."""
    given = event.args if isinstance(event, ModuleCall) else tuple(event.bound.values())
    return unwrap(next(iter(given), None))


def _first_operand(event: LibraryCall | ModuleCall) -> Value:
    """What a chain of methods (``x.sub(a).div(b)``) begins with, if each of them does nothing but compute its result from the
    tensor whose method it is."""
    value, node = _operand(event), event.site.node
    while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and isinstance(node.func.value, cst.Call):
        node = node.func.value
        made = value.producer if isinstance(value, TensorVal) else None
        is_written = node.func.attr.value.endswith("_") if isinstance(node.func, cst.Attribute) else True
        if made is None or made.site.node is not node or is_written or does(made, Trait.WRITES) or not made.inputs:
            return None
        value = made.inputs[0]
    return value


def _is_layer_of_forward(event: ModuleCall) -> bool:
    """Whether a layer is called that a module holds, in its own ``forward``, for a tensor of one tensor. A class of the
    analysed code whose methods set attributes may be called for these."""
    layer, functions = event.callee, [part for part in enclosing(event.site) if isinstance(part, cst.FunctionDef)]
    node = event.site.node
    if not isinstance(layer, InstanceVal) or not functions or functions[-1].name.value not in _FORWARD:
        return False
    if not isinstance(node, cst.Call) or not (dotted(node.func) or "").startswith("self."):
        return False
    if isinstance(layer.cls, ClassVal) and by_methods(layer.cls):
        return False
    return isinstance(unwrap(event.result), TensorVal) and isinstance(_operand(event), TensorVal)


def _is_pure(event: LibraryCall) -> bool:
    """Whether a call has done nothing but compute its result from its first argument."""
    result, operand = unwrap(event.result), _operand(event)
    if not isinstance(result, TensorVal) or event.name.endswith("_") or event.unbound:
        return False
    if any(name in event.bound and unwrap(event.bound[name]) != usual for name, usual in _WRITING.items()):
        return False
    if _ELSEWHERE & event.bound.keys():
        return False
    if result is operand:
        return event.name.startswith(_METHOD)
    made = result.producer
    return made is not None and made.site.node is event.site.node and not does(made, Trait.WRITES)


def _gives_another(event: LibraryCall) -> bool:
    """Whether a method of a table or data set changes nothing in place, as it is written."""
    node = event.site.node
    if not isinstance(node, cst.Call) or not isinstance(event.receiver, InstanceVal):
        return False
    return not any(argument.star or (argument.keyword and argument.keyword.value in _WRITING) for argument in node.args)


def _is_tensor(value: Value, event: LibraryCall, context: Context) -> bool:
    """Whether what is computed from is a tensor or array for sure: an argument of a function whose callers are not known is one
    if it is computed with, since modules and batches of libraries have methods of the same names, which change them."""
    if not isinstance(value, TensorVal) or value.framework not in ("torch", "numpy"):
        return False
    if not any(value is seed for seed in context.program.inputs):
        return True
    last = event.name.rpartition(".")[2]
    shared = registry.known(_MODULE + last)
    computed = (
        op for op in context.facts.users(value) if not does(op, Trait.SUBSCRIPTS) and op.site.node is not event.site.node
    )
    return not shared or any(computed)


def _operand_text(event: LibraryCall | ModuleCall | OpaqueCall, context: Context) -> str:
    """The name of what is computed from; empty if it has none, so that nothing can use it afterwards."""
    node = event.site.node
    if not isinstance(node, cst.Call):
        return ""
    is_method = isinstance(event, OpaqueCall) or (
        isinstance(event, LibraryCall) and event.name.startswith((_METHOD, "numpy.ndarray.", "pandas.", _DATA_SET))
    )
    if is_method:
        expression = node.func.value if isinstance(node.func, cst.Attribute) else None
        while (
            isinstance(expression, cst.Call) and isinstance(expression.func, cst.Attribute) and isinstance(event, LibraryCall)
        ):
            expression = expression.func.value
    else:
        expression = node.args[0].value if node.args and not node.args[0].star else None
    return context.text(expression) if isinstance(expression, (cst.Name, cst.Attribute)) else ""


def _is_for_its_own_sake(event: LibraryCall | ModuleCall | OpaqueCall) -> bool:
    """Whether an operation is performed to be looked at, timed, or to raise. What stands in no block of a script may show what
    an operation does, as it would at a prompt, unless it only moves or converts."""
    if is_displayed(event.site) or is_watched(event.site):
        return True
    if isinstance(event, OpaqueCall) or (isinstance(event, LibraryCall) and event.name in _OF_DATA_SETS):
        return False
    result = unwrap(event.result)
    moves = result is _operand(event) or (isinstance(result, TensorVal) and does(result.producer, Trait.CONVERTS))
    return not moves and not enclosing(event.site)


def _noun(event: LibraryCall | ModuleCall | OpaqueCall) -> str:
    if isinstance(event, LibraryCall) and event.name in _OF_DATA_SETS:
        return "dataset"
    if isinstance(event, LibraryCall) and event.name.startswith("pandas."):
        return "table"
    return "array" if isinstance(event, LibraryCall) and event.name.startswith("numpy.") else "tensor"
