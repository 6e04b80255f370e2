"""Builtins about objects: ``isinstance``, ``getattr``, ``type``, ``callable``, ``print`` …"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from dllint.domains.dim import DimExpr
from dllint.domains.dtype import FLOAT64, DType
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.frameworks import registry
from dllint.frameworks.machine import LIBRARY_BASES
from dllint.ir.program import TensorVal
from dllint.ir.values import (
    Arguments,
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
    PartialVal,
    RangeVal,
    SetVal,
    SizesVal,
    TensorSize,
    Value,
)  # fmt: skip
from dllint.lower import attributes, branches, classes
from dllint.lower.lazy import ChoiceVal, ShapeVal
from dllint.lower.natives.arguments import argument
from dllint.lower.natives.native import Method, native
from dllint.lower.tensors import TENSOR_CLASS
from dllint.ops.kinds import having, having_any
from dllint.ops.traits import Trait

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter

#: Python type of our values → names of the classes they are instances of.
_TYPES: dict[type, tuple[str, ...]] = {
    bool: ("bool", "int"), int: ("int",), DimExpr: ("int",), float: ("float",), str: ("str",), bytes: ("bytes",),
    complex: ("complex",),
    tuple: ("tuple",), SizesVal: ("tensor",), TensorSize: ("tensor",),
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


@native("builtins.isinstance")
def _isinstance(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    value, kinds = argument(arguments, 0), argument(arguments, 1)
    answer = is_any_instance(value, kinds)
    if answer is not None:
        return Assumed(answer, value.name) if isinstance(value, TensorVal) and value.id in m.known.presumed else answer
    return m.derive(("isinstance", id(value), _kind_key(kinds)), lambda: Unknown("undecided", "isinstance"), value, kinds)


def _kind_key(kinds: Value) -> Hashable:
    if isinstance(kinds, tuple):
        return tuple(map(_kind_key, kinds))
    return kinds.name if isinstance(kinds, LibSymbol) else id(kinds)


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
        answer = classes.is_subclass(value.cls, kind)
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
    own = _symbol_types(value) if isinstance(value, LibSymbol) else _TYPES.get(type(value))
    if own is None:
        return None
    if name.startswith("builtins."):
        return name == "builtins.object" or name[9:] in own
    if name in _ABSTRACT:
        return any(kind in own for kind in _ABSTRACT[name])
    return False if registry.known(name) or own != ("type",) else None


def _symbol_types(symbol: LibSymbol) -> tuple[str, ...] | None:
    """What a library name is, if a table tells: a class or a function."""
    if registry.layer_row(symbol.name) is not None or symbol.name in LIBRARY_BASES:
        return ("type",)
    return ("function",) if registry.function_row(symbol.name) is not None else None


_TENSOR_KINDS = frozenset({"torch.Tensor", "numpy.ndarray", "tensorflow.Tensor", "keras.KerasTensor"})
_NO_NUMBERS = frozenset({"str", "bytes", "tuple", "list", "dict", "set", "frozenset", "range", "type"})
#: Classes of numbers → the kinds of elements whose scalars are instances of them.
_SCALARS: dict[str, tuple[str, ...]] = {
    "numbers.Number": ("int", "float", "complex"), "numpy.number": ("int", "float", "complex"),
    "numbers.Complex": ("int", "float", "complex"), "numbers.Real": ("int", "float"), "numbers.Integral": ("int",),
    "numpy.generic": ("bool", "int", "float", "complex"), "numpy.integer": ("int",), "numpy.floating": ("float",),
    "builtins.int": (), "builtins.bool": (), "builtins.complex": (),
}  # fmt: skip
#: Operations of numpy that give scalars, and no arrays without axes.
_SCALAR_MAKERS = (
    having_any(
        Trait.SUBSCRIPTS
        | Trait.ADDS
        | Trait.SUBTRACTS
        | Trait.MULTIPLIES
        | Trait.DIVIDES
        | Trait.NEGATES
        | Trait.RAISES
        | Trait.ROOT
        | Trait.NATURAL
        | Trait.MAGNITUDE
    )
    | having(Trait.REDUCES) - having(Trait.NO_GRADIENT)
    | having(Trait.REDUCES | Trait.POSITIONS)
    | having(Trait.DOT)
)


def _is_scalar(value: TensorVal, name: str) -> bool | None:
    """Whether what may be a scalar of numpy, and no array, is an instance of a class."""
    if name == "builtins.object":
        return True
    maker = value.producer
    if value.shape != () or maker is None or maker.kind not in _SCALAR_MAKERS or _has_ellipsis(maker.args.get("index")):
        return True if name == TENSOR_CLASS["numpy"] and value.shape != () else None
    if name in _TENSOR_KINDS or name.removeprefix("builtins.") in _NO_NUMBERS:
        return False
    if name in _SCALARS and isinstance(value.dtype, DType):
        return value.dtype.kind in _SCALARS[name]
    return value.dtype is FLOAT64 if name == "builtins.float" and isinstance(value.dtype, DType) else None


def _has_ellipsis(index: Value) -> bool:
    return index is ... or (isinstance(index, tuple) and ... in index)


def _is_tensor(value: TensorVal, name: str) -> bool | None:
    if value.framework == "numpy" and (isinstance(value.shape, Unknown) or value.shape == ()):
        return _is_scalar(value, name)
    if name == TENSOR_CLASS[value.framework] or name == "builtins.object":
        return True
    if name in _TENSOR_KINDS or name.startswith("builtins."):
        return False if value.framework in ("torch", "numpy") else None
    return None if name.startswith(("torch.", "tensorflow.", "keras.")) else False


@native("builtins.issubclass")
def _issubclass(_m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    cls, kinds = argument(arguments, 0), argument(arguments, 1)
    answers = [classes.is_subclass(cls, kind) for kind in (kinds if isinstance(kinds, tuple) else (kinds,))]
    if True in answers:
        return True
    return Unknown("undecided", "issubclass") if None in answers or isinstance(cls, Unknown) else False


@native("builtins.hasattr")
def _hasattr(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    value, name = argument(arguments, 0), argument(arguments, 1)
    answer = attributes.has(value, name)
    return (
        answer
        if answer is not None
        else m.derive(("hasattr", id(value), str(name)), lambda: Unknown("undecided", "hasattr"), value)
    )


@native("builtins.getattr", "builtins.object.__getattribute__")
def _getattr(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    value, name = argument(arguments, 0), argument(arguments, 1)
    if isinstance(name, ChoiceVal):
        rest = arguments.args[2:]
        thunks = [lambda option=option: _getattr(m, None, Arguments((value, option, *rest))) for option in name.options]
        return branches.each(m, thunks)
    if not isinstance(name, str):
        return Unknown("unknown-attribute-name")
    if len(arguments.args) > 2 and attributes.has(value, name) is False:
        return argument(arguments, 2)
    found = m.getattr(value, name)
    missing = isinstance(found, Unknown) and found.reason in ("no-attribute", "unmodelled-attribute", "unknown-base")
    return argument(arguments, 2) if missing and len(arguments.args) > 2 else found


@native("builtins.setattr", "builtins.object.__setattr__")
def _setattr(m: Interpreter, receiver: Value, arguments: Arguments) -> Value:
    target, name, value = (
        (receiver, *arguments.args)
        if receiver is not None and len(arguments.args) == 2
        else (*arguments.args, None, None, None)[:3]
    )
    name = m.plain(name)
    if isinstance(name, str):
        m.setattr(target, name, value)
    elif isinstance(target, InstanceVal):
        attributes.open_names(m, target)
    return None


@native("builtins.delattr")
def _delattr(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    target, name = argument(arguments, 0), argument(arguments, 1)
    if isinstance(name, str):
        attributes.delete(m, target, name)
    return None


@native("builtins.type")
def _type(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    if len(arguments.args) == 3:
        return _dynamic_class(m, arguments)
    value = argument(arguments, 0)
    if isinstance(value, InstanceVal):
        return value.cls
    if isinstance(value, TensorVal):
        return LibSymbol(TENSOR_CLASS[value.framework])
    own = _TYPES.get(type(value))
    return LibSymbol(f"builtins.{own[0]}") if own is not None else Unknown("unknown-type")


def _dynamic_class(m: Interpreter, arguments: Arguments) -> Value:
    name, bases, attrs = (m.plain(v) for v in arguments.args)
    if not isinstance(bases, tuple) or not isinstance(attrs, DictVal):
        return Unknown("dynamic-class")
    cls = ClassVal(name if isinstance(name, str) else "?", None, m.frame.document, bases, dict(attrs.items))
    cls.mro = classes.linearize(cls)
    return cls


@native("builtins.callable")
def _callable(_m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    if isinstance(value, (FuncVal, BoundVal, ClassVal, PartialVal, NativeVal)):
        return True
    if isinstance(value, InstanceVal):
        return (
            True
            if value.layer is not None or classes.find_user_attribute(value.cls, "__call__") is not None
            else Unknown("undecided", "callable")
        )
    if isinstance(value, LibSymbol):
        return True if registry.known(value.name) else Unknown("undecided", "callable")
    return Unknown("undecided", "callable") if isinstance(value, (Unknown, ChoiceVal)) else False


@native(
    "builtins.print", "builtins.object.__init__", "builtins.object.__init_subclass__", "builtins.breakpoint", "builtins.help"
)
def _nothing(_m: Interpreter, _receiver: Value, _arguments: Arguments) -> Value:
    return None


@native("builtins.vars", "builtins.object.__dict__")
def _vars(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    return (
        DictVal(value.attrs, value.open if isinstance(value, InstanceVal) else None, of=value)
        if isinstance(value, (InstanceVal, ModuleVal))
        else DictVal(m.frame.scope.vars, of=Unknown("variables"))
        if not arguments.args
        else Unknown("vars")
    )


@native("builtins.globals")
def _globals(m: Interpreter, _receiver: Value, _arguments: Arguments) -> Value:
    return DictVal(m.frame.scope.module.vars, of=Unknown("variables"))


@native("builtins.locals")
def _locals(m: Interpreter, _receiver: Value, _arguments: Arguments) -> Value:
    return DictVal(dict(m.frame.scope.vars))


@native("builtins.object")
def _object(m: Interpreter, _receiver: Value, _arguments: Arguments) -> Value:
    return InstanceVal(LibSymbol("builtins.object"), site=m.site)


@native(
    "builtins.compile",
    "builtins.open",
    "builtins.input",
    "builtins.__import__",
    "builtins.dir",
)
def _dynamic(_m: Interpreter, _receiver: Value, _arguments: Arguments) -> Value:
    return Unknown("dynamic")


@native("builtins.object.__new__")
def _new(m: Interpreter, receiver: Value, arguments: Arguments) -> Value:
    cls = argument(arguments, 0, default=receiver)
    return InstanceVal(cls, site=m.site) if isinstance(cls, (ClassVal, LibSymbol)) else Unknown("dynamic-class")


@native("builtins.property")
def _property(_m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    getter = argument(arguments, 0, "fget")
    if isinstance(getter, FuncVal):
        fields = {slot: getattr(getter, slot) for slot in FuncVal.__slots__}
        return FuncVal(**{**fields, "kind": "property"})
    return Unknown("dynamic-property")


def _rekinded(kind: str) -> Method[Value]:
    def convert(_m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
        function = argument(arguments, 0)
        if not isinstance(function, FuncVal):
            return function
        fields = {slot: getattr(function, slot) for slot in FuncVal.__slots__}
        return FuncVal(**{**fields, "kind": kind})

    return convert


native("builtins.staticmethod")(_rekinded("static"))
native("builtins.classmethod")(_rekinded("class"))


@native("sys.modules.__getitem__")
def _loaded_module(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    """``sys.modules[name]``: a module of the workspace that has been loaded."""
    name = argument(arguments, 0)
    found = next((module for module in m.imports.modules.values() if module.attrs.get("__name__", module.name) == name), None)
    return found if found is not None else Unknown("unknown-key", "sys.modules")
