"""Notification of imports: a function is called when a module has been imported, before the importing code continues."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType


class Arrivals(MetaPathFinder):
    """Calls a function once after the import of each of some top-level modules. Nothing is imported that the program would
    not import itself."""

    def __init__(self, names: Sequence[str], arrived: Callable[[str], None]) -> None:
        self._awaited = set(names)
        self._arrived = arrived

    def install(self) -> None:
        """Begin to wait; for modules that are there already the function is called at once."""
        for name in sorted(self._awaited & sys.modules.keys()):
            self._awaited.discard(name)
            self._arrived(name)
        sys.meta_path.insert(0, self)

    def remove(self) -> None:
        """Wait no longer."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """The ordinary spec, with a loader that calls back when it is done."""
        if fullname not in self._awaited:
            return None
        self._awaited.discard(fullname)
        spec = find_spec(fullname)
        if spec is None or spec.loader is None:
            self._awaited.add(fullname)
            return spec
        spec.loader = _Telling(spec.loader, self._arrived)
        return spec


class _Telling(Loader):
    """A loader that does what another does, and calls back."""

    def __init__(self, loader: Loader, arrived: Callable[[str], None]) -> None:
        self._loader = loader
        self._arrived = arrived

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        # The module is to look as if it had never been watched.
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._arrived(module.__name__)
