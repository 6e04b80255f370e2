"""Shapes that operations ask of their operands, whatever these are: no run goes on where an operand has another rank.

:mod:`dllint.ops.demands` holds what layers ask of an input. Here is what follows from the arguments of other operations: the
number of axes that a permutation, an equation or a pattern names, and the rank of the other operands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Final

from dllint.domains.dim import Dim, product, symbol
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape
from dllint.ir.program import Framework, Op, TensorVal
from dllint.ir.values import DictVal, Value, unwrap
from dllint.ops.kinds import having
from dllint.ops.sizes import is_dim
from dllint.ops.traits import Trait

Args = Mapping[str, Value]
Asked = Iterator[tuple[TensorVal, Shape]]
Asks = Callable[[Args], Asked]
#: Frameworks whose operations of these names are as strict as torch's.
_STRICT: Final = ("torch",)


def asked(kind: str, framework: Framework, args: Args) -> Asked:
    """The operands whose rank is not known, with the shape that each must have; sizes that may be any are fresh symbols."""
    ask = _ASKS.get(kind)
    if ask is None or (framework not in _STRICT and kind not in _EVERYWHERE):
        return iter(())
    return ask(args)


def _open(value: Value) -> Iterator[TensorVal]:
    if isinstance(value, TensorVal) and isinstance(value.shape, Unknown):
        yield value


def _of_rank(**ranks: int) -> Asks:
    """Operands of fixed ranks, by name."""

    def ask(args: Args) -> Asked:
        for name, rank in ranks.items():
            for x in _open(args.get(name)):
                yield x, _axes(rank)

    return ask


def _axes(rank: int) -> Shape:
    return tuple(symbol(f"n{axis}") for axis in range(rank))


def _permutation(args: Args) -> Asked:
    dims = args.get("dims")
    if isinstance(dims, tuple) and all(isinstance(axis, int) for axis in dims):
        for x in _open(args.get("x")):
            yield x, _axes(len(dims))


_LETTERS: Final = re.compile("[A-Za-z]+")


def _equation(args: Args) -> Asked:
    equation, operands = args.get("equation"), args.get("operands")
    if not isinstance(equation, str) or not isinstance(operands, tuple):
        return
    terms = equation.replace(" ", "").partition("->")[0].split(",")
    if len(terms) != len(operands):
        return
    for term, operand in zip(terms, operands, strict=True):
        if _LETTERS.fullmatch(term):
            for x in _open(operand):
                yield x, tuple(symbol(letter) for letter in term)


_GROUP: Final = re.compile(r"\(([^()]*)\)|([^\s()]+)")


def _pattern(args: Args) -> Asked:
    """The left side of a pattern of einops: an axis for each name and each group of names."""
    pattern, sizes = args.get("pattern"), args.get("sizes")
    given = sizes.items if isinstance(sizes, DictVal) else {}
    if not isinstance(pattern, str) or "..." in pattern or "->" not in pattern:
        return
    groups = [(match[1] if match[2] is None else match[2]).split() for match in _GROUP.finditer(pattern.partition("->")[0])]
    names = {name: _named(name, unwrap(given.get(name))) for name in chain.from_iterable(groups)}
    for x in _open(args.get("x")):
        yield x, tuple(product(names[name] for name in group) for group in groups)


def _named(name: str, size: Value) -> Dim:
    if name.isdigit():
        return int(name)
    return size if is_dim(size) else symbol(name)


def _beside(args: Args) -> Asked:
    """An operand has as many axes as the index, and the other way round; a vector stands for a number, too."""
    known = [value.type.rank for name in ("x", "index") if isinstance(value := args.get(name), TensorVal)]
    rank = next((rank for rank in known if rank is not None), 0)
    if rank > 1 and not any(
        0 in value.shape
        for name in ("x", "index")
        if isinstance(value := args.get(name), TensorVal) and isinstance(value.shape, tuple)
    ):  # what has no elements fits any tensor
        for name in ("x", "index"):
            for x in _open(args.get(name)):
                yield x, _axes(rank)


def _joined(args: Args) -> Asked:
    """Tensors that are put together have one rank; in torch, vectors without elements go with all."""
    tensors = args.get("tensors")
    parts = [part for part in tensors if isinstance(part, TensorVal)] if isinstance(tensors, tuple) else []
    shape = next((part.shape for part in parts if not isinstance(part.shape, Unknown) and len(part.shape) > 1), None)
    axis = args.get("dim", 0)
    if shape is None or not isinstance(axis, int) or not -len(shape) <= axis < len(shape):
        return
    place = axis % len(shape)
    for part in parts:
        for x in _open(part):
            yield x, (*shape[:place], symbol("n"), *shape[place + 1 :])


_ASKS: Final[Mapping[str, Asks]] = {
    "mm": _of_rank(x=2, y=2),
    "bmm": _of_rank(x=3, y=3),
    "mv": _of_rank(x=2, y=1),
    "addmm": _of_rank(mat1=2, mat2=2),
    "baddbmm": _of_rank(batch1=3, batch2=3),
    "permute": _permutation,
    "einsum": _equation,
    "rearrange": _pattern,
    "gather": _beside,
    "scatter": _beside,
    "cat": _joined,
}
#: Operations that ask the same in every framework.
_EVERYWHERE: Final = frozenset({"permute", "einsum", "rearrange"})


def behind(op: Op, shape: Shape) -> tuple[TensorVal, Shape] | None:
    """The operand from whose axes the result of an operation has its own, and the shape that it has if the result has this
    one; ``None`` if the operand's shape does not follow."""
    x, args = op.args.get("x"), op.args
    if op.kind in POINTWISE and (one := _only_tensor(args)) is not None:
        return one, shape
    if not isinstance(x, TensorVal):
        return None
    if op.kind in SAME_SHAPE:
        return x, shape
    find = _BEHIND.get(op.kind)
    found = find(args, shape) if find is not None else None
    return None if found is None else (x, found)


