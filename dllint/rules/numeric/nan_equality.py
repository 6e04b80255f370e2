"""DLN111: a comparison with NaN, which equals nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.calls import replace_expression
from dllint.fixes.imports import bindings, name_for
from dllint.fixes.places import parent
from dllint.ir.events import NanTest
from dllint.ir.program import Op, Site, TensorVal
from dllint.ir.values import InstanceVal, Value
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted
from dllint.source.document import Document


class NanEquality(Rule[NanTest | Op]):
    """A comparison with NaN, which equals nothing.

    ## What it finds
    `==`, `!=`, `is` and `in`, and the functions that compare (`torch.eq`, `tf.not_equal`), with NaN on one side: `np.nan`,
    `float("nan")`, `math.nan`, `torch.nan`, a tensor that is filled with it, or a name that holds one of these.

    ## Why it is bad
    NaN is not equal to anything, itself included. `x == np.nan` is false for every `x`, so missing values are never found, and
    `x != np.nan` keeps all of them.

    ## Bad
    ```python
    import torch

    x = torch.randn(3)
    missing = x == float("nan")  # error: [DLN111]
    ```

    ## Good
    ```python
    import torch

    x = torch.randn(3)
    missing = torch.isnan(x)
    ```

    ## When it stays silent
    A number compared with itself, which is a test for NaN, and NaN as a default that is asked for before.
    ```python
    import numpy as np
    import torch


    def filled(x, missing_values=np.nan):
        if missing_values is np.nan:
            return torch.where(x != x, 0.0, x)
        return torch.where(x == missing_values, 0.0, x)


    print(filled(torch.randn(3)))
    ```

    ## References
    - IEEE 754: a comparison with NaN is unordered.
    - pylint `nan-comparison` (W0177); dslinter E5501.
    """

    code = "DLN111"
    name = "nan-equality"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch", "keras", "tensorflow", "numpy")
    topics: ClassVar[tuple[str, ...]] = ("event:nan-test", "op:eq", "op:ne")

    def check(self, item: NanTest | Op, context: Context) -> Iterator[Finding]:
        """A comparison one side of which is NaN."""
        if isinstance(item, Op):
            if not item.spelled.startswith("operator.") and compares_nan_with_tensor(item):
                yield context.finding(self, item, _message(item.kind, item, context), advice=_ADVICE)
            return
        if is_asked_for_before(item, context):
            return
        fixes = offer(context, "Test for NaN", _test(item, context), Applicability.UNSAFE)
        yield context.finding(self, item, _message(item.name, item, context), advice=_ADVICE, fixes=fixes)


_ADVICE: Final = "call a function such as isnan"
#: What comparisons with NaN give.
_ANSWERS: Final = {
    "eq": "is false for every element, because NaN equals nothing, not even itself",
    "ne": "is true for every element, because NaN equals nothing, not even itself",
    "is": "is false for every NaN but this one object",
    "is not": "is true for every NaN but this one object",
    "in": "does not find NaN, because NaN equals nothing, not even itself",
    "not in": "does not find NaN, because NaN equals nothing, not even itself",
}


def _message(name: str, item: NanTest | Op, context: Context) -> str:
    text = quoted(context.text(item.site.node))
    return f"{text} {_ANSWERS[name]}{context.condition_note(item)}"


def is_asked_for_before(event: NanTest, context: Context) -> bool:
    """Whether a condition on the way has asked what the name is that holds NaN: here it may be something else."""
    node = event.nan_node
    text = context.text(node)
    imported = {binding.local for binding in bindings(event.site.document)}
    if not isinstance(node, (cst.Name, cst.Attribute)) or text.partition(".")[0] in imported:
        return False
    name = re.compile(rf"(?<![\w.]){re.escape(text)}(?!\w)")
    return any(name.search(condition.text) for condition in event.path)


def compares_nan_with_tensor(op: Op) -> bool:
    """Whether one operand of a comparing function is the number NaN and the other one a tensor."""
    operands = op.args.get("x"), op.args.get("y")
    return any(isinstance(value, float) and value != value for value in operands) and bool(op.inputs)


#: Framework → its test for NaN, by qualified name.
_TESTS: Final = {
    "torch": "torch.isnan", "tensorflow": "tensorflow.math.is_nan", "keras": "keras.ops.isnan", "numpy": "numpy.isnan",
}  # fmt: skip
_NEGATED: Final = frozenset({"ne", "is not"})


@builder
def _test(event: NanTest, context: Context) -> tuple[Edit, ...]:
    """``isnan(x)`` instead of the comparison; nothing for memberships."""
    if event.name in ("in", "not in"):
        return ()
    site, other = event.site, event.other
    qualified = _qualified(other, context.text(event.nan_node), site.document)
    if qualified is None:
        return ()
    written, imports = name_for(site.document, qualified)
    text = f"{written}({context.text(event.other_node)})"
    if event.name in _NEGATED:
        plain = qualified == "math.isnan" or _is_decided_on(site)
        text = f"not {text}" if plain else f"~{text}"
    return (*replace_expression(site, site.node, text), *imports)


def _qualified(other: Value, nan: str, document: Document) -> str | None:
    """The test for what is compared: that of its framework, else that of the library whose NaN it is compared with."""
    if isinstance(other, TensorVal):
        return _TESTS.get(other.framework)
    if isinstance(other, InstanceVal) and getattr(other.cls, "name", "").startswith("pandas."):
        return "pandas.isna"
    if isinstance(other, (int, float)):
        return "math.isnan"
    targets = {binding.local: binding.target for binding in bindings(document)}
    module = targets.get(nan.partition(".")[0], "")
    if module == "numpy":
        return "pandas.isna" if "pandas" in targets.values() else "numpy.isnan"
    return "math.isnan" if module == "math" else None


def _is_decided_on(site: Site) -> bool:
    """Whether the comparison is the condition of a statement or part of one."""
    around = parent(site.statement, site.node)
    return isinstance(around, (cst.If, cst.While, cst.IfExp, cst.Assert, cst.BooleanOperation, cst.UnaryOperation))
