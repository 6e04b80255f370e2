"""Parsing that survives bad input: broken syntax gives a problem with the right place, deep nesting no crash."""

from __future__ import annotations

import ast
import re
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

import libcst

from dllint.source.levels import most_blocks, most_levels
from dllint.source.room import has_room_for
from dllint.source.shallow import has_patterns, shallow
from dllint.source.statement_lines import accounts_for_lines

#: libcst recurses natively and without a guard. Texts within these limits fit the usual stack with room to spare.
_LONG_LINE = 1000
_DEEP_BRACKETS = 50
_LONG_BRACKET = 5000
#: Longer brackets are tables, not chains of operators, if they have a comma every so many characters.
_TABLE_CELL = 100
_MANY_CONTINUATIONS = 200
#: All others are parsed on a stack of this size, and only down to this depth of statements, without deep expressions.
_DEEP_TREE = 3000
_STACK_BYTES = 512 * 1024 * 1024
_BRACKET_OR_STATEMENT = re.compile(r"[(\[{]|[)\]}]|^(?=[^\s#)\]}'\"])", re.MULTILINE)
_BRACKET = re.compile(r"[(\[{)\]}]")
_STEP = dict.fromkeys("([{", 1) | dict.fromkeys(")]}", -1)
_CONTINUED = re.compile(r"\\\r?\n|^[ \t\f]*elif\b", re.MULTILINE)
_ALTERNATIVE = re.compile(r"^[ \t\f]*elif\b", re.MULTILINE)
#: A text that the running interpreter does not read is left to libcst, if its tokens allow no deeper expressions and blocks and
#: it has no more alternatives.
_FLAT_EXPRESSION = 150
_FLAT_BLOCK = 100
_FLAT_CHAIN = 1000
_EMPTY_CONTINUATION = re.compile(r"^[ \t\f]*\\\r?\n", re.MULTILINE)
_TOO_DEEP = "the code is nested too deeply"
_TOO_LARGE = "the code needs more memory than there is"
_UNSUPPORTED = "this syntax is not supported"
_EMPTY_LINE = "an empty line continued by a backslash is not supported"
#: What is said of text that Python takes and libcst does not: tabs before the spaces of a block, empty continued lines.
LIMITS = frozenset({_UNSUPPORTED, _EMPTY_LINE})
#: What is said of text that is too much for both, or for this machine: whether there is an error in it is not known.
TOO_MUCH = frozenset({_TOO_DEEP, _TOO_LARGE})
_CHECK = libcst.CSTNode.__post_init__
_NOTHING: Final = ast.Module(body=[], type_ignores=[])
_stack_size_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """Why a text does not parse; 1-based line and column."""

    line: int
    column: int
    message: str


def parse(text: str) -> libcst.Module | SyntaxProblem:
    """The tree of a text, or why there is none."""
    if not has_room_for(text):
        return SyntaxProblem(1, 1, _TOO_LARGE)
    if _may_nest_deeply(text):
        return _on_large_stack(_parse_shallow, text)
    return _parse_patterns(text) if has_patterns(text) else _parse(text)


def _parse_patterns(text: str) -> libcst.Module | SyntaxProblem:
    """The tree of a text without the patterns that are too deep. They are found in the text, so that what the running
    interpreter does not read (f-strings of Python 3.12 in 3.11) is left to libcst as in any other text."""
    if isinstance(_interpreted(text), SyntaxProblem):
        return _parse(shallow(text, _NOTHING))
    return _parse_shallow(text)


def _parse_shallow(text: str) -> libcst.Module | SyntaxProblem:
    """The tree of a text without the expressions and patterns that are too deep. The text may be of a newer Python than the
    running one: what surely is not deep is left to libcst."""
    tree = _interpreted(text)
    if isinstance(tree, SyntaxProblem):
        return _parse(shallow(text, _NOTHING)) if _is_flat(text) else tree
    less = shallow(text, tree)
    if less != text:
        tree = _interpreted(less)
        if isinstance(tree, SyntaxProblem):  # the text is fine
            return SyntaxProblem(tree.line, tree.column, _TOO_DEEP)
    return _too_deep(tree) or _parse(less)


@contextmanager
def _unchecked() -> Iterator[None]:
    """Inside, libcst does not check the nodes it makes: its parser makes valid ones, and the checks cost a sixth of a parse."""
    libcst.CSTNode.__post_init__ = _accept  # type: ignore[method-assign,assignment]
    try:
        yield
    finally:
        libcst.CSTNode.__post_init__ = _CHECK  # type: ignore[method-assign]


def _accept(node: libcst.CSTNode) -> None:
    """No check."""


