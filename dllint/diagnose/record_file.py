"""The file that ``--record`` writes: a run's record as JSON, marked as such."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from dllint.diagnose.records import RunRecord
from dllint.diagnose.serial import from_json, to_json
from dllint.source.regular import read_regular

_KIND: Final = "dllint run"
_WANTED: Final = "a record of a run, as `dllint diagnose --record` writes it"
VERSION: Final = 1
#: The most bytes of a record: that of a run of a million steps has less than a tenth of it.
_LARGEST: Final = 256 * 2**20


class NoRecordError(Exception):
    """A file is not a record that can be read; the text says why."""


def written(run: RunRecord) -> dict[str, Any]:
    """A record as what :mod:`json` can write."""
    return {"kind": _KIND, "version": VERSION, **to_json(run)}


def read_record(path: Path) -> RunRecord:
    """The record in a file.

    Raises:
        NoRecordError: it cannot be read, or is none.
    """
    try:
        data = json.loads(read_regular(path, _LARGEST), parse_constant=_refuse)
    except OSError as error:
        raise NoRecordError(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise NoRecordError(f"{path} is not {_WANTED}: it is no JSON") from error
    if not isinstance(data, dict) or data.get("kind") != _KIND:
        raise NoRecordError(f"{path} is not {_WANTED}")
    if data.get("version") != VERSION:
        raise NoRecordError(f"{path} is a record of version {data.get('version')}, and version {VERSION} can be read")
    try:
        return from_json(RunRecord, data)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        raise NoRecordError(f"{path} is a damaged record ({type(error).__name__}: {error})") from error


def _refuse(name: str) -> float:
    """What is no JSON, though Python reads it: :func:`written` has texts for these numbers."""
    raise ValueError(f"{name} is no number")
