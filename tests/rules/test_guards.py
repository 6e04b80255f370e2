"""Repaired code is run where it was dangerous: results and gradients are finite numbers in its element type."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.harness import findings, fixed, session

HEADER = "import torch\nw = torch.zeros(6, requires_grad=True) * 1\nr = torch.relu(w)\n"
EXPRESSIONS = (
    "torch.log(r)", "torch.log10(r * 2)", "r.log()", "torch.log1p(-torch.sigmoid(w))", "1 / r", "torch.reciprocal(r)",
    "torch.div(w, r)", "w.div(r)", "w / w.std()", "torch.sqrt(r)", "r ** 0.5", "r.pow(0.5)", "torch.rsqrt(r)",
    "torch.acos(torch.tanh(w))", "torch.asin(torch.tanh(w))", "torch.atanh(torch.tanh(w))", "torch.exp(w * 2)", "2 ** (w * 2)",
    "torch.sinh(w * 2)", "torch.acosh(r + 1)", "torch.where(r > 0, torch.log(r), torch.zeros_like(r))",
    "torch.log(r).clamp(min=-10)", "torch.sqrt(r).clamp(min=1e-3)", "torch.where(r == 0, 0.0, w / r)",
)  # fmt: skip
#: Numbers at which something above fails.
POINTS = (0.0, 1.0, -1.0, 100.0, -100.0, 30.0)


@pytest.mark.oracle
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_a_guard_makes_result_and_gradient_finite(expression: str, dtype: str) -> None:
    torch = pytest.importorskip("torch")
    header = HEADER.replace("torch.zeros(6", f"torch.zeros(6, dtype=torch.{dtype}")
    text = f"{header}y = {expression}\n"
    assert [finding.code[:3] for finding in findings(text)] == ["DLN"]
    after = fixed(text)
    assert after != text
    assert not session().check_bytes(findings(text)[0].location.path, after.encode()).findings
    given: Any = torch.tensor(POINTS, dtype=getattr(torch, dtype), requires_grad=True)
    scope = {"torch": torch, "w": given, "r": torch.relu(given)}
    result = eval(after.splitlines()[-1].removeprefix("y = "), scope)
    assert torch.isfinite(result).all()
    result.sum().backward()
    assert torch.isfinite(given.grad).all()


#: A tensor, and what is done to it in place.
IN_PLACE = (
    ("torch.softmax(w, 0)", "x.log_()"), ("torch.softmax(w, 0)", "y = x.log_()"), ("torch.softmax(w, 0)", "x[:] = x.log()"),
    ("torch.sigmoid(w)", "x.log_()"), ("torch.sigmoid(w)", "torch.log_(x)"), ("torch.sigmoid(w)", "torch.log(x, out=x)"),
    ("torch.relu(w)", "x.sqrt_()"), ("torch.relu(w)", "x.reciprocal_()"), ("torch.relu(w)", "x.log10_()"),
    ("torch.relu(w)", "x.rsqrt_()"), ("torch.relu(w)", "x.pow_(-1)"), ("torch.exp(w / 9)", "x /= x.sum()"),
    ("torch.relu(w)", "x.div_(torch.relu(w))"), ("torch.sum(w ** 2, 0)", "x.sqrt_()"),
)  # fmt: skip


@pytest.mark.oracle
@pytest.mark.parametrize(("made", "statement"), IN_PLACE)
@pytest.mark.parametrize("frame", ["{made}\n{statement}", "[{made}][0]\ndef change(x):\n    {statement}\nchange(x)"])
def test_operations_in_place_still_change_their_tensor(made: str, statement: str, frame: str) -> None:
    torch = pytest.importorskip("torch")
    body = frame.format(made=made, statement=statement)
    text = f"import torch\nw = torch.randn(6) * 1000\nx = {body}\nprint(x)\n"
    results = []
    for code in (text, fixed(text)):
        scope: dict[str, Any] = {}
        exec(code.replace("torch.randn(6) * 1000", "torch.full((6,), 0.25)"), scope)
        results.append(scope["x"])
    assert torch.allclose(*results, atol=1e-4)


def test_dangers_in_place_are_told() -> None:
    texts = [f"import torch\nw = torch.randn(6) * 1000\nx = {made}\n{statement}\n" for made, statement in IN_PLACE]
    assert sum(bool(findings(text)) for text in texts) >= len(texts) // 2
