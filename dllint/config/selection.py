"""Rule selectors: codes, code prefixes, kebab-case names and ``ALL``, and which rules a set of settings selects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dllint.config.errors import ConfigError, nearest
from dllint.config.globs import globs, parts_of
from dllint.config.options import Settings

ALL: Final = "ALL"
_EXACT: Final = 1_000
INVALID_SUPPRESSION: Final = "invalid-suppression"
UNUSED_SUPPRESSION: Final = "unused-suppression"
#: What can be selected besides rules: findings about suppression comments, which have no code.
ABOUT_COMMENTS: Final = frozenset({INVALID_SUPPRESSION, UNUSED_SUPPRESSION})
#: The selector settings in the order in which equally specific ones are applied, and whether they select.
_SELECTORS: Final = (("select", True), ("extend_select", True), ("ignore", False), ("extend_ignore", False))


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """What selection needs to know about a rule: ``default`` is ``on``, ``hint`` or ``off``."""

    code: str
    name: str
    default: str = "on"


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected codes of one file; ``exact`` are those asked for by code or name, ``severity`` the configured ones."""

    codes: frozenset[str]
    exact: frozenset[str]
    severity: Mapping[str, str]

    def __contains__(self, code: str) -> bool:
        return code in self.codes


class Catalogue:
    """The rules known to the program, by code and by name; resolves selectors."""

    def __init__(self, entries: Iterable[RuleEntry]) -> None:
        self.entries = {entry.code: entry for entry in entries}
        self.by_name = {entry.name: entry.code for entry in self.entries.values()}

    def resolve(self, selector: str, where: str) -> tuple[frozenset[str], int]:
        """The codes a selector names and how specific it is.

        Raises:
            ConfigError: no rule matches; the message names the nearest selector.
        """
        if selector == ALL:
            return ABOUT_COMMENTS.union(self.entries), 0
        if selector.lower() in ABOUT_COMMENTS:
            return frozenset({selector.lower()}), _EXACT
        if selector in self.by_name:
            return frozenset({self.by_name[selector]}), _EXACT
        upper = selector.upper()
        if upper in self.entries:
            return frozenset({upper}), _EXACT
        codes = frozenset(code for code in self.entries if upper and code.startswith(upper))
        if not codes:
            hint = nearest(selector, [*self.entries, *self.by_name, *ABOUT_COMMENTS, *{code[:3] for code in self.entries}])
            raise ConfigError(f"unknown rule `{selector}` in {where}{hint}")
        return codes, len(upper)

    def select(self, settings: Settings) -> Selection:
        """The rules that the settings select, before per-file ignores.

        Raises:
            ConfigError: a selector names no rule.
        """
        where = str(settings.origin or "the command line")
        ranked: list[tuple[int, int, frozenset[str], bool]] = []
        exact: set[str] = set()
        for order, (key, chosen) in enumerate(_SELECTORS):
            for selector in getattr(settings, key):
                codes, rank = self.resolve(selector, f"`{key.replace('_', '-')}` of {where}")
                ranked.append((rank, order, codes, chosen))
                if chosen and rank == _EXACT:
                    exact |= codes
        selected = set() if settings.select else self._defaults()
        for rank, _, codes, chosen in sorted(ranked, key=lambda item: item[:2]):
            selected = selected | self._selectable(codes, rank) if chosen else selected - codes
        return Selection(frozenset(selected), frozenset(exact), self._severities(settings, where))

    def _defaults(self) -> set[str]:
        return {entry.code for entry in self.entries.values() if entry.default != "off"} | ABOUT_COMMENTS

    def _selectable(self, codes: frozenset[str], rank: int) -> frozenset[str]:
        explicit = rank in (0, _EXACT)
        return frozenset(code for code in codes if explicit or code in ABOUT_COMMENTS or self.entries[code].default != "off")

    def _severities(self, settings: Settings, where: str) -> dict[str, str]:
        resolved = [(self.resolve(selector, f"`severity` of {where}"), level) for selector, level in settings.severity]
        out: dict[str, str] = {}
        for (codes, _), level in sorted(resolved, key=lambda item: item[0][1]):
            out.update(dict.fromkeys(codes, level))
        return out

    def ignored_in(self, path: Path, settings: Settings) -> frozenset[str]:
        """The codes that ``per-file-ignores`` takes out of a file."""
        ignored: frozenset[str] = frozenset()
        for pattern, selectors in settings.per_file_ignores:
            if matches(path, pattern, settings.root):
                codes = (self.resolve(selector, "`per-file-ignores`")[0] for selector in selectors)
                ignored = ignored.union(*codes)
        return ignored

    def codes_of(self, selectors: Sequence[str], where: str) -> frozenset[str]:
        """The union of what selectors name."""
        return frozenset().union(*(self.resolve(selector, where)[0] for selector in selectors))


def matches(path: Path, pattern: str, root: Path) -> bool:
    """Whether a file matches a pattern of ``per-file-ignores``: against its name, or its path below ``root``."""
    negated = pattern.startswith("!")
    absolute = path.absolute()
    relative = absolute.relative_to(root).as_posix() if absolute.is_relative_to(root) else absolute.as_posix()
    return globs((pattern.removeprefix("!"),)).names(parts_of(relative)) is not negated
