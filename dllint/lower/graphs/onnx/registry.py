"""The functions that translate ONNX operators for which a row of the table is not enough.

    @operator("Squeeze")
    def squeeze(call: Call, opset: int) -> Any: ...

``opset`` is the version of the operator set that the model names. What a function gives are the node's results; None
or Unknown for what it does not know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from dllint.lower.graphs.builder import Call

Translation = Callable[[Call, int], Any]
#: By domain and operator.
OPERATORS: Final[dict[tuple[str, str], Translation]] = {}
#: Operators of ONNX Runtime's own.
MICROSOFT: Final = "com.microsoft"


def operator(*names: str, domain: str = "") -> Callable[[Translation], Translation]:
    """Declare the translation of operators."""

    def declare(function: Translation) -> Translation:
        for name in names:
            assert (domain, name) not in OPERATORS, f"{name} is declared twice"
            OPERATORS[domain, name] = function
        return function

    return declare


def whole_numbers(value: Any) -> tuple[int, ...] | None:
    """Elements as whole numbers, ``None`` if some are not known."""
    values = value if isinstance(value, tuple) else (value,)
    return values if all(type(each) is int for each in values) else None


def axes_of(call: Call, number: int, name: str = "axes") -> tuple[int, ...] | None:
    """Axes that are an attribute in old operator sets and an operand in new ones: empty if they are left out, ``None`` if
    they are not known."""
    given = call.attribute(name)
    if given is not None:
        return whole_numbers(given)
    if call.input(number) is None:
        return ()
    return whole_numbers(call.elements(number))
