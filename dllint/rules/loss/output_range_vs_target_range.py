"""DLL112: the output's activation, or the loss, is for other numbers than the targets are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.keras_training import DISTANCES, compiled_output, fitted_target, heads
from dllint.analysis.output_kind import OutputKind, last_axis_size, source
from dllint.analysis.target_range import is_label_noise, limits
from dllint.domains.shape import show_shape
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import Compile, Fit
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import FuncVal
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.fault_rule import built
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

_BINARY: Final = "binary_crossentropy"
_REACH: Final = {OutputKind.SIGMOID: (0.0, 1.0), OutputKind.TANH: (-1.0, 1.0), OutputKind.NON_NEGATIVE: (0.0, float("inf"))}
#: What is from 0 to 1.
SHARES: Final = (0.0, 1.0)
_REACH_OF_SUMS: Final = {OutputKind.SOFTMAX: SHARES}
_SHOWN: Final = {OutputKind.SIGMOID: "0 to 1", OutputKind.TANH: "-1 to 1", OutputKind.NON_NEGATIVE: "0 upwards"}


class OutputRangeVsTargetRange(Rule[Op | Compile]):
    """The output's activation cannot reach the targets.

    ## What it finds
    A squared or absolute error between targets whose numbers are known and an activation that does not reach them (sigmoid,
    tanh, relu, and in PyTorch a softmax), a binary cross-entropy of targets that leave [0, 1], as pictures that are normalised
    to [-1, 1] do, and a relu on a single output unit under a loss of one's own. Under a squared or absolute error whose targets
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
    Targets that are not known, except under a relu; softplus and exponentials; labels that are drawn evenly around 0 or 1, of
    which a binary cross-entropy of scores has the same mean as without that noise.
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
    topics: ClassVar[tuple[str, ...]] = (
        "event:compile",
        "op:keras_loss",
        "op:mse_loss",
        "op:l1_loss",
        "op:smooth_l1_loss",
        "op:huber_loss",
        "op:binary_cross_entropy",
        "op:bce_with_logits",
    )

    def check(self, item: Op | Compile, context: Context) -> Iterator[Finding]:
        """Every head with a distance, and the output of a model with a loss of one's own."""
        if isinstance(item, Op) and not does(item, Trait.KERAS_LOSS):
            yield from self._computed(item, context)
            return
        if isinstance(item, Op) and item.args.get("kind") == _BINARY:
            yield from self._negative(item, context)
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

    def _negative(self, op: Op, context: Context) -> Iterator[Finding]:
        """A binary cross-entropy of Keras whose labels go below 0; those that are too large are DLT112's."""
        target, output = op.args.get("target"), op.args.get("x")
        weights = (e.values.get("sample_weight") for e in context.facts.events(Fit) if e.site.node is op.site.node)
        if not isinstance(target, TensorVal) or not isinstance(output, TensorVal) or any(w is not None for w in weights):
            return
        found = limits(op, target, context.facts)
        made = source(output)
        if found is not None and found[0] < 0 and not is_label_noise(target, found):
            shown = f"those of shape {show_shape(target.shape)} go from {found[0]:g} to {found[1]:g}"
            message = f"`{_BINARY}` is for targets from 0 to 1, but {shown}{context.condition_note(op)}"
            related = built(made.op, context) if made.op is not None else ()
            yield context.finding(self, op, message, advice="scale the targets to [0, 1]", related=related)

    def _computed(self, op: Op, context: Context) -> Iterator[Finding]:
        """A loss of PyTorch whose targets are known to go beyond what it, or the activation before it, is for."""
        x, target = op.args.get("x"), op.args.get("target")
        if not isinstance(x, TensorVal) or not isinstance(target, TensorVal) or op.faults or op.doubtful:
            return
        made = source(x)
        is_binary = does(op, Trait.BINARY_LOSS)
        reach = SHARES if is_binary else _REACH_OF_SUMS.get(made.kind, _REACH.get(made.kind))
        found = limits(op, target, context.facts) if reach is not None and not is_weighed(op) else None
        if found is None or reach is None or (reach[0] <= found[0] and found[1] <= reach[1]):
            return
        shape, span = show_shape(target.shape), f"{found[0]:g} to {found[1]:g}"
        if is_binary and does(op, Trait.ALWAYS_TAKES_SCORES) and is_label_noise(target, found):
            return
        if is_binary:
            message = f"{operation(op, context)} is for targets from 0 to 1, but those of shape {shape} go from {span}"
            advice = "scale the targets to [0, 1]"
            yield context.finding(self, op, message + context.condition_note(op), advice=advice)
        elif made.op is not None and (made.kind is OutputKind.SOFTMAX or out_of_reach(x, made.kind, made.op, target, found)):
            shown = _SHOWN.get(made.kind, _SHOWN[OutputKind.SIGMOID])
            message = f"{operation(made.op, context)} gives numbers from {shown}, but the targets {shape} go from {span}"
            chosen = context.related(op, "the loss is taken here")
            advice = "leave the activation of the output layer out, or scale the targets"
            note, evidence = context.condition_note(op), [chosen] if chosen else []
            yield context.finding(self, made.op, message + note, advice=advice, related=evidence)


def is_weighed(op: Op) -> bool:
    """Whether a loss leaves out some of its targets, or may do so: they are weighed, or there is one loss per element."""
    return op.args.get("weight") is not None or op.output.shape != ()


def is_bounded(target: TensorVal | None) -> bool:
    """Whether the numbers of the targets are known."""
    return target is not None and target.low is not None and target.high is not None


def out_of_reach(
    output: TensorVal,
    kind: OutputKind,
    op: Op | None,
    target: TensorVal | None,
    known: tuple[float, float] | None = None,
) -> str | None:
    """The targets that the activation cannot give; ``known``: the smallest and the largest one."""
    if op is None or kind not in _REACH or (does(op, Trait.ONE_SIDED) and not does(op, Trait.KEEPS_SIGN)):
        return None
    low, high = known or ((target.low, target.high) if target is not None else (None, None))
    if low is not None and high is not None:
        if low >= _REACH[kind][0] and high <= _REACH[kind][1]:
            return None
        return f"gives numbers from {_SHOWN[kind]}, but the targets go from {low:g} to {high:g}"
    if does(op, Trait.RECTIFIES) and last_axis_size(output) == 1:
        return "is a relu on the only output unit: it has no gradient at 0 and reaches no negative target"
    return None
