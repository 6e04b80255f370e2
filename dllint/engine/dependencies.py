"""What the result for a file depends on beside its own text, as it was during the analysis.

Facts about files are *direct*: which questions were asked in a file and how they were answered. They are shared by all results
of a session; what one result depends on are the facts about the files that its analysis has read (``lower/reads.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from dllint.source.observed import Answered, State
from dllint.source.regular import read_regular
from dllint.source.resolution import Asked, Listing, Resolver, SearchPath


class Facts(NamedTuple):
    """What a session has asked along a search path: the questions with their answers, by importer, and the directories that the
    answers depend on, as they were seen; ``seen``: what searches have seen of files that they have looked through."""

    path: SearchPath
    asked: Mapping[str, Asked]
    listings: Mapping[str, Listing]
    holding: Mapping[str, bool]
    seen: Mapping[str, str]

    @classmethod
    def of(cls, resolver: Resolver, seen: Mapping[str, str]) -> Facts:
        """What a resolver has been asked so far, and will be."""
        return cls(resolver.path, resolver.asked, resolver.listings, resolver.holding, seen)


@dataclass(frozen=True, slots=True)
class Dependencies:
    """What a result depends on: the ``digest`` of its file, facts about imports, the other files that were ``read``, those that
    were ``only_searched`` for names, searched directories by state, answers to questions about directories, which have the
    states in ``asked``."""

    digest: str
    facts: Facts
    read: frozenset[str] = frozenset()
    only_searched: frozenset[str] = frozenset()
    trees: tuple[State, ...] = ()
    answers: tuple[Answered, ...] = ()
    asked: tuple[State, ...] = ()


def digest_of(data: bytes) -> str:
    """A hash of a file's content."""
    return blake2b(data, digest_size=16).hexdigest()


def digest_of_file(path: Path | str) -> str:
    """A hash of a file's content; empty if it cannot be read."""
    try:
        return digest_of(read_regular(path))
    except (OSError, ValueError):
        return ""
