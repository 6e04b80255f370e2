"""Methods of models that nothing calls are run: results are what torch gives, and what raises is found."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from dllint.domains.dim import Dim, DimExpr, symbols
from dllint.domains.lattice import Unknown
from dllint.domains.substitution import substitute
from dllint.ir.program import Program, TensorVal
from tests.lower.tracing import lower

MODEL = """
class Net(nn.Module):
    def __init__(self, width=6):
        super().__init__()
        self.width = width
        self.first, self.second = nn.Linear(width, 8), nn.Linear(8, width)
        self.table = nn.Embedding(11, width)

    def forward(self, x):
        return self.second(self.hidden(x))

    def hidden(self, x):
        return self.first(x).relu()
"""
#: Bodies of methods with their parameters, and arguments that they are called with.
METHODS = {
    "(self, n)": (
        (
            "self.second(torch.randn(n, 8))",
            "self.first(torch.zeros(n, 4, self.width))",
            "self.table(torch.zeros(2, n, dtype=torch.long))",
            "self.hidden(torch.ones(n, 6)).view(n, 2, -1)",
            "self.first(torch.randn(n, 7))",
            "self.second(self.table.weight.view(-1, 6))",
        ),
        (5,),
    ),
    "(self, n, scale=2.0)": (
        (
            "self.second(torch.randn(2, n, 8) * scale)",
            "self.forward(torch.randn(n, self.width)).view(-1)",
            "self.second(torch.randn(n, 9)) * scale",
        ),
        (3,),
    ),
    "(self)": (
        (
            "self.first(self.table.weight)",
            "self.second(self.first.weight)",
            "self.first(torch.zeros(3, 6)).unsqueeze(0)",
        ),
        (),
    ),
}


def models() -> str:
    bodies = [(head, body) for head, (bodies, _) in METHODS.items() for body in bodies]
    methods = [f"\n    def method_{place}{head}:\n        return {body}\n" for place, (head, body) in enumerate(bodies)]
    return MODEL + "".join(methods)


@pytest.mark.oracle
def test_results_are_those_of_torch_and_faults_are_found() -> None:
    torch = pytest.importorskip("torch")
    space: dict[str, Any] = {"torch": torch, "nn": torch.nn}
    exec(models(), space)
    found = {program.entry: program for program in lower("import torch\nfrom torch import nn\n" + models()).programs}
    arguments = [arguments for bodies, arguments in METHODS.values() for _ in bodies]
    raised = 0
    for place, given in enumerate(arguments):
        program = found[f"Net.method_{place}"]
        try:
            real = tuple(getattr(space["Net"](), f"method_{place}")(*given).shape)
        except RuntimeError:
            raised += 1
            assert _fails(program), place
            continue
        assert not any(op.faults for op in program.ops), place
        result = program.results
        assert isinstance(result, TensorVal), place
        assert not isinstance(result.shape, Unknown), place
        assert tuple(_at(size, *given) for size in result.shape) == real, place
    assert raised >= 3


def _fails(program: Program) -> bool:
    return any(op.faults for op in program.ops)


def _at(size: Dim, number: int = 0) -> Dim:
    return substitute(size, dict.fromkeys(symbols(size), number)) if isinstance(size, DimExpr) else size


USES = ("x.unsqueeze(0)", "x.view(2, -1)", "self.first(x)", "self.second(self.first(x))", "torch.cat([x.permute(1, 0)])")
NO_USES = ("torch.zeros(x)", "self.first(torch.zeros(x, 6))", "self.first.weight[x]")


@pytest.mark.parametrize("use", [*USES, *NO_USES])
def test_parameters_are_tensors_where_they_are_used_as_such(use: str) -> None:
    text = f"import torch\nfrom torch import nn\n{MODEL}\n    def other(self, x):\n"
    text += f"        return self.first(torch.zeros(2, 6)), {use}\n"
    (program,) = [program for program in lower(text).programs if program.entry == "Net.other"]
    assert [value.name for value in program.inputs] == (["x"] if use in USES else [])


@pytest.mark.parametrize("name", ["this", "s"])
@pytest.mark.parametrize("use", [USES[2], USES[3], NO_USES[1]])
def test_parts_are_called_whatever_a_method_calls_its_object(name: str, use: str) -> None:
    text = f"import torch\nfrom torch import nn\n{MODEL}\n    def other({name}, x):\n"
    text += f"        return {use}\n".replace("self", name)
    programs = [program for program in lower(text).programs if program.entry == "Net.other"]
    assert [value.name for program in programs for value in program.inputs] == (["x"] if use in USES else [])


CALLED = ("self.other(x)", "[self.other(part) for part in (x, x)]", "self.second(self.other(x))")


@pytest.mark.parametrize(("use", "name"), list(product(CALLED, ("other", "hidden"))))
def test_methods_that_forward_reaches_are_not_run_again(use: str, name: str) -> None:
    text = f"import torch\nfrom torch import nn\n{MODEL}\n    def other(self, x):\n        return self.first(x)\n"
    text = text.replace("return self.second(self.hidden(x))", f"return {use}, self.hidden(x)")
    assert f"Net.{name}" not in {program.entry for program in lower(text).programs}
