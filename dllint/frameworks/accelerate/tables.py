"""The tables of Accelerate as the registry loads them: ``prepare`` gives back what it gets, ``backward`` differentiates a loss.

Source: accelerate 1.x, class ``Accelerator``; Lightning 2.6, class ``Fabric``.
"""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import counted
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler, prop
from dllint.ir.events import Backward
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, Value

ACCELERATOR: Final = "accelerate.Accelerator"
FABRIC: Final = "lightning.Fabric"
LIBRARY_BASES.update({ACCELERATOR: (), FABRIC: ()})
_SPELLINGS: Final = {
    "accelerate.accelerator.Accelerator": ACCELERATOR,
    "lightning.fabric.Fabric": FABRIC,
    "lightning.fabric.fabric.Fabric": FABRIC,
    "lightning_fabric.Fabric": FABRIC,
    "lightning_fabric.fabric.Fabric": FABRIC,
}


def canonical(name: str) -> str | None:
    """``accelerate.accelerator.Accelerator.prepare`` → ``accelerate.Accelerator.prepare``."""
    for long, short in _SPELLINGS.items():
        if name == long or name.startswith(f"{long}."):
            return short + name[len(long) :]
    return None


@handler(ACCELERATOR)
def accelerator(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """An accelerator."""
    return InstanceVal(LibSymbol(ACCELERATOR), site=machine.site)


@handler(FABRIC)
def fabric(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A Fabric."""
    return InstanceVal(LibSymbol(FABRIC), site=machine.site)


@handler(
    *(f"{ACCELERATOR}.{name}" for name in ("prepare", "prepare_model", "prepare_optimizer", "prepare_data_loader")),
    *(f"{ACCELERATOR}.{name}" for name in ("prepare_scheduler", "unwrap_model", "reduce")),
    *(f"{FABRIC}.{name}" for name in ("setup", "setup_module", "setup_optimizers", "setup_dataloaders", "to_device")),
)
def given_back(machine: Machine, engine: Value, arguments: Arguments) -> Value:
    """What was given, several objects as a tuple."""
    if arguments.star is not None or not arguments.args:
        return next(iter(arguments.kwargs.values()), None) if arguments.star is None else machine.unknown("stars", "prepare")
    return arguments.args[0] if len(arguments.args) == 1 else tuple(arguments.args)


@handler(f"{ACCELERATOR}.backward", f"{FABRIC}.backward")
def backward(machine: Machine, engine: Value, arguments: Arguments) -> Value:
    """``accelerator.backward(loss)``."""
    machine.event(Backward, target=arguments.args[0] if arguments.args else arguments.kwargs.get("loss"), via=engine)
    return None


@handler(*(f"{ACCELERATOR}.{name}" for name in ("gather", "gather_for_metrics", "pad_across_processes")))
def gathered(machine: Machine, engine: Value, arguments: Arguments) -> Value:
    """The rows of all processes: as many as there are of these."""
    return _of_all(machine, arguments.args[0] if arguments.args else None)


def _of_all(machine: Machine, value: Value) -> Value:
    if isinstance(value, tuple):
        return tuple(_of_all(machine, part) for part in value)
    if not isinstance(value, TensorVal) or not isinstance(value.shape, tuple) or not value.shape:
        return machine.unknown("run-time", "gather")
    return machine.tensor(TensorType((counted("rows"), *value.shape[1:]), value.dtype), framework="torch")


@handler(*(f"{ACCELERATOR}.{name}" for name in ("print", "wait_for_everyone", "log", "init_trackers", "end_training")))
def nothing(machine: Machine, engine: Value, arguments: Arguments) -> Value:
    """No value is changed."""
    return None


@prop(f"{ACCELERATOR}.device", f"{FABRIC}.device")
def device(machine: Machine, engine: Value) -> Value:
    """The device is that of the machine on which the program runs."""
    return Unknown("run-time", "device")
