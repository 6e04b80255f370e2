"""Reading a layer sample such as ``Conv2d(3, 8, 3)`` as the interpreter would: through the library's row and signature."""

from __future__ import annotations

import ast
from typing import Any

import dllint.ops.all
from dllint.domains.dtype import DTYPES, FLOAT32
from dllint.domains.shape import TensorType
from dllint.frameworks import registry
from dllint.frameworks.binding import bind, defaults
from dllint.frameworks.keras.protocols.convert import CONVERT
from dllint.frameworks.rows import LayerRow
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments
from dllint.ops.spec import OPS, Outcome, apply

assert dllint.ops.all

Operand = tuple[Any, ...]


def operand_type(operand: Operand) -> TensorType:
    """``(2, 3)`` is a float32 tensor, ``("int64", 2, 3)`` one of another type."""
    if operand and isinstance(operand[0], str):
        return TensorType(tuple(operand[1:]), DTYPES[operand[0]])
    return TensorType(tuple(operand), FLOAT32)


def parse(sample: str) -> tuple[str, Arguments]:
    """The class name and the arguments of a constructor call of literals."""
    call = ast.parse(sample, mode="eval").body
    assert isinstance(call, ast.Call)
    args = tuple(_frozen(ast.literal_eval(a)) for a in call.args)
    kwargs = {k.arg: _frozen(ast.literal_eval(k.value)) for k in call.keywords if k.arg}
    return ast.unparse(call.func), Arguments(args, kwargs)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value


def rename(row: LayerRow, name: str) -> str:
    if name in row.rename:
        return row.rename[name]
    spec = OPS.get(row.op)
    if spec is not None and name in spec.parameters:
        return name
    return registry.renames(row.framework).get(name) or registry.COMMON_RENAMES.get(name, name)


def configuration(qualified: str, arguments: Arguments) -> tuple[LayerRow, dict[str, Any]]:
    """The row and the canonical configuration of a constructor call."""
    registry.load(qualified)
    row = registry.layer_row(registry.canonical(qualified))
    assert row is not None, qualified
    params = registry.parameters(row.name, row.params)
    assert params is not None, row.name
    bound = bind(params, arguments)
    given = {**defaults(params, bound), **bound.values}
    config = {rename(row, k): v for k, v in given.items() if not isinstance(v, dict)}
    return row, {**config, **row.const}


def call_layer(row: LayerRow, config: dict[str, Any], operands: tuple[Operand, ...], **extra: Any) -> Outcome:
    """Apply the layer's operation to operands given in the order of its call."""
    params = registry.parameters(f"{row.name}.__call__", row.call) or ()
    types = tuple(tuple(map(operand_type, o)) if o and isinstance(o[0], tuple) else operand_type(o) for o in operands)
    bound = bind(params, Arguments(types, extra))
    args = {**config, **{rename(row, k): v for k, v in {**defaults(params, bound), **bound.values}.items()}}
    convert = CONVERT.get(row.name.rpartition(".")[2]) if row.framework == "keras" else None
    if convert is not None:
        args |= convert(args, TensorVal(args["x"], framework="keras"))
    return apply(row.op, row.framework, args)


def tensors(result: Any) -> list[TensorType | None]:
    """The tensors of a nested result, in order."""
    if isinstance(result, tuple | list):
        return [t for part in result for t in tensors(part)]
    return [result]
