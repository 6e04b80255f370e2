"""Run in a process of its own: execute a program on made-up inputs, and write what became of each of its parts.

    python -m benchmarks.migrate.programs.execution FILE OUTPUT.json keras3|tf2|torch2 old|new

The statements of the file are executed one by one, its ``__main__`` part included, so that a failure ends one statement only.
Then its functions are called, and for torch its modules constructed and called, with values by the names of parameters. Data
sets are random, training is one epoch, nothing is saved or loaded, there is no network, and modules that are not installed
are mocks. What takes longer than its limit counts as running.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import os
import signal
import socket
import sys
import traceback
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

from benchmarks.migrate.driver import Absent, argument, output, use_old_keras

_SECONDS = {"statement": 25, "call": 8}
_MOST_CALLS = 10
_MOST_MODELS = 6
_KEPT = ("save", "save_weights", "load_weights")


class _Late(BaseException):
    """The limit of time is over."""


class Recorder:
    """What became of the parts of a program: ``parts`` by name, ``failures`` with type, message, and place in the project."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.root = os.getcwd()
        self.parts: dict[str, str] = {}
        self.failures: list[dict[str, Any]] = []
        self.evidence: dict[str, int] = {}

    def run(self, name: str, kind: str, call: Callable[[], Any]) -> Any:
        """Do a part, and note what becomes of it."""
        signal.signal(signal.SIGALRM, _late)
        signal.alarm(_SECONDS[kind])
        try:
            result = call()
            self.parts[name] = "runs"
            return result
        except _Late:
            self.parts[name] = "runs"
        except (Exception, SystemExit) as error:
            self.parts[name] = "fails"
            frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(self.root)]
            line = frames[-1].lineno if frames else getattr(error, "lineno", 0) or 0
            place = {"file": frames[-1].filename if frames else self.path, "line": line}
            told = {"type": type(error).__name__, "message": str(error)[:400]}
            self.failures.append({"part": name, "kind": kind, **told, **place})
        finally:
            signal.alarm(0)
        return None

    def count(self, what: str, number: int = 1) -> None:
        """Note that something of the library has run."""
        self.evidence[what] = self.evidence.get(what, 0) + number


def _late(*_args: Any) -> None:
    raise _Late


def execute(path: str, recorder: Recorder) -> dict[str, Any]:
    """The names of a file after all its statements."""
    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    module = types.ModuleType("__main__")
    module.__file__ = path
    sys.modules["__main__"] = module
    scope = vars(module)
    for number, statement in enumerate(tree.body):
        code = compile(ast.Module([statement], []), path, "exec")
        recorder.run(f"statement {number}", "statement", lambda code=code: exec(code, scope))  # type: ignore[misc]
    return scope


def call_functions(scope: dict[str, Any], path: str, recorder: Recorder) -> list[Any]:
    """What the functions of a file return, called with values by the names of their parameters."""
    found = []
    own = [value for value in scope.values() if inspect.isfunction(value) and value.__code__.co_filename == path]
    for function in own[:_MOST_CALLS]:
        parameters = inspect.signature(function).parameters.values()
        several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        keywords = {each.name: argument(each) for each in parameters if each.kind not in several}
        found.append(recorder.run(f"function {function.__name__}", "call", lambda f=function, k=keywords: f(**k)))  # type: ignore[misc]
    return found


def with_random_data(keras: Any) -> None:
    """The data sets of Keras are random, training is one epoch, nothing is saved or loaded."""
    import numpy as np

    lot = np.random.default_rng(0)
    images = {"mnist": (28, 28), "fashion_mnist": (28, 28), "cifar10": (32, 32, 3), "cifar100": (32, 32, 3)}

    def half(name: str) -> Any:
        labels = lot.integers(0, 10, (32, 1) if "cifar" in name else (32,))
        return lot.integers(0, 255, (32, *images[name])).astype("uint8"), labels

    for name in images:
        module = getattr(keras.datasets, name, None)
        if module is not None:
            module.load_data = lambda *args, name=name, **kwargs: (half(name), half(name))
    for owner in {keras.Model, keras.Sequential}:
        for name in _KEPT:
            setattr(owner, name, lambda self, *args, **kwargs: None)
    fit = keras.Model.fit

    def one_epoch(self: Any, *args: Any, **kwargs: Any) -> Any:
        return fit(self, *args, **{**kwargs, "epochs": 1, "verbose": 0})

    keras.Model.fit = one_epoch


