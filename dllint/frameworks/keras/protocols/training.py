"""``compile``, ``fit``, ``evaluate``, ``predict``: the model meets its data and its loss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import libcst as cst

from dllint.domains.dim import differs, is_known
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.binding import bind
from dllint.frameworks.keras.protocols.loss import apply_loss
from dllint.frameworks.keras.protocols.model import MODEL_CLASS, conforms
from dllint.frameworks.keras.protocols.plain import plain, tensors
from dllint.frameworks.keras.protocols.shapes import one_batch
from dllint.frameworks.keras.protocols.texts import element_of
from dllint.frameworks.machine import Machine, handler
from dllint.frameworks.registry import parameters
from dllint.ir.events import Compile, Fit
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, DictVal, FuncVal, InstanceVal, IterVal, LibSymbol, Value

#: Old keywords of the training methods.
LEGACY: Final = {"nb_epoch": "epochs", "generator": "x", "samples_per_epoch": "steps_per_epoch"}


def _bound(name: str, arguments: Arguments) -> tuple[dict[str, Value], dict[str, cst.CSTNode]]:
    """Values and nodes of a method's arguments by today's names."""
    params = tuple(p for p in parameters(f"{MODEL_CLASS}.{name}") or () if p.name != "self")
    bound = bind(params, arguments)
    values = bound.perhaps | bound.values | {LEGACY.get(k, k): v for k, v in bound.unbound.items()}
    return {k: plain(v) for k, v in values.items()}, dict(bound.nodes)


@handler(f"{MODEL_CLASS}.compile", on=InstanceVal)
def compile_model(machine: Machine, model: InstanceVal, arguments: Arguments) -> Value:
    """Remembers the loss; where the model's outputs are known already, nothing more happens before ``fit``."""
    values, nodes = _bound("compile", arguments)
    for key in ("loss", "optimizer", "metrics"):
        machine.write(model.state, key, values.get(key))
    loss, optimizer, metrics = (values.get(key) for key in ("loss", "optimizer", "metrics"))
    machine.event(Compile, model=model, loss=loss, optimizer=optimizer, metrics=metrics, nodes=nodes)
    return None


def _training(method: str) -> Callable[[Machine, InstanceVal, Arguments], Value]:
    def run(machine: Machine, model: InstanceVal, arguments: Arguments) -> Value:
        values, nodes = _bound("fit" if method == "fit_generator" else method, arguments)
        x, y = data_of(machine, values.get("x"), values.get("y"))
        prediction = None
        if x is not None:
            check_samples(machine, x, y)
            prediction = predict_batch(machine, model, x if method == "train_on_batch" else batch_of(machine, x))
            losses(machine, model, batch_of(machine, y), prediction, batch_size(method, values, x))
            measure(machine, model, batch_of(machine, y), prediction)
        validation = values.get("validation_data")
        validate(machine, model, validation, (batch_of(machine, x), batch_of(machine, y)))
        machine.event(
            Fit, model=model, x=x, y=y, validation=validation, nodes=nodes, method=method, prediction=prediction, values=values
        )
        return _result(machine, model, method)

    return run


def batch_size(method: str, values: dict[str, Value], x: Value) -> int | None:
    """How many samples the first batch of ``fit`` has, if the number of samples is known."""
    asked, given = values.get("batch_size"), tensors(x)
    size = 32 if asked is None else asked
    if method != "fit" or not given or isinstance(given[0].shape, Unknown) or not given[0].shape:
        return None
    samples = given[0].shape[0]
    return min(samples, size) if isinstance(samples, int) and isinstance(size, int) else None


def check_samples(machine: Machine, x: Value, y: Value) -> None:
    """Keras refuses inputs and targets of different lengths."""
    arrays = (*tensors(x), *tensors(y))
    lengths = [a.shape[0] for a in arrays if not isinstance(a.shape, Unknown) and a.shape]
    if any(differs(lengths[0], length) for length in lengths):
        machine.emit("paired_samples", {"tensors": arrays}, framework="keras")


