"""``torch.autocast``: a region in which operations choose the precision they compute in."""

from __future__ import annotations

from typing import Final

from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import Machine, handler
from dllint.frameworks.torch.protocols.conversion import dtype_of
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, Value, unwrap
from dllint.ops.autocast import Autocast, default_dtype

AUTOCAST: Final = "torch.autocast"
#: The key under which the machine keeps the region.
STATE: Final = "autocast"


@handler(AUTOCAST)
def autocast(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``torch.autocast(device_type, dtype=None, enabled=True)``, and ``torch.cuda.amp.autocast(enabled=True, dtype=float16)``,
    which names no device. Without parentheses around nothing it decorates a function."""
    first = unwrap(arguments.args[0]) if arguments.args else None
    if first is not None and not isinstance(first, (bool, str, int, Unknown, LibSymbol, InstanceVal)):
        return first
    out = InstanceVal(LibSymbol(AUTOCAST), site=machine.site)
    machine.write(out.state, "region", _region(first, arguments))
    return out


def _region(first: Value, arguments: Arguments) -> Autocast | None:
    """The region that the arguments describe; ``None`` if it is switched off."""
    named = arguments.kwargs.get("device_type")
    old = named is None and not isinstance(first, (str, Unknown))
    order = ("enabled", "dtype") if old else ("device_type", "dtype", "enabled")
    given = {**dict(zip(order, arguments.args, strict=False)), **arguments.kwargs}
    values = {name: unwrap(value) for name, value in given.items()}
    device = "cuda" if old else values.get("device_type")
    device = device.partition(":")[0] if isinstance(device, str) else Unknown("environment", "device")
    enabled = values.get("enabled", True)
    if enabled is False:
        return None
    dtype = _dtype(values.get("dtype"), device)
    return Autocast(device, dtype if enabled is True else Unknown("autocast", "enabled"))


def _dtype(given: Value, device: str | Unknown) -> DType | Unknown:
    if given is None:
        return default_dtype(device)
    return dtype_of(given) or Unknown("autocast", "dtype")


@handler(f"{AUTOCAST}.__enter__", on=InstanceVal)
def enter(machine: Machine, context: InstanceVal, arguments: Arguments) -> Value:
    """Operations compute in the region from here on."""
    machine.write(context.state, "outer", machine.state.get(STATE))
    machine.write(machine.state, STATE, context.state.get("region"))
    return context


@handler(f"{AUTOCAST}.__exit__", on=InstanceVal)
def leave(machine: Machine, context: InstanceVal, arguments: Arguments) -> Value:
    """Restore the state from before the region."""
    machine.write(machine.state, STATE, context.state.get("outer"))
    return False


@handler(f"{AUTOCAST}.__call__")
def decorate(machine: Machine, context: Value, arguments: Arguments) -> Value:
    """A decorator; the interpreter enters it when the function is called."""
    return arguments.args[0] if arguments.args else None
