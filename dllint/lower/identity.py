"""Equality and identity of abstract values: three-valued, ``None`` unless proved either way.

Element types have one identity under all their names (``torch.float`` is ``torch.float32``); a library's constants are equal to
themselves and, unless a table says that both are classes or functions, perhaps to others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from dllint.domains.dim import DimExpr, equal
from dllint.domains.dtype import ALIASES, DTYPES, DType
from dllint.domains.lattice import Unknown
from dllint.frameworks import registry
from dllint.frameworks.machine import LIBRARY_BASES
from dllint.ir.program import TensorVal
from dllint.ir.values import (
    Assumed,
    BoundVal,
    ClassVal,
    DictVal,
    FuncVal,
    InstanceVal,
    LibSymbol,
    ListVal,
    ModuleVal,
    NativeVal,
    RangeVal,
    SetVal,
    Value,
)
from dllint.lower import bulk, mro
from dllint.lower.arguments import as_dim
from dllint.lower.lazy import ChoiceVal, ShapeVal
from dllint.lower.scopes import MISSING

if TYPE_CHECKING:
    from dllint.lower.parts import Derives

_NUMBERS: Final = (bool, int, float, complex)
_PLAIN: Final = (*_NUMBERS, str, bytes)
#: Libraries whose element types are objects of a class of their own, each a single one.
_OWN_TYPES: Final = ("torch", "tensorflow")


def element_type(value: Value) -> DType | None:
    """The element type that a value is: of a tensor, or by a name of torch or TensorFlow."""
    if isinstance(value, DType):
        return value
    if isinstance(value, LibSymbol):
        root, _, last = value.name.partition(".")
        if root in _OWN_TYPES:
            return DTYPES.get(last) or ALIASES.get(last)
    return None


def _numpy_type(value: Value) -> DType | None:
    """The element type that a class of numpy or Python, or a text, stands for in a comparison with a type of numpy or Keras."""
    if isinstance(value, LibSymbol):
        root, _, last = value.name.rpartition(".")
        if root == "numpy":
            return {"float": DTYPES["float64"], "int": DTYPES["int64"]}.get(last) or DTYPES.get(last.rstrip("_"))
        return {"builtins.float": DTYPES["float64"], "builtins.int": DTYPES["int64"], "builtins.bool": DTYPES["bool"]}.get(
            value.name
        )
    return DTYPES.get({"float": "float64", "int": "int64"}.get(value, value)) if isinstance(value, str) else None


def key_of(value: Value) -> Any:
    """A value as the key of a dict; MISSING if it is not known which key it is, or too much to look at."""
    value = value.value if isinstance(value, Assumed) else value
    if bulk.is_bulky(value):
        return MISSING
    return _key_of(value)


def _key_of(value: Value) -> Any:
    value = value.value if isinstance(value, Assumed) else value
    if isinstance(value, (Unknown, ChoiceVal, DimExpr, ShapeVal)) or mro.may_be_anything(value) or compares(value):
        return MISSING
    if isinstance(value, tuple):
        parts = tuple(map(_key_of, value))
        return MISSING if any(part is MISSING for part in parts) else parts
    if (dtype := element_type(value)) is not None:
        return dtype
    try:
        hash(value)
    except TypeError:
        return MISSING
    return value


# --- is ----------------------------------------------------------------------------------------------------------------------


def identical(a: Value, b: Value) -> bool | None:
    """``a is b``."""
    if a is b:
        return True
    if isinstance(a, ChoiceVal):
        return _agreed([identical(option, b) for option in a.options])
    if isinstance(b, ChoiceVal):
        return identical(b, a)
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return None
    if (same := _same_type(a, b)) is not None or element_type(a) is not None:
        return same if b is not None else False
    if isinstance(a, LibSymbol) or isinstance(b, LibSymbol):
        return _same_symbol(a, b)
    if a is None or b is None:
        return False
    if isinstance(a, _PLAIN) and type(a) is type(b):
        return bool(a == b)
    if isinstance(a, TensorVal) and isinstance(b, TensorVal):  # ``x.to(device)`` may be ``x``
        return None
    return None if isinstance(a, DimExpr) and isinstance(b, (int, DimExpr)) else False


def _same_type(a: Value, b: Value) -> bool | None:
    left, right = element_type(a), element_type(b)
    return left == right if left is not None and right is not None else None


def _same_symbol(a: Value, b: Value) -> bool | None:
    """Whether a library object is another value: known classes and functions have one canonical name each."""
    if isinstance(b, LibSymbol) and not isinstance(a, LibSymbol):
        a, b = b, a
    if not isinstance(a, LibSymbol):
        return None
    if isinstance(b, LibSymbol):
        return True if a.name == b.name else False if is_definite(a) and is_definite(b) else None
    return False if is_definite(a) or isinstance(b, (ClassVal, FuncVal, BoundVal, InstanceVal, TensorVal)) else None


#: Objects that stand for "nothing given", which no other value is.
_MARKS: Final = frozenset({"dataclasses.MISSING", "inspect.Parameter.empty", "inspect.Signature.empty"})


def is_definite(symbol: LibSymbol) -> bool:
    """Whether a library name surely is a class or function: one that a table knows, or a builtin."""
    name = symbol.name
    return (
        registry.layer_row(name) is not None
        or registry.function_row(name) is not None
        or name in LIBRARY_BASES
        or name.startswith("builtins.")
        or name in _MARKS
    )


def _agreed(answers: list[bool | None]) -> bool | None:
    """The answer that all alternatives give."""
    return answers[0] if len(set(answers)) == 1 else None


# --- == ----------------------------------------------------------------------------------------------------------------------


def equals(m: Derives, a: Value, b: Value) -> bool | None:
    """``a == b`` for what is no tensor or column; ``None`` also for what is too large to be looked at."""
    return None if bulk.is_bulky(a) or bulk.is_bulky(b) else _equal(m, a, b)


def _equal(m: Derives, a: Value, b: Value) -> bool | None:
    if a is b and not isinstance(a, (float, Unknown)):
        return True
    if isinstance(a, ChoiceVal):
        return _agreed([_equal(m, option, b) for option in a.options])
    if isinstance(b, ChoiceVal):
        return _equal(m, b, a)
    a, b = _as_sizes(m, a, b)
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return None
    if isinstance(a, (int, DimExpr)) and isinstance(b, (int, DimExpr)):
        return equal(a, b)
    for one, other in ((a, b), (b, a)):
        if (dtype := element_type(one)) is not None:
            return _equals_type(dtype, one, other)
    if isinstance(a, InstanceVal) or isinstance(b, InstanceVal):
        return _equal_members(m, a, b)
    return _equal_objects(m, a, b)


def _as_sizes(m: Derives, a: Value, b: Value) -> tuple[Value, Value]:
    """Parameters that are compared with a number, as numbers."""
    sizes = (int, DimExpr)
    return as_dim(m, a) if isinstance(b, sizes) else a, as_dim(m, b) if isinstance(a, sizes) else b


def _equals_type(dtype: DType, value: Value, other: Value) -> bool | None:
    """Types of tensors are compared with those of the same library; numpy's and Keras's also with classes and texts, of which a
    tensor of torch knows nothing."""
    if (right := element_type(other)) is not None:
        return dtype == right
    if other is None:
        return False
    if (right := _numpy_type(other)) is not None:
        of_torch = isinstance(value, LibSymbol) and value.name.startswith("torch.")
        return False if dtype != right or of_torch else None
    return None if isinstance(other, (LibSymbol, InstanceVal, str)) else False


def _equal_objects(m: Derives, a: Value, b: Value) -> bool | None:
    if isinstance(a, LibSymbol) or isinstance(b, LibSymbol):
        return _same_symbol(a, b)
    if isinstance(a, (ListVal, tuple)) and isinstance(b, (ListVal, tuple)):
        return _equal_sequences(m, a, b)
    if (a is None or isinstance(a, _PLAIN)) and (b is None or isinstance(b, _PLAIN)):
        return bool(a == b)
    if isinstance(a, DictVal) and isinstance(b, DictVal):
        return _equal_dicts(m, a, b)
    if isinstance(a, SetVal) and isinstance(b, SetVal):
        return _equal_sets(a, b)
    if isinstance(a, BoundVal) and isinstance(b, BoundVal):
        return True if a.func is b.func and a.receiver is b.receiver else None
    if type(a) is type(b):
        return False if isinstance(a, (FuncVal, ClassVal, ModuleVal)) else None
    known = (*_PLAIN, DimExpr, ListVal, tuple, DictVal, SetVal, RangeVal, FuncVal, ClassVal, BoundVal, ModuleVal, NativeVal)
    return False if all(v is None or isinstance(v, known) for v in (a, b)) and not _numeric(a, b) else None


def _numeric(a: Value, b: Value) -> bool:
    """Whether two values are numbers, one of which is symbolic."""
    return isinstance(a, (*_NUMBERS, DimExpr)) and isinstance(b, (*_NUMBERS, DimExpr))


def _equal_members(m: Derives, a: Value, b: Value) -> bool | None:
    """Members of enumerations are compared by identity, and by value with what their class mixes in (``str``, ``int``)."""
    if not mro.is_member(a):
        a, b = b, a
    if not mro.is_member(a) or not isinstance(a, InstanceVal):
        return None if _compares(a) or _compares(b) or not all(map(_by_identity, (a, b))) else a is b
    if isinstance(b, InstanceVal):
        return (a is b if a.cls is b.cls else None) if mro.is_member(b) else None
    mixed_in = {"builtins.str", "builtins.int", "enum.IntEnum", "enum.StrEnum"}.intersection(mro.library_bases(a.cls))
    return _equal(m, a.attrs["value"], b) if mixed_in else False


def _compares(value: Value) -> bool:
    """Whether an object may define equality for itself."""
    return compares(value) or (isinstance(value, InstanceVal) and mro.lookup(value.cls, "__eq__") is not MISSING)


def compares(value: Value) -> bool:
    """Whether the analysed code defines ``__eq__`` for an object."""
    cls = value.cls if isinstance(value, InstanceVal) else None
    return isinstance(cls, ClassVal) and (cls.is_dataclass or mro.find_user_attribute(cls, "__eq__") is not None)


def _by_identity(value: Value) -> bool:
    """Whether a value is an object that equals no other one, if its class does not define that, or nothing of the kind."""
    return (isinstance(value, InstanceVal) and isinstance(value.cls, ClassVal)) or value is None or isinstance(value, _PLAIN)


def _equal_dicts(m: Derives, a: DictVal, b: DictVal) -> bool | None:
    if a.rest is not None or b.rest is not None:
        return None
    if a.items.keys() != b.items.keys():
        plain = all(isinstance(key, _PLAIN) for key in (*a.items, *b.items))
        return False if plain else None
    found = [_equal(m, value, b.items[key]) for key, value in a.items.items()]
    return False if False in found else None if None in found else True


def _equal_sets(a: SetVal, b: SetVal) -> bool | None:
    plain = all(isinstance(item, _PLAIN) for item in (*a.items, *b.items))
    return set(a.items) == set(b.items) if plain and a.rest is None and b.rest is None else None


def _equal_sequences(m: Derives, a: ListVal | tuple[Value, ...], b: ListVal | tuple[Value, ...]) -> bool | None:
    if type(a) is not type(b):
        return False
    left, right = (v.items if isinstance(v, ListVal) else v for v in (a, b))
    if (isinstance(a, ListVal) and a.rest is not None) or (isinstance(b, ListVal) and b.rest is not None):
        return None
    if len(left) != len(right):
        return False
    found = [None if isinstance(x, TensorVal) and x is not y else _equal(m, x, y) for x, y in zip(left, right, strict=True)]
    return False if False in found else None if None in found else True
