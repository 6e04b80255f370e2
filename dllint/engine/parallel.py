"""Spreading files over processes. Results do not depend on it; a process that dies takes one file with it."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from typing import Final

from dllint.config.errors import ConfigError
from dllint.engine.endings import end_with_parent, ending_raises
from dllint.engine.failing import crash
from dllint.engine.results import FileResult, Notice, size_of

Work = Callable[[Sequence[Path]], list[FileResult]]
#: The smallest batch is this part of what a process has to do.
_LEAST_SHARE: Final = 8


def check_in_processes(
    files: Sequence[Path], work: Work, alone: Work, jobs: int, advance: Callable[[], None]
) -> list[FileResult]:
    """The results of ``work`` for all files, in their order; ``alone`` does the same for a file that needs more memory than a
    process has beside others, or whose process has died. Both must be picklable, ``advance`` is called per file.

    Raises what ``work`` raises.
    """
    done: dict[Path, FileResult] = {}
    with ending_raises():
        with _pool(jobs) as pool, _killed_on_errors(pool):
            for future in as_completed([pool.submit(work, batch) for batch in _batches(files, jobs)]):
                for result in _results_of(future):
                    if not result.lacked_memory:
                        done[result.path] = result
                        advance()
        for path in files:
            if path not in done:
                done[path] = _check_alone(path, alone)
                advance()
    return [done[path] for path in files]


@contextmanager
def _killed_on_errors(pool: ProcessPoolExecutor) -> Iterator[None]:
    """Inside, whatever is raised ends the processes first. That one of them has died ends the others, and is no error."""
    try:
        yield
    except BrokenProcessPool:
        pass
    except BaseException:
        _kill(pool)
        raise


def _pool(jobs: int) -> ProcessPoolExecutor:
    method = "fork" if "fork" in get_all_start_methods() else "spawn"
    return ProcessPoolExecutor(jobs, mp_context=get_context(method), initializer=_prepare)


def _prepare() -> None:
    """What a worker does first: the parent answers Ctrl-C for all, and nothing that it brought along is ever collected."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    gc.disable()
    gc.freeze()


def _kill(pool: ProcessPoolExecutor) -> None:
    for process in list(pool._processes.values()):
        process.kill()
    pool.shutdown(wait=False, cancel_futures=True)


def _check_alone(path: Path, work: Work) -> FileResult:
    """A file of a batch whose process died, in a process of its own, so that only the culprit is lost."""
    with _pool(1) as pool, _killed_on_errors(pool):
        try:
            return pool.submit(work, [path]).result()[0]
        except (ConfigError, BrokenProcessPool):
            raise
        except Exception as error:
            return FileResult(path, notices=[crash(path, "the file could not be checked", error)])
    message = "the process that analysed this file died; the file is skipped"
    return FileResult(path, notices=[Notice("internal-error", path, message)])


def _results_of(future: Future[list[FileResult]]) -> list[FileResult]:
    """The results of a batch; none if they do not reach this process, as when they are too deep to be sent."""
    try:
        return future.result()
    except (ConfigError, BrokenProcessPool):
        raise
    except Exception:
        return []


def _batches(files: Sequence[Path], jobs: int) -> list[list[Path]]:
    """Neighbouring files together, as they share imports. Each batch is half of what a process would still have to do, down
    to a least share: few batches, since each evaluates its imports anew, and small ones at the end."""
    sizes = [size_of(path) for path in files]
    left = sum(sizes)
    least = left / (jobs * _LEAST_SHARE) + 1
    batches: list[list[Path]] = []
    room = -1.0
    for path, size in zip(files, sizes, strict=True):
        if size > room:
            batches.append([])
            room = max(left / (2 * jobs), least)
        batches[-1].append(path)
        room -= size
        left -= size
    return batches
