"""Where the value of an expression is given: a literal, followed through names, options, settings and arguments.

``Dropout(options.drop)`` is repaired at ``add_argument("--drop", default=0.9)``: the option keeps its meaning, and every other
use of it follows. An expression is followed only where the source leaves no choice: a name that is assigned once, one option of
that name, one field of a data class, one entry of a dictionary, calls that all lead to the same literal. An option that stands
on the command line of the run has its value from there, and is not followed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dllint.diagnose.causes.code import Code, keyword

_MOST_TURNS: Final = 12
_NUMERIC: Final = ("float", "int", "bool", "str")
_NAMESPACES: Final = ("dict", "types.SimpleNamespace", "SimpleNamespace", "argparse.Namespace", "Namespace")
_CLICK: Final = ("option", "Option", "add_argument")


@dataclass(frozen=True, slots=True)
class Given:
    """A literal in the source."""

    code: Code
    node: ast.Constant


def origin(codes: Sequence[Code], code: Code, node: ast.expr | None, command: Sequence[str] = ()) -> Given | None:
    """The literal that gives an expression its value; ``None`` if it is computed, or if there is more than one.

    ``codes`` are the files that may hold it, ``command`` the command line of the run.
    """
    return _Search(codes, command).follow(code, node, _MOST_TURNS)


class _Search:
    """The files in which a value is looked for."""

    def __init__(self, codes: Sequence[Code], command: Sequence[str]) -> None:
        self._codes = codes
        self._command = command

    def follow(self, code: Code, node: ast.expr | None, turns: int) -> Given | None:
        """The literal behind an expression, after at most so many turns."""
        if isinstance(node, ast.Constant):
            return Given(code, node)
        if node is None or not turns:
            return None
        return _sole(self._givens(code, node, turns - 1))

    def _givens(self, code: Code, node: ast.expr, turns: int) -> Iterator[Given | None]:
        """What may give an expression its value; ``None`` for what is not a literal."""
        if isinstance(node, ast.Name):
            yield from self._of_name(code, node, turns)
        elif isinstance(node, ast.Attribute):
            yield from self._of_attribute(code, node, turns)
        elif isinstance(node, ast.Subscript):
            yield from self._of_setting(_text(node.slice), turns)
        elif isinstance(node, ast.Call):
            yield from self._of_call(code, node, turns)

    def _of_call(self, code: Code, call: ast.Call, turns: int) -> Iterator[Given | None]:
        """``float(x)``; ``settings.get("rate", 0.1)``, whose default counts if nothing else gives the setting."""
        if code.name(call.func) in _NUMERIC and len(call.args) == 1:
            yield self.follow(code, call.args[0], turns)
        elif isinstance(call.func, ast.Attribute) and call.func.attr == "get" and call.args:
            default = call.args[1] if len(call.args) > 1 else None
            yield from list(self._of_setting(_text(call.args[0]), turns)) or [self.follow(code, default, turns)]

    def _of_name(self, code: Code, name: ast.Name, turns: int) -> Iterator[Given | None]:
        """The assignments of the innermost function that has the name, or what it is called with."""
        for scope in (*_functions(code, name), code.tree):
            values = [value for holder, value in _bound(code, name.id) if holder is scope]
            is_parameter = isinstance(scope, ast.FunctionDef) and name.id in _parameters(scope)
            if values and not is_parameter:
                yield from (self.follow(code, value, turns) for value in values)
                return
            if is_parameter and isinstance(scope, ast.FunctionDef):
                yield from self._of_parameter(code, scope, name.id, turns) if not values else (None,)
                return
        if name.id in code.imported_names:
            yield from self._of_module_name(code, name.id, turns)

    def _of_module_name(self, code: Code, name: str, turns: int) -> Iterator[Given | None]:
        """``from settings import RATE``: the assignments at the top level of the other files."""
        short = code.name(ast.Name(name)).rpartition(".")[2]
        for other in self._codes:
            if other is not code:
                yield from (self.follow(other, value, turns) for holder, value in _bound(other, short) if holder is other.tree)

    def _of_parameter(self, code: Code, function: ast.FunctionDef, name: str, turns: int) -> Iterator[Given | None]:
        """What calls give for a parameter, or its default."""
        default = _default(function, name)
        calls = list(self._calls_of(code, function))
        for other, call, skipped in calls:
            given = _argument(function, call, name, skipped)
            if given is not None:
                yield self.follow(other, given, turns)
            elif any(item.arg is None for item in call.keywords):
                found = list(self._of_setting(name, turns))
                yield from found or [None]
            elif default is not None:
                yield self.follow(code, default, turns)
            else:
                yield None
        if not calls:
            yield self.follow(code, default, turns)

    def _calls_of(self, code: Code, function: ast.FunctionDef) -> Iterator[tuple[Code, ast.Call, int]]:
        """The calls of a function, a method or, for ``__init__``, its class; with how many parameters they do not give."""
        owner = code.parent(function)
        is_method = isinstance(owner, ast.ClassDef)
        wanted = owner.name if isinstance(owner, ast.ClassDef) and function.name == "__init__" else function.name
        for other in (code, *(one for one in self._codes if one is not code)):
            for call in other.calls():
                called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
                if called == wanted:
                    yield other, call, int(is_method and not _is_static(function))

    def _of_attribute(self, code: Code, node: ast.Attribute, turns: int) -> Iterator[Given | None]:
        """``self.rate``, a field of a data class, an option of a parser, or a name of another module."""
        owner = next((above for above in code.parents(node) if isinstance(above, ast.ClassDef)), None)
        if isinstance(node.value, ast.Name) and node.value.id == "self" and owner is not None:
            values = list(_own(owner, node.attr))
            if values:
                yield from (self.follow(code, value, turns) for value in values)
                return
        if isinstance(node.value, ast.Attribute) and node.value.attr == "hparams" and owner is not None:
            begun = next((item for item in owner.body if isinstance(item, ast.FunctionDef) and item.name == "__init__"), None)
            if begun is not None and node.attr in _parameters(begun):
                yield from self._of_parameter(code, begun, node.attr, turns)
                return
        yield from self._of_setting(node.attr, turns)

    def _of_setting(self, name: str, turns: int) -> Iterator[Given | None]:
        """The options, fields and entries of a name in all files."""
        if not name:
            yield None
            return
        options = [item for code in self._codes for item in _options(code, name)]
        if any(_is_given(flags, self._command) for _, flags, _ in options):
            yield None
            return
        for code, _, default in options:
            yield self.follow(code, default, turns)
        for code in self._codes:
            passed = [item for item in _entries(code, name) if item is not None]
            fields = [] if passed else list(_fields(code, name))
            yield from (self.follow(code, value, turns) for value in (*passed, *fields))


def _sole(found: Iterable[Given | None]) -> Given | None:
    """The one literal that all lead to."""
    known = list(found)
    first = known[0] if known else None
    return first if first is not None and all(one is not None and one.node is first.node for one in known) else None


def _functions(code: Code, node: ast.AST) -> list[ast.FunctionDef]:
    return [above for above in code.parents(node) if isinstance(above, ast.FunctionDef)]


def _text(node: ast.expr) -> str:
    """The value of a literal string; empty for what is none."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _bound(code: Code, name: str) -> Iterator[tuple[ast.AST, ast.expr | None]]:
    """What a name is bound to, and in which function (or module); ``None`` for what is no plain assignment."""
    for node in ast.walk(code.tree):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store | ast.Del):
            holder = next((item for item in code.parents(node) if isinstance(item, ast.FunctionDef | ast.ClassDef)), code.tree)
            yield holder, _value(code.parent(node), node)


