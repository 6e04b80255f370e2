"""Which loss a Keras model's output meets, at ``compile`` or where the loss is computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.typestate.opaque import is_handed_on
from dllint.ir.events import Compile, Fit, LibraryCall, ModelInput
from dllint.ir.program import Event, Op, Program, TensorVal
from dllint.ir.values import DictVal, ListVal, Value, unwrap

CROSS_ENTROPIES: Final = ("binary_crossentropy", "categorical_crossentropy", "sparse_categorical_crossentropy")
#: Losses that measure how far numbers are apart.
DISTANCES: Final = (
    "mean_squared_error", "mean_absolute_error", "mean_absolute_percentage_error", "mean_squared_logarithmic_error", "huber",
    "log_cosh",
)  # fmt: skip
_TRAINING: Final = ("fit", "fit_generator", "train_on_batch")
#: Methods that a model gets weights by which were trained before.
_LOADS: Final = (".load_weights", ".set_weights")


@dataclass(frozen=True, slots=True)
class Head:
    """An output of a model with its loss. ``where`` is the event or operation to report at, ``node`` the argument that
    names the loss, if it is there; ``target`` is known only where the loss is computed; ``metrics`` is what ``compile`` says
    is measured of this output."""

    output: TensorVal
    kind: str
    from_logits: bool | None
    where: Compile | Op
    node: Any = None
    target: TensorVal | None = None
    metrics: Any = None


def heads(item: Compile | Op, facts: Facts) -> Iterator[Head]:
    """The heads that a ``compile`` event, or a loss computed outside of compiled models, shows."""
    if isinstance(item, Compile):
        yield from _compiled(item)
    elif not _was_compiled(item, facts):
        head = head_of(item)
        if head is not None:
            yield head


def head_of(op: Op) -> Head | None:
    """The head of a computed Keras loss."""
    output, kind, target = op.args.get("x"), op.args.get("kind"), op.args.get("target")
    if not isinstance(output, TensorVal) or not isinstance(kind, str):
        return None
    return Head(output, kind, _flag(op.args), op, None, target if isinstance(target, TensorVal) else None)


def _flag(options: Mapping[str, Value]) -> bool | None:
    value = options.get("from_logits", False)
    return value if isinstance(value, bool) else None


def _compiled(event: Compile) -> Iterator[Head]:
    from dllint.frameworks.keras.protocols.loss import resolve

    made = event.model.state.get("outputs")
    outputs, names = sequence(made), _output_names(made)
    losses = _for_each(event.loss, names)
    if losses is None:
        return
    argument = event.nodes.get("loss")
    node = argument.value if isinstance(argument, cst.Arg) else argument
    metrics = _for_each(event.metrics, names, shared=True) or [None] * len(outputs)
    for output, loss, measured in zip(outputs, losses, metrics, strict=True):
        known = resolve(loss)
        if known is not None and isinstance(output, TensorVal):
            yield Head(output, known.kind, _flag(known.options), event, node, metrics=measured)


def _output_names(outputs: Value) -> list[Any]:
    """The names of a model's outputs: the keys that they are given under, else those of the layers they come from."""
    if isinstance(outputs, DictVal):
        return list(outputs.items)
    layers = (one.producer.layer if isinstance(one, TensorVal) and one.producer else None for one in sequence(outputs))
    return [unwrap(layer.state.get("name")) if layer is not None else None for layer in layers]


def _for_each(given: Value, names: list[Any], shared: bool = False) -> list[Any] | None:
    """What ``compile`` is given for each output: by name, by position, or one for all; ``None`` if that is not known. What is
    ``shared`` may have as many parts as it likes: for the only output, and (before Keras 3) for each of several ones."""
    given = unwrap(given)
    if isinstance(given, DictVal) and len(names) > 1:
        return [given.items.get(name) for name in names] if set(given.items) <= set(names) else None
    if shared and (len(names) == 1 or len(sequence(given)) != len(names)):
        return [given] * len(names)
    parts = sequence(given)
    parts = parts * len(names) if len(parts) == 1 else parts
    return parts if len(parts) == len(names) else None


