"""Which findings of the static check are about code that the run has gone through.

The watch sees every construction of a module, an optimizer or a loader of torch, and the functions that were under way then
(``RunRecord.entered``). A line has therefore not been executed where one of its function's constructions must come before it
and the function is not among those.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from dllint.diagnose.causes.case import Sources
from dllint.diagnose.causes.code import Code
from dllint.diagnose.findings import Read
from dllint.diagnose.records import RunRecord
from dllint.finding import Finding, Severity

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

#: Where the classes are whose construction is seen, and those among them that are neither modules nor optimizers.
_SEEN: Final = ("torch.nn", "torch.optim", "torch.utils.data")
_UNSEEN: Final = frozenset({"Parameter", "Buffer", "UninitializedParameter", "UninitializedBuffer"})
_LOADER: Final = "torch.utils.data.DataLoader"
#: How runs end that call nothing else later.
_ENDED: Final = ("finished", "exit")
#: Statements that are executed as a whole.
_SIMPLE: Final = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return)
#: What an expression need not compute when it is computed.
_NEEDLESS: Final = (ast.Lambda, ast.IfExp, ast.BoolOp, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
#: Rules whose errors are exceptions of the library: sizes, axes, types and arguments that it refuses.
_RAISING: Final = frozenset({"DLT101", "DLT102", "DLT104", "DLT107", "DLT109", "DLT117", "DLT118"})


def executed(static: Sequence[Finding], run: RunRecord, read: Read) -> tuple[Finding, ...]:
    """The findings without those about functions that were never called, if the run came to its end: others may still call
    them. What always raises has not been executed in such a run either, and is information."""
    sources = Sources(read)
    return tuple(_refuted(finding, run) for finding in static if not _is_never_run(finding, run, sources))


def _refuted(finding: Finding, run: RunRecord) -> Finding:
    if finding.severity is Severity.ERROR and finding.code in _RAISING and run.ended == "finished":
        return replace(finding, severity=Severity.INFO)
    return finding


def _is_never_run(finding: Finding, run: RunRecord, sources: Sources) -> bool:
    """Whether the line of a finding was certainly not executed, by this process or another one."""
    if run.ranks or run.ended not in _ENDED or "torch" not in run.frameworks:
        return False
    path = str(finding.location.path.absolute())
    code = sources.code(path)
    if code is None:
        return False
    entered = run.entered.get(path, ())
    known = {layer.kind for layer in run.layers}
    needed = _needed(code, finding.location.span.first.line, known)
    return any(_first_line(function) not in entered for function in needed)


def _needed(code: Code, line: int, known: set[str]) -> Iterator[_Function]:
    """The functions that have constructed something when a line is executed; ``known`` are classes that have objects, whether
    they were constructed or read from a file."""
    node = _statement_at(code, line)
    while node is not None and node is not code.tree:
        above = code.parent(node)
        function = code.function(node)
        if isinstance(function, _Function) and any(_constructs(code, one) for one in _before(above, node)):
            yield function
        if isinstance(node, _Function) and isinstance(above, ast.ClassDef) and above.name not in known:
            yield from _constructor(code, above, node)
        node = above


def _statement_at(code: Code, line: int) -> ast.AST | None:
    """The innermost statement whose lines hold a line."""
    holding = [
        node for node in ast.walk(code.tree) if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return min(holding, key=lambda node: ((node.end_lineno or 0) - node.lineno, -node.col_offset), default=None)


def _before(above: ast.AST | None, node: ast.AST) -> list[ast.stmt]:
    """A statement and those before it in its block."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(above, name, None)
        if isinstance(block, list) and node in block:
            return block[: block.index(node) + 1]
    return []


def _constructor(code: Code, owner: ast.ClassDef, method: _Function) -> Iterator[_Function]:
    """``__init__`` of a class, if it must have constructed something before another method is called."""
    if method.name == "__init__" or method.decorator_list:
        return
    bases = {code.name(base) for base in owner.bases}
    for item in owner.body:
        if isinstance(item, ast.FunctionDef) and item.name == "__init__" and not item.decorator_list:
            own = [one for one in item.body if isinstance(one, _SIMPLE)]
            returns = any(isinstance(node, ast.Return) for node in ast.walk(item))
            if "torch.nn.Module" in bases or (not returns and any(_constructs(code, one) for one in own)):
                yield item


def _constructs(code: Code, statement: ast.stmt) -> bool:
    """Whether a statement constructs an object whenever it is executed, which the watch sees."""
    if not isinstance(statement, _SIMPLE):
        return False
    return any(isinstance(node, ast.Call) and _is_seen(code.name(node.func)) for node in _certain(statement))


def _is_seen(name: str) -> bool:
    package, _, last = name.rpartition(".")
    if package == "torch.utils.data":
        return name == _LOADER
    return package in _SEEN and last[:1].isupper() and last not in _UNSEEN


def _certain(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that are computed whenever a statement is executed."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _NEEDLESS):
            yield from _certain(child)


def _first_line(function: _Function) -> int:
    """The line by which the running code knows a function: its first decorator's, if it has one."""
    return min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
