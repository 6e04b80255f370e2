"""DLS211: many hidden layers in a row with a sigmoid each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.built_here import where_built
from dllint.analysis.dense_stacks import saturating
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import distinguished

#: So many layers in a row: the derivative of the sigmoid is at most 1/4, that of four of them at most 1/256.
_LEAST: Final = 4


class SaturatingDeepStack(Rule[Program]):
    """Four or more hidden layers in a row have a sigmoid as their activation.

    ## What it finds
    At least four dense layers or convolutions, each followed by a sigmoid and then by the next layer, without normalisation or
    a path around them.

    ## Why it is bad
    The derivative of the sigmoid is at most 1/4: each layer makes gradients several times smaller, and the first layers hardly
    learn.

    ## Bad
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential([Input((8,))])
    model.add(Dense(32, activation="sigmoid"))  # hint: [DLS211]
    model.add(Dense(32, activation="sigmoid"))
    model.add(Dense(32, activation="sigmoid"))
    model.add(Dense(32, activation="sigmoid"))
    model.add(Dense(1))
    ```

    ## Good
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential([Input((8,))])
    model.add(Dense(32, activation="relu"))
    model.add(Dense(32, activation="relu"))
    model.add(Dense(32, activation="relu"))
    model.add(Dense(32, activation="relu"))
    model.add(Dense(1))
    ```

    ## When it stays silent
    Shorter rows, other activations between, normalisation, and sums with an earlier result.
    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 32), nn.Sigmoid(), nn.Linear(32, 32), nn.Sigmoid(), nn.Linear(32, 1), nn.Sigmoid())
    y = model(torch.randn(4, 8))
    ```

    ## References
    - Glorot and Bengio, AISTATS 2010: sigmoids in deep networks; Zhang et al., AUTOTRAINER, ICSE 2021: vanishing gradients.
    """

    code = "DLS211"
    name = "saturating-deep-stack"
    severity = Severity.HINT
    confidence = Confidence.HIGH
    topics: ClassVar[tuple[str, ...]] = ("program",)
    default = "hint"

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The rows of such layers in a program."""
        for found in saturating(context.facts, _LEAST):
            first, last = distinguished([found.layers[0], found.layers[-1]], context)
            number = len(found.layers)
            yield context.finding(
                self,
                where_built(found.layers[0]),
                f"a sigmoid follows each of the {number} layers from {first} to {last}: it makes gradients at least 4 times "
                f"smaller, {number} times in a row",
                advice="use relu between the layers, or normalise",
            )
