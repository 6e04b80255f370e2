"""The solver: widths and input sizes that would fit."""

from __future__ import annotations

from typing import Any

import dllint.ops.all
from dllint.domains.dim import symbol
from dllint.domains.dtype import FLOAT32
from dllint.domains.shape import TensorType
from dllint.ir.program import Op, Site, TensorVal
from dllint.ops.solve_input import fit, input_sizes
from dllint.ops.spec import apply

assert dllint.ops.all
SITE = Site(None, None, None)


def tensor(*shape: Any) -> TensorVal:
    return TensorVal(TensorType(shape, FLOAT32))


def perform(kind: str, **args: Any) -> TensorVal:
    """The traced result of an operation."""
    typed = {name: value.type if isinstance(value, TensorVal) else value for name, value in args.items()}
    outcome = apply(kind, "torch", typed)
    out = TensorVal(outcome.result)
    out.producer = Op(kind, args, (out,), SITE, "torch", kind, faults=outcome.faults)
    return out


def stack(x: TensorVal) -> TensorVal:
    """A small image classifier up to its flattened features."""
    x = perform("conv", x=x, in_channels=1, out_channels=16, kernel_size=5, spatial=2)
    x = perform("relu", x=x)
    x = perform("max_pool", x=x, kernel_size=2, spatial=2)
    return perform("flatten", x=x, start_dim=1)


def linear(x: TensorVal, declared: int) -> Op:
    return perform("linear", x=x, in_features=declared, out_features=10).producer  # type: ignore[return-value]


def test_symbolic_width_is_solved_for_equal_sides() -> None:
    height, width = symbol("H"), symbol("W")
    flattened = 64 * ((height + 3) // 8) * ((width + 3) // 8)
    assert input_sizes(flattened, 1600) == tuple(range(37, 45))


def test_a_width_that_no_input_gives_has_no_solution() -> None:
    height = symbol("H")
    assert input_sizes(64 * height * height, 1600 + 1) == ()


def test_numbers_are_solved_by_inferring_the_stack_again() -> None:
    op = linear(stack(tensor(8, 1, 28, 28)), 1600)
    found = fit(op, op.faults[0].expected, op.faults[0].actual)
    assert (found.inputs, found.current) == ((24, 25), (28, 28))


def test_side_branches_are_inferred_again() -> None:
    x = tensor(8, 16, 28, 28)
    a = perform("conv", x=x, in_channels=16, out_channels=16, kernel_size=3, padding=1, spatial=2)
    joined = perform("add", x=a, y=x)
    op = linear(perform("flatten", x=joined, start_dim=1), 16 * 100)
    assert fit(op, 1600, op.faults[0].actual).inputs == (10,)


def test_no_window_no_input_size() -> None:
    op = linear(tensor(8, 20), 30)
    assert fit(op, 30, 20).inputs == ()


def test_a_reshape_to_a_number_cannot_be_solved() -> None:
    pooled = perform("max_pool", x=tensor(8, 4, 28, 28), kernel_size=2, spatial=2)
    op = linear(perform("reshape", x=pooled, shape=(8, 784)), 100)
    assert fit(op, 100, 784).inputs == ()
