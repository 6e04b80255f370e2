"""The work of ``dllint diagnose --compare``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dllint.cli.failures import Failure
from dllint.cli.outputs import open_output
from dllint.diagnose.comparison.comparison import Comparison, compare, to_record
from dllint.diagnose.comparison.text import lines_of
from dllint.diagnose.record_file import NoRecordError, read_record
from dllint.report.json_text import json_text
from dllint.source.neutral import neutral_path


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
        yield json_text({"a": names[0], "b": names[1], **to_record(comparison)})
    elif output_format == "concise":
        yield neutral_path(": ".join(part for part in (comparison.statement, comparison.explanation) if part))
    else:
        yield from map(neutral_path, lines_of(comparison, names))


def _write(lines: Iterator[str], path: Path | None) -> None:
    if path is None:
        for line in lines:
            print(line)
        return
    with open_output(path) as stream:
        stream.writelines(f"{line}\n" for line in lines)
