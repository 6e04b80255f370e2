"""Reading settings from TOML tables: types are checked, unknown keys are errors with the nearest right spelling."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from dllint.config.errors import ConfigError, nearest
from dllint.config.options import Option, Settings, options
from dllint.source.plain import Plain
from dllint.source.regular import read_regular

#: The file that other tools have tables in, too, and the name of ours.
_SHARED: Final = "pyproject.toml"
_OWN: Final = b"dllint"
#: The most bytes of a configuration file.
_LARGEST: Final = 2**20
#: The largest number that a setting may be.
_MOST: Final = 10**15


def read_table(path: Path) -> Mapping[str, Any] | None:
    """The dllint table of a configuration file: the whole of ``dllint.toml``, ``[tool.dllint]`` of ``pyproject.toml``;
    ``None`` if a ``pyproject.toml`` has no such table.

    Raises:
        ConfigError: the file cannot be read, is not TOML, or the table is not a table.
    """
    data = _data(path)
    if path.name == _SHARED and _OWN not in data:
        return None  # whatever else is wrong with it is not ours
    document = read_toml(data, path)
    return _own_table(document, path) if path.name == _SHARED else document


def read_toml(data: bytes, path: Path) -> dict[str, Any]:
    """The table of a TOML file with some content.

    Raises:
        ConfigError: it is not TOML.
    """
    import tomllib  # most runs have no configuration

    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not valid UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    except ValueError as error:  # a number with more digits than the interpreter reads
        raise ConfigError(f"{path} holds a value that cannot be read: {error}") from error
    except RecursionError as error:
        raise ConfigError(f"{path} is nested too deeply") from error
    except Exception as error:  # the reader's own fault, or no memory
        raise ConfigError(f"{path} cannot be read: {type(error).__name__}: {error}") from error


def _data(path: Path) -> bytes:
    try:
        return read_regular(path, _LARGEST)
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror or error}") from error


def _own_table(document: Mapping[str, Any], path: Path) -> Mapping[str, Any] | None:
    tool = document.get("tool", {})
    table = tool.get("dllint") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{path}: `tool.dllint` must be a table")
    return table


def read_inline(text: str) -> Mapping[str, Any]:
    """The table of a ``--config 'key = value'`` argument.

    Raises:
        ConfigError: the text is no TOML assignment.
    """
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"`--config {text}` is neither an existing file nor a TOML assignment: {error}") from error


def to_values(table: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Checked values by attribute name of :class:`Settings`; ``where`` starts the message of an error.

    Raises:
        ConfigError: an unknown key or a value of the wrong type.
    """
    known = {option.name: option for option in options()}
    values: dict[str, Any] = {}
    for key, value in table.items():
        option = known.get(key)
        if option is None:
            raise ConfigError(f"{where}: unknown setting `{key}`{nearest(key, known)}")
        values[option.attribute] = _convert(option, value, where)
    return values


def to_settings(table: Mapping[str, Any], where: str, root: Path, origin: Path | None) -> Settings:
    """The settings a table describes; what it does not name keeps its default."""
    return Settings(**to_values(table, where), root=root, origin=origin)


def _convert(option: Option, value: Plain, where: str) -> Any:
    if option.kind == "ranges":
        from dllint.config.ranges import read_ranges  # most configurations state none

        return read_ranges(value, where)
    if option.kind == "targets" and isinstance(value, list) and all(isinstance(entry, str) for entry in value):
        from dllint.config.targets import read_targets  # most configurations state none

        return read_targets(_strings(option, value), where)
    try:
        return _CONVERTERS[option.kind](option, value)
    except TypeError as error:
        raise ConfigError(
            f"{where}: `{option.name}` must be {error}, for example `{option.name} = {option.example}`"
        ) from error


def _strings(_: Option, value: Plain) -> tuple[str, ...]:
    texts = [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
    if not isinstance(value, list) or len(texts) < len(value):
        raise TypeError("a list of strings")
    return tuple(texts)


def _string(_: Option, value: Plain) -> str:
    if not isinstance(value, str):
        raise TypeError("a string")
    return value


def _flag(_: Option, value: Plain) -> bool:
    if not isinstance(value, bool):
        raise TypeError("true or false")
    return value


def _integer(_: Option, value: Plain) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= _MOST:
        raise TypeError(f"a positive integer of at most {_MOST}")
    return value


def _percentage(_: Option, value: Plain) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 100:
        raise TypeError("a whole number from 0 to 100")
    return value


def _choice(option: Option, value: Plain) -> str:
    if value not in option.choices:
        raise TypeError(f"one of {', '.join(option.choices)}")
    return str(value)


def _globs_to_strings(option: Option, value: Plain) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, dict):
        raise TypeError("a table from patterns to lists of rules")
    return tuple((pattern, _strings(option, codes)) for pattern, codes in value.items())


def _strings_to_choice(option: Option, value: Plain) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict):
        raise TypeError(f"a table from rules to one of {', '.join(option.choices)}")
    return tuple((selector, _choice(option, choice)) for selector, choice in value.items())


_CONVERTERS: Final[Mapping[str, Callable[[Option, Any], Any]]] = {
    "strings": _strings,
    "targets": _strings,
    "string": _string,
    "flag": _flag,
    "integer": _integer,
    "percentage": _percentage,
    "choice": _choice,
    "globs-to-strings": _globs_to_strings,
    "strings-to-choice": _strings_to_choice,
}
