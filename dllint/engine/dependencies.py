"""Dependencies of the result for a file on other inputs than its own text, in a form that can be stored and checked again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

from dllint.source.observed import Searched, state_of
from dllint.source.regular import read_regular
from dllint.source.workspace import Lookup, Workspace


@dataclass(slots=True)
class Dependencies:
    """Files that were read, by digest of their content; imports, by what they led to; searched directories, by state."""

    files: dict[Path, str] = field(default_factory=dict)
    lookups: list[tuple[Lookup, Path | None]] = field(default_factory=list)
    trees: dict[Searched, str] = field(default_factory=dict)

    def to_data(self) -> list[Any]:
        """As nested lists of JSON data."""
        names = {path: number for number, path in enumerate(self._paths())}
        lookups = [
            [names[lookup.importer], lookup.name, lookup.level, None if found is None else names[found]]
            for lookup, found in self.lookups
        ]
        files = [[names[path], digest] for path, digest in self.files.items()]
        return [
            list(map(str, names)),
            files,
            lookups,
            [[str(tree.directory), tree.below, state] for tree, state in self.trees.items()],
        ]

    def _paths(self) -> dict[Path, None]:
        used = [path for lookup, found in self.lookups for path in (lookup.importer, found) if path is not None]
        return dict.fromkeys([*self.files, *used])

    @classmethod
    def from_data(cls, data: list[Any]) -> Dependencies:
        """The dependencies of :meth:`to_data`. Raises ValueError, TypeError or LookupError on anything else."""
        texts, files, lookups, trees = data
        paths = [Path(text) for text in texts]
        return cls(
            {paths[number]: digest for number, digest in files},
            [
                (Lookup(paths[importer], name, level), None if found is None else paths[found])
                for importer, name, level, found in lookups
            ],
            {Searched(Path(path), below): state for path, below, state in trees},
        )


class Present:
    """The present state of files and directories; each is looked at once."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._digests: dict[Path, str] = {}
        self._trees: dict[Searched, str] = {}

    def dependencies(self, path: Path, trees: set[Searched]) -> Dependencies:
        """What the result for a file depends on that has just been analysed."""
        lookups = self._workspace.lookups_from(path)
        files = {found for _, found in lookups if found is not None and found.suffix} - {path}
        return Dependencies({file: self._digest(file) for file in files}, lookups, {tree: state_of(tree) for tree in trees})

    def holds(self, kept: Dependencies) -> bool:
        """Whether nothing that a result depends on has changed."""
        return (
            all(self._digest(path) == digest for path, digest in kept.files.items())
            and all(self._workspace.look_up(lookup) == found for lookup, found in kept.lookups)
            and all(_once(self._trees, tree, state_of) == state for tree, state in kept.trees.items())
        )

    def _digest(self, path: Path) -> str:
        return _once(self._digests, path, digest_of_file)


Key = TypeVar("Key", bound=Hashable)


def _once(known: dict[Key, str], key: Key, find: Callable[[Key], str]) -> str:
    if key not in known:
        known[key] = find(key)
    return known[key]


def digest_of(data: bytes) -> str:
    """A hash of a file's content."""
    return blake2b(data, digest_size=16).hexdigest()


def digest_of_file(path: Path) -> str:
    """A hash of a file's content; empty if it cannot be read."""
    try:
        return digest_of(read_regular(path))
    except OSError:
        return ""
