"""Python files that were written by nobody: mutants of public files, and hostile ones that are generated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.fuzz.corpus import tensor_code
from benchmarks.fuzz.hostile import hostile
from benchmarks.fuzz.mutations import mutant
from benchmarks.fuzz.options import Options
from benchmarks.fuzz.report import Report, Trouble
from benchmarks.fuzz.watched import Ended, watched
from dllint.config.discovery import Configuration
from dllint.engine.homes import at_home
from dllint.engine.session import Session
from dllint.report.formats import render
from dllint.report.listing import Listing

#: How many mutants are made of a file before the next one is taken: they share what the file imports.
_PER_FILE: Final = 8
#: Of so many inputs one is hostile, beside the mutants.
_HOSTILE_SHARE: Final = 20
_FORMATS: Final = ("full", "concise", "json", "sarif", "github")
#: Checks that may share a session: those of one public file's mutants.
_sessions: dict[str, Session] = {}


@dataclass(frozen=True, slots=True)
class Source:
    """A file to check: what its seed makes of it, in place of a path; ``group`` names those that share a session."""

    kind: str
    seed: str
    path: Path
    data: bytes
    fix: bool = False
    group: str = ""


def run(options: Options) -> Report:
    """Check ``count`` files, mutants and hostile ones; without public checkouts, hostile ones only."""
    report = Report("sources", options.seed)
    if options.peers is None:
        report.absent.append("public files (--peers)")
    return checked(report, options.timely(_made(options)), options.jobs)


def checked(report: Report, sources: Iterator[Source], jobs: int) -> Report:
    """A report with the outcome of some files."""
    for ended in watched(check, sources, jobs=jobs):
        report.counts[ended.item.kind] += 1
        report.progress()
        _slowest(report, ended)
        for trouble in _troubles(ended):
            report.add(trouble)
    return report


def _troubles(ended: Ended[Source]) -> list[Trouble]:
    source = ended.item
    found = [(ended.kind, ended.detail)] if ended.kind else ended.value
    suffix = source.path.suffix
    return [Trouble(kind, f"{source.kind} {source.seed}", detail, source.data, suffix) for kind, detail in found]


def check(source: Source) -> list[tuple[str, str]]:
    """What is wrong with the check of a file."""
    if source.group not in _sessions:
        _sessions.clear()
        _sessions[source.group] = Session(Configuration(isolated=True))
    session = _sessions[source.group]
    result = session.check_bytes(source.path, source.data, fix=source.fix)
    (result,) = at_home([result], session.configuration)
    listing = Listing(result.findings, lambda path, cell: result.before if path == source.path else "", base=source.path.parent)
    for form in _FORMATS:
        for _ in render(form, listing):
            pass
    return [("internal error", f"{notice.message}\n{notice.traceback}") for notice in result.notices if not notice.expected]


def _made(options: Options) -> Iterator[Source]:
    """Mutants, and hostile files among them; each can be made again of its seed alone (and the public file)."""
    if options.peers is None:
        for number in range(options.count):
            yield _hostile(options.seed, number)
        return
    files = tensor_code(options.peers, Random(options.seed))
    made, number = 0, 0
    other = ""
    while made < options.count:
        path = next(files)
        text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
        for _ in islice(range(_PER_FILE), options.count - made):
            seed = f"{options.seed}.{number}"
            number += 1
            made += 1
            if number % _HOSTILE_SHARE == 0:
                yield _hostile(options.seed, number)
                continue
            random = Random(seed)
            data = mutant(text, other, random)
            name = f"{seed} {path.relative_to(options.peers)}"
            yield Source("mutated", name, path, data, fix=random.random() < 0.2, group=str(path))
        other = text


def _hostile(seed: int, number: int) -> Source:
    random = Random(f"hostile {seed}.{number}")
    name, text = hostile(random)
    path = Path("hostile") / f"{name}.py"
    return Source("hostile", f"{seed}.{number} {name}", path.absolute(), text.encode("utf-8", "surrogatepass"), group="hostile")


def _slowest(report: Report, ended: Ended[Source]) -> None:
    for name, value in (("most CPU s", ended.cpu_s), ("most MiB", ended.peak_mib)):
        if value > report.more.get(name, (0, ""))[0]:
            report.more[name] = (round(value, 1), f"{ended.item.kind} {ended.item.seed}")
