"""DLI104: weights are drawn so far from zero that a layer makes its input many times larger."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod, sqrt
from typing import ClassVar, Final

from dllint.analysis.drawn_weights import last_draws
from dllint.domains.dim import is_known
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import LibraryCall
from dllint.ir.program import Program, TensorVal
from dllint.ir.values import InstanceVal, unwrap
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted

#: What draws weights from a normal distribution, and the parameter that is its deviation.
_NORMAL: Final = frozenset({"torch.nn.init.normal_", "torch.Tensor.normal_"})
_SPREAD: Final = "std"
#: What draws weights evenly → the parameters that are the limits.
_UNIFORM: Final = {"torch.nn.init.uniform_": ("a", "b"), "torch.Tensor.uniform_": ("from", "to")}
#: From this factor on, what a layer gives is far larger than what it gets.
_FACTOR: Final = 10.0


class InitScaleSuspicious(Rule[Program]):
    """The weights of a layer start far too large for the number of its inputs.

    ## What it finds
    Weights of linear layers and convolutions that are drawn from a normal distribution whose deviation, times the square root
    of the number of inputs, is above 10; or evenly between numbers that are not below zero, whose mean times the number of
    inputs is above 10.

    ## Why it is bad
    Each layer multiplies the size of what passes through it by that factor. After a few of them activations saturate or losses
    overflow; sigmoid, tanh and softmax are flat from the beginning.

    ## Bad
    ```python
    import torch
    from torch import nn

    layer = nn.Linear(784, 256)
    nn.init.normal_(layer.weight)  # hint: [DLI104]
    print(layer(torch.randn(4, 784)))
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    layer = nn.Linear(784, 256)
    nn.init.normal_(layer.weight, std=0.02)
    print(layer(torch.randn(4, 784)))
    ```

    ## When it stays silent
    Tables of embeddings, gains of normalisations, biases, layers of few inputs, weights that are scaled or drawn again, and
    numbers that are not known.
    ```python
    import torch
    from settings import spread
    from torch import nn

    table, norm, narrow, wide = nn.Embedding(1000, 64), nn.LayerNorm(64), nn.Linear(4, 4), nn.Linear(784, 256)
    nn.init.normal_(table.weight)
    nn.init.uniform_(norm.weight)
    nn.init.normal_(narrow.weight)
    nn.init.normal_(wide.bias)
    nn.init.normal_(wide.weight, std=spread)
    other = nn.Linear(784, 256)
    nn.init.normal_(other.weight)
    nn.init.xavier_uniform_(other.weight)
    ```

    ## References
    - K. He et al., "Delving Deep into Rectifiers", 2015.
    """

    code = "DLI104"
    name = "init-scale-suspicious"
    severity = Severity.HINT
    confidence = Confidence.MEDIUM
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("program",)
    default = "hint"

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The layers of a program whose weights start too large, each place once."""
        seen = set[int]()
        for draw in last_draws(context.facts):
            fan_in = _fan_in(draw.layer)
            factor = _factor(draw.call, fan_in) if fan_in is not None else None
            if factor is None or factor <= _FACTOR or id(draw.call.site.node) in seen:
                continue
            seen.add(id(draw.call.site.node))
            yield context.finding(
                self,
                draw.call,
                f"{quoted(context.text(draw.call))} makes the output of a layer with {fan_in} inputs"
                f" about {factor:.0f} times larger than its input",
                advice="scale the spread by the number of inputs, as `kaiming_normal_` does",
            )


def _fan_in(layer: InstanceVal) -> int | None:
    """How many products each output of a layer sums up."""
    weight = layer.attrs["weight"]
    shape = weight.shape if isinstance(weight, TensorVal) else None
    if not isinstance(shape, tuple) or len(shape) < 2:
        return None
    sizes = [size for size in shape[1:] if isinstance(size, int) and is_known(size)]
    return prod(sizes) if len(sizes) == len(shape) - 1 else None


def _factor(call: LibraryCall, fan_in: int) -> float | None:
    """How many times larger the result of a layer is than its input, at least; ``None`` if that is not known."""
    if call.name in _NORMAL:
        spread = unwrap(call.bound.get(_SPREAD, 1.0))
        return abs(spread) * sqrt(fan_in) if isinstance(spread, (int, float)) else None
    if call.name not in _UNIFORM:
        return None
    low, high = (unwrap(call.bound.get(name, default)) for name, default in zip(_UNIFORM[call.name], (0.0, 1.0), strict=True))
    if not isinstance(low, (int, float)) or not isinstance(high, (int, float)) or low < 0:
        return None
    return (low + high) / 2 * fan_in
