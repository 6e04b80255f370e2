"""Whether a value is an instance of a class, by the rules of Python and the libraries."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import DimExpr
from dllint.domains.dtype import FLOAT64, DType
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.frameworks import registry
from dllint.frameworks.machine import LIBRARY_BASES
from dllint.ir.program import TensorVal
from dllint.ir.values import (
    ClassVal,
    DictVal,
    FuncVal,
    InstanceVal,
    LibSymbol,
    ListVal,
    PartialVal,
    PartsVal,
    RangeVal,
    SetVal,
    SizesVal,
    TensorSize,
    Value,
)  # fmt: skip
from dllint.lower import mro
from dllint.lower.lazy import ChoiceVal, ShapeVal
from dllint.lower.numpy_scalars import is_scalar
from dllint.lower.tensors import TENSOR_CLASS

#: Python type of our values → names of the classes they are instances of.
PYTHON_TYPES: dict[type, tuple[str, ...]] = {
    bool: ("bool", "int"), int: ("int",), DimExpr: ("int",), float: ("float",), str: ("str",), bytes: ("bytes",),
    complex: ("complex",),
    tuple: ("tuple",), PartsVal: ("tuple",), SizesVal: ("tensor",), TensorSize: ("tensor",),
    ShapeVal: ("tuple",), ListVal: ("list",), DictVal: ("dict",), SetVal: ("set", "frozenset"),
    RangeVal: ("range",),
    FuncVal: ("function",), ClassVal: ("type",), PartialVal: ("partial",), type(None): ("NoneType",),
}  # fmt: skip
_ABSTRACT = {
    "collections.abc.Iterable": ("str", "bytes", "tuple", "list", "dict", "set", "range"),
    "typing.Iterable": ("str", "bytes", "tuple", "list", "dict", "set", "range"),
    "collections.abc.Sequence": ("str", "bytes", "tuple", "list", "range"),
    "typing.Sequence": ("str", "bytes", "tuple", "list", "range"),
    "collections.abc.Mapping": ("dict",), "typing.Mapping": ("dict",), "collections.OrderedDict": ("dict",),
    "typing.Dict": ("dict",),
    "typing.List": ("list",), "typing.Tuple": ("tuple",), "numbers.Number": ("int", "float", "complex"),
    "numbers.Real": ("int", "float"),
    "numbers.Integral": ("int",), "functools.partial": ("partial",), "types.FunctionType": ("function",),
    "collections.abc.Callable": ("function", "type", "partial"), "typing.Callable": ("function", "type", "partial"),
    "torch.Size": ("tuple",),
}  # fmt: skip


#: Abstract classes that a class is one of by inheriting it only, and bases that are none of them.
_INHERITED: Final = frozenset(f"{home}.{name}" for home in ("typing", "collections.abc") for name in ("Sequence", "Mapping"))
_OTHERS: Final = frozenset({"builtins.object", "torch.nn.Module", "typing.Generic", "abc.ABC"})


def _is_plain(cls: Value) -> bool:
    """Whether all bases of a class are classes of the analysed code, or such as are no containers."""
    bases = cls.mro if isinstance(cls, ClassVal) else ()
    return bool(bases) and all(isinstance(b, ClassVal) or (isinstance(b, LibSymbol) and b.name in _OTHERS) for b in bases)


def is_any_instance(value: Value, kinds: Value) -> bool | None:
    """Whether a value is an instance of a class, or of one of several, ``None`` if undecided."""
    if isinstance(kinds, tuple):
        answers = [is_any_instance(value, kind) for kind in kinds]
        return True if True in answers else None if None in answers else False
    return is_instance(value, kinds)


def is_instance(value: Value, kind: Value) -> bool | None:
    """Whether a value is an instance of one class, ``None`` if undecided."""
    if isinstance(value, ChoiceVal):
        answers = {is_instance(option, kind) for option in value.options}
        return answers.pop() if len(answers) == 1 else None
    if isinstance(value, UnknownFloat):
        return False if _excludes_numbers(kind) else None
    if isinstance(value, Unknown) or isinstance(kind, Unknown):
        return None
    if isinstance(value, InstanceVal):
        answer = mro.is_subclass(value.cls, kind)
        if answer is None and isinstance(kind, LibSymbol) and kind.name in _INHERITED:
            answer = False if _is_plain(value.cls) else None
        return None if answer is False and value.open is not None else answer
    if isinstance(kind, ClassVal):
        return None if isinstance(value, LibSymbol) else False
    if not isinstance(kind, LibSymbol):
        return None
    return _is_builtin(value, kind.name)


def _excludes_numbers(kind: Value) -> bool:
    """Whether no number is an instance of a class."""
    if not isinstance(kind, LibSymbol):
        return isinstance(kind, ClassVal)
    return kind.name in _TENSOR_KINDS or kind.name.removeprefix("builtins.") in _NO_NUMBERS


def _is_builtin(value: Value, name: str) -> bool | None:
    if isinstance(value, TensorVal):
        return _is_tensor(value, name)
    own = _symbol_types(value) if isinstance(value, LibSymbol) else PYTHON_TYPES.get(type(value))
    if own is None:
        return None
    if name.startswith("builtins."):
        return name == "builtins.object" or name[9:] in own
    if name in _ABSTRACT:
        return any(kind in own for kind in _ABSTRACT[name])
    return False if registry.known(name) or own != ("type",) else None


def _symbol_types(symbol: LibSymbol) -> tuple[str, ...] | None:
    """The kind of a library name, if a table has it: a class or a function."""
    if registry.layer_row(symbol.name) is not None or symbol.name in LIBRARY_BASES:
        return ("type",)
    return ("function",) if registry.function_row(symbol.name) is not None else None


_TENSOR_KINDS = frozenset({"torch.Tensor", "numpy.ndarray", "tensorflow.Tensor", "keras.KerasTensor"})
#: Names of the class whose instances all tensors of torch are since its release 0.4; before, those that gradients flow to were.
_VARIABLES = frozenset({"torch.autograd.Variable", "torch.autograd.variable.Variable"})
_NO_NUMBERS = frozenset({"str", "bytes", "tuple", "list", "dict", "set", "frozenset", "range", "type"})
#: Classes of numbers → the kinds of elements whose scalars are instances of them.
_SCALARS: dict[str, tuple[str, ...]] = {
    "numbers.Number": ("int", "float", "complex"), "numpy.number": ("int", "float", "complex"),
    "numbers.Complex": ("int", "float", "complex"), "numbers.Real": ("int", "float"), "numbers.Integral": ("int",),
    "numpy.generic": ("bool", "int", "float", "complex"), "numpy.integer": ("int",), "numpy.floating": ("float",),
    "builtins.int": (), "builtins.bool": (), "builtins.complex": (),
}  # fmt: skip


def _is_scalar(value: TensorVal, name: str) -> bool | None:
    """Whether what may be a scalar of numpy, and no array, is an instance of a class."""
    if name == "builtins.object":
        return True
    if not is_scalar(value):
        return True if name == TENSOR_CLASS["numpy"] and value.shape != () else None
    if name in _TENSOR_KINDS or name.removeprefix("builtins.") in _NO_NUMBERS:
        return False
    if name in _SCALARS and isinstance(value.dtype, DType):
        return value.dtype.kind in _SCALARS[name]
    return value.dtype is FLOAT64 if name == "builtins.float" and isinstance(value.dtype, DType) else None


def _is_tensor(value: TensorVal, name: str) -> bool | None:
    if value.framework == "numpy" and (isinstance(value.shape, Unknown) or value.shape == ()):
        return _is_scalar(value, name)
    if name == TENSOR_CLASS[value.framework] or name == "builtins.object":
        return True
    if name in _VARIABLES and value.framework in ("torch", "numpy"):
        return value.framework == "torch"
    if name in _TENSOR_KINDS or name.startswith("builtins."):
        return False if value.framework in ("torch", "numpy") else None
    return None if name.startswith(("torch.", "tensorflow.", "keras.")) else False
