"""What backward passes need is what torch asks for: changing it in place makes them raise, and so does a second pass."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Final

import pytest

from dllint.analysis.facts import Facts
from dllint.ir.program import Op, Program
from dllint.lower.document import lower_document
from dllint.ops import all as declared
from dllint.ops.saved import gives_up, keeps
from dllint.ops.spec import OPS
from dllint.source.document import Document

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle
assert declared
#: Programs of one operation of ``h``, which requires gradients.
WRITTEN: Final = (
    "h * w", "h * 2", "h * c", "h / w", "h / 2", "h / c", "h + w", "h - w", "-h", "h @ w", "h @ c", "h ** 2", "h.sum(1)",
    "h.mean()", "h.reshape(-1)", "h[0]", "h.clone()", "torch.cat([h, w])", "torch.stack([h, w])", "torch.where(h > 0, h, w)",
    "torch.nn.Linear(4, 3)(h)", "torch.nn.functional.linear(h, w)", "torch.nn.functional.linear(h, c)",
    "torch.nn.LayerNorm(4)(h)", "torch.nn.Dropout(0.5)(h)", "torch.nn.BatchNorm1d(4)(h)", "torch.nn.GroupNorm(2, 4)(h)",
    "torch.nn.Conv1d(4, 2, 1)(h.T[None])",
    "torch.nn.functional.softmax(h, 1)", "torch.nn.functional.log_softmax(h, dim=1)", "torch.nn.functional.softmin(h, dim=1)",
    "torch.nn.functional.glu(h)", "torch.nn.functional.mse_loss(h, c)", "torch.nn.functional.smooth_l1_loss(h, c)",
    "torch.nn.functional.cross_entropy(h, k)", "h.std()", "h.var(1)", "torch.clamp(h, 0.1, 0.9)",
)  # fmt: skip
_HOMES: Final = ("torch", "torch.nn.functional")
_UNARY: Final = tuple(
    f"{home}.{name}(h)"
    for home, module in zip(_HOMES, (torch, torch.nn.functional), strict=True)
    for name in OPS
    if callable(getattr(module, name, None))
)
_SETUP: Final = (
    "import torch\ntorch.manual_seed(0)\nleaf = torch.rand(4, 4, requires_grad=True)\nh = leaf + 0.1\n"
    "w = torch.rand(4, 4, requires_grad=True) + 0.1\nc = torch.rand(4, 4)\nk = torch.tensor([0, 1, 2, 3])\nr = {0}\n"
)
_NEEDED: Final = "modified by an inplace operation"
#: What is done with an operation → what is done, and what torch says if that is not allowed.
_DONE: Final = {
    "result": ("r.mul_(2)\nr.sum().backward()", _NEEDED),
    "operand": ("h.mul_(2)\nr.sum().backward()", _NEEDED),
    "again": ("r.sum().backward()\nr.sum().backward()", "second time"),
}


def _refuses(expression: str, then: str, message: str) -> bool | None:
    """Whether torch raises with a message when something is done with the result; ``None`` if it is no such operation."""
    names: dict[str, object] = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(_SETUP.format(expression), names)
    except (RuntimeError, TypeError, ValueError, IndexError):
        return None
    result = names["r"]
    if not isinstance(result, torch.Tensor) or not result.requires_grad or not result.is_floating_point():
        return None
    try:
        exec(then, names)
    except RuntimeError as error:
        return message in str(error)
    return False


def _traced(expression: str) -> tuple[Program, Op]:
    """The program of an expression, and the operation that it ends with."""
    (program,) = lower_document(Document.from_text(Path("saved.py"), _SETUP.format(expression))).programs
    return program, program.ops[-1]


def _claims(expression: str) -> dict[str, bool]:
    """What we say of the last operation: whether its result, its operand and anything at all is kept."""
    program, op = _traced(expression)
    facts = Facts(program)
    learned = {
        id(made.output) for made in program.ops if any(step.args.get("requires_grad") for step in facts.ancestors(made.output))
    }
    kept = [tensor for tensor, other in keeps(op) if other is None or id(other) in learned]
    x = op.args.get("x")
    return {"result": op.output in kept, "operand": x in kept, "again": gives_up(op)}


def _is_one_operation(expression: str) -> bool:
    program, op = _traced(expression)
    return any(getattr(op.args.get("x"), "id", None) == tensor.id for made in program.ops for tensor in made.outputs)


@pytest.mark.parametrize("expressions", [WRITTEN, _UNARY], ids=["written", "by name"])
def test_what_is_kept_is_what_torch_needs(expressions: tuple[str, ...]) -> None:
    wrong, right = [], 0
    for expression in expressions:
        shown = {name: _refuses(expression, then, message) for name, (then, message) in _DONE.items()}
        if None in shown.values() or not _is_one_operation(expression):
            continue
        wrong += [(expression, name) for name, claimed in _claims(expression).items() if claimed and not shown[name]]
        right += sum(claimed and bool(shown[name]) for name, claimed in _claims(expression).items())
    assert not wrong
    assert right > 40


def test_nothing_is_kept_by_sums_and_moves() -> None:
    for expression in ("h + w", "h - w", "-h", "h.reshape(-1)", "h[0]", "h.clone()", "torch.cat([h, w])"):
        assert not any(_claims(expression).values()), expression
        assert not any(_refuses(expression, then, message) for then, message in _DONE.values()), expression
