"""A migration of the files of a project: all are migrated before any is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from dllint.config.discovery import Configuration, configure
from dllint.engine.apply import StaleFileError, write_atomically
from dllint.engine.failing import crash
from dllint.engine.limits import Limits
from dllint.engine.results import IO_ERROR, Notice, problem
from dllint.engine.session import Session
from dllint.lower.options import StoppedError
from dllint.migrate.files import RULES, Migrated, migrate_file
from dllint.migrate.goal import Goal
from dllint.source.regular import read_regular

#: Settings of a project that do not hold for its migration.
_OVERRIDDEN: Final[dict[str, Any]] = {
    "select": RULES, "ignore": (), "extend_select": (), "extend_ignore": (), "fixable": RULES, "unfixable": (),
    "unsafe_fixes": False, "min_confidence": "low", "per_file_ignores": (),
}  # fmt: skip


def configuration_for(goals: Sequence[Goal], overrides: dict[str, Any], *, isolated: bool = False) -> Configuration:
    """The settings of a migration: those of the project, but for rules and releases.

    Raises:
        ConfigError: a configuration cannot be used.
    """
    target = tuple(dict.fromkeys(entry for goal in goals for entry in goal.requirements))
    return configure((), {**_OVERRIDDEN, "target": target, **overrides}, isolated)


def migrate_files(
    files: Sequence[Path], configuration: Configuration, goals: Sequence[Goal], advance: Callable[[], None]
) -> list[Migrated]:
    """The files after their migration, in their order; nothing is written."""
    limits = Limits(configuration.for_directory(Path.cwd()).max_memory)
    out = []
    session = Session(configuration)
    for path in files:
        done, stopped = _migrated(session, limits, path, configuration, goals)
        if stopped:
            session = Session(configuration)
        advance()
        out.append(done)
    return out


def _migrated(
    session: Session, limits: Limits, path: Path, configuration: Configuration, goals: Sequence[Goal]
) -> tuple[Migrated, bool]:
    settings = configuration.for_file(path)
    try:
        data = read_regular(path, settings.max_file_size)
    except OSError as error:
        unread = problem(IO_ERROR, path, 1, 1, f"cannot be read: {error.strerror or error}")
        return Migrated(path, b"", b"", left=[unread]), False
    done = Migrated(path, data, data)
    with limits.watching(settings.max_seconds) as reached, suppress(StoppedError):
        try:
            done = migrate_file(session, path, data, goals)
        except StoppedError:
            raise
        except Exception as error:  # a bug of ours in one file must not keep the others from being migrated
            done.notices.append(crash(path, "the file could not be migrated", error))
    if reached.reason:
        done.notices.append(Notice("incomplete", path, f"the migration was stopped after {reached.reason}"))
    return done, bool(reached.reason)


def write(results: Sequence[Migrated]) -> None:
    """Write the changed files; those that cannot be written stay as they are, and say so."""
    for done in results:
        if not done.changed:
            continue
        try:
            write_atomically(done.path, done.after, expected=done.before)
            continue
        except StaleFileError:
            reason = "it changed while it was being migrated"
        except OSError as error:
            reason = error.strerror or str(error)
        done.notices.append(Notice("not-written", done.path, reason))
        done.after = done.before
        done.changes.clear()
