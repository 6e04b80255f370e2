"""How a file can name a library object: by an import it has, or by one that is added."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import libcst as cst

from dllint.edit import Edit
from dllint.fixes.places import line_break
from dllint.source.document import Document

#: Import lines that everybody writes, by module: the line and the name it binds.
_USUAL = {
    "torch": ("import torch", "torch"),
    "torch.nn": ("from torch import nn", "nn"),
    "torch.nn.functional": ("import torch.nn.functional as F", "F"),
    "keras": ("import keras", "keras"),
    "keras.layers": ("from keras import layers", "layers"),
    "keras.ops": ("from keras import ops", "ops"),
    "tensorflow": ("import tensorflow as tf", "tf"),
    "numpy": ("import numpy as np", "np"),
}
#: Spellings of one and the same package.
_SAME = {"keras": ("keras", "tensorflow.keras", "tf_keras", "tensorflow.python.keras")}


@dataclass(frozen=True, slots=True)
class Binding:
    """A name bound by an import at the top level of a file: ``local`` stands for the qualified name ``target``; a star
    import has the empty ``local``."""

    local: str
    target: str


def bindings(document: Document, at: int | None = None) -> list[Binding]:
    """The names that top-level imports bind, also those inside ``try``; only imports before a place, if one is given."""
    return [binding for small in _imports(document, at) for binding in _bound(small)]


def name_for(document: Document, qualified: str, at: int | None = None, through: str = "") -> tuple[str, tuple[Edit, ...]]:
    """How to write the library object ``qualified`` (``torch.nn.functional.relu``) in this file, and the edits that
    make that name known: none if an import of the file reaches it, else one new import line. ``at``: the offset of the use,
    before which the name has to be known; ``through``: the local name to prefer."""
    known = bindings(document, at)
    reached = [(binding.local != through, text) for binding in known if (text := _through(binding, qualified)) is not None]
    if reached:
        return min(reached, key=lambda each: (each[0], len(each[1])))[1], ()
    module, _, name = qualified.rpartition(".")
    line, local = _USUAL.get(module, (f"import {module}", module))
    if local != module and re.search(rf"(?<![\w.]){local}\b", document.text):
        line, local = f"import {module}", module
    return f"{local}.{name}", (_inserted(document, line, at),)


def _before(document: Document, at: int | None) -> Iterator[cst.CSTNode]:
    """The statements at the top level, up to a place if one is given."""
    for statement in document.body:
        if at is not None and document.extent(statement).end > at:
            return
        yield statement


def _imports(document: Document, at: int | None) -> Iterator[cst.Import | cst.ImportFrom]:
    for statement in _before(document, at):
        lines: list[Any] = [statement]
        if isinstance(statement, cst.Try):
            lines = list(statement.body.body)
        for line in lines:
            for small in line.body if isinstance(line, cst.SimpleStatementLine) else ():
                if isinstance(small, (cst.Import, cst.ImportFrom)):
                    yield small


def _bound(small: cst.Import | cst.ImportFrom) -> Iterator[Binding]:
    if isinstance(small, cst.Import):
        for alias in small.names:
            dotted = alias.evaluated_name
            top = dotted.partition(".")[0]
            yield Binding(alias.evaluated_alias, dotted) if alias.evaluated_alias else Binding(top, top)
    elif not small.relative and small.module is not None:
        module = _dotted(small.module)
        if isinstance(small.names, cst.ImportStar):
            yield Binding("", module)
        else:
            for alias in small.names:
                yield Binding(alias.evaluated_alias or alias.evaluated_name, f"{module}.{alias.evaluated_name}")


def _dotted(node: Any) -> str:
    return node.value if isinstance(node, cst.Name) else f"{_dotted(node.value)}.{node.attr.value}"


def _through(binding: Binding, qualified: str) -> str | None:
    """The name of ``qualified`` through a binding, ``None`` if it does not lead there."""
    for spelled in _spellings(qualified):
        if spelled == binding.target and binding.local:
            return binding.local
        if spelled.startswith(f"{binding.target}."):
            rest = spelled[len(binding.target) + 1 :]
            if binding.local:
                return f"{binding.local}.{rest}"
            return rest if "." not in rest else None
    return None


def _spellings(qualified: str) -> Iterator[str]:
    top, _, rest = qualified.partition(".")
    for spelled in _SAME.get(top, (top,)):
        yield f"{spelled}.{rest}" if rest else spelled


def _inserted(document: Document, line: str, at: int | None) -> Edit:
    """A line behind the last top-level import, before a place if one is given; without one, behind the docstring."""
    newline = line_break(document)
    last: Any = None
    for number, statement in enumerate(_before(document, at)):
        smalls = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
        if any(isinstance(small, (cst.Import, cst.ImportFrom)) for small in smalls) or (not number and _is_docstring(smalls)):
            last = statement
    if last is None:
        start = document.extent(document.body[0]).start if document.body else len(document.text)
        return Edit(document.path, start, start, line + newline)
    end = document.extent(last).end
    if document.text[:end].endswith(("\n", "\r")):
        return Edit(document.path, end, end, line + newline)
    return Edit(document.path, end, end, newline + line)


def _is_docstring(smalls: Any) -> bool:
    first = smalls[0] if smalls else None
    return isinstance(first, cst.Expr) and isinstance(first.value, (cst.SimpleString, cst.ConcatenatedString))
