"""Optimizers of TensorFlow 1: they make operations, and running these is a training step."""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.given import given
from dllint.frameworks.keras.protocols.plain import argument
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler
from dllint.frameworks.tensorflow.composites import emit
from dllint.frameworks.tensorflow.session import operation
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, ListVal, Value

OPTIMIZER: Final = "tensorflow.train.Optimizer"
OPTIMIZERS: Final = (
    "GradientDescentOptimizer", "AdamOptimizer", "MomentumOptimizer", "RMSPropOptimizer", "AdagradOptimizer",
    "AdadeltaOptimizer", "FtrlOptimizer", "ProximalGradientDescentOptimizer", "ProximalAdagradOptimizer",
    "AdagradDAOptimizer", "SyncReplicasOptimizer",
)  # fmt: skip
CONTRIB: Final = ("NadamOptimizer", "LazyAdamOptimizer", "AdamWOptimizer", "LARSOptimizer", "MovingAverageOptimizer")
SCHEDULES: Final = (
    "exponential_decay", "piecewise_constant", "piecewise_constant_decay", "polynomial_decay", "inverse_time_decay",
    "natural_exp_decay", "cosine_decay", "cosine_decay_restarts", "linear_cosine_decay",
)  # fmt: skip


def _names() -> tuple[str, ...]:
    return (
        OPTIMIZER,
        *(f"tensorflow.train.{name}" for name in OPTIMIZERS),
        *(f"tensorflow.contrib.opt.{name}" for name in CONTRIB),
    )


def _register(name: str) -> None:
    def construct(machine: Machine, _: Value, arguments: Arguments) -> Value:
        optimizer = InstanceVal(LibSymbol(name), site=machine.site)
        machine.write(optimizer.state, "arguments", dict(arguments.kwargs))
        return optimizer

    handler(name)(construct)
    if name != OPTIMIZER:
        LIBRARY_BASES[name] = (OPTIMIZER,)


for _name in _names():
    _register(_name)


@handler(f"{OPTIMIZER}.minimize")
def minimize(machine: Machine, optimizer: Value, arguments: Arguments) -> Value:
    """An operation that computes gradients of the loss and applies them."""
    return operation(machine, loss=argument(arguments, "loss", 0), optimizer=optimizer)


@handler(f"{OPTIMIZER}.compute_gradients", on=InstanceVal)
def compute_gradients(machine: Machine, optimizer: InstanceVal, arguments: Arguments) -> Value:
    """Pairs of gradient and variable, one for each variable given."""
    asked = given("loss=None, var_list=None, *rest, **options", arguments)
    machine.write(optimizer.state, "loss", asked["loss"])
    variables = machine.iterate(asked["var_list"]) if asked["var_list"] is not None else Unknown("run-time", "variables")
    if isinstance(variables, Unknown):
        return ListVal([], (Unknown("run-time", "gradient"), Unknown("run-time", "variable")))
    return ListVal([(_gradient(machine, v), v) for v in variables])


def _gradient(machine: Machine, variable: Value) -> Value:
    if not isinstance(variable, TensorVal):
        return Unknown("run-time", "gradient")
    return machine.perhaps(machine.tensor(variable.type, framework="tensorflow", name="gradient"))


@handler(f"{OPTIMIZER}.apply_gradients")
def apply_gradients(machine: Machine, optimizer: Value, arguments: Arguments) -> Value:
    """An operation that changes the variables."""
    loss = optimizer.state.get("loss") if isinstance(optimizer, InstanceVal) else None
    return operation(machine, loss=loss if loss is not None else Unknown("run-time", "gradient"), optimizer=optimizer)


@handler("tensorflow.contrib.layers.optimize_loss", "tensorflow.contrib.layers.learning.create_train_op")
def optimize_loss(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """An operation that trains on the loss."""
    names = ("loss", "total_loss")
    loss = next((arguments.kwargs[name] for name in names if name in arguments.kwargs), argument(arguments, "loss", 0))
    optimizer = arguments.kwargs.get("optimizer")
    if optimizer is None:  # the second argument of ``create_train_op``, the fourth of ``optimize_loss``
        optimizer = next((value for value in arguments.args[1:] if isinstance(value, InstanceVal)), None)
    return operation(machine, loss=loss, optimizer=optimizer)


@handler(*(f"tensorflow.train.{name}" for name in SCHEDULES))
def schedule(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A learning rate that changes over time: a number."""
    return emit(machine, "full", "train.exponential_decay", shape=(), fill_value=0.0)
