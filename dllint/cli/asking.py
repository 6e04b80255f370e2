"""Asking for one model of a file by an expression."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import libcst

from dllint.analysis.architecture.asked import Input, calling, calling_with, marking
from dllint.analysis.architecture.models import Model, marked_model
from dllint.analysis.modules import library_of
from dllint.cli.failures import Failure
from dllint.cli.opening import Opened, open_analysed
from dllint.ir.events import Binding
from dllint.ir.values import ClassVal, FuncVal, InstanceVal

_METHODS: Final = ("forward", "call", "__call__")
#: The sites around the expression itself: its own and that of the function that has it.
_OWN: Final = 2


def ask(path: Path, expression: str, inputs: list[Input], python: str) -> tuple[Opened, list[Model]]:
    """The model that an expression gives, or that a class or function gives which it names, called with the inputs.

    Raises:
        Failure: there is no such model.
    """
    opened, model, expression = _marked(path, expression, python)
    instance = model.instance
    of_keras = library_of(instance.cls) == "keras"
    if inputs:
        text = calling(expression, inputs, of_keras=of_keras)
    elif model.call is not None:
        return opened, [model]
    else:
        parameters = _parameters(instance)
        if parameters is None:
            return opened, [model]
        text = calling_with(expression, parameters, of_keras=of_keras)
    opened = open_analysed(path, python, added=text, architectures=True)
    called = marked_model(opened.analysis.programs)
    return opened, [called if called is not None else model]


def _marked(path: Path, expression: str, python: str) -> tuple[Opened, Model, str]:
    for text in (expression, f"({expression})()"):
        opened = open_analysed(path, python, added=marking(text), architectures=True)
        model = marked_model(opened.analysis.programs)
        if model is not None:
            missing = next((event for event in model.program.events if isinstance(event, Binding) and event.missing), None)
            if missing is not None and len(missing.site.stack()) <= _OWN:
                names = ", ".join(f"{name}=…" for name in missing.missing)
                raise Failure(f'`{expression}` needs more arguments: write {path}:"{expression}({names})"')
            return opened, model, text
    raise Failure(f"`{expression}` is no model that could be followed in {path}")


def _parameters(instance: InstanceVal) -> list[str] | None:
    """The names of what a model has to be called with; None if that is not known."""
    if not isinstance(instance.cls, ClassVal):
        return ["x"] if instance.state.get("names") is not None else None
    for base in instance.cls.mro:
        for name in _METHODS if isinstance(base, ClassVal) else ():
            method = base.attrs.get(name) if isinstance(base, ClassVal) else None
            if isinstance(method, FuncVal) and isinstance(method.node, libcst.FunctionDef):
                return _required(method.node.params)
    return ["x"]


def _required(parameters: libcst.Parameters) -> list[str]:
    return [param.name.value for param in (*parameters.posonly_params, *parameters.params)[1:] if param.default is None]
