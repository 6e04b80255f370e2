"""DLN110: an optimizer's small number against divisions by 0 is too small or too large."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.optimizers import epsilon, epsilon_name, graph_weight_types, parameter_types, trained_loss
from dllint.domains.dtype import DType
from dllint.domains.floating import FORMATS, FloatFormat
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import set_argument
from dllint.fixes.boundary import offering
from dllint.ir.events import LibraryCall
from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted


class OptimizerEpsilonOutOfRange(Rule[LibraryCall]):
    """An optimizer's small number against divisions by 0 is too small or too large.

    ## What it finds
    `eps` or `epsilon` of Adam and its relatives that is 0, below 1e-10 or above 1, and, for every optimizer that has one, a
    number that becomes 0 in the element type of the weights: 1e-8, which is torch's default, in float16.

    ## Why it is bad
    The update divides by `sqrt(v) + eps`. Where the gradients of a weight are 0 (or their squares underflow), that is 0 / 0,
    and the weight is NaN from then on; with a tiny number it is a huge step. A number above 1 drowns `sqrt(v)`: nothing is left
    of the adaptation.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2).half()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)  # error: [DLN110]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2).half()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, eps=1e-4)
    ```

    ## When it stays silent
    Weights in float64, the large numbers that are documented for RMSprop (and 1 for TensorFlow's Adam), and weights in
    bfloat16, which has the range of float32.
    ```python
    import keras
    import torch
    from torch import nn

    exact = torch.optim.Adam(nn.Linear(8, 2).double().parameters(), eps=1e-14)
    brain = torch.optim.Adam(nn.Linear(8, 2).bfloat16().parameters())
    recipe = keras.optimizers.RMSprop(learning_rate=0.045, epsilon=1.0)
    inception = keras.optimizers.Adam(learning_rate=0.1, epsilon=1.0)
    ```

    ## References
    - Humbatova et al., ICSE 2020: wrong optimizer parameters (epsilon for Adam).
    - Zhang et al., ISSTA 2018: training in float16 with Adam gives NaN.
    """

    code = "DLN110"
    name = "optimizer-epsilon-out-of-range"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch", "keras", "tensorflow")
    topics: ClassVar[tuple[str, ...]] = ("event:call",)

    def check(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """An optimizer's constructor, or a call that makes a training operation of one."""
        name = epsilon_name(item)
        if name is not None:
            yield from self._constructed(item, name, context)
        elif (made := trained_loss(item)) is not None:
            yield from self._trained(*made, context)

    def _constructed(self, event: LibraryCall, name: str, context: Context) -> Iterator[Finding]:
        value = epsilon(event, name)
        if value is None:
            return
        types = parameter_types(event)
        lost = _losing(types, value)
        if lost is not None:
            yield self._report(event, name, _lost(name, value, lost), _READABLE, context)
        elif name in event.bound and _is_adam(event) and not _is_double(types):
            problem = _problem(name, value, event)
            if problem is not None:
                yield self._report(event, name, problem, _USUAL[name], context)

    def _trained(self, optimizer: Value, loss: TensorVal, context: Context) -> Iterator[Finding]:
        """A training operation of a graph in half precision."""
        made = next((event for event in context.facts.events(LibraryCall) if event.result is optimizer), None)
        name = epsilon_name(made) if made is not None else None
        value = epsilon(made, name) if made is not None and name is not None else None
        if made is None or name is None or value is None:
            return
        lost = _losing(graph_weight_types(loss, context.facts), value)
        if lost is not None:
            yield self._report(made, name, _lost(name, value, lost), _READABLE, context)

    def _report(self, event: LibraryCall, name: str, problem: str, better: str, context: Context) -> Finding:
        node = event.nodes.get(name)
        call = event.site.node
        text = quoted(context.text(call.func)) if isinstance(call, cst.Call) else "the optimizer"
        found: Finding = context.finding(
            self,
            event,
            f"{text} {problem}{context.condition_note(event)}",
            advice=f"set {name}={better}",
            node=node if isinstance(node, cst.Arg) else None,
            fixes=_fixes(event, name, better, context),
        )
        return found


#: A number that half precision can hold with digits to spare, and the libraries' defaults.
_READABLE: Final = "1e-4"
_USUAL: Final = {"eps": "1e-8", "epsilon": "1e-7"}
_LEAST: Final = 1e-10
_ADAPTIVE: Final = frozenset({
    "Adam", "AdamW", "Adamax", "NAdam", "Nadam", "RAdam", "SparseAdam", "AdamOptimizer", "NadamOptimizer", "LazyAdamOptimizer",
    "AdamWOptimizer", "Lamb",
})  # fmt: skip


def _is_adam(event: LibraryCall) -> bool:
    return event.name.rpartition(".")[2] in _ADAPTIVE


def _is_double(types: set[DType]) -> bool:
    return any(dtype.kind == "float" and dtype.bits == 64 for dtype in types)


def _losing(types: set[DType], value: float) -> FloatFormat | None:
    """The format among those of some element types that rounds a number above 0 to 0."""
    formats = [FORMATS[dtype] for dtype in types if dtype in FORMATS]
    return next((fmt for fmt in formats if fmt.round(value) == 0 < value), None)


def _lost(name: str, value: float, fmt: FloatFormat) -> str:
    return f"has {name}={value:g}, which is 0 in {fmt.name}, the type of the weights"


def _problem(name: str, value: float, event: LibraryCall) -> str | None:
    if value == 0:
        return f"has {name}=0, and divides 0 by 0 where gradients are 0"
    if value < 0:
        return f"has {name}={value:g}, a negative number"
    if value < _LEAST:
        return f"has {name}={value:g}, which turns small gradients into huge steps"
    documented = value == 1 and not event.name.startswith("torch.")
    if value >= 1 and not documented:
        return f"has {name}={value:g}, beside which the size of the gradients does not count"
    return None


@offering
def _fixes(event: LibraryCall, name: str, better: str, context: Context) -> list[Fix]:
    call = event.site.node
    if not isinstance(call, cst.Call):
        return []
    node = event.nodes.get(name)
    position = call.args.index(node) if node in call.args else None
    edits = set_argument(event.site, call, name, better, position)
    return offer(context, f"Use {name}={better}", edits, Applicability.UNSAFE)
