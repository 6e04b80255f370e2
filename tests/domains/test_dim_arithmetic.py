"""Symbolic dimensions against Python's integers: whatever the canonical form, the number must be the same."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dllint.domains.dim import (
    Dim,
    add,
    bounds,
    differs,
    equal,
    exact_quotient,
    floordiv,
    maximum,
    minimum,
    mod,
    mul,
    product,
    symbol,
    symbols,
    total,
)
from dllint.domains.shape import (
    broadcast,
    contiguous_strides,
    join_shapes,
    normalize_axis,
    numel,
    transposed_output,
    window_output,
)
from dllint.domains.substitution import solve, substitute

A, B, C = symbol("A"), symbol("B"), symbol("C", lower=0)
SYMBOLS = (A, B, C)


@dataclass(frozen=True)
class Twin:
    """A dimension, and a function that computes the same number from the values of the symbols."""

    dim: Dim
    tree: tuple

    def at(self, values: dict) -> int | None:
        return evaluated(self.tree, values)


def evaluated(tree, values):
    if isinstance(tree, int):
        return tree
    if tree in SYMBOLS:
        return values[tree.symbol]
    name, left, right = tree
    x, y = evaluated(left, values), evaluated(right, values)
    if x is None or y is None or (name in ("floordiv", "mod") and y == 0):
        return None
    return {
        "add": lambda: x + y,
        "sub": lambda: x - y,
        "mul": lambda: x * y,
        "floordiv": lambda: x // y,
        "mod": lambda: x % y,
        "min": lambda: min(x, y),
        "max": lambda: max(x, y),
    }[name]()


MAKE = {
    "add": add,
    "sub": lambda a, b: add(a, mul(b, -1)),
    "mul": mul,
    "floordiv": floordiv,
    "mod": mod,
    "min": minimum,
    "max": maximum,
}


def built(tree) -> Dim:
    if isinstance(tree, tuple):
        return MAKE[tree[0]](built(tree[1]), built(tree[2]))
    return tree


LEAVES = st.integers(-6, 9) | st.sampled_from(SYMBOLS)
TREES = st.recursive(LEAVES, lambda inner: st.tuples(st.sampled_from(sorted(MAKE)), inner, inner), max_leaves=8)
TWINS = TREES.map(lambda tree: Twin(built(tree), tree))
VALUES = st.fixed_dictionaries({s.symbol: st.integers(s.symbol.lower, 40) for s in SYMBOLS})


@settings(max_examples=400, deadline=None)
@given(TWINS, VALUES)
def test_canonical_arithmetic_is_pythons(twin, values):
    expected = twin.at(values)
    assume(expected is not None)
    assert substitute(twin.dim, values) == expected


@settings(max_examples=300, deadline=None)
@given(TWINS, VALUES)
def test_bounds_hold(twin, values):
    expected = twin.at(values)
    assume(expected is not None)
    low, high = bounds(twin.dim)
    assert low is None or low <= expected
    assert high is None or expected <= high


@settings(max_examples=400, deadline=None)
@given(TWINS, TWINS, VALUES)
def test_equal_and_differs_hold(left, right, values):
    x, y = left.at(values), right.at(values)
    assume(x is not None)
    assume(y is not None)
    decided = equal(left.dim, right.dim)
    assert decided is None or decided == (x == y)
    assert not (differs(left.dim, right.dim) and x == y)


@settings(max_examples=300, deadline=None)
@given(TWINS, TWINS, VALUES)
def test_an_exact_quotient_multiplies_back(left, right, values):
    x, y = left.at(values), right.at(values)
    assume(x is not None)
    assume(y)
    assume(right.dim != 0)
    quotient = exact_quotient(left.dim, right.dim)
    if quotient is not None:
        assert substitute(quotient, values) * y == x


@given(TWINS, VALUES, VALUES)
def test_substitution_is_simultaneous_and_composes(twin, first, second):
    assume(twin.at(first) is not None)
    assert substitute(substitute(twin.dim, {A.symbol: first[A.symbol]}), first) == twin.at(first)
    swapped = {A.symbol: B, B.symbol: A}
    mixed = {**first, A.symbol: first[B.symbol], B.symbol: first[A.symbol]}
    assume(twin.at(mixed) is not None)
    assert substitute(substitute(twin.dim, swapped), first) == twin.at(mixed)


@given(TWINS, TWINS)
def test_the_form_does_not_depend_on_the_order(left, right):
    assert add(left.dim, right.dim) is add(right.dim, left.dim) or isinstance(add(left.dim, right.dim), int)
    assert mul(left.dim, right.dim) == mul(right.dim, left.dim)


@given(st.lists(LEAVES, max_size=4), VALUES)
def test_products_and_sums(dims, values):
    numbers = [substitute(d, values) for d in dims]
    assert substitute(product(dims), values) == prod(numbers)
    assert substitute(total(dims), values) == sum(numbers)


def test_what_convolution_arithmetic_relies_on():
    half = floordiv(add(A, 1), 2)
    assert floordiv(add(floordiv(add(A, 1), 2), 1), 2) == floordiv(add(A, 3), 4)
    assert mod(mul(A, 6), 3) == 0
    assert floordiv(mul(mul(A, B), 12), mul(B, 4)) == mul(A, 3)
    assert floordiv(add(mul(A, 2), 1), 2) == A
    assert equal(mul(A, 2), 7) is False
    assert equal(add(A, 1), A) is False
    assert equal(A, B) is None
    assert symbols(half) == {A.symbol}


def test_solve_names_the_values_that_fit():
    assert solve(floordiv(add(A, -3), 2), 5, A.symbol) == (13, 14)
    assert solve(add(A, B), 5, A.symbol) == ()
    assert solve(mul(A, A), 50, A.symbol) == ()


SHAPES = st.lists(st.integers(0, 3), max_size=3).map(tuple)


@given(st.lists(SHAPES, min_size=1, max_size=3))
def test_broadcast_of_numbers_is_numpys(shapes):
    result, conflict = broadcast(shapes)
    try:
        expected = np.broadcast_shapes(*shapes)
    except ValueError:
        assert conflict is not None
    else:
        assert conflict is None
        assert result == expected


@settings(max_examples=400)
@given(st.lists(st.lists(st.integers(1, 3) | st.sampled_from(SYMBOLS), max_size=3).map(tuple), min_size=2, max_size=2), VALUES)
def test_broadcast_of_symbols_never_contradicts_numpy(shapes, values):
    result, conflict = broadcast(shapes)
    concrete = [tuple(substitute(d, values) for d in shape) for shape in shapes]
    try:
        expected = np.broadcast_shapes(*concrete)
    except ValueError:
        return
    assert conflict is None, "a conflict is reported although these sizes fit"
    assert len(result) == len(expected)
    for dim, size in zip(result, expected, strict=True):
        found = substitute(dim, values)
        assert not isinstance(found, int) or found == size


@given(SHAPES, st.integers(-4, 4))
def test_strides_sizes_and_axes_are_numpys(shape, axis):
    array = np.zeros(shape, dtype=np.int8)
    assert numel(shape) == array.size
    if array.size:
        assert all(s == n or d == 1 for s, n, d in zip(contiguous_strides(shape), array.strides, shape, strict=True))
    found = normalize_axis(axis, len(shape))
    if shape:
        assert (found is None) == (not -len(shape) <= axis < len(shape))
        assert found is None or found == range(len(shape))[axis]


@given(SHAPES, SHAPES)
def test_a_join_keeps_what_agrees(left, right):
    joined = join_shapes(left, right)
    if len(left) == len(right):
        assert all((x == y) == (z == x) or not isinstance(z, int) for x, y, z in zip(left, right, joined, strict=True))


@given(st.integers(1, 30), st.integers(1, 5), st.integers(1, 4), st.integers(0, 4), st.integers(1, 3), st.integers(0, 1))
def test_a_transposed_convolution_undoes_a_convolution(size, kernel, stride, padding, dilation, extra):
    grown = transposed_output(size, kernel, stride, 0, dilation, 0)
    assert window_output(grown, kernel, stride, 0, dilation) == size
    room = size + padding - dilation * (kernel - 1)
    assume(room > 0)
    starts = [i for i in range(0, size + padding, stride) if i + dilation * (kernel - 1) < size + padding]
    assert window_output(size, kernel, stride, padding, dilation) == len(starts)
