"""Initializers of TensorFlow 1: objects, classes passed without a call, and functions of a shape."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.given import given
from dllint.frameworks.keras.protocols.plain import argument, is_size, plain
from dllint.frameworks.keras.protocols.shapes import dtype_of
from dllint.frameworks.machine import HANDLERS, Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, FuncVal, InstanceVal, LibSymbol, Value

#: Name below ``tf`` → operation that makes the tensor.
OPERATIONS: Final = {
    "zeros_initializer": "zeros", "ones_initializer": "ones", "constant_initializer": "full",
    "truncated_normal_initializer": "randn", "random_normal_initializer": "randn", "random_uniform_initializer": "rand",
    "uniform_unit_scaling_initializer": "rand", "variance_scaling_initializer": "randn", "orthogonal_initializer": "randn",
    "glorot_uniform_initializer": "rand", "glorot_normal_initializer": "randn", "identity_initializer": "randn",
    "contrib.layers.xavier_initializer": "rand", "contrib.layers.xavier_initializer_conv2d": "rand",
    "contrib.layers.variance_scaling_initializer": "randn",
    **{f"initializers.{name}": op for name, op in (
        ("zeros", "zeros"), ("ones", "ones"), ("constant", "full"), ("random_normal", "randn"), ("random_uniform", "rand"),
        ("truncated_normal", "randn"), ("variance_scaling", "randn"), ("orthogonal", "randn"), ("glorot_uniform", "rand"),
        ("glorot_normal", "randn"), ("he_normal", "randn"), ("he_uniform", "rand"), ("lecun_normal", "randn"),
        ("lecun_uniform", "rand"), ("identity", "randn"),
    )},
}  # fmt: skip


#: What the constructor of an initializer takes, by operation.
_SIGNATURES: Final = {"full": "value=0.0, *rest, **options"}


def _register(name: str, op: str) -> None:
    full = f"tensorflow.{name}"

    def construct(machine: Machine, _: Value, arguments: Arguments) -> Value:
        """``constant_initializer(0.1)``; the function of a shape that the oldest releases had makes the tensor."""
        first = plain(arguments.args[0]) if arguments.args else None
        if isinstance(first, tuple) and op != "full":
            return initialized(machine, full, op, first, argument(arguments, "dtype", 1), {})
        instance = InstanceVal(LibSymbol(full), site=machine.site)
        initialize(machine, instance, arguments)
        return instance

    def initialize(machine: Machine, one: InstanceVal, arguments: Arguments) -> Value:
        machine.write(one.state, "arguments", given(_SIGNATURES.get(op, "*rest, **options"), arguments))
        return None

    def apply(machine: Machine, one: InstanceVal, arguments: Arguments) -> Value:
        asked, config = given("shape, dtype=None, partition_info=None, **options", arguments), one.kept("arguments")
        if not isinstance(config, dict):
            return config
        return initialized(machine, full, op, asked.get("shape"), asked.get("dtype"), config)

    handler(full)(construct)
    handler(f"{full}.__init__", on=InstanceVal)(initialize)
    handler(f"{full}.__call__", on=InstanceVal)(apply)


def initialized(machine: Machine, spelled: str, op: str, shape: Value, dtype: Value, config: dict[str, Value]) -> Value:
    """The tensor an initializer makes."""
    args = {"shape": plain(shape), "dtype": dtype}
    if op == "full":
        args["fill_value"] = plain(config.get("value", 0.0))
        if isinstance(args["fill_value"], tuple):
            args["fill_value"] = 0.0
    return machine.emit(op, args, framework="tensorflow", spelled=spelled)


for _name, _op in OPERATIONS.items():
    if f"tensorflow.{_name}" not in HANDLERS:
        _register(_name, _op)


def initial(machine: Machine, initializer: Value, shape: Value, dtype: Value) -> Value:
    """The tensor that a variable of the given shape starts with: by an initializer object, class or function; a tensor
    or a number is the value itself, and without one it is random."""
    chosen = plain(initializer)
    if isinstance(chosen, (TensorVal, tuple)) or is_size(chosen) or isinstance(chosen, float):
        return chosen
    if isinstance(chosen, LibSymbol):
        chosen = machine.call(chosen, Arguments())
    if isinstance(chosen, (InstanceVal, FuncVal)):
        found = machine.call(chosen, Arguments((shape,)))
        if isinstance(found, TensorVal):
            return found
    return machine.emit(
        "randn", {"shape": plain(shape), "dtype": dtype_of(dtype)}, framework="tensorflow", spelled="initializer"
    )
