"""The tables of Lightning as the registry loads them: a ``LightningModule`` is a ``torch.nn.Module`` that also logs."""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler, prop
from dllint.ir.events import Backward
from dllint.ir.values import Arguments, DictVal, InstanceVal, Value

MODULE: Final = "pytorch_lightning.LightningModule"
DATA: Final = "pytorch_lightning.LightningDataModule"
_SAVED: Final = "hyper parameters"
#: Packages that hold the same names, longest first.
ROOTS: Final = ("lightning.pytorch", "lightning", "pytorch_lightning")

LIBRARY_BASES.update({MODULE: ("torch.nn.Module",), DATA: (), "pytorch_lightning.Trainer": ()})


def canonical(name: str) -> str | None:
    """``lightning.pytorch.core.module.LightningModule`` → ``pytorch_lightning.LightningModule``."""
    root = next((r for r in ROOTS if name.startswith(r + ".")), None)
    if root is None:
        return None
    last = name.rpartition(".")[2]
    for cls in ("LightningModule", "LightningDataModule", "Trainer"):
        _, found, rest = name.partition(f".{cls}")
        if found:
            return f"pytorch_lightning.{cls}{rest}"
    return f"pytorch_lightning.{last}" if last == "seed_everything" else None


@handler(f"{MODULE}.log", f"{MODULE}.log_dict", f"{MODULE}.print", f"{DATA}.__init__", "pytorch_lightning.seed_everything")
def nothing(machine: Machine, module: Value, arguments: Arguments) -> Value:
    """Logging changes no value."""
    return None


@handler(f"{MODULE}.manual_backward")
def manual_backward(machine: Machine, module: Value, arguments: Arguments) -> Value:
    """``self.manual_backward(loss)``."""
    machine.event(Backward, target=arguments.args[0] if arguments.args else None, via=module)
    return None


@handler(f"{MODULE}.save_hyperparameters", f"{DATA}.save_hyperparameters", on=InstanceVal)
def save(machine: Machine, module: InstanceVal, arguments: Arguments) -> Value:
    """``save_hyperparameters()`` keeps the arguments of the constructor that calls it, beside those that the constructor of a
    subclass has kept; ``save_hyperparameters("lr", "width")`` those of these names, ``save_hyperparameters(config)`` the
    entries or attributes of one object."""
    given = [value for value in arguments.args if value is not module and not isinstance(value, Unknown)]
    saved = module.state.get(_SAVED)
    entries = dict(saved.items) if isinstance(saved, DictVal) else {}
    rest: Value = None
    if len(given) == 1 and isinstance(given[0], (DictVal, InstanceVal)):
        entries |= given[0].items if isinstance(given[0], DictVal) else given[0].attrs
        rest = given[0].rest if isinstance(given[0], DictVal) else given[0].open
    elif len(given) < len(arguments.args) or not all(isinstance(name, str) for name in given):
        rest = Unknown("not-followed", "hparams")
    else:
        own = machine.arguments()
        entries |= {name: value for name, value in own.items() if not given or name in given}
    ignored = arguments.kwargs.get("ignore")
    left_out = [ignored] if isinstance(ignored, str) or ignored is None else machine.iterate(ignored)
    if isinstance(left_out, list):
        entries = {name: value for name, value in entries.items() if name not in left_out}
    machine.write(module.state, _SAVED, DictVal(entries, rest, read=True, named=True))
    return None


@prop(f"{MODULE}.hparams", f"{DATA}.hparams")
def hyper_parameters(machine: Machine, module: Value) -> Value:
    """What ``save_hyperparameters`` has kept."""
    saved = module.state.get(_SAVED) if isinstance(module, InstanceVal) else None
    return saved if saved is not None else DictVal({}, Unknown("not-followed", "hparams"))


@prop(f"{MODULE}.device", f"{MODULE}.current_epoch", f"{MODULE}.global_step", f"{MODULE}.trainer", f"{MODULE}.logger")
def not_followed(machine: Machine, module: Value) -> Value:
    """State of the trainer is not followed."""
    return Unknown("not-followed", "trainer")
