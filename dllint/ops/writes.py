"""Elements of a tensor replaced: by one number, by those of another tensor, by random numbers, by what is not known.

The result is the tensor as it is afterwards, of its own shape and type; what its names hold then is determined by
``lower/effects``.
"""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import differs, floordiv, mul, product
from dllint.domains.dtype import DType
from dllint.domains.elements import fits
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.creation import created_sizes
from dllint.ops.operand import as_tensor, read_dtype
from dllint.ops.promotion import has_no_elements
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait


@op("fill_with", traits=Trait.KEEPS_SHAPE | Trait.TELLS_LAYOUT | Trait.OVERWRITES | Trait.PUTS_NUMBER)
def fill_with(call: Call, x: TensorType, value: Value = 0) -> Result:
    """Every element of ``x`` becomes ``value``: a number, or a tensor with one."""
    if isinstance(value, TensorType):
        call.rank(value, 0, operand="value")
    elif isinstance(value, (bool, int, float, complex)):
        _check_number(call, x, value)
    return x


def _check_number(call: Call, x: TensorType, number: complex) -> None:
    """torch refuses a number that elements of a type cannot hold; in the only element of half precision it becomes infinite."""
    dtype = x.dtype
    if isinstance(dtype, DType) and dtype.kind == "float" and dtype.bits == 16 and _may_be_one(x):
        return
    if isinstance(dtype, DType) and call.framework == "torch" and not fits(number, dtype):
        call.fault(faults.ARGUMENT, operand="value", actual=number, detail=f"elements of {dtype.name} cannot hold {number}")


def _may_be_one(x: TensorType) -> bool:
    return isinstance(x.shape, Unknown) or not differs(product(x.shape), 1)


@op("copy_into", traits=Trait.KEEPS_SHAPE | Trait.TELLS_LAYOUT | Trait.OVERWRITES)
def copy_into(call: Call, x: TensorType, src: Value, resized: Value = False) -> Result:
    """The elements of ``src``, which is broadcast to the shape of ``x``, converted to its type; with ``resized`` (``out=``) it
    takes the shape of ``src``."""
    given = as_tensor(call, src)
    if resized is not False and resized is not None:
        strides = None if given.strides is None else Unknown("layout", "out")  # operations choose it as for a new tensor
        return TensorType(given.shape if resized is True else Unknown("no-argument", "resized"), x.dtype, strides)
    check_place(call, x, given, "src")
    return x


def check_place(call: Call, x: TensorType, given: TensorType, operand: str) -> None:
    """What is written into a tensor is broadcast to its shape, which stays."""
    shape, source = known_shape(x), known_shape(given)
    if shape is None or source is None:
        return
    if len(source) > len(shape) and call.framework == "torch":
        detail = f"what is written has {len(source)} axes, the tensor that it is written into {len(shape)}"
        call.fault(faults.OPERATOR_SHAPE, operand=operand, shapes=(shape, source), detail=detail)
        return
    for axis in range(-min(len(source), len(shape)), 0):
        if differs(source[axis], shape[axis]) and differs(source[axis], 1):
            call.fault(faults.BROADCAST, operand=operand, axis=axis, expected=shape[axis], actual=source[axis],
                       shapes=(shape, source))  # fmt: skip
            return


@op("draw_into", traits=Trait.KEEPS_SHAPE | Trait.DRAWS | Trait.TELLS_LAYOUT | Trait.WRITES)
def draw_into(call: Call, x: TensorType, *, distribution: Value = "", **parameters: Value) -> Result:
    """Random numbers in place of the elements."""
    refused = isinstance(distribution, str) and isinstance(x.dtype, DType) and x.dtype.kind in _REFUSED.get(distribution, ())
    if refused and not has_no_elements(x):
        call.fault(faults.DTYPE, operand="x", expected="a floating-point type", actual=x.dtype)
    return x


#: Kinds of elements that a distribution's numbers have no place in.
_REFUSED: Final[dict[Value, tuple[str, ...]]] = {
    "uniform": ("int", "bool"),
    "normal": ("int", "bool"),
    "exponential": ("int", "bool", "complex"),
    "log_normal": ("int", "bool", "complex"),
    "cauchy": ("int", "bool", "complex"),
    "geometric": ("bool", "complex"),
    "random": ("complex",),
}


@op("resize_memory", traits=Trait.MAY_VIEW | Trait.TELLS_LAYOUT)
def resize_memory(call: Call, x: TensorType, shape: Value = ()) -> Result:
    """The memory of ``x`` seen in another shape, row by row; what is beyond its end is not known."""
    sizes = created_sizes(call, shape)
    return TensorType(sizes, x.dtype, x.strides if sizes == x.shape else None)


@op("overwrite", traits=Trait.MAKES_PLACES | Trait.TELLS_LAYOUT | Trait.OVERWRITES)
def overwrite(call: Call, x: TensorType, resized: Value = False, retyped: Value = False) -> Result:
    """Elements that are not known; with ``resized`` the tensor may have another shape, too, with ``retyped`` another type."""
    dtype = Unknown("out", "element type of a result") if retyped else x.dtype
    return TensorType(Unknown("out", "shape of a result"), dtype) if resized else x


@op("view_dtype", traits=Trait.VIEW | Trait.TELLS_LAYOUT)
def view_dtype(call: Call, x: TensorType, dtype: Value = None) -> Result:
    """The bytes of ``x`` read as elements of another type: the last axis has as many more as they are shorter."""
    found = read_dtype(dtype)
    if not isinstance(found, DType) or not isinstance(x.dtype, DType) or isinstance(x.shape, Unknown):
        return TensorType(Unknown("no-argument", "dtype"), Unknown("no-argument", "dtype") if found is None else found)
    if found.bits == x.dtype.bits:
        return TensorType(x.shape, found, x.strides)
    if not x.shape:
        call.rank(x, *range(1, 9))
        return TensorType((), found)
    last = floordiv(mul(x.shape[-1], x.dtype.bits), found.bits)
    return TensorType((*x.shape[:-1], last), found, None if x.strides is None else Unknown("layout", "view_dtype"))
