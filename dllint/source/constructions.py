"""Constructions and calls of a file's classes and functions in files near it: found in their text, nothing is executed.

Looked through are the files of the same directory and of the one above it, up to a number of bytes. A call counts if its file
imports the name from the module, and gives values if every argument is a literal or a constant of that file's top level.

What is only *likely* passed (:meth:`Constructions.likely`) is looked for in more places: tests, examples, README files and
docstrings; and read in more ways: local constants, defaults of the command line's options.
"""

from __future__ import annotations

import ast
import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from dllint.source.example_calls import Example, example_in
from dllint.source.expressions import abstract_expression
from dllint.source.lines import searchable
from dllint.source.observed import Question, Searched, asked, looked_for
from dllint.source.regular import read_regular

#: The kinds of these questions: for the first construction with known arguments, for what all pass, for what is likely, and
#: for what is passed to the object that is made.
FIRST: Final = "construction"
PASSED: Final = "passed"
LIKELY: Final = "likely"
EXAMPLE: Final = "example"
KINDS: Final = (FIRST, PASSED, LIKELY, EXAMPLE)
#: Bytes of one directory that are looked through, and the longest call.
_MOST_BYTES: Final = 3_000_000
_LONGEST: Final = 2_000
_CALLS: Final = re.compile(r"(?<![\w\"'])[A-Za-z]\w*(?=\()")
_IMPORTED: Final = re.compile(r"^[ \t]*from[ \t]+[\w.]+[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n#(]+))", re.MULTILINE)
_BRACKET: Final = re.compile(r"""[()\[\]{}]|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\#[^\n]*""")


#: Folders of code that uses what a project defines, beside or above it; the file that shows its use; so many folders are
#: looked in, and so many files that call a class.
_CALLING: Final = ("tests", "test", "examples", "scripts")
_README: Final = "README.md"
_MOST_ABOVE: Final = 4
_MOST_LIKELY: Final = 8
_LARGEST_TEXT: Final = 200_000
_FENCED: Final = re.compile(r"^```(?:python|py)?[ \t]*\n(.*?)^```", re.MULTILINE | re.DOTALL | re.IGNORECASE)
_DOCSTRING: Final = re.compile(r'(?:"""|\'\'\')(.*?)(?:"""|\'\'\')', re.DOTALL)
_PROMPT: Final = re.compile(r"^[ \t]*(?:>>>|\.\.\.) ?([^\n]*)$", re.MULTILINE)


class Untold:
    """The value of an argument that is not known."""

    __slots__ = ()

    def __repr__(self) -> str:
        """The same in every process: it stands in answers that are kept."""
        return "UNTOLD"


UNTOLD: Final = Untold()


@dataclass(frozen=True, slots=True)
class Construction:
    """The arguments of one call, as Python values."""

    path: Path
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Passed:
    """What a call passes: so many positional arguments, these keywords; ``starred``: and an unknown number of others."""

    positional: int
    keywords: frozenset[str]
    starred: bool = False

    def passes(self, name: str, place: int) -> bool:
        """Whether the call gives a value to the parameter ``name``, which is at a place among the positional ones."""
        return self.starred or name in self.keywords or place < self.positional

    def passes_more(self, places: int, names: Collection[str]) -> bool:
        """Whether the call gives more positional arguments than there are ``places``, or keywords beside ``names``."""
        return self.starred or self.positional > places or not self.keywords <= set(names)


