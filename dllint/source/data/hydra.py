"""The configuration that Hydra composes of a directory of files: the defaults list of the primary one, without overrides of the
command line."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from dllint.source.data.interpolation import resolved
from dllint.source.data.plain import Opaque, Plain, UnreadableError

_MOST_FILES: Final = 60
_DEEPEST: Final = 8
_PACKAGE: Final = re.compile(r"^#[ \t]*@package[ \t]+(\S+)", re.MULTILINE)
_GLOBAL: Final = "_global_"
_SELF: Final = "_self_"
#: A path of a group or option: it stays inside the directory.
_NAME: Final = re.compile(r"(?!.*\.\.)[\w./ -]+")


class File(NamedTuple):
    """The text of a configuration file and its data."""

    text: str
    content: Plain


def composed(load: Callable[[str], File | None], primary: str) -> Plain:
    """The configuration of a primary file. ``load`` gives a file by its path in the directory, without ending.

    Raises:
        UnreadableError: there is no such file, it is no mapping, or the whole is too large.
    """
    whole = _Composer(load)
    data = whole.config(primary, "", (), 0)
    if whole.chosen:  # an override counts for entries before it, too
        whole.left = _MOST_FILES
        data = whole.config(primary, "", (), 0)
    if data is None:
        raise UnreadableError("no configuration")
    return resolved(data)


class _Default(NamedTuple):
    """An entry of a defaults list: a group (empty for a file beside this one), the options chosen, the package said there."""

    group: str
    options: tuple[str, ...]
    package: str | None


@dataclass(slots=True)
class _Composer:
    load: Callable[[str], File | None]
    #: Which option ``override`` entries choose for a group.
    chosen: dict[str, tuple[str, ...]] = field(default_factory=dict)
    left: int = _MOST_FILES

    def config(self, path: str, package: str, said: tuple[str, ...], depth: int) -> dict[Plain, Plain] | None:
        """The data of a file and of what its defaults list names, under its package; None if there is none. ``said``: the
        package that the entry which names it says, if any."""
        self.left -= 1
        if depth > _DEEPEST or self.left < 0 or _NAME.fullmatch(path) is None:
            raise UnreadableError("too many files")
        file = self.load(path)
        if file is None:
            return None
        if not isinstance(file.content, dict):
            raise UnreadableError("no mapping")
        own = {key: value for key, value in file.content.items() if key not in ("defaults", "hydra")}
        header = _PACKAGE.search(file.text)
        if said:
            package = said[0]
        elif header is not None:
            package = "" if header[1] == _GLOBAL else package if header[1] == "_group_" else header[1]
        group = path.rpartition("/")[0]
        entries = self.entries(file.content.get("defaults"), group)
        ordered = any(entry.options == (_SELF,) for entry in entries)
        out: dict[Plain, Plain] = {}
        for entry in entries if ordered else (*entries, _Default("", (_SELF,), None)):
            if entry.options == (_SELF,):
                _merge(out, _under(package, own), certain=ordered)
                continue
            for option in entry.options:
                inner = f"{entry.group}/{option}".strip("/")
                found = self.config(inner, *_package_of(entry, package, group), depth + 1)
                if found is not None:
                    _merge(out, found, certain=True)
        return out

    def entries(self, listed: Plain, group: str) -> list[_Default]:
        """The entries of a defaults list; those of ``override`` are noted, those about Hydra itself left out."""
        out: list[_Default] = []
        for item in listed if isinstance(listed, list) else ():
            if isinstance(item, str):
                out.append(_beside(item, group))
            elif isinstance(item, dict) and len(item) == 1:
                ((key, value),) = item.items()
                words = str(key).split()
                name, _, package = words[-1].partition("@") if words else ("", "", "")
                where = name.lstrip("/") if name.startswith("/") else f"{group}/{name}".strip("/")
                options = tuple(one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str))
                if where.startswith("hydra"):
                    continue
                if "override" in words:
                    self.chosen.setdefault(where, options)
                else:
                    out.append(_Default(where, options, package or None))
        return [
            entry._replace(options=self.chosen.get(entry.group, entry.options))
            if entry.group and entry.options != (_SELF,)
            else entry
            for entry in out
        ]


def _beside(item: str, group: str) -> _Default:
    """An entry that is a name alone: a file beside the one whose list it is in."""
    if item == _SELF:
        return _Default("", (_SELF,), None)
    name, _, package = item.partition("@")
    place = name.lstrip("/") if name.startswith("/") else f"{group}/{name}".strip("/")
    where, _, option = place.rpartition("/")
    return _Default(where, (option,), package or None)


def _package_of(entry: _Default, package: str, group: str) -> tuple[str, tuple[str, ...]]:
    """The package that the files of an entry have unless they say another one, and the one that the entry says."""
    usual = entry.group.replace("/", ".")
    said = entry.package
    if said is None:
        return usual, ()
    if said == _GLOBAL:
        return usual, ("",)
    if said == "_here_":
        return usual, (package,)
    if said.startswith(f"{_GLOBAL}."):
        return usual, (said.removeprefix(f"{_GLOBAL}."),)
    return usual, (f"{package}.{said}".strip("."),)


def _under(package: str, data: dict[Plain, Plain]) -> dict[Plain, Plain]:
    for key in reversed([key for key in package.split(".") if key]):
        data = {key: data}
    return data


def _merge(into: dict[Plain, Plain], other: dict[Plain, Plain], *, certain: bool) -> None:
    """Put the entries of another mapping over those of one; if it is not ``certain`` which of them counts, neither is known."""
    for key, value in other.items():
        old = into.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            copied = dict(old)
            _merge(copied, value, certain=certain)
            into[key] = copied
        elif key in into and not certain and old != value:
            into[key] = Opaque("order of the defaults list")
        else:
            into[key] = value
