"""What the editor can set, in ``initializationOptions`` or ``workspace/configuration``; odd values are noted and ignored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: The name under which editors keep the settings.
SECTION = "dllint"


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """The settings of a folder.

    ``enable`` turns everything off; ``configuration`` is a configuration file or a table of settings as in ``dllint.toml``;
    ``hints`` shows what a rule of mere hints has to say; ``inlay_shapes`` shows shapes behind the names of tensors.
    """

    enable: bool = True
    configuration: str | Mapping[str, Any] | None = None
    hints: bool = True
    inlay_shapes: bool = False

    def file(self, root: Path | None) -> Path | None:
        """The configuration file, if one is set; a relative path starts at the folder."""
        if not isinstance(self.configuration, str) or not self.configuration:
            return None
        path = Path(self.configuration).expanduser()
        return path if path.is_absolute() or root is None else root / path

    def overrides(self) -> Mapping[str, Any]:
        """The settings that win over every configuration file."""
        return self.configuration if isinstance(self.configuration, Mapping) else {}


@dataclass(slots=True)
class _Reader:
    table: Mapping[str, Any]
    complain: Callable[[str], None]
    known: set[str] = field(default_factory=set)

    def flag(self, name: str, default: bool) -> bool:
        value = self._value(name)
        if value is None or isinstance(value, bool):
            return default if value is None else value
        self.complain(f"the editor setting `{SECTION}.{name}` must be true or false, not {value!r}")
        return default

    def configuration(self) -> str | Mapping[str, Any] | None:
        value = self._value("configuration")
        if value is None or isinstance(value, (str, dict)):
            return value
        self.complain(f"the editor setting `{SECTION}.configuration` must be a path or a table, not {value!r}")
        return None

    def _value(self, name: str) -> Any:
        """A value by its dotted name; editors send tables in tables, or dotted keys as they are."""
        if name in self.table:
            return self.table[name]
        value: Any = self.table
        for part in name.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        return value


def read_settings(value: Any, complain: Callable[[str], None]) -> ClientSettings:
    """The settings in what an editor sent; ``complain`` is told about values that cannot be used."""
    table = value if isinstance(value, dict) else {}
    if isinstance(table.get(SECTION), dict):
        table = table[SECTION]
    reader = _Reader(table, complain)
    return ClientSettings(
        enable=reader.flag("enable", True),
        configuration=reader.configuration(),
        hints=reader.flag("hints", True),
        inlay_shapes=reader.flag("inlayHints.shapes", False),
    )


def initial_settings(options: Any, complain: Callable[[str], None]) -> ClientSettings:
    """The settings in ``initializationOptions``: the table itself, or under ``settings`` or ``globalSettings``."""
    table = options if isinstance(options, dict) else {}
    for key in ("globalSettings", "settings"):
        if isinstance(table.get(key), dict):
            return read_settings(table[key], complain)
    return read_settings(table, complain)
