"""An error of dllint itself costs only what raised it, and is reported."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from dllint.config.errors import ConfigError
from dllint.engine.results import FileResult, Notice

_LONGEST: Final = 200


@contextmanager
def failing(result: FileResult, what: str) -> Iterator[None]:
    """Inside, whatever is raised ends the block, and is noted in the result; not so a configuration that cannot be used."""
    try:
        yield
    except ConfigError:
        raise
    except Exception as error:
        result.notices.append(crash(result.path, what, error))


@contextmanager
def noting(notices: list[Notice], path: Path, what: str) -> Iterator[None]:
    """As :func:`failing`, for notices that are in no result yet."""
    try:
        yield
    except ConfigError:
        raise
    except Exception as error:
        notices.append(crash(path, what, error))


def crash(path: Path, what: str, error: BaseException) -> Notice:
    """The notice of an error of dllint itself."""
    return Notice("internal-error", path, f"{what}: {described(error)}", _traceback(error))


def described(error: BaseException) -> str:
    """An error in one line."""
    detail = str(error).split("\n", 1)[0][:_LONGEST]
    return f"{type(error).__name__}: {detail}" if detail else type(error).__name__


def _traceback(error: BaseException) -> str:
    if not os.environ.get("DLLINT_DEBUG"):
        return ""
    import traceback  # hardly ever needed

    return "".join(traceback.format_exception(error))
