"""The baseline: findings that are known and not reported again, so that a rule set can be adopted on old code.

A finding is recognised by its file, its code, the class and function around it and the text of its line, not by the number of
the line: it stays known when code above it moves, and is reported again when its line changes.
"""

from __future__ import annotations

import ast
import json
import os
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from dllint.engine.failing import described, failing
from dllint.engine.results import IO_ERROR, SYNTAX_ERROR, FileResult
from dllint.finding import Finding
from dllint.source.encoding import UndecodableError, decode
from dllint.source.plain import Plain
from dllint.source.regular import read_regular

_VERSION: Final = 1
_KEYS: Final = frozenset({"version", "files"})
_ROW: Final = frozenset({"code", "scope", "line", "count"})
#: The lines of a baseline, and what version control puts between two of them.
_LINE: Final = re.compile(
    r"""\s*+(?:[{}\[\],]*|"version": \d+,|"files": \{|"[^"]*": \[|\{"code": "[^"]*", "scope": .*\},?|(?:[<=>|]{7}.*))\s*"""
)
_NEVER: Final = frozenset({SYNTAX_ERROR, IO_ERROR})


class BaselineError(ValueError):
    """A baseline file cannot be used; the message says why."""


class Known(NamedTuple):
    """The key by which a baseline recognises a finding of one file."""

    code: str
    scope: str
    line: str


