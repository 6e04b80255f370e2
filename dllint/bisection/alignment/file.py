"""The alignment as a file: printed, saved, corrected by hand, read again."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from dllint.bisection.errors import BisectionError
from dllint.bisection.graph import Graph
from dllint.bisection.protocols import Aligned
from dllint.source.regular import read_regular


def text_of(graph: Graph, pairs: Sequence[Aligned]) -> str:
    """TOML: a line for each of the reference's nodes with a value of the candidate, the others as comments."""
    values = {pair.node: pair for pair in pairs}
    lines = ["# reference node = candidate value; `false` leaves a node to the reference", "[alignment]"]
    for node in graph.nodes:
        pair = values.get(node.name)
        described = f"{node.kind} {node.module}".strip()
        if pair is not None:
            lines.append(f'"{node.name}" = "{pair.value}"  # {described}, by {pair.why}')
        elif node.shape is not None:
            lines.append(f'# "{node.name}" = ""  # {described}')
    return "\n".join(lines) + "\n"


def read(path: Path, graph: Graph, values: Sequence[str]) -> dict[str, str | None]:
    """The mapping of a file. Raises :class:`BisectionError` for unreadable files and names that neither side has."""
    try:
        table = tomllib.loads(read_regular(path).decode("utf-8")).get("alignment")
    except OSError as error:
        raise BisectionError(f"cannot read the alignment {path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise BisectionError(f"{path} is not TOML: {error}") from error
    if not isinstance(table, Mapping):
        raise BisectionError(f"{path} has no table [alignment]", "write one with `dllint bisect --save-alignment FILE`")
    known = set(values)
    return {node: _value(path, node, value, graph, known) for node, value in table.items()}


def _value(path: Path, node: str, value: object, graph: Graph, known: set[str]) -> str | None:
    if node not in graph:
        raise BisectionError(f"{path}: the reference has no node `{node}`")
    if value is False:
        return None
    if value not in known:
        raise BisectionError(f"{path}: the candidate has no value `{value}`")
    return str(value)
