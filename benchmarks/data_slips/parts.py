"""Parts of a script that faults of data and losses change: losses of torch, loaders, compiled models of Keras, arrays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import libcst as cst

from benchmarks.training_slips.script import Bound, Change, Script, code, expression, replaced
from dllint.source.walk import walk

#: The losses of torch: class → function.
LOSSES: Final = {
    "CrossEntropyLoss": "cross_entropy", "NLLLoss": "nll_loss", "BCELoss": "binary_cross_entropy",
    "BCEWithLogitsLoss": "binary_cross_entropy_with_logits", "MSELoss": "mse_loss", "L1Loss": "l1_loss",
    "KLDivLoss": "kl_div",
}  # fmt: skip
_FUNCTIONS: Final = {function: cls for cls, function in LOSSES.items()}


def calls(script: Script, *names: str) -> Iterator[cst.Call]:
    """The calls of functions, classes or methods whose last name is one of some."""
    for part in walk(script.module):
        if isinstance(part, cst.Call) and code(part.func).rpartition(".")[2] in names:
            yield part


def argument(call: cst.Call, name: str, position: int | None = None) -> cst.Arg | None:
    """An argument by its name, or at its position among those that have none."""
    for place, arg in enumerate(call.args):
        if arg.keyword is not None and arg.keyword.value == name:
            return arg
        if arg.keyword is None and arg.star == "" and place == position:
            return arg
    return None


@dataclass(frozen=True, slots=True)
class LossCall:
    """A call of a loss of torch on a prediction and a target, by the name of its class."""

    call: cst.Call
    cls: str
    prediction: cst.Arg
    target: cst.Arg


def loss_calls(script: Script, *classes: str) -> Iterator[LossCall]:
    """The calls of some losses, as functions or by the names of objects, that are made once, with nothing but two tensors."""
    objects = dict(criteria(script))
    for part in walk(script.module):
        if not isinstance(part, cst.Call) or len(part.args) != 2 or any(arg.star for arg in part.args):
            continue
        name = code(part.func)
        cls = objects.get(name) or (_FUNCTIONS.get(name.rpartition(".")[2]) if "." in name else None)
        if cls in classes and cls is not None:
            yield LossCall(part, cls, part.args[0], part.args[1])


def criteria(script: Script) -> Iterator[tuple[str, str]]:
    """The names that are bound once, to an object of a loss without arguments, with the class of that."""
    bound = [one.name for one in script.bindings]
    for one in script.bindings:
        made = construction(one)
        if made is not None and bound.count(one.name) == 1:
            yield one.name, code(made.func).rpartition(".")[2]


def construction(bound: Bound) -> cst.Call | None:
    """The call that makes an object of a loss without arguments, maybe on a device."""
    value = bound.value
    while isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute) and value.func.attr.value in ("cuda", "to"):
        value = value.func.value
    if isinstance(value, cst.Call) and not value.args and code(value.func).rpartition(".")[2] in LOSSES:
        return value
    return None


def wrapped(node: cst.BaseExpression, template: str) -> Change:
    """``template`` with ``{}`` in the place of an expression stands there."""
    return replaced(expression(template.format(code(node))))


def torch_name(script: Script) -> str:
    """Whether the script has ``torch`` under its own name: that, else empty."""
    return "torch" if re.search(r"^\s*import torch\s*(#.*)?$", script.text, re.MULTILINE) else ""


# --- Keras ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Compiled:
    """A call of ``compile`` with one loss, that is named by a text."""

    call: cst.Call
    loss: cst.Arg
    name: str


def compiled(script: Script, *losses: str) -> Iterator[Compiled]:
    """The only ``compile`` of a script, if it names one of some losses."""
    found = [call for call in calls(script, "compile") if argument(call, "loss") is not None]
    if len(found) != 1:
        return
    loss = argument(found[0], "loss")
    if loss is not None and isinstance(loss.value, cst.SimpleString) and loss.value.evaluated_value in losses:
        yield Compiled(found[0], loss, str(loss.value.evaluated_value))


def last_activation(script: Script, *names: str) -> Iterator[tuple[cst.Call, cst.Arg]]:
    """The only layer of a script whose activation is a text among some, with the argument: the output of its model."""
    found = []
    for call in calls(script, "Dense", "Activation"):
        given = argument(call, "activation", 0 if code(call.func).endswith("Activation") else 1)
        if given is not None and isinstance(given.value, cst.SimpleString) and given.value.evaluated_value in names:
            found.append((call, given))
    if len(found) == 1:
        yield found[0]


def fits(script: Script) -> list[cst.Call]:
    """The trainings of a script that are given arrays and labels by position."""
    found = []
    for call in calls(script, "fit"):
        x, y = argument(call, "x", 0), argument(call, "y", 1)
        compiles = ".compile(" in script.text
        if compiles and x is not None and y is not None and isinstance(x.value, cst.Name) and isinstance(y.value, cst.Name):
            found.append(call)
    return found


def divisions(script: Script) -> list[tuple[Bound, cst.BaseExpression]]:
    """The lines ``x = … / 255`` that bind an array, with what is divided."""
    found = []
    for bound in script.bindings:
        value = bound.value
        if not isinstance(value, cst.BinaryOperation) or not isinstance(value.operator, cst.Divide):
            continue
        if re.fullmatch(r"255\.?0?", code(value.right)) and bound.name in code(value.left):
            found.append((bound, value.left))
    return found