@dataclass(slots=True)
class Baseline:
    """The known findings, by file: paths are relative to the directory of the baseline file, with forward slashes."""

    path: Path
    files: dict[str, Counter[Known]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Baseline:
        """The baseline in a file; empty if there is no such file.

        Raises:
            BaselineError: the file cannot be read, or is no baseline.
        """
        try:
            data = json.loads(read_regular(path).decode("utf-8"))
        except FileNotFoundError:
            return cls(path)
        except OSError as error:
            raise BaselineError(f"cannot read the baseline {path}: {error.strerror or error}") from error
        except (ValueError, RecursionError) as error:
            raise BaselineError(f"the baseline {path} is not valid JSON: {error}") from error
        except Exception as error:  # the reader's own fault, or no memory
            raise BaselineError(f"cannot read the baseline {path}: {described(error)}") from error
        return cls(path, dict(_files(path, data)))

    def take(self, results: Sequence[FileResult]) -> Taken:
        """Take the known findings out of the results."""
        hidden = 0
        left = {name: Counter(found) for name, found in self.files.items()}
        for result in results:
            new: list[Finding] = []
            with failing(result, f"the findings could not be looked up in {self.path.name}, and are reported"):
                identities = list(_identities(result))
                for finding, known in zip(result.findings, identities, strict=True):
                    here = left.get(self._name(finding.location.path))
                    if known is not None and here is not None and here[known] > 0:
                        here[known] -= 1
                        hidden += 1
                    else:
                        new.append(finding)
                result.findings = new
        checked = {self._name(result.path) for result in results}
        stale = {(name, known): count for name in checked for known, count in left.get(name, {}).items() if count > 0}
        return Taken(hidden, Counter(stale))

    def update(self, results: Iterable[FileResult]) -> None:
        """Make the findings of the results the known ones of their files; forget files that are gone. In files that others led
        to, findings are added to what is known."""
        results = list(results)
        self.files.update({self._name(result.path): Counter() for result in results})
        checked = {result.path.absolute() for result in results}
        for result in results:
            found: dict[Path, Counter[Known]] = {}
            for finding, known in zip(result.findings, _identities(result), strict=True):
                if known is not None:
                    found.setdefault(finding.location.path, Counter())[known] += 1
            for path, counts in found.items():
                before = self.files.setdefault(self._name(path), Counter())
                self.files[self._name(path)] = before + counts if path.absolute() in checked else before | counts
        here = self.path.parent
        self.files = {name: found for name, found in sorted(self.files.items()) if found and os.path.exists(here / name)}

    def text(self) -> str:
        """The content of the baseline file: sorted, one finding per line, so that changes of it read well."""
        files = ",\n".join(f"  {json.dumps(name)}: [\n{_rows(found)}\n  ]" for name, found in sorted(self.files.items()))
        return f'{{\n "version": {_VERSION},\n "files": {{\n{files}\n }}\n}}\n'

    @property
    def total(self) -> int:
        """The number of known findings."""
        return sum(found.total() for found in self.files.values())

    def _name(self, path: Path) -> str:
        absolute, here = path.absolute(), self.path.absolute().parent
        return absolute.relative_to(here).as_posix() if absolute.is_relative_to(here) else absolute.as_posix()


@dataclass(frozen=True, slots=True)
class Taken:
    """What a baseline did to a run: how many findings it hid, and which of its entries no longer occur."""

    hidden: int = 0
    stale: Counter[tuple[str, Known]] = field(default_factory=Counter)


def may_replace(path: Path) -> bool:
    """Whether a file that cannot be used as a baseline is a damaged one, or of another version, or empty: whether nothing in it
    is anything but a baseline's."""
    try:
        text = read_regular(path).decode("utf-8").strip()
    except (OSError, ValueError):
        return False
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return all(map(_LINE.fullmatch, text.split("\n")))
    return _is_baseline(data) and all(map(_holds_rows, data["files"].values()))


def _is_baseline(data: Plain) -> bool:
    """Whether data is that of a baseline of some version, apart from the rows of its files."""
    return isinstance(data, dict) and data.keys() == _KEYS and type(data["version"]) is int and isinstance(data["files"], dict)


def _holds_rows(rows: Plain) -> bool:
    return isinstance(rows, list) and all(isinstance(row, dict) and row.keys() <= _ROW for row in rows)


def _rows(found: Mapping[Known, int]) -> str:
    rows = ({**known._asdict(), "count": count} for known, count in sorted(found.items()))
    return ",\n".join(f"   {json.dumps(row, ensure_ascii=False)}" for row in rows)


def _files(path: Path, data: Any) -> Iterator[tuple[str, Counter[Known]]]:
    if not _is_baseline(data):
        raise BaselineError(f"{path} is no baseline of dllint")
    if data["version"] != _VERSION:
        raise BaselineError(f"{path} is no baseline of this version of dllint; write it anew with --update-baseline")
    try:
        for name, rows in data["files"].items():
            if not _holds_rows(rows):
                raise ValueError(name)
            yield name, Counter({Known(row["code"], row["scope"], row["line"]): int(row["count"]) for row in rows})
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise BaselineError(f"the baseline {path} is damaged; write it anew with --update-baseline") from error


def _identities(result: FileResult) -> Iterator[Known | None]:
    """What each finding of a result is recognised by; ``None`` for those that no baseline can hide."""
    texts: dict[tuple[Path, int | None], _Text] = {}
    for finding in result.findings:
        if finding.code in _NEVER:
            yield None
            continue
        path, cell = finding.location.path, finding.location.cell
        if (path, cell) not in texts:
            texts[path, cell] = _Text(_text_of(result, path, cell))
        yield texts[path, cell].identity(finding)


def _text_of(result: FileResult, path: Path, cell: int | None) -> str:
    """The text that a finding of a result lies in."""
    if path.absolute() == result.path.absolute():
        return result.after if cell is None else result.cells.get(cell, "")
    try:
        return decode(read_regular(path))[0]
    except (OSError, UndecodableError):
        return ""


class _Text:
    """A text with the classes and functions in it."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()
        self._scopes = list(_scopes(text))

    def identity(self, finding: Finding) -> Known:
        number = finding.location.span.first.line
        line = self._lines[number - 1] if number <= len(self._lines) else ""
        around = [name for first, last, name in self._scopes if first <= number <= last]
        return Known(finding.code, ".".join(around), " ".join(line.split()))


def _scopes(text: str) -> Iterator[tuple[int, int, str]]:
    """First line, last line and name of every class and function, outer ones first."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.end_lineno or node.lineno, node.name
