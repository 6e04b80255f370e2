"""The default element type: ``torch.set_default_dtype``, ``torch.set_default_tensor_type``, ``torch.get_default_dtype``."""

from __future__ import annotations

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import Machine, handler
from dllint.frameworks.torch.protocols.conversion import dtype_of
from dllint.frameworks.torch.protocols.element_types import TYPED_CLASSES
from dllint.ir.values import Arguments, LibSymbol, Value, unwrap
from dllint.ops.default_type import DEFAULT_TYPE, default_type


@handler("torch.set_default_dtype")
def set_default(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Floating-point tensors and weights that are made from here on have this type."""
    wanted = unwrap(arguments.args[0]) if arguments.args else None
    machine.write(machine.state, DEFAULT_TYPE, dtype_of(wanted) or Unknown("dtype", DEFAULT_TYPE))
    return None


@handler("torch.set_default_tensor_type")
def set_default_class(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The same, by a class of tensors or its name."""
    wanted = unwrap(arguments.args[0]) if arguments.args else None
    name = wanted.name if isinstance(wanted, LibSymbol) else wanted
    found = TYPED_CLASSES.get(name) if isinstance(name, str) else None
    machine.write(machine.state, DEFAULT_TYPE, found or Unknown("dtype", DEFAULT_TYPE))
    return None


@handler("torch.get_default_dtype")
def get_default(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The default type at this place."""
    return default_type(machine.state)
