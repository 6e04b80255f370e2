"""Parts of a tensor whose number or size is an argument: each has the shape that torch gives, as far as one is named."""

from __future__ import annotations

from itertools import product
from typing import Any, Final

import pytest

from dllint.domains.dim import DimExpr, symbols
from dllint.domains.lattice import Unknown
from dllint.domains.substitution import substitute
from dllint.ir.program import TensorVal
from tests.lower.tracing import lower

_INPUTS: Final = ("torch.zeros(2, 3 * n, 5)", "torch.zeros(3 * n, 4 * n)", "torch.zeros(n, 6 * n, 2, 2)", "torch.ones(12, 12)")
_CUTS: Final = (
    "x.split(n, dim=1)", "x.split(n)", "torch.split(x, n, 1)", "x.split(3 * n, dim=1)", "x.split(2 * n, 1)",
    "x.chunk(n, dim=1)", "torch.chunk(x, n)", "x.chunk(3, dim=1)", "torch.tensor_split(x, n, dim=1)",
    "x.unbind(1)", "torch.unbind(x)", "list(x)",
)  # fmt: skip
_TAKEN: Final = ("{}[0]", "[part + 1 for part in {}][0]", "[*{}][0]", "torch.stack([part.sum(0) for part in {}])[0]")


def _functions() -> dict[str, str]:
    return {
        f"case_{number}": f"def case_{number}(n):\n    y = torch.zeros(n, n)\n    x = {x}\n    return {taken.format(cut)}\n"
        for number, (x, cut, taken) in enumerate(product(_INPUTS, _CUTS, _TAKEN))
    }


@pytest.mark.oracle
def test_parts_are_those_of_torch() -> None:
    torch = pytest.importorskip("torch")
    texts = _functions()
    namespace: dict[str, Any] = {"torch": torch}
    exec("\n".join(texts.values()), namespace)
    found = {program.entry: program.results for program in lower("import torch\n" + "\n".join(texts.values())).programs}
    wrong, known = [], 0
    for name, text in texts.items():
        result = found[name]
        if not isinstance(result, TensorVal) or isinstance(result.shape, Unknown):
            continue
        known += 1
        for number in (2, 4):
            try:
                real = tuple(namespace[name](number).shape)
            except RuntimeError:
                continue
            fits = [_may_be(size, number, other) for size, other in zip(result.shape, real, strict=False)]
            if len(real) != len(result.shape) or not all(fits):
                wrong.append(f"{text}{result.shape} {real}")
    assert wrong == []
    assert known > 0.8 * len(texts), known


def _may_be(size: int | DimExpr, number: int, real: int) -> bool:
    """Whether a size is the real one where the argument is a number; sizes that are not written with it may be any."""
    if isinstance(size, DimExpr):
        value = substitute(size, {symbol: number for symbol in symbols(size) if symbol.name == "n"})
        return not isinstance(value, int) or value == real
    return size == real
