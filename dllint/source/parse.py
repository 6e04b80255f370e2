"""Parsing that survives bad input: broken syntax gives a problem with the right place, deep nesting no crash."""

from __future__ import annotations

import ast
import re
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import libcst

#: A line or a top-level statement beyond these sizes may nest deeply enough to overflow the parser's native stack.
_LONG_LINE = 2000
_LONG_STATEMENT = 60_000
_STACK_BYTES = 256 * 1024 * 1024
_TOP_LEVEL = re.compile(r"^(?!elif\b|else\b)[^\s#)\]}]", re.MULTILINE)
_stack_size_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """Why a text does not parse; 1-based line and column."""

    line: int
    column: int
    message: str


def parse(text: str) -> libcst.Module | SyntaxProblem:
    """The tree of a text, or why there is none."""
    if not _may_nest_deeply(text):
        return _parse(text)
    problem = syntax_problem(text)
    return problem if problem is not None else _with_large_stack(lambda: _parse(text))


def _parse(text: str) -> libcst.Module | SyntaxProblem:
    try:
        return libcst.parse_module(text)
    except libcst.ParserSyntaxError as error:
        fallback = SyntaxProblem(max(error.raw_line, 1), error.raw_column + 1, "cannot parse")
        return syntax_problem(text) or fallback
    except RecursionError:
        return syntax_problem(text) or SyntaxProblem(1, 1, "the code is nested too deeply")


def _may_nest_deeply(text: str) -> bool:
    if len(text) < _LONG_LINE:
        return False
    if max(map(len, text.split("\n"))) > _LONG_LINE:
        return True
    if len(text) < _LONG_STATEMENT:
        return False
    starts = [0, *(match.start() for match in _TOP_LEVEL.finditer(text)), len(text)]
    return max(b - a for a, b in pairwise(starts)) > _LONG_STATEMENT


def syntax_problem(text: str) -> SyntaxProblem | None:
    """What the running interpreter has against the text: its places are exact, libcst's come one or two lines late."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        return SyntaxProblem(max(error.lineno or 1, 1), max(error.offset or 1, 1), error.msg)
    except (RecursionError, MemoryError):
        return SyntaxProblem(1, 1, "the code is nested too deeply")
    except ValueError as error:
        return SyntaxProblem(1, 1, str(error))
    return None


def _with_large_stack(work: Callable[[], libcst.Module | SyntaxProblem]) -> libcst.Module | SyntaxProblem:
    """Run ``work`` on a thread with a stack that long chains of operators cannot exhaust."""
    results: list[libcst.Module | SyntaxProblem] = []
    with _stack_size_lock:
        before = threading.stack_size(_STACK_BYTES)
        try:
            thread = threading.Thread(target=lambda: results.append(work()))
            thread.start()
        finally:
            threading.stack_size(before)
    thread.join()
    return results[0]
