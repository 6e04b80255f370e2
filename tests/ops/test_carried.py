"""Where axes go, also as numpy shows it on arrays whose elements say where they were."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from dllint.analysis.moved_axis import moved_axis
from dllint.domains.dim import symbol
from dllint.ir.program import Op
from dllint.ops.carried import blocks, kept, summed
from dllint.source.document import Document
from tests.rules.harness import PATH, session

HEAD = """
import torch
import tensorflow as tf
from keras import layers

x, y = torch.randn(2, 3, 5), torch.randn(2, 5, 7)
tx, ty = tf.zeros((2, 3, 5)), tf.zeros((2, 5, 7))
"""
SUM = "sum"
GONE = None
#: An expression → for each axis of (2, 3, 5), then of (2, 5, 7), if it is taken, where it is in the result.
WHERE: dict[str, tuple[list[int | str | None], ...]] = {
    "x.transpose(1, 2)": ([0, 2, 1],),
    "x.permute(2, 0, 1)": ([1, 2, 0],),
    "x.movedim(0, -1)": ([2, 0, 1],),
    "x.mT": ([0, 2, 1],),
    "x.unsqueeze(1)": ([0, 2, 3],),
    "x.view(2, 15)": ([0, GONE, GONE],),
    "x.reshape(6, 5)": ([GONE, GONE, 1],),
    "x.view(1, 2, 3, 5, 1)": ([1, 2, 3],),
    "x.view(2, 5, 3)": ([0, GONE, GONE],),
    "x.relu()": ([0, 1, 2],),
    "torch.dropout(x, 0.5, True)": ([0, 1, 2],),
    "x * torch.ones(4, 1, 1, 1)": ([1, 2, 3],),
    "x @ y": ([0, 1, SUM], [0, SUM, 2]),
    "torch.bmm(x, y)": ([0, 1, SUM], [0, SUM, 2]),
    "torch.einsum('bij,bjk->bik', x, y)": ([0, 1, SUM], [0, SUM, 2]),
    "torch.einsum('bij,bjk->kb', x, y)": ([1, SUM, SUM], [1, SUM, 0]),
    "torch.einsum('...ij,...jk->...ki', x, y)": ([0, 2, SUM], [0, SUM, 1]),
    "torch.einsum('bij,bjk', x, y)": ([GONE, GONE, GONE], [GONE, GONE, GONE]),
    "x.sum(1)": ([GONE, SUM, GONE],),
    "tf.matmul(tx, ty)": ([0, 1, SUM], [0, SUM, 2]),
    "tf.matmul(tx, tf.zeros((2, 7, 5)), transpose_b=True)": ([0, 1, SUM],),
    "layers.Dot(axes=(2, 1))([tx, ty])": ([0, 1, SUM], [GONE, SUM, 2]),
    "torch.matmul(x, x.mT)": ([0, 1, SUM],),
}


def last_op(text: str) -> Op:
    found = session().analyser(PATH).analyse(Document.from_text(PATH, f"{HEAD}z = {text}\n"))
    (program,) = found.programs
    op: Op = program.ops[-1]
    return op


@pytest.mark.parametrize("text", WHERE)
def test_where_axes_go(text):
    op, expected = last_op(text), WHERE[text]
    operands = [next(value for value in op.inputs if value.shape == shape) for shape in ((2, 3, 5), (2, 5, 7))[: len(expected)]]
    for operand, places in zip(operands, expected, strict=True):
        over = summed(op, operand)
        assert [SUM if axis in over else kept(op, operand, axis) for axis in range(3)] == places


def _where_it_was(shape: tuple[int, ...], axis: int) -> np.ndarray:
    """An array whose elements are their index along an axis."""
    return np.broadcast_to(np.arange(shape[axis]).reshape([-1 if i == axis else 1 for i in range(len(shape))]), shape)


def _axis_of(array: np.ndarray, size: int) -> int | None:
    """The axis along which an array counts from 0 to ``size``, if it is constant along the others."""
    places = [axis for axis in range(array.ndim) if array.shape[axis] == size]
    return next((axis for axis in places if np.array_equal(array, _where_it_was(array.shape, axis))), None)


SOURCES = ((2, 3, 5), (4, 9, 5), (2, 6, 7), (3, 3, 5), (2, 4, 10, 6))


def _targets(source: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Shapes to which a row of axes in any order is split or merged."""
    found = set()
    for order in permutations(source):
        found.add(order)
        found |= {(*order[:i], order[i] * order[i + 1], *order[i + 2 :]) for i in range(len(order) - 1)}
        for i, part in product(range(len(order)), (2, 3)):
            if order[i] % part == 0:
                found.add((*order[:i], part, order[i] // part, *order[i + 1 :]))
    return found


@pytest.mark.parametrize("source", SOURCES)
def test_blocks_are_not_mixed(source):
    for target in _targets(source):
        for block in blocks(source, target):
            if len(block.source) == 1 and len(block.target) == 1:
                (axis,), (place,) = block
                assert _axis_of(_where_it_was(source, axis).reshape(target), source[axis]) == place


@pytest.mark.parametrize("source", SOURCES)
def test_a_moved_axis_is_put_where_the_reshape_says(source):
    moved = 0
    for target in _targets(source):
        found = moved_axis(source, target)
        if found is None:
            continue
        moved += 1
        index = _where_it_was(source, found.axis)
        assert _axis_of(index.reshape(target), source[found.axis]) is None
        repaired = index.transpose(found.before).reshape(found.shape).transpose(found.after)
        assert repaired.shape == target
        assert _axis_of(repaired, source[found.axis]) == found.place
    assert moved > 2


def test_a_split_or_merge_moves_nothing():
    b, t = symbol("B"), symbol("T")
    for source, target in [
        ((b, t, 64), (b, t, 4, 16)),
        ((b, t, 4, 16), (b, t, 64)),
        ((b, t, 64), (b * t, 64)),
        ((b, 1, t), (b, t, 1)),
    ]:
        assert moved_axis(source, target) is None


def test_sizes_that_may_belong_to_another_axis_move_nothing():
    assert moved_axis((8, 4, 256), (8, 64, 4, 4)) is None
    assert moved_axis((8, 5, 256), (8, 64, 5, 4)) is not None
    assert moved_axis((64, 16, 256), (16, 64, 16, 16)) is None
    b = symbol("B")
    assert moved_axis((4 * b, 16, 256), (b, 64, 16, 16)) is None


def test_a_batch_that_need_not_be_there_is_no_axis_that_others_move_past():
    t = symbol("T")
    b, assumed = symbol("B"), symbol("B", optional=True)
    assert moved_axis((b, 80, t), (1, 80, b * t)) is not None
    assert moved_axis((assumed, 80, t), (1, 80, assumed * t)) is None
    assert moved_axis((assumed, 80, t), (assumed, t, 80)) is not None


def test_an_axis_of_symbolic_size_is_told_by_its_symbol():
    b, t = symbol("B"), symbol("T")
    found = moved_axis((b, t, 64), (b, 4, t, 16))
    assert found is not None
    assert (found.shape, found.after) == ((b, t, 4, 16), (0, 2, 1, 3))
    found = moved_axis((b, 4, t, 16), (b, t, 64))
    assert found is not None
    assert (found.before, found.shape) == ((0, 2, 1, 3), (b, t, 64))
