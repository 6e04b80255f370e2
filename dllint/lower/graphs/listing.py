"""A graph written out as Python, one line per input, weight and node: the document that places in a graph belong to.

    x = Input("f32[batch, 8]")
    softmax = Softmax(x, axis=-1)
    log = Log(softmax)

Rules read, quote and place the lines as they do those of source code. A line is parsed when it is asked for.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar, Final

import libcst as cst

from dllint.domains.shape import show_type
from dllint.ir.program import Site
from dllint.ir.values import Value
from dllint.lower.graphs.model import Graph, Node
from dllint.source.chunk import Piece, laid_out
from dllint.source.lazy import LazyDocument
from dllint.source.positions import Statement

_ODD: Final = re.compile(r"\W+", re.ASCII)
#: Longer texts and sequences are abbreviated.
_LONGEST: Final = 60
_MOST: Final = 8
_MOST_OPERANDS: Final = 40


class Listing(LazyDocument):
    """The listing of a graph. ``nodes`` has the node of each line, ``None`` for inputs and weights."""

    editable: ClassVar[bool] = False

    def __init__(self, path: Path, graph: Graph) -> None:
        self._names = _Names()
        self.lines_of: dict[str, int] = {}
        self.nodes: list[Node | None] = []
        lines = [*self._given(graph), *map(self._node, graph.nodes)]
        super().__init__(path, "".join(lines), (), chunks=laid_out(Piece(line, None) for line in lines))

    @property
    def body(self) -> tuple[Statement, ...]:
        """No statements for those who look for imports and definitions: there are none."""
        return ()

    def statement(self, number: int) -> Statement:
        """The statement on a 0-based line."""
        statement = self.statements(number)[0]
        self._homes.add(statement, self.chunks[number])
        return statement

    def _given(self, graph: Graph) -> Iterable[str]:
        for name, type_ in graph.inputs.items():
            yield self._line((name,), f'Input("{show_type(type_)}")')
        for name, weight in graph.weights.items():
            yield self._line((name,), f'Constant("{show_type(weight.type)}")')

    def _node(self, node: Node) -> str:
        operands = [self._names.of(name) if name else "None" for name in node.inputs[:_MOST_OPERANDS]]
        attributes = [f"{identifier(name)}={_shown(value)}" for name, value in node.attributes.items()]
        return self._line(node.outputs, f"{identifier(node.operator)}({', '.join((*operands, *attributes))})", node)

    def _line(self, outputs: tuple[str, ...], call: str, node: Node | None = None) -> str:
        for name in outputs:
            self.lines_of.setdefault(name, len(self.nodes))
        self.nodes.append(node)
        targets = ", ".join(self._names.of(name) if name else "_" for name in outputs[:_MOST_OPERANDS])
        return f"{targets} = {call}\n" if targets else f"{call}\n"


class NodeSite(Site):
    """The place of a line of a listing, whose tree is made when it is asked for."""

    __slots__ = ("number",)

    document: Listing
    number: int

    def __init__(self, document: Listing, number: int) -> None:
        object.__setattr__(self, "document", document)
        object.__setattr__(self, "caller", None)
        object.__setattr__(self, "number", number)

    @property
    def statement(self) -> Any:
        """The line."""
        return self.document.statement(self.number)

    @property
    def node(self) -> Any:
        """The call on it."""
        part = self.statement.body[0]
        return part.value if isinstance(part, (cst.Assign, cst.Expr)) else part


class _Names:
    """Identifiers for the names of values, each its own."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._taken: dict[str, int] = {}

    def of(self, name: str) -> str:
        """The identifier that stands for a value."""
        if name not in self._known:
            plain = identifier(name)
            times = self._taken[plain] = self._taken.get(plain, 0) + 1
            self._known[name] = plain if times == 1 else f"{plain}__{times}"
        return self._known[name]


def identifier(name: str) -> str:
    """The nearest Python identifier."""
    plain = _ODD.sub("_", name).strip("_")[-_LONGEST:].lstrip("_") or "value"
    return f"_{plain}" if plain[0].isdigit() or keyword.iskeyword(plain) else plain


def _shown(value: Value) -> str:
    """An attribute, if it is short."""
    if isinstance(value, (str, bytes)):
        return repr(value) if len(value) <= _LONGEST else "..."
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(_shown, value))}]" if len(value) <= _MOST else "..."
    if isinstance(value, float):
        return repr(value) if value - value == 0 else f'float("{value}")'
    return repr(value) if value is None or isinstance(value, (bool, int)) else "..."
