"""Windows of convolutions and poolings on the way to a tensor that leave it the size it had."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.edit import Edit
from dllint.fixes.operations import constructor_argument, is_constant, replace_constant, set_option
from dllint.ir.program import Op
from dllint.ir.values import InstanceVal, Value

#: Operations that are looked at, nearest first.
_MOST: Final = 12


def kept_sizes(op: Op) -> Iterator[tuple[str, tuple[Edit, ...]]]:
    """What may be changed in the layers before an operation so that one of them keeps the sizes of its input: the stride, the
    kernel where a padding is written, the padding where none is."""
    for maker in _before(op):
        if isinstance(maker.layer, InstanceVal) and maker.layer.layer is not None:
            yield from _of_layer(maker.layer)


def _of_layer(layer: InstanceVal) -> Iterator[tuple[str, tuple[Edit, ...]]]:
    kernel, stride, padding = (_whole(layer, name) for name in ("kernel_size", "stride", "padding"))
    if kernel is None:
        return
    if stride is not None and stride > 1:
        yield "Set stride to 1", replace_constant(layer, "stride", 1)
    written = constructor_argument(layer, "padding")
    if padding and written is not None and kernel != 2 * padding + 1:
        yield f"Set kernel_size to {2 * padding + 1}", replace_constant(layer, "kernel_size", 2 * padding + 1)
    if kernel % 2 and padding != kernel // 2 and (written is None or is_constant(written[1].value)):
        yield f"Set padding to {kernel // 2}", set_option(layer, "padding", str(kernel // 2))


def _whole(layer: InstanceVal, name: str) -> int | None:
    value: Value = layer.layer.args.get(name) if layer.layer is not None else None
    return value if type(value) is int else None


def _before(op: Op) -> Iterator[Op]:
    todo, seen = [op], {id(op)}
    for step in todo:
        for value in step.inputs:
            maker = value.producer
            if maker is not None and id(maker) not in seen and len(todo) < _MOST:
                seen.add(id(maker))
                todo.append(maker)
                yield maker
