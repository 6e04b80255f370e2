"""Training steps written by hand: the compiled loss, variables, gradient tapes and optimizers.

Gradients are values of the run: they are unknown, and that is no gap of the analysis.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.gradients import gradient_of
from dllint.frameworks.keras.identifiers import OPTIMIZERS
from dllint.frameworks.keras.protocols.layer import LAYER
from dllint.frameworks.keras.protocols.loss import apply_loss
from dllint.frameworks.keras.protocols.model import MODEL_CLASS
from dllint.frameworks.keras.protocols.plain import argument, plain
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler, prop
from dllint.ir.events import VariablesRead
from dllint.ir.values import Arguments, DictVal, InstanceVal, ListVal, Value

MODULE: Final = "tensorflow.Module"
TAPE: Final = "tensorflow.GradientTape"
OPTIMIZER: Final = "keras.optimizers.Optimizer"
METRIC: Final = "keras.metrics.Metric"
LIBRARY_BASES.update(dict.fromkeys(OPTIMIZERS.values(), (OPTIMIZER,)))

VARIABLES: Final = (
    "trainable_variables",
    "trainable_weights",
    "variables",
    "weights",
    "non_trainable_variables",
    "losses",
    "metrics",
)


def _of_the_run(name: str) -> Callable[[Machine, Value], Value]:
    def read(machine: Machine, owner: Value) -> Value:
        value = Unknown("training-result", "variables")
        machine.event(VariablesRead, layer=owner, name=name, value=value)
        return value

    return read


for _name in VARIABLES:
    prop(f"{LAYER}.{_name}")(_of_the_run(_name))
for _name in ("trainable_variables", "variables", "non_trainable_variables"):
    prop(f"{MODULE}.{_name}")(_of_the_run(_name))


@prop(f"{MODEL_CLASS}.optimizer", on=InstanceVal)
def optimizer(machine: Machine, model: InstanceVal) -> Value:
    """The compiled optimizer."""
    return model.state.get("optimizer") or Unknown("not-built", "optimizer")


@prop(f"{MODEL_CLASS}.loss", on=InstanceVal)
def loss(machine: Machine, model: InstanceVal) -> Value:
    """The compiled loss."""
    return model.state.get("loss") or Unknown("not-built", "loss")


@handler(f"{MODEL_CLASS}.compute_loss", on=InstanceVal)
def compute_loss(machine: Machine, model: InstanceVal, arguments: Arguments) -> Value:
    """``compute_loss(x=None, y=None, y_pred=None)`` with the compiled loss."""
    return _compiled(machine, model, argument(arguments, "y", 1), argument(arguments, "y_pred", 2))


@handler(f"{MODEL_CLASS}.compiled_loss", on=InstanceVal)
def compiled_loss(machine: Machine, model: InstanceVal, arguments: Arguments) -> Value:
    """Keras 2's ``compiled_loss(y, y_pred)``."""
    return _compiled(machine, model, argument(arguments, "y_true", 0), argument(arguments, "y_pred", 1))


def _compiled(machine: Machine, model: InstanceVal, target: Value, prediction: Value) -> Value:
    chosen = plain(model.state.get("loss"))
    if chosen is None or isinstance(chosen, (tuple, DictVal)):
        return Unknown("training-result", "loss")
    return apply_loss(machine, chosen, target, prediction)


@handler(f"{METRIC}.__call__")
def call_metric(machine: Machine, metric: Value, arguments: Arguments) -> Value:
    """The metric so far."""
    return Unknown("training-result", "metric")


@handler(f"{TAPE}.gradient")
def tape_gradient(machine: Machine, tape: Value, arguments: Arguments) -> Value:
    """``gradient(target, sources)``: a tensor for a tensor, unknown for variables that are not known."""
    target, sources = argument(arguments, "target", 0), argument(arguments, "sources", 1)
    found = gradient_of(machine, target, sources, "tensorflow", f"{TAPE}.gradient")
    return ListVal(list(found)) if isinstance(found, tuple) else found


@handler(f"{TAPE}.jacobian", f"{TAPE}.batch_jacobian", f"{METRIC}.result", f"{METRIC}.update_state")
def gradient(machine: Machine, tape: Value, arguments: Arguments) -> Value:
    """Values of the run."""
    return Unknown("training-result", "gradients")


@handler(f"{TAPE}.watch", f"{TAPE}.reset", f"{OPTIMIZER}.apply_gradients", f"{OPTIMIZER}.apply", f"{OPTIMIZER}.build",
         f"{METRIC}.reset_state", f"{METRIC}.reset_states")  # fmt: skip
def nothing(machine: Machine, owner: Value, arguments: Arguments) -> Value:
    """Changes variables, which keep their shapes."""
    return None
