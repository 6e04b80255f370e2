"""What Keras training logs each epoch, as callbacks see it: the loss, the compiled metrics, and the same of validation data."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.keras_training import sequence
from dllint.ir.events import Compile, Fit, LibraryCall
from dllint.ir.values import Assumed, ClassVal, FuncVal, InstanceVal, LibSymbol, ListVal, Value, unwrap

#: The start of the names of what is measured on validation data.
VALIDATION: Final = "val_"
_CALLBACKS: Final = "keras.callbacks."
#: Logged besides the metrics, by callbacks and releases.
_ALWAYS: Final = frozenset({"loss", "lr", "learning_rate"})
#: The modules whose classes are metrics, and classes with another name than that of the class (Keras 3.15, by running it).
_NAMING: Final = ("keras.metrics", "keras.losses")
_NAMED: Final = {"FBetaScore": "fbeta_score", "LogCoshError": "logcosh", "Huber": "huber_loss"}
#: Methods with which a model's class says itself what is logged.
_OWN_STEPS: Final = ("train_step", "test_step", "fit", "evaluate", "compute_metrics")


@dataclass(frozen=True, slots=True)
class Watcher:
    """A callback of a library that watches a metric: its construction, the name of the metric and the direction (``mode``)."""

    construction: LibraryCall
    monitor: str
    mode: str


def watchers(fit: Fit, facts: Facts) -> list[Watcher]:
    """The callbacks of a ``fit`` that watch a metric, as far as they are known."""
    made = {id(call.result): call for call in facts.events(LibraryCall) if call.name.startswith(_CALLBACKS)}
    found = []
    for callback in sequence(fit.values.get("callbacks")):
        call = made.get(id(unwrap(callback)))
        if call is not None and (watcher := _watcher(call)) is not None:
            found.append(watcher)
    return found


def _watcher(call: LibraryCall) -> Watcher | None:
    from dllint.frameworks import registry

    defaults = {param.name: param.default for param in registry.parameters(call.name) or ()}
    if "monitor" not in defaults or call.unbound.keys() & {"monitor", "mode"}:
        return None
    given = {name: call.bound.get(name, defaults.get(name)) for name in ("monitor", "mode", "save_best_only")}
    if given["save_best_only"] is not None and given["save_best_only"] is not True:
        return None  # saves at each epoch, whatever is measured
    monitor, mode = given["monitor"], given["mode"]
    return Watcher(call, monitor, mode) if isinstance(monitor, str) and isinstance(mode, str) else None


def is_closed(fit: Fit) -> bool:
    """Whether nothing but the library decides what is logged: no callback or class of the code takes part."""
    node = fit.site.node
    if not isinstance(node, cst.Call) or not _is_written_out(node, fit):
        return False
    if isinstance(fit.model.cls, ClassVal) and any(name in fit.model.cls.attrs for name in _OWN_STEPS):
        return False
    given = unwrap(fit.values.get("callbacks"))
    if not isinstance(given, (tuple, ListVal)) or (isinstance(given, ListVal) and given.rest is not None):
        return False
    return all(_is_of_library(callback) for callback in sequence(given))


def _is_written_out(call: cst.Call, fit: Fit) -> bool:
    """Whether all arguments of a call are known: those that are unpacked are the data, of known number."""
    stars = {argument.star for argument in call.args if argument.star}
    return not stars or (stars == {"*"} and fit.values.get("x") is not None)


def _is_of_library(callback: Value) -> bool:
    callback = unwrap(callback)
    symbol = callback.cls if isinstance(callback, InstanceVal) else None
    return isinstance(symbol, LibSymbol) and symbol.name.startswith(_CALLBACKS) and not symbol.name.endswith("LambdaCallback")


def validates(fit: Fit) -> bool | None:
    """Whether a ``fit`` measures validation data; ``None`` if that is not known."""
    data, split = fit.values.get("validation_data"), fit.values.get("validation_split")
    if data is None and fit.validation is None and split is None:
        return False
    if isinstance(data, Assumed) or isinstance(split, Assumed) or data is not None or fit.validation is not None:
        return None if data is None or isinstance(data, Assumed) else True
    return split > 0 if isinstance(split, (int, float)) else None


def logged(fit: Fit, facts: Facts) -> frozenset[str] | None:
    """The names of what is measured of training data; ``None`` if they are not all known."""
    compiled = [event for event in facts.events(Compile) if event.model is fit.model]
    if len(compiled) != 1 or len(sequence(fit.model.state.get("outputs"))) != 1:
        return None
    metrics = compiled[0].metrics
    if isinstance(metrics, Assumed) or not (metrics is None or isinstance(metrics, (tuple, ListVal))):
        return None
    if isinstance(metrics, ListVal) and metrics.rest is not None:
        return None
    names = [_name(metric, facts) for metric in sequence(metrics)]
    known = [name for name in names if name is not None]
    return _ALWAYS | frozenset(known) if len(known) == len(names) else None


def _name(metric: Value, facts: Facts) -> str | None:
    """Under which name a metric is logged."""
    if isinstance(metric, str):
        return metric
    if isinstance(metric, FuncVal):
        return metric.name
    made = next((call for call in facts.events(LibraryCall) if call.result is metric), None)
    if made is None:
        return None
    name = made.bound.get("name")
    return name if isinstance(name, str) else _default_name(made) if name is None else None


def _default_name(made: LibraryCall) -> str | None:
    """The name that a metric of Keras has where none is given: that of its class in small letters, without the number that a
    second one of the class gets. ``None`` if one may be given after all."""
    module, _, cls = made.name.rpartition(".")
    if module not in _NAMING or made.positional or made.unbound or not isinstance(made.result, InstanceVal):
        return None
    words = re.sub(r"([a-z])([A-Z])", r"\1_\2", re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", cls))
    return _NAMED.get(cls, words.lower())
