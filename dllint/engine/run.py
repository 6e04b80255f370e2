"""A run over many files: one after the other or in several processes, with the same result and order."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dllint.config.discovery import Configuration
from dllint.engine.homes import at_home
from dllint.engine.reading import with_texts
from dllint.engine.results import FileResult, Notice, size_of

if TYPE_CHECKING:
    from dllint.engine.limits import Reached

#: Below this many bytes of source, starting processes costs more than it saves.
_WORTH_PROCESSES: Final = 400_000
#: The least MiB of memory that a process has to itself.
_LEAST_SHARE: Final = 256
#: Bytes of analysed source after which the dead trees and programs of the last files are collected, and the number of such
#: collections after which everything is looked at: trees and modules that live on are not walked each time.
_COLLECT_AFTER: Final = 8_000_000
_COLLECT_ALL_EVERY: Final = 2


class FixMode(Enum):
    """What to do with fixes: offer them, apply them to the files, or show what applying them would change."""

    OFFER = "offer"
    APPLY = "apply"
    DIFF = "diff"


@dataclass(frozen=True, slots=True)
class Plan:
    """How to run; ``jobs`` is the number of processes, 0 chooses by the amount of work. ``cache``: results that are still
    true are taken from the disk and new ones kept there, unless fixes are applied."""

    configuration: Configuration
    fix_mode: FixMode = FixMode.OFFER
    jobs: int = 0
    cache: bool = False


def check_files(files: Sequence[Path], plan: Plan, advance: Callable[[], None]) -> list[FileResult]:
    """The results of all files, in the order of ``files``; ``advance`` is called after each."""
    results = at_home(check_each(files, plan, advance), plan.configuration)
    return [with_texts(result) if result.findings else result for result in results]


def check_each(files: Sequence[Path], plan: Plan, advance: Callable[[], None]) -> list[FileResult]:
    """What each file's own check finds, also in other files (see :mod:`dllint.engine.homes`)."""
    if plan.cache and plan.fix_mode is FixMode.OFFER:
        from dllint.engine.caching import check_with_cache

        return check_with_cache(files, plan.configuration, partial(_check_all, plan=plan), advance)
    return _check_all(files, advance, plan=plan)


def _check_all(files: Sequence[Path], advance: Callable[[], None], *, plan: Plan) -> list[FileResult]:
    if not files:
        return []
    memory = plan.configuration.for_directory(Path.cwd()).max_memory
    jobs = min(plan.jobs or _jobs(files), len(files), max(memory // _LEAST_SHARE, 1))
    if jobs == 1:
        return list(_advancing(_check_here(files, plan, memory), advance))
    from dllint.engine.parallel import check_in_processes

    share = partial(_check_batch, plan, memory // jobs)
    return check_in_processes(files, share, partial(_check_batch, plan, memory), jobs, advance)


def check_standard_input(data: bytes, path: Path, plan: Plan) -> FileResult:
    """The result for a text that is not read from its file; fixes are applied to the text alone."""
    from dllint.engine.limits import Limits
    from dllint.engine.session import Session

    settings = plan.configuration.for_file(path)
    with Limits(settings.max_memory).watching(settings.max_seconds) as reached:
        result = Session(plan.configuration).check_bytes(path, data, fix=plan.fix_mode is not FixMode.OFFER)
    _tell_of(reached, result)
    return at_home([result], plan.configuration)[0]


def _jobs(files: Sequence[Path]) -> int:
    """As many processes as there are processors if the files are large enough together, else one."""
    total = 0
    for path in files:
        total += size_of(path)
        if total > _WORTH_PROCESSES:
            return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return 1


def _advancing(results: Iterator[FileResult], advance: Callable[[], None]) -> Iterator[FileResult]:
    for result in results:
        advance()
        yield result


def _check_here(files: Sequence[Path], plan: Plan, memory: int) -> Iterator[FileResult]:
    from dllint.engine.limits import Limits  # the analysis is imported only if there is something to analyse
    from dllint.engine.session import Session
    from dllint.lower.options import StoppedError

    session, limits = Session(plan.configuration, track=plan.cache), Limits(memory)
    analysed = collections = 0
    gc.freeze()  # what has been imported by now is no garbage
    for path in files:
        result = FileResult(path)
        with limits.watching(plan.configuration.for_file(path).max_seconds) as reached, suppress(StoppedError):
            result = session.check_file(path, write=plan.fix_mode is FixMode.APPLY, fix=plan.fix_mode is not FixMode.OFFER)
        _tell_of(reached, result)
        if reached.reason or limits.is_high:  # what was stopped may have left something half done
            session = Session(plan.configuration, track=plan.cache)
            gc.collect()
            limits.given_back()
        analysed += len(result.after)
        if analysed > _COLLECT_AFTER:
            collections += 1
            gc.collect(1 if collections % _COLLECT_ALL_EVERY else 2)
            analysed = 0
        yield result


def _tell_of(reached: Reached, result: FileResult) -> None:
    """Note that a limit was reached; such a result is not kept."""
    if reached.reason:
        message = f"the analysis was stopped after {reached.reason}; what it found until then is reported"
        result.notices.append(Notice("incomplete", result.path, message))
        result.dependencies, result.lacked_memory = None, reached.by_memory


def _check_batch(plan: Plan, memory: int, files: Sequence[Path]) -> list[FileResult]:
    return list(_check_here(files, plan, memory))
