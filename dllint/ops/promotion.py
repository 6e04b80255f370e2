"""The element type of an operation on several operands, by each framework's rule.

torch: tensors with axes decide, then tensors of rank 0, then Python numbers; a lower category only counts if its kind
(bool < int < float < complex) is higher (documentation, *Tensor Attributes*: type promotion). numpy: NEP 50, Python
numbers are weak, arrays of rank 0 and numbers of numpy's types are not. Keras: the type lattice of JAX with weak Python
numbers. TensorFlow: no promotion; Python numbers take the tensors' type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, reduce

from dllint.domains.dtype import (
    BFLOAT16,
    BOOL,
    COMPLEX64,
    COMPLEX128,
    DTYPES,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT32,
    INT64,
    DType,
    numpy_pair,
    promote_same_kind,
)
from dllint.domains.lattice import Unknown
from dllint.domains.numpy_float import NumpyFloat
from dllint.domains.shape import TensorType
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.literal import PYTHON_TYPES, is_number, number_kind
from dllint.ops.operand import as_tensor
from dllint.ops.spec import Call

_KINDS = ("bool", "int", "float", "complex")
#: Types numpy arrays commonly have: TensorFlow converts an array to the other operand's type where it can.
_NUMPY_TYPES = frozenset({"float64", "int64", "uint8"})


def promote(call: Call, *operands: Value) -> DType | Unknown:
    """The common element type of tensors and Python numbers. TensorFlow's refusal is recorded as a ``dtype`` fault. Beside a
    whole number that it cannot hold, a type of numpy is not kept: NumPy 1 took a wider one, and NumPy 2 raises (run in 2.4)."""
    found = _promoted(call, operands)
    if call.framework == "numpy" and isinstance(found, DType) and not all(_holds(found, operand) for operand in operands):
        return Unknown("no-promotion", "a number that the type does not hold")
    return found


def _holds(dtype: DType, operand: Value) -> bool:
    """Whether a type of whole numbers has room for a number of Python, if that is what an operand is."""
    if dtype.kind != "int" or not isinstance(operand, int) or isinstance(operand, bool):
        return True
    top = 1 << (dtype.bits - dtype.signed)
    return (-top if dtype.signed else 0) <= operand < top


def _promoted(call: Call, operands: tuple[Value, ...]) -> DType | Unknown:
    tensors: list[TensorType] = []
    numbers: list[str] = []
    for operand in operands:
        if isinstance(operand, NumpyFloat) and call.framework == "numpy":
            tensors.append(TensorType((), operand.dtype))
            continue
        if is_number(operand):
            numbers.append(number_kind(operand))
            continue
        tensor = as_tensor(call, operand)
        if isinstance(tensor.dtype, Unknown):
            return tensor.dtype
        if call.framework == "tensorflow" and _is_literal(operand) and any(isinstance(o, TensorType) for o in operands):
            numbers.append(tensor.dtype.kind)
            continue
        tensors.append(tensor)
    if call.framework == "keras" and "float" in numbers and all(t.rank == 0 and t.dtype in _HALVES for t in tensors):
        return Unknown("backend", "a number beside a tensor of rank 0")
    if (common := _unanimous(tensors, numbers)) is not None:
        return common
    texts = [t for t in _types(tensors) if t.kind == "string"]
    if texts:
        return texts[0] if len(texts) == len(operands) else Unknown("no-promotion", "texts beside numbers")
    return _RULES[call.framework](call, tensors, numbers)


def _is_literal(operand: Value) -> bool:
    """Whether an operand is a list of numbers, which TensorFlow converts to the type of the tensor beside it."""
    return isinstance(operand, tuple) and all(_is_literal(item) or is_number(item) for item in operand)


def _unanimous(tensors: list[TensorType], numbers: list[str]) -> DType | None:
    """The one type of all tensors, if no number is of a higher kind: every framework keeps it."""
    types = {t.dtype for t in tensors}
    if len(types) != 1:
        return None
    only = types.pop()
    if isinstance(only, Unknown) or only.kind not in _KINDS:
        return None
    highest = max(map(_KINDS.index, numbers), default=0)
    return only if highest <= _KINDS.index(only.kind) else None


def _types(tensors: Iterable[TensorType]) -> list[DType]:
    return [t.dtype for t in tensors if isinstance(t.dtype, DType)]


def _torch(call: Call, tensors: list[TensorType], numbers: list[str]) -> DType | Unknown:
    scalars = [PYTHON_TYPES["torch"][kind] for kind in numbers]
    results = {_torch_categories(tensors, scalars, unknown_has_axes) for unknown_has_axes in (True, False)}
    found = results.pop()
    if results:
        return Unknown("rank", "promotion of a tensor of unknown rank")
    return Unknown("no-promotion", "complex numbers of half precision") if found is None else found


def _torch_categories(tensors: list[TensorType], scalars: list[DType], unknown_has_axes: bool) -> DType | None:
    """The type that three categories of operands decide; ``None`` for complex numbers of two halves, which torch makes of
    ``float16`` and which nothing else is known of."""
    dimensioned = [t for t in tensors if (unknown_has_axes if t.rank is None else t.rank > 0)]
    zero = [t for t in tensors if t not in dimensioned]
    levels = [_widest(_types(dimensioned)), _widest(_types(zero)), _widest(scalars)]
    known = [d for d in levels if d is not None]
    if known[0] == FLOAT16 and any(d.kind == "complex" for d in known):
        return None
    return reduce(_torch_combine, reversed(known))


def _widest(types: list[DType]) -> DType | None:
    return reduce(promote_same_kind, types) if types else None


def _torch_combine(lower: DType, higher: DType) -> DType:
    if higher.kind == "float" and lower.kind == "complex":
        return COMPLEX128 if higher == FLOAT64 else COMPLEX64
    if _KINDS.index(lower.kind) > _KINDS.index(higher.kind):
        return lower
    return higher


def type_with_number(tensor: DType | Unknown, number: DType | Unknown, found: DType | Unknown) -> DType | Unknown:
    """The element type that torch gives a tensor and a number that numpy made, which counts as one of Python, where it
    ``found`` another one for the tensor and a second tensor."""
    if found == BOOL or isinstance(tensor, Unknown):
        return found if found == BOOL else tensor
    if isinstance(number, Unknown) or isinstance(found, Unknown) or number.kind not in ("int", "float"):
        return Unknown("undecided", "a number of numpy")
    if _KINDS.index(tensor.kind) > _KINDS.index("int"):
        return tensor
    if "float" in (number.kind, found.kind):
        return FLOAT32
    return INT64 if tensor == BOOL else tensor


def _numpy(call: Call, tensors: list[TensorType], numbers: list[str]) -> DType | Unknown:
    strong = _types(tensors)
    if not strong:
        return PYTHON_TYPES["numpy"][max(numbers, key=_KINDS.index)]
    common = reduce(numpy_pair, strong)
    for kind in numbers:
        common = _numpy_weak(common, kind)
    return common


def _numpy_weak(strong: DType, kind: str) -> DType:
    if _KINDS.index(kind) <= _KINDS.index(strong.kind):
        return strong
    if kind == "complex" and strong in (FLOAT16, FLOAT32):
        return COMPLEX64
    return PYTHON_TYPES["numpy"][kind]


_HALVES = (FLOAT16, BFLOAT16)
#: Keras's promotion lattice: each type with the next higher ones; ``int`` and ``float`` are the weak Python types.
KERAS_LATTICE: Mapping[str, tuple[str, ...]] = {
    "bool": ("int",),
    "int": ("uint8", "int8", "complex64"),
    "uint8": ("int16", "uint16"),
    "uint16": ("int32", "uint32"),
    "uint32": ("int64", "uint64"),
    "uint64": ("float",),
    "int8": ("int16",),
    "int16": ("int32",),
    "int32": ("int64",),
    "int64": ("float",),
    "float": ("bfloat16", "float16"),
    "bfloat16": ("float32",),
    "float16": ("float32",),
    "float32": ("float64", "complex64"),
    "float64": ("complex128",),
    "complex64": ("complex128",),
    "complex128": (),
}


@cache
def _above(name: str) -> frozenset[str]:
    return frozenset({name}).union(*(_above(n) for n in KERAS_LATTICE[name]))


@cache
def _lattice_join(a: str, b: str) -> str:
    common = _above(a) & _above(b)
    return next(c for c in common if common <= _above(c))


def keras_type(*names: str) -> DType:
    """The least upper bound in Keras's lattice; a weak result takes the default width."""
    joined = reduce(_lattice_join, names)
    return {"int": INT32, "float": FLOAT32}.get(joined) or DTYPES[joined]


