"""Ranges of numbers that the configuration states: which names they are about, in which files.

One table, in ``[tool.dllint.ranges]``, in ``dllint.toml`` or in a TOML file of its own (``--ranges FILE``):

    learning_rate = "(0, 1]"              # this name in every file
    "VAE.forward.log_var" = [-10, 10]     # a parameter or variable of a method
    "encoder/*/gain:0" = "(0, inf)"       # a node of a graph

    ["models/*.py"]                       # only in these files
    "Net.scale" = "[0, ?)"                # an attribute
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, TypeGuard

from dllint.config.errors import ConfigError
from dllint.config.selection import matches
from dllint.domains.interval import Bound, Interval, Origin
from dllint.domains.stated import Stated, checked, read_interval, written
from dllint.source.plain import Plain
from dllint.source.regular import read_regular


@dataclass(frozen=True, slots=True)
class NamedRange:
    """The range of what has a name (a pattern) in the files that a pattern matches (empty: in all)."""

    files: str
    name: str
    stated: Stated


def read_ranges(table: Plain, where: str) -> tuple[NamedRange, ...]:
    """The ranges of a table; ``where`` is the file it stands in, or another place.

    Raises:
        ConfigError: something in it is no range; the message names the entry and what would be right.
    """
    if not isinstance(table, dict):
        raise ConfigError(f'{where}: `ranges` must be a table from names to ranges, for example `images = "[0, 1]"`')
    return tuple(_entries(table, where, ""))


def read_range_file(path: Path) -> tuple[NamedRange, ...]:
    """The ranges of a TOML file that holds nothing else.

    Raises:
        ConfigError: it cannot be read, is not TOML, or something in it is no range.
    """
    import tomllib

    try:
        return read_ranges(tomllib.loads(read_regular(path).decode("utf-8-sig")), str(path))
    except OSError as error:
        raise ConfigError(f"cannot read the ranges in {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"the ranges in {path} are not valid UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"the ranges in {path} are not valid TOML: {error}") from error
    except RecursionError as error:
        raise ConfigError(f"the ranges in {path} are nested too deeply") from error


def ranges_in(ranges: Iterable[NamedRange], path: Path, root: Path) -> tuple[NamedRange, ...]:
    """The ranges that hold for a file; patterns are those of ``per-file-ignores``."""
    return tuple(entry for entry in ranges if not entry.files or matches(path, entry.files, root))


def stated_for(ranges: Sequence[NamedRange], names: Iterable[str]) -> Stated | None:
    """What is stated about the first of some names that anything is stated about; of several entries the last one counts."""
    for name in names:
        found = [entry.stated for entry in ranges if entry.name == name or fnmatchcase(name, entry.name)]
        if found:
            return found[-1]
    return None


def as_toml(ranges: Iterable[NamedRange]) -> str:
    """Ranges as they are written in a configuration file."""
    by_files: dict[str, dict[str, str]] = {}
    for entry in ranges:
        by_files.setdefault(entry.files, {})[entry.name] = written(entry.stated.interval)
    tables = {
        files: ", ".join(f"{json.dumps(k)} = {json.dumps(v)}" for k, v in found.items()) for files, found in by_files.items()
    }
    parts = [found if not files else f"{json.dumps(files)} = {{ {found} }}" for files, found in tables.items()]
    return f"{{ {', '.join(parts)} }}" if parts else "{}"


def _entries(table: Mapping[str, Any], where: str, files: str) -> Iterator[NamedRange]:
    for name, value in table.items():
        if isinstance(value, dict) and not files:
            yield from _entries(value, where, name)
        else:
            yield NamedRange(files, name, Stated(_interval(name, value, where), _shortened(where)))


def _interval(name: str, value: Plain, where: str) -> Interval:
    """The interval in ``"[0, 1]"`` or ``[0, 1]``."""
    try:
        if isinstance(value, str):
            return read_interval(value)
        ends = [end for end in value if _is_number(end)] if isinstance(value, list) else []
        if not isinstance(value, list) or len(value) != 2 or len(ends) != 2:
            raise ValueError("is no interval; write for example `[0, 1]`, `(0, inf)` or `[0, ?)`")
        low, high = (Bound(float(end), Origin.STATED) for end in ends)
        return checked(Interval(low, high))
    except (ValueError, OverflowError) as error:
        raise ConfigError(f"{where}: the range of `{name}`: `{value}` {error}") from error


def _is_number(value: Plain) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _shortened(where: str) -> str:
    """A file's name instead of its path; what is no path stays."""
    return where if "`" in where else Path(where).name