def compiled_output(event: Compile) -> TensorVal | None:
    """The only output of a compiled model."""
    outputs = sequence(event.model.state.get("outputs"))
    return outputs[0] if len(outputs) == 1 and isinstance(outputs[0], TensorVal) else None


def compiled_loss(op: Op, facts: Facts) -> tuple[Compile | None, Any]:
    """The ``compile`` of the model that is fitted where a loss is computed, and the argument that names its loss."""
    model = next((e.model for e in facts.events(Fit) if e.site.node is op.site.node), None)
    found = [e for e in facts.events(Compile) if model is not None and e.model is model]
    if not found:
        return None, None
    argument = found[-1].nodes.get("loss")
    return found[-1], argument.value if isinstance(argument, cst.Arg) else argument


def fitted_target(head: Head, facts: Facts) -> TensorVal | None:
    """The labels that a head meets: its own, or those of a ``fit`` of the compiled model."""
    return next(fitted_targets(head, facts), None)


def fitted_targets(head: Head, facts: Facts) -> Iterator[TensorVal]:
    """All labels that a head meets: its own, or those of each ``fit`` of the compiled model."""
    if head.target is not None:
        yield head.target
    if head.target is not None or isinstance(head.where, Op):
        return
    model = head.where.model
    places = {id(e.site.node) for e in facts.events(Fit) if e.model is model}
    losses = (op for op in facts.ops if op.kind == "keras_loss" and id(op.site.node) in places)
    targets = (op.args.get("target") for op in losses if op.args.get("kind") == head.kind)
    yield from (target for target in targets if isinstance(target, TensorVal))


def is_only_applied(compiled: Compile, facts: Facts) -> bool:
    """Whether a program loads or applies a model that it compiles, and trains it nowhere: the loss then changes no weight."""
    model = compiled.model
    methods = {e.method for e in facts.events(Fit) if e.model is model}
    if not methods.isdisjoint(_TRAINING) or is_handed_on(model, facts.program.events):
        return False
    return bool(methods) or any(e.receiver is model and e.name.endswith(_LOADS) for e in facts.events(LibraryCall))


def declaration(op: Op, facts: Facts) -> ModelInput | None:
    """Where the only input of the model that is trained at the place of an operation was declared."""
    fits = (e for e in facts.events(Fit) if e.site.node is op.site.node and e.method in _TRAINING)
    model = next((e.model for e in fits), None)
    declared = sequence(model.state.get("inputs")) if model is not None else []
    if len(declared) != 1:
        return None
    return next((e for e in facts.events(ModelInput) if e.value is declared[0]), None)


def is_loss_unused(item: Op | Event | Program | None, facts: Facts) -> bool:
    """Whether a test compiles a model and neither trains nor evaluates it: the loss is only there because ``compile`` wants
    one, and nothing outlives a test function that could make use of it later."""
    if not isinstance(item, Compile) or not facts.program.entry.split(".")[-1].startswith("test_"):
        return False
    return all(event.model is not item.model or event.method == "predict" for event in facts.events(Fit))


def sequence(value: Value) -> list[Any]:
    """The parts of a list, tuple or table; anything else is one part."""
    if isinstance(value, ListVal):
        return list(value.items)
    if isinstance(value, DictVal):
        return list(value.items.values())
    return list(value) if isinstance(value, tuple) else [value]


def _was_compiled(op: Op, facts: Facts) -> bool:
    """Whether a loss is computed by ``fit`` of a model whose ``compile`` was looked at already."""
    for event in facts.events(Fit):
        if event.site.node is op.site.node:
            return any(e.model is event.model and any(True for _ in _compiled(e)) for e in facts.events(Compile))
    return False
