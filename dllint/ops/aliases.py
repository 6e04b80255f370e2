"""Aliasing, the tensors that share memory: assigning to a view changes what it is a view of."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from dllint.domains.dtype import BOOL, DType
from dllint.domains.lattice import Unknown
from dllint.ir.program import JOIN, Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import does, having_any
from dllint.ops.traits import Trait

#: Functions that make a tensor of an array, or an array of a sequence, and take what is one already as it is.
_BORROWING: Final = ("as_tensor", "asarray", "asanyarray", "ascontiguousarray")

#: Methods of numpy that copy where the operation may give a view.
_COPYING: Final = frozenset({"numpy.ndarray.flatten"})

#: Operations of torch on several tensors that only lay a single one out anew.
_OF_ONE: Final = frozenset({"einsum", "cartesian_prod"})

#: All operations whose results may share the memory of an operand.
_MAY_SHARE: Final = _OF_ONE | having_any(
    Trait.CONVERTS | Trait.TAKES_DATA | Trait.SUBSCRIPTS | Trait.MAY_VIEW | Trait.NUMPY_VIEW
)

#: Functions of torch that give back every tensor that there can be where they are followed.
_KEEPING: Final = frozenset(
    {"operator.identity"}
    | {f"{home}.{name}" for home in ("torch", "torch.Tensor") for name in ("positive", "resolve_conj", "resolve_neg")}
)

#: How the operations of ``+=`` and its like are spelled.
AUGMENTED: Final = frozenset(
    f"operator.i{name}"
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift")
)


def is_in_place(op: Op) -> bool:
    """Whether an operation changes the elements of its operand ``x``."""
    if does(op, Trait.WRITES) or op.spelled in AUGMENTED or op.args.get("inplace") is True:
        return True
    return op.spelled.endswith("_") and not op.spelled.endswith("__")


def shares(op: Op) -> bool:
    """Whether the results of an operation share the memory of its operand, or may do so."""
    if op.kind not in _MAY_SHARE:
        return False
    if op.spelled in _COPYING or op.args.get("copy") is True:
        return False
    if does(op, Trait.CONVERTS):
        return _may_be_kept(op)
    if does(op, Trait.TAKES_DATA) and not does(op, Trait.VIEW):
        return _may_be_borrowed(op)
    if op.kind == "diag" and op.output.type.rank == 2:  # a matrix made of a vector
        return False
    if does(op, Trait.SUBSCRIPTS) and _gathers(op.args.get("index")):
        return False
    if op.kind in _OF_ONE:
        return op.framework == "torch" and _is_of_one(op)
    return does(op, Trait.MAY_VIEW) or (does(op, Trait.NUMPY_VIEW) and op.framework == "numpy")


def surely_shares(op: Op, index: int) -> bool:
    """Whether a result of an operation that ``shares`` surely is a view, and not a copy."""
    if does(op, Trait.VIEW) or does(op, Trait.SUBSCRIPTS):
        return True
    x = viewed(op, index)
    if not isinstance(x, TensorVal):
        return False
    return x.type.strides is None if does(op, Trait.KEEPS_ORDER) else _is_surely_given_back(op, x)


def _gathers(index: Value) -> bool:
    """Whether an index takes elements by their numbers or by a mask, so that they are copied."""
    return any(map(_is_row, index if isinstance(index, tuple) else (index,)))


def _is_row(item: Value) -> bool:
    if isinstance(item, TensorVal):
        return item.dtype == BOOL or (isinstance(item.dtype, DType) and item.dtype.kind == "int" and bool(item.type.rank))
    return isinstance(item, tuple) and all(isinstance(number, int) or _is_row(number) for number in item)


def _may_be_borrowed(op: Op) -> bool:
    """Whether what is made of data may be the data itself, which it is not if it has another element type."""
    data = viewed(op, 0)
    if isinstance(data, TensorVal) and not _may_be_of_one_type(data, op.output):
        return False
    return op.spelled.endswith(_BORROWING) or op.args.get("copy", True) is not True


def _is_of_one(op: Op) -> bool:
    """Whether an operation has one operand only."""
    several = op.args.get("operands", op.args.get("tensors"))
    return isinstance(several, tuple) and len(several) == 1 and isinstance(viewed(op, 0), TensorVal)


def _may_be_kept(op: Op) -> bool:
    """Whether a conversion may find the type that it is to make, and give its operand back."""
    x = op.args.get("x")
    if op.framework == "numpy" and op.args.get("copy") is None:
        return False
    return isinstance(x, TensorVal) and _may_be_of_one_type(x, op.output)


def _may_be_of_one_type(x: TensorVal, y: TensorVal) -> bool:
    return isinstance(x.dtype, Unknown) or isinstance(y.dtype, Unknown) or x.dtype == y.dtype


def sharing(value: TensorVal, changed: bool = False) -> Iterator[TensorVal]:
    """A tensor and those that it is a view of, nearest first; with ``changed`` also those that it has become of by changes of
    elements. In a long row of views or changes they are many."""
    current: Value = value
    while isinstance(current, TensorVal):
        yield current
        maker = current.producer
        if maker is None or not (changed if is_in_place(maker) else shares(maker)):
            return
        current = viewed(maker, current.index)


def replaced(value: TensorVal) -> Iterator[TensorVal]:
    """The tensors that a value itself may be: those of the arms that it joins, and what a loop held before it left it."""
    maker = value.producer
    if maker is not None and maker.kind == JOIN:
        yield from (arm for arm in (maker.args.get("x"), maker.args.get("y")) if isinstance(arm, TensorVal))
    yield from value.earlier


def possible(value: TensorVal, most: int) -> Iterator[TensorVal]:
    """A tensor, those that it is a view of and those that it may be, or be a view of, where paths and passes have met; ``most``
    of them at most."""
    todo, seen = [value], set[int]()
    while todo:
        for tensor in islice(sharing(todo.pop()), most):
            if tensor.id in seen:
                break
            if len(seen) >= most:
                return
            seen.add(tensor.id)
            yield tensor
            todo.extend(replaced(tensor))


def viewed(maker: Op, index: int) -> Value:
    """What a result of an operation is a view of; each result of ``torch.meshgrid`` is one of another tensor."""
    several = maker.args.get("tensors")
    if isinstance(several, tuple):
        return several[index] if index < len(several) else None
    operands = maker.args.get("operands")
    if isinstance(operands, tuple):
        return operands[0] if len(operands) == 1 else None
    return maker.args.get("x", maker.args.get("data"))


def origin(value: TensorVal) -> tuple[TensorVal, bool]:
    """The tensor that a value may be the same object as, since operations may have given it back; whether it surely is."""
    sure = True
    while (maker := value.producer) is not None and (is_in_place(maker) or shares(maker)):
        x = viewed(maker, value.index)
        if not isinstance(x, TensorVal):
            break
        if not is_in_place(maker):
            if not _may_be_given_back(maker, x):
                break
            sure = sure and _is_surely_given_back(maker, x)
        value = x
    return value, sure


def _may_be_given_back(op: Op, x: TensorVal) -> bool:
    if op.kind == "squeeze":  # numpy's, without an axis to take away
        return op.framework == "numpy" and (None in (ranks := (x.type.rank, op.output.type.rank)) or ranks[0] == ranks[1])
    if op.kind == "adjoint":
        return not x.type.rank
    return does(op, Trait.GIVES_BACK) or op.kind == "cartesian_prod"


def _is_surely_given_back(op: Op, x: TensorVal) -> bool:
    if op.kind == "squeeze":
        return x.type.rank is not None and x.type.rank == op.output.type.rank
    if does(op, Trait.CONVERTS):
        return x.dtype == op.output.dtype and isinstance(x.dtype, DType) and set(op.args) <= {"x", "dtype"}
    return op.spelled in _KEEPING or (op.kind == "contiguous" and x.type.strides is None)
