"""Asking for one model of a file by an expression: the file is analysed with a text at its end that names it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import libcst

from dllint.analysis.architecture.asked import Input, calling, calling_with, marking
from dllint.analysis.architecture.models import Model, marked_model
from dllint.analysis.modules import library_of
from dllint.engine.analysis import Analysis
from dllint.ir.events import Binding
from dllint.ir.values import ClassVal, FuncVal, InstanceVal

#: The analysis of the file with a text added at its end, by a session that follows architectures.
AnalyseWith = Callable[[str], Analysis]

_METHODS: Final = ("forward", "call", "__call__")
#: The sites around the expression itself: its own and that of the function that has it.
_OWN: Final = 2


@dataclass(frozen=True, slots=True)
class Asked:
    """A model, the analysis that tells of it, and the expression that makes it."""

    model: Model
    analysis: Analysis
    expression: str


class NoModelError(Exception):
    """An expression gives no model; ``missing`` are the arguments that it lacks."""

    def __init__(self, expression: str, missing: tuple[str, ...] = ()) -> None:
        super().__init__(expression)
        self.expression = expression
        self.missing = missing


def ask(analyse: AnalyseWith, expression: str, inputs: list[Input]) -> Asked:
    """The model that an expression gives, or that a class or function gives which it names, called with the inputs; without
    inputs, as the expression calls it, or with inputs of which only the names are known.

    Raises:
        NoModelError: there is no such model.
    """
    asked = _marked(analyse, expression)
    instance = asked.model.instance
    of_keras = library_of(instance.cls) == "keras"
    if inputs:
        text = calling(asked.expression, inputs, of_keras=of_keras)
    elif asked.model.call is not None:
        return asked
    else:
        parameters = _parameters(instance)
        if parameters is None:
            return asked
        text = calling_with(asked.expression, parameters, of_keras=of_keras)
    analysis = analyse(text)
    called = marked_model(analysis.programs)
    return Asked(called if called is not None else asked.model, analysis, asked.expression)


def _marked(analyse: AnalyseWith, expression: str) -> Asked:
    for text in (expression, f"({expression})()"):
        analysis = analyse(marking(text))
        model = marked_model(analysis.programs)
        if model is not None:
            missing = next((event for event in model.program.events if isinstance(event, Binding) and event.missing), None)
            if missing is not None and len(missing.site.stack()) <= _OWN:
                raise NoModelError(expression, tuple(missing.missing))
            return Asked(model, analysis, text)
    raise NoModelError(expression)


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
