"""What a signature says of tensors that only the run of a program shows: ``tf.TensorSpec``, and data sets of generators."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import Dim, DimExpr, counted
from dllint.domains.dtype import FLOAT32, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.frameworks.given import given
from dllint.frameworks.keras.protocols.images import DATASET, batches
from dllint.frameworks.keras.protocols.plain import plain
from dllint.frameworks.machine import Machine, handler
from dllint.ir.values import Arguments, DictVal, Value
from dllint.ops.operand import read_dtype

_OPEN: Final = Unknown("signature", "shape")
_GENERATOR: Final = "generator, output_types=None, output_shapes=None, args=None, output_signature=None, name=None"


def _sizes(value: Value) -> Shape | Unknown:
    """The shape that a signature states: ``None`` is any size, and in the place of all sizes any shape."""
    found = plain(value)
    if not isinstance(found, tuple):
        return _OPEN
    sizes: list[Dim] = []
    for size in found:
        if size is not None and not isinstance(size, (int, DimExpr)):
            return _OPEN
        sizes.append(counted("size") if size is None else size)
    return tuple(sizes)


def _tensor(machine: Machine, shape: Value, dtype: Value) -> Value:
    found = read_dtype(dtype)
    kind: DType | Unknown = Unknown("signature", "dtype") if found is None else found
    return machine.tensor(TensorType(_sizes(shape), kind), framework="tensorflow", name="element")


@handler("tensorflow.TensorSpec")
def tensor_spec(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A tensor as the signature describes it."""
    bound = given("shape, dtype=None, name=None", arguments)
    return _tensor(machine, bound.get("shape"), FLOAT32 if bound["dtype"] is None else bound["dtype"])


@handler(f"{DATASET}.from_generator")
def from_generator(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Elements as the signature describes them, or as the types and shapes do, which have the same nest."""
    bound = given(_GENERATOR, arguments)
    out = batches(machine)
    signature, types = plain(bound["output_signature"]), plain(bound["output_types"])
    out.state["element"] = _described(machine, types, bound["output_shapes"]) if signature is None else signature
    return out


def _described(machine: Machine, types: Value, shapes: Value) -> Value:
    if types is None:
        return Unknown("signature", "element")
    found = plain(shapes)
    if isinstance(types, tuple):
        parts = found if isinstance(found, tuple) and len(found) == len(types) else (None,) * len(types)
        return tuple(_described(machine, one, part) for one, part in zip(types, parts, strict=True))
    if isinstance(types, DictVal):
        given_shapes = shapes.items if isinstance(shapes, DictVal) else {}
        return DictVal({key: _described(machine, one, given_shapes.get(key)) for key, one in types.items.items()})
    return _tensor(machine, found, types)
