"""DLT114: the output of a recurrent layer is indexed as if its axes stood in the other order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.facts import Facts
from dllint.domains.lattice import Unknown
from dllint.domains.shape import normalize_axis, show_shape
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.operations import set_option
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import SliceVal, Value
from dllint.ops.kinds import does, having, having_any
from dllint.ops.traits import Trait
from dllint.ops.walk import all_takers
from dllint.rules.context import Context
from dllint.rules.fault_rule import built
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation, quoted

#: Steps from what is reduced to the layer that takes it.
_BETWEEN = having(Trait.KEEPS_SHAPE)
_REORDERS = having_any(Trait.PERMUTES | Trait.JOINS)


class RnnBatchFirstMismatch(Rule[Op]):
    """The last time step of a recurrent layer's output is taken from the batch axis.

    ## What it finds
    `nn.LSTM`, `nn.GRU` or `nn.RNN` built without `batch_first=True` whose output is indexed `out[:, -1]`, or built with it
    and indexed `out[-1]`; and a sum, mean or maximum over the axis of the samples, whose result a linear layer takes.

    ## Why it is bad
    Without `batch_first`, axis 1 is the batch: `out[:, -1]` is the last *sample* of each time step. Shapes often fit by
    accident and the model trains on nonsense.

    ## Bad
    ```python
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(8, 32)
            self.fc = nn.Linear(32, 1)

        def forward(self, x):
            out, _ = self.lstm(x)
            return self.fc(out[:, -1])  # error: [DLT114]
    ```

    ## Good
    ```python
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(8, 32, batch_first=True)
            self.fc = nn.Linear(32, 1)

        def forward(self, x):
            out, _ = self.lstm(x)
            return self.fc(out[:, -1])
    ```

    ## When it stays silent
    When the input is put into time-major order before the call, or the output is permuted after it.
    ```python
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(8, 32)
            self.fc = nn.Linear(32, 1)

        def forward(self, x):
            out, _ = self.lstm(x.transpose(0, 1))
            return self.fc(out[-1])
    ```

    ## References
    - PyTorch documentation, `torch.nn.LSTM`.
    - Humbatova et al., ICSE 2020: wrong input format for a recurrent layer.
    """

    code = "DLT114"
    name = "rnn-batch-first-mismatch"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("op:getitem", "op:mean", "op:sum", "op:amax", "op:max_dim")

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """An index of -1 on the batch axis of a recurrent layer's output, or a number for all samples."""
        x = item.args.get("x")
        maker = x.producer if isinstance(x, TensorVal) else None
        if (
            not does(maker, Trait.RECURRENT)
            or maker.framework != "torch"
            or x is not maker.output
            or isinstance(x.shape, Unknown)
        ):
            return
        is_index = does(item, Trait.SUBSCRIPTS)
        batch_first = maker.args.get("batch_first", False)
        axis = last_index_axis(item.args.get("index")) if is_index else reduced_axis(item, context.facts)
        if len(x.shape) != 3 or axis is None or not isinstance(batch_first, bool) or axis != (0 if batch_first else 1):
            return
        given = maker.args.get("x")
        if isinstance(given, TensorVal) and given.producer is not None and given.producer.kind in _REORDERS:
            return
        if not is_index and x.shape[axis] == 1:
            return
        wanted = "batch_first=True" if not batch_first else "out[:, -1]" if is_index else "axis 1"
        made = f"axis {axis} of the output {show_shape(x.shape)} of {operation(maker, context)} is the batch"
        taken = "takes the last sample, not the last step" if is_index else "gives one number for all samples of a step"
        message = f"{quoted(context.text(item.site.node))} {taken}: {made}"
        edits = () if batch_first else set_option(maker.layer, "batch_first", "True")
        fixes = offer(context, "Add batch_first=True", edits, Applicability.UNSAFE)
        note, advice = context.condition_note(item), f"use {wanted}"
        yield context.finding(self, item, message + note, advice=advice, related=built(maker, context), fixes=fixes)


def reduced_axis(op: Op, facts: Facts) -> int | None:
    """The axis over which numbers are summed up, averaged or compared, if a linear layer takes the result."""
    dim, keeps = op.args.get("dim"), op.args.get("keepdim", False)
    dim = dim[0] if isinstance(dim, tuple) and len(dim) == 1 else dim
    if not isinstance(dim, int) or isinstance(dim, bool) or keeps is not False:
        return None
    takers = all_takers(op, _BETWEEN, facts.takers)
    return normalize_axis(dim, len(("time", "batch", "features"))) if any(does(t, Trait.DENSE) for t in takers) else None


def last_index_axis(index: Value) -> int | None:
    """The axis that an index ``-1`` selects, if all axes before it are taken whole."""
    parts = index if isinstance(index, tuple) else (index,)
    for axis, part in enumerate(parts):
        if isinstance(part, int) and part == -1:
            return axis
        if not (isinstance(part, SliceVal) and part.start is None and part.stop is None):
            return None
    return None
