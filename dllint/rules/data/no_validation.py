"""DLD108: a script trains a model and never looks at data that are held out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.said_in_files import any_says, executed
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import Backward, Eval, Fit
from dllint.ir.program import SCRIPT, Event, Program
from dllint.rules.context import Context
from dllint.rules.rule import Rule

#: Words of code that holds data out, measures a trained model, or trains what has no score on held-out data.
_HELD_OUT: Final = re.compile(
    r"val(?:id|_|\b)|test|eval|hold_?out|held_?out|fold|predict|\bdev\b|score|accuracy|sample|generat|\benv\b|reward|pretrain",
    re.IGNORECASE,
)
_TRAINS: Final = frozenset({"fit", "fit_generator", "train_on_batch"})
#: The arguments of ``fit`` that give it data for validation.
_VALIDATES: Final = ("validation_data", "validation_split")


class NoValidation(Rule[Program]):
    """A script trains a model and never looks at data that are held out.

    ## What it finds
    `fit` without data for validation, or a training loop, in a script in which nothing evaluates, and no word speaks of data
    that are held out, of a test, or of predictions. Off unless it is selected: that data are split elsewhere cannot be seen.

    ## Why it is bad
    The loss on the training data falls whether the model learns or remembers. Without other data nobody sees which.

    ## Bad
    ```python
    import keras
    import numpy as np

    x, y = np.loadtxt("x.txt"), np.loadtxt("y.txt")
    model = keras.Sequential([keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1)])
    model.compile(loss="mse", optimizer="adam")
    model.fit(x, y, epochs=20)  # info: [DLD108]
    ```

    ## Good
    ```python
    import keras
    import numpy as np

    x, y = np.loadtxt("x.txt"), np.loadtxt("y.txt")
    model = keras.Sequential([keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1)])
    model.compile(loss="mse", optimizer="adam")
    model.fit(x, y, epochs=20, validation_split=0.2)
    ```

    ## When it stays silent
    Modules that others call, generators and agents, and scripts that measure the model in any way.
    ```python
    import torch
    from torch import nn

    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x, y = torch.load("data.pt")
    for epoch in range(10):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[:800]), y[:800]).backward()
        optimizer.step()
    test_loss = nn.functional.mse_loss(model(x[800:]), y[800:])
    ```

    ## References
    - Humbatova et al., ICSE 2020: missing validation set. Schoop et al., UMLAUT.
    """

    code = "DLD108"
    name = "no-validation"
    severity = Severity.INFO
    confidence = Confidence.LOW
    frameworks = ("keras", "torch")
    topics: ClassVar[tuple[str, ...]] = ("program",)
    default = "off"

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The last place at which a script trains."""
        if item.entry != SCRIPT or not context.facts.training.is_whole:
            return
        trained = _trained(context)
        if trained is None or any_says((context.document, *executed(event.site for event in item.events)), _HELD_OUT):
            return
        message = "the model is trained here, and nothing measures it on data that are held out"
        yield context.finding(self, trained, message, advice="hold a part of the data out, and measure the loss on it")


def _trained(context: Context) -> Event | None:
    """Where a program trains last; ``None`` if it does not, or validates."""
    facts = context.facts
    fits = facts.events(Fit)
    if any(fit.method not in _TRAINS or any(fit.values.get(name) is not None for name in _VALIDATES) for fit in fits):
        return None
    if fits:
        return fits[-1]
    steps = [event for event in facts.events(Backward) if facts.training.innermost(event) is not None]
    return steps[-1] if steps and not facts.events(Eval) else None
