"""The text of a data file to plain data: JSON, TOML, and YAML by the events of its parser."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from typing import Final

from dllint.source.data.plain import DEEPEST, MOST_VALUES, Opaque, Plain, UnreadableError

#: What matters for the depth of JSON and TOML: texts, and brackets outside them.
_BRACKETS: Final = re.compile(r"""\"\"\".*?\"\"\"|'''.*?'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|\#[^\n]*|[\[\]{}]""", re.DOTALL)
_JSON_BRACKETS: Final = re.compile(r'"(?:\\.|[^"\\])*"|[\[\]{}]', re.DOTALL)
#: Keys of so many parts make as many tables in each other.
_LONG_KEY: Final = re.compile(r"(?:[\w\"'-]+[ \t]*\.[ \t]*){" + str(DEEPEST) + "}")


def from_json(text: str) -> Plain:
    """The data of a JSON text. Raises UnreadableError."""
    _require_shallow(_JSON_BRACKETS, text)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(str(error)) from error
    return _bounded(found)


def from_toml(text: str) -> Plain:
    """The data of a TOML text. Raises UnreadableError."""
    if _LONG_KEY.search(text) is not None:
        raise UnreadableError("too deep")
    _require_shallow(_BRACKETS, text)
    try:
        found = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(str(error)) from error
    return _bounded(found)


def from_yaml(text: str) -> Plain:
    """The data of a YAML text as ``yaml.safe_load`` gives it. Raises UnreadableError, also where there is no parser."""
    return _yaml(text, omegaconf=False)


def from_omegaconf(text: str) -> Plain:
    """The data of a YAML text as ``OmegaConf.load`` reads it, before interpolation. Raises UnreadableError, also where there is
    no parser."""
    return _yaml(text, omegaconf=True)


def _yaml(text: str, *, omegaconf: bool) -> Plain:
    try:
        from dllint.source.data.yaml_events import read  # a parser that most projects do not need
    except ImportError as error:
        raise UnreadableError("PyYAML is not installed") from error
    return read(text, omegaconf=omegaconf)


#: The reader of each form.
READERS: Final[dict[str, Callable[[str], Plain]]] = {
    "json": from_json,
    "toml": from_toml,
    "yaml": from_yaml,
    "omegaconf": from_omegaconf,
}


def _require_shallow(brackets: re.Pattern[str], text: str) -> None:
    depth = 0
    for match in brackets.finditer(text):
        depth += (match[0] in "[{") - (match[0] in "]}")
        if depth > DEEPEST:
            raise UnreadableError("too deep")


def _bounded(value: object) -> Plain:
    """Parsed data, counted; what is neither number, text nor container (a date) is opaque."""
    left = MOST_VALUES

    def plain(part: object) -> Plain:
        nonlocal left
        left -= 1
        if left < 0:
            raise UnreadableError("too many values")
        if isinstance(part, dict):
            return {key: plain(inner) for key, inner in part.items()}
        if isinstance(part, list):
            return [plain(inner) for inner in part]
        return part if part is None or isinstance(part, (bool, int, float, str)) else Opaque(type(part).__name__)

    return plain(value)