def _value(statement: ast.AST | None, target: ast.Name) -> ast.expr | None:
    if isinstance(statement, ast.Assign):
        return statement.value
    return statement.value if isinstance(statement, ast.AnnAssign) and statement.target is target else None


def _parameters(function: ast.FunctionDef) -> list[str]:
    given = function.args
    return [item.arg for item in (*given.posonlyargs, *given.args, *given.kwonlyargs)]


def _default(function: ast.FunctionDef, name: str) -> ast.expr | None:
    given = function.args
    plain = [item.arg for item in (*given.posonlyargs, *given.args)]
    defaults: dict[str, ast.expr | None] = dict(zip(plain[len(plain) - len(given.defaults) :], given.defaults, strict=True))
    defaults |= {item.arg: value for item, value in zip(given.kwonlyargs, given.kw_defaults, strict=True)}
    return defaults.get(name)


def _argument(function: ast.FunctionDef, call: ast.Call, name: str, skipped: int) -> ast.expr | None:
    """What a call gives for a parameter."""
    named = keyword(call, name)
    plain = [item.arg for item in (*function.args.posonlyargs, *function.args.args)][skipped:]
    if named is not None or name not in plain or any(isinstance(item, ast.Starred) for item in call.args):
        return named
    at = plain.index(name)
    return call.args[at] if at < len(call.args) else None


