"""DLL112: the output's activation cannot reach the targets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.keras_training import DISTANCES, compiled_output, fitted_target, heads
from dllint.analysis.output_kind import OutputKind, last_axis_size, source
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import Compile
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import FuncVal
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

_REACH: Final = {OutputKind.SIGMOID: (0.0, 1.0), OutputKind.TANH: (-1.0, 1.0), OutputKind.NON_NEGATIVE: (0.0, float("inf"))}
_SHOWN: Final = {OutputKind.SIGMOID: "0 to 1", OutputKind.TANH: "-1 to 1", OutputKind.NON_NEGATIVE: "0 upwards"}


class OutputRangeVsTargetRange(Rule[Op | Compile]):
    """The output's activation cannot reach the targets.

    ## What it finds
    A squared or absolute error between targets whose numbers are known and an activation that does not reach them (sigmoid,
    tanh, relu), and a relu on a single output unit under a loss of one's own. Under a squared or absolute error whose targets
    are not known such a relu is reported as information: prices, counts and rain are never negative.

    ## Why it is bad
    Targets out of reach pull the unit into saturation, where its gradient vanishes. A relu that gives 0 for every sample has no
    gradient at all and never recovers.

    ## Bad
    ```python
    import numpy as np
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential([Input((8,)), Dense(16, activation="relu"), Dense(1, activation="relu")])  # error: [DLL112]
    model.compile("adam", loss="mse")
    model.fit(np.zeros((100, 8)), np.linspace(-1, 1, 100))
    ```

    ## Good
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential([Input((8,)), Dense(16, activation="relu"), Dense(1)])
    model.compile("adam", loss="mse")
    ```

    ## When it stays silent
    Targets that are not known, except under a relu; softplus and exponentials.
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    rate = Sequential([Input((8,)), Dense(1, activation="softplus")])
    rate.compile("adam", loss="mse")
    scaled = Sequential([Input((8,)), Dense(1, activation="sigmoid")])
    scaled.compile("adam", loss="mae")
    ```

    ## References
    - Wardat et al., DeepDiagnosis: out of range; Humbatova et al., ICSE 2020: wrong type of activation.
    """

    code = "DLL112"
    name = "output-range-vs-target-range"
    severity = Severity.WARNING
    confidence = Confidence.MEDIUM
    frameworks = ("keras",)
    topics: ClassVar[tuple[str, ...]] = ("event:compile", "op:keras_loss")

    def check(self, item: Op | Compile, context: Context) -> Iterator[Finding]:
        """Every head with a distance, and the output of a model with a loss of one's own."""
        found = [(h.output, fitted_target(h, context.facts), False) for h in heads(item, context.facts) if h.kind in DISTANCES]
        if isinstance(item, Compile) and isinstance(item.loss, FuncVal):
            output = compiled_output(item)
            found += [(output, None, True)] if output is not None else []
        for output, target, is_own in found:
            made = source(output)
            reason = out_of_reach(output, made.kind, made.op, target)
            if reason is not None and made.op is not None:
                severity = None if is_own or is_bounded(target) else Severity.INFO
                chosen = context.related(item, "the loss is chosen here")
                message, evidence = f"{operation(made.op, context)} {reason}", [chosen] if chosen else []
                advice = "leave the activation of the output layer out"
                yield context.finding(self, made.op, message, advice=advice, related=evidence, severity=severity)


def is_bounded(target: TensorVal | None) -> bool:
    """Whether the numbers of the targets are known."""
    return target is not None and target.low is not None and target.high is not None


def out_of_reach(output: TensorVal, kind: OutputKind, op: Op | None, target: TensorVal | None) -> str | None:
    """The targets that the activation cannot give."""
    if op is None or kind not in _REACH or (does(op, Trait.ONE_SIDED) and not does(op, Trait.KEEPS_SIGN)):
        return None
    low, high = (target.low, target.high) if target is not None else (None, None)
    if low is not None and high is not None:
        if low >= _REACH[kind][0] and high <= _REACH[kind][1]:
            return None
        return f"gives numbers from {_SHOWN[kind]}, but the targets go from {low:g} to {high:g}"
    if does(op, Trait.RECTIFIES) and last_axis_size(output) == 1:
        return "is a relu on the only output unit: it has no gradient at 0 and reaches no negative target"
    return None
