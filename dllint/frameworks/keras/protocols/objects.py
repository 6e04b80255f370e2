"""Optimizers, metrics, callbacks, regularizers and initializers: objects that training uses and no tensor passes through.

Their constructors are recorded as calls, with what today's signature does not know; the objects themselves carry the
arguments they were given.
"""

from __future__ import annotations

from typing import Final

from dllint.frameworks.keras.identifiers import METRIC_CLASSES, OPTIMIZERS
from dllint.frameworks.keras.protocols.plain import argument
from dllint.frameworks.machine import HANDLERS, LIBRARY_BASES, Machine, constructor, handler
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, Value

CALLBACKS: Final = (
    "EarlyStopping", "ModelCheckpoint", "ReduceLROnPlateau", "TensorBoard", "LearningRateScheduler", "CSVLogger", "History",
    "LambdaCallback", "TerminateOnNaN", "BackupAndRestore", "ProgbarLogger", "RemoteMonitor", "SwapEMAWeights", "CallbackList",
)  # fmt: skip
INITIALIZER: Final = "keras.initializers.Initializer"
INITIALIZERS: Final = (
    "Zeros", "Ones", "Constant", "RandomNormal", "RandomUniform", "TruncatedNormal", "GlorotNormal", "GlorotUniform",
    "HeNormal",
    "HeUniform", "LecunNormal", "LecunUniform", "Orthogonal", "Identity", "VarianceScaling",
)  # fmt: skip
INITIALIZER_FUNCTIONS: Final = (
    "zeros", "ones", "constant", "random_normal", "random_uniform", "glorot_normal", "glorot_uniform", "he_normal",
    "he_uniform",
    "lecun_normal", "lecun_uniform", "orthogonal",
)  # fmt: skip
REGULARIZERS: Final = ("L1", "L2", "L1L2", "OrthogonalRegularizer", "l1", "l2", "l1_l2")
CONSTRAINTS: Final = ("MaxNorm", "MinMaxNorm", "NonNeg", "UnitNorm", "max_norm", "maxnorm", "non_neg", "unit_norm")
SCHEDULES: Final = (
    "ExponentialDecay", "PiecewiseConstantDecay", "PolynomialDecay", "InverseTimeDecay", "CosineDecay", "CosineDecayRestarts",
)  # fmt: skip

NAMES: Final = (
    *OPTIMIZERS.values(),
    "keras.optimizers.Optimizer",
    "keras.metrics.Metric",
    "tensorflow.GradientTape",
    *(f"keras.metrics.{name}" for name in METRIC_CLASSES),
    *(f"keras.callbacks.{name}" for name in CALLBACKS),
    *(f"keras.initializers.{name}" for name in (*INITIALIZERS, *INITIALIZER_FUNCTIONS)),
    *(f"keras.regularizers.{name}" for name in REGULARIZERS),
    *(f"keras.constraints.{name}" for name in CONSTRAINTS),
    *(f"keras.optimizers.{name}" for name in SCHEDULES),
    *(f"keras.optimizers.schedules.{name}" for name in SCHEDULES),
)


#: Where an object keeps what it was constructed with.
_CONFIGURATION: Final = "configuration"


def construct_object(machine: Machine, one: InstanceVal, arguments: Arguments) -> None:
    """Keeps the arguments on the object."""
    machine.write(one.state, "arguments", dict(arguments.kwargs))
    machine.write(one.state, _CONFIGURATION, arguments)


LIBRARY_BASES.update({f"keras.metrics.{name}": ("keras.metrics.Metric",) for name in METRIC_CLASSES})
LIBRARY_BASES.update({f"keras.initializers.{name}": (INITIALIZER,) for name in (*INITIALIZERS, *INITIALIZER_FUNCTIONS)})
for _name in NAMES:
    if _name not in HANDLERS:
        constructor(_name)(construct_object)


#: Initializer → the operation it is, and its own arguments: name → (the operation's name, default). The others draw numbers
#: that are of the order of 1 at most.
_DRAWS: Final[dict[str, tuple[str, dict[str, tuple[str, float]]]]] = {
    "zeros": ("zeros", {}),
    "ones": ("ones", {}),
    "constant": ("full", {"value": ("fill_value", 0.0)}),
    "randomuniform": ("rand", {"minval": ("minval", -0.05), "maxval": ("maxval", 0.05)}),
    "randomnormal": ("randn", {"mean": ("mean", 0.0), "stddev": ("stddev", 0.05)}),
    "truncatednormal": ("randn", {"mean": ("mean", 0.0), "stddev": ("stddev", 0.05)}),
}


@handler(f"{INITIALIZER}.__call__", on=InstanceVal)
def initialize(machine: Machine, one: InstanceVal, arguments: Arguments) -> Value:
    """``initializer(shape)``: a tensor of that shape."""
    base, own = machine.library_base(one.cls), one.kept(_CONFIGURATION)
    spelled = base.name if base is not None else INITIALIZER
    kind, options = _DRAWS.get(spelled.rpartition(".")[2].lower().replace("_", ""), ("randn", {}))
    if not isinstance(own, Arguments):
        kind, options, own = "randn", {}, Arguments()
    drawn = {ours: argument(own, name, place, default) for place, (name, (ours, default)) in enumerate(options.items())}
    args = {"shape": argument(arguments, "shape", 0), "dtype": argument(arguments, "dtype", 1)}
    return machine.emit(kind, args | drawn, framework="keras", spelled=spelled)


@handler("keras.optimizers.get")
def get_optimizer(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``keras.optimizers.get(identifier)``."""
    given = next(iter((*arguments.args, *arguments.kwargs.values())), None)
    name = OPTIMIZERS.get(given.lower()) if isinstance(given, str) else None
    return InstanceVal(LibSymbol(name), site=machine.site) if name is not None else given


@handler("keras.api_export.keras_export", "keras.saving.register_keras_serializable", "keras.utils.register_keras_serializable")
def decorator(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A decorator that returns the class or function it is applied to."""
    return LibSymbol("keras.utils.decorated")


@handler("keras.utils.decorated")
def decorated(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The decorated object itself."""
    return arguments.args[0] if arguments.args else None


@handler("keras.backend.name_scope", "keras.name_scope", "tensorflow.name_scope", "tensorflow.device")
def scope(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A context that names or places what is built in it."""
    return InstanceVal(LibSymbol("keras.name_scope"), site=machine.site)


@handler("keras.utils.get_file", "keras.utils.file_utils.exists")
def get_file(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The path of a downloaded file."""
    return machine.unknown("data-file", "keras.utils.get_file")
