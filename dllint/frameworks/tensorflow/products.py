"""``tf.matmul``, whose meaning differs between the releases."""

from __future__ import annotations

import re
from typing import Final

from dllint.frameworks.given import given
from dllint.frameworks.keras.protocols.plain import plain
from dllint.frameworks.machine import Machine, handler
from dllint.ir.values import Arguments, Value

_NAMES: Final = (
    "a=None, b=None, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, *rest, name=None, **options"
)
#: The first release whose products broadcast leading axes.
_BROADCASTING: Final = (1, 14)


@handler("tensorflow.matmul")
def matmul(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``matmul(a, b)``; in a program that asserts an older release, both operands have the same rank."""
    asked = given(_NAMES, arguments)
    args = {
        "x": plain(asked["a"]),
        "y": plain(asked["b"]),
        "transpose_a": asked["transpose_a"] or asked["adjoint_a"],
        "transpose_b": asked["transpose_b"] or asked["adjoint_b"],
    }
    version = asserted_version(machine)
    if version is not None and version < _BROADCASTING:
        args["one_rank"] = True
    return machine.emit("matmul", args, framework="tensorflow", spelled="tensorflow.matmul")


def asserted_version(machine: Machine) -> tuple[int, int] | None:
    """The release of TensorFlow that the program asserts (``assert tf.__version__ == "1.8.0"``)."""
    found = machine.state.get("tensorflow.__version__")
    parts = re.match(r"(\d+)\.(\d+)", found) if isinstance(found, str) else None
    return (int(parts[1]), int(parts[2])) if parts is not None else None