def validate(machine: Machine, model: InstanceVal, validation: Value, trained: tuple[Value, Value]) -> None:
    """Validation arrays go the way of the training arrays; those of the same shapes tell nothing new."""
    if not isinstance(validation, tuple) or len(validation) < 2:
        return
    x, y = batch_of(machine, validation[0]), batch_of(machine, validation[1])
    check_samples(machine, *validation[:2])
    if _shapes(x) != _shapes(trained[0]) or _shapes(y) != _shapes(trained[1]):
        losses(machine, model, y, predict_batch(machine, model, x))


def _shapes(value: Value) -> list[Value]:
    return [t.shape for t in tensors(value)]


def _result(machine: Machine, model: InstanceVal, method: str) -> Value:
    if method.startswith("fit"):
        history = InstanceVal(LibSymbol("keras.callbacks.History"), site=machine.site)
        history.attrs["history"] = DictVal(rest=Unknown("training-result", method))
        history.attrs["model"] = model
        return history
    return Unknown("training-result", method)


for _method in ("fit", "fit_generator", "evaluate", "evaluate_generator", "train_on_batch", "test_on_batch"):
    handler(f"{MODEL_CLASS}.{_method}", on=InstanceVal)(_training(_method))


@handler(f"{MODEL_CLASS}.predict", f"{MODEL_CLASS}.predict_generator", f"{MODEL_CLASS}.predict_on_batch", on=InstanceVal)
def predict(machine: Machine, model: InstanceVal, arguments: Arguments) -> Value:
    """The outputs for all of ``x``, as numpy arrays."""
    values, nodes = _bound("predict", arguments)
    x, _ = data_of(machine, values.get("x"), None)
    machine.event(Fit, model=model, x=x, y=None, validation=None, nodes=nodes, method="predict", prediction=None, values=values)
    if not tensors(x):
        return as_arrays(machine, model.state.get("outputs", Unknown("no-tensor", "predict")))
    return as_arrays(machine, machine.call(model, Arguments((x,))))


@handler(f"{MODEL_CLASS}.predict_proba", on=InstanceVal)
def predict_proba(machine: Machine, model: InstanceVal, arguments: Arguments) -> Value:
    """Keras 1's and 2's name of ``predict``."""
    return predict(machine, model, arguments)


@handler(f"{MODEL_CLASS}.predict_classes", on=InstanceVal)
def predict_classes(machine: Machine, model: InstanceVal, arguments: Arguments) -> Value:
    """The class of each sample: (N,), or (N, 1) of a single unit."""
    scores = predict(machine, model, arguments)
    if not isinstance(scores, TensorVal) or isinstance(scores.shape, Unknown) or not scores.shape:
        return machine.unknown("no-tensor", "predict_classes")
    one = scores.shape[-1] == 1
    op, name, operand = ("gt", "y", 0.5) if one else ("argmax", "dim", -1)
    return machine.emit(op, {"x": scores, name: operand}, framework="numpy", spelled=f"{MODEL_CLASS}.predict_classes")


def as_arrays(machine: Machine, value: Value) -> Value:
    """Tensors as numpy arrays, in the same structure."""
    if isinstance(value, TensorVal):
        return machine.emit("array", {"data": value}, framework="numpy", spelled=f"{MODEL_CLASS}.predict")
    return tuple(as_arrays(machine, v) for v in value) if isinstance(value, tuple) else value


def data_of(machine: Machine, x: Value, y: Value) -> tuple[Value, Value]:
    """Inputs and targets: a data set, a generator, or a user's own ``Sequence`` holds both."""
    x = plain(x)
    if isinstance(x, InstanceVal):
        element = plain(x.state.get("element", element_of(machine, x)))
    elif isinstance(x, IterVal):
        element = plain(x.items[0] if x.items else x.rest)
    else:
        return x, plain(y)
    if isinstance(element, tuple) and len(element) >= 2:
        return element[0], element[1]
    return element if isinstance(element, TensorVal) else Unknown("dataset", ""), None


