"""DLS206: dropout directly before a batch normalisation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.analysis.before_batch_norm import dropped_before
from dllint.analysis.built_here import where_built
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.fault_rule import built
from dllint.rules.rule import Rule
from dllint.rules.wording import operation


class DropoutPlacedBadly(Rule[Program]):
    """Dropout stands directly before a batch normalisation.

    ## What it finds
    Dropout with a rate above 0 whose result a batch normalisation takes, with nothing between them but an activation.

    ## Why it is bad
    In training, dropped elements make the variance larger by 1 / (1 - rate), and the normalisation learns this variance. In
    evaluation nothing is dropped, the variance is smaller, and the learnt one is wrong: results shrink, at every such place
    anew.

    ## Bad
    ```python
    from keras import Input, Sequential
    from keras.layers import BatchNormalization, Dense, Dropout

    model = Sequential([Input((20,)), Dense(32, activation="relu")])
    model.add(Dropout(0.5))
    model.add(BatchNormalization())  # hint: [DLS206]
    model.add(Dense(3))
    ```

    ## Good
    ```python
    from keras import Input, Sequential
    from keras.layers import BatchNormalization, Dense, Dropout

    model = Sequential([Input((20,)), Dense(32, activation="relu"), BatchNormalization(), Dropout(0.5), Dense(3)])
    ```

    ## When it stays silent
    A layer with weights between the two, which mixes dropped elements with others, and a rate that is 0 or not known.
    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Dropout(0.5), nn.Linear(20, 32), nn.BatchNorm1d(32), nn.Dropout(0.0), nn.BatchNorm1d(32))
    y = model(torch.randn(8, 20))
    ```

    ## References
    - Li et al., CVPR 2019, "Understanding the Disharmony between Dropout and Batch Normalization by Variance Shift";
      Nikanjam et al., NeuraLint.
    """

    code = "DLS206"
    name = "dropout-placed-badly"
    severity = Severity.HINT
    confidence = Confidence.HIGH
    topics: ClassVar[tuple[str, ...]] = ("program",)
    default = "hint"

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The dropouts of a program that stand directly before normalisations."""
        for found in dropped_before(context.facts):
            names = operation(found.op, context), operation(found.norm, context)
            yield context.finding(
                self,
                where_built(found.norm),
                f"{names[1]} learns the variance of what {names[0]} drops in training, which is another one in evaluation",
                advice="put the dropout behind the normalisation",
                related=built(found.op, context),
            )
