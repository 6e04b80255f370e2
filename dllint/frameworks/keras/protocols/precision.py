"""In which precision Keras layers compute: their own ``dtype``, the global policy, ``floatx``; the fuzz factor."""

from __future__ import annotations

from typing import Final

from dllint.domains.dtype import DType, dtype_named
from dllint.domains.lattice import Unknown
from dllint.frameworks.keras.protocols.plain import argument, plain
from dllint.frameworks.machine import Machine, handler, prop
from dllint.ir.program import COMPUTE_DTYPE
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, Value

_POLICIES: Final = ("keras.mixed_precision.Policy", "keras.DTypePolicy", "keras.mixed_precision.DTypePolicy",
                    "keras.dtype_policies.DTypePolicy", "keras.mixed_precision.experimental.Policy")  # fmt: skip
_GLOBAL: Final = "keras.policy"
_FLOATX: Final = "keras.floatx"
_EPSILON: Final = "keras.epsilon"
_MIXED: Final = "mixed_"


def compute_dtype(policy: Value) -> DType | Unknown | None:
    """The type in which a layer of a policy computes (``mixed_float16``, a type, a policy object); ``None`` if none is given,
    Unknown if it is nothing that can be read, or a type of other numbers, which not all layers follow."""
    policy = plain(policy)
    if isinstance(policy, InstanceVal) and "name" in policy.state:
        return compute_dtype(policy.state["name"])
    if policy is None:
        return None
    name = policy.name.rpartition(".")[2] if isinstance(policy, LibSymbol) else policy
    found = policy if isinstance(policy, DType) else None
    if isinstance(name, str):
        found = dtype_named(name.removeprefix(_MIXED))
    if found is None:
        return policy if isinstance(policy, Unknown) else Unknown("dtype", "policy")
    return found if found.kind == "float" else Unknown("dtype", "policy")


def set_precision(machine: Machine, layer: InstanceVal, arguments: Arguments) -> None:
    """Note in which type a layer computes: its own, that of a global setting, or the usual one."""
    given = arguments.kwargs.get("dtype")
    usual = machine.state.get(_GLOBAL, machine.state.get(_FLOATX, "float32"))
    found = compute_dtype(given if given is not None else usual)
    if found is not None:
        machine.write(layer.state, COMPUTE_DTYPE, found)


@handler("keras.mixed_precision.set_global_policy", "keras.mixed_precision.set_dtype_policy", "keras.config.set_dtype_policy",
         "keras.mixed_precision.experimental.set_policy")  # fmt: skip
def set_policy(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The policy of all layers that are made from here on."""
    machine.write(machine.state, _GLOBAL, argument(arguments, "policy", 0))
    return None


@handler(*_POLICIES)
def policy(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A policy by its name."""
    out = InstanceVal(LibSymbol(_POLICIES[0]), site=machine.site)
    machine.write(out.state, "name", argument(arguments, "name", 0))
    return out


@prop(f"{_POLICIES[0]}.compute_dtype")
def policy_type(machine: Machine, owner: Value) -> Value:
    """The type in which layers of a policy compute."""
    found = compute_dtype(owner)
    return found.name if isinstance(found, DType) else Unknown("dtype", "policy")


@handler("keras.backend.set_floatx", "keras.config.set_floatx")
def set_floatx(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The default type of weights and results."""
    machine.write(machine.state, _FLOATX, argument(arguments, "floatx", 0, argument(arguments, "value", 0)))
    return None


@handler("keras.backend.floatx", "keras.config.floatx")
def floatx(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The default element type."""
    return machine.state.get(_FLOATX, "float32")


@handler("keras.backend.set_epsilon", "keras.config.set_epsilon")
def set_epsilon(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The fuzz factor from here on."""
    machine.write(machine.state, _EPSILON, argument(arguments, "value", 0, argument(arguments, "e", 0)))
    return None


@handler("keras.backend.epsilon", "keras.config.epsilon")
def epsilon(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The fuzz factor."""
    return machine.state.get(_EPSILON, 1e-07)
