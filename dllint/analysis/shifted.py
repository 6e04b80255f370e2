"""Arguments of exponentials from which something has been subtracted, as the maximum is so that no result overflows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from dllint.analysis.own_statements import enclosing
from dllint.domains.lattice import Unknown, UnknownResult
from dllint.ir.program import JOIN, Op, Site, TensorVal
from dllint.ops.kinds import does, having_any
from dllint.ops.traits import Trait
from dllint.ops.walk import handed_on
from dllint.source.walk import walk

#: Steps through which a number stays as far below the largest one, or by a factor.
_SCALES: Final = having_any(Trait.MULTIPLIES | Trait.DIVIDES | Trait.NEGATES)
#: What puts the elements of one operand, or of another, into the result.
_MIXES: Final = having_any(Trait.CHOOSES) | {JOIN}
_HANDS_ON: Final = having_any(Trait.SELECTS | Trait.KEEPS_PLACES | Trait.CONVERTS | Trait.REPLACES | Trait.LIMITS)
#: The same as operators of Python.
_SCALING: Final = _SCALES | {"truediv"}
_SUBTRACTS: Final = ("sub", "sub_", "subtract")
#: So many steps are gone back.
_STEPS: Final = 6


def is_shifted(exponential: Op) -> bool:
    """Whether something is, or may be, subtracted from the argument of an exponential before it is scaled and moved."""
    x = exponential.args.get("x")
    return _is_shifted(x, _STEPS) or (isinstance(x, Unknown) and _may_be_shifted(exponential.site))


def _is_shifted(value: object, steps: int) -> bool:
    if steps == 0:
        return False
    if isinstance(value, UnknownResult):
        return _is_difference(value) or (value.operator in _SCALING and any(_is_shifted(x, steps - 1) for x in value.operands))
    op = value.producer if isinstance(value, TensorVal) else None
    if op is None:
        return False
    if does(op, Trait.SUBTRACTS) or (does(op, Trait.ADDS) and any(_is_negative(op.args.get(name)) for name in ("x", "y"))):
        return True
    if op.kind in _SCALES or op.kind in _MIXES:
        return any(_is_shifted(operand, steps - 1) for operand in op.args.values())
    if op.kind not in _HANDS_ON:
        return False
    x = op.args.get("x")
    return _is_shifted(x if isinstance(x, UnknownResult) else handed_on(op), steps - 1)


def _is_difference(value: UnknownResult) -> bool:
    return value.operator == "sub" or (value.operator == "add" and any(_is_negative(operand) for operand in value.operands))


def _is_negative(value: object) -> bool:
    """Whether the sign of something has been turned."""
    if isinstance(value, UnknownResult):
        return value.operator == "neg"
    return isinstance(value, TensorVal) and does(value.producer, Trait.NEGATES)


# --- what is not followed ---------------------------------------------------------------------------------------------------


def _may_be_shifted(site: Site) -> bool:
    """Whether what is not known of an argument is computed by a difference, or by a function that is not followed, in what is
    written of it in its function."""
    functions = [part for part in enclosing(site) if isinstance(part, cst.FunctionDef)]
    inside = functions[-1].body if functions else None
    todo: list[cst.CSTNode] = [site.node.func, *site.node.args] if isinstance(site.node, cst.Call) else [site.node]
    seen: set[str] = set()
    while todo:
        expression = todo.pop()
        if any(map(_subtracts, walk(expression))):
            return True
        for name in {part.value for part in walk(expression) if isinstance(part, cst.Name)} - seen:
            seen.add(name)
            todo += _assigned(name, inside, site)
    return False


def _assigned(name: str, inside: cst.CSTNode | None, site: Site) -> Iterator[cst.CSTNode]:
    """What a name is bound to in a function, or at the top level of a file."""
    for top in (inside,) if inside is not None else site.document.body:
        for part in walk(top):
            if isinstance(part, cst.Assign) and any(_binds(target.target, name) for target in part.targets):
                yield part.value
            elif isinstance(part, cst.AugAssign) and _binds(part.target, name):
                yield part


def _binds(target: cst.BaseExpression, name: str) -> bool:
    if isinstance(target, (cst.Tuple, cst.List)):
        return any(_binds(element.value, name) for element in target.elements)
    return isinstance(target, cst.Name) and target.value == name


def _subtracts(part: cst.CSTNode) -> bool:
    if isinstance(part, cst.Call):
        function = part.func
        return isinstance(function, cst.Name) or (isinstance(function, cst.Attribute) and function.attr.value in _SUBTRACTS)
    if isinstance(part, cst.BinaryOperation) and isinstance(part.operator, cst.Add):
        return any(isinstance(side, cst.UnaryOperation) for side in (part.left, part.right))
    return isinstance(part, (cst.Subtract, cst.SubtractAssign))