def _is_static(function: ast.FunctionDef) -> bool:
    return any(isinstance(item, ast.Name) and item.id == "staticmethod" for item in function.decorator_list)


def _own(owner: ast.ClassDef, name: str) -> Iterator[ast.expr | None]:
    """What methods of a class assign to ``self.name``; ``None`` for what is no plain assignment."""
    for node in ast.walk(owner):
        if isinstance(node, ast.Assign):
            for target, value in ((target, node.value) for target in node.targets):
                yield from (given for one, given in _pairs(target, value) if _is_own(one, name))
        elif isinstance(node, ast.AnnAssign | ast.AugAssign) and _is_own(node.target, name):
            yield node.value if isinstance(node, ast.AnnAssign) else None


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """Targets with their values, one by one where both are tuples."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return list(zip(target.elts, value.elts, strict=False))
    return [(target, value)]


def _is_own(node: ast.expr, name: str) -> bool:
    return (
        isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.value, ast.Name) and node.value.id == "self"
    )


def _options(code: Code, name: str) -> Iterator[tuple[Code, list[str], ast.expr | None]]:
    """The options of parsers that are known by a name: their flags and their default."""
    for call in code.calls():
        called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if called not in _CLICK:
            continue
        flags = [item.value for item in call.args if isinstance(item, ast.Constant) and isinstance(item.value, str)]
        known = keyword(call, "dest")
        long = next((flag for flag in flags if flag.startswith("--")), flags[0] if flags else "")
        dest = known.value if isinstance(known, ast.Constant) else long.lstrip("-").replace("-", "_")
        if flags and dest == name:
            yield code, flags, keyword(call, "default")


def _is_given(flags: Sequence[str], command: Sequence[str]) -> bool:
    """Whether an option stands on the command line, written out or abbreviated."""
    words = [word.partition("=")[0] for word in command]
    long = [word for word in words if word.startswith("--") and len(word) > 2]
    return any(word in flags for word in words) or any(flag.startswith(word) for word in long for flag in flags)


def _entries(code: Code, name: str) -> Iterator[ast.expr | None]:
    """The entries of a name in dictionaries, namespaces, and calls of the classes that have it as a field."""
    with_field = {item.name for item in ast.walk(code.tree) if isinstance(item, ast.ClassDef) and _field(item, name)}
    for node in ast.walk(code.tree):
        if isinstance(node, ast.Dict):
            yield from (
                value
                for key, value in zip(node.keys, node.values, strict=True)
                if isinstance(key, ast.Constant) and key.value == name and _is_setting(code, node)
            )
        elif isinstance(node, ast.Call):
            called = code.name(node.func)
            if called in _NAMESPACES or called.rpartition(".")[2] in with_field:
                yield keyword(node, name)


def _is_setting(code: Code, node: ast.Dict) -> bool:
    """Whether a dictionary may hold settings: it is bound to a name or given back, not an argument of an optimizer or a log."""
    above = code.parent(node)
    while isinstance(above, ast.Dict):
        above = code.parent(above)
    return isinstance(above, ast.Assign | ast.AnnAssign | ast.Return)


def _fields(code: Code, name: str) -> Iterator[ast.expr | None]:
    for node in ast.walk(code.tree):
        if isinstance(node, ast.ClassDef):
            yield from (item.value for item in _field(node, name))


def _field(owner: ast.ClassDef, name: str) -> list[ast.AnnAssign | ast.Assign]:
    """The fields of a class with a name, and their values."""
    return [
        item
        for item in owner.body
        if (isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name) and item.target.id == name)
        or (isinstance(item, ast.Assign) and any(isinstance(target, ast.Name) and target.id == name for target in item.targets))
    ]
