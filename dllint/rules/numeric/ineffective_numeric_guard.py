"""DLN106: a guard against a dangerous argument that does not guard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.guards import Guard, ineffective_guard
from dllint.edit import Applicability, Edit, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder, offering
from dllint.fixes.calls import replace_expression
from dllint.ir.program import Op
from dllint.ops.kinds import does, having, having_any
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.guarding import EPSILON, operand_node
from dllint.rules.numeric.division_by_possible_zero import DivisionByPossibleZero
from dllint.rules.numeric.exp_overflow import ExpOverflow
from dllint.rules.numeric.log_of_nonpositive import LogOfNonpositive
from dllint.rules.numeric.sqrt_pow_inverse_domain import SqrtPowInverseDomain
from dllint.rules.offers import offer
from dllint.rules.rule import AnyRule, Rule
from dllint.rules.wording import operation, quoted


class IneffectiveNumericGuard(Rule[Op]):
    """A guard against a dangerous argument that does not guard.

    ## What it finds
    A limit that is the danger itself (`log(clamp(x, 0, 1))`, `log(relu(x))`, `log(abs(x))`), a clip whose result is not used,
    and a small number that is added to the result (`log(x) + eps`), to the dividend, to a weight that may become negative, in
    an order in which rounding loses it (`1e-10 + 1 - p` in float32), or that the element type cannot hold (1e-8 in float16).

    ## Why it is bad
    The author has seen the danger and believes it is gone. The logarithm of 0 is -inf and the quotient by 0 is inf, with the
    guard as without it.

    ## Bad
    ```python
    import torch

    p = torch.softmax(torch.randn(4, 10, requires_grad=True), dim=1)
    loss = -torch.log(p.clamp(0, 1)).mean()  # error: [DLN106]
    ```

    ## Good
    ```python
    import torch

    p = torch.softmax(torch.randn(4, 10, requires_grad=True), dim=1)
    loss = -torch.log(p.clamp(1e-7, 1)).mean()
    ```

    ## When it stays silent
    Where another guard in the expression holds, and where the small number is there for what comes next.
    ```python
    import torch

    x = torch.relu(torch.randn(4, 10, requires_grad=True))
    both = torch.log(x.clamp(min=0) + 1e-6)
    later = torch.log(1 - torch.sigmoid(x) + 1e-7)
    scaled = x / (torch.sqrt(x + 1e-12) + 1e-6)
    ```

    ## References
    - Zhang et al., CAIN 2022: *NaN* smells of machine-learning code (ML-15).
    - Li et al., *Reliability Assurance for Deep Neural Network Architectures Against Numerical Defects* (RANUM), ICSE 2023.
    """

    code = "DLN106"
    name = "ineffective-numeric-guard"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch", "keras", "tensorflow", "numpy")
    topics: ClassVar[tuple[str, ...]] = (
        "op:log", "op:log2", "op:log10", "op:div", "op:reciprocal", "op:sqrt", "op:rsqrt", "op:exp",
    )  # fmt: skip
    suppresses = ("DLN101", "DLN102", "DLN103", "DLN104")

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """A dangerous operation whose operand was to be guarded."""
        danger = next(DANGERS[item.kind].check(item, context), None)
        if danger is None:
            return
        operand = item.args.get("y" if does(item, Trait.DIVIDES) else "x")
        guard = ineffective_guard(item, operand, context.facts)
        if guard is None:
            return
        place = context.related(guard.op, "the guard stands here")
        message, advice = _words(item, guard, context)
        found = context.finding(
            self,
            item,
            message,
            advice=advice,
            related=[place] if place is not None and guard.op.site.statement is not item.site.statement else [],
            fixes=_fixes(item, guard, danger, context),
            severity=_weight(guard, danger),
            confidence=danger.confidence if guard.kind in _LOST else Confidence.LOW,
        )
        yield replace(found, related=(*found.related, *danger.related), flow=danger.flow)


#: Operation → the rule that knows when its argument is dangerous.
DANGERS: Final[dict[str, AnyRule]] = {
    **dict.fromkeys(having(Trait.LOGARITHM) - having(Trait.SHIFTED), LogOfNonpositive()),
    **dict.fromkeys(having_any(Trait.DIVIDES | Trait.INVERTS), DivisionByPossibleZero()),
    **dict.fromkeys(having(Trait.ROOT), SqrtPowInverseDomain()),
    **dict.fromkeys(having(Trait.EXPONENTIAL | Trait.NATURAL) - having(Trait.SHIFTED), ExpOverflow()),
}
#: Kind of guard → why it is none, and what to do.
_REASONS: Final = {
    "outside": ("{number} is added to the result, when the harm is done", "add it to the argument"),
    "dividend": ("{number} is added to what is divided", "add it to the divisor"),
    "limit": ("its limit {number} is the dangerous value itself", "take a limit on the safe side of it"),
    "discarded": ("its result is not used, and {name} changes nothing in place", "use what it returns"),
    "zero": ("{number} is 0 in {format}", "use {usable}"),
    "absorbed": ("{number} beside a whole number is lost in {format}", "add it last, after the subtraction"),
    "signed": ("{number} is added to a weight, and the sum may become 0", "add it to a square or a magnitude"),
}


def _words(op: Op, guard: Guard, context: Context) -> tuple[str, str]:
    """The fact and the advice."""
    text = quoted(context.text(guard.op.site.node))
    name = quoted(context.text(guard.op.site.node.func)) if isinstance(guard.op.site.node, cst.Call) else text
    known = {"number": f"{guard.number:g}", "format": guard.fmt.name, "usable": EPSILON[guard.fmt.name], "name": name}
    reason, advice = (words.format(**known) for words in _REASONS[guard.kind])
    return f"{text} does not guard {operation(op, context)}: {reason}{context.condition_note(op)}", advice


#: Small numbers that are not there when they are needed: that is certain.
_LOST: Final = frozenset({"absorbed", "zero"})
#: Guards that change nothing where the danger is, whatever the numbers.
_WITHOUT_EFFECT: Final = frozenset({"outside", "discarded"})


def _weight(guard: Guard, danger: Finding) -> Severity:
    """Whoever wrote a guard has seen the danger: that the guard is none is wrong even where the danger is only possible. A
    weight that training alone moves is not known to come near the one value at which the sum is 0."""
    comes_about = danger.severity is not Severity.HINT
    if guard.kind in _LOST:
        return Severity.ERROR if comes_about else Severity.WARNING
    return Severity.WARNING if guard.kind in _WITHOUT_EFFECT or comes_about else Severity.HINT


@offering
def _fixes(op: Op, guard: Guard, danger: Finding, context: Context) -> list[Fix]:
    if guard.kind == "outside":
        edits = _moved_inside(op, guard, context)
        return offer(context, "Add the small number to the argument", edits, Applicability.UNSAFE) or list(danger.fixes)
    if guard.kind == "zero":
        edits = _number_replaced(guard, lambda value: value == guard.number)
        return offer(context, f"Use {EPSILON[guard.fmt.name]}", edits, Applicability.UNSAFE)
    if guard.kind == "limit" and guard.number == 0 and does(guard.op, Trait.LIMITS):
        edits = _number_replaced(guard, lambda value: value == 0)
        return offer(context, f"Use {EPSILON[guard.fmt.name]} as the lowest value", edits, Applicability.UNSAFE)
    return list(danger.fixes)


@builder
def _moved_inside(op: Op, guard: Guard, context: Context) -> tuple[Edit, ...]:
    """``log(x) + 1e-8`` becomes ``log(x + 1e-8)``."""
    node, total = operand_node(op), guard.op.site.node
    if node is None or op.layer is not None or not isinstance(total, cst.BinaryOperation) or isinstance(node, _LOOSE):
        return ()
    call = op.site.node
    if not isinstance(call, cst.Call) or call not in (total.left, total.right) or len(call.args) > 1:
        return ()
    number = context.text(total.right if total.left is call else total.left)
    argument = f"{context.text(node)} + {number}"
    if call.args:
        text = f"{context.text(call.func)}({argument})"
    elif isinstance(call.func, cst.Attribute):
        text = f"({argument}).{call.func.attr.value}()"
    else:
        return ()
    return replace_expression(guard.op.site, total, text)


#: Expressions that bind less than a sum does.
_LOOSE: Final = (cst.Comparison, cst.BooleanOperation, cst.IfExp, cst.Lambda)


@builder
def _number_replaced(guard: Guard, is_meant: Callable[[float], bool]) -> tuple[Edit, ...]:
    """The literal that is the guard's number becomes one that the element type can hold."""
    node = guard.op.site.node
    called = isinstance(node, cst.Call)
    parts = [arg.value for arg in node.args] if called else [getattr(node, side, None) for side in ("left", "right")]
    for part in parts:
        if isinstance(part, (cst.Integer, cst.Float)) and is_meant(part.evaluated_value):
            return replace_expression(guard.op.site, part, EPSILON[guard.fmt.name])
    return ()
