"""The work of ``dllint diagnose --compare``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from dllint.cli.failures import Failure
from dllint.diagnose.comparison.comparison import Comparison, compare, to_record
from dllint.diagnose.comparison.text import lines_of
from dllint.diagnose.record_file import NoRecordError, read_record


def compare_records(first: Path, second: Path, output_format: str, output_file: Path | None) -> int:
    """Report where two recorded runs part; 0 if they do not, else 1.

    Raises:
        Failure: a file is not a record, or the report cannot be written.
    """
    try:
        comparison = compare(read_record(first), read_record(second))
    except NoRecordError as error:
        raise Failure(str(error)) from error
    _write(_lines(comparison, (str(first), str(second)), output_format), output_file)
    return 0 if comparison.is_same else 1


def _lines(comparison: Comparison, names: tuple[str, str], output_format: str) -> Iterator[str]:
    if output_format == "json":
        yield json.dumps({"a": names[0], "b": names[1], **to_record(comparison)}, indent=2, allow_nan=False)
    elif output_format == "concise":
        yield ": ".join(part for part in (comparison.statement, comparison.explanation) if part)
    else:
        yield from lines_of(comparison, names)


def _write(lines: Iterator[str], path: Path | None) -> None:
    if path is None:
        for line in lines:
            print(line)
        return
    try:
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise Failure(f"cannot write {path}: {error.strerror or error}") from error