def _only_tensor(args: Args) -> TensorVal | None:
    """The one tensor among two operands, or both; the other is a number."""
    x, y = args.get("x"), args.get("y")
    if isinstance(x, TensorVal) and (y is x or type(y) in (int, float)):
        return x
    return y if isinstance(y, TensorVal) and type(x) in (int, float) else None


def _before_linear(args: Args, shape: Shape) -> Shape | None:
    width, weight = args.get("in_features"), args.get("weight")
    if not is_dim(width) and isinstance(weight, TensorVal) and isinstance(weight.shape, tuple) and weight.shape:
        width = weight.shape[-1]
    return (*shape[:-1], width if is_dim(width) else symbol("C")) if shape else None


def _before_transpose(args: Args, shape: Shape) -> Shape | None:
    one, other = args.get("dim0"), args.get("dim1")
    rank = len(shape)
    if not isinstance(one, int) or not isinstance(other, int) or not all(-rank <= axis < rank for axis in (one, other)):
        return None
    sizes = list(shape)
    sizes[one], sizes[other] = sizes[other], sizes[one]
    return tuple(sizes)


def _before_permutation(args: Args, shape: Shape) -> Shape | None:
    dims = args.get("dims")
    if not isinstance(dims, tuple) or sorted(axis % len(shape) for axis in dims if isinstance(axis, int)) != [
        *range(len(shape))
    ]:
        return None
    sizes = dict(zip((axis % len(shape) for axis in dims if isinstance(axis, int)), shape, strict=True))
    return tuple(sizes[axis] for axis in range(len(shape)))


def _before_new_axis(args: Args, shape: Shape) -> Shape | None:
    dim, rank = args.get("dim"), len(shape)
    if not isinstance(dim, int) or not -rank <= dim < rank:
        return None
    return (*shape[: dim % rank], *shape[dim % rank + 1 :])


_BEHIND: Final[Mapping[str, Callable[[Args, Shape], Shape | None]]] = {
    "linear": _before_linear,
    "embedding": lambda _, shape: shape[:-1] if shape else None,
    "transpose": _before_transpose,
    "permute": _before_permutation,
    "unsqueeze": _before_new_axis,
}
#: Operations of two operands, of which one may be a number.
POINTWISE: Final = frozenset({"add", "sub", "mul", "div", "pow", "maximum", "minimum"})
#: Operations whose result has their input's shape.
SAME_SHAPE: Final = (having(Trait.KEEPS_SHAPE) - having(Trait.TAKES_DATA)) | {
    "zeros_like",
    "ones_like",
    "rand_like",
    "randn_like",
}
