"""Loads what files of a checkout define, and nothing else: their imports, functions, classes and plain assignments.

Loops, calls that train, downloads and the ``main`` guard of a file are left out, in the file itself and in those that it
imports. Imports of what is not installed give stand-ins, which nothing can be computed with.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, ClassVar, Final

_KEPT: Final = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)


class _Absent:
    """What an import of something that is not installed gives: a decorator that does nothing, or an object without use."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __call__(self, *args: Any, **_kwargs: Any) -> Any:
        return args[0] if args and callable(args[0]) else self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Absent(name)


class _AbsentModule(ModuleType):
    __path__: ClassVar[list[str]] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Absent(name)


class _Local(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules of a checkout."""

    def __init__(self, roots: Sequence[Path], texts: Mapping[Path, str]) -> None:
        self.roots, self.texts = roots, texts

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        last = fullname.rpartition(".")[2]
        for folder in self.roots if path is None else [Path(part) for part in path]:
            if not any(folder.is_relative_to(root) for root in self.roots):
                continue
            for file in (folder / last / "__init__.py", folder / f"{last}.py"):
                if file.is_file():
                    package = file.name == "__init__.py"
                    spec = importlib.machinery.ModuleSpec(fullname, self, origin=str(file), is_package=package)
                    if package:
                        spec.submodule_search_locations = [str(file.parent)]
                    return spec
            if (folder / last).is_dir():
                spec = importlib.machinery.ModuleSpec(fullname, None, is_package=True)
                spec.submodule_search_locations = [str(folder / last)]
                return spec
        return None

    def exec_module(self, module: ModuleType) -> None:
        file = Path(module.__spec__.origin)  # type: ignore[union-attr, arg-type]
        text = self.texts.get(file)
        define(file.read_bytes().decode("utf-8", errors="replace") if text is None else text, module, str(file))


class _Missing(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The last finder: a stand-in for every module that files of a checkout import and that is not installed."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def find_spec(self, fullname: str, path: object, target: object = None) -> importlib.machinery.ModuleSpec | None:
        parent = sys.modules.get(fullname.rpartition(".")[0])
        if (parent is not None and not isinstance(parent, _AbsentModule)) or not Path(_importer()).is_relative_to(self.root):
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return _AbsentModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


def _importer() -> str:
    """The file whose code is importing something."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and ("importlib" in frame.f_code.co_filename or frame.f_code.co_filename == __file__):
        frame = frame.f_back
    return frame.f_code.co_filename if frame is not None else ""


def define(text: str, module: ModuleType, file: str) -> None:
    """Execute the definitions of a text in a module; a statement that raises is left out."""
    for statement in ast.parse(text).body:
        if isinstance(statement, _KEPT) or _only_imports(statement):
            with suppress(Exception, SystemExit):
                exec(compile(ast.Module([statement], []), file, "exec"), vars(module))


def _only_imports(statement: ast.stmt) -> bool:
    """Whether a ``try`` or ``if`` does nothing but import and assign."""
    if isinstance(statement, ast.Try):
        inner = [*statement.body, *statement.orelse, *(part for handler in statement.handlers for part in handler.body)]
    elif isinstance(statement, ast.If):
        inner = [*statement.body, *statement.orelse]
    else:
        return False
    return all(isinstance(part, (ast.Import, ast.ImportFrom, ast.Assign, ast.Pass)) for part in inner)


def load(root: Path, file: Path, text: str) -> ModuleType:
    """The definitions of a file with another text.

    Raises:
        SyntaxError: the text is no Python.
    """
    inside = [folder for folder in file.parents if folder.is_relative_to(root)]
    sys.meta_path.insert(0, _Local(inside, {file: text}))
    sys.meta_path.append(_Missing(root))
    sys.argv = [str(file)]
    relative = file.relative_to(root).with_suffix("")
    module = ModuleType(".".join(relative.parts))
    module.__file__, module.__package__ = str(file), ".".join(relative.parts[:-1])
    sys.modules[module.__name__] = module
    define(text, module, str(file))
    return module
