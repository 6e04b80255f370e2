"""Every name and keyword that TensorFlow's own ``tf_upgrade_v2`` renames: what it and ``dllint migrate`` make of each.

    TF_USE_LEGACY_KERAS=1 python -m benchmarks.migrate.upgrade [--write]

The names and keywords are read from the tables of the installed TensorFlow. Each stands in a line of its own of a made-up
program, which both tools rewrite; then each line's name is looked up in TensorFlow, and for keywords whether the function takes
it. ``tf_keras`` has to be installed: parts of ``compat.v1`` come from it.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import inspect
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.results import write
from dllint.dev.upgrades import reach
from dllint.engine.session import Session
from dllint.migrate.files import Migrated, migrate_file
from dllint.migrate.goal import goal
from dllint.migrate.project import configuration_for

_HEAD = "import tensorflow as tf\n"
_LINE = re.compile(r"^x(\d+) = (.*)$", re.MULTILINE)


def names(changes: Any) -> list[str]:
    """The names of TensorFlow 1 that are renamed."""
    return sorted(old for old in changes.symbol_renames if old.startswith("tf."))


def keywords(changes: Any) -> list[str]:
    """Calls with a keyword that is renamed or dropped."""
    rows = sorted(changes.function_keyword_renames.items())
    return [f"{name}({old}=0)" for name, row in rows if name.startswith("tf.") for old in row]


def program(expressions: Sequence[str]) -> str:
    """A program with a line for each expression."""
    return _HEAD + "".join(f"x{number} = {text}\n" for number, text in enumerate(expressions))


def lines(text: str) -> dict[int, str]:
    """The expressions of a rewritten program by their numbers."""
    return {int(number): value for number, value in _LINE.findall(text)}


def migrated(text: str) -> tuple[str, set[int]]:
    """The program after ``dllint migrate``, and the numbers of the expressions that are listed as left."""
    goals = [found for found in [goal("tf2")] if found is not None]
    done: Migrated = migrate_file(Session(configuration_for(goals, {}, isolated=True)), Path("a.py"), text.encode(), goals)
    after = done.after.decode()
    rows = after.split("\n")
    left = [rows[finding.location.span.first.line - 1] for finding in done.left]
    return after, {int(match[1]) for row in left if (match := _LINE.match(row))}


def upgraded(text: str, changes: Any) -> tuple[str, set[int]]:
    """The program after ``tf_upgrade_v2``, and the numbers of the expressions that it warns of."""
    from tensorflow.tools.compatibility import ast_edits

    out = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        _, log, _ = ast_edits.ASTCodeUpgrader(changes).process_opened_file("a.py", io.StringIO(text), "a.py", out)[:3]
    after = out.getvalue()
    told = {int(place) for place in re.findall(r"a\.py:(\d+)", "\n".join(map(str, log)))}
    rows = text.split("\n")
    return after, {int(match[1]) for line in told if line <= len(rows) and (match := _LINE.match(rows[line - 1]))}


def verdict(tensorflow: Any, expression: str, is_told: bool, *, is_call: bool) -> str:
    """Whether a rewritten expression is one that TensorFlow 2 has."""
    node = ast.parse(expression, mode="eval").body
    called = [part for part in ast.walk(node) if isinstance(part, ast.Call)]
    target = called[-1].func if is_call and called else node
    found = reach(tensorflow, ast.unparse(target).removeprefix("tf."))
    good = found is not None and (not is_call or all(takes(found, part) for part in called[-1:]))
    return "exists" if good else "lacking, told" if is_told else "lacking"


def takes(function: object, call: ast.Call) -> bool:
    """Whether a function has the keywords of a call."""
    try:
        parameters = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return True
    known = {each.name for each in parameters}
    return any(each.kind is each.VAR_KEYWORD for each in parameters) or {str(each.arg) for each in call.keywords} <= known


def compared(expressions: Sequence[str], changes: Any, *, is_call: bool) -> Iterator[tuple[str, str, str, str, str]]:
    """Each expression with what both make of it and the verdicts: ours first."""
    import tensorflow

    text = program(expressions)
    (ours, left), (theirs, warned) = migrated(text), upgraded(text, changes)
    mine, other = lines(ours), lines(theirs)
    for number, expression in enumerate(expressions):
        a, b = mine.get(number, expression), other.get(number, expression)
        first = verdict(tensorflow, a, number in left, is_call=is_call)
        yield expression, a, first, b, verdict(tensorflow, b, number in warned, is_call=is_call)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, print what we lack, write; status 1 if a name is lacking and not told."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.migrate.upgrade")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    from tensorflow.tools.compatibility import tf_upgrade_v2

    changes = tf_upgrade_v2.TFAPIChangeSpec()
    result: dict[str, Any] = {}
    bad = False
    for what, expressions in (("names", names(changes)), ("keywords", keywords(changes))):
        rows = list(compared(expressions, changes, is_call=what == "keywords"))
        for old, ours, mine, theirs, other in rows:
            if mine != "exists" and (mine == "lacking" or other == "exists"):
                print(f"{old}: ours {ours} {mine}; tf_upgrade_v2 {theirs} {other}")
        result[what] = {"dllint": dict(Counter(row[2] for row in rows)), "tf_upgrade_v2": dict(Counter(row[4] for row in rows))}
        bad |= any(row[2] == "lacking" and row[4] == "exists" for row in rows)
        print(what, result[what])
    if options.write:
        print(write("migrate-upgrade", result))
    return int(bad)


if __name__ == "__main__":
    raise SystemExit(main())
