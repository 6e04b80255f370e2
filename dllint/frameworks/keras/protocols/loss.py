"""Losses: objects, functions, and the identifiers ``compile`` takes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.binding import bind, defaults
from dllint.frameworks.keras.losses import CLASSES, KINDS, SYNONYMS, kind_named
from dllint.frameworks.keras.protocols.plain import argument, plain
from dllint.frameworks.machine import LIBRARY_BASES, Configure, Handler, Machine, constructor, handler
from dllint.frameworks.registry import parameters
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, FuncVal, InstanceVal, LibSymbol, Value
from dllint.ops import faults
from dllint.ops.keras_loss import WHOLE, aligned

LOSS: Final = "keras.losses.Loss"
#: Options of losses that their operation takes.
OPTIONS: Final = ("from_logits", "label_smoothing", "axis", "ignore_class", "reduction", "dtype", "delta")


@dataclass(frozen=True, slots=True)
class Loss:
    """A resolved library loss: its kind and options."""

    kind: str
    options: dict[str, Value] = field(default_factory=dict)


def resolve(loss: Value) -> Loss | None:
    """The library loss that a string, a loss function, a loss class or a loss object stands for."""
    loss = plain(loss)
    if isinstance(loss, InstanceVal):
        kind, options = loss.kept("kind"), loss.kept("options")
        return Loss(kind, options) if isinstance(kind, str) and isinstance(options, dict) else None
    if isinstance(loss, LibSymbol) and loss.name.startswith(("keras.losses.", "keras.metrics.", "keras.objectives.")):
        loss = loss.name.rpartition(".")[2]
    if isinstance(loss, str) and (kind := kind_named(loss)) is not None:
        return Loss(kind)
    return None


def _without_prediction(machine: Machine, arguments: Arguments, names: tuple[str, str], spelled: str) -> Value:
    """The result of a loss that is called with a target only; ``None`` if it has its prediction."""
    surely = arguments.star is None and arguments.double_star is None and len(arguments.args) == 1
    if not surely or names[1] in arguments.kwargs or any(name not in names for name in arguments.kwargs):
        return None
    args = {"x": arguments.args[0], "refused": names[1], "reason": faults.MISSING}
    return machine.emit("library_call", args, framework="keras", spelled=spelled)


def emit_loss(machine: Machine, loss: Loss, target: Value, prediction: Value, spelled: str = "") -> Value:
    """The operation of a library loss."""
    options = {"dim" if k == "axis" else k: v for k, v in loss.options.items()}
    if loss.kind in WHOLE:
        options.setdefault("dim", None)
    args: dict[str, Value] = {"x": prediction, "target": target, "kind": loss.kind, **options}
    return machine.emit("keras_loss", args, framework="keras", spelled=spelled or f"keras.losses.{loss.kind}")


def apply_loss(machine: Machine, loss: Value, target: Value, prediction: Value) -> Value:
    """A loss of any form on a target and a prediction."""
    known = resolve(loss)
    if known is not None:
        return emit_loss(machine, known, target, prediction)
    loss = plain(loss)
    if isinstance(loss, FuncVal):
        return machine.call(loss, Arguments(_aligned(machine, target, prediction)))
    if isinstance(loss, InstanceVal):
        return machine.call(loss, Arguments((target, prediction)))
    return Unknown("unknown-loss", str(loss))


def _aligned(machine: Machine, target: Value, prediction: Value) -> tuple[Value, Value]:
    """What a loss function of the user's own gets: Keras aligns (N,) with (N, 1) before. It does not for ``Loss`` classes and
    metrics."""
    if not isinstance(target, TensorVal) or not isinstance(prediction, TensorVal):
        return target, prediction
    if isinstance(target.shape, Unknown) or isinstance(prediction.shape, Unknown):
        return target, prediction
    both = aligned(prediction.shape, target.shape)
    if isinstance(both, Unknown):
        return target, prediction
    wanted, given = target.redrawn(target.type.with_shape(both[1])), prediction
    if both[0] != prediction.shape:
        given = prediction.redrawn(prediction.type.with_shape(both[0]))
    return wanted if both[1] != target.shape else target, given


def _options(name: str, arguments: Arguments) -> dict[str, Value]:
    params = tuple(p for p in parameters(name) or () if p.kind in ("pos", "only"))
    bound = bind(params, arguments)
    values = {**defaults(params, bound), **bound.values}
    return {key: plain(values[key]) for key in OPTIONS if key in values}


def _class_init(name: str, kind: str) -> Configure:
    def init(machine: Machine, loss: InstanceVal, arguments: Arguments) -> None:
        machine.write(loss.state, "kind", kind)
        machine.write(loss.state, "options", _options(name, arguments))

    return init


def _function(name: str, kind: str) -> Handler:
    def call(machine: Machine, _: Value, arguments: Arguments) -> Value:
        names = ("target", "output") if name.startswith(("keras.backend", "keras.ops")) else ("y_true", "y_pred")
        if (refused := _without_prediction(machine, arguments, names, name)) is not None:
            return refused
        target, prediction = (argument(arguments, key, i) for i, key in enumerate(names))
        elements = kind == "binary_crossentropy" and name.startswith(("keras.backend", "keras.ops"))
        options = {**_options(name, arguments), "reduction": "elements" if elements else "none"}
        return emit_loss(machine, Loss(kind, options), target, prediction, name)

    return call


@handler(f"{LOSS}.__init__")
def construct_base(machine: Machine, loss: Value, arguments: Arguments) -> Value:
    """``super().__init__()`` of a user-defined loss."""
    return None


@handler(f"{LOSS}.__call__", on=InstanceVal)
def call_loss(machine: Machine, loss: InstanceVal, arguments: Arguments) -> Value:
    """``loss(y_true, y_pred)``: the library's operation, or the user's ``call``."""
    if (refused := _without_prediction(machine, arguments, ("y_true", "y_pred"), getattr(loss.cls, "name", LOSS))) is not None:
        return refused
    target, prediction = argument(arguments, "y_true", 0), argument(arguments, "y_pred", 1)
    if machine.find_method(loss.cls, "call") is not None:
        return machine.call_method(loss, "call", target, prediction)
    known = resolve(loss)
    if known is None:
        return machine.unknown("unmodelled-call", LOSS)
    return emit_loss(machine, known, target, prediction, getattr(loss.cls, "name", ""))


for _name, _kind in CLASSES.items():
    LIBRARY_BASES[f"keras.losses.{_name}"] = (LOSS,)
    constructor(f"keras.losses.{_name}")(_class_init(f"keras.losses.{_name}", _kind))
for _kind in KINDS:
    handler(f"keras.losses.{_kind}")(_function(f"keras.losses.{_kind}", _kind))
for _name, _kind in SYNONYMS.items():
    if _name != "crossentropy":
        handler(f"keras.losses.{_name}")(_function(f"keras.losses.{_kind}", _kind))
for _home in ("keras.backend", "keras.ops"):
    for _kind in ("binary_crossentropy", "categorical_crossentropy", "sparse_categorical_crossentropy"):
        handler(f"{_home}.{_kind}")(_function(f"{_home}.{_kind}", _kind))


@handler("keras.losses.get")
def get(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``keras.losses.get(identifier)``."""
    given = argument(arguments, "identifier", 0)
    kind = kind_named(given) if isinstance(given, str) else None
    return LibSymbol(f"keras.losses.{kind}") if kind is not None else given
