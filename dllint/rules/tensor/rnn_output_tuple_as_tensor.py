"""DLT115: the tuple a recurrent layer returns is used as a tensor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.places import inner, replacing
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import having, having_any
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.fault_rule import built
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation
from dllint.source.walk import small_statements

#: Operations whose first argument is one tensor, never a sequence of tensors.
_TAKES_TENSOR = sorted(
    having_any(
        Trait.LAYER_ACTIVATION | Trait.AFFINE | Trait.DROPS | Trait.STANDARDISES | Trait.EMBEDS | Trait.RECURRENT | Trait.POOLS
    )
    | having(Trait.KEEPS_ORDER) - having(Trait.KEEPS_PLACES)
)
_TUPLE_MAKERS = having(Trait.RETURNS_STATE)


class RnnOutputTupleAsTensor(Rule[Op]):
    """The tuple that a recurrent or attention layer returns is used as a tensor.

    ## What it finds
    The result of `nn.LSTM`, `nn.GRU`, `nn.RNN` or `nn.MultiheadAttention`, which is a tuple, goes into another layer as it is;
    in an `nn.Sequential` this happens whenever anything follows such a layer.

    ## Why it is bad
    The next layer raises a type error.

    ## Bad
    ```python
    import torch
    from torch import nn

    net = nn.Sequential(nn.LSTM(8, 32), nn.Linear(32, 1))
    net(torch.randn(20, 4, 8))  # error: [DLT115]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    lstm = nn.LSTM(8, 32)
    head = nn.Linear(32, 1)
    out, _ = lstm(torch.randn(20, 4, 8))
    y = head(out)
    ```

    ## When it stays silent
    After unpacking or indexing.
    ```python
    import torch
    from torch import nn

    gru = nn.GRU(8, 32)
    head = nn.Linear(32, 1)
    y = head(gru(torch.randn(20, 4, 8))[0])
    ```

    ## References
    - PyTorch documentation, `torch.nn.LSTM`: outputs.
    """

    code = "DLT115"
    name = "rnn-output-tuple-as-tensor"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.SAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = tuple(f"op:{kind}" for kind in _TAKES_TENSOR)
    suppresses = ("DLT101", "DLT102", "DLT109", "DLT117")

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """A tuple in the place of the input tensor."""
        value = item.args.get("x")
        if not isinstance(value, tuple) or not value or not isinstance(value[0], TensorVal):
            return
        maker = value[0].producer
        if maker is None or maker.kind not in _TUPLE_MAKERS or maker.output is not value[0]:
            return
        pair = f"the pair (output, state) that {operation(maker, context)} returns"
        message = f"{operation(item, context)} gets {pair}, not a tensor{context.condition_note(item)}"
        advice = "unpack it first: out, _ = …"
        fixes = offer(context, "Unpack the output", unpacked(maker), Applicability.SAFE)
        yield context.finding(self, item, message, advice=advice, related=built(maker, context), fixes=fixes)


@builder
def unpacked(maker: Op) -> tuple[Edit, ...]:
    """``out = rnn(x)`` becomes ``out, _ = rnn(x)``."""
    assignments = (part for part in small_statements(maker.site.statement) if isinstance(part, cst.Assign))
    assignment = next((part for part in assignments if part.value is maker.site.node), None)
    if assignment is None:
        return ()
    target = assignment.targets[0].target
    if not isinstance(target, cst.Name) or len(assignment.targets) != 1:
        return ()
    _, end = inner(maker.site, target)
    return (replacing(maker.site, end, end, ", _"),)
