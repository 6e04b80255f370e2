"""What functions of torch ask of their operands: calls of each of them with an argument that is missing or of another kind, and
calls that run, against runs."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from benchmarks.differential.claims import claims
from benchmarks.differential.comparing import compared
from benchmarks.differential.running import run
from dllint.frameworks import operands
from dllint.frameworks.registry import parameters
from tests.lower.tracing import lower

pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

_ROWS = json.loads((Path(operands.__file__).parent / "signatures" / "operands.json").read_text(encoding="utf-8"))
_TENSORS = ("torch.ones(3, 4)", "torch.ones(2, 4)", "torch.ones(4)", "torch.ones(3, 4).bool()", "torch.ones(3, 4).long()",
            "torch.ones(3, 4, dtype=torch.complex64)", "torch.ones(())", "torch.ones(3, 4).half()")  # fmt: skip
_NUMBERS = ("2", "0.5", "True", "1", "-1")


def _program(name: str, source: random.Random) -> str:
    """A call of a function or method with tensors and numbers that fit or do not."""
    args = [source.choice(_TENSORS if source.random() < 0.7 else _NUMBERS) for _ in range(source.choice((1, 2, 2, 3)))]
    if name.startswith("torch.Tensor."):
        receiver = source.choice(_TENSORS)
        return f"import torch\nx = {receiver}\ny = x.{name.rpartition('.')[2]}({', '.join(args)})\n"
    return f"import torch\ny = {name}({', '.join(args)})\n"


@pytest.mark.parametrize("part", range(4))
def test_calls_that_run_are_not_reported(part: int) -> None:
    source = random.Random(f"operands {part}")
    found = raised = 0
    for name in sorted(_ROWS)[part::4]:
        for _ in range(2):
            text = _program(name, source)
            observed = run(text)
            if observed.lost:
                continue
            verdict = compared(claims(text), observed)
            assert not verdict.false_errors, (text, verdict.false_errors)
            raised += verdict.raised and not verdict.by_values
            found += verdict.raised and not verdict.by_values and verdict.found
    assert raised > 50
    assert found / raised > 0.4, f"{found} of {raised} errors"


@pytest.mark.parametrize("call", [
    "torch.vdot(x, 0.5)", "torch.stft(x)", "x.unfold(0, 1)", "torch.argmax(x > 0)", "torch.special.legendre_polynomial_p(x, y)",
    "torch.nn.functional.relu6(z)", "torch.cumprod(x, 1.5)", "torch.atan2(z, x)", "torch.minimum(2, x)", "x.hypot(2)",
    "torch.add(x)", "x.lcm(y)", "z.atan2_(z)",
])  # fmt: skip
@pytest.mark.parametrize("around", ["r = {}", "def f():\n    return {}\nr = f()", "for _ in range(1):\n    r = {}"])
def test_what_raises_is_reported(call: str, around: str) -> None:
    text = (
        f"import torch\nx, y, z = torch.ones(3), torch.ones(2), torch.ones(3, dtype=torch.complex64)\n{around.format(call)}\n"
    )
    assert run(text).raised is not None, text
    assert any(finding.severity.name == "ERROR" for _, finding in claims(text).findings), text


def test_an_error_that_is_caught_is_none() -> None:
    text = "import torch\nx = torch.ones(3)\ntry:\n    y = torch.vdot(x, 0.5)\nexcept TypeError:\n    y = x\nz = y.shape\n"
    assert claims(text).findings == []
    assert run(text).raised is None


VAGUE = {
    "a parameter": "p",
    "an attribute": "thing.value",
    "one of two": "(2 if flag else torch.ones(3, 4))",
    "perhaps None": "(None if flag else torch.ones(2, 4))",
    "of a branch": "v",
    "a result": "thing(3)",
}
_AROUND = """
import torch
from elsewhere import flag, thing

def entry(p):
    if flag:
        v = 0.5
    else:
        v = torch.ones(5, 4)
    return {call}
"""


@pytest.mark.parametrize("vague", VAGUE)
@pytest.mark.parametrize("part", range(4))
def test_nothing_is_asked_beside_what_is_not_known(part: int, vague: str) -> None:
    source = random.Random(f"vague {part} {vague}")
    asked = [name for name, row in sorted(_ROWS.items()) if len({*row.get("tensors", ()), *row.get("broadcasts", ())}) > 1]
    calls = 0
    for name in asked[part::4]:
        row, params = _ROWS[name], [param.name for param in parameters(name) or ()]
        tensors = [param for param in params if param in row.get("tensors", ()) or param in row.get("broadcasts", ())]
        for place in tensors:
            given = {param: VAGUE[vague] if param == place else source.choice(_TENSORS) for param in tensors}
            receiver = given.pop(params[0]) if name.startswith("torch.Tensor.") and params[0] in given else None
            if receiver == VAGUE[vague]:
                continue
            function = name if receiver is None else f"{receiver}.{name.rpartition('.')[2]}"
            text = _AROUND.format(call=f"{function}({', '.join(f'{key}={value}' for key, value in given.items())})")
            programs = lower(text).programs
            assert [op.faults for one in programs for op in one.ops if op.kind == "library_call" and op.faults] == [], text
            calls += 1
    assert calls > 5
