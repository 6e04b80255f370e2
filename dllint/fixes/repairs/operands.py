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
from dllint.ir.values import InstanceVal, Value
from dllint.ops.faults import MATMUL
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
#: Parameters of operations that name axes.
_NAMED: Final = ("dim", "dim0", "dim1", "dims", "start_dim", "end_dim")
#: Operations in front of a fault whose axes are looked at.
_STEPS: Final = 5
#: Of an operation that joins, or reduces along the first axis, which is that of the samples, at most so much is its distance.
_NEAR: Final = 2


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
    for distance, op in enumerate(found.flow):
        is_suspect = does(op, Trait.JOINS) or (does(op, Trait.REDUCES) and op.args.get("dim") == 0)
        if distance >= _STEPS and not is_suspect:
            continue
        distance = min(distance, _NEAR) if is_suspect else distance
        node = op.site.node
        if isinstance(op.layer, InstanceVal) or op.site.statement is None or not isinstance(node, cst.Call):
            continue
        ranks = [value.type.rank for value in op.inputs]
        if None not in ranks:
            yield from _other_axes(op, node, distance)
        given = positional_arguments(node)
        if len(given) > 1 and ranks:  # what takes no tensors is given sizes
            yield from _exchanged(op.site, given[-2], given[-1], 3 + distance)
        if does(op, Trait.JOINS) and None not in ranks and isinstance(node.func, cst.Attribute):
            other = "stack" if does(op, Trait.CONCATENATES) else "cat"
            yield Candidate(f"Call `{other}`", rename_attribute(op.site, node.func, other), 2 + distance)


def _other_axes(op: Op, node: cst.Call, distance: int) -> Iterator[Candidate]:
    named = {axis for name in _NAMED for axis in _numbers(op.args.get(name))}
    for arg in node.args:
        text = text_of(op.site, arg.value).replace(" ", "")
        if text.lstrip("-").isdigit() and int(text) in named:
            for axis in _AXES:
                if str(axis) != text:
                    cost = distance + (1 if does(op, Trait.JOINS) else 2)
                    yield Candidate(f"Write {axis} for {text}", replace_value(op.site, arg, str(axis)), cost)


def _numbers(value: Value) -> tuple[int, ...]:
    given = value if isinstance(value, tuple) else (value,)
    return tuple(part for part in given if isinstance(part, int) and not isinstance(part, bool))


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
