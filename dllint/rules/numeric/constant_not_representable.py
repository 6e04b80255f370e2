"""DLN108: a constant that the element type cannot hold."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.domains.dtype import DType
from dllint.domains.floating import FORMATS
from dllint.edit import Applicability, Edit, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import replace_value
from dllint.fixes.boundary import builder, offering
from dllint.fixes.imports import name_for
from dllint.ir.program import Op
from dllint.ops.kinds import by_name, does, having, having_any
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.guarding import EPSILON
from dllint.rules.numeric.ineffective_numeric_guard import DANGERS, IneffectiveNumericGuard
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation


class ConstantNotRepresentable(Rule[Op]):
    """A constant that the element type cannot hold.

    ## What it finds
    Numbers such as -1e9 that fill or limit a tensor in half precision, whose largest number is 65504, also where autocast or a
    policy has made it one; whole numbers beyond an integer type; and small numbers such as 1e-8 that are added in float16,
    where they are 0.

    ## Why it is bad
    torch refuses to fill with a number that overflows. Arithmetic makes it infinite: a row of a mask that is -inf everywhere
    gives NaN in a softmax, and TensorFlow's `(1 - mask) * -1e9` is 0 * -inf. A small number that is 0 protects nothing.

    ## Bad
    ```python
    import torch

    scores = torch.randn(2, 4, 4).half()
    mask = torch.ones(4, 4).tril() == 0
    scores = scores.masked_fill(mask, -1e9)  # error: [DLN108]
    ```

    ## Good
    ```python
    import torch

    scores = torch.randn(2, 4, 4).half()
    mask = torch.ones(4, 4).tril() == 0
    scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    ```

    ## When it stays silent
    Infinity that is written out, bfloat16 (which has the range of float32), and types that are not known.
    ```python
    import torch

    scores = torch.randn(2, 4, 4)
    mask = torch.ones(4, 4).tril() == 0
    a = scores.masked_fill(mask, -1e9)
    b = scores.half().masked_fill(mask, float("-inf"))
    c = scores.bfloat16().masked_fill(mask, -1e9)
    ```

    ## References
    - PyTorch documentation, automatic mixed precision.
    - Zhang et al., ISSTA 2018: training in float16.
    """

    code = "DLN108"
    name = "constant-not-representable"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.SAFE
    frameworks = ("torch", "keras", "tensorflow")
    topics: ClassVar[tuple[str, ...]] = (
        "op:masked_fill", "op:full", "op:full_like", "op:new_full", "op:clamp", "op:where", "op:add", "op:sub", "op:mul",
    )  # fmt: skip

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """A constant operand of an operation whose element type is known."""
        dtype = item.output.dtype if item.outputs else None
        if not isinstance(dtype, DType) or item.framework not in self.frameworks:
            return
        for name in _CONSTANTS[item.kind]:
            value = item.args.get(name)
            if not isinstance(value, (int, float)) or isinstance(value, bool) or not _is_finite(value):
                continue
            if _overflows(value, dtype, item):
                yield self._too_large(item, float(value), dtype, context)
            elif _vanishes(value, dtype, item) and not _guards(item, context):
                yield self._too_small(item, float(value), dtype, context)

    def _too_large(self, op: Op, value: float, dtype: DType, context: Context) -> Finding:
        raises = op.framework == "torch" and op.kind in _REFUSING
        limit = "min" if value < 0 else "max"
        consequence = "which torch refuses" if raises else "where it becomes infinite, and a softmax of nothing else NaN"
        advice = f"use torch.finfo(x.dtype).{limit}" if op.framework == "torch" and dtype in FORMATS else "use one that fits"
        found: Finding = context.finding(
            self,
            op,
            f"{operation(op, context)} is given {value:g}, beyond {dtype.name}, {consequence}" + context.condition_note(op),
            advice=advice,
            severity=Severity.ERROR if raises and not op.path else None,
            fixes=_limit(op, limit, context) if raises else (),
        )
        return found

    def _too_small(self, op: Op, value: float, dtype: DType, context: Context) -> Finding:
        message = f"{operation(op, context)} adds {value:g}, which is 0 in {dtype.name}{context.condition_note(op)}"
        found: Finding = context.finding(self, op, message, advice=f"use {EPSILON[FORMATS[dtype].name]}")
        return found


#: Operation → its operands that may be numbers.
_CONSTANTS: Final = by_name(
    {
        Trait.REPLACES | Trait.PUTS_NUMBER: ("value",),
        Trait.FULL: ("fill_value",),
        Trait.CLAMPS | Trait.KEEPS_SHAPE: ("min", "max"),
        Trait.CHOOSES: ("x", "y"),
        Trait.ADDS: ("x", "y"),
        Trait.SUBTRACTS: ("x", "y"),
        Trait.MULTIPLIES: ("x", "y"),
    }
)
#: Operations of torch that raise where a number overflows.
_REFUSING: Final = having_any(Trait.FULL | Trait.CLAMPS) | having(Trait.REPLACES | Trait.PUTS_NUMBER)


def _overflows(value: float, dtype: DType, op: Op) -> bool:
    if dtype.kind == "int":
        largest = 2 ** (dtype.bits - dtype.signed) - 1
        return (
            op.framework == "torch"
            and op.kind in _REFUSING
            and not does(op, Trait.CLAMPS)
            and abs(value) > largest + (value < 0)
        )
    if dtype not in FORMATS or (does(op, Trait.MULTIPLIES) and op.framework == "torch"):  # torch multiplies in single precision
        return False
    return abs(value) > FORMATS[dtype].largest if op.kind in _REFUSING else math.isinf(FORMATS[dtype].round(value))


def _vanishes(value: float, dtype: DType, op: Op) -> bool:
    return does(op, Trait.ADDS) and dtype in FORMATS and value > 0 and FORMATS[dtype].round(value) == 0


def _guards(op: Op, context: Context) -> bool:
    """Whether the sum is reported as a guard that fails where it is used."""
    rule = IneffectiveNumericGuard()
    return any(True for taker in context.facts.takers(op) if taker.kind in DANGERS for _ in rule.check(taker, context))


@offering
def _limit(op: Op, limit: str, context: Context) -> list[Fix]:
    """``x.masked_fill(mask, -1e9)`` becomes ``x.masked_fill(mask, torch.finfo(x.dtype).min)``; the call raises as it is."""
    edits = _finfo(op, limit, context)
    return offer(context, f"Use torch.finfo(…).{limit}", edits, Applicability.UNSAFE if op.path else Applicability.SAFE)


def _is_finite(value: float) -> bool:
    """Whether a number is one that a double can hold; whole numbers may be larger than any."""
    return abs(value) <= sys.float_info.max


@builder
def _finfo(op: Op, limit: str, context: Context) -> tuple[Edit, ...]:
    call = op.site.node
    if (
        not does(op, Trait.REPLACES | Trait.PUTS_NUMBER)
        or not isinstance(call, cst.Call)
        or not isinstance(call.func, cst.Attribute)
    ):
        return ()
    if not op.spelled.startswith("torch.Tensor.") or not isinstance(call.func.value, (cst.Name, cst.Attribute)):
        return ()
    last = call.args[-1] if call.args else None
    if last is None or last.star or not isinstance(last.value, (cst.Float, cst.Integer, cst.UnaryOperation)):
        return ()
    name, imports = name_for(op.site.document, "torch.finfo")
    return (*replace_value(op.site, last, f"{name}({context.text(call.func.value)}.dtype).{limit}"), *imports)