def batch_of(machine: Machine, value: Value) -> Value:
    """One batch of data: every array with the batch symbol in place of its length."""
    value = plain(value)
    if isinstance(value, TensorVal):
        type_ = one_batch(value.type)
        if type_ == value.type:
            return value
        return value.redrawn(type_)
    if isinstance(value, tuple):
        return tuple(batch_of(machine, v) for v in value)
    if isinstance(value, DictVal):
        return DictVal({k: batch_of(machine, v) for k, v in value.items.items()})
    return value


def predict_batch(machine: Machine, model: InstanceVal, x: Value) -> Value:
    """The model's outputs for a batch: those it was built with if the data conforms and tells nothing new."""
    declared = tensors(model.state.get("inputs"))
    given = tensors(x)
    if "outputs" in model.state and machine.find_method(model.cls, "call") is None:
        if not given:
            return model.kept("outputs")
        if len(declared) == len(given) and all(_nothing_new(d, g) for d, g in zip(declared, given, strict=True)):
            return model.kept("outputs")
    if not given:
        return Unknown("no-tensor", "fit")
    return machine.call(model, Arguments((x,)))


def _nothing_new(declared: TensorVal, given: TensorVal) -> bool:
    if (
        given.low is not None
        or given.high is not None
        or given.reach is not None
        or isinstance(declared.shape, Unknown)
        or isinstance(given.shape, Unknown)
    ):
        return isinstance(given.shape, Unknown)
    return conforms(declared.shape, given.shape) and all(map(is_known, declared.shape))


def losses(machine: Machine, model: InstanceVal, target: Value, prediction: Value, batch: int | None = None) -> None:
    """Each loss between its output and its target, in order or by name. ``batch`` is the number of samples, if known."""
    loss = plain(model.state.get("loss"))
    if loss is None or target is None:
        return
    if isinstance(prediction, TensorVal):
        if isinstance(loss, tuple) and len(loss) == 1:
            loss = loss[0]
        if not isinstance(loss, (tuple, DictVal)):
            target, prediction = _sized(machine, loss, batch, target, prediction)
            apply_loss(machine, loss, target, prediction)
    elif isinstance(prediction, tuple) and isinstance(target, tuple) and len(prediction) == len(target):
        each = loss if isinstance(loss, tuple) and len(loss) == len(target) else (loss,) * len(target)
        for one, wanted, output in zip(each, target, prediction, strict=True):
            if not isinstance(one, DictVal) and one is not None:
                apply_loss(machine, one, wanted, output)


def measure(machine: Machine, model: InstanceVal, target: Value, prediction: Value) -> None:
    """Metrics that are functions of the user's own get the target and the only output, not aligned. Releases differ in whether
    whole numbers become real ones before."""
    metrics = plain(model.state.get("metrics"))
    if not isinstance(prediction, TensorVal) or not isinstance(target, TensorVal) or not isinstance(metrics, tuple):
        return
    if not isinstance(target.dtype, DType) or target.dtype.kind != "float":
        target = target.redrawn(TensorType(target.shape, Unknown("release", "metric")))
    for metric in metrics:
        if isinstance(metric, FuncVal):
            machine.call(metric, Arguments((target, prediction)))


def _sized(machine: Machine, loss: Value, batch: int | None, target: Value, prediction: TensorVal) -> tuple[Value, TensorVal]:
    """For a loss function of the user's own: batches of known size, in which arrays of another length are found out."""
    if not isinstance(loss, FuncVal) or batch is None or not isinstance(target, TensorVal):
        return target, prediction
    if isinstance(target.shape, Unknown) or isinstance(prediction.shape, Unknown) or not target.shape or not prediction.shape:
        return target, prediction
    first = target.redrawn(target.type.with_shape((batch, *target.shape[1:])))
    return first, prediction.redrawn(prediction.type.with_shape((batch, *prediction.shape[1:])))
