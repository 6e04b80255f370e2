"""``--fix`` killed at random moments: every file is the old one or the new one."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.fuzz.command import told
from benchmarks.fuzz.options import Options
from benchmarks.fuzz.report import Report, Trouble

_PROGRAMS: Final = (
    "import torch\nfrom torch import nn\n\nnet = nn.Linear(4, 2)\nnet(torch.zeros({n}, 5))\n",
    "import torch\n\nx = torch.randn(4, {n}, requires_grad=True)\ny = torch.log(torch.softmax(x, dim=1))\n",
    "import torch\n\nx = torch.randn(8, {n}, 4, 3).transpose(1, 2)\ny = x.view(8, 4 * {n}, 3)\n",
    "from keras.optimizers import Adam\n\noptimizer = Adam(lr=0.00{n})\n",
    "import torch\n\nprint(torch.zeros({n}))\n",
)
_FIX: Final = ("check", "--fix", "--unsafe-fixes", "--isolated", "--exit-zero")
#: Seconds that a run which nobody kills may take.
_LONGEST: Final = 300
#: Of so many kills, all but one wait for the first file to be written: before that, nothing is at stake.
_EARLY: Final = 4
_PER_PROJECT: Final = 20


def run(options: Options) -> Report:
    """Kill ``count`` runs, some in each project."""
    report = Report("kills", options.seed)
    while report.counts["kills"] < options.count and not options.is_over:
        report.counts["projects"] += 1
        seed = f"{options.seed}.{report.counts['projects']}"
        random = Random(f"kill {seed}")
        with tempfile.TemporaryDirectory() as name:
            project = _project(Path(name), random)
            for _ in options.timely(range(min(_PER_PROJECT, options.count - report.counts["kills"]))):
                for kind, detail in _killed(project, random, report):
                    report.add(Trouble(kind, seed, detail))
                report.counts["kills"] += 1
                report.progress()
    return report


@dataclass(frozen=True, slots=True)
class _Project:
    """Files as they were and as they are when they are fixed, how they are fixed, and the seconds that takes."""

    folder: Path
    old: dict[Path, bytes]
    new: dict[Path, bytes]
    arguments: tuple[str, ...]
    taken: float


def _project(folder: Path, random: Random) -> _Project:
    (folder / ".git").mkdir()
    old = _written(folder, random)
    arguments = (*_FIX, "-j", str(random.choice((1, 1, 2))), *random.choice(((), ("-n",))), ".")
    new, taken = _whole(folder, arguments, old)
    return _Project(folder, old, new, arguments, taken)


def _killed(project: _Project, random: Random, report: Report) -> list[tuple[str, str]]:
    """What is wrong with the files after a kill, and after the run that follows."""
    folder, old, new = project.folder, project.old, project.new
    for path, data in old.items():
        path.write_bytes(data)
    process = _started(folder, project.arguments)
    if random.randrange(_EARLY):
        _wait_for_a_write(folder, old, process)
        time.sleep(random.random() * project.taken / 3)
    else:
        time.sleep(random.random() * project.taken)
    os.killpg(process, signal.SIGKILL)
    os.waitpid(process, 0)
    wrong = [("torn", f"{path.name}: {path.read_bytes()!r}") for path in old if path.read_bytes() not in (old[path], new[path])]
    fixed = sum(path.read_bytes() == new[path] != old[path] for path in old)
    wanted = sum(new[path] != old[path] for path in old)
    report.counts["killed between two files"] += 0 < fixed < wanted
    report.counts["killed before"] += fixed == 0
    report.counts["temporary files left"] += len(_left(folder, old))
    again, _ = _whole(folder, project.arguments, old)
    return wrong + [("second run", f"{path.name}: {again[path]!r}") for path in old if again[path] != new[path]]


def _written(folder: Path, random: Random) -> dict[Path, bytes]:
    """The files of a project, small and large."""
    old = {}
    for number in range(random.randrange(3, 7)):
        path = folder / random.choice(("", "pkg", "pkg/sub")) / f"m{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = random.choice(_PROGRAMS).format(n=random.randrange(2, 9)) + "# a word\n" * random.choice((0, 10, 300))
        old[path] = text.encode()
        path.write_bytes(old[path])
        path.chmod(random.choice((0o644, 0o600, 0o755)))
    return old


def _whole(folder: Path, arguments: tuple[str, ...], old: dict[Path, bytes]) -> tuple[dict[Path, bytes], float]:
    """The files after a run that nobody kills, and the seconds it took."""
    began = time.monotonic()
    process = _started(folder, arguments)
    while os.waitpid(process, os.WNOHANG)[0] == 0:
        if time.monotonic() - began > _LONGEST:
            os.killpg(process, signal.SIGKILL)
        time.sleep(0.002)
    return {path: path.read_bytes() for path in old}, time.monotonic() - began


def _started(folder: Path, arguments: tuple[str, ...]) -> int:
    """A process in a group of its own that runs a command line."""
    process = os.fork()
    with suppress(OSError):  # whoever of both comes first makes the group
        os.setpgid(process, 0)
    if process:
        return process
    try:
        told(folder, *arguments)
    finally:
        os._exit(0)


def _wait_for_a_write(folder: Path, old: dict[Path, bytes], process: int) -> None:
    sizes = {path: path.stat().st_ino for path in old}
    while not _left(folder, old) and all(path.stat().st_ino == inode for path, inode in sizes.items()):
        if Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
            return


def _left(folder: Path, old: dict[Path, bytes]) -> list[str]:
    """The names of files of dllint's beside those of the project."""
    return [name for parent in {path.parent for path in old} for name in os.listdir(parent) if name.endswith(".dllint")]
