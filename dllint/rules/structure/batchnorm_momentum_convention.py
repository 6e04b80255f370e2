"""DLS210: a momentum of batch normalisation by the convention of the other framework, or an epsilon that is none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

import libcst as cst

from dllint.domains.finite import finite
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import replace_value, set_argument
from dllint.fixes.boundary import builder
from dllint.ir.events import LibraryCall
from dllint.ir.values import unwrap
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule

#: An epsilon above this changes what is normalised: both frameworks' defaults are 1e-5 and 1e-3 (torch 2.13, Keras 3.15).
_LARGEST_EPSILON: Final = 0.01
_HALF: Final = 0.5


@dataclass(frozen=True, slots=True)
class _Convention:
    """What a framework calls the momentum, and its epsilon; ``of_new`` is whether it weighs the new batch."""

    epsilon: str
    of_new: bool

    def is_reversed(self, momentum: float) -> bool:
        """Whether a momentum means what the other framework means. Those that keep only the new or only the old statistics are
        chosen on purpose."""
        return (_HALF <= momentum < 1) if self.of_new else (0 < momentum <= _HALF)

    def effect(self, momentum: float) -> str:
        """How running statistics follow."""
        kept = 1 - momentum if self.of_new else momentum
        return f"each batch makes up {1 - kept:.4g} of the running statistics, all before it {kept:.4g}"


@builder
def as_momentum(item: LibraryCall, convention: _Convention, number: float) -> tuple[Edit, ...]:
    """A large second argument of PyTorch's layer becomes a momentum by its convention: ``momentum=0.2`` for 0.8."""
    node = item.nodes.get(convention.epsilon)
    if not convention.of_new or not isinstance(node, cst.Arg) or node.keyword is not None or not _HALF <= number < 1:
        return ()
    return replace_value(item.site, node, f"momentum={1 - number:.4g}")


@builder
def written_momentum(item: LibraryCall, number: str) -> tuple[Edit, ...]:
    """Another momentum in a call, in the place of the one that is given."""
    given, call = item.nodes.get("momentum"), item.site.node
    if isinstance(given, cst.Arg) and given.keyword is None:
        return replace_value(item.site, given, number)
    return set_argument(item.site, call, "momentum", number) if isinstance(call, cst.Call) else ()


_TORCH: Final = _Convention("eps", True)
_KERAS: Final = _Convention("epsilon", False)
_LAYERS: Final = {
    **{f"torch.nn.{lazy}BatchNorm{axes}d": _TORCH for lazy in ("", "Lazy") for axes in (1, 2, 3)},
    "torch.nn.SyncBatchNorm": _TORCH,
    "keras.layers.BatchNormalization": _KERAS,
}


class BatchnormMomentumConvention(Rule[LibraryCall]):
    """A batch normalisation has a momentum by the other framework's convention, or an epsilon as large as a variance.

    ## What it finds
    In PyTorch, a `momentum` from 0.5 to below 1; in Keras, one above 0 up to 0.5; in both, an epsilon above 0.01, often a
    momentum that is passed in its place (`nn.BatchNorm2d(64, 0.8)`).

    ## Why it is bad
    PyTorch's momentum is the weight of the new batch (default 0.1), Keras' that of the old statistics (default 0.99). With the
    other framework's number, the running statistics are those of the last batch or two, and predictions in evaluation depend on
    which these were. An epsilon of that size keeps channels of small variance from being normalised.

    ## Bad
    ```python
    from torch import nn

    block = nn.Sequential(nn.Conv2d(3, 16, 3), nn.BatchNorm2d(16, momentum=0.99), nn.ReLU())  # error: [DLS210]
    other = nn.BatchNorm2d(16, 0.8)  # error: [DLS210]
    ```

    ## Good
    ```python
    from torch import nn

    block = nn.Sequential(nn.Conv2d(3, 16, 3), nn.BatchNorm2d(16, momentum=0.01), nn.ReLU())
    other = nn.BatchNorm2d(16, momentum=0.2)
    ```

    ## When it stays silent
    `momentum=None`, which averages over all batches, and 1, which takes the last one alone.
    ```python
    from torch import nn

    norms = [nn.BatchNorm2d(16, momentum=None), nn.BatchNorm2d(16, momentum=1.0), nn.BatchNorm2d(16, eps=1e-3)]
    ```

    ## References
    - PyTorch documentation, `torch.nn.BatchNorm2d`; Keras documentation, `BatchNormalization`: formulas of the running mean.
    """

    code = "DLS210"
    name = "batchnorm-momentum-convention"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch", "keras")
    topics: ClassVar[tuple[str, ...]] = ("event:call",)
    calls: ClassVar[tuple[str, ...]] = tuple(_LAYERS)
    one_cause = True

    def check(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """The construction of a batch normalisation."""
        convention = _LAYERS.get(item.name)
        if convention is None:
            return
        epsilon, momentum = (finite(unwrap(item.bound.get(name))) for name in (convention.epsilon, "momentum"))
        if epsilon is not None and epsilon > _LARGEST_EPSILON:
            yield self._large(item, convention, epsilon, context)
        if momentum is not None and convention.is_reversed(momentum):
            yield self._reversed(item, convention, momentum, context)

    def _large(self, item: LibraryCall, convention: _Convention, epsilon: float, context: Context) -> Finding:
        """An epsilon that is no small number."""
        return context.finding(
            self,
            item,
            f"`{convention.epsilon}` = {epsilon:g} is added to variances{context.condition_note(item)}",
            advice=f"pass momentum by name, and a small `{convention.epsilon}` such as 1e-5",
            node=item.nodes.get(convention.epsilon),
            fixes=offer(context, "Pass it as the momentum", as_momentum(item, convention, epsilon), Applicability.UNSAFE),
        )

    def _reversed(self, item: LibraryCall, convention: _Convention, momentum: float, context: Context) -> Finding:
        """A momentum that weighs the other part."""
        other = f"{1 - momentum:.4g}"
        edits = written_momentum(item, other)
        return context.finding(
            self,
            item,
            f"with `momentum` = {momentum:g}, {convention.effect(momentum)}{context.condition_note(item)}",
            advice=f"write momentum={other}, if the number is from the other framework",
            node=item.nodes.get("momentum"),
            fixes=offer(context, f"Write momentum={other}", edits, Applicability.UNSAFE),
        )