@dataclass(slots=True, eq=False)
class Constructions:
    """Finds constructions; what a directory holds is read once."""

    #: Directory → name of a class → its calls: file and offset.
    _calls: dict[Path, dict[str, list[tuple[Path, int]]]] = field(default_factory=dict)
    _readmes: dict[Path, str] = field(default_factory=dict)

    def of(self, path: Path, name: str) -> Construction | None:
        """The first construction of the class ``name`` that the file ``path`` defines, in another file."""
        found = next(self._constructions(path, name), None)
        asked(Question(FIRST, (str(path), name)), _places(path), repr(found))
        return found

    def likely(self, path: Path, name: str, root: Path) -> Construction | None:
        """What some code, or text about it, likely passes to the class ``name`` that the file ``path`` defines below ``root``:
        of a few constructions, that with the most values; :data:`UNTOLD` stands for what is not known of it."""
        found = self._likely(path, name, root)
        asked(Question(LIKELY, (str(path), name, str(root))), tuple(_likely_places(path, root)), repr(found))
        for folder in _above(path, root):
            looked_for(folder / _README)
        return found

    def example(self, path: Path, name: str, root: Path) -> Example | None:
        """What some code, or text about it, passes to an object that it makes of the class ``name``."""
        found = self._example(path, name, root)
        asked(Question(EXAMPLE, (str(path), name, str(root))), tuple(_likely_places(path, root)), repr(found))
        for folder in _above(path, root):
            looked_for(folder / _README)
        return found

    def _example(self, path: Path, name: str, root: Path) -> Example | None:
        texts = (text for text, _ in self._likely_calls(path, name, root))
        found = (example_in(text, name, _call_at) for text in texts)
        return next((example for example in found if example is not None), None)

    def _likely(self, path: Path, name: str, root: Path) -> Construction | None:
        found: Construction | None = None
        for text, calls in self._likely_calls(path, name, root):
            for call in calls:
                values = _likely_values(call, text)
                if values is not None and (found is None or _told(values) > _told(found)):
                    found = values
        return found if found is not None and _told(found) else None

    def _likely_calls(self, path: Path, name: str, root: Path) -> Iterator[tuple[str, list[ast.Call]]]:
        """Texts with the calls of a name in them; code before text about it."""
        left = _MOST_LIKELY
        for other, offset in self._calls_of(path, name, _likely_places(path, root)):
            text = _text(other) if left > 0 else ""
            if text and _imports(text, path.stem, name):
                left -= 1
                yield text, [call for call in (_call_at(text, offset),) if call is not None]
        for folder in _above(path, root):
            if (text := self._readme(folder / _README)) and name in text:
                yield text, list(_calls_of(text, name))
        own = _raw(path)
        for text in ("\n".join(_PROMPT.findall(own)), *(found[1] for found in _DOCSTRING.finditer(own))):
            if f"{name}(" in text and (calls := list(_calls_of(text, name))):
                yield text, calls

    def _readme(self, path: Path) -> str:
        """The Python code in a README file."""
        if path not in self._readmes:
            self._readmes[path] = "\n".join(_FENCED.findall(_raw(path)))
        return self._readmes[path]

    def passed(self, path: Path, name: str) -> tuple[Passed, ...]:
        """What the constructions of the class ``name`` in other files pass, whatever their arguments are."""
        found = tuple(self._passed(path, name))
        asked(Question(PASSED, (str(path), name)), _places(path), _spelled(found))
        return found

    def is_answer(self, question: Question, answer: str) -> bool:
        """Whether the answer to an earlier question still holds.

        Raises:
            ValueError: that is no question.
        """
        file, name, *below = question.given
        path = Path(file)
        if question.kind == EXAMPLE:
            return repr(self._example(path, name, *map(Path, below))) == answer
        if question.kind == LIKELY:
            return repr(self._likely(path, name, *map(Path, below))) == answer
        if question.kind == FIRST:
            return repr(next(self._constructions(path, name), None)) == answer
        return _spelled(tuple(self._passed(path, name))) == answer

    def _constructions(self, path: Path, name: str) -> Iterator[Construction]:
        for other, offset in self._calls_of(path, name, _places(path)):
            found = _construction(other, offset, path.stem, name)
            if found is not None:
                yield found

    def _passed(self, path: Path, name: str) -> Iterator[Passed]:
        for other, offset in self._calls_of(path, name, _places(path)):
            call = _call_at(_text(other), offset)
            if call is not None and _imports(_text(other), path.stem, name):
                yield _passed(call)

    def _calls_of(self, path: Path, name: str, places: Iterable[Searched]) -> Iterator[tuple[Path, int]]:
        """Where other files in some directories call a name."""
        for place in places:
            if place.directory not in self._calls:
                self._calls[place.directory] = _calls_in(place.directory)
            for other, offset in self._calls[place.directory].get(name, ()):
                if other != path:
                    yield other, offset


