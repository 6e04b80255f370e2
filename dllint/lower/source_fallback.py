"""Names of a library that a table describes in part: what no table has is taken from the source, where it is installed.

Such a name stays a symbol until it is called or derived from, so that a program pays for the source only then. The symbols
among the arguments of the call become what the source defines, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from dllint.domains.lattice import Unknown
from dllint.frameworks import registry
from dllint.frameworks.keras.applications import ARCHITECTURES
from dllint.frameworks.keras.protocols.application import MODULES
from dllint.frameworks.machine import HANDLERS, LIBRARY_BASES, PROPERTIES
from dllint.ir.values import Arguments, LibSymbol, Value
from dllint.lower.pending import ImportVal
from dllint.lower.scopes import MISSING

if TYPE_CHECKING:
    from pathlib import Path

    from dllint.source.document import Document
    from dllint.source.workspace import Files

#: The packages of which that holds, and those inside that are left alone: what detectors return the data decide, and following
#: one costs as much as a hundred other models; the others cut models into parts by tracing or by names.
_PACKAGES: Final = ("torchvision.models.",)
_LEFT_ALONE: Final = tuple(
    f"torchvision.models.{part}." for part in ("detection", "feature_extraction", "optical_flow", "quantization", "video")
)
#: Where the architectures are that a table describes by their features and their head.
_ARCHITECTURES: Final = ("torchvision.models.", "keras.applications.")
#: What Keras's architectures ask for the sizes of their input and its padding.
_SIZES: Final = ("obtain_input_shape", "correct_pad")


@dataclass(frozen=True, slots=True)
class SourceFallback:
    """What the sources of installed libraries define: ``document`` asks, ``force`` evaluates an imported name, ``attribute``
    asks a value for one of its attributes. ``whole``: what a table describes of an architecture is left to the source, too."""

    workspace: Files | None
    document: Document
    force: Callable[[ImportVal], Value]
    attribute: Callable[[Value, str], Value]
    whole: bool = False

    def value(self, value: Value) -> Value:
        """What the source of an installed library defines for a symbol that no table describes; else the value itself."""
        if not isinstance(value, LibSymbol) or self.workspace is None:
            return value
        if self.whole and value.name.startswith(_ARCHITECTURES):
            return self._architecture(value.name) or value
        if not value.name.startswith(_PACKAGES):
            return value
        if value.name.startswith(_LEFT_ALONE) or _has_row(value.name):
            return value
        return self._looked_up(value.name.split(".")) or value

    def _architecture(self, name: str) -> Value | None:
        """The function or class of an architecture; ``None`` if no installed source defines it."""
        package, _, last = name.rpartition(".")
        if not package.startswith("keras."):
            return self._looked_up(name.split(".")) if not name.startswith(_LEFT_ALONE) else None
        modules = MODULES if last in ARCHITECTURES or not _has_row(name) else ("imagenet_utils",) if last in _SIZES else ()
        for module in modules:
            found = self._looked_up(["keras", "src", "applications", module, last])
            if found is not None:
                return found
        return None

    def defined(self, name: str) -> Value:
        """What the source of an installed package defines under a qualified name; Unknown if it is not installed."""
        found = self._looked_up(name.split(".")) if self.workspace is not None else None
        return Unknown("not-installed", name) if found is None else found

    def arguments(self, arguments: Arguments) -> Arguments:
        """The arguments of a call of what the source defines."""
        args = tuple(map(self.value, arguments.args))
        kwargs = {name: self.value(value) for name, value in arguments.kwargs.items()}
        return Arguments(args, kwargs, arguments.star, arguments.double_star, arguments.nodes)

    def _looked_up(self, parts: list[str]) -> Value | None:
        """The value of a dotted name; ``None`` if the library is not installed or the source does not define it."""
        for count in range(len(parts) - 1, 0, -1):
            path = self._installed(".".join(parts[:count]))
            if path is None:
                continue
            found = self.force(ImportVal(path, ".".join(parts[:count]), parts[count]))
            for name in parts[count + 1 :]:
                found = self.attribute(found, name)
            return None if found is MISSING or isinstance(found, (Unknown, LibSymbol)) else found
        return None

    def _installed(self, module: str) -> Path | None:
        """The file of a module, if it is of an installed package."""
        workspace = self.workspace
        path = workspace.resolve(self.document, module, 0) if workspace is not None else None
        return path if path is not None and workspace is not None and workspace.is_installed(path) else None


def _has_row(name: str) -> bool:
    """Whether a table says what a name does; its signature alone does not."""
    return (
        name in HANDLERS
        or name in LIBRARY_BASES
        or name in PROPERTIES
        or registry.function_row(name) is not None
        or registry.layer_row(name) is not None
    )
