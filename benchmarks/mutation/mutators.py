"""Small faults in a text of Python: what may be written in place of an expression or a statement.

Types, imports, texts and what stands under ``if TYPE_CHECKING`` are left as they are. A mutant replaces one piece of the text;
the rest stays as it is written, with its line numbers up to that place.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from benchmarks.mutation.blocks import block_of_statements


@dataclass(frozen=True, slots=True)
class Mutant:
    """A fault of one ``kind``: the bytes ``start`` to ``end`` of the text, which are ``before``, become ``after``.

    ``written`` is the line, the ``line``-th of the text, in which the place begins. ``block`` is the number of the block that
    executes the place (``benchmarks.mutation.blocks``), None for what runs at import.
    """

    kind: str
    line: int
    written: str
    start: int
    end: int
    before: str
    after: str
    block: int | None

    def applied(self, source: bytes) -> bytes:
        """The text with the fault."""
        return source[: self.start] + self.after.encode() + source[self.end :]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fault of one ``kind`` as a part of the tree and what stands in its place, which is not written yet."""

    kind: str
    part: ast.expr | ast.stmt
    other: ast.expr | ast.stmt
    block: int | None

    def mutant(self, source: bytes) -> Mutant:
        """The fault in the text of which the tree is."""
        lines = source.splitlines(keepends=True)

        def offset(line: int, column: int) -> int:
            return sum(len(text) for text in lines[: line - 1]) + column

        start = offset(self.part.lineno, self.part.col_offset)
        end = offset(self.part.end_lineno or self.part.lineno, self.part.end_col_offset or 0)
        other = ast.unparse(self.other)
        return Mutant(
            kind=self.kind,
            line=self.part.lineno,
            written=lines[self.part.lineno - 1].decode().strip(),
            start=start,
            end=end,
            before=source[start:end].decode(),
            after=f"({other})" if isinstance(self.other, ast.expr) else other,
            block=self.block,
        )


#: A kind of fault and what stands instead.
_Change = tuple[str, ast.expr | ast.stmt]

_COMPARISONS: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
}


def candidates(source: str) -> list[list[Candidate]]:
    """The faults of a text by statement that has any; not all of them can be compiled.

    Raises ``SyntaxError`` if the text cannot be parsed.
    """
    tree = ast.parse(source)
    numbers = block_of_statements(tree)
    of_statements = (
        [Candidate(kind, part, other, numbers.get(statement)) for part, (kind, other) in _changes(statement)]
        for statement in _statements(tree)
    )
    return [found for found in of_statements if found]


def is_valid(source: bytes, mutant: Mutant) -> bool:
    """Whether the changed text can be compiled."""
    try:
        compile(mutant.applied(source), "<mutant>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """All statements, what is only there for a type checker left out."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.stmt):
            yield node
        if not isinstance(node, ast.expr):
            yield from _statements(node)


def _changes(statement: ast.stmt) -> Iterator[tuple[ast.expr | ast.stmt, _Change]]:
    yield from ((statement, change) for change in _of_statement(statement))
    for test in _tests(statement):
        others = (ast.UnaryOp(ast.Not(), test), ast.Constant(False), ast.Constant(True))
        yield from ((test, ("condition", other)) for other in others)
    for expression in _expressions(statement):
        yield from ((expression, change) for change in _of_expression(expression))


def _of_statement(statement: ast.stmt) -> Iterator[_Change]:
    match statement:
        case ast.Expr(ast.Call() | ast.Yield() | ast.YieldFrom()) | ast.AugAssign() | ast.Raise() | ast.Delete():
            yield "statement removed", ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield "statement removed", ast.Pass()
        case ast.Return(ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield "return value", ast.Return(ast.Constant(None))
        case ast.Continue():
            yield "jump", ast.Break()
            yield "jump", ast.Pass()
        case ast.Break():
            yield "jump", ast.Continue()


def _tests(statement: ast.stmt) -> Iterator[ast.expr]:
    if isinstance(statement, ast.If | ast.While):
        yield statement.test


def _expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement itself that may be changed; statements below it, types and f-strings are left out."""
    if isinstance(statement, ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal):
        return
    types = {"annotation", "returns", "type_params"}
    for name, value in ast.iter_fields(statement):
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST) and not isinstance(part, ast.stmt) and name not in types:
                yield from _below(part)


def _below(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.stmt | ast.JoinedStr | ast.arg):
        return
    if isinstance(node, ast.expr):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _below(child)


def _of_expression(expression: ast.expr) -> Iterator[_Change]:
    if change := _OF_EXPRESSION.get(type(expression)):
        yield from change(expression)


def _of_comparison(node: ast.Compare) -> Iterator[_Change]:
    for place, operator in enumerate(node.ops):
        for other in _COMPARISONS[type(operator)]:
            operators = [*node.ops[:place], other(), *node.ops[place + 1 :]]
            yield "comparison", ast.Compare(node.left, operators, node.comparators)


def _of_conjunction(node: ast.BoolOp) -> Iterator[_Change]:
    yield "and/or", ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    for place in range(len(node.values)):
        kept = [*node.values[:place], *node.values[place + 1 :]]
        yield "operand dropped", kept[0] if len(kept) == 1 else ast.BoolOp(node.op, kept)


def _of_unary(node: ast.UnaryOp) -> Iterator[_Change]:
    if isinstance(node.op, ast.Not):
        yield "negation dropped", node.operand
    elif isinstance(node.op, ast.USub):
        yield "sign dropped", node.operand


def _of_arithmetic(node: ast.BinOp) -> Iterator[_Change]:
    if isinstance(node.op, ast.BitOr | ast.BitAnd):
        yield "operand dropped", node.left
        yield "operand dropped", node.right
    elif other := _ARITHMETIC.get(type(node.op)):
        yield "arithmetic", ast.BinOp(node.left, other(), node.right)


def _of_constant(node: ast.Constant) -> Iterator[_Change]:
    if isinstance(node.value, bool):
        yield "constant", ast.Constant(not node.value)
    elif isinstance(node.value, int | float):
        yield "constant", ast.Constant(node.value + 1)
        if node.value:
            yield "constant", ast.Constant(0)


def _of_call(node: ast.Call) -> Iterator[_Change]:
    for place, keyword in enumerate(node.keywords):
        if keyword.arg is not None:
            kept = [*node.keywords[:place], *node.keywords[place + 1 :]]
            yield "argument dropped", ast.Call(node.func, node.args, kept)
    if len(node.args) > 1 and not isinstance(node.args[-1], ast.Starred):
        yield "argument dropped", ast.Call(node.func, node.args[:-1], node.keywords)


def _of_choice(node: ast.IfExp) -> Iterator[_Change]:
    yield "condition", node.body
    yield "condition", node.orelse


_OF_EXPRESSION: Final[dict[type[ast.expr], Callable[..., Iterator[_Change]]]] = {
    ast.Compare: _of_comparison,
    ast.BoolOp: _of_conjunction,
    ast.UnaryOp: _of_unary,
    ast.BinOp: _of_arithmetic,
    ast.Constant: _of_constant,
    ast.Call: _of_call,
    ast.IfExp: _of_choice,
}