def _keras(call: Call, tensors: list[TensorType], numbers: list[str]) -> DType | Unknown:
    if len({t.rank == 0 for t in tensors}) > 1 and len(set(_types(tensors))) > 1:
        return Unknown("backend", "a tensor of rank 0 beside one of another type")
    names = [t.name for t in _types(tensors)]
    weak = ["complex64" if kind == "complex" else kind for kind in numbers]
    return keras_type(*names, *weak)


def _tensorflow(call: Call, tensors: list[TensorType], numbers: list[str]) -> DType | Unknown:
    types = _types(tensors)
    if not types:
        return PYTHON_TYPES["tensorflow"][max(numbers, key=_KINDS.index)]
    first = types[0]
    for other in types[1:]:
        if other != first and not {first.name, other.name} & _NUMPY_TYPES:
            call.fault(faults.DTYPE, operand="y", expected=first, actual=other, detail="TensorFlow does not convert tensors")
            return first
    if first.kind in ("int", "bool") and "float" in numbers and len(types) == 1:
        call.fault(
            faults.DTYPE, operand="x", expected=FLOAT32, actual=first, detail="a Python float does not become an integer"
        )
        return FLOAT32
    strong = [t for t in types if t.name not in _NUMPY_TYPES]
    return strong[0] if strong else first


