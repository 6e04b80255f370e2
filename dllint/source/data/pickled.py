"""Checkpoints of ``torch.save``: the shapes and types of their tensors, from the operations of the pickle; none is executed.

Only dicts, lists, tuples, numbers, texts and tensors are built. What a pickle would construct by any other name is opaque, so
that nothing is imported and nothing is called. Operations of pickles: ``Lib/pickletools.py`` of CPython.
"""

from __future__ import annotations

import pickletools
from collections.abc import Callable
from typing import Final, TypeAlias

from dllint.source.data.archives import content
from dllint.source.data.held import ArrayHead, Held, bounded, is_shape
from dllint.source.data.plain import Opaque, UnreadableError
from dllint.source.data.window import Window

_MEMBER: Final = "data.pkl"
_LARGEST: Final = 2 * 2**20
_MOST_OPERATIONS: Final = 200_000
#: The name that a pickle gives for something, and a storage with its element type.
_Part: TypeAlias = "Held | _Name | _Storage | _Mark"


class _Mark:
    """Where the operands of an operation begin."""


class _Name(str):
    """A name that the pickle would import."""

    __slots__ = ()


class _Storage(str):
    """The element type of a storage."""

    __slots__ = ()


_TYPES: Final = {
    "FloatStorage": "float32", "DoubleStorage": "float64", "HalfStorage": "float16", "BFloat16Storage": "bfloat16",
    "LongStorage": "int64", "IntStorage": "int32", "ShortStorage": "int16", "CharStorage": "int8", "ByteStorage": "uint8",
    "BoolStorage": "bool", "ComplexFloatStorage": "complex64", "ComplexDoubleStorage": "complex128",
}  # fmt: skip
_MAPPINGS: Final = ("collections OrderedDict", "builtins dict")
_TENSOR: Final = "torch._utils _rebuild_tensor_v2"
_PARAMETERS: Final = ("torch._utils _rebuild_parameter", "torch._utils _rebuild_parameter_with_state")
_SIZE: Final = "torch Size"


def checkpoint(file: Window) -> Held:
    """What ``torch.save`` has written in the format of torch 1.6 and later. Raises UnreadableError."""
    return _without_names(bounded(_Reader(content(file, _MEMBER, _LARGEST)).result()))


def _without_names(part: Held) -> Held:
    """The same without the names in it."""
    if isinstance(part, (_Name, _Storage)):
        return Opaque("object")
    if isinstance(part, ArrayHead):
        return part
    if isinstance(part, dict):
        return {key: _without_names(value) for key, value in part.items()}
    if isinstance(part, list):
        return [_without_names(inner) for inner in part]
    return tuple(map(_without_names, part)) if isinstance(part, tuple) else part


class _Reader:
    """The stack and the memo of a pickle."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._stack: list[_Part] = []
        self._memo: dict[object, _Part] = {}

    def result(self) -> Held:
        """What the pickle stands for."""
        try:
            for count, (operation, argument, _) in enumerate(pickletools.genops(self._data)):
                if count > _MOST_OPERATIONS:
                    raise UnreadableError("too many operations")
                if operation.name == "STOP":
                    break
                self._perform(operation.name, argument)
            return _held(self._stack.pop())
        except (ValueError, LookupError, TypeError, OverflowError, RecursionError) as error:
            raise UnreadableError("a damaged pickle") from error

    def _perform(self, name: str, argument: object) -> None:
        if name in _IGNORED:
            return
        if name in _CONSTANTS:
            self._stack.append(_CONSTANTS[name]())
        elif name in _LITERALS:
            self._stack.append(argument if isinstance(argument, (int, float, str)) else Opaque("bytes"))
        elif name == "GLOBAL":
            self._stack.append(_Name(argument))
        elif name.endswith("PUT") or name == "MEMOIZE":
            self._memo[len(self._memo) if name == "MEMOIZE" else argument] = self._stack[-1]
        elif name.endswith("GET"):
            self._stack.append(self._memo[argument])
        elif name == "MARK":
            self._stack.append(_Mark())
        else:
            _ACTIONS[name](self)

    def after_mark(self) -> list[_Part]:
        """The parts above the last mark, which goes."""
        place = next((i for i in reversed(range(len(self._stack))) if isinstance(self._stack[i], _Mark)), None)
        if place is None:
            raise UnreadableError("a damaged pickle")
        parts = self._stack[place + 1 :]
        del self._stack[place:]
        return parts

    def pop(self) -> _Part:
        """The topmost part, which goes."""
        return self._stack.pop()

    def push(self, part: _Part) -> None:
        """Put a part on top."""
        self._stack.append(part)

    @property
    def top(self) -> _Part:
        """The topmost part."""
        return self._stack[-1]


def _tuple_of(count: int) -> Callable[[_Reader], None]:
    def action(reader: _Reader) -> None:
        reader.push(tuple(reversed([_inner(reader.pop()) for _ in range(count)])))

    return action


def _tuple(reader: _Reader) -> None:
    reader.push(tuple(map(_inner, reader.after_mark())))


def _append(reader: _Reader) -> None:
    _extend(reader, [reader.pop()])


def _appends(reader: _Reader) -> None:
    _extend(reader, reader.after_mark())


def _extend(reader: _Reader, parts: list[_Part]) -> None:
    if isinstance(reader.top, list):
        reader.top.extend(map(_held, parts))


def _set_item(reader: _Reader) -> None:
    value = reader.pop()
    _update(reader, [reader.pop(), value])


def _set_items(reader: _Reader) -> None:
    _update(reader, reader.after_mark())


def _update(reader: _Reader, parts: list[_Part]) -> None:
    if isinstance(reader.top, dict):
        reader.top.update(zip(map(_held, parts[::2]), map(_held, parts[1::2]), strict=True))


def _storage(reader: _Reader) -> None:
    """A tensor's numbers: ``("storage", type, key, location, count)``."""
    told = reader.pop()
    kind = told[1] if isinstance(told, tuple) and len(told) == 5 and told[0] == "storage" else ""
    reader.push(_Storage(_TYPES.get(kind.rpartition(" ")[2], "") if isinstance(kind, _Name) else ""))