def _places(path: Path) -> tuple[Searched, Searched]:
    """Where the files are that are looked through for the constructions of what a file defines."""
    return Searched(path.parent, below=False), Searched(path.parent.parent, below=False)


def _above(path: Path, root: Path) -> list[Path]:
    """The directory of a file, and those above it that are not above ``root``."""
    here = path.parent
    return [here, *(folder for folder in here.parents if root in (folder, *folder.parents))][:_MOST_ABOVE]


def _likely_places(path: Path, root: Path) -> Iterator[Searched]:
    """Where the files are that are looked through for what is likely passed to what a file defines."""
    above = _above(path, root)
    for directory in dict.fromkeys([*above[:2], *(folder / sub for folder in above for sub in _CALLING)]):
        yield Searched(directory, below=False)


def _spelled(found: Iterable[Passed]) -> str:
    return json.dumps([[each.positional, sorted(each.keywords), each.starred] for each in found])


def passed_within(text: str, name: str) -> tuple[Passed, ...]:
    """What the calls of a name in a text pass; its definition, and calls in lines of comments, are none."""
    return tuple(_passed_within(searchable(text), name))


def _passed_within(text: str, name: str) -> Iterator[Passed]:
    name = re.escape(name)  # what is looked for begins with it: a search for letters is fast, and one for a place is not
    for match in re.finditer(rf"{name}(?<![\w\"']{name})(?=\()", text):
        before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        if not re.search(r"\b(?:class|def)\s+$|^\s*#", before) and (call := _call_at(text, match.start())) is not None:
            yield _passed(call)


def _passed(call: ast.Call) -> Passed:
    starred = any(isinstance(arg, ast.Starred) for arg in call.args) or any(k.arg is None for k in call.keywords)
    return Passed(len(call.args), frozenset(k.arg for k in call.keywords if k.arg is not None), starred)


def _calls_in(directory: Path) -> dict[str, list[tuple[Path, int]]]:
    out: dict[str, list[tuple[Path, int]]] = {}
    left = _MOST_BYTES
    for path in sorted(directory.glob("*.py")) if os.path.isdir(directory) else ():
        left -= _size(path)
        if left < 0:
            break
        text = _text(path)
        imported = {name for found in _IMPORTED.finditer(text) for name in re.findall(r"\w+", found[1] or found[2])}
        for match in _CALLS.finditer(text):
            if match[0] in imported or match[0][0].isupper():
                out.setdefault(match[0], []).append((path, match.start()))
    return out


def _size(path: Path) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _text(path: Path) -> str:
    try:
        return searchable(read_regular(path, _MOST_BYTES).decode("utf-8"))
    except (OSError, UnicodeDecodeError):
        return ""


def _construction(path: Path, offset: int, module: str, name: str) -> Construction | None:
    text = _text(path)
    call = _call_at(text, offset)
    if call is None or not _imports(text, module, name):
        return None
    try:
        args = tuple(_value(arg, text) for arg in call.args)
        kwargs = {keyword.arg: _value(keyword.value, text) for keyword in call.keywords if keyword.arg is not None}
    except ValueError:
        return None
    return Construction(path, args, kwargs) if len(kwargs) == len(call.keywords) else None


