"""Operands in another layout, operations along another axis, and products the other way round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.fixes.arguments import positional_arguments, replace_value
from dllint.fixes.calls import append_call, replace_expression
from dllint.fixes.operations import rename_attribute
from dllint.fixes.repairs.flow import Candidate, Faulty, text_of
from dllint.ir.program import Op, Site
from dllint.ir.values import InstanceVal
from dllint.ops.faults import MATMUL, RESHAPE_SIZE
from dllint.ops.kinds import does
from dllint.ops.traits import Trait

#: What is done to an operand of some ranks, likely ones first.
_LAYOUTS: Final = (
    ("flatten", "1", (3, 4, 5)),
    ("transpose", "1, 2", (3, 4)),
    ("transpose", "-2, -1", (2, 4)),
    ("unsqueeze", "1", (1, 2, 3, 4)),
    ("unsqueeze", "-1", (1, 2, 3)),
    ("squeeze", "-1", (2, 3, 4)),
    ("squeeze", "1", (3, 4)),
    ("permute", "0, 3, 1, 2", (4,)),
    ("permute", "0, 2, 3, 1", (4,)),
)
_AXES: Final = (0, 1, 2, 3, -1, -2)
#: A larger number is a size rather than an axis.
_HIGHEST: Final = 5
#: Operations in front of a fault whose axes are looked at.
_STEPS: Final = 5


def operands(site: Site) -> Iterator[cst.BaseExpression]:
    """The expressions that an operation works on."""
    node = site.node
    if isinstance(node, cst.BinaryOperation):
        yield from (node.left, node.right)
    elif isinstance(node, cst.Call):
        for arg in positional_arguments(node)[:2]:
            if isinstance(arg.value, (cst.Tuple, cst.List)):
                yield from (element.value for element in arg.value.elements)
            else:
                yield arg.value


def layouts(found: Faulty) -> Iterator[Candidate]:
    """Something in front of an operand of the operation itself, where its shape allows that."""
    site = found.op.site
    tensors = list(found.op.inputs)
    for place, node in enumerate(operands(site)):
        shape = tensors[place].shape if place < len(tensors) else Unknown("operand")
        for number, (method, arguments, ranks) in enumerate(_LAYOUTS):
            if not isinstance(shape, Unknown) and len(shape) in ranks and (method != "squeeze" or 1 in shape):
                edits = append_call(site, node, method, arguments)
                yield Candidate(f"Write `.{method}({arguments})`", edits, 3 + place + number // 3)


def axes(found: Faulty) -> Iterator[Candidate]:
    """Another axis, and the last two arguments in another order."""
    for distance, op in enumerate(found.flow[:_STEPS]):
        node = op.site.node
        if isinstance(op.layer, InstanceVal) or op.site.statement is None or not isinstance(node, cst.Call):
            continue
        ranks = [value.type.rank for value in op.inputs]
        if found.fault.kind != RESHAPE_SIZE and None not in ranks:  # there the numbers are sizes; here axes can be told
            yield from _other_axes(op, node, distance)
        given = positional_arguments(node)
        if len(given) > 1:
            yield from _exchanged(op.site, given[-2], given[-1], 3 + distance)
        if does(op, Trait.JOINS) and None not in ranks and isinstance(node.func, cst.Attribute):
            other = "stack" if does(op, Trait.CONCATENATES) else "cat"
            yield Candidate(f"Call `{other}`", rename_attribute(op.site, node.func, other), 2 + distance)


def _other_axes(op: Op, node: cst.Call, distance: int) -> Iterator[Candidate]:
    for arg in node.args:
        text = text_of(op.site, arg.value).replace(" ", "")
        if text.lstrip("-").isdigit() and abs(int(text)) < _HIGHEST:
            for axis in _AXES:
                if str(axis) != text:
                    yield Candidate(
                        f"Write {axis} for {text}", replace_value(op.site, arg, str(axis)), distance + 2 - does(op, Trait.JOINS)
                    )


def _exchanged(site: Site, first: cst.Arg, second: cst.Arg, cost: int) -> Iterator[Candidate]:
    one, other = text_of(site, first.value), text_of(site, second.value)
    if one != other and first.keyword is None and second.keyword is None:
        edits = (*replace_value(site, first, other), *replace_value(site, second, one))
        yield Candidate(f"Exchange {one} and {other}", edits, cost)


def products(found: Faulty) -> Iterator[Candidate]:
    """The factors of a matrix product in the other order."""
    site, node = found.op.site, found.op.site.node
    if found.fault.kind == MATMUL and isinstance(node, cst.BinaryOperation):
        one, other = text_of(site, node.left), text_of(site, node.right)
        edits = (*replace_expression(site, node.left, other), *replace_expression(site, node.right, one))
        yield Candidate(f"Exchange {one} and {other}", edits, 2)
