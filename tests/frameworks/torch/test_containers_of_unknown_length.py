"""Containers of modules that are filled an unknown number of times: what they make of a tensor, and what is taken out of them,
has the shape that torch gives for every number."""

from __future__ import annotations

import textwrap
from itertools import product
from typing import Any, Final

import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from tests.lower.tracing import lower
from tests.rules.harness import reports

#: Ways to fill a container with ``{block}``, ``n`` times or more.
_FILLED: Final = (
    "made = nn.Sequential(*[{block} for _ in range(n)])",
    "made = nn.Sequential({block}, *[{block} for _ in range(n)])",
    "made = nn.Sequential(*[{block} for _ in range(n)], {block})",
    "made = nn.Sequential(*[{block} for _ in range(n)], nn.Identity(), *[{block} for _ in range(n)])",
    "parts = []\nfor _ in range(n):\n    parts.append({block})\nmade = nn.Sequential(*parts)",
    "parts = [{block}]\nfor _ in range(n):\n    parts += [{block}, nn.ReLU()]\nmade = nn.Sequential(*parts)",
    "made = nn.ModuleList([{block} for _ in range(n)])",
    "made = nn.ModuleList({block} for _ in range(n))",
    "made = nn.ModuleList()\nfor _ in range(n):\n    made.append({block})",
    "made = nn.ModuleList([{block}])\nfor _ in range(n):\n    made.append({block})\nmade.append({block})",
    "made = nn.ModuleList([{block}])\nmade.extend([{block} for _ in range(n)])",
    "made = nn.ModuleList([{block}]) + nn.ModuleList([{block} for _ in range(n)])",
    "made = nn.ModuleList([{block} for _ in range(n)]) + [{block}]",
    "made = nn.ModuleList([{block} for _ in range(n)])\nmade.insert(0, {block})",
    "made = nn.ModuleList([{block} for _ in range(n)])\nmade[0] = {block}",
)
_BLOCKS: Final = ("nn.Linear(4, 4)", "nn.Sequential(nn.Linear(4, 7), nn.ReLU(), nn.Linear(7, 4))", "nn.Conv2d(3, 3, 3)")
_USES: Final = (
    "for part in made:\n    x = part(x)",
    "for i, part in enumerate(made):\n    x = part(x)",
    "for i in range(len(made)):\n    x = made[i](x)",
    "x = made[0](x)",
    "x = made[-1](x)",
    "for part in made[:-1]:\n    x = part(x)",
    "for part in made[1:]:\n    x = part(x)",
    "x = nn.Sequential(*made)(x)",
    "x = made(x)",
    "x = made[:1](x)",
)
_INPUT: Final = "x = torch.zeros(2, 3, 16, 4) if 'Linear' in {block!r} else torch.zeros(2, 3, 16, 16)"


