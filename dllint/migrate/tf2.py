"""Names and keywords of TensorFlow 1 become those of TensorFlow 2, or of ``tf.compat.v1``. Graphs are not rewritten.

A name with a successor of the same meaning gets its name; others are reached through ``tf.compat.v1``. So are names that
TensorFlow 2 has for something else (``tf.Variable``, ``tf.summary.scalar``), unless the call means the same there. A file that
builds a graph asks for the behaviour of TensorFlow 1 behind its import, because nothing else would run its session.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

import libcst as cst

from dllint.analysis.symbol_uses import SymbolUse, symbol_uses
from dllint.edit import Edit
from dllint.fixes.arguments import rename_keyword
from dllint.fixes.places import inner, line_break, replacing
from dllint.frameworks.history.record import history, upgrades
from dllint.frameworks.tensorflow.compatible import renamed_arguments, table
from dllint.frameworks.tensorflow.renames import ANCIENT, MOVED
from dllint.migrate.change import Change, Remark, call_of
from dllint.migrate.tf_order import reordered
from dllint.source.document import Document

_ROOT: Final = "tensorflow"
_OLD: Final = "compat.v1"
_FOREIGN: Final = ("compat", "python", "core", "tools", "keras", "contrib", "examples")
#: Parts of ``compat.v1`` that raise with Keras 3, and work with ``tf_keras``.
_OF_KERAS_2: Final = ("layers", "nn.rnn_cell")
#: Names that only a program has that builds a graph and runs it in a session.
_GRAPH: Final = frozenset({
    "Session", "InteractiveSession", "placeholder", "placeholder_with_default", "global_variables_initializer",
    "initialize_all_variables", "local_variables_initializer", "get_variable", "variable_scope", "get_collection",
    "trainable_variables", "global_variables", "train.Saver", "train.MonitoredTrainingSession", "assign",
})  # fmt: skip
_LEGACY: Final = "install tf_keras and set TF_USE_LEGACY_KERAS=1, or write it with layers of Keras"
_BEHAVIOUR: Final = "disable_v2_behavior()"
_EAGER: Final = re.compile(r"\benable_(?:eager_execution|v2_behavior)\b")


def migrate_names(document: Document) -> Iterator[Change | Remark]:
    """Every use and import of a name below ``tensorflow``; nothing in files that have none of TensorFlow 1 alone."""
    uses = [use for use in symbol_uses(document) if use.name.startswith(f"{_ROOT}.") and not _is_foreign(_path(use))]
    if not any(_is_of_1(_path(use)) for use in uses):
        return
    for use in uses:
        if use.imported:
            yield from _imported(use)
        elif edits := reordered(use, _path(use), call_of(use)):
            yield Change("order of arguments", edits)
        else:
            yield from _used(use)
    if any(_graph_name(_path(use)) for use in uses):
        yield from _with_old_behaviour(document, uses)


def _path(use: SymbolUse) -> str:
    return use.name.removeprefix(f"{_ROOT}.")


def _is_foreign(path: str) -> bool:
    return path.partition(".")[0] in _FOREIGN


def _is_of_1(path: str) -> bool:
    return path in ANCIENT or path in upgrades() or history(_ROOT).lacking(path) is not None


def _graph_name(path: str) -> bool:
    return path in _GRAPH or (path.startswith("train.") and path.endswith("Optimizer"))


def today(path: str) -> str:
    """What a name of TensorFlow 1 is called in TensorFlow 2; empty if it has no place there."""
    if path in MOVED:
        return MOVED[path]
    gone = history(_ROOT).lacking(path)
    if gone is not None and (_is_kept(path) or _is_kept(gone[0]) or path.startswith(tuple(f"{part}." for part in _OF_KERAS_2))):
        return f"{_OLD}.{path}"
    return ANCIENT.get(path, "") or upgrades().get(path, "")


def _is_kept(path: str) -> bool:
    return path in history(_ROOT).kept


def _differs(path: str) -> str:
    """The part of a name that ``compat.v1`` has as another object; empty if there is none."""
    parts = path.split(".")
    return next((part for end in range(len(parts), 0, -1) if (part := ".".join(parts[:end])) in table()), "")


def _used(use: SymbolUse) -> Iterator[Change | Remark]:
    path = _path(use)
    if _is_of_1(path):
        yield from _renamed(use, today(path))
        return
    part = _differs(path)
    if not part:
        return
    call = call_of(use) if part == path else None
    renamed = _arguments(path, call) if call is not None else None
    if call is None or renamed is None:
        yield from _renamed(use, f"{_OLD}.{path}")
        return
    for old, new in renamed.items():
        if edits := rename_keyword(use.site, call, old, new):
            yield Change("keywords renamed", edits)


def _arguments(path: str, call: cst.Call) -> Mapping[str, str] | None:
    if any(arg.star for arg in call.args):
        return None
    keywords = [arg.keyword.value for arg in call.args if arg.keyword is not None]
    return renamed_arguments(path, len(call.args) - len(keywords), keywords)


def _renamed(use: SymbolUse, new: str) -> Iterator[Change | Remark]:
    """The use under another name below ``tensorflow``, which has to be reached by the name that the use begins with."""
    if not new:
        return  # the rules tell of it
    node = use.site.node
    written = use.site.document.text[slice(*inner(use.site, node))]
    path = _path(use)
    local, dot, rest = written.partition(".")
    if dot and rest == path:
        kind = f"names reached through {_OLD}" if new.startswith(f"{_OLD}.") else "names renamed"
        yield Change(kind, (replacing(use.site, *inner(use.site, node), f"{local}.{new}"),))


def tell_of_keras_2(document: Document) -> Iterator[Remark]:
    """Uses of what ``compat.v1`` has from Keras 2."""
    for use in symbol_uses(document):
        path = _path(use)
        if path.startswith(tuple(f"{_OLD}.{part}." for part in _OF_KERAS_2)):
            yield Remark(use.site, f"`tf.{path}` raises with Keras 3", _LEGACY)


def _imported(use: SymbolUse) -> Iterator[Change | Remark]:
    """``from tensorflow import flags`` reads from ``tensorflow.compat.v1``, if all its names are there."""
    statement = use.site.statement
    parts = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
    node = parts[0] if len(parts) == 1 else None
    if not isinstance(node, cst.ImportFrom) or isinstance(node.names, cst.ImportStar):
        return
    module = node.module
    home = _path(use).rpartition(".")[0]
    names = [f"{home}.{alias.evaluated_name}".lstrip(".") for alias in node.names]
    if module is None or not any(_is_of_1(name) for name in names):
        return
    if all(today(name) == f"{_OLD}.{name}" or (not _is_of_1(name) and not _differs(name)) for name in names):
        written = f"{_ROOT}.{_OLD}{f'.{home}' if home else ''}"
        yield Change(f"imports from {_OLD}", (replacing(use.site, *inner(use.site, module), written),))


def _with_old_behaviour(document: Document, uses: list[SymbolUse]) -> Iterator[Change]:
    """The call behind the first import of TensorFlow at the top level, if the file does not decide about it itself."""
    if _BEHAVIOUR in document.text or _EAGER.search(document.text) or "disable_eager_execution" in document.text:
        return
    for statement in document.body:
        local = _module_name(statement)
        if local:
            end = document.extent(statement).end
            line = f"{local}.{_OLD}.{_BEHAVIOUR}"
            newline = line_break(document)
            text = line + newline if document.text[:end].endswith(("\n", "\r")) else newline + line
            yield Change("graphs as in TensorFlow 1", (Edit(document.path, end, end, text),))
            return


def _module_name(statement: cst.CSTNode) -> str:
    """The name that a statement of one import binds to ``tensorflow``."""
    parts = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
    for part in parts:
        for alias in part.names if isinstance(part, cst.Import) else ():
            if alias.evaluated_name == _ROOT:
                return alias.evaluated_alias or _ROOT
    return ""
