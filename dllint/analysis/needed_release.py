"""The release of a library that a document needs: the newest name that it uses, except uses guarded by a version check."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from dllint.analysis.symbol_uses import SymbolUse
from dllint.frameworks.history.record import history
from dllint.frameworks.torch.renames import INTRODUCED

_RUN: Final = ("tensorflow", "keras")


@dataclass(frozen=True, slots=True)
class Needed:
    """A use that only works with a release of ``library`` that is not older than ``since``."""

    library: str
    since: str
    use: SymbolUse


def needed(uses: Iterable[SymbolUse]) -> list[Needed]:
    """The uses that need a certain release."""
    return [found for use in uses if (found := _needed(use)) is not None]


def _needed(use: SymbolUse) -> Needed | None:
    root, _, path = use.name.partition(".")
    if root == "torch":
        since = INTRODUCED.get(use.name)
    elif root in _RUN and path and not path.startswith(("compat.", "python.")):
        since = history(root).introduced(path)
    else:
        since = None
    return Needed(root, since, use) if since is not None else None
