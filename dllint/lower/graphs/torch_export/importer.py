"""Files of ``torch.export`` as programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dllint.lower.graphs.builder import Imported, build
from dllint.lower.graphs.errors import GraphError
from dllint.lower.graphs.torch_export.archive import Archive
from dllint.lower.graphs.torch_export.reading import Reader
from dllint.lower.graphs.torch_export.translation import Translator


def import_graph(path: Path) -> Imported:
    """The program of a ``.pt2`` file.

    Raises:
        OSError: it cannot be read.
        GraphError: it holds no exported program.
    """
    archive = Archive(path)
    program: Any = archive.program()
    try:
        reader = Reader(program, archive)
        graph = reader.graph(path.name)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise GraphError(f"no exported program that is understood: {type(error).__name__}") from error
    return build(path, graph, Translator(reader.arguments, reader.sizes, graph.declared))
