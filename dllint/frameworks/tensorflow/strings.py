"""``tf.strings``: functions of each text of a tensor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dllint.domains.dtype import BOOL, FLOAT32, INT32, INT64, STRING, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.given import given
from dllint.frameworks.keras.protocols.plain import plain
from dllint.frameworks.machine import Handler, Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Value
from dllint.ops.operand import read_dtype

#: What the results are of.
_RESULTS: Final[Mapping[DType, str]] = {
    STRING: "strings.lower strings.upper strings.strip strings.regex_replace strings.substr as_string strings.as_string",
    INT32: "strings.length",
    INT64: "strings.to_hash_bucket strings.to_hash_bucket_fast strings.to_hash_bucket_strong",
    BOOL: "strings.regex_full_match",
}


def _of_each(name: str, dtype: DType) -> Handler:
    def compute(machine: Machine, _: Value, arguments: Arguments) -> Value:
        first = arguments.args[0] if arguments.args else next(iter(arguments.kwargs.values()), None)
        return _results(machine, first, dtype, name)

    return compute


def _results(machine: Machine, texts: Value, dtype: DType | Unknown, name: str) -> Value:
    texts = plain(texts)
    if isinstance(texts, (str, tuple)):
        texts = machine.emit("array", {"data": texts}, framework="tensorflow", spelled=f"tensorflow.{name}")
    if not isinstance(texts, TensorVal):
        return machine.unknown("no-tensor", f"tensorflow.{name}")
    return machine.tensor(TensorType(texts.shape, dtype), framework="tensorflow", name=name.rpartition(".")[2])


for _dtype, _names in _RESULTS.items():
    for _name in _names.split():
        handler(f"tensorflow.{_name}")(_of_each(_name, _dtype))


@handler("tensorflow.strings.to_number")
def to_number(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The numbers that texts are, by default of single precision."""
    bound = given("input, out_type=None, name=None", arguments)
    dtype = FLOAT32 if bound["out_type"] is None else read_dtype(bound["out_type"])
    return _results(
        machine, bound.get("input"), Unknown("no-argument", "out_type") if dtype is None else dtype, "strings.to_number"
    )
