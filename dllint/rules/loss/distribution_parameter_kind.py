"""DLL120: a distribution gets probabilities for raw scores, or raw scores for probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.output_kind import OutputKind, source
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import rename_keyword
from dllint.fixes.boundary import builder
from dllint.ir.events import LibraryCall
from dllint.ir.program import TensorVal
from dllint.rules.context import Context
from dllint.rules.fault_rule import built
from dllint.rules.rule import Rule
from dllint.rules.wording import operation, quoted

_LOGITS: Final = "logits"
_PROBABILITIES: Final = "probs"
#: The distributions that take either of them (torch 2.13).
_DISTRIBUTIONS: Final = frozenset(
    f"torch.distributions.{name}"
    for name in (
        "Bernoulli", "Binomial", "Categorical", "ContinuousBernoulli", "Geometric", "Multinomial", "NegativeBinomial",
        "OneHotCategorical", "OneHotCategoricalStraightThrough", "RelaxedBernoulli", "RelaxedOneHotCategorical",
    )
)  # fmt: skip
#: What the numbers are that a parameter must not get → what to do.
_WRONG: Final = {
    _LOGITS: (OutputKind.SOFTMAX, OutputKind.SIGMOID),
    _PROBABILITIES: (OutputKind.LOGITS, OutputKind.LOG_PROBABILITY, OutputKind.TANH),
}


class DistributionParameterKind(Rule[LibraryCall]):
    """A distribution gets probabilities where it takes raw scores, or raw scores where it takes probabilities.

    ## What it finds
    `Categorical(logits=...)`, `Bernoulli(logits=...)` and the like of `torch.distributions` with the result of a softmax or
    sigmoid, and `probs` (the first parameter) with raw scores, log-probabilities or a tanh.

    ## Why it is bad
    The distribution applies the softmax or sigmoid to `logits` itself. Applied twice, it flattens the policy: with four actions
    and one that the network is sure of, that one is still taken in less than half of the cases. Negative `probs` raise.

    ## Bad
    ```python
    import torch
    from torch import nn
    from torch.distributions import Categorical

    policy = nn.Sequential(nn.Linear(8, 4), nn.Softmax(dim=-1))
    actions = Categorical(logits=policy(torch.randn(5, 8))).sample()  # error: [DLL120]
    ```

    ```python
    import torch
    from torch import nn
    from torch.distributions import Categorical

    policy = nn.Linear(8, 4)
    actions = Categorical(policy(torch.randn(5, 8))).sample()  # error: [DLL120]
    ```

    ## Good
    ```python
    import torch
    from torch import nn
    from torch.distributions import Categorical

    policy = nn.Linear(8, 4)
    actions = Categorical(logits=policy(torch.randn(5, 8))).sample()
    ```

    ## When it stays silent
    Log-probabilities as `logits`, which a softmax turns into the probabilities that they are, and what is not known.
    ```python
    import torch
    from torch import nn
    from torch.distributions import Categorical

    policy = nn.Linear(8, 4)
    scores = policy(torch.randn(5, 8))
    first, second = Categorical(scores.softmax(-1)), Categorical(logits=scores.log_softmax(-1))
    third = Categorical(probs=torch.nn.functional.softplus(scores))
    ```

    ## References
    - PyTorch documentation, `torch.distributions.categorical`.
    """

    code = "DLL120"
    name = "distribution-parameter-kind"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("event:call",)
    calls: ClassVar[tuple[str, ...]] = tuple(sorted(_DISTRIBUTIONS))

    def check(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """A distribution that is made."""
        if item.name not in _DISTRIBUTIONS:
            return
        name = quoted(item.name.rpartition(".")[2])
        for parameter, wrong in _WRONG.items():
            value = item.bound.get(parameter)
            if value is None and parameter == _PROBABILITIES and item.positional:
                value = item.given[0]
            made = source(value) if isinstance(value, TensorVal) else None
            if made is None or made.op is None or made.kind not in wrong:
                continue
            other = _LOGITS if parameter == _PROBABILITIES else _PROBABILITIES
            yield context.finding(
                self,
                item,
                f"`{parameter}` of {name} gets the {made.kind.value} of {operation(made.op, context)}",
                advice=f"pass them as `{other}`"
                if made.kind is not OutputKind.TANH
                else "leave out the tanh, and pass `logits`",
                related=built(made.op, context),
                fixes=_renamed(item, parameter, other, context) if made.kind is not OutputKind.TANH else (),
            )


@builder
def _renamed(item: LibraryCall, parameter: str, other: str, context: Context) -> tuple[Fix, ...]:
    node = item.site.node
    edits = rename_keyword(item.site, node, parameter, other) if isinstance(node, cst.Call) else ()
    return (context.fix(f"Pass them as `{other}`", edits, Applicability.UNSAFE),) if edits else ()
