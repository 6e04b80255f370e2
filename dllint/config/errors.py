"""The error of everything a user can get wrong in configuration."""

from __future__ import annotations

from collections.abc import Iterable

from dllint.source.neutral import neutral


class ConfigError(Exception):
    """A configuration that cannot be used; the message names the place, the key and what would be right, in one line."""

    def __init__(self, message: str) -> None:
        super().__init__(neutral(message))


def nearest(word: str, candidates: Iterable[str]) -> str:
    """``; did you mean `x`?`` for the candidate closest to ``word``, or an empty string."""
    from difflib import get_close_matches  # for errors only

    known = {candidate.lower(): candidate for candidate in candidates}
    matches = get_close_matches(word.lower(), list(known), n=1, cutoff=0.6)
    return f"; did you mean `{known[matches[0]]}`?" if matches else ""