def _parse(text: str) -> libcst.Module | SyntaxProblem:
    try:
        with _unchecked():
            module = libcst.parse_module(text)
        return _lost(text, module) or module
    except libcst.ParserSyntaxError as error:
        unsupported = SyntaxProblem(max(error.raw_line, 1), error.raw_column + 1, _UNSUPPORTED)
        return syntax_problem(text) or unsupported
    except RecursionError:
        return syntax_problem(text) or SyntaxProblem(1, 1, _TOO_DEEP)
    except UnicodeEncodeError as error:  # half of a surrogate pair, as an editor may send it
        lines = text[: error.start].split("\n")
        return SyntaxProblem(len(lines), len(lines[-1]) + 1, "this character is none")


def _lost(text: str, module: libcst.Module) -> SyntaxProblem | None:
    """libcst loses or misplaces a line that is nothing but a continuation outside a statement: no place would be right."""
    match = _EMPTY_CONTINUATION.search(text) if "\\" in text else None
    if match is None or (module.code == text and accounts_for_lines(text, module)):
        return None
    line = text.count("\n", 0, match.start()) + 1
    return syntax_problem(text) or SyntaxProblem(line, 1, _EMPTY_LINE)


def _may_nest_deeply(text: str) -> bool:
    """Whether a text passes one of the limits; brackets inside strings and comments only make this say yes too often."""
    if len(text) < _LONG_LINE:
        return False
    if max(map(len, text.split("\n"))) > _LONG_LINE or len(_CONTINUED.findall(text)) > _MANY_CONTINUATIONS:
        return True
    if len(text) <= _LONG_BRACKET and _depth_bound(text) <= _DEEP_BRACKETS:
        return False
    depth = opened = 0
    for match in _BRACKET_OR_STATEMENT.finditer(text):
        found = match[0]
        if not found:
            depth = 0
        elif found in "([{":
            opened = opened if depth else match.start()
            depth += 1
            if depth > _DEEP_BRACKETS:
                return True
        elif depth:
            depth -= 1
            if not depth and _may_be_chain(text, opened, match.start()):
                return True
    return depth > 0 and _may_be_chain(text, opened, len(text))


def _is_flat(text: str) -> bool:
    """Whether the tokens of a text allow nothing that is nested deeply."""
    if len(_ALTERNATIVE.findall(text)) > _FLAT_CHAIN or most_blocks(text) > _FLAT_BLOCK:
        return False
    return most_levels(text) <= _FLAT_EXPRESSION


def _depth_bound(text: str) -> int:
    """At least the depth of brackets anywhere in a text, strings and comments included."""
    depths = list(accumulate((_STEP[bracket] for bracket in _BRACKET.findall(text)), initial=0))
    return max(depths) - min(depths)


def _may_be_chain(text: str, start: int, end: int) -> bool:
    return end - start > _LONG_BRACKET and text.count(",", start, end) * _TABLE_CELL < end - start


def syntax_problem(text: str) -> SyntaxProblem | None:
    """What the running interpreter has against the text: its places are exact, libcst's come one or two lines late."""
    tree = _interpreted(text)
    return tree if isinstance(tree, SyntaxProblem) else None


def _interpreted(text: str) -> ast.Module | SyntaxProblem:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        return SyntaxProblem(max(error.lineno or 1, 1), max(error.offset or 1, 1), error.msg)
    except (RecursionError, MemoryError):
        return SyntaxProblem(1, 1, _TOO_DEEP)
    except ValueError as error:
        return SyntaxProblem(1, 1, str(error))


def _too_deep(tree: ast.Module) -> SyntaxProblem | None:
    """Where the tree is deeper than libcst parses in reasonable time."""
    todo: list[tuple[ast.AST, int]] = [(tree, 0)]
    while todo:
        node, depth = todo.pop()
        if depth > _DEEP_TREE:
            return SyntaxProblem(getattr(node, "lineno", 1), 1, _TOO_DEEP)
        todo.extend((child, depth + 1) for child in ast.iter_child_nodes(node))
    return None


def _on_large_stack(work: Callable[[str], libcst.Module | SyntaxProblem], text: str) -> libcst.Module | SyntaxProblem:
    results: list[libcst.Module | SyntaxProblem] = []
    thread = threading.Thread(target=lambda: results.append(work(text)), name="dllint-parse")
    with _stack_size_lock:
        before = threading.stack_size(_STACK_BYTES)
        try:
            thread.start()
        except RuntimeError:  # no room for such a stack here
            return SyntaxProblem(1, 1, _TOO_DEEP)
        finally:
            threading.stack_size(before)
    thread.join()
    return results[0]