def run_keras(path: str, recorder: Recorder, mode: str) -> dict[str, Any]:
    """The outputs of the models of a program for Keras."""
    import numpy as np

    if mode == "old":
        use_old_keras()
    keras = importlib.import_module("keras")
    importlib.import_module("tensorflow")
    with_random_data(keras)
    sys.meta_path.append(Absent())
    scope = execute(path, recorder)
    models = [value for value in list(scope.values()) if isinstance(value, keras.Model)]
    for result in call_functions(scope, path, recorder):
        results = result if isinstance(result, (tuple, list)) else (result,)
        models += [each for each in results if isinstance(each, keras.Model)]
    outputs: dict[str, Any] = {}
    for number, model in enumerate(each for each in models if getattr(each, "built", False)):
        if number < _MOST_MODELS:
            recorder.count("models")
            value = recorder.run(f"model {number}", "statement", lambda model=model: output(model, np))
            if value is not None:
                outputs[str(number)] = [float(each) for each in value[:512]]
    return outputs


def run_tensorflow(path: str, recorder: Recorder, mode: str) -> dict[str, Any]:
    """Graphs that are built, and what sessions have run."""
    tensorflow = importlib.import_module("tensorflow")
    v1 = tensorflow.compat.v1
    if mode == "old":
        v1.disable_v2_behavior()
        sys.modules["tensorflow"] = v1
    run = v1.Session.run

    def counted(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = run(self, *args, **kwargs)
        recorder.count("runs of sessions")
        return result

    v1.Session.run = counted
    sys.meta_path.append(Absent())
    scope = execute(path, recorder)
    call_functions(scope, path, recorder)
    operations = len(v1.get_default_graph().get_operations())
    graphs = [value.graph for value in scope.values() if isinstance(getattr(value, "graph", None), v1.Graph)]
    recorder.count("operations", operations + sum(len(graph.get_operations()) for graph in graphs))
    return {}


def run_torch(path: str, recorder: Recorder, mode: str) -> dict[str, Any]:
    """Modules that are constructed and called."""
    del mode
    import torch

    from benchmarks.slips.inputs import SIZES, arguments, tensors

    sys.meta_path.append(Absent())
    scope = execute(path, recorder)
    call_functions(scope, path, recorder)
    classes = [value for value in scope.values() if isinstance(value, type) and issubclass(value, torch.nn.Module)]

    def called(cls: Any, size: int) -> None:
        model = cls(**arguments(cls, size, scope))
        recorder.count("modules")
        last: Exception | None = None
        for inputs in tensors(model, model.forward):
            try:
                model(*inputs)
                recorder.count("modules called")
                return
            except Exception as error:
                last = error
        if last is not None:
            raise last

    for cls in [each for each in classes if each.__module__ == "__main__"][:_MOST_MODELS]:
        for size in SIZES[:2]:
            name = f"class {cls.__name__}"
            recorder.run(name, "call", lambda cls=cls, size=size: called(cls, size))
            if recorder.parts[name] == "runs":
                break
    recorder.count("statements", sum(1 for name, became in recorder.parts.items() if became == "runs" and "state" in name))
    return {}


def without_network() -> None:
    """No connection is made."""

    def refused(*_args: Any, **_kwargs: Any) -> Any:
        raise OSError("there is no network")

    socket.socket.connect = refused  # type: ignore[method-assign]
    socket.getaddrinfo = refused


def main() -> None:
    """Execute, and write the record."""
    path, target, goal, mode = sys.argv[1:5]
    sys.argv[:] = [path]
    os.environ.setdefault("KERAS_BACKEND", "tensorflow")
    without_network()
    recorder = Recorder(path)
    kinds = {"keras3": run_keras, "tf2": run_tensorflow, "torch2": run_torch}
    outputs: dict[str, Any] = {}
    try:
        outputs = kinds[goal](path, recorder, mode)
    finally:
        record = {"parts": recorder.parts, "failures": recorder.failures, "evidence": recorder.evidence, "outputs": outputs}
        Path(target).write_text(json.dumps(record, default=lambda value: str(MagicMock) and str(value)), encoding="utf-8")
        os._exit(0)


if __name__ == "__main__":
    main()