_RULES: Mapping[str, Callable[[Call, list[TensorType], list[str]], DType | Unknown]] = {
    "torch": _torch,
    "numpy": _numpy,
    "python": _numpy,
    "keras": _keras,
    "tensorflow": _tensorflow,
}


def can_become(framework: str, found: DType, place: DType) -> bool:
    """Whether a computed result is converted to the type of a tensor that is there to take it: not to a lower kind, and in
    numpy no signed numbers to unsigned ones."""
    if found.kind not in _KINDS or place.kind not in _KINDS:
        return True
    if _KINDS.index(found.kind) > _KINDS.index(place.kind):
        return False
    return framework != "numpy" or found.kind != "int" or place.kind != "int" or place.signed or not found.signed


def floating(call: Call, x: TensorType, operand: str = "x") -> DType | Unknown:
    """The type of a function with real results (``exp``): floats stay, other types become the framework's float.
    TensorFlow refuses integers."""
    dtype = x.dtype
    if isinstance(dtype, Unknown) or dtype.kind not in ("bool", "int"):
        return dtype
    if call.framework == "numpy":
        return FLOAT16 if dtype.bits == 8 else FLOAT32 if dtype.bits == 16 else FLOAT64
    if call.framework == "tensorflow":
        refuse(call, x, operand)
    return FLOAT32


def has_no_elements(x: TensorType) -> bool:
    """Whether a tensor surely is empty."""
    return isinstance(x.shape, tuple) and 0 in x.shape


def refuse(call: Call, x: TensorType, operand: str = "x", expected: DType = FLOAT32) -> None:
    """Record that an operation does not take the element type of ``x``. Many kernels of torch are not asked where there is
    nothing to compute."""
    if call.framework == "torch" and has_no_elements(x):
        return
    shapes = () if isinstance(x.shape, Unknown) else (x.shape,)
    call.fault(faults.DTYPE, operand=operand, expected=expected, actual=x.dtype, shapes=shapes)


def widened(call: Call, dtype: DType | Unknown) -> DType | Unknown:
    """The type in which integers are summed and multiplied: 64 bits (torch, numpy), at least 32 (Keras, signed or not
    as its backend has it), unchanged (TensorFlow)."""
    if isinstance(dtype, Unknown) or dtype.kind not in ("bool", "int") or call.framework == "tensorflow":
        return dtype
    if call.framework == "keras":
        small = INT32 if dtype.signed or dtype == BOOL else Unknown("backend", "unsigned numbers")
        return dtype if dtype.bits >= 32 else small
    return DTYPES["uint64"] if call.framework == "numpy" and dtype.kind == "int" and not dtype.signed else INT64


def by_backend(call: Call, dtype: DType | Unknown) -> DType | Unknown:
    """A result of 64 bits, which Keras makes one of 32 bits with some backends."""
    return Unknown("backend", "64 bits") if call.framework == "keras" and dtype in (INT64, FLOAT64) else dtype


def real_type(dtype: DType | Unknown) -> DType | Unknown:
    """The type of the magnitudes of elements: complex numbers have real ones."""
    if isinstance(dtype, Unknown) or dtype.kind != "complex":
        return dtype
    return FLOAT32 if dtype.bits == COMPLEX64.bits else FLOAT64
