"""A call with an argument that the function has no place for raises: nothing is claimed of what it gives."""

from __future__ import annotations

import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from tests.lower.tracing import lower, values

FUNCTION = "def made({parameters}):\n    return torch.zeros(2, size)\n"
METHOD = "class Maker:\n    def made({parameters}):\n        return torch.zeros(2, size)\nmade = Maker().made\n"
NESTED = "def outer():\n    def inner({parameters}):\n        return torch.zeros(2, size)\n    return inner\nmade = outer()\n"
DEFINED = [(FUNCTION, "size"), (FUNCTION, "size, scale=1.0"), (METHOD, "self, size"), (NESTED, "size, *, scale=1.0")]
TOO_MUCH = ("made(5, share=True)", "made(size=5, share_weights=None)", "made(5, 2.0, 3)", "made(5, **{'other': 1})")
FITTING = ("made(5)", "made(size=5)")
PROGRAM = "import torch\nfrom torch import nn\n{defined}out = {call}\nnn.Linear(7, 2)(torch.tanh(out))\n"


@pytest.mark.parametrize(("text", "parameters"), DEFINED)
@pytest.mark.parametrize("call", TOO_MUCH)
def test_the_result_is_not_known(text, parameters, call):
    program = PROGRAM.format(defined=text.format(parameters=parameters), call=call)
    out = values(program)["out"]
    assert not isinstance(out, TensorVal) or isinstance(out.shape, Unknown)
    assert not [op for each in lower(program).programs for op in each.ops if op.faults]


@pytest.mark.parametrize(("text", "parameters"), DEFINED)
@pytest.mark.parametrize("call", FITTING)
def test_a_call_that_fits_is_followed(text, parameters, call):
    program = PROGRAM.format(defined=text.format(parameters=parameters), call=call)
    assert values(program)["out"].shape == (2, 5)
    assert [fault.kind for each in lower(program).programs for op in each.ops for fault in op.faults] == ["feature-size"]
