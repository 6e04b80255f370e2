"""Lightning's ``Trainer``: it drives the steps of a module with the batches of its loaders.

A step is run once, for a batch that stands for all of them, if the batch is known; else it stays an entry with invented
arguments. What the module does before its first step (``setup``, ``configure_optimizers``, ``on_fit_start``) is done
first. Source: documentation of Lightning 2.6, hooks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.given import given
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, ClassVal, DictVal, FuncVal, InstanceVal, ListVal, Value, unwrap
from dllint.lower import iteration, mro
from dllint.lower.natives.native import native

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.machine import Interpreter

_TRAINER: Final = "pytorch_lightning.Trainer"
#: Hooks that make another batch of one.
_CHANGE_BATCHES: Final = (
    "transfer_batch_to_device", "on_before_batch_transfer", "on_after_batch_transfer", "on_train_batch_start",
    "on_validation_batch_start", "on_test_batch_start", "on_predict_batch_start",
)  # fmt: skip
#: What a module does before its first step, by the step.
_BEFORE: Final = {
    "training_step": ("on_fit_start", "on_train_start", "on_train_epoch_start"),
    "validation_step": ("on_validation_start", "on_validation_epoch_start"),
    "test_step": ("on_test_start", "on_test_epoch_start"),
    "predict_step": ("on_predict_start", "on_predict_epoch_start"),
}
#: Method of the trainer → the stage, and the steps with the methods that give their loaders.
_STAGES: Final = {
    "fit": ("fit", (("training_step", "train_dataloader"), ("validation_step", "val_dataloader"))),
    "validate": ("validate", (("validation_step", "val_dataloader"),)),
    "test": ("test", (("test_step", "test_dataloader"),)),
    "predict": ("predict", (("predict_step", "predict_dataloader"),)),
}
_FIT: Final = (
    "model, train_dataloaders=None, val_dataloaders=None, datamodule=None, ckpt_path=None, train_dataloader=None, "
    "val_dataloader=None, **more"
)
_OTHER: Final = "model=None, dataloaders=None, ckpt_path=None, verbose=True, datamodule=None, **more"


def _register(name: str) -> None:
    @native(f"{_TRAINER}.{name}")
    def run(m: Interpreter, _: Value, arguments: Arguments) -> Value:
        stage, steps = _STAGES[name]
        bound = given(_FIT if name == "fit" else _OTHER, arguments)
        module, data = bound.get("model"), bound["datamodule"]
        if isinstance(module, InstanceVal) and _is_plain(module):
            for owner in (data, module):
                _call(m, owner, "setup", stage)
            if stage == "fit":
                _call(m, module, "configure_optimizers")
            for (step, source), loader in zip(steps, _loaders(bound), strict=False):
                batches = loader if loader is not None else _own_loader(m, (data, module), source)
                batch = iteration.element(m, iteration.iterator(m, batches)) if batches is not None else None
                if _is_known(batch):
                    _step(m, module, step, batch)
        return None if name == "fit" else Unknown("training-result", name)


for _name in _STAGES:
    _register(_name)


def _loaders(bound: dict[str, Value]) -> tuple[Value, ...]:
    """The loaders that a call passes, those for training first."""
    if "dataloaders" in bound:
        return (bound["dataloaders"],)
    old = bound["train_dataloader"], bound["val_dataloader"]
    return tuple(now if now is not None else before for now, before in zip(_passed(bound), old, strict=True))


def _passed(bound: dict[str, Value]) -> tuple[Value, Value]:
    return bound["train_dataloaders"], bound["val_dataloaders"]


def _is_plain(module: InstanceVal) -> bool:
    """Whether a module's class is the program's own, and its steps get the batches as the loaders give them."""
    return isinstance(module.cls, ClassVal) and not any(_defines(module, name) for name in _CHANGE_BATCHES)


def _defines(owner: Value, name: str) -> bool:
    return isinstance(owner, InstanceVal) and isinstance(mro.lookup(owner.cls, name), FuncVal)


def _call(m: Machine, owner: Value, name: str, *args: Value) -> Value:
    """What a method of the program's own gives; None if there is none."""
    return m.call_method(owner, name, *args) if _defines(owner, name) else None


def _own_loader(m: Machine, owners: tuple[Value, ...], source: str) -> Value:
    """The loader that the data module or the module itself makes."""
    owner = next((owner for owner in owners if _defines(owner, source)), None)
    return _call(m, owner, source)


def _step(m: Machine, module: InstanceVal, step: str, batch: Value) -> None:
    if _defines(module, step):
        for hook in _BEFORE[step]:
            _call(m, module, hook)
        m.call_method(module, step, batch, m.unknown("run-time", "batch_idx"))


def _is_known(batch: Value) -> bool:
    """Whether all tensors of a batch are known with their shapes, and it is nothing else."""
    value = unwrap(batch)
    if isinstance(value, TensorVal):
        return not isinstance(value.shape, Unknown)
    if isinstance(value, ListVal):
        return value.rest is None and bool(value.items) and all(map(_is_known, value.items))
    if isinstance(value, DictVal):
        return value.rest is None and bool(value.items) and all(map(_is_known, value.items.values()))
    return isinstance(value, tuple) and bool(value) and all(map(_is_known, value))
