"""The tables of Lightning as the registry loads them: a ``LightningModule`` is a ``torch.nn.Module`` that also logs."""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler, prop
from dllint.ir.events import Backward
from dllint.ir.values import Arguments, DictVal, Value

MODULE: Final = "pytorch_lightning.LightningModule"
DATA: Final = "pytorch_lightning.LightningDataModule"
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


@handler(f"{MODULE}.log", f"{MODULE}.log_dict", f"{MODULE}.save_hyperparameters", f"{MODULE}.print", f"{DATA}.__init__",
         f"{DATA}.save_hyperparameters", "pytorch_lightning.seed_everything")  # fmt: skip
def nothing(machine: Machine, module: Value, arguments: Arguments) -> Value:
    """Logging changes no value."""
    return None


@handler(f"{MODULE}.manual_backward")
def manual_backward(machine: Machine, module: Value, arguments: Arguments) -> Value:
    """``self.manual_backward(loss)``."""
    machine.event(Backward, target=arguments.args[0] if arguments.args else None, via=module)
    return None


@prop(f"{MODULE}.hparams")
def hyper_parameters(machine: Machine, module: Value) -> Value:
    """What ``save_hyperparameters`` saved is not followed."""
    return DictVal({}, Unknown("not-followed", "hparams"))


@prop(f"{MODULE}.device", f"{MODULE}.current_epoch", f"{MODULE}.global_step", f"{MODULE}.trainer", f"{MODULE}.logger")
def not_followed(machine: Machine, module: Value) -> Value:
    """State of the trainer is not followed."""
    return Unknown("not-followed", "trainer")
