"""DLS304: a deep network is trained without anything that normalises or regularises it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.built_here import is_built_here, where_built
from dllint.analysis.modules import is_weighted
from dllint.analysis.said_in_files import any_says, executed
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Op, Program
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.rule import Rule

#: So many layers with weights make a network deep.
_DEEP: Final = 10
#: Words of code that regularises or normalises in another way, loads weights, or learns without labels.
_OTHERWISE: Final = re.compile(
    r"weight_decay|regulari[sz]|augment|early_?stop|dropout|normali[sz]ation|(?:batch|layer|group|instance|spectral)_?norm"
    r"|Random[A-Z]|ImageDataGenerator|pretrained|from_pretrained|load_state_dict|load_weights|AdamW|\bl[12]\(|self_?supervised",
    re.IGNORECASE,
)


class NoRegularisationOrNormalisation(Rule[Program]):
    """A deep network is trained without anything that normalises or regularises it.

    ## What it finds
    A program that trains a network of at least 10 layers with weights, in which no layer normalises or drops anything, and in
    whose files no word speaks of weight decay, regularisers, changed samples, early stopping or loaded weights. Off unless
    it is selected: a matter of judgement.

    ## Why it is bad
    Signals of deep networks without normalisation grow or fade from layer to layer, and what has many weights and no
    regularisation learns its samples by heart.

    ## Bad
    ```python
    import keras
    import numpy as np

    x, y = np.loadtxt("x.txt"), np.loadtxt("y.txt")
    hidden = [keras.layers.Dense(64, activation="relu") for _ in range(10)]  # info: [DLS304]
    model = keras.Sequential([keras.Input((20,)), *hidden, keras.layers.Dense(1)])
    model.compile(loss="mse", optimizer="adam")
    model.fit(x, y, epochs=20, validation_split=0.1)
    ```

    ## Good
    ```python
    import keras
    import numpy as np

    x, y = np.loadtxt("x.txt"), np.loadtxt("y.txt")
    hidden = [keras.layers.Dense(64, activation="relu") for _ in range(10)]
    model = keras.Sequential([keras.Input((20,)), *hidden, keras.layers.Dropout(0.2), keras.layers.Dense(1)])
    model.compile(loss="mse", optimizer="adam")
    model.fit(x, y, epochs=20, validation_split=0.1)
    ```

    ## When it stays silent
    Smaller networks, models of a library, and models that are not trained where they are defined.
    ```python
    import keras
    import numpy as np

    x, y = np.loadtxt("x.txt"), np.loadtxt("y.txt")
    hidden = [keras.layers.Dense(64, activation="relu") for _ in range(4)]
    model = keras.Sequential([keras.Input((20,)), *hidden, keras.layers.Dense(1)])
    model.compile(loss="mse", optimizer="adam")
    model.fit(x, y, epochs=20, validation_split=0.1)
    ```

    ## References
    - Humbatova et al., ICSE 2020: missing dropout, missing normalisation, missing regularisation.
    """

    code = "DLS304"
    name = "no-regularisation-or-normalisation"
    severity = Severity.INFO
    confidence = Confidence.LOW
    topics: ClassVar[tuple[str, ...]] = ("program",)
    default = "off"

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The layers of a program that trains."""
        facts = context.facts
        if not facts.training.trains or not facts.training.is_whole:
            return
        if any(does(op, Trait.STANDARDISES) or does(op, Trait.DROPS) for op in item.ops):
            return
        layers: dict[int, Op] = {}
        for op in item.ops:
            if is_weighted(op) and is_built_here(op, facts):
                layers.setdefault(id(op.layer), op)
        documents = (context.document, *executed(event.site for event in item.events))
        if len(layers) < _DEEP or any_says(documents, _OTHERWISE):
            return
        yield context.finding(
            self,
            where_built(next(iter(layers.values()))),
            f"{len(layers)} layers with weights are trained, and nothing normalises or regularises them",
            advice="add normalisation or dropout layers, or weight decay",
        )
