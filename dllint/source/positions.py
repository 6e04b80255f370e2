"""Exact places of tree nodes without a metadata provider.

libcst's tree carries no positions. :mod:`dllint.source.statement_lines` counts the lines in front of each statement; what
lies inside one statement is measured only when somebody asks, by running libcst's own code generation with a state that
counts characters instead of collecting them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

import libcst as cst
from libcst._nodes.internal import CodegenState

from dllint.source.statement_lines import Place

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement
Range = tuple[int, int]


_SPACE = (cst.BaseParenthesizableWhitespace, cst.TrailingWhitespace, cst.EmptyLine, cst.Comment, cst.Newline)


class _BelowHeaderError(Exception):
    """Code generation has reached the body of a compound statement."""


class _Counter(CodegenState):
    """A code-generation state that throws the text away and records where each node starts and ends."""

    def __init__(self, module: tuple[str, str], offset: int, indents: tuple[str, ...], below: frozenset[int]) -> None:
        super().__init__(default_indent=module[0], default_newline=module[1], indent_tokens=list(indents))
        self.offset = offset
        self.below = below
        #: The nodes in the order in which they end.
        self.nodes: list[cst.CSTNode] = []
        self.ranges: dict[int, Range] = {}
        self.open: list[int] = []

    def add_indent_tokens(self) -> None:
        self.offset += sum(map(len, self.indent_tokens))

    def add_token(self, value: str) -> None:
        self.offset += len(value)

    def before_codegen(self, node: cst.CSTNode) -> None:
        if id(node) in self.below:
            raise _BelowHeaderError
        self.open.append(self.offset)

    def after_codegen(self, node: cst.CSTNode) -> None:
        self.nodes.append(node)
        self.ranges.setdefault(id(node), (self.open.pop(), self.offset))

    def record_syntactic_position(  # type: ignore[override]
        self, node: cst.CSTNode, *, start_node: cst.CSTNode | None = None, end_node: cst.CSTNode | None = None
    ) -> AbstractContextManager[None]:
        return _Recorded(self, node, start_node, end_node)


class _Recorded(AbstractContextManager[None]):
    """Records where a node starts and ends without what stands around it. No generator: every node passes here."""

    __slots__ = ("counter", "end_node", "node", "start", "start_node")

    def __init__(
        self, counter: _Counter, node: cst.CSTNode, start_node: cst.CSTNode | None, end_node: cst.CSTNode | None
    ) -> None:
        self.counter = counter
        self.node = node
        self.start_node = start_node
        self.end_node = end_node

    def __enter__(self) -> None:
        self.start = self.counter.offset

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        ranges, start, end = self.counter.ranges, self.start, self.counter.offset
        if kind is None:
            start = start if self.start_node is None else ranges[id(self.start_node)][0]
            end = end if self.end_node is None else ranges[id(self.end_node)][1]
        elif kind is _BelowHeaderError:
            one_line_suite = ranges.get(id(getattr(self.node, "body", None)))
            end = end if one_line_suite is None else one_line_suite[1]
        else:
            return
        ranges[id(self.node)] = (start, end)


def measure(statement: cst.CSTNode, place: Place, start: int, module: tuple[str, str]) -> dict[int, Range]:
    """Offsets of every node of one statement or clause, by ``id``.

    Of a compound statement only what belongs to its header is measured; its own range then ends after the colon, or
    after a suite on the same line. ``start`` is the offset of its first (leading) line; ``module`` the tree's default
    indentation and line break. A tree too deep for Python's stack gives what was measured until then.
    """
    return _counted(statement, place, start, module).ranges


def code_in(statement: cst.CSTNode, place: Place, module: tuple[str, str]) -> list[cst.CSTNode]:
    """The nodes that :func:`measure` measures but for white space and comments, in the same order for the same code; the
    statement itself is the last."""
    nodes = _counted(statement, place, 0, module).nodes
    return [*(node for node in nodes if node is not statement and not isinstance(node, _SPACE)), statement]


def _counted(statement: cst.CSTNode, place: Place, start: int, module: tuple[str, str]) -> _Counter:
    counter = _Counter(module, start, place.indents, frozenset(map(id, _below_header(statement))))
    try:
        if place.is_elif:
            statement._codegen(counter, is_elif=True)
        else:
            statement._codegen(counter)
    except (_BelowHeaderError, RecursionError):
        pass
    return counter


def _below_header(statement: cst.CSTNode) -> Iterator[Any]:
    if isinstance(statement, cst.Match):
        yield from statement.cases
    else:
        yield from getattr(statement, "handlers", ())
        for name in ("body", "orelse", "finalbody"):
            child = getattr(statement, name, None)
            if isinstance(child, cst.CSTNode) and not isinstance(child, cst.SimpleStatementSuite):
                yield child


def nested(statement: cst.CSTNode) -> Iterator[Any]:
    """The clauses and statements below a statement or clause, in order, nearest first."""
    todo = deque([statement])
    while todo:
        node = todo.popleft()
        if node is not statement:
            yield node
        if isinstance(node, cst.Match):
            todo.extend(node.cases)
            continue
        suite = getattr(node, "body", None)
        todo.extend(suite.body if isinstance(suite, cst.IndentedBlock) else ())
        todo.extend(getattr(node, "handlers", ()))
        todo.extend(c for c in (getattr(node, "orelse", None), getattr(node, "finalbody", None)) if c is not None)