def _functions() -> dict[str, str]:
    found = {}
    for number, (filled, use) in enumerate(product(_FILLED, _USES)):
        if use in ("x = made(x)", "x = made[:1](x)") and "made = nn.ModuleList" in filled:
            continue
        block = _BLOCKS[(number + number // len(_USES)) % len(_BLOCKS)]
        body = "\n".join((filled.format(block=block), _INPUT.format(block=block), use, "return x"))
        found[f"case_{number}"] = f"def case_{number}(n):\n{textwrap.indent(body, '    ')}\n"
    return found


@pytest.mark.oracle
def test_shapes_are_those_of_torch_for_every_number() -> None:
    torch = pytest.importorskip("torch")
    texts = _functions()
    namespace: dict[str, Any] = {"torch": torch, "nn": torch.nn}
    exec("\n".join(texts.values()), namespace)
    lowered = lower("import torch\nfrom torch import nn\n" + "\n".join(texts.values()))
    assert not [op for program in lowered.programs for op in program.ops if op.faults]
    found = {program.entry: program.results for program in lowered.programs}
    wrong, ranks, shapes = [], 0, 0
    for name, text in texts.items():
        result = found[name]
        if not isinstance(result, TensorVal) or isinstance(result.shape, Unknown):
            continue
        ranks += 1
        shapes += all(isinstance(size, int) for size in result.shape)
        for number in (1, 3):
            real = tuple(namespace[name](number).shape)
            if len(real) != len(result.shape) or any(
                isinstance(size, int) and size != other for size, other in zip(result.shape, real, strict=True)
            ):
                wrong.append(f"{text}{result.shape} {real}")
    assert wrong == []
    assert ranks > 0.8 * len(texts), ranks
    assert shapes > 0.55 * len(texts), shapes


@pytest.mark.parametrize("filled", [filled for filled in _FILLED if "ModuleList" in filled and "]\nmade" not in filled])
def test_the_number_of_elements_is_not_known(filled: str) -> None:
    body = f"{filled.format(block='nn.ReLU()')}\nreturn len(made)"
    source = f"from torch import nn\ndef case(n):\n{textwrap.indent(body, '    ')}\n"
    result = next(program.results for program in lower(source).programs if program.entry == "case")
    assert not isinstance(result, int)


_TORN: Final = ("made.pop()", "made.pop(0)", "del made[0]", "made[k] = nn.Linear(4, 8)", "made.insert(k, nn.Linear(4, 8))")


@pytest.mark.parametrize(("filled", "torn"), [*product(_FILLED[6:9], _TORN)])
def test_nothing_is_known_of_elements_that_were_changed_at_unknown_places(filled: str, torn: str) -> None:
    body = f"{filled.format(block='nn.Linear(4, 4)')}\n{torn}\nreturn made[0](torch.zeros(2, 4))"
    source = f"import torch\nfrom torch import nn\ndef case(n, k):\n{textwrap.indent(body, '    ')}\n"
    result = next(program.results for program in lower(source).programs if program.entry == "case")
    assert not isinstance(result, TensorVal) or isinstance(result.shape, Unknown)


#: Models whose first or last parts differ from those between them, which are there any number of times.
_UNEVEN: Final = (
    ("made = [nn.Linear(3, 64)] + [nn.Linear(64, 64) for _ in range(n)]", "torch.zeros(2, 3)"),
    ("made = [nn.Linear(3, 64)]\nfor _ in range(n):\n    made.append(nn.Linear(64, 64))", "torch.zeros(2, 3)"),
    ("made = [nn.Linear(3, 64)]\nfor _ in range(n):\n    made += [nn.ReLU(), nn.Linear(64, 64)]\nmade += [nn.Linear(64, 9)]",
     "torch.zeros(2, 3)"),
    ("made = [nn.Linear(3, 64), *[nn.Linear(64, 64) for _ in range(n)], nn.Linear(64, 2)]", "torch.zeros(2, 3)"),
    ("made = [nn.Conv2d(3, 64, 3)]\nfor _ in range(n):\n    made.extend([nn.BatchNorm2d(64), nn.Conv2d(64, 64, 1)])",
     "torch.zeros(2, 3, 8, 8)"),
    ("made = [nn.Conv2d(3, 64, 3), nn.Flatten()] + [nn.Linear(64, 64)] * n", "torch.zeros(2, 3, 3, 3)"),
    ("made = [nn.LSTM(3, 8)] + [nn.LSTM(8, 8) for _ in range(n)]", "torch.zeros(5, 2, 3)"),
    ("made = []\nwidth = 3\nfor size in sizes:\n    made.append(nn.Linear(width, size))\n    width = size",
     "torch.zeros(2, 3)"),
)  # fmt: skip
_RUN: Final = (
    "held = nn.ModuleList(made)\nfor part in held:\n    x = part(x)",
    "held = nn.ModuleList()\nfor part in made:\n    held.append(part)\nfor part in held:\n    x = part(x)",
    "held = nn.ModuleList(made)\nfor i in range(len(held)):\n    x = held[i](x)",
    "held = nn.ModuleList(made)\nx = held[0](x)\nfor part in held[1:]:\n    x = part(x)",
    "held = nn.ModuleList(made)\nfor part in held[:-1]:\n    x = part(x)\nx = held[-1](x)",
    "x = nn.Sequential(*made)(x)",
)


@pytest.mark.parametrize("made", _UNEVEN, ids=str)
def test_nothing_is_wrong_with_parts_that_differ(made: tuple[str, str]) -> None:
    filled, x = made
    bodies = [f"{filled}\nx = {x}\n{run}\nreturn x" for run in _RUN]
    if "LSTM" in filled:
        bodies = [body.replace("(x)", "(x)[0]") for body in bodies if "Sequential" not in body]
    functions = (f"def case_{n}(n, sizes):\n{textwrap.indent(body, '    ')}\n" for n, body in enumerate(bodies))
    assert reports("import torch\nfrom torch import nn\n" + "\n".join(functions)) == []
