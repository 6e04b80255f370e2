"""Numbers of unknown origin (a file, a library) that are used as sizes: each is one number with a name wherever it is used, and
nothing is wrong with it."""

from __future__ import annotations

from itertools import product
from typing import Any, Final

import pytest

from dllint.domains.dim import Dim, DimExpr, is_known, symbols
from dllint.domains.lattice import Unknown
from dllint.domains.substitution import substitute
from dllint.ir.program import TensorVal
from tests.lower.tracing import lower

#: Where two numbers come from.
_ORIGINS: Final = (
    "a, b = elsewhere.one(), elsewhere.two()",
    "a = json.load(open('f'))['a']\n    b = json.load(open('f'))['b']",
    "numbers = json.load(open('f'))\n    a, b = numbers['a'], numbers['b']",
    "a, b = elsewhere.one(), int(elsewhere.two())",
    "with open('f') as file:\n        numbers = json.load(file)\n    a, b = numbers['a'], numbers.get('b')",
)
_USES: Final = (
    "torch.zeros(a, 10).view(a, 5, 2)",
    "torch.zeros(a, b).t()",
    "torch.cat([torch.zeros(a, 3), torch.zeros(a, 4)], 1)",
    "torch.zeros(a, 2, b).permute(2, 0, 1)",
    "nn.Linear(a, b)(torch.zeros(3, a))",
    "nn.Linear(a, 4)(torch.zeros(3, 7))",
    "torch.zeros(a, 3) + torch.zeros(b, 3)",
    "torch.zeros(a, 3) + torch.zeros(7, 3)",
    "torch.zeros((a, b)) @ torch.zeros(b, 5)",
    "torch.zeros(a, b) @ torch.zeros(7, 5)",
    "torch.zeros(2, b) + torch.zeros(b)",
    "nn.Embedding(a, b)(torch.zeros(2, 3, dtype=torch.long))",
    "nn.Conv2d(3, a, 3)(torch.zeros(2, 3, 8, 8))",
    "nn.Sequential(nn.Linear(7, a), nn.ReLU(), nn.Linear(a, b))(torch.zeros(2, 7))",
    "torch.zeros(7, b).repeat(a, 1)[:a]",
    "torch.zeros(7, 7).expand(a, 7, 7)",
)  # fmt: skip


class _Elsewhere:
    """A library with two numbers."""

    def one(self) -> int:
        return 7

    def two(self) -> int:
        return 7


@pytest.mark.oracle
def test_sizes_are_those_of_runs_and_nothing_is_proved() -> None:
    torch = pytest.importorskip("torch")
    texts = {
        f"case_{number}": f"def case_{number}():\n    {origin}\n    return {use}\n"
        for number, (origin, use) in enumerate(product(_ORIGINS, _USES))
    }
    lowered = lower("import json\nimport elsewhere\nimport torch\nfrom torch import nn\n" + "\n".join(texts.values()))
    assert not [op for program in lowered.programs for op in program.ops if op.faults]
    found = {program.entry: program.results for program in lowered.programs}
    stored = type("Json", (), {"load": staticmethod(lambda _: {"a": 7, "b": 7})})
    opened: Any = type("Opened", (), {"__enter__": lambda self: self, "__exit__": lambda *_: None})
    namespace = {"torch": torch, "nn": torch.nn, "elsewhere": _Elsewhere(), "json": stored, "open": lambda _: opened()}
    exec("\n".join(texts.values()), namespace)
    wrong, known = [], 0
    for name, text in texts.items():
        result = found[name]
        if not isinstance(result, TensorVal) or isinstance(result.shape, Unknown):
            continue
        known += all(map(is_known, result.shape))
        real = tuple(namespace[name]().shape)
        sizes = tuple(map(_with_sevens, result.shape))
        if len(real) != len(sizes) or any(isinstance(n, int) and n != other for n, other in zip(sizes, real, strict=True)):
            wrong.append(f"{text}{result.shape} {real}")
    assert wrong == []
    assert known > 0.8 * len(texts), known


def _with_sevens(size: Dim) -> Dim:
    """A size where every number that is not known is 7."""
    return substitute(size, dict.fromkeys(symbols(size), 7)) if isinstance(size, DimExpr) else size


@pytest.mark.parametrize("number", ["elsewhere.one()", "json.load(open('f'))['a']", "elsewhere.settings['a'].b"])
def test_the_end_of_a_range_may_be_any_number(number: str) -> None:
    source = f"import json\nimport elsewhere\nimport torch\nx = torch.arange({number})\ny = int({number}) - 1\nz = y < 0\n"
    attrs = lower(source).module.attrs
    assert isinstance(attrs["x"].dtype, Unknown)
    assert isinstance(attrs["z"], Unknown)
