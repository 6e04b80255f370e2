"""DLS207: dropout between the scores and the loss, or normalisation after the output activation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.keras_training import heads
from dllint.analysis.output_kind import MOVES, OutputKind, source
from dllint.domains.finite import finite
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.operations import remove_operation
from dllint.ir.events import Compile
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value, unwrap
from dllint.ops.kinds import does, having, having_any
from dllint.ops.traits import Trait
from dllint.ops.walk import maker_behind
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

#: Losses between the scores of classes, or probabilities, and what is true.
_LOSSES: Final = having_any(Trait.CLASS_LOSS | Trait.BINARY_LOSS)
#: What makes probabilities of scores, behind which dropout still falls on the scores.
_OUTPUT: Final = having_any(Trait.SOFTMAX | Trait.LOG_PROBABILITIES) | having(Trait.LOGISTIC)
_ACTIVATED: Final = (OutputKind.SOFTMAX, OutputKind.SIGMOID, OutputKind.LOG_PROBABILITY)
#: Layers that bring values to mean 0 and variance 1, and then scale them.
_NORMALISES: Final = having(Trait.STANDARDISES | Trait.STARTS_PLAIN)


class DropoutOrNormAfterOutput(Rule[Op | Compile]):
    """A model's last layer drops scores of classes at random, or normalises probabilities.

    ## What it finds
    Dropout with a rate above 0 on the scores or probabilities that a loss of classes takes, with no layer in between; a
    normalisation layer behind the softmax or sigmoid of the output.

    ## Why it is bad
    A dropped score is 0, whatever the class: in each step, the loss is computed of other classes than the model predicts. A
    dropped probability is 0, whose logarithm the loss takes. Normalised probabilities are none any more: they are negative and
    do not add up to 1.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 10), nn.Dropout(0.5))
    scores = model(torch.randn(4, 8))  # error: [DLS207]
    loss = nn.functional.cross_entropy(scores, torch.randint(0, 10, (4,)))
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Dropout(0.5), nn.Linear(32, 10))
    scores = model(torch.randn(4, 8))
    loss = nn.functional.cross_entropy(scores, torch.randint(0, 10, (4,)))
    ```

    ## When it stays silent
    Dropout and normalisation that another layer follows, and normalised scores before the output activation.
    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 32), nn.Dropout(0.5), nn.Linear(32, 10), nn.BatchNorm1d(10))
    scores = model(torch.randn(4, 8))
    loss = nn.functional.cross_entropy(scores, torch.randint(0, 10, (4,)))
    ```

    ## References
    - Srivastava et al., JMLR 2014: dropout is applied to the inputs of layers.
    - Humbatova et al., ICSE 2020: wrong type of layer.
    """

    code = "DLS207"
    name = "dropout-or-norm-after-output"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch", "keras", "tensorflow")
    topics: ClassVar[tuple[str, ...]] = ("event:compile", "op:keras_loss", *(f"op:{kind}" for kind in sorted(_LOSSES)))

    def check(self, item: Op | Compile, context: Context) -> Iterator[Finding]:
        """The predictions that a loss takes."""
        for prediction in _predictions(item, context):
            last = misplaced(prediction)
            if last is not None:
                related = [place for place in (context.related(item, "the loss is chosen here"),) if place]
                yield context.finding(
                    self,
                    last,
                    f"{operation(last, context)} {_EFFECT[does(last, Trait.DROPS)]}",
                    advice="put it before the last layer with weights",
                    related=related,
                    fixes=offer(context, f"Delete the {last.kind}", remove_operation(last), Applicability.UNSAFE),
                )


def _predictions(item: Op | Compile, context: Context) -> list[Value]:
    """What a loss takes as scores or probabilities of classes."""
    if isinstance(item, Op) and item.kind in _LOSSES:
        return [item.args.get("x")]
    return [head.output for head in heads(item, context.facts)]


_EFFECT: Final = {
    True: "sets scores of the output to 0 at random, which the loss takes for the model's",
    False: "comes after the activation of the output: its results are no probabilities",
}


def misplaced(prediction: Value) -> Op | None:
    """The dropout, or the normalisation of probabilities, that made a prediction."""
    last = maker_behind(prediction, MOVES)
    if last is not None and last.kind in _NORMALISES:
        before = last.args.get("x")
        return last if isinstance(before, TensorVal) and source(before).kind in _ACTIVATED else None
    if last is not None and last.kind in _OUTPUT:
        last = maker_behind(last.args.get("x"), MOVES)
    return last if last is not None and does(last, Trait.DROPS) and _drops(last) else None


def _drops(op: Op) -> bool:
    """Whether an operation is known to drop values in training."""
    rate = finite(unwrap(op.args.get("p")))
    return op.args.get("training") is not False and rate is not None and 0 < rate < 1
