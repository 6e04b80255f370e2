"""DLR107: an optimizer is made without a learning rate, so that the library chooses it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.training import is_optimizer
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import LibraryCall
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted

_RATES: Final = ("lr", "learning_rate")
_KERAS: Final = "keras.optimizers."


class HyperparametersImplicit(Rule[LibraryCall]):
    """The learning rate of an optimizer is left to the library.

    ## What it finds
    Optimizers of PyTorch and Keras that are made without a learning rate. It is off unless it is selected.

    ## Why it is bad
    The learning rate decides more than any other number, and the default is no choice of anybody who knows the task. It is
    missing where settings are logged, and another release may have another default.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.Adam(model.parameters())  # info: [DLR107]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    ```

    ## When it stays silent
    Optimizers with a rate, in whatever way it is given, and arguments that are not known.
    ```python
    import torch
    from settings import options
    from torch import nn

    model = nn.Linear(8, 2)
    print(torch.optim.Adam(model.parameters(), 1e-3), torch.optim.Adam(model.parameters(), **options))
    ```

    ## References
    - H. Zhang et al., "Code Smells in Machine Learning Systems", CAIN 2022: hyperparameter not explicitly set.
    """

    code = "DLR107"
    name = "hyperparameters-implicit"
    severity = Severity.INFO
    confidence = Confidence.LOW
    topics: ClassVar[tuple[str, ...]] = ("event:call",)
    default = "off"

    def check(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """The construction of an optimizer."""
        keras = item.name.startswith(_KERAS) and item.name.count(".") == 2
        if item.receiver is not None or not (keras or is_optimizer(item.result)):
            return
        if any(name in item.bound or name in item.unbound for name in _RATES) or item.positional > (0 if keras else 1):
            return
        if "**" in context.text(item):
            return
        yield context.finding(
            self,
            item,
            f"{quoted(item.name)} is made without a learning rate, which the library chooses",
            advice=f"pass `{'learning_rate' if keras else 'lr'}=`",
        )
