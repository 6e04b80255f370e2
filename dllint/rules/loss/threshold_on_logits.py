"""DLL118: a raw score is compared with the threshold of a probability."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.decisions import on_raw_scores
from dllint.analysis.keras_training import heads
from dllint.analysis.output_kind import last_axis_size
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import Compile
from dllint.ir.program import Program
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.loss.metric_vs_task import names_of
from dllint.rules.rule import Rule
from dllint.rules.wording import operation, quoted

#: Metrics of Keras that compare with 0.5 unless they are given another threshold.
_AT_HALF: Final = frozenset({"accuracy", "acc", "binary_accuracy", "BinaryAccuracy"})
#: Names for which Keras takes the metric that fits the output: that of two classes for a single unit.
_BY_WIDTH: Final = frozenset({"accuracy", "acc"})


class ThresholdOnLogits(Rule[Program | Compile]):
    """A raw score, which a loss with logits is trained on, is compared with 0.5 or rounded, as if it were a probability.

    ## What it finds
    `out > 0.5`, `out >= 0.5`, `torch.round(out)` and the like on the output of a layer whose loss applies the sigmoid itself
    (`BCEWithLogitsLoss`, `BinaryCrossentropy(from_logits=True)`), and `metrics=["accuracy"]` beside such a loss of Keras.

    ## Why it is bad
    The middle between both classes is the score 0, at which the probability is 0.5. With a threshold of 0.5, samples with a
    probability from 0.5 to 0.62 are counted to the wrong class; with `round`, so are scores that round to other numbers than 0
    and 1.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        x, y = torch.randn(4, 8), torch.randint(0, 2, (4, 1)).float()
        scores = model(x)
        optimizer.zero_grad()
        nn.BCEWithLogitsLoss()(scores, y).backward()
        optimizer.step()
        print(((scores > 0.5) == y).float().mean())  # error: [DLL118]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        x, y = torch.randn(4, 8), torch.randint(0, 2, (4, 1)).float()
        scores = model(x)
        optimizer.zero_grad()
        nn.BCEWithLogitsLoss()(scores, y).backward()
        optimizer.step()
        print(((scores > 0) == y).float().mean())
    ```

    ## When it stays silent
    Probabilities, a threshold of 0, and scores of which no loss says that they are raw.
    ```python
    import torch
    from torch import nn

    model, other = nn.Linear(8, 1), nn.Linear(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        x, y = torch.randn(4, 8), torch.randint(0, 2, (4, 1)).float()
        scores = model(x)
        optimizer.zero_grad()
        nn.BCEWithLogitsLoss()(scores, y).backward()
        optimizer.step()
        print((torch.sigmoid(scores) > 0.5).sum(), (other(x) > 0.5).sum())
    ```

    ## References
    - PyTorch documentation, `BCEWithLogitsLoss`; Keras documentation, `BinaryAccuracy`: `threshold` is 0.5 by default.
    """

    code = "DLL118"
    name = "threshold-on-logits"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    frameworks = ("torch", "keras")
    topics: ClassVar[tuple[str, ...]] = ("program", "event:compile")

    def check(self, item: Program | Compile, context: Context) -> Iterator[Finding]:
        """The decisions of a program, or the metrics that a model is compiled with."""
        if isinstance(item, Compile):
            yield from self._metrics(item, context)
            return
        for found in on_raw_scores(context.facts):
            related = context.related(found.loss, "this loss applies the sigmoid itself")
            how = "rounded" if does(found.decides, Trait.ROUNDS) else "compared with 0.5"
            yield context.finding(
                self,
                found.decides,
                f"the raw score of {operation(found.layer, context)} is {how}: its probability is 0.5 at 0",
                advice="compare with 0, or with 0.5 behind a sigmoid",
                related=[related] if related else [],
            )

    def _metrics(self, item: Compile, context: Context) -> Iterator[Finding]:
        for head in heads(item, context.facts):
            if head.kind != "binary_crossentropy" or head.from_logits is not True:
                continue
            metric = next((name for name in names_of(head.metrics) if name in _AT_HALF), None)
            argument = item.nodes.get("metrics")
            node = argument.value if isinstance(argument, cst.Arg) else argument
            if (
                metric is None
                or "threshold" in context.text(node)
                or (metric in _BY_WIDTH and last_axis_size(head.output) != 1)
            ):
                continue
            yield context.finding(
                self,
                item,
                f"{quoted(metric)} compares with 0.5, but the output is a raw score: the loss has `from_logits=True`",
                advice="use `keras.metrics.BinaryAccuracy(threshold=0)`",
                node=node,
            )
            return
