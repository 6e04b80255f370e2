"""Names of a library that a table describes in part: what no table has is taken from the source, where it is installed.

Such a name stays a symbol until it is called or derived from, so that a program pays for the source only then. The symbols
among the arguments of the call become what the source defines, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dllint.domains.lattice import Unknown
from dllint.frameworks import registry
from dllint.frameworks.machine import HANDLERS, LIBRARY_BASES, PROPERTIES
from dllint.ir.values import Arguments, LibSymbol, Value
from dllint.lower import modules
from dllint.lower.pending import ImportVal
from dllint.lower.scopes import MISSING

if TYPE_CHECKING:
    from pathlib import Path

    from dllint.lower.machine import Interpreter

#: The packages of which that holds, and those inside that are left alone: their models cut others into parts by the names of
#: children, in loops that end when no name is left, which is followed too loosely to prove anything.
_PACKAGES: Final = ("torchvision.models.",)
_LEFT_ALONE: Final = tuple(
    f"torchvision.models.{part}."
    for part in ("detection", "feature_extraction", "optical_flow", "quantization", "segmentation", "video")
)


def from_source(m: Interpreter, value: Value) -> Value:
    """What the source of an installed library defines for a symbol that no table describes; else the value itself."""
    if not isinstance(value, LibSymbol) or m.workspace is None or not value.name.startswith(_PACKAGES):
        return value
    if value.name.startswith(_LEFT_ALONE) or _has_row(value.name):
        return value
    return _looked_up(m, value.name.split(".")) or value


def defined(m: Interpreter, name: str) -> Value:
    """What the source of an installed package defines under a qualified name; Unknown if it is not installed."""
    found = _looked_up(m, name.split(".")) if m.workspace is not None else None
    return Unknown("not-installed", name) if found is None else found


def arguments_from_source(m: Interpreter, arguments: Arguments) -> Arguments:
    """The arguments of a call of what the source defines."""
    args = tuple(from_source(m, value) for value in arguments.args)
    kwargs = {name: from_source(m, value) for name, value in arguments.kwargs.items()}
    return Arguments(args, kwargs, arguments.star, arguments.double_star, arguments.nodes)


def _has_row(name: str) -> bool:
    """Whether a table says what a name does; its signature alone does not."""
    return (
        name in HANDLERS
        or name in LIBRARY_BASES
        or name in PROPERTIES
        or registry.function_row(name) is not None
        or registry.layer_row(name) is not None
    )


def _looked_up(m: Interpreter, parts: list[str]) -> Value | None:
    """The value of a dotted name; ``None`` if the library is not installed or the source does not define it."""
    for count in range(len(parts) - 1, 0, -1):
        path = _installed(m, ".".join(parts[:count]))
        if path is None:
            continue
        found = modules.force(m, ImportVal(path, ".".join(parts[:count]), parts[count]))
        for name in parts[count + 1 :]:
            found = m.getattr(found, name)
        return None if found is MISSING or isinstance(found, (Unknown, LibSymbol)) else found
    return None


def _installed(m: Interpreter, module: str) -> Path | None:
    """The file of a module, if it is of an installed package."""
    assert m.workspace is not None
    path = m.workspace.resolve(m.frame.document, module, 0)
    return path if path is not None and m.workspace.is_installed(path) else None