def _called(reader: _Reader) -> None:
    """A call of what a name stands for: of a mapping, a tensor or a parameter; of anything else nothing is known."""
    arguments, name = reader.pop(), reader.pop()
    reader.push(_made(name, arguments) if isinstance(name, _Name) and isinstance(arguments, tuple) else Opaque("object"))


def _made(name: str, arguments: tuple[Held, ...]) -> Held:
    if name in _MAPPINGS and not arguments:
        return {}
    if name == _TENSOR and len(arguments) >= 3 and is_shape(arguments[2]) and isinstance(arguments[2], tuple):
        sizes = tuple(size for size in arguments[2] if isinstance(size, int))
        return ArrayHead(sizes, str(arguments[0]) if isinstance(arguments[0], _Storage) else "")
    if name in _PARAMETERS and arguments and isinstance(arguments[0], ArrayHead):
        return arguments[0]
    return arguments[0] if name == _SIZE and len(arguments) == 1 else Opaque("object")


def _new(reader: _Reader) -> None:
    reader.pop()
    reader.pop()
    reader.push(Opaque("object"))


def _built(reader: _Reader) -> None:
    """The state of an object: that of a mapping are attributes beside its entries."""
    reader.pop()
    if not isinstance(reader.top, dict):
        reader.pop()
        reader.push(Opaque("object"))


def _name(reader: _Reader) -> None:
    last, module = reader.pop(), reader.pop()
    reader.push(_Name(f"{module} {last}"))


def _inner(part: _Part) -> Held:
    """A part of a tuple, which may be the arguments of a call."""
    if isinstance(part, _Mark):
        raise UnreadableError("a damaged pickle")
    return part


def _held(part: _Part) -> Held:
    return Opaque("object") if isinstance(part, (_Name, _Storage)) else _inner(part)


_IGNORED: Final = ("PROTO", "FRAME")
_CONSTANTS: Final[dict[str, Callable[[], Held]]] = {
    "NONE": lambda: None,
    "NEWTRUE": lambda: True,
    "NEWFALSE": lambda: False,
    "EMPTY_DICT": dict,
    "EMPTY_LIST": list,
    "EMPTY_TUPLE": tuple,
}
_LITERALS: Final = (
    "BININT", "BININT1", "BININT2", "LONG1", "LONG4", "INT", "LONG", "FLOAT", "BINFLOAT", "BINUNICODE", "SHORT_BINUNICODE",
    "BINUNICODE8", "UNICODE", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BINSTRING", "SHORT_BINSTRING",
)  # fmt: skip
_ACTIONS: Final[dict[str, Callable[[_Reader], None]]] = {
    "TUPLE1": _tuple_of(1), "TUPLE2": _tuple_of(2), "TUPLE3": _tuple_of(3), "TUPLE": _tuple, "APPEND": _append,
    "APPENDS": _appends, "SETITEM": _set_item, "SETITEMS": _set_items, "BINPERSID": _storage, "REDUCE": _called,
    "NEWOBJ": _new, "BUILD": _built, "STACK_GLOBAL": _name,
}  # fmt: skip
