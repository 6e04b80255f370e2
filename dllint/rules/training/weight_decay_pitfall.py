"""DLO127: weight decay that Adam mixes up with its gradients, or that leaves no weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import LibraryCall
from dllint.ir.values import DictVal, IterVal, ListVal, Value, unwrap
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted

#: Optimizers that add the decay to the gradient and divide both by the size of the gradients, unless they are told not to.
_COUPLED: Final = frozenset({"torch.optim.Adam", "torch.optim.NAdam", "torch.optim.RAdam", "torch.optim.Adamax"})
_DECAY: Final = "weight_decay"
_APART: Final = "decoupled_weight_decay"
#: Optimizers of torch whose decay is added to the gradient as it is.
_PLAIN: Final = _COUPLED | {"torch.optim.SGD", "torch.optim.RMSprop", "torch.optim.Adagrad", "torch.optim.Adadelta"}
#: Regularizers of Keras, by the parameters that they take.
_REGULARIZERS: Final = {
    **dict.fromkeys(("keras.regularizers.L2", "keras.regularizers.l2"), ("l2", "l")),
    **dict.fromkeys(("keras.regularizers.L1", "keras.regularizers.l1"), ("l1", "l")),
    **dict.fromkeys(("keras.regularizers.L1L2", "keras.regularizers.l1_l2"), ("l1", "l2")),
}
#: From here on, a coefficient outweighs what a network learns.
_LARGE: Final = 0.1


class WeightDecayPitfall(Rule[LibraryCall]):
    """Weight decay does not do what it is for.

    ## What it finds
    - `weight_decay` of `torch.optim.Adam` and its like, which add it to the gradients, for all parameters or for a group.
    - A coefficient of 0.1 or more, of a regularizer of Keras or of an optimizer of PyTorch that adds it to the gradients.

    ## Why it is bad
    Adam divides the decay by the size of the gradients, too, so that weights with large gradients hardly decay; `AdamW` takes
    it from the weights themselves. A coefficient of 0.1 pulls all weights to zero faster than most losses can hold them.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-2)  # hint: [DLO127]
    ```

    ```python
    from keras import layers, regularizers

    layer = layers.Dense(64, kernel_regularizer=regularizers.L2(0.5))  # hint: [DLO127]
    ```

    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    groups = [{"params": [model.weight], "weight_decay": 1e-2}, {"params": [model.bias], "weight_decay": 0.0}]
    optimizer = torch.optim.Adam(groups, lr=1e-3)  # hint: [DLO127]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-2)
    ```

    ## When it stays silent
    Coefficients that are not known, 0 or small, `AdamW`, and optimizers that are told to keep the decay apart.
    ```python
    import torch
    from keras import regularizers
    from torch import nn


    def made(model, decay):
        return torch.optim.Adam(model.parameters(), weight_decay=decay)


    model = nn.Linear(8, 2)
    plain = torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=5e-4)
    usual = torch.optim.AdamW(model.parameters(), weight_decay=0.1)
    none = torch.optim.Adam(model.parameters(), weight_decay=0)
    apart = torch.optim.Adam(model.parameters(), weight_decay=1e-2, decoupled_weight_decay=True)
    small = regularizers.L2(1e-4)
    ```

    ## References
    - I. Loshchilov, F. Hutter, "Decoupled weight decay regularization", 2019.
    """

    code = "DLO127"
    name = "weight-decay-pitfall"
    severity = Severity.HINT
    confidence = Confidence.MEDIUM
    frameworks = ("torch", "keras")
    topics: ClassVar[tuple[str, ...]] = ("event:call",)
    calls: ClassVar[tuple[str, ...]] = (*_REGULARIZERS, *sorted(_PLAIN))
    default = "hint"

    def check(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """An optimizer or a regularizer."""
        if item.name in _REGULARIZERS:
            for name in _REGULARIZERS[item.name]:
                rate = _number(item.bound.get(name))
                if rate is not None and rate >= _LARGE:
                    yield self._large(item, rate, context)
        elif item.name in _PLAIN and (decay := _decay(item)) > 0:
            if item.name in _COUPLED and unwrap(item.bound.get(_APART, item.unbound.get(_APART, False))) is False:
                short = item.name.rpartition(".")[2]
                yield context.finding(
                    self,
                    item,
                    f"{quoted(short)} adds the weight decay of {decay:g} to the gradients and scales it with them",
                    advice="pass it to `AdamW`, which takes it from the weights themselves",
                    node=item.nodes.get(_DECAY),
                    kind="coupled",
                )
            elif decay >= _LARGE and item.name not in _COUPLED:
                yield self._large(item, decay, context)

    def _large(self, item: LibraryCall, rate: float, context: Context) -> Finding:
        return context.finding(
            self,
            item,
            f"a decay of {rate:g} pulls weights to zero faster than most losses can hold them",
            advice="set it to a usual one, 1e-4 say",
            kind="large",
        )


def _decay(item: LibraryCall) -> float:
    """The largest weight decay that an optimizer is given, of its own or of a group of parameters; 0 if none is known."""
    params = unwrap(item.bound.get("params"))
    groups = map(
        unwrap, params.items if isinstance(params, (ListVal, IterVal)) else params if isinstance(params, tuple) else ()
    )
    given = [group.items[_DECAY] for group in groups if isinstance(group, DictVal) and _DECAY in group.items]
    return max(_number(rate) or 0.0 for rate in (item.bound.get(_DECAY), *given))


def _number(value: Value) -> float | None:
    """A number as it is written, also as the default of a setting."""
    value = unwrap(value)
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e9 else None
