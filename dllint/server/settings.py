"""What the editor can set, in ``initializationOptions`` or ``workspace/configuration``; odd values are noted and ignored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from dllint.source.plain import Plain

#: The name under which editors keep the settings.
SECTION: Final = "dllint"
#: Settings of the editor that select rules, and their names in configuration files.
_SELECTIONS: Final = {"select": "select", "extendSelect": "extend-select", "ignore": "ignore"}

#: What the outline of a file has; the first is the default.
_SYMBOLS: Final = ("models", "all", "off")
#: Which files an editor that pulls may ask about.
_MODES: Final = ("openFilesOnly", "workspace")


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """The settings of a folder.

    ``enable`` turns everything off; ``configuration`` is a configuration file or a table of settings as in ``dllint.toml``;
    ``rules`` are such settings, too, which select rules, without empty lists (to some editors, those are what is not set);
    ``hints`` shows what a rule of mere hints has to say; ``inlay_shapes`` shows shapes behind the names of tensors, with
    ``inlay_parameters`` also behind parameters of functions; ``symbols`` says what the outline of a file has (``off``,
    ``models``, ``all``); the ``lens_…`` what stands above models (figures, graph, summary) and where a script trains.
    ``workspace`` lets an editor that pulls ask about all files, also those that are not open; it counts when the server starts.
    ``interpreter`` is the command line of the Python that runs on demand are started with; if it is empty, the server's own is
    taken.
    """

    enable: bool = True
    configuration: str | Mapping[str, Any] | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)
    hints: bool = True
    inlay_shapes: bool = False
    inlay_parameters: bool = True
    symbols: str = "models"
    lens_models: bool = True
    lens_graph: bool = True
    lens_summary: bool = True
    lens_diagnose: bool = True
    workspace: bool = False
    interpreter: tuple[str, ...] = ()

    def file(self, root: Path | None) -> Path | None:
        """The configuration file, if one is set; a relative path starts at the folder."""
        if not isinstance(self.configuration, str) or not self.configuration:
            return None
        path = Path(self.configuration).expanduser()
        return path if path.is_absolute() or root is None else root / path

    @property
    def python(self) -> str:
        """The interpreter that the editor has chosen; empty if none is."""
        return self.interpreter[0] if self.interpreter else ""

    @property
    def any_lens(self) -> bool:
        """Whether anything stands above models or training."""
        return self.lens_models or self.lens_graph or self.lens_summary or self.lens_diagnose

    def overrides(self) -> Mapping[str, Any]:
        """The settings that win over every configuration file."""
        table = self.configuration if isinstance(self.configuration, Mapping) else {}
        return {**table, **self.rules}


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

    def choice(self, name: str, words: Sequence[str]) -> str:
        """One of several words; the first, if none is set."""
        value = self._value(name)
        if value is None or value in words:
            return words[0] if value is None else str(value)
        self.complain(f"the editor setting `{SECTION}.{name}` must be one of {', '.join(words)}, not {value!r}")
        return words[0]

    def configuration(self) -> str | Mapping[str, Any] | None:
        value = self._value("configuration")
        if value is None or isinstance(value, (str, dict)):
            return value
        self.complain(f"the editor setting `{SECTION}.configuration` must be a path or a table, not {value!r}")
        return None

    def strings(self, name: str) -> list[str] | None:
        """A list of strings, if one is set."""
        value = self._value(name)
        if value is None or (isinstance(value, list) and all(isinstance(item, str) for item in value)):
            return value
        self.complain(f"the editor setting `{SECTION}.{name}` must be a list of strings, not {value!r}")
        return None

    def _value(self, name: str) -> Any:
        """A value by its dotted name; editors send tables in tables, or dotted keys as they are."""
        if name in self.table:
            return self.table[name]
        value: Any = self.table
        for part in name.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        return value


def read_settings(value: Plain, complain: Callable[[str], None]) -> ClientSettings:
    """The settings in what an editor sent; ``complain`` is called for values that cannot be used."""
    table = value if isinstance(value, dict) else {}
    if isinstance(table.get(SECTION), dict):
        table = table[SECTION]
    reader = _Reader(table, complain)
    return ClientSettings(
        enable=reader.flag("enable", True),
        configuration=reader.configuration(),
        rules={key: value for name, key in _SELECTIONS.items() if (value := reader.strings(name))},
        hints=reader.flag("hints", True),
        inlay_shapes=reader.flag("inlayHints.shapes", False),
        inlay_parameters=reader.flag("inlayHints.parameters", True),
        symbols=reader.choice("symbols", _SYMBOLS),
        lens_models=reader.flag("codeLens.models", True),
        lens_graph=reader.flag("codeLens.graph", True),
        lens_summary=reader.flag("codeLens.summary", True),
        lens_diagnose=reader.flag("codeLens.diagnose", True),
        workspace=reader.choice("diagnosticMode", _MODES) == _MODES[1],
        interpreter=tuple(reader.strings("interpreter") or ()),
    )


def initial_settings(options: Plain, complain: Callable[[str], None]) -> ClientSettings:
    """The settings in ``initializationOptions``: the table itself, or under ``settings`` or ``globalSettings``."""
    table = options if isinstance(options, dict) else {}
    for key in ("globalSettings", "settings"):
        if isinstance(table.get(key), dict):
            return read_settings(table[key], complain)
    return read_settings(table, complain)
