"""DLI104: weights are drawn so far from zero that a layer makes its input many times larger."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import prod, sqrt
from typing import ClassVar, Final

from dllint.analysis.facts import Facts
from dllint.analysis.initial_values import initializer_argument, initializer_kind
from dllint.domains.dim import is_known
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import Construction, LibraryCall
from dllint.ir.program import Op, Program, TensorVal
from dllint.ir.values import InstanceVal, Value, unwrap
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted

#: What draws weights from a normal distribution, and the parameter that is its deviation.
_NORMAL: Final = frozenset({"torch.nn.init.normal_", "torch.Tensor.normal_"})
_SPREAD: Final = "std"
#: What draws weights evenly → the parameters that are the limits.
_UNIFORM: Final = {"torch.nn.init.uniform_": ("a", "b"), "torch.Tensor.uniform_": ("from", "to")}
_PARAMETER: Final = "torch.nn.Parameter"
#: Functions that draw with a deviation of 1, or from 0 to 1, unless they are given other numbers, by these parameters.
_PLAIN: Final = frozenset({
    "torch.randn", "torch.rand", "tensorflow.random.normal", "tensorflow.random_normal", "tensorflow.random.uniform",
    "tensorflow.random_uniform",
})  # fmt: skip
_SPREADS: Final = re.compile(r"mean|std(?:dev)?|m(?:in|ax)val")
#: From this factor on, what a layer gives is far larger than what it gets.
_FACTOR: Final = 10.0


class InitScaleSuspicious(Rule[Program]):
    """The weights of a layer start far too large for the number of its inputs.

    ## What it finds
    Weights of linear layers and convolutions that are drawn from a normal distribution whose deviation, times the square root
    of the number of inputs, is above 10; or evenly between numbers that are not below zero, whose mean times the number of
    inputs is above 10. Initializers of Keras count, and matrices of trained numbers that are drawn with a deviation of 1 or
    evenly from 0 to 1.

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
    frameworks = ("torch", "keras", "tensorflow")
    topics: ClassVar[tuple[str, ...]] = ("program",)
    default = "hint"

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The layers of a program whose weights start too large, each place once."""
        seen = set[int]()
        for draw in context.facts.last_draws:
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
        yield from self._of_keras(context)
        yield from self._of_bare_tensors(context)

    def _of_keras(self, context: Context) -> Iterator[Finding]:
        """Layers of Keras whose initializer, as an object, has such a spread, each place once."""
        seen = set[int]()
        for event in context.facts.events(Construction):
            fan_in = _inputs_of(event)
            factor = _factor_of(event, fan_in, context.facts) if fan_in is not None else None
            if factor is None or factor <= _FACTOR or id(event.site.node) in seen:
                continue
            seen.add(id(event.site.node))
            config = event.instance.layer
            node = config.nodes.get("kernel_initializer") if config is not None else None
            yield context.finding(
                self,
                event,
                f"{quoted(context.text(node or event.site.node))} makes the output of a layer with {fan_in} inputs"
                f" about {factor:.0f} times larger than its input",
                advice="scale the spread by the number of inputs, as `he_normal` does",
                node=node,
            )

    def _of_bare_tensors(self, context: Context) -> Iterator[Finding]:
        """Matrices of trained numbers without a layer that are drawn with a deviation of 1, or from 0 to 1, each place once."""
        seen = set[int]()
        calls = context.facts.events(LibraryCall)
        draws = {id(call.result): call for call in calls if call.name == _PARAMETER or call.name in _PLAIN}
        for op in context.facts.ops:
            weight = op.args.get("y") if does(op, Trait.MATRIX_PRODUCT) and op.layer is None else None
            drawn = _drawn(weight, draws) if isinstance(weight, TensorVal) else None
            fan_in = _rows(weight) if isinstance(weight, TensorVal) else None
            factor = 0.0 if drawn is None or fan_in is None else fan_in / 2 if does(drawn, Trait.DRAWS_EVENLY) else sqrt(fan_in)
            if drawn is None or factor <= _FACTOR or id(drawn.site.node) in seen:
                continue
            seen.add(id(drawn.site.node))
            yield context.finding(
                self,
                drawn,
                f"{quoted(context.text(drawn))} makes the product with {fan_in} inputs"
                f" about {factor:.0f} times larger than its input",
                advice="divide it by the square root of the number of inputs",
            )


def _inputs_of(event: Construction) -> int | None:
    """The number of products that each output of a layer of Keras sums up, of dense layers."""
    config = event.instance.layer
    if config is None or config.row.framework != "keras" or "kernel_initializer" in config.defaulted:
        return None
    size = unwrap(config.args.get("in_features"))
    return size if isinstance(size, int) and is_known(size) else None


def _factor_of(event: Construction, fan_in: int, facts: Facts) -> float | None:
    """How many times larger than its input the result of a layer of Keras is, from what its initializer was made with."""
    layer, kind = event.instance, initializer_kind(event.instance)
    name = "" if kind is None else kind.replace("_", "")
    if name in ("randomnormal", "truncatednormal"):
        spread = initializer_argument(layer, "stddev", 1, 0.05, facts)
        return abs(spread) * sqrt(fan_in) if isinstance(spread, (int, float)) else None
    if name != "randomuniform":
        return None
    low, high = (initializer_argument(layer, *one, facts) for one in (("minval", 0, -0.05), ("maxval", 1, 0.05)))
    if not isinstance(low, (int, float)) or not isinstance(high, (int, float)) or low < 0:
        return None
    return (low + high) / 2 * fan_in


def _drawn(weight: TensorVal, draws: Mapping[int, LibraryCall]) -> Op | None:
    """The operation that draws the numbers of a trained tensor, with a mean of 0 and a deviation of 1 or evenly from 0 to 1, if
    nothing scales them; ``draws`` are the calls, by the ``id`` of what they give."""
    made, maker = draws.get(id(weight)), weight.producer
    data: Value = None
    if made is not None and made.name == _PARAMETER and unwrap(made.bound.get("requires_grad", True)) is True:
        data = unwrap(made.bound.get("data"))
    if does(maker, Trait.VARIABLE) and unwrap(maker.args.get("trainable", True)) is not False:
        data = maker.args.get("data")
    if does(maker, Trait.DRAWS_NORMAL) and maker.args.get("requires_grad") is True:
        data = weight
    if not isinstance(data, TensorVal) or data.modified or weight.modified:
        return None
    evenly = does(data.producer, Trait.DRAWS_EVENLY) and does(data.producer, Trait.CONTINUOUS)
    if not evenly and not does(data.producer, Trait.DRAWS_NORMAL):
        return None
    call = draws.get(id(data))
    given = (*call.bound, *call.unbound) if call is not None and call.name in _PLAIN else ("mean",)
    return data.producer if not any(map(_SPREADS.fullmatch, given)) else None


def _rows(weight: TensorVal) -> int | None:
    """The size of the axis of a matrix that a product sums over."""
    shape = weight.shape
    size = shape[0] if isinstance(shape, tuple) and len(shape) == 2 else None
    return size if isinstance(size, int) and is_known(size) else None


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
