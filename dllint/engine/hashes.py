"""Hashes of what the cache compares."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b


def hashed(parts: Iterable[str]) -> str:
    """A hash of some texts, none of which contains a line break."""
    return blake2b("\n".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
