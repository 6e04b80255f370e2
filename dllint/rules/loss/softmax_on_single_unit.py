"""DLL106: a softmax over one unit is the constant 1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.facts import Facts
from dllint.analysis.output_kind import OutputKind, source
from dllint.analysis.weighing import weighs
from dllint.domains.lattice import Unknown
from dllint.domains.shape import normalize_axis, show_shape
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.operations import remove_operation, rename_option
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.fault_rule import built
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation


class SoftmaxOnSingleUnit(Rule[Op]):
    """A softmax over a single unit is the constant 1.

    ## What it finds
    A softmax or log-softmax over an axis of size 1: `Dense(1, activation="softmax")`, `nn.Linear(n, 1)` with
    `softmax(dim=1)`; or of the single number that a loss or a reduction leaves.

    ## Why it is bad
    exp(x) / exp(x) is 1 whatever x is: the model predicts class 1 for everything, the gradient is zero and nothing is
    learned. No library raises.

    ## Bad
    ```python
    from keras import Input, Sequential
    from keras.layers import Activation, Dense

    model = Sequential()
    model.add(Input((100,)))
    model.add(Dense(50, activation="relu"))
    model.add(Dense(1))
    model.add(Activation("softmax"))  # error: [DLL106]
    model.compile(loss="binary_crossentropy", optimizer="adam")
    ```

    ## Good
    ```python
    from keras import Input, Sequential
    from keras.layers import Activation, Dense

    model = Sequential()
    model.add(Input((100,)))
    model.add(Dense(50, activation="relu"))
    model.add(Dense(1))
    model.add(Activation("sigmoid"))
    model.compile(loss="binary_crossentropy", optimizer="adam")
    ```

    ## When it stays silent
    An axis of symbolic size, attention weights, and a softmax over two or more units.
    ```python
    import torch
    from torch import nn


    class Heads(nn.Module):
        def __init__(self, classes):
            super().__init__()
            self.fc = nn.Linear(8, classes)

        def forward(self, x):
            return self.fc(x).softmax(dim=-1)


    two = nn.Linear(8, 2)(torch.randn(4, 8)).softmax(dim=1)
    ```

    ## References
    - Stack Overflow 31880720.
    - Wardat et al., *DeepDiagnosis*, ICSE 2022; Nikanjam et al., NeuraLint: softmax on a binary task.
    """

    code = "DLL106"
    name = "softmax-on-single-unit"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    topics: ClassVar[tuple[str, ...]] = ("op:softmax", "op:log_softmax")
    suppresses = ("DLL107", "DLT120", "DLT121")

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """The size of the axis of a softmax over raw scores."""
        x, dim = item.args.get("x"), item.args.get("dim")
        if isinstance(x, TensorVal) and x.shape == () and is_reduced(x):
            yield self._of_number(item, x, context)
        if not isinstance(x, TensorVal) or isinstance(x.shape, Unknown) or len(x.shape) < 2:
            return
        axis = normalize_axis(dim, len(x.shape)) if isinstance(dim, int) else None
        if dim is None:
            axis = 1 if item.framework == "torch" and len(x.shape) == 2 else len(x.shape) - 1
        if not axis or not isinstance(x.shape[axis], int) or x.shape[axis] != 1 or is_weight(item, context.facts):
            return
        made = source(x)
        if made.kind is not OutputKind.LOGITS or made.op is None:
            return
        constant = "0" if does(item, Trait.SOFTMAX | Trait.LOG_PROBABILITIES) else "1"
        one = f"the single unit on axis {axis} of {show_shape(x.shape)}"
        message = f"{operation(item, context)} over {one} is always {constant}{context.condition_note(item)}"
        several = f"one unit per class in {operation(made.op, context)}"
        advice = f"use a sigmoid for two classes, no activation for regression, or {several}"
        edits = rename_option(item.layer, "softmax", "sigmoid") if does(item, Trait.SHARES) else ()
        fixes = offer(context, "Use a sigmoid", edits, Applicability.UNSAFE)
        yield context.finding(self, item, message, advice=advice, related=built(made.op, context), fixes=fixes)

    def _of_number(self, item: Op, x: TensorVal, context: Context) -> Finding:
        """A softmax of what a reduction or a loss has left."""
        constant = "0" if does(item, Trait.SOFTMAX | Trait.LOG_PROBABILITIES) else "1"
        made = operation(x.producer, context) if x.producer is not None else "this"
        message = f"{operation(item, context)} of the single number of shape () that {made} gives is always {constant}"
        message += context.condition_note(item)
        fixes = offer(context, "Leave the softmax out", remove_operation(item), Applicability.UNSAFE)
        return context.finding(
            self, item, message, advice="leave the softmax out, or apply it before the reduction", fixes=fixes
        )


#: Operations that are looked through.
_MOST: Final = 20


def is_reduced(x: TensorVal) -> bool:
    """Whether a number was computed, by element-wise steps, from what a loss or a reduction gives: one whose rank is not what
    somebody has assumed."""
    todo, seen = [x], 0
    while todo:
        maker = todo.pop().producer
        seen += 1
        if maker is None or seen > _MOST:
            continue
        if does(maker, Trait.LOSS) or (does(maker, Trait.REDUCES) and maker.args.get("dim") is None):
            return True
        todo += maker.inputs
    return False


def is_weight(op: Op, facts: Facts) -> bool:
    """Whether the result weighs other tensors, as attention over one position does, or is added up."""
    return weighs(op, facts) or any(does(taker, Trait.SUMS) for taker in facts.takers(op))
