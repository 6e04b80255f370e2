"""Spreading files over processes. Results do not depend on it; a process that dies takes one file with it."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from typing import Final

from dllint.engine.results import FileResult, Notice, size_of

Work = Callable[[Sequence[Path]], list[FileResult]]
_BATCHES_PER_PROCESS: Final = 8


def check_in_processes(files: Sequence[Path], work: Work, jobs: int, advance: Callable[[], None]) -> list[FileResult]:
    """The results of ``work`` for all files, in their order; ``work`` must be picklable, ``advance`` is called per file.

    Raises what ``work`` raises.
    """
    done: dict[Path, FileResult] = {}
    with _pool(jobs) as pool:
        try:
            for future in as_completed([pool.submit(work, batch) for batch in _batches(files, jobs)]):
                for result in future.result():
                    done[result.path] = result
                    advance()
        except BrokenProcessPool:
            pass
        except BaseException:
            _kill(pool)
            raise
    for path in files:
        if path not in done:
            done[path] = _check_alone(path, work)
            advance()
    return [done[path] for path in files]


def _pool(jobs: int) -> ProcessPoolExecutor:
    method = "fork" if "fork" in get_all_start_methods() else "spawn"
    return ProcessPoolExecutor(jobs, mp_context=get_context(method), initializer=_prepare)


def _prepare() -> None:
    """What a worker does first: the parent answers Ctrl-C for all, and nothing that it brought along is ever collected."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    gc.freeze()


def _kill(pool: ProcessPoolExecutor) -> None:
    for process in list(pool._processes.values()):
        process.kill()
    pool.shutdown(wait=False, cancel_futures=True)


def _check_alone(path: Path, work: Work) -> FileResult:
    """A file of a batch whose process died, in a process of its own, so that only the culprit is lost."""
    with _pool(1) as pool:
        try:
            return pool.submit(work, [path]).result()[0]
        except BrokenProcessPool:
            message = "the process that analysed this file died; the file is skipped"
            return FileResult(path, notices=[Notice("internal-error", path, message)])


def _batches(files: Sequence[Path], jobs: int) -> list[list[Path]]:
    """Neighbouring files together, as they share imports; about eight batches of like size per process."""
    limit = sum(map(size_of, files)) / (jobs * _BATCHES_PER_PROCESS) + 1
    batches: list[list[Path]] = []
    filled = limit + 1.0
    for path in files:
        size = size_of(path)
        if filled + size > limit:
            batches.append([])
            filled = 0.0
        batches[-1].append(path)
        filled += size
    return batches
