"""The initial weights are too large, too small, or all the same."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.diagnose.records import ParameterRecord, RunRecord
from dllint.edit import Edit

_BY_HAND: Final = ("normal_", "uniform_", "constant_", "zeros_", "ones_", "trunc_normal_", "fill_", "zero_")
#: How far the size of the weights may be from what suits their number of inputs.
_FACTOR: Final = 4.0


class InitialWeights(Hypothesis):
    """Weights are initialised by hand, and their first size is not that of their number of inputs."""

    kind = "weight-init"
    supports: ClassVar = {
        "loss not decreasing": 0.9,
        "accuracy not increasing": 0.8,
        "dead node": 0.95,
        "saturated activation": 0.9,
        "vanishing gradient": 0.9,
        "exploding": 0.85,
        "numerical error": 0.7,
        "initial loss": 0.9,
        "unchanged weight": 0.8,
        "cannot fit one batch": 0.7,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Kaiming's distribution, or, for a bias, zero."""
        misfit = any(misfits(parameter, case.run) for parameter in case.run.parameters)
        for code in case.codes():
            for call in code.calls():
                method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
                subject = _subject(code, call)
                if method not in _BY_HAND or subject is None:
                    continue
                if code.source(subject).endswith("bias"):
                    yield "Begin with biases of 0", (code.replace(call, f"torch.nn.init.zeros_({code.source(subject)})"),), 0.9
                elif "weight" in code.source(subject):
                    text = f"torch.nn.init.kaiming_normal_({code.source(subject)})"
                    yield "Initialise by the number of inputs (Kaiming)", (code.replace(call, text),), 1.0 if misfit else 0.4


def _subject(code: Code, call: ast.Call) -> ast.expr | None:
    """The tensor that is initialised: the argument of a function of ``torch.nn.init``, or what a method is called on."""
    if code.name(call.func).startswith("torch.nn.init."):
        return call.args[0] if call.args else None
    if not isinstance(call.func, ast.Attribute):
        return None
    receiver = call.func.value
    is_data = isinstance(receiver, ast.Attribute) and receiver.attr == "data"
    return receiver.value if is_data and isinstance(receiver, ast.Attribute) else receiver


def misfits(parameter: ParameterRecord, run: RunRecord) -> bool:
    """Whether the root mean square of a weight at its first step is far from that of Kaiming initialisation."""
    if len(parameter.shape) < 2 or not run.steps:
        return False
    sample = run.steps[0].parameters.get(parameter.name)
    # Keras keeps the outputs in the last axis, torch in the first one.
    inputs = math.prod(parameter.shape[:-1] if parameter.name.endswith("kernel") else parameter.shape[1:])
    if sample is None or not inputs:
        return False
    size = sample.weight / math.sqrt(math.prod(parameter.shape))
    return not 1 / _FACTOR < size * math.sqrt(inputs) < _FACTOR
