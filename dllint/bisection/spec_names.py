"""Names that a Python spec sets and that nobody reads: misspelt ones of the spec, where TOML has unknown ones.

A Python spec has names of its own (a network's class, functions that draw data), which it uses. What it assigns at the top and
neither uses nor is asked for by that name has no effect. Functions, constants in capitals and names that begin with an
underscore may stand there unused, unless they are hardly told from a name of a spec.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from dllint.source.regular import read_regular

#: How like a name of a spec another one has to be to be taken for it, by difflib's ratio.
_ALIKE: Final = 0.75
#: With these any name may be read.
_REFLECTING: Final = frozenset({"globals", "locals", "vars", "exec", "eval", "getattr"})


def unused_names(path: Path, known: Collection[str]) -> list[str]:
    """The names without effect, in order; none of a file that cannot be read or that looks names up while it runs."""
    try:
        tree = ast.parse(read_regular(path))
    except (OSError, ValueError, SyntaxError, RecursionError):
        return []
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store)}
    if read & _REFLECTING:
        return []
    free = (name for name, assigned in _set(tree) if name not in known and name not in read and _means(name, assigned, known))
    return list(dict.fromkeys(free))


def _set(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """The names that the file sets at its top, and whether to a value."""
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            yield statement.name, False
        elif isinstance(statement, ast.Assign):
            yield from ((target.id, True) for target in statement.targets if isinstance(target, ast.Name))
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement.target.id, True


def _means(name: str, assigned: bool, known: Collection[str]) -> bool:
    """Whether a name is meant for the spec."""
    plain = assigned and name.islower() and not name.startswith("_")
    return plain or bool(get_close_matches(name.lower(), known, 1, _ALIKE))
