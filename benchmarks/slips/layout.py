"""Slips in what ``forward`` does with axes: flatten, permute, view, cat, reductions, products."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from benchmarks.slips.kinds import (
    Change,
    Family,
    Model,
    argument,
    expression,
    integer,
    is_member_call,
    kind,
    last_name,
    operand,
    positional,
    receiver,
    revalued,
    scaled,
    walk,
    written,
)

_REDUCTIONS: Final = ("mean", "sum", "max", "min", "argmax", "norm", "std", "var")


def _removed(model: Model, *names: str) -> Iterator[Change]:
    for call in model.performed:
        given = operand(call) if last_name(call) in names else None
        if given is not None and not is_member_call(call):
            yield Change(call, given)


def _other_axis(arg: cst.Arg | None, wrong: int | None = None) -> Iterator[Change]:
    number = integer(arg)
    if arg is not None and number is not None:
        other = wrong if wrong is not None and wrong != number else 0 if number else 1
        yield revalued(arg, expression(str(other)))


@kind("flatten forgotten")
def flatten(model: Model) -> Iterator[Change]:
    """``x`` for ``x.flatten(1)``, ``x.view(x.size(0), -1)``; a ``Sequential`` without its ``Flatten``."""
    yield from _removed(model, "flatten")
    for call in model.performed:
        given = positional(call)
        tensor = receiver(call) if last_name(call) in ("view", "reshape") else None
        if tensor is not None and len(given) == 2 and integer(given[1]) == -1:
            yield Change(call, tensor)
    for call in model.built:
        if last_name(call) == "Sequential":
            rest = [arg for arg in call.args if not (isinstance(arg.value, cst.Call) and last_name(arg.value) == "Flatten")]
            if len(rest) < len(call.args) and rest:
                yield Change(call, call.with_changes(args=rest))


@kind("permute or transpose forgotten")
def permute(model: Model) -> Iterator[Change]:
    """``x`` for ``x.permute(0, 2, 1)``."""
    return _removed(model, "permute", "transpose", "swapaxes")


@kind("permute in another order")
def permute_order(model: Model) -> Iterator[Change]:
    """The last two axes of a ``permute`` exchanged."""
    for call in model.performed:
        given = positional(call)
        if last_name(call) in ("permute", "transpose", "swapaxes") and len(given) >= 2:
            number = integer(given[-1])
            if len(given) == 2 and number is not None:
                yield revalued(given[-1], expression(str(0 if number else 1)))
            elif number is not None and (before := integer(given[-2])) is not None:
                exchanged = (
                    given[-2].with_changes(value=expression(str(number))),
                    given[-1].with_changes(value=expression(str(before))),
                )
                yield Change(call, call.with_changes(args=(*call.args[:-2], *exchanged)))


@kind("unsqueeze forgotten")
def unsqueeze(model: Model) -> Iterator[Change]:
    """``x`` for ``x.unsqueeze(1)``."""
    return _removed(model, "unsqueeze")


@kind("squeeze forgotten")
def squeeze(model: Model) -> Iterator[Change]:
    """``x`` for ``x.squeeze(-1)``."""
    return _removed(model, "squeeze")


@kind("unsqueeze of another axis")
def unsqueeze_axis(model: Model) -> Iterator[Change]:
    """``x.unsqueeze(0)`` for ``x.unsqueeze(1)``."""
    for call in model.performed:
        if last_name(call) == "unsqueeze":
            yield from _other_axis(argument(call, 0 if receiver(call) is not None else 1, "dim"))


@kind("axis of cat or stack")
def cat_axis(model: Model) -> Iterator[Change]:
    """``torch.cat([a, b], dim=0)`` for ``dim=1``."""
    for call in model.performed:
        if last_name(call) in ("cat", "concat", "stack"):
            yield from _other_axis(argument(call, 1, "dim", "axis"))


@kind("stack instead of cat")
def stack_for_cat(model: Model) -> Iterator[Change]:
    """``torch.stack([a, b], 1)`` for ``torch.cat([a, b], 1)``."""
    for call in model.performed:
        if last_name(call) in ("cat", "concat") and isinstance(call.func, cst.Attribute):
            yield Change(call.func, call.func.with_changes(attr=cst.Name("stack")))


@kind("axis of a reduction")
def reduction_axis(model: Model) -> Iterator[Change]:
    """``x.mean(0)`` for ``x.mean(1)``."""
    for call in model.performed:
        if last_name(call) in _REDUCTIONS and not is_member_call(call):
            yield from _other_axis(argument(call, 0 if receiver(call) is not None else 1, "dim", "axis"))


@kind("axis of softmax", Family.STRUCTURE)
def softmax_axis(model: Model) -> Iterator[Change]:
    """``softmax(dim=0)`` for the axis that is meant."""
    for call in model.calls:
        name = last_name(call)
        if name in ("softmax", "log_softmax"):
            yield from _other_axis(argument(call, 0 if receiver(call) is not None else 1, "dim"), 0)
        elif name in ("Softmax", "LogSoftmax"):
            yield from _other_axis(argument(call, 0, "dim"), 0)


@kind("sizes of a view")
def view_sizes(model: Model) -> Iterator[Change]:
    """A size of ``view`` or ``reshape`` doubled."""
    for call in model.performed:
        if last_name(call) in ("view", "reshape") and receiver(call) is not None:
            for arg in positional(call):
                if integer(arg) != -1 and not isinstance(arg.value, (cst.Tuple, cst.List, cst.Call)):
                    yield revalued(arg, scaled(arg.value))


@kind("sizes of a view exchanged")
def view_order(model: Model) -> Iterator[Change]:
    """``x.view(b, c, n)`` for ``x.view(b, n, c)``."""
    for call in model.performed:
        given = positional(call)
        if last_name(call) in ("view", "reshape") and receiver(call) is not None and len(given) > 2:
            a, b = given[-2], given[-1]
            exchanged = (a.with_changes(value=b.value), b.with_changes(value=a.value))
            yield Change(call, call.with_changes(args=(*call.args[:-2], *exchanged)))


@kind("product without its transpose")
def matmul(model: Model) -> Iterator[Change]:
    """``q @ k`` for ``q @ k.transpose(-2, -1)``; ``b @ a`` for ``a @ b``."""
    for node in walk(model.forward):
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.MatrixMultiply):
            yield Change(node, node.with_changes(left=node.right, right=node.left))
        elif isinstance(node, cst.Call) and last_name(node) in ("matmul", "bmm", "mm"):
            given = positional(node)
            if len(given) == 2:
                exchanged = (given[0].with_changes(value=given[1].value), given[1].with_changes(value=given[0].value))
                yield Change(node, node.with_changes(args=exchanged))


@kind("size of another axis")
def size_axis(model: Model) -> Iterator[Change]:
    """``x.size(0)`` for ``x.size(1)``, ``x.shape[0]`` for ``x.shape[1]``."""
    for node in walk(model.forward):
        if isinstance(node, cst.Call) and last_name(node) == "size":
            yield from _other_axis(argument(node, 0, "dim"))
        elif isinstance(node, cst.Subscript) and isinstance(node.value, cst.Attribute) and node.value.attr.value == "shape":
            inside = node.slice[0].slice
            if isinstance(inside, cst.Index) and isinstance(inside.value, cst.Integer):
                other = cst.Integer("1" if inside.value.value == "0" else "0")
                yield Change(inside, inside.with_changes(value=other))


@kind("batch_first", Family.STRUCTURE)
def batch_first(model: Model) -> Iterator[Change]:
    """``batch_first`` turned round."""
    for call in model.built:
        found = argument(call, 99, "batch_first")
        if found is not None and isinstance(found.value, cst.Name) and found.value.value in ("True", "False"):
            yield revalued(found, cst.Name("False" if found.value.value == "True" else "True"))


@kind("result of a recurrent layer not unpacked")
def recurrent_tuple(model: Model) -> Iterator[Change]:
    """``out = self.lstm(x)`` for ``out, _ = self.lstm(x)``."""
    for node in walk(model.forward):
        if isinstance(node, cst.Assign) and len(node.targets) == 1 and is_member_call(node.value):
            target = node.targets[0]
            if isinstance(target.target, cst.Tuple) and len(target.target.elements) == 2:
                first = target.target.elements[0].value
                if isinstance(first, cst.Name) and "self." in written(node.value):
                    yield Change(target, target.with_changes(target=first))
