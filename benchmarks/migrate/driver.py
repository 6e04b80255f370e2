"""Run in a process of its own: build the models of a file, give them weights and inputs by a seed, and keep the outputs.

    python driver.py FILE OUTPUT.npz old|new

``old``: the module ``keras`` is ``tf_keras``, whose moved modules are found under their former names. Nothing is trained: the
module is executed without its ``__main__`` part and without statements that fail, what trains or loads data does nothing, and
each function that can be called with sizes made up by the names of its parameters is called; models that it returns count, and
those that the module makes.
"""

from __future__ import annotations

import ast
import importlib
import importlib.abc
import importlib.machinery
import inspect
import os
import sys
import types
from typing import Any
from unittest.mock import MagicMock

#: Part of the name of a parameter → the value that it gets.
VALUES = {
    "shape": (32, 32, 3), "class": 4, "channel": 3, "size": 32, "rows": 32, "cols": 32, "height": 32, "width": 32,
    "weights": None, "drop": 0.5, "dim": 8, "filters": 8, "units": 8, "length": 16, "vocab": 50, "depth": 1, "lr": 0.01,
}  # fmt: skip
MOVED = {
    **{f"layers.{name}": "layers" for name in (
        "core", "convolutional", "normalization", "recurrent", "pooling", "embeddings", "advanced_activations", "merge",
        "noise", "wrappers",
    )},
    "utils.np_utils": "utils", "utils.vis_utils": "utils", "engine": "layers", "engine.topology": "layers",
    "engine.training": "models", "objectives": "losses",
}  # fmt: skip
_MOST = 6


def use_old_keras() -> None:
    """``keras`` is ``tf_keras`` from here on."""
    keras = importlib.import_module("tf_keras")
    sys.modules["keras"] = keras
    for name, module in list(sys.modules.items()):
        if name.startswith("tf_keras."):
            sys.modules[f"keras.{name.removeprefix('tf_keras.')}"] = module
    for old, new in MOVED.items():
        module = importlib.import_module(f"tf_keras.{new}")
        sys.modules.setdefault(f"keras.{old}", module)
        parent, _, last = old.rpartition(".")
        holder = sys.modules.get(f"keras.{parent}") if parent else keras
        if not hasattr(holder, last):
            setattr(holder, last, module)


class Absent(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Modules that are not installed are mocks."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        root = name.partition(".")[0]
        if root in ("keras", "tf_keras", "tensorflow", "numpy") or root in sys.stdlib_module_names:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: Any) -> types.ModuleType:
        module = MagicMock(name=spec.name)
        module.__path__, module.__spec__, module.__name__, module.__version__ = [], spec, spec.name, "1.0"
        return module  # type: ignore[no-any-return]

    def exec_module(self, module: types.ModuleType) -> None:
        pass


def argument(parameter: inspect.Parameter) -> Any:
    """A value for a parameter by its name."""
    if parameter.default is not parameter.empty:
        return parameter.default
    return next((value for part, value in VALUES.items() if part in parameter.name.lower()), 4)


def models(path: str, keras: Any) -> list[Any]:
    """The models that a file makes, and that its functions return."""
    made: list[Any] = []
    for name in ("fit", "fit_generator", "evaluate", "load_weights", "save", "save_weights"):
        for owner in (keras.Model, keras.Sequential):
            setattr(owner, name, lambda self, *args, **kwargs: MagicMock())
    with open(path, encoding="utf-8") as stream:
        tree = ast.parse(stream.read())
    scope: dict[str, Any] = {"__name__": "program", "__file__": path}
    for statement in tree.body:
        executed(statement, path, scope)
    for value in list(scope.values()):
        if isinstance(value, keras.Model):
            made.append(value)
        elif inspect.isfunction(value) and value.__code__.co_filename == path and len(made) < _MOST:
            made += called(value, keras)
    return [model for model in made if getattr(model, "built", False)][:_MOST]


def executed(statement: ast.stmt, path: str, scope: dict[str, Any]) -> None:
    """Execute a statement; a name that it lacks, because what sets it has failed, gets a value as a parameter does."""
    for _ in range(_MOST):
        try:
            exec(compile(ast.Module([statement], []), path, "exec"), scope)
            return
        except NameError as error:
            value = next((value for part, value in VALUES.items() if part in str(error.name).lower()), None)
            if value is None or error.name in scope:
                return
            scope[str(error.name)] = value
        except (Exception, SystemExit) as error:
            print(f"line {statement.lineno}: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
            return


def called(function: Any, keras: Any) -> list[Any]:
    """The models that a function returns."""
    parameters = inspect.signature(function).parameters.values()
    keywords = {each.name: argument(each) for each in parameters if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)}
    try:
        result = function(**keywords)
    except Exception as error:
        print(f"{function.__name__}: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
        return []
    results = result if isinstance(result, (tuple, list)) else (result,)
    return [each for each in results if isinstance(each, keras.Model)]


def output(model: Any, np: Any) -> Any:
    """What a model computes with weights and inputs that depend on its shapes only."""
    lot = np.random.default_rng(0)
    model.set_weights([lot.uniform(0.01, 0.1, weight.shape).astype("float32") for weight in model.get_weights()])
    inputs = [lot.uniform(0, 1, (2, *(32 if size is None else size for size in each.shape[1:]))) for each in model.inputs]
    inputs = [each.astype("float32") if "int" not in str(tensor.dtype) else each.astype("int32")
              for each, tensor in zip(inputs, model.inputs, strict=True)]  # fmt: skip
    result = model(inputs if len(inputs) > 1 else inputs[0], training=False)
    results = result if isinstance(result, (list, tuple)) else [result]
    return np.concatenate([np.asarray(each, dtype="float64").ravel()[:4096] for each in results])


def main() -> None:
    """Write the outputs of all models."""
    path, target, mode = sys.argv[1:4]
    sys.argv[:] = [path]
    os.environ.setdefault("KERAS_BACKEND", "tensorflow")
    import numpy as np

    if mode == "old":
        use_old_keras()
    keras = importlib.import_module("keras")
    importlib.import_module("tensorflow")
    sys.meta_path.append(Absent())  # behind the imports: the libraries ask for optional packages, too
    found = {str(number): output(model, np) for number, model in enumerate(models(path, keras))}
    np.savez(target, **found)


if __name__ == "__main__":
    main()
