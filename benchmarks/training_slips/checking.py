"""What dllint says of a script and of its changed texts. ``of``: the kinds of faults, those of training if none are named."""

from __future__ import annotations

import ast
import random
import re
import warnings
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from libcst import ParserSyntaxError

from benchmarks.training_slips.kinds.every import kinds
from benchmarks.training_slips.kinds.kind import Kind
from benchmarks.training_slips.script import Script
from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.finding import Finding
from dllint.rules._index import RULES
from dllint.source.document import Document

#: What a finding is recognised by in two texts whose lines differ.
Mark = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Slip:
    """A fault of a kind in a script: at a line of it, and the text that has it."""

    script: str
    kind: Kind
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a finding of one of the rules of a kind is new in the changed text, and how severe the worst of them is."""

    slip: Slip
    found: bool
    severity: str
    code: str


def slips(
    name: str,
    text: str,
    seed: str,
    wanted: Container[str] | None = None,
    path: Path | None = None,
    of: Sequence[Kind] | None = None,
) -> Iterator[Slip]:
    """One fault of each kind, or of each of the ``wanted`` ones, that a script has a place for, at a place drawn by lot."""
    script = _script(text, path)
    if script is None:
        return
    for kind in _all(of):
        if wanted is None or kind.name in wanted:
            sites = list(kind.sites(script))
            site = random.Random(f"{seed} {name} {kind.name}").choice(sites) if sites else None
            if site is not None and _is_changed(text, changed := script.changed(site.changes)):
                yield Slip(name, kind, site.line, changed)


def planned(scripts: Mapping[str, Path], seed: str, most: int, of: Sequence[Kind] | None = None) -> dict[str, set[str]]:
    """The kinds of faults that each script, by its name, is given: each kind goes into at most so many of the scripts that have
    a place for it, drawn by lot."""
    able: dict[str, list[str]] = {}
    for name, path in scripts.items():
        for kind in kinds_in(path, of):
            able.setdefault(kind, []).append(name)
    plan: dict[str, set[str]] = {name: set() for name in scripts}
    for kind, names in able.items():
        for name in random.Random(f"{seed} {kind}").sample(names, min(most, len(names))):
            plan[name].add(kind)
    return plan


def _all(of: Sequence[Kind] | None) -> Sequence[Kind]:
    return kinds() if of is None else of


def kinds_in(path: Path, of: Sequence[Kind] | None = None) -> list[str]:
    """The kinds of faults that a file has a place for."""
    script = _script(path.read_text(encoding="utf-8"), path)
    return [] if script is None else [kind.name for kind in _all(of) if next(kind.sites(script), None) is not None]


@cache
def _script(text: str, path: Path | None) -> Script | None:
    try:
        return Script(text, "" if path is None else _imported(text, path))
    except ParserSyntaxError:
        return None


def _imported(text: str, path: Path) -> str:
    """The texts of the files beside a script, or below a folder that it is in, that its import statements name."""
    found = []
    for first, second in re.findall(r"^\s*(?:from|import)\s+\.*([\w.]*)(?:\s+import\s+(\w+))?", text, re.MULTILINE):
        parts = [part for part in first.split(".") if part]
        for folder in list(path.parents)[:4]:
            for names in ([*parts, second] if second else parts, parts):
                file = folder.joinpath(*names).with_suffix(".py") if names else path
                if file.is_file() and file != path:
                    found.append(file.read_text(encoding="utf-8", errors="replace"))
    return "\n".join(found)


def _is_changed(before: str, after: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.dump(ast.parse(before)) != ast.dump(ast.parse(after))
        except SyntaxError:
            return False


def built_codes() -> frozenset[str]:
    """The codes of the rules that there are."""
    return frozenset(row.code for row in RULES)


def findings(path: Path, text: str, root: Path, of: Sequence[Kind] | None = None) -> list[Finding]:
    """What the rules that some kind names tell of a text in place of a file's; no fixes are tried. ``root``: the folder of its
    repository, from which it is checked."""
    codes = tuple(sorted({code for kind in _all(of) for code in kind.codes} & built_codes()))
    session = Session(Configuration(isolated=True, overrides={"select": codes}, root=root))
    return session.analyser(path).analyse(Document.from_text(path, text)).findings


def marks(told: Iterable[Finding], text: str) -> dict[Mark, int]:
    """How often each finding is told, by its code and the line of the text on which it stands."""
    lines = text.splitlines()
    found: dict[Mark, int] = {}
    for finding in told:
        line = finding.location.span.first.line
        key = finding.code, lines[line - 1].strip() if 0 < line <= len(lines) else ""
        found[key] = found.get(key, 0) + 1
    return found


def judged(path: Path, slip: Slip, before: dict[Mark, int], root: Path, of: Sequence[Kind] | None = None) -> Verdict:
    """What dllint says of a changed text that it does not say of the unchanged one."""
    if built_codes().isdisjoint(slip.kind.codes):
        return Verdict(slip, found=False, severity="", code="")
    told = [finding for finding in findings(path, slip.text, root, of) if finding.code in slip.kind.codes]
    after = marks(told, slip.text)
    new = {mark[0] for mark, count in after.items() if count > before.get(mark, 0)}
    worst = min((finding for finding in told if finding.code in new), key=lambda finding: finding.severity.rank, default=None)
    if worst is None:
        return Verdict(slip, found=False, severity="", code="")
    return Verdict(slip, found=True, severity=worst.severity.value, code=worst.code)
