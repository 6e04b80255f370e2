"""DLI105: the weights of a layer are drawn for another activation than the one that follows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.drawn_weights import Draw
from dllint.analysis.facts import Facts
from dllint.analysis.initial_values import initializer_kind
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.calls import replace_callee
from dllint.ir.events import Construction
from dllint.ir.program import Op, Program
from dllint.ir.values import unwrap
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted

_FOR_RECTIFIERS: Final = ("kaiming_uniform_", "kaiming_normal_")
_FOR_SIGMOIDS: Final = ("xavier_uniform_", "xavier_normal_")
#: So many layers must be concerned: fewer do not multiply the factor often enough.
_HE: Final = frozenset({"henormal", "heuniform"})
_FEWEST: Final = 3


class InitActivationMismatch(Rule[Program]):
    """Glorot's initialisation before rectifiers, or He's before `tanh`.

    ## What it finds
    At least three layers whose weights are drawn with `xavier_*` (no gain given) and that a rectifier follows, or with
    `kaiming_*` (in Keras `he_*`) and that `tanh` or the logistic function follows. It is off unless it is selected.

    ## Why it is bad
    A rectifier halves the variance of what passes; He's initialisation makes up for that, Glorot's does not. Over many layers,
    signals shrink or grow by a factor per layer.

    ## Bad
    ```python
    import torch
    from torch import nn

    layers = [nn.Linear(16, 16) for _ in range(5)]
    x = torch.randn(4, 16)
    for layer in layers:
        nn.init.xavier_uniform_(layer.weight)  # info: [DLI105]
        x = torch.relu(layer(x))
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    layers = [nn.Linear(16, 16) for _ in range(5)]
    x = torch.randn(4, 16)
    for layer in layers:
        nn.init.kaiming_uniform_(layer.weight, nonlinearity="relu")
        x = torch.relu(layer(x))
    ```

    ## When it stays silent
    Few layers, gains that are given, and the defaults of the library.
    ```python
    import torch
    from torch import nn

    layers = [nn.Linear(16, 16) for _ in range(5)]
    x = torch.randn(4, 16)
    for layer in layers:
        nn.init.xavier_uniform_(layer.weight, gain=nn.init.calculate_gain("relu"))
        x = torch.relu(layer(x))
    last = nn.Linear(16, 2)
    nn.init.xavier_uniform_(last.weight)
    print(torch.relu(last(x)))
    ```

    ## References
    - K. He et al., "Delving Deep into Rectifiers", 2015. X. Glorot and Y. Bengio, 2010.
    """

    code = "DLI105"
    name = "init-activation-mismatch"
    severity = Severity.INFO
    confidence = Confidence.MEDIUM
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch", "keras")
    topics: ClassVar[tuple[str, ...]] = ("program",)
    default = "off"

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The draws of a program that do not fit what follows, each place once."""
        performed = {id(op.layer) for op in item.ops}
        drawn = context.facts.last_draws
        wrong = {id(draw.call.site.node): draw for draw in drawn if _is_for_another(draw, context.facts)}
        # of a loop through many layers, the first pass may stand for all
        found = [
            draw
            for draw in drawn
            if id(draw.call.site.node) in wrong and (id(draw.layer) not in performed or _is_for_another(draw, context.facts))
        ]
        yield from self._of_keras(context)
        if len(found) < _FEWEST:
            return
        for draw in wrong.values():
            rectified = draw.call.name.endswith(_FOR_SIGMOIDS)
            yield context.finding(
                self,
                draw.call,
                f"{quoted(context.text(draw.call))} is not meant for the {'rectifier' if rectified else 'activation'}"
                f" that follows the layer, as in {len(found)} layers",
                advice=f"use `{'kaiming' if rectified else 'xavier'}_*`, which is made for it",
                fixes=_fixes(draw, context),
            )

    def _of_keras(self, context: Context) -> Iterator[Finding]:
        """Initializers for rectifiers that layers of Keras are given by name or object, each place once."""
        built = [event for event in context.facts.events(Construction) if _is_for_rectifiers(event, context.facts)]
        if len({id(event.instance) for event in built}) < _FEWEST:
            return
        for event in {id(event.site.node): event for event in built}.values():
            config = event.instance.layer
            node = config.nodes.get("kernel_initializer") if config is not None else None
            yield context.finding(
                self,
                event,
                f"{quoted(context.text(node or event.site.node))} is not meant for the activation that follows the layer, as in"
                f" {len(built)} layers",
                advice="use `glorot_*`, which is made for it",
                node=node,
            )


def _is_for_rectifiers(event: Construction, facts: Facts) -> bool:
    """Whether a layer of Keras gets an initializer of He's, as it is written, and sigmoid or tanh takes all that it gives."""
    config, layer = event.instance.layer, event.instance
    if config is None or config.row.framework != "keras" or "kernel_initializer" in config.defaulted:
        return False
    kind = initializer_kind(layer)
    if kind is None or kind.replace("_", "") not in _HE:
        return False
    ops = [op for op in facts.ops if op.layer is layer and op.kind == config.row.op]
    users = [user for op in ops for user in facts.takers(op)]
    return bool(users) and all(does(user, Trait.TANH) or does(user, Trait.LOGISTIC) for user in users)


def _is_for_another(draw: Draw, facts: Facts) -> bool:
    if draw.call.name.endswith(_FOR_SIGMOIDS):
        return draw.call.bound.get("gain") is None and _is_followed(draw, Trait.RECTIFIES, facts)
    meant = unwrap(draw.call.bound.get("nonlinearity", "leaky_relu"))
    if not draw.call.name.endswith(_FOR_RECTIFIERS) or not isinstance(meant, str) or not meant.endswith("relu"):
        return False
    return _is_followed(draw, Trait.TANH, facts) or _is_followed(draw, Trait.LOGISTIC, facts)


def _is_followed(draw: Draw, by: Trait, facts: Facts) -> bool:
    """Whether nothing but an operation of some kind takes what a layer gives."""
    users: list[Op] = [user for op in facts.ops if op.layer is draw.layer for user in facts.takers(op)]
    return bool(users) and all(does(user, by) for user in users)


@builder
def _fixes(draw: Draw, context: Context) -> tuple[Fix, ...]:
    """The other initialisation of the same kind, if it is given nothing but the weights."""
    node = draw.call.site.node
    text = context.text(node.func)
    if len(node.args) != 1 or "." not in text:
        return ()
    old, new = ("xavier", "kaiming") if "xavier" in text else ("kaiming", "xavier")
    edits = replace_callee(draw.call.site, node, text.replace(old, new))
    return tuple(offer(context, "Use the initialisation that fits", edits, Applicability.UNSAFE))
