"""The user's source as hypotheses see it: places as nodes, names as what they were imported from, and edits of expressions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from dllint.diagnose.places import SourcePlace
from dllint.edit import Edit
from dllint.source.lines import Lines
from dllint.span import Position

_CANONICAL = (("tensorflow.keras", "keras"), ("tensorflow.python.keras", "keras"))


class Code:
    """A file that parses.

    Raises:
        SyntaxError, ValueError: it does not.
    """

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.text = text
        self.tree = ast.parse(text)
        self._lines = Lines(text)
        self._row_spans = list(pairwise([*self._lines.starts, len(text)]))
        self._rows = [text[start:end] for start, end in self._row_spans]
        self._parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
        self._imported = dict(_imports(self.tree))
        self._unfold()

    def _unfold(self) -> None:
        """Give calls the arguments that ``**settings`` passes on, as keywords whose values stand in the dictionary if that is
        a literal that is bound once and changed nowhere: they are found, and repaired, there."""
        for call in [node for node in ast.walk(self.tree) if isinstance(node, ast.Call)]:
            known = {item.arg for item in call.keywords}
            for spread in [item.value for item in call.keywords if item.arg is None]:
                for name, value in _entries(self.value(spread)) if not self._is_changed(spread) else ():
                    if name not in known and isinstance(value, ast.Constant | ast.Name | ast.Attribute | ast.UnaryOp):
                        call.keywords.append(ast.keyword(name, value))

    def _is_changed(self, node: ast.expr) -> bool:
        """Whether an entry of a dictionary is set, or a method that may change it is called."""
        name = node.id if isinstance(node, ast.Name) else None
        above = [self.parent(use) for use in ast.walk(self.tree) if isinstance(use, ast.Name) and use.id == name]
        stored = any(isinstance(item, ast.Subscript) and not isinstance(item.ctx, ast.Load) for item in above)
        return name is not None and (stored or any(isinstance(item, ast.Attribute) for item in above))

    def _offset(self, line: int, column: int) -> int:
        """The code-point offset of a 1-based line and a column in bytes of UTF-8."""
        row = self._rows[line - 1]
        return self._lines.starts[line - 1] + (column if row.isascii() else len(row.encode()[:column].decode(errors="ignore")))

    def span(self, node: Any) -> tuple[int, int]:
        """The offsets of an expression or statement."""
        return self._offset(node.lineno, node.col_offset), self._offset(node.end_lineno, node.end_col_offset)

    def source(self, node: ast.AST) -> str:
        """The text of an expression or statement."""
        start, end = self.span(node)
        return self.text[start:end]

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The syntax node that contains a node."""
        return self._parents.get(node)

    def parents(self, node: ast.AST) -> Iterator[ast.AST]:
        """The syntax nodes that contain a node, innermost first."""
        above = self._parents.get(node)
        while above is not None:
            yield above
            above = self._parents.get(above)

    def statement(self, node: ast.AST) -> ast.stmt:
        """The statement that an expression stands in."""
        return next(above for above in (node, *self.parents(node)) if isinstance(above, ast.stmt))

    def function(self, node: ast.AST) -> ast.AST:
        """The function (or module) that a node stands in."""
        functions = (ast.FunctionDef, ast.AsyncFunctionDef)
        return next((above for above in self.parents(node) if isinstance(above, functions)), self.tree)

    def at(self, place: SourcePlace) -> ast.expr | None:
        """The expression at a place: the call, if several have its extent; else the smallest that holds it."""
        start = self._lines.offset(Position(place.line, place.column))
        end = self._lines.offset(Position(place.end_line, place.end_column))
        holding = [
            (last - first, not isinstance(node, ast.Call), node)
            for node in ast.walk(self.tree)
            if isinstance(node, ast.expr)
            for first, last in (self.span(node),)
            if first <= start and end <= last
        ]
        return min(holding, key=lambda entry: entry[:2])[2] if holding else None

    def call_at(self, place: SourcePlace | None) -> ast.Call | None:
        """The call at a place."""
        node = self.at(place) if place is not None else None
        return node if isinstance(node, ast.Call) else None

    def calls(self, within: ast.AST | None = None) -> Iterator[ast.Call]:
        """All calls in a node, in the order of the text."""
        found = [node for node in ast.walk(within or self.tree) if isinstance(node, ast.Call)]
        return iter(sorted(found, key=lambda node: (node.lineno, node.col_offset)))

    def backward_calls(self) -> Iterator[ast.Call]:
        """The calls of a method ``backward``."""
        return (call for call in self.calls() if isinstance(call.func, ast.Attribute) and call.func.attr == "backward")

    def name(self, node: ast.AST) -> str:
        """The qualified name of a dotted expression: ``nn.ReLU`` is ``torch.nn.ReLU`` where ``nn`` was imported from torch.
        Names that no import explains stay as they are; other expressions have an empty name."""
        dotted = _dotted(node)
        if dotted is None:
            return ""
        first, _, rest = dotted.partition(".")
        known = self._imported.get(first, first)
        full = f"{known}.{rest}" if rest else known
        for prefix, canonical in _CANONICAL:
            if full.startswith(f"{prefix}."):
                return f"{canonical}{full.removeprefix(prefix)}"
        return full

    @property
    def imported_names(self) -> frozenset[str]:
        """The names that imports bind."""
        return frozenset(self._imported)

    @property
    def names(self) -> frozenset[str]:
        """The names that the file assigns to."""
        return frozenset(
            node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        )

    def alias(self, module: str) -> str:
        """What the file calls a module; an expression that imports it if it has no name for it."""
        names = [name for name, imported in self._imported.items() if imported == module]
        return names[0] if names else f"__import__({module!r})"

    def assigned_to(self, value: ast.AST) -> str | None:
        """The name (or ``self.name``) that an expression, or what is called on it, is assigned to."""
        for above in self.parents(value):
            if isinstance(above, ast.Assign) and len(above.targets) == 1:
                target: ast.expr = above.targets[0]
                return self.source(target) if isinstance(target, ast.Name | ast.Attribute) else None
            if isinstance(above, ast.AnnAssign):
                return self.source(above.target)
            if not isinstance(above, ast.Attribute) and not (isinstance(above, ast.Call) and value_of(above, value)):
                return None
            value = above
        return None

    def spelled(self, qualified: str) -> tuple[str, tuple[Edit, ...]]:
        """How this file writes a qualified name (``keras.optimizers.Adam``), and the import to be added for it, if any."""
        known = [(self.name(ast.parse(local, mode="eval").body), local) for local in self._imported]
        known += [(f"{full}.keras", f"{local}.keras") for full, local in known if full == "tensorflow"]
        fitting = [(full, local) for full, local in known if f"{qualified}.".startswith(f"{full}.")]
        if fitting:
            full, local = max(fitting)
            return f"{local}{qualified.removeprefix(full)}", ()
        top = qualified.partition(".")[0]
        last = [node for node in self.tree.body if isinstance(node, ast.Import | ast.ImportFrom)][-1:]
        at = self.span(last[0])[1] if last else 0
        line = f"{self._break()}import {top}" if last else f"import {top}{self._break()}"
        return qualified, (Edit(self.path, at, at, line),)

    def value(self, node: ast.expr | None) -> ast.expr | None:
        """The expression that a name is bound to, if the file assigns to it once; otherwise the expression itself."""
        if not isinstance(node, ast.Name):
            return node
        assigned = [item.value for item in ast.walk(self.tree) if isinstance(item, ast.Assign) and _assigns(item, node.id)]
        stored = [item for item in ast.walk(self.tree) if isinstance(item, ast.Name) and item.id == node.id]
        once = sum(isinstance(item.ctx, ast.Store) for item in stored) == 1
        return assigned[0] if once and assigned else node

    def with_keyword(self, call: ast.Call, name: str, content: str) -> Edit:
        """The edit that gives a call a keyword argument, in place of the one that it has."""
        known = keyword(call, name)
        if known is not None:
            return self.replace(known, content)
        end = self.span(call)[1] - 1
        before = self.text[:end].rstrip()
        comma = "" if before.endswith((",", "(")) else ", "
        return Edit(self.path, end, end, f"{comma}{name}={content}")

    def replace(self, node: Any, content: str) -> Edit:
        """The edit that writes ``content`` in place of an expression or statement."""
        start, end = self.span(node)
        return Edit(self.path, start, end, content)

    def insert_at_end(self, node: ast.expr, content: str) -> Edit:
        """The edit that writes something behind an expression."""
        end = self.span(node)[1]
        return Edit(self.path, end, end, content)

    def insert_before(self, statement: ast.stmt, line: str) -> Edit:
        """The edit that writes a statement before another one, at its indentation; after ``x;`` it stands in the same line."""
        start, _ = self.span(statement)
        row = self._lines.starts[statement.lineno - 1]
        before = self.text[row:start]
        if before.strip():
            return Edit(self.path, start, start, f"{line}; ")
        return Edit(self.path, row, row, f"{before}{line}{self._break()}")

    def insert_after(self, statement: ast.stmt, line: str) -> Edit:
        """The edit that writes a statement after another one, at its indentation."""
        start, end = self.span(statement)
        row = self._lines.starts[statement.lineno - 1]
        before = self.text[row:start]
        return Edit(self.path, end, end, f"; {line}" if before.strip() else f"{self._break()}{before}{line}")

    def remove(self, statement: ast.stmt) -> Edit:
        """The edit that takes a statement away, with its line if nothing else is in it; a block is never left empty."""
        block = next(block for block in self.blocks(statement) if statement in block)
        start, end = self.span(statement)
        first, last = self._lines.starts[statement.lineno - 1], self._row_end(statement)
        if len(block) == 1 or self.text[first:start].strip() or self.text[end:last].strip():
            return Edit(self.path, start, end, "pass")
        return Edit(self.path, first, last, "")

    def blocks(self, statement: ast.stmt) -> Iterator[list[ast.stmt]]:
        """The blocks of what contains a statement."""
        parent = self.parent(statement)
        blocks = (getattr(parent, name, None) for name in ("body", "orelse", "finalbody"))
        yield from (block for block in blocks if isinstance(block, list))

    def _row_end(self, node: Any) -> int:
        end: int = self._row_spans[node.end_lineno - 1][1]
        return end

    def loops(self, node: ast.AST) -> list[ast.For | ast.While]:
        """The loops of the same function that a node stands in, from the inside outwards."""
        found: list[ast.For | ast.While] = []
        for above in self.parents(node):
            if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef):
                break
            if isinstance(above, ast.For | ast.While):
                found.append(above)
        return found

    def assignments(self, name: str) -> list[ast.Assign]:
        """The statements that assign to a name alone, in the order of the text."""
        return [
            node
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Assign) and [self.source(target) for target in node.targets] == [name]
        ]

    def _break(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"


def value_of(call: ast.Call, value: ast.AST) -> bool:
    """Whether a call is a method of a value: ``value.to(device)``."""
    return call.func is value


def _assigns(statement: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in statement.targets)


def keyword(call: ast.Call, *names: str) -> ast.expr | None:
    """The value of a keyword argument."""
    return next((item.value for item in call.keywords if item.arg in names), None)


def number(node: ast.AST | None) -> float | None:
    """The value of a literal number."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return node.value
    return None


def _entries(node: ast.expr | None) -> list[tuple[str, ast.expr]]:
    """The entries of a dictionary that is written as a literal or as ``dict(name=value)``."""
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return [(key.value, value) for key, value in pairs if isinstance(key, ast.Constant) and isinstance(key.value, str)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict" and not node.args:
        return [(item.arg, item.value) for item in node.keywords if item.arg is not None]
    return []


def _dotted(node: ast.AST) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = _dotted(node.value)
        return f"{before}.{node.attr}" if before is not None else None
    return None


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.asname, alias.name) for alias in node.names if alias.asname)
            yield from ((top, top) for alias in node.names if not alias.asname for top in (alias.name.partition(".")[0],))
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)
