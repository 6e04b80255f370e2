"""Constructions that configuration files describe: a mapping that names a class, or whose keys are the parameters of one."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

from dllint.source.data.finding import is_below
from dllint.source.data.formats import READERS
from dllint.source.data.plain import SUFFIXES, Opaque, Plain, UnreadableError
from dllint.source.observed import listed_data
from dllint.source.regular import read_regular

#: Folders of configurations, beside or above the code; so many folders above are looked in.
_FOLDERS: Final = ("config", "configs", "conf", "cfg", "cfgs", "hparams", "params", "experiments")
_MOST_ABOVE: Final = 4
#: Files and bytes of a folder that are looked at, and those of one file.
_MOST_FILES: Final = 24
_MOST_BYTES: Final = 100_000
_LARGEST: Final = 32_000
#: Keys under which a mapping names a class, and those under which it has the arguments then.
_NAMING: Final = ("_target_", "class_path", "target", "class_name", "type", "name")
_ARGUMENTS: Final = ("init_args", "params", "args", "kwargs")
_FORMS: Final = {".json": "json", ".toml": "toml"}
#: So many keys make it no accident that all are parameters.
_FEWEST_KEYS: Final = 2


@dataclass(slots=True, eq=False)
class Descriptions:
    """Finds descriptions in the configuration files around a module; what a folder holds is read once."""

    _texts: dict[Path, list[tuple[Path, str]]] = field(default_factory=dict)
    _read: dict[Path, list[tuple[str, dict[Plain, Plain]]]] = field(default_factory=dict)

    def of(self, path: Path, name: str, parameters: Collection[str], needed: Collection[str], root: Path) -> dict[str, Plain]:
        """The values that files give to the parameters of the class ``name`` of the file ``path`` below ``root``: what names
        the class counts before what has just its parameters, ``needed`` ones included."""
        likely: dict[str, Plain] = {}
        for file, text in self._around(path, root):
            if name not in text and not (needed and all(parameter in text for parameter in needed)):
                continue
            for key, mapping in self._mappings(file, text):
                named = _arguments(key, mapping, name)
                if named is not None and (values := _values(named, parameters)):
                    return values
                if not likely and _has_just(mapping, parameters, needed):
                    likely = _values(mapping, parameters)
        return likely

    def _around(self, path: Path, root: Path) -> Iterator[tuple[Path, str]]:
        above = [folder for folder in path.parents if is_below(str(folder), str(root))][:_MOST_ABOVE]
        for folder in above:
            for place in (folder, *(folder / name for name in _FOLDERS)):
                yield from self._in(place, below=place is not folder)

    def _in(self, folder: Path, *, below: bool) -> list[tuple[Path, str]]:
        """The configuration files in a folder, and those in the folders right below it."""
        listed_data(folder, below=below)
        if folder not in self._texts:
            found = self._texts[folder] = []
            left = _MOST_BYTES
            for file in islice(_data_files(str(folder), below=below), _MOST_FILES):
                text = _text(file)
                left -= len(text)
                if left < 0:
                    break
                if text:
                    found.append((Path(file), text))
        return self._texts[folder]

    def _mappings(self, file: Path, text: str) -> list[tuple[str, dict[Plain, Plain]]]:
        """All mappings in a file, each under its key."""
        if file not in self._read:
            try:
                data = READERS[_FORMS.get(file.suffix, "omegaconf")](text)
            except UnreadableError:
                data = None
            self._read[file] = list(_mappings(data, ""))
        return self._read[file]


def _data_files(folder: str, *, below: bool) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
            folders = [entry.path for entry in listed if below and entry.is_dir(follow_symlinks=False)]
            files = [entry.path for entry in listed if entry.name.endswith(SUFFIXES) and entry.is_file(follow_symlinks=False)]
    except OSError:
        return
    yield from files
    for inner in folders:
        yield from _data_files(inner, below=False)


def _text(file: str) -> str:
    try:
        return read_regular(file, _LARGEST, follow=False).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _mappings(data: Plain, key: str) -> Iterator[tuple[str, dict[Plain, Plain]]]:
    if isinstance(data, dict):
        yield key, data
        for name, inner in data.items():
            yield from _mappings(inner, str(name))
    elif isinstance(data, list):
        for inner in data:
            yield from _mappings(inner, key)


def _arguments(key: str, mapping: dict[Plain, Plain], name: str) -> dict[Plain, Plain] | None:
    """The arguments in a mapping that names a class, or stands under its name."""
    named = any(isinstance(text := mapping.get(word), str) and text.rpartition(".")[2] == name for word in _NAMING)
    if not named and key != name:
        return None
    return next((inner for word in _ARGUMENTS if isinstance(inner := mapping.get(word), dict)), mapping)


def _has_just(mapping: dict[Plain, Plain], parameters: Collection[str], needed: Collection[str]) -> bool:
    """Whether all keys of a mapping are parameters, and all parameters without a default are among them."""
    keys = mapping.keys() - {*_NAMING} if "_target_" not in mapping else set()
    return len(keys) >= _FEWEST_KEYS and keys <= set(parameters) and bool(needed) and set(needed) <= keys


def _values(mapping: dict[Plain, Plain], parameters: Collection[str]) -> dict[str, Plain]:
    """The values of parameters in a mapping that are numbers, names, flags, or lists of them."""
    return {key: value for key, value in mapping.items() if isinstance(key, str) and key in parameters and _is_value(value)}


def _is_value(value: Plain) -> bool:
    if isinstance(value, list):
        return all(map(_is_value, value))
    return not isinstance(value, (dict, Opaque)) and not (isinstance(value, str) and ("${" in value or value == "???"))
