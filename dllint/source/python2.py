"""Detection of Python 2 in a text that does not parse."""

from __future__ import annotations

import re
from typing import Final

from dllint.source.parse import SyntaxProblem

#: Statements that only Python 2 has, by name.
_STATEMENTS: Final = (
    ("the print statement", re.compile(r"(?:^|[:;])\s*print\s*(?:>>|[\w'\"\[{`~-]|\([^()]*\)\s*[%,.]|$)")),
    ("`except E, name`", re.compile(r"^\s*except\s+[\w.()\s,]+,\s*\w+\s*:")),
    ("`raise E, value`", re.compile(r"(?:^|[:;])\s*raise\s+[\w.]+\s*,")),
    ("the exec statement", re.compile(r"(?:^|[:;])\s*exec\s+[\w'\"]")),
    ("a tuple among the parameters", re.compile(r"^\s*def\s+\w+\s*\((?:[^()]*,)?\s*\(")),
    ("a tuple among the parameters", re.compile(r"\blambda\s*(?:[^:()]*,)?\s*\([\w\s,]*\)[^:]*:")),
    ("backticks", re.compile(r"`[^`]+`")),
    ("`<>`", re.compile(r"<>")),
    ("octal and long numbers", re.compile(r"(?<![\w.])(?:0[0-7]+|[1-9]\d*[lL])\b")),
    ("`ur` texts", re.compile(r"\b[uU][rR]['\"]")),
)
#: What only Python 3 has: a text with it is a broken one.
_PYTHON_3: Final = re.compile(
    r"(?<![\w'\"%])[fF][rR]?['\"]|^\s*async\s+def\b|^\s*nonlocal\b|^\s*def\b[^\n]*\)\s*->|:=|\byield\s+from\b"
    r"|\bprint\([^\n]*\b(?:end|sep|flush|file)\s*=|\braise\b[^\n]*\bfrom\s+\w+\s*$",
    re.MULTILINE,
)
_NO_STATEMENT: Final = re.compile(r"from\s+__future__\s+import[^\n]*\bprint_function\b")
_SHEBANG: Final = re.compile(r"#![^\n]*\bpython2(?:\.\d)?\b")
_TABS: Final = "inconsistent use of tabs"
_MISSING_PARENTHESES: Final = re.compile(r"Missing parentheses in call to '(print|exec)'")


def python_2_syntax(text: str, problem: SyntaxProblem) -> str:
    """What of Python 2 keeps a text from being parsed; empty if the text is a broken one of Python 3."""
    if _PYTHON_3.search(text) is not None and _NO_STATEMENT.search(text) is None:
        return ""
    if (named := _MISSING_PARENTHESES.match(problem.message)) is not None:
        return f"the {named[1]} statement"
    if problem.message.startswith(_TABS) and _SHEBANG.match(text) is not None:
        return "tabs beside spaces"
    lines = text.splitlines()
    line = lines[problem.line - 1] if 0 < problem.line <= len(lines) else ""
    return next((name for name, pattern in _STATEMENTS if pattern.search(line) is not None), "")
