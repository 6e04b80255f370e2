"""What the rules on versions cannot rewrite use by use on the way to Keras 3: files that mix moved names with others, methods
whose arguments are others, functions of the backend, what only the whole file tells (Keras 1, the names of metrics)."""

from __future__ import annotations

from collections.abc import Iterator

from dllint.analysis.symbol_uses import SymbolUse, symbol_uses
from dllint.migrate.change import Change, Remark
from dllint.migrate.imports import migrate_imports, migrate_uses
from dllint.migrate.keras_backend import migrate_backend
from dllint.migrate.keras_calls import merged, migrate_layers, migrate_optimizers
from dllint.migrate.keras_methods import migrate_history, migrate_methods
from dllint.source.document import Document

_ROOTS = ("keras", "tensorflow")


def migrate_keras(document: Document) -> Iterator[Change | Remark]:
    """All steps, in a file that imports Keras."""
    uses = [use for use in symbol_uses(document) if is_keras(use)]
    if not uses:
        return
    changes, without = merged(document, uses)
    yield from changes
    yield from migrate_imports(document, _ROOTS, without)
    yield from migrate_uses(uses)
    yield from migrate_layers(document, uses)
    yield from migrate_optimizers(document, uses)
    yield from migrate_backend(document, uses)
    yield from migrate_methods(document)
    yield from migrate_history(document)


def is_keras(use: SymbolUse) -> bool:
    """Whether a name lies below Keras, that of TensorFlow included."""
    return f"{use.name}.".startswith(("keras.", "tensorflow.keras."))
