"""Fixes in files of many encodings and line breaks: what lies outside of them keeps its bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import chain
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.fuzz.corpus import public_files
from benchmarks.fuzz.options import Options
from benchmarks.fuzz.report import Report, Trouble
from benchmarks.fuzz.watched import watched
from dllint.config.discovery import Configuration
from dllint.engine.relevant import is_relevant
from dllint.engine.session import Session
from dllint.source.lines import split_lines

_ROOT: Final = Path(__file__).parents[2]
_OWN: Final = (_ROOT / "fixtures", _ROOT / "benchmarks" / "recall" / "authored")
#: What Python reads sources in, and words that need it.
ENCODINGS: Final = {
    "utf-8": "é 中 😀",
    "utf-8-sig": "ﬁ Ω",
    "latin-1": "é ÿ",
    "iso-8859-15": "€ é",
    "cp1252": "“é”",
    "koi8-r": "слово",
    "shift_jis": "日本 表",
    "euc_jp": "日本語",
    "gbk": "中文",
}
BREAKS: Final = ("\n", "\r\n", "\r")
_LARGEST: Final = 30_000
_Lines = list[bytes]


@dataclass(frozen=True, slots=True)
class Variant:
    """An encoding, line breaks (several take turns), and whether the last line ends in one."""

    encoding: str
    breaks: tuple[str, ...]
    ends: bool

    def of(self, text: str) -> bytes:
        """A text in this form."""
        words = ENCODINGS[self.encoding]
        cookie = "" if self.encoding.startswith("utf-8") else f"# -*- coding: {self.encoding} -*-\n"
        lines = split_lines(f"{cookie}# {words}\n{text}# {words}\n")
        turns = [line.rstrip("\r\n") + self.breaks[number % len(self.breaks)] for number, line in enumerate(lines)]
        whole = "".join(turns)
        return (whole if self.ends else whole.rstrip("\r\n")).encode(self.encoding)


#: Every encoding with all line breaks; the last line ends in every other one.
VARIANTS: Final = tuple(
    Variant(encoding, breaks, (row + column) % 2 == 0)
    for row, encoding in enumerate(ENCODINGS)
    for column, breaks in enumerate((*((one,) for one in BREAKS), ("\n", "\r\n")))
)


def run(options: Options) -> Report:
    """Apply the fixes of ``count`` files that have any, of this repository and of public checkouts, in all variants."""
    report = Report("encodings", options.seed)
    files = _own_files()
    if options.peers is None:
        report.absent.append("public files (--peers)")
    else:
        public = public_files(options.peers)
        Random(options.seed).shuffle(public)
        files = chain(files, public)
    for ended in watched(look, options.timely(files), jobs=options.jobs):
        report.counts["files looked at"] += 1
        report.progress()
        if ended.kind:
            report.add(Trouble(ended.kind, str(ended.item), ended.detail, ended.item.read_bytes()))
        elif ended.value is not None:
            fixes, wrong = ended.value
            report.counts["files with fixes"] += 1
            report.counts["fixes"] += fixes
            report.counts["variants"] += len(VARIANTS)
            for variant, detail in wrong:
                report.add(Trouble("bytes", f"{ended.item} {variant}", detail, variant.of(_plain(ended.item))))
        if report.counts["files with fixes"] >= options.count:
            break
    return report


def _own_files() -> Iterator[Path]:
    for folder in _OWN:
        yield from sorted(folder.rglob("*.py"))


def _plain(path: Path) -> str:
    """The text of a file with LF, in ASCII, so that every encoding can hold it."""
    text = path.read_bytes().decode("utf-8", "replace").encode("ascii", "replace").decode()
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("coding", "Coding").replace("\0", "")
    return lines if lines.endswith("\n") else lines + "\n"


def look(path: Path) -> tuple[int, list[tuple[Variant, str]]] | None:
    """How many fixes a file has, and in which variants they change more than they should; None if it has none."""
    text = _plain(path)
    if len(text) > _LARGEST or not is_relevant(path, text):
        return None
    session = Session(Configuration(isolated=True, overrides={"unsafe_fixes": True}))
    usual = Variant("utf-8", ("\n",), True)
    before = usual.of(text)
    first = session.check_bytes(path, before, fix=True)
    if first.data is None:
        return None
    wrong = []
    for variant in VARIANTS:
        result = session.check_bytes(path, variant.of(text), fix=True)
        if detail := _difference(variant, text, result.data, result.fixed.total() - first.fixed.total()):
            wrong.append((variant, detail))
    return first.fixed.total(), wrong


def _difference(variant: Variant, text: str, data: bytes | None, more: int) -> str:
    """What is wrong with the fixed bytes of a variant."""
    if data is None or more:
        return f"not fixed as in UTF-8: {more} fixes more"
    try:
        after = data.decode(variant.encoding)
    except UnicodeDecodeError as error:
        return f"cannot be read again: {error}"
    old, new = (split_lines(whole) for whole in (variant.of(text).decode(variant.encoding), after))
    bare_old, bare_new = ([line.rstrip("\r\n") for line in lines] for lines in (old, new))
    for kind, first, last, start, end in SequenceMatcher(None, bare_old, bare_new, autojunk=False).get_opcodes():
        if kind == "equal" and old[first:last] != new[start:end]:
            return f"lines {first + 1} to {last}: {old[first:last]!r} became {new[start:end]!r}"
        foreign = [line for line in new[start:end] if not line.endswith(variant.breaks) and line is not new[-1]]
        if len(variant.breaks) == 1 and foreign:
            return f"other line breaks: {foreign!r}"
    if variant.ends is not after.endswith(("\n", "\r")):
        return "the end of the last line"
    return "" if data == after.encode(variant.encoding) else "bytes that stand for the same text"
