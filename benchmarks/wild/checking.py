"""Check a repository as its users would, and account for it."""

from __future__ import annotations

import json
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks import measure
from benchmarks.wild.corpus import Corpus, Repository

_ROOT: Final = Path(__file__).parents[2]
#: Raw results of the last run of each corpus, for those who judge; not kept in the repository.
BUILD: Final = _ROOT / "build"
CHECK: Final = ("check", "--isolated", "--no-cache", "--exit-zero", "--output-format", "json", "-j", "1", "--show-hints")
#: The modules of the repository that is checked must not take the place of ours: ``-P`` keeps its root off the path.
_PYTHON: Final = (sys.executable, "-P", "-m", "benchmarks.wild.traced")
NOT_PRESENT: Final = "not present"
_TIMED_OUT: Final = -signal.SIGXCPU


@dataclass(frozen=True, slots=True)
class Place:
    """Where a finding stands, and its rule."""

    repository: str
    file: str
    cell: int | None
    line: int
    code: str
    column: int

    @property
    def key(self) -> tuple[str, str, int | None, int, str]:
        """What a verdict is found by; the column only helps where several findings share the rest."""
        return self.repository, self.file, self.cell, self.line, self.code


@dataclass(frozen=True, slots=True)
class Found:
    """What dllint reports at a place; ``related`` are the file, cell and line of places that explain it."""

    place: Place
    severity: str
    confidence: str
    message: str
    related: tuple[tuple[str, int | None, int], ...] = ()
    advice: str = ""

    @property
    def is_judged(self) -> bool:
        """Whether it is of a kind that is judged: an error or a warning."""
        return self.severity in ("error", "warning")


@dataclass(slots=True)
class Run:
    """One repository's result. ``state`` is ``checked``, ``not present``, ``timed out`` or what else went wrong; ``counts``
    is what :mod:`benchmarks.wild.traced` writes."""

    repository: str
    state: str
    found: list[Found] = field(default_factory=list)
    internal_errors: list[str] = field(default_factory=list)
    counts: dict[str, Any] = field(default_factory=dict)
    cpu_s: float = 0.0
    peak_mib: float = 0.0


def check_all(corpus: Corpus, peers: Path, *, jobs: int, limit_s: int, tell: Callable[[Run], None]) -> list[Run]:
    """Check all repositories of a corpus, ``jobs`` at a time, in their order."""

    def checked(repository: Repository) -> Run:
        run = check(repository, peers, limit_s)
        tell(run)
        return run

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(checked, corpus.repositories))


def check(repository: Repository, peers: Path, limit_s: int) -> Run:
    """Check one repository from its root, for at most ``limit_s`` seconds of CPU time."""
    tree = repository.tree(peers).resolve()
    if not tree.is_dir():
        return Run(repository.name, NOT_PRESENT)
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts.json"
        command = [*_PYTHON, str(limit_s), str(counts), *CHECK, *repository.folders]
        done = measure.run(command, cwd=str(tree), variables={"PYTHONPATH": str(_ROOT)})
        run = Run(repository.name, "checked", cpu_s=round(done.cpu_s, 2), peak_mib=round(done.peak_mib))
        if done.code == _TIMED_OUT:
            run.state = "timed out"
            return run
        try:
            run.found = [_found(record, repository.name, tree) for record in json.loads(done.stdout)]
            run.counts = json.loads(counts.read_text(encoding="utf-8"))
        except (ValueError, OSError):
            run.state = f"exit {done.code}: {done.stderr.strip()[-300:]}"
        run.internal_errors = [line for line in done.stderr.splitlines() if line.startswith("internal-error:")]
    return run


def _found(record: dict[str, Any], repository: str, tree: Path) -> Found:
    def relative(name: str) -> str:
        path = Path(name)
        return path.relative_to(tree).as_posix() if path.is_relative_to(tree) else path.name

    at = record["location"]
    place = Place(repository, relative(record["filename"]), record["cell"], at["row"], record["code"], at["column"])
    related = tuple((relative(near["filename"]), near["cell"], near["location"]["row"]) for near in record["related"])
    advice = record.get("advice") or ""
    return Found(place, record["severity"], record["confidence"], record["message"], related, advice)


def keep(corpus: Corpus, runs: Sequence[Run]) -> Path:
    """Write the raw results where :func:`kept` looks."""
    BUILD.mkdir(exist_ok=True)
    path = BUILD / f"wild-{corpus.name}.json"
    path.write_text(json.dumps([asdict(run) for run in runs]), encoding="utf-8")
    return path


def kept(corpus: Corpus) -> list[Run]:
    """The raw results of the last run of a corpus.

    Raises:
        FileNotFoundError: it was never run here.
    """
    path = BUILD / f"wild-{corpus.name}.json"
    return [_run(record) for record in json.loads(path.read_text(encoding="utf-8"))]


def _run(record: dict[str, Any]) -> Run:
    def related(items: list[list[Any]]) -> tuple[tuple[str, int | None, int], ...]:
        return tuple((file, cell, line) for file, cell, line in items)

    found = [Found(Place(**f.pop("place")), **{**f, "related": related(f["related"])}) for f in record.pop("found")]
    return Run(found=found, **record)
