"""On which line each statement of a tree starts.

Lines are counted statement by statement: from the text where a look at it is enough, in the tree elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Final

import libcst as cst

from dllint.source.lines import count_breaks
from dllint.source.logical import LogicalLines

_BELOW_HEADER: Final = frozenset({"body", "orelse", "finalbody", "handlers", "cases", "footer"})
_COUNTED_APART: Final = frozenset({"leading_lines", "lines_after_decorators", "decorators"})
_PLAIN: Final = frozenset({"__slots__", "encoding", "default_indent", "default_newline", "has_trailing_newline", "indent"})
_TEXTS: Final = frozenset({"SimpleString", "FormattedStringText", "TemplatedStringText"})
_BLANK: Final[frozenset[type]] = frozenset({type(None), cst.MaybeSentinel})
_LEAVES: Final = frozenset({"SimpleWhitespace", "Comment", "Newline", "Integer", "Float", "Imaginary"})


def _children(cls: type, without: frozenset[str] = frozenset()) -> Any:
    """A function from a node of class ``cls`` to the tuple of its child fields."""
    fields = getattr(cls, "__dataclass_fields__", {})
    names = [n for n, f in fields.items() if f.type is not str and n not in _PLAIN and n not in without]
    if cls.__name__ in _LEAVES or not names:
        return lambda node: ()
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda node: (get(node),)


class _Getters(dict[type, Any]):
    """Child getters by node class, made when a class is first met."""

    def __init__(self, without: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self.without = without

    def __missing__(self, cls: type) -> Any:
        getter = self[cls] = _children(cls, self.without)
        return getter


_ALL = _Getters()
_HEADER = _Getters(_BELOW_HEADER | _COUNTED_APART)


def _breaks(root: Any, continued: bool, getters: _Getters = _ALL) -> int:
    """Line breaks inside the code of ``root``. ``continued``: the text has backslash continuations. Iterative, so that
    long chains of operators do not exhaust the Python stack."""
    count = count_breaks(root.value) if root.__class__.__name__ in _TEXTS else 0
    blank = _BLANK if continued else _BLANK | {cst.SimpleWhitespace}
    stack = list(getters[root.__class__](root))
    while stack:
        node = stack.pop()
        cls = node.__class__
        if cls in blank:
            continue
        if cls is tuple or cls is list:
            stack += node
        elif cls is cst.ParenthesizedWhitespace:
            count += 1 + len(node.empty_lines)
            if continued:
                stack += (node.first_line.whitespace, node.last_line)
        elif cls is cst.SimpleWhitespace:
            count += count_breaks(node.value)
        else:
            if cls.__name__ in _TEXTS:
                count += count_breaks(node.value)
            stack += _ALL[cls](node)
    return count


@dataclass(slots=True)
class Place:
    """Where a statement or clause stands: 0-based line (its leading lines included) relative to its chunk, and the
    indentation it is written with."""

    line: int
    indents: tuple[str, ...]
    is_elif: bool = False


@dataclass(slots=True)
class StatementIndex:
    """The places of a top-level statement, its clauses and everything nested in it, by ``id`` of the node.

    ``line`` is where the next statement goes, relative to line ``base`` of the text. ``logical`` answers from the text
    how long a logical line is; what it leaves open, and everything without it, is counted in the tree. A suite behind a
    colon has the place of the clause that it ends; ``suites`` leads from its ``id`` to that clause.
    """

    default_indent: str
    continued: bool
    logical: LogicalLines | None = None
    base: int = 0
    line: int = 0
    places: dict[int, Place] = field(default_factory=dict)
    suites: dict[int, Any] = field(default_factory=dict)

    def add(self, statement: cst.CSTNode, indents: tuple[str, ...] = ()) -> None:
        """Index one statement and advance ``line`` past it."""
        self.places[id(statement)] = Place(self.line, indents)
        if isinstance(statement, cst.SimpleStatementLine):
            self.line += len(statement.leading_lines)
            breaks = self._logical_breaks()
            self.line += 1 + (self._in_line(statement) if breaks is None else breaks)
        else:
            self._compound(statement, indents)

    def _logical_breaks(self) -> int | None:
        return None if self.logical is None else self.logical.breaks(self.base + self.line)

    def _in_line(self, line: Any) -> int:
        """Line breaks inside a statement line or a suite behind a colon; a continued line may end in an empty one."""
        return sum(_breaks(part, self.continued) for part in (*line.body, line.trailing_whitespace))

    def _compound(self, node: cst.CSTNode, indents: tuple[str, ...]) -> None:
        while True:
            suite_too = self._header(node)
            if isinstance(node, cst.Match):
                self._cases(node, indents)
                return
            self._suite(node, indents, suite_too)
            for handler in getattr(node, "handlers", ()):
                self._clause(handler, indents)
            orelse = getattr(node, "orelse", None)
            if not isinstance(orelse, cst.If):
                break
            # A long chain of elif is a deep tree: walk it in a loop.
            self.places[id(orelse)] = Place(self.line, indents, is_elif=True)
            node = orelse
        for clause in (orelse, getattr(node, "finalbody", None)):
            if clause is not None:
                self._clause(clause, indents)

    def _header(self, node: Any) -> bool:
        """Advance to the line on which the header ends, or the suite behind it on the same line if the answer is true."""
        self.line += len(node.leading_lines)
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            for decorator in node.decorators:
                self.line += len(decorator.leading_lines)
                breaks = self._logical_breaks()
                if breaks is None:
                    breaks = _breaks(decorator.decorator, self.continued) + _breaks(
                        decorator.trailing_whitespace, self.continued
                    )
                self.line += 1 + breaks
            self.line += len(node.lines_after_decorators)
        breaks = self._logical_breaks()
        self.line += _breaks(node, self.continued, _HEADER) if breaks is None else breaks
        return breaks is not None

    def _clause(self, node: cst.CSTNode, indents: tuple[str, ...]) -> None:
        self.places[id(node)] = Place(self.line, indents)
        self._compound(node, indents)

    def _cases(self, node: cst.Match, indents: tuple[str, ...]) -> None:
        self.line += 1
        inner = (*indents, self.default_indent if node.indent is None else node.indent)
        for case in node.cases:
            self._clause(case, inner)
        self.line += len(node.footer)

    def _suite(self, node: Any, indents: tuple[str, ...], counted: bool) -> None:
        self.line += 1
        suite = node.body
        if isinstance(suite, cst.IndentedBlock):
            if not counted:
                self.line += _breaks(suite.header, self.continued)
            inner = (*indents, self.default_indent if suite.indent is None else suite.indent)
            for statement in suite.body:
                self.add(statement, inner)
            self.line += len(suite.footer)
            return
        self.places[id(suite)] = self.places[id(node)]
        self.suites[id(suite)] = node
        if not counted:
            self.line += self._in_line(suite)


def index_module(text: str, module: cst.Module) -> list[StatementIndex]:
    """One index for each top-level statement; the first one's lines count from the start of the text."""
    continued = "\\\n" in text or "\\\r" in text
    if "\r" not in text:
        indexes, end = _indexed(module, continued, LogicalLines(text))
        if end == _end_of_body(text, module):
            return indexes
    return _indexed(module, continued, None)[0]


def accounts_for_lines(text: str, module: cst.Module) -> bool:
    """Whether the tree accounts for every line of its text."""
    return not module.body or _indexed(module, True, None)[1] == _end_of_body(text, module)


def _end_of_body(text: str, module: cst.Module) -> int:
    """The line after the last statement, by the text."""
    return count_breaks(text) + (0 if module.has_trailing_newline else 1) - len(module.footer)


def _indexed(module: cst.Module, continued: bool, logical: LogicalLines | None) -> tuple[list[StatementIndex], int]:
    """The indexes, and the line after the last statement."""
    base = 0
    indexes: list[StatementIndex] = []
    for number, statement in enumerate(module.body):
        index = StatementIndex(module.default_indent, continued, logical, base, 0 if number else len(module.header))
        index.add(statement)
        index.logical = None
        indexes.append(index)
        base += index.line
    return indexes, base