def _imports(text: str, module: str, name: str) -> bool:
    """Whether a text imports a name from a module (or from the package whose ``__init__`` defines it), or the module."""
    if re.search(rf"^class\s+{name}\b", text, re.MULTILINE):
        return False
    source = r"[\w.]*" if module == "__init__" else rf"[\w.]*\b{re.escape(module)}"
    names = rf"(?:\([^)]*\b{name}\b|[^\n(#]*\b{name}\b)"
    whole = rf"^\s*(?:from\s+[\w.]+\s+)?import\s+[^\n#]*\b{re.escape(module)}\b"
    called = rf"\b{re.escape(module)}\.{name}\("
    return bool(
        re.search(rf"^\s*from\s+{source}\s+import\s+{names}", text, re.MULTILINE)
        or (re.search(whole, text, re.MULTILINE) and re.search(called, text))
    )


def _call_at(text: str, offset: int) -> ast.Call | None:
    """The call that starts at an offset."""
    depth = 0
    for match in _BRACKET.finditer(text, offset, offset + _LONGEST):
        depth += (match[0] in "([{") - (match[0] in ")]}")
        if depth == 0 and match[0] == ")":
            tree = abstract_expression(text[offset : match.end()].strip())
            return tree if isinstance(tree, ast.Call) else None
    return None


def _value(node: ast.expr, text: str) -> Any:
    """The value of a literal or of a constant of the top level.

    Raises:
        ValueError: it is something else.
    """
    if isinstance(node, ast.Name):
        bound = list(_bindings(text, node.id))
        if len(bound) != 1:
            raise ValueError(node.id)
        return bound[0]
    return ast.literal_eval(node)


def _told(construction: Construction) -> int:
    return sum(not isinstance(value, Untold) for value in (*construction.args, *construction.kwargs.values()))


def _likely_values(call: ast.Call, text: str) -> Construction | None:
    """What a call passes, as far as the text tells; None if it cannot be told which arguments there are."""
    if any(isinstance(arg, ast.Starred) for arg in call.args):
        return None
    args = tuple(_likely_value(arg, text) for arg in call.args)
    kwargs = {keyword.arg: _likely_value(keyword.value, text) for keyword in call.keywords if keyword.arg is not None}
    return Construction(Path(), args, kwargs)


def _likely_value(node: ast.expr, text: str) -> Any:
    """The value of a literal, of a constant, or of an option of the command line that has a default."""
    try:
        if isinstance(node, ast.Name):
            bound = list(_bindings(text, node.id, r"[ \t]*"))
            return bound[0] if len(bound) == 1 else UNTOLD
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return _default_of_option(text, node.attr)
        return ast.literal_eval(node)
    except ValueError:
        return UNTOLD


def _default_of_option(text: str, name: str) -> Any:
    """The default of the only option of the command line with a name."""
    dashed = re.escape(name).replace("_", "[-_]")
    calls = list(re.finditer(rf"""add_argument(?=\(\s*(?:["']-\w+["']\s*,\s*)?["']--{dashed}["'])""", text))
    call = _call_at(text, calls[0].start()) if len(calls) == 1 else None
    default = next((keyword.value for keyword in call.keywords if keyword.arg == "default"), None) if call else None
    return ast.literal_eval(default) if default is not None else UNTOLD


def _calls_of(text: str, name: str) -> Iterator[ast.Call]:
    for match in list(re.finditer(rf"(?<![\w\"'.]){re.escape(name)}(?=\()", text))[:_MOST_LIKELY]:
        before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        if not re.search(r"\b(?:class|def)\s+$|#", before) and (call := _call_at(text, match.start())) is not None:
            yield call


def _raw(path: Path) -> str:
    try:
        return read_regular(path, _LARGEST_TEXT).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _bindings(text: str, name: str, indented: str = "") -> Iterator[Any]:
    for match in re.finditer(rf"^{indented}{re.escape(name)}\s*(?::[^=\n]+)?=(?!=)([^\n]+)$", text, re.MULTILINE):
        tree = abstract_expression(match[1].strip())
        if tree is None:
            raise ValueError(name)
        yield ast.literal_eval(tree)
