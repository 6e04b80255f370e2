"""DLN105: a composition that has a fused, stable form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final, TypeGuard

from dllint.analysis.compositions import LOG_SUM_EXP, SIGMOID, SOFTPLUS, WHOLE, Composition, Failure, composition, maker
from dllint.analysis.facts import Facts
from dllint.analysis.saturation import ROUNDS_TO_ONE, ROUNDS_TO_ZERO, is_of_constants, is_trained_through, stay_below
from dllint.domains.dtype import FLOAT16, FLOAT64
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Op
from dllint.ops.kinds import does, having, having_any
from dllint.ops.ranges.spec import LAYOUT, MOVES
from dllint.ops.traits import Trait
from dllint.ops.walk import all_takers, maker_behind
from dllint.rules.context import Context
from dllint.rules.fused_form import NAMES, fused
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted


class UnstableComposition(Rule[Op]):
    """Two operations that lose precision together have a fused form that does not.

    ## What it finds
    log(softmax(x)), log(sigmoid(x)), log(1 - sigmoid(x)), log(sum(exp(x))), exp(x) / sum(exp(x)), 1 / (1 + exp(-x)),
    log(1 + exp(x)), log(1 + x) and exp(x) - 1.

    ## Why it is bad
    In floating point a softmax or sigmoid reaches exactly 0, whose logarithm is -inf and whose gradient is NaN; exp
    overflows for arguments above 88; 1 + x drops the digits of a small x. The fused function computes the same value
    without the intermediate result. Where nothing is trained through the composition, where the scores are weighted sums of
    numbers known to be few and small, or where an overflowing argument is written in the script, it is told as information
    only; so are a sigmoid, softplus or log-softmax that is a function of its own, as in lessons, lost digits, and
    log(sigmoid(x)) but in half precision, as a float32 sigmoid reaches 0 for scores below -88 only (and 1 for those above 17).

    ## Bad
    ```python
    import torch

    x = torch.randn(4, 10, requires_grad=True)
    y = torch.log(torch.softmax(x, dim=1))  # error: [DLN105]
    ```

    ## Good
    ```python
    import torch

    x = torch.randn(4, 10)
    y = torch.log_softmax(x, dim=1)
    ```

    ## When it stays silent
    A maximum subtracted before exp, a small number added before log, a softmax that is clamped, and a log-sum-exp without
    an axis.
    ```python
    import torch

    x = torch.randn(4, 10)
    shifted = torch.exp(x - x.max(dim=1, keepdim=True).values)
    p = shifted / shifted.sum(dim=1, keepdim=True)
    guarded = torch.log(torch.softmax(x, dim=1) + 1e-8)
    clamped = torch.log(torch.sigmoid(x).clamp(min=1e-6))
    ```

    ## References
    - Zhang et al., *Detecting Numerical Bugs in Neural Network Architectures* (DEBAR), FSE 2020.
    - Yan et al., *Exposing Numerical Bugs in Deep Learning via Gradient Back-Propagation* (GRIST), FSE 2021.
    - TorchFix TOR106, TOR107 and TOR108.
    """

    code = "DLN105"
    name = "unstable-composition"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.SAFE
    frameworks = ("torch", "keras", "tensorflow")
    topics: ClassVar[tuple[str, ...]] = ("op:log", "op:div", "op:sub", "op:reciprocal")
    suppresses = ("DLN101", "DLN102", "DLN103", "DLN106")

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """The composition that ends in an operation."""
        found = composition(item, context.facts)
        if found is None or item.framework not in ("torch", "keras", "tensorflow") or is_guarded(item, context.facts):
            return
        message = f"{quoted(context.text(item.site.node))} computes {found.form.formula}, {found.form.failure.value}"
        inner = found.inner
        inside = context.related(inner, f"{found.inner_name} is computed here")
        places = [inside] if inside and inner.site.statement is not item.site.statement else []
        fixes = offer(context, f"Use {_named(found)}", fused(item, found, context), _applicability(item, found))
        node = found.failing.site.node if _in_statement(found.failing, item) else None
        whole = context.related(item, f"{found.form.formula} ends here")
        yield context.finding(
            self,
            item,
            message + context.condition_note(item),
            advice=f"use {spelling(item, found)}",
            node=node,
            severity=None if comes_about(item, found, context.facts) else Severity.INFO,
            confidence=Confidence.LOW if found.form.failure is Failure.DIGITS else None,
            related=places,
            fixes=fixes,
            flow=[place for place in (inside, whole) if place],
            kind="activation" if is_own_function(item, found, context.facts) else found.form.fused,
        )


def comes_about(op: Op, found: Composition, facts: Facts) -> bool:
    """Whether the failure comes about where it does harm: an underflow on the way of a gradient, from scores that training
    makes large; an overflow for numbers that nobody has written down. A sigmoid of itself underflows in half precision only:
    in float32 it takes one score below -88 (run in PyTorch 2.13), not a difference of two as in a softmax. ``1 / (1 + inf)``
    is the right 0, only its gradient is NaN."""
    if found.form.failure is Failure.UNDERFLOW:
        if does(found.inner, Trait.LOGISTIC) and found.inner.output.dtype is not FLOAT16:
            return False
        limit = ROUNDS_TO_ONE if does(found.inner, Trait.SUBTRACTS) else ROUNDS_TO_ZERO
        return is_trained_through(op, op.args.get("x"), facts) and not stay_below(_scores(found), limit, facts)
    failing = found.failing or found.inner
    if found.form is SIGMOID and not is_trained_through(op, failing.args.get("x"), facts):
        return False
    return found.form.failure is Failure.OVERFLOW and not is_of_constants(failing.args.get("x"), facts)


#: Steps from the argument of an activation to that of its exponential.
_TO_EXPONENT: Final = having(Trait.KEEPS_PLACES) | having_any(Trait.NEGATES)


def is_own_function(op: Op, found: Composition, facts: Facts) -> bool:
    """Whether an activation is written out as a function of its own: the function is given the argument that overflows."""
    if not found.form.is_activation and not _is_log_softmax(op, found, facts):
        return False
    maker = maker_behind((found.failing or found.inner).args.get("x"), _TO_EXPONENT)
    return maker is None or maker.site.caller is not op.site.caller


def _is_log_softmax(op: Op, found: Composition, facts: Facts) -> bool:
    """Whether the logarithm of a sum of exponentials is taken from their argument: ``x - log(sum(exp(x)))``."""
    if found.form is not LOG_SUM_EXP or found.failing is None:
        return False
    scores = found.failing.args.get("x")
    return any(
        does(taker, Trait.SUBTRACTS) and taker.args.get("x") is scores for taker in all_takers(op, LAYOUT | MOVES, facts.takers)
    )


def _scores(found: Composition) -> Any:
    """The argument of the activation."""
    activation = found.inner if not does(found.inner, Trait.SUBTRACTS) else maker(found.inner.args.get("y"))
    return activation.args.get("x") if activation is not None else None


def _applicability(op: Op, found: Composition) -> Applicability:
    """torch's softplus is the identity above 20, which float64 could tell from it."""
    coarse = found.form is SOFTPLUS and op.framework == "torch" and op.output.dtype is FLOAT64
    return Applicability.UNSAFE if coarse else Applicability.SAFE


def _in_statement(inner: Op | None, op: Op) -> TypeGuard[Op]:
    """Whether the operation that fails stands in the statement that the composition ends in: that is the place to show."""
    return inner is not None and inner.site.statement is op.site.statement and inner.site.caller is op.site.caller


def is_guarded(op: Op, facts: Facts) -> bool:
    """Whether the result is only used where it is precise enough: rounded, or chosen by a condition."""
    takers = facts.takers(op)
    return bool(takers) and all(taker.kind in WHOLE or does(taker, Trait.CHOOSES) for taker in takers)


#: How packages are imported as a rule.
_SHORT: Final = {"torch.nn.functional.": "F.", "tensorflow.": "tf.", "keras.ops.": "ops."}


def _named(found: Composition) -> str:
    return f"{found.form.fused} of the negated argument" if found.form.is_negated else found.form.fused


def spelling(op: Op, found: Composition) -> str:
    """The fused function as the op's framework spells it."""
    written = NAMES[found.form].get(op.framework)
    if written is None:
        return f"`{_named(found)}`"
    for package, short in _SHORT.items():
        if written.startswith(package):
            written = short + written.removeprefix(package)
    return f"`{written}(-x)`" if found.form.is_negated else f"`{written}`"
