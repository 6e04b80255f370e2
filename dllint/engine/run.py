"""A run over many files: one after the other or in several processes, with the same result and order."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from enum import Enum
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from typing import Final

from dllint.config.discovery import Configuration
from dllint.engine.results import FileResult, Notice
from dllint.engine.session import Session

#: Below this many bytes of source, starting processes costs more than it saves.
_WORTH_PROCESSES: Final = 400_000
_BATCHES_PER_PROCESS: Final = 8
#: Bytes of analysed source after which the dead trees and programs of earlier files are collected.
_COLLECT_AFTER: Final = 1_000_000


class FixMode(Enum):
    """What to do with fixes: offer them, apply them to the files, or show what applying them would change."""

    OFFER = "offer"
    APPLY = "apply"
    DIFF = "diff"


@dataclass(frozen=True, slots=True)
class Plan:
    """How to run; ``jobs`` is the number of processes, 0 chooses by the amount of work."""

    configuration: Configuration
    fix_mode: FixMode = FixMode.OFFER
    jobs: int = 0


def check_files(files: Sequence[Path], plan: Plan, advance: Callable[[], None]) -> list[FileResult]:
    """The results of all files, in the order of ``files``; ``advance`` is called after each."""
    jobs = min(plan.jobs or _jobs(files), max(len(files), 1))
    if jobs == 1:
        results = list(_advancing(_check_here(files, plan), advance))
    else:
        results = _check_in_processes(files, plan, jobs, advance)
    return without_repeats(results)


def check_standard_input(data: bytes, path: Path, plan: Plan) -> FileResult:
    """The result for a text that is not read from its file; fixes are applied to the text alone."""
    session = Session(plan.configuration)
    return session.check_bytes(path, data, fix=plan.fix_mode is not FixMode.OFFER)


def without_repeats(results: list[FileResult]) -> list[FileResult]:
    """Without the findings that one file reports about a call into another that reports the fault itself."""
    own = {(f.code, f.location) for result in results for f in result.findings}
    for result in results:
        result.findings = [f for f in result.findings if not any((f.code, r.location) in own for r in f.related[:1])]
    return results


def _jobs(files: Sequence[Path]) -> int:
    total = 0
    for path in files:
        total += _size(path)
        if total > _WORTH_PROCESSES:
            return min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, len(files))
    return 1


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _advancing(results: Iterator[FileResult], advance: Callable[[], None]) -> Iterator[FileResult]:
    for result in results:
        advance()
        yield result


def _check_here(files: Sequence[Path], plan: Plan) -> Iterator[FileResult]:
    session = Session(plan.configuration)
    analysed = 0
    for path in files:
        result = session.check_file(path, write=plan.fix_mode is FixMode.APPLY, fix=plan.fix_mode is not FixMode.OFFER)
        analysed += len(result.after)
        if analysed > _COLLECT_AFTER:
            gc.collect()
            analysed = 0
        yield result


def _check_batch(files: Sequence[Path], plan: Plan) -> list[FileResult]:
    gc.freeze()
    return list(_check_here(files, plan))


def _ignore_interrupts() -> None:
    """The parent process answers Ctrl-C for all."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()


def _check_in_processes(files: Sequence[Path], plan: Plan, jobs: int, advance: Callable[[], None]) -> list[FileResult]:
    batches = _batches(files, jobs)
    done: dict[Path, FileResult] = {}
    with _pool(jobs) as pool:
        futures = [pool.submit(_check_batch, batch, plan) for batch in batches]
        try:
            for future in as_completed(futures):
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
            done[path] = _check_alone(path, plan)
            advance()
    return [done[path] for path in files]


def _pool(jobs: int) -> ProcessPoolExecutor:
    method = "fork" if "fork" in get_all_start_methods() else "spawn"
    return ProcessPoolExecutor(jobs, mp_context=get_context(method), initializer=_ignore_interrupts)


def _kill(pool: ProcessPoolExecutor) -> None:
    for process in list(pool._processes.values()):
        process.kill()
    pool.shutdown(wait=False, cancel_futures=True)


def _check_alone(path: Path, plan: Plan) -> FileResult:
    """A file of a batch whose process died, in a process of its own, so that only the culprit is lost."""
    with _pool(1) as pool:
        try:
            return pool.submit(_check_batch, [path], plan).result()[0]
        except BrokenProcessPool:
            message = "the process that analysed this file died; the file is skipped"
            return FileResult(path, notices=[Notice("internal-error", path, message)])


def _batches(files: Sequence[Path], jobs: int) -> list[list[Path]]:
    """Neighbouring files together, as they share imports; about eight batches of like size per process."""
    sizes = [_size(path) for path in files]
    limit = sum(sizes) / (jobs * _BATCHES_PER_PROCESS) + 1
    batches: list[list[Path]] = [[]]
    filled = 0
    for path, size in zip(files, sizes, strict=True):
        if batches[-1] and filled + size > limit:
            batches.append([])
            filled = 0
        batches[-1].append(path)
        filled += size
    return batches
