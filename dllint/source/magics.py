"""IPython's own syntax in notebook cells, turned into Python lines of the same place.

Covered is what IPython's input transformer documents: line magics (``%matplotlib inline``), cell magics (``%%time``), shell
commands (``!pip install``), their assigned form (``files = !ls``) and help (``Dense?``).
"""

from __future__ import annotations

import ast
import re
import tokenize
import warnings
from dataclasses import dataclass
from typing import Final

from dllint.source.lines import split_lines

#: Line magics that IPython takes without ``%`` (automagic), with arguments that are no Python.
_AUTOMAGIC: Final = re.compile(
    r"(?:cd|ls|ll|cp|mv|rm|rmdir|mkdir|cat|less|more|man|pwd|history|env|time|timeit|run|load)"
    r"(?: +(?!(?:\*\*|//|<<|>>|[-+*/%&|^@])?=|[(,]|\.\w).*|)"
)
#: Cell magics whose cell is Python that runs in the notebook's own namespace.
_PYTHON_CELLS: Final = frozenset({"time", "timeit", "capture", "prun", "memit", "mprun", "lprun", "heat", "scalene", "wandb"})
#: The line that begins a cell in a Python file (Spyder, VS Code, Jupytext's percent format).
_CELL_MARK: Final = re.compile(r"^# ?%%", re.MULTILINE)
_CELL_MAGIC: Final = re.compile(r"\s*%%(\w+)")
_COMMAND: Final = re.compile(r"(?P<indent>\s*)(?:[%!?].*|[\w.]+\?{1,2}\s*$|(?:pip|conda|apt-get) +install\b(?! *[=(.]).*)")
_ASSIGNED: Final = re.compile(r"(?P<indent>\s*)(?P<targets>[A-Za-z_][\w.\[\], '\"]*+)\s*+=\s*+[!%]\s*[\w/.~(\"'].*")
_TIMED: Final = re.compile(r"(?P<indent>\s*)%time (?P<statement>\S.*)")
#: As long as ``%time ``, so that columns stay what they are.
_IF_TIMED: Final = "if 1: "


@dataclass(frozen=True, slots=True)
class Translated:
    """A cell as Python. ``replaced`` holds, in order, the lines that were not Python and what stands for them."""

    code: str
    replaced: tuple[tuple[str, str], ...] = ()

    def restore(self, code: str) -> str | None:
        """An edited cell with its own lines back in place; ``None`` if one of those that stand for them was changed."""
        lines = split_lines(code)
        at = 0
        for stand_in, original in self.replaced:
            while at < len(lines) and lines[at].rstrip("\r\n") != stand_in:
                at += 1
            if at == len(lines):
                return None
            ending = lines[at][len(stand_in) :]
            lines[at] = original + ending
            at += 1
        return "".join(lines)


def translated(source: str) -> Translated | None:
    """A cell as Python; ``None`` if its magic says that it is something else."""
    magic = _CELL_MAGIC.match(source)
    if magic is not None and magic[1] not in _PYTHON_CELLS:
        return None
    if magic is None and _is_python(source):
        return Translated(source)
    indented = _indented(source)
    if magic is None and indented is not None:
        return indented
    return _Translation(split_lines(source)).run()


def is_script_of_cells(text: str) -> bool:
    """Whether a text that is no Python is one for IPython: cut into cells by ``# %%`` as editors do, and Python but for
    IPython's own syntax."""
    if _CELL_MARK.search(text) is None:
        return False
    found = _Translation(split_lines(text)).run()
    return bool(found.replaced) and _is_python(found.code)


def _indented(source: str) -> Translated | None:
    """A cell whose first line is indented, which IPython takes without that; ``None`` if it is no Python then, either."""
    lines = split_lines(source)
    first = next((line for line in lines if line.strip() and not line.lstrip().startswith("#")), "")
    margin = first[: len(first) - len(first.lstrip())]
    if not margin:
        return None
    dedented = [line[len(margin) :] if line.startswith(margin) else line for line in lines]
    pairs = [(new.rstrip("\r\n"), old.rstrip("\r\n")) for new, old in zip(dedented, lines, strict=True) if new != old]
    return Translated("".join(dedented), tuple(pairs)) if _is_python("".join(dedented)) else None


def _is_python(source: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


class _Translation:
    """One pass over the lines of a cell. Only where a logical line begins can IPython's syntax stand."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._replaced: list[tuple[str, str]] = []

    def run(self) -> Translated:
        at = 0
        while at < len(self._lines):
            line = self._lines[at].rstrip("\r\n")
            stand_in = _stand_in(line, at + 1)
            if stand_in is None and _AUTOMAGIC.fullmatch(line) and not _is_python(self._statement(at)):
                stand_in = f"pass  # dllint: line {at + 1}"
            if stand_in is None:
                at = self._end_of_statement(at)
                continue
            self._replace(at, stand_in)
            at += 1
            while line.endswith("\\") and at < len(self._lines):
                line = self._lines[at].rstrip("\r\n")
                self._replace(at, f"# dllint: line {at + 1}")
                at += 1
        return Translated("".join(self._lines), tuple(self._replaced))

    def _replace(self, at: int, stand_in: str) -> None:
        line = self._lines[at].rstrip("\r\n")
        self._replaced.append((stand_in, line))
        self._lines[at] = stand_in + self._lines[at][len(line) :]

    def _statement(self, at: int) -> str:
        """The logical line that begins on a line: a name of a magic may be that of a variable."""
        return "".join(self._lines[at : self._end_of_statement(at)])

    def _end_of_statement(self, at: int) -> int:
        """The number of the line after the logical line that begins on a line."""
        if self._lines[at].lstrip()[:1] in ("", "#"):
            return at + 1
        lines = (self._lines[number] for number in range(at, len(self._lines)))
        try:
            for token in tokenize.generate_tokens(lines.__next__):
                if token.type == tokenize.NEWLINE:
                    return at + token.end[0]
                if token.type == tokenize.ERRORTOKEN:  # as of Python 3.12 this raises; before, each blank is looked at anew
                    break
        except (tokenize.TokenError, SyntaxError):
            pass
        return at + 1


def _stand_in(line: str, number: int) -> str | None:
    """The Python line that stands for a line of IPython's syntax; ``None`` if it is none."""
    mark = f"# dllint: line {number}"
    timed = _TIMED.fullmatch(line)
    if timed is not None and not timed["indent"] and _is_python(timed["statement"]):
        return f"{_IF_TIMED}{timed['statement']}  {mark}"
    assigned = _ASSIGNED.fullmatch(line)
    if assigned is not None:
        return f"{assigned['indent']}{assigned['targets'].rstrip()} = get_ipython()  {mark}"
    command = _COMMAND.fullmatch(line)
    if command is None:
        return None
    return f"{command['indent']}pass  {mark}"
