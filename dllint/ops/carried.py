"""Where the axes of an operand are in the result: axes that stay, that are merged or split, and that are summed.

Axes are numbers from 0; negative ones do not occur. ``None`` is the answer wherever it is not proved.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

from dllint.domains.dim import Dim, mul, same, symbol
from dllint.domains.shape import Shape, TensorType, normalize_axis
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import does, having
from dllint.ops.spec import apply, known_shape
from dllint.ops.traits import Trait

_RESHAPES: Final = having(Trait.KEEPS_ORDER) - having(Trait.KEEPS_PLACES)
_IN_PLACE: Final = having(Trait.POINTWISE) | having(Trait.KEEPS_SHAPE)
_EINSUM: Final = "einsum"
_BY_SAMPLE: Final = "batch_dot"


class Block(NamedTuple):
    """Axes of a tensor and axes of the tensor it is reshaped to that hold the same elements, in row-major order: of a split or
    a merge one of the two has a single axis. Axes of size 1 are in no block."""

    source: tuple[int, ...]
    target: tuple[int, ...]


def blocks(source: Shape, target: Shape) -> list[Block]:
    """The smallest blocks of a reshape, in order. Elements of different blocks are not mixed. Both shapes have the same number
    of elements, whether their sizes show it or not; of none there are no blocks."""
    before, after = _ends(source), _ends(target)
    if 0 in source or 0 in target or not before or not after:
        return []
    after[-1] = before[-1]
    ends = [end for end in before if any(same(end, other) for other in after)]
    cuts = [(0, 0), *((_place(before, end), _place(after, end)) for end in ends)]
    wide = [[axis for axis, size in enumerate(shape) if size != 1] for shape in (source, target)]
    return [Block(tuple(wide[0][a:b]), tuple(wide[1][c:d])) for (a, c), (b, d) in pairwise(cuts)]


def _ends(shape: Shape) -> list[Dim]:
    """The number of elements of all axes up to each one that is not of size 1."""
    count: Dim = 1
    found: list[Dim] = []
    for size in shape:
        if size != 1:
            count = mul(count, size)
            found.append(count)
    return found


def _place(ends: list[Dim], end: Dim) -> int:
    return next(i for i, other in enumerate(ends, 1) if same(other, end))


def kept(op: Op, x: TensorVal, axis: int) -> int | None:
    """The axis of the result that holds what ``axis`` of the operand does, place by place."""
    given, result = known_shape(x.type), known_shape(op.output.type) if len(op.outputs) == 1 else None
    if given is None or result is None or sum(value is x for value in op.inputs) != 1:
        return None
    if does(op, Trait.PERMUTES):
        return _permuted(op, given, axis)
    if op.kind in _RESHAPES:
        found = next((block for block in blocks(given, result) if axis in block.source), None)
        return found.target[0] if found is not None and len(found.source) == len(found.target) == 1 else None
    if does(op, Trait.MATRIX_PRODUCT):
        return _in_product(op, x, len(given), len(result), axis)
    if op.kind == _EINSUM:
        term, out = _letters(op, x, given), _letters(op, None, result)
        return out.index(term[axis]) if term and out and term[axis] in out else None
    if op.kind == _BY_SAMPLE:
        return _beside(op, x, axis)
    if op.kind in _IN_PLACE:
        place = axis + len(result) - len(given)
        return place if place >= 0 and same(result[place], given[axis]) else None
    return None


def summed(op: Op, x: TensorVal) -> tuple[int, ...]:
    """The axes of the operand over which products with another operand, or its own elements, are summed."""
    given = known_shape(x.type)
    if given is None or sum(value is x for value in op.inputs) != 1:
        return ()
    if does(op, Trait.MATRIX_PRODUCT):
        inner = _inner(op, x, len(given))
        return () if inner is None else (inner,)
    if op.kind == _EINSUM and op.outputs and (result := known_shape(op.output.type)) is not None:
        term, out = _letters(op, x, given), _letters(op, None, result)
        return () if out is None else tuple(axis for axis, letter in enumerate(term or ()) if letter not in out)
    if op.kind == _BY_SAMPLE:
        dot = _by_sample(op)
        return () if dot is None else (dot[op.args.get("y") is x],)
    dim = op.args.get("dim")
    if does(op, Trait.REDUCES | Trait.SUMS) and isinstance(dim, int) and not isinstance(dim, bool):
        axis = normalize_axis(dim, len(given))
        return () if axis is None else (axis,)
    return ()


def _permuted(op: Op, given: Shape, axis: int) -> int | None:
    """The operation is applied once more, to axes that are told from each other by their sizes."""
    marks = tuple(symbol(str(i)) for i in range(len(given)))
    args = {name: _type_of(value) for name, value in op.args.items()}
    x = args.get("x")
    if not isinstance(x, TensorType):
        return None
    shape = known_shape(apply(op.kind, op.framework, {**args, "x": x.with_shape(marks)}).result)
    return next((place for place, size in enumerate(shape or ()) if size == marks[axis]), None)


def _type_of(value: Value) -> Value:
    return value.type if isinstance(value, TensorVal) else value


def _inner(op: Op, x: TensorVal, rank: int) -> int | None:
    """The axis of an operand of a matrix product that is summed over."""
    is_second = op.args.get("y") is x
    turned = op.args.get("transpose_b" if is_second else "transpose_a", False)
    if rank == 1:
        return 0
    if (not is_second and op.args.get("x") is not x) or not isinstance(turned, int):
        return None
    return rank - 1 if bool(turned) == is_second else rank - 2


def _in_product(op: Op, x: TensorVal, rank: int, result: int, axis: int) -> int | None:
    inner, other = _inner(op, x, rank), op.args.get("x" if op.args.get("y") is x else "y")
    others = known_shape(other.type) if isinstance(other, TensorVal) else None
    if inner is None or axis == inner or others is None or len(others) < 2 or rank < 2:
        return None
    if axis >= rank - 2:
        return result - 1 if op.args.get("y") is x else result - 2
    return axis + result - rank


def _by_sample(op: Op) -> tuple[int, int] | None:
    """The axis of each operand that is summed over, where the products are taken sample by sample."""
    wanted = op.args.get("dim") if op.args.get("axes") is None else op.args.get("axes")
    pair = wanted if isinstance(wanted, tuple) else (wanted, wanted)
    ranks = [value.type.rank if isinstance(value, TensorVal) else None for value in (op.args.get("x"), op.args.get("y"))]
    found = [
        normalize_axis(axis, rank)
        for axis, rank in zip(pair, ranks, strict=False)
        if isinstance(axis, int) and isinstance(rank, int)
    ]
    return (found[0], found[1]) if len(found) == 2 and found[0] is not None and found[1] is not None else None


def _beside(op: Op, x: TensorVal, axis: int) -> int | None:
    """The axes that are left of the second operand stand behind those of the first, without the samples."""
    dot, first = _by_sample(op), op.args.get("x")
    if dot is None or not isinstance(first, TensorVal) or first.type.rank is None:
        return None
    is_second = op.args.get("y") is x
    if axis == dot[is_second]:
        return None
    place = axis - (axis > dot[is_second])
    if not is_second:
        return place
    return first.type.rank - 2 + place if axis else None


def _letters(op: Op, x: TensorVal | None, shape: Shape) -> str | None:
    """The letter of each axis of an operand of an Einstein sum, or of its result; ``None`` if some have none."""
    equation, operands = op.args.get("equation"), op.args.get("operands")
    given = operands[0] if isinstance(operands, tuple) and len(operands) == 1 and isinstance(operands[0], tuple) else operands
    if not isinstance(equation, str) or not isinstance(given, tuple):
        return None
    terms, arrow, result = equation.replace(" ", "").partition("->")
    named = [result] if x is None else [t for t, value in zip(terms.split(","), given, strict=False) if value is x]
    if not arrow or len(named) != 1:
        return None
    return _spelled(named[0], len(shape))


def _spelled(term: str, rank: int) -> str | None:
    """The dots of a term are spelled as digits, which number the axes they stand for from the last one."""
    left, dots, right = term.partition("...")
    count = rank - len(left) - len(right)
    if (count and not dots) or not 0 <= count < 10:
        return None
    return left + "".join(str(i) for i in reversed(range(count))) + right
