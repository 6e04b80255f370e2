"""The text by which a model is asked for: analysed as if it stood at the end of the file, never executed.

A function without parameters runs as the source has it. What it asks for is marked by assigning an attribute to it, which the
trace tells (``models.marked_model``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dllint.analysis.architecture.models import MARK
from dllint.domains.dtype import DType
from dllint.domains.shape import Shape

_FUNCTION: Final = "dllint_asked_function"
_HOLDER: Final = "DllintAsked"
_MODEL: Final = "dllint_asked_model"


@dataclass(frozen=True, slots=True)
class Input:
    """A tensor that the model is to be given."""

    shape: Shape
    dtype: DType


def marking(expression: str) -> str:
    """The text that marks the value of an expression."""
    return f"def {_FUNCTION}():\n    {_MODEL} = ({expression})\n    {_MODEL}.{MARK} = 0\n"


def calling(expression: str, inputs: Sequence[Input], *, of_keras: bool) -> str:
    """The text that marks the model that an expression gives, and calls it with tensors of given shapes."""
    library = "keras" if of_keras else "torch"
    arguments = ", ".join(_keras_input(one) if of_keras else _torch_input(one) for one in inputs)
    return (
        f"def {_FUNCTION}():\n    import {library} as dllint_asked_library\n    {_MODEL} = ({expression})\n"
        f"    {_MODEL}.{MARK} = 0\n    return {_MODEL}({arguments})\n"
    )


def _torch_input(one: Input) -> str:
    return f"dllint_asked_library.empty({_sizes(one)}, dtype=dllint_asked_library.{one.dtype.name})"


def _keras_input(one: Input) -> str:
    return f'dllint_asked_library.Input(batch_shape={_sizes(one)}, dtype="{one.dtype.name}")'


def _sizes(one: Input) -> str:
    return f"({', '.join(map(str, one.shape))},)" if one.shape else "()"


def calling_with(expression: str, parameters: Sequence[str], *, of_keras: bool) -> str:
    """The text that marks a model and calls it with inputs of which only the names are known: a module that holds it is an
    entry, whose inputs get the shapes that the layers ask for."""
    base, method = ("keras.Model", "call") if of_keras else ("torch.nn.Module", "forward")
    names = ", ".join(parameters)
    return (
        f"import {base.partition('.')[0]} as dllint_asked_library\n"
        f"class {_HOLDER}(dllint_asked_library.{base.partition('.')[2]}):\n"
        f"    def __init__(self):\n        super().__init__()\n        self.held = ({expression})\n"
        f"        self.held.{MARK} = 0\n"
        f"    def {method}(self, {names}):\n        return self.held({names})\n"
    )
