"""Programs run by torch, with the shapes of what names and calls give, by place."""

from __future__ import annotations

import ast
import io
import signal
import sys
import types
import warnings
from collections import defaultdict
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np
import torch

from benchmarks.differential.running import seed_all
from benchmarks.module_idioms.project import MAIN, MODULE, Project

#: Line and column (from 1) of a name or call, and of its end.
Place: TypeAlias = tuple[int, int, int, int]
_SECONDS: Final = 20.0
_SEEN: Final = "_seen_"


@dataclass(slots=True)
class Run:
    """The shapes of tensors by file and place; how the run ended."""

    shapes: dict[tuple[str, Place], set[tuple[int, ...]]] = field(default_factory=lambda: defaultdict(set))
    error: str = ""


class _Watched(ast.NodeTransformer):
    """Lets names and calls tell what they give."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        return self._told(node, self.generic_visit(node))

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._told(node, node) if isinstance(node.ctx, ast.Load) and node.id != "super" else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node

    def _told(self, node: ast.expr, inner: ast.AST) -> ast.AST:
        place = (node.lineno, node.col_offset + 1, node.end_lineno or 0, (node.end_col_offset or 0) + 1)
        call = ast.Call(ast.Name(_SEEN, ast.Load()), [ast.Constant(place), inner], [])  # type: ignore[list-item]
        return ast.copy_location(call, node)


def run(project: Project) -> Run:
    """Run a program, its own module first."""
    out = Run()
    seed_all(0)
    signal.setitimer(signal.ITIMER_REAL, _SECONDS)
    silent = io.StringIO()
    try:
        with redirect_stdout(silent), redirect_stderr(silent), warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            for name in (MODULE, MAIN):
                if name in project.files:
                    _execute(name, project.files[name], out)
    except Exception as error:
        out.error = f"{type(error).__name__}: {error}"[:300]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.modules.pop(MODULE.removesuffix(".py"), None)
    return out


def _execute(name: str, text: str, out: Run) -> None:
    def seen(place: Place, value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            out.shapes[name, place].add(tuple(value.shape))
        return value

    tree = ast.fix_missing_locations(_Watched().visit(ast.parse(text)))
    module = types.ModuleType("__main__" if name == MAIN else MODULE.removesuffix(".py"))
    if name == MODULE:
        sys.modules[module.__name__] = module
    vars(module)[_SEEN] = seen
    exec(compile(tree, name, "exec"), vars(module))


def _stop(_number: int, _frame: object) -> None:
    raise TimeoutError("the program takes too long")


signal.signal(signal.SIGALRM, _stop)
