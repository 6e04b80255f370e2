"""Size limits for computed Python values, checked before the value is computed.

Programs that double lists or square numbers in loops, on purpose or not, must not exhaust memory. A function whose result is
about as large as its arguments is computed, and the size of the result is checked. A function whose result may be much larger
has a row in a table that gives the size of its result from its arguments. A symbolic size is measured by its number of terms
(``DimExpr.weight``); above ``dim.HEAVIEST`` it becomes an opaque symbol.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import Assumed, DictVal, IterVal, ListVal, SetVal, Value

#: Elements of a container that is computed; a display in the source may have more.
ELEMENTS: Final = 20_000
#: Elements of an argument of an operation, those of inner sequences counted as often as they occur.
ARGUMENT: Final = 100_000
#: Characters of a text, and bits of a whole number: Python itself writes none of more than 4300 digits.
CHARACTERS: Final = 100_000
BITS: Final = 14_000
#: Sequences inside each other that are looked into.
DEPTH: Final = 64
#: The types of most values, which hold no others.
_SINGLE: Final = frozenset({int, float, bool, str, type(None), TensorVal, Unknown})
#: Columns that a format may pad to, or digits that it may ask for.
_COLUMNS: Final = 4_000
_NUMBER: Final = re.compile(r"\d{4,}")
_BY_VALUE: Final = re.compile(r":[^{}]*\{")

Size = Callable[..., float]


def bits(number: Value) -> float:
    """The bits of a whole number; 1 for any other, which never gets longer."""
    return number.bit_length() if isinstance(number, int) else 1


def _length(value: Value) -> int:
    """The elements or characters of a constant; 1 for a number."""
    return len(value) if isinstance(value, (str, bytes, tuple)) else 1


def _count(value: Value) -> float:
    """A number of times, of places or of bits; 0 for a negative one."""
    return max(value, 0) if isinstance(value, (int, float)) else 0


def _power(base: Value, exponent: Value) -> float:
    return bits(base) * abs(exponent) if isinstance(base, int) and isinstance(exponent, int) else 1


def _falling(count: Value, chosen: Value) -> float:
    """The bits of a product of ``chosen`` numbers up to ``count``."""
    return bits(count) * _count(chosen)


#: Function → the bits of its result, which may be more than those of its operands.
_NUMBERS: Final[dict[str, Size]] = {
    "add": lambda a, b: max(bits(a), bits(b)) + 1,
    "sub": lambda a, b: max(bits(a), bits(b)) + 1,
    "mul": lambda a, b: bits(a) + bits(b),
    "pow": _power,
    "lshift": lambda a, b: bits(a) + _count(b),
    "factorial": lambda n=0: _falling(n, n),
    "comb": lambda n=0, k=0: _falling(n, min(_count(k), abs(n - _count(k)))),
    "perm": lambda n, k=None: _falling(n, n if k is None else k),
    "lcm": lambda *numbers: sum(map(bits, numbers)),
    "prod": lambda *numbers: sum(map(bits, numbers)),
    "round": lambda number, digits=0: bits(number) + 4 * abs(digits),
    "modular power": lambda base, exponent, divisor: max(bits(base), 4 * bits(exponent), 4 * bits(divisor)),
}

#: Function → the characters (or elements) of its result.
_SEQUENCES: Final[dict[str, Size]] = {
    "mul": lambda a, b: _length(a) * _length(b) * _count(b if isinstance(b, int) else a),
    "add": lambda a, b: _length(a) + _length(b),
    **dict.fromkeys(("center", "ljust", "rjust", "zfill"), lambda text, width=0, *_: max(len(text), _count(width))),
    "expandtabs": lambda text, width=8: len(text) + text.count("\t") * _count(width),
    "replace": lambda text, old="", new="", *_: (len(text) + 1) * (1 + _length(new)),
    "join": lambda text, parts=(): sum(map(_length, parts)) + len(text) * len(parts),
    "format": lambda text, *parts, **named: (
        (1 + text.count("{") + text.count("%")) * (1 + len(text) + sum(map(written, (*parts, *named.values()))))
    ),
}


def is_large_number(function: str, *operands: Value) -> bool:
    """Whether the result of a function of numbers would be too large to compute."""
    size = _NUMBERS.get(function)
    return size is not None and size(*operands) > BITS


def is_long(function: str, *operands: Value, **named: Value) -> bool:
    """Whether the result of a function of strings or sequences would be too large to compute."""
    size = _SEQUENCES.get(function)
    most = ELEMENTS if any(isinstance(operand, tuple) for operand in operands[:2]) else CHARACTERS
    return size is not None and size(*operands, **named) > most


def is_wide(template: str, *values: Value) -> bool:
    """Whether a format asks for more columns or digits than are written out, itself or by one of the values."""
    by_value = "*" in template or _BY_VALUE.search(template) is not None
    numbers = [value for value in values if isinstance(value, int)] if by_value else []
    return max((*(int(found[:9]) for found in _NUMBER.findall(template)), *numbers), default=0) > _COLUMNS


def written(constant: Value) -> int:
    """The characters that a constant takes at most when it is written out."""
    if isinstance(constant, (str, bytes)):
        return 4 * len(constant) + 3
    if isinstance(constant, (list, tuple, dict)):
        parts = (*constant, *constant.values()) if isinstance(constant, dict) else constant
        return 2 + sum(2 + written(part) for part in parts)
    return 32 + (constant.bit_length() // 3 if isinstance(constant, int) else 0)


def is_bulky(value: Value, most: int = ARGUMENT) -> bool:
    """Whether a value has too many elements to be examined, with elements of nested containers counted each time they occur, or
    is nested too deeply, as a container that contains itself is."""
    if type(value) in _SINGLE or not isinstance(value, (tuple, ListVal, DictVal, SetVal, IterVal, Assumed)):
        return False
    seen = 0
    level: list[Value] = [value]
    for _ in range(DEPTH):
        below: list[Value] = []
        for container in level:
            parts = _parts(container)
            seen += len(parts)
            if seen > most:
                return True
            below += [part for part in parts if isinstance(part, (tuple, ListVal, DictVal, SetVal, IterVal, Assumed))]
        if not below:
            return False
        level = below
    return True


def _parts(container: Any) -> Any:
    if isinstance(container, Assumed):
        return (container.value,)
    if isinstance(container, DictVal):
        return container.items.values()
    return container if isinstance(container, tuple) else container.items


def limited(value: Value) -> Value:
    """A computed value, or Unknown, or a list of unknown length, if it is too large to compute with."""
    kind = type(value)
    if kind is int and isinstance(value, int):
        return value if value.bit_length() <= BITS else Unknown("large-number")
    if isinstance(value, (str, bytes)):
        return value if len(value) <= CHARACTERS else Unknown("large-text")
    if kind is tuple and isinstance(value, tuple):
        return value if len(value) <= ELEMENTS else Unknown("large-sequence")
    if isinstance(value, (ListVal, IterVal)) and len(value.items) > ELEMENTS:
        return type(value)([], Unknown("large-sequence"))
    if isinstance(value, DictVal) and len(value.items) > ELEMENTS:
        return DictVal({}, Unknown("large-sequence"))
    return value


def steps(start: int, stop: int, step: int) -> int:
    """The length of a range; ``len`` raises for those that do not fit into a word."""
    return max((stop - start + step - (1 if step > 0 else -1)) // step, 0)


def may_hold(count: int) -> bool:
    """Whether a computed container may have this many elements."""
    return count <= ELEMENTS
