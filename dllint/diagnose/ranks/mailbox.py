"""Notes between processes, in a store that all of them reach, without waiting.

No operation here waits for another process, and none takes part in the program's own communication: a note is left or it is
not, a note is there or it is not.
"""

from __future__ import annotations

import zlib
from typing import Final, Protocol

from dllint.diagnose.ranks.team import Team

#: Stores refuse values of more than 8 MiB.
_PIECE: Final = 1 << 20
_MOST_PIECES: Final = 32


class Store(Protocol):
    """Keys and values that all processes see, as those of ``torch.distributed``."""

    def set(self, key: str, value: bytes) -> object:
        """Set a value."""

    def check(self, keys: list[str]) -> bool:
        """Whether all keys are there."""

    def get(self, key: str) -> bytes:
        """The value of a key that is there."""

    def compare_set(self, key: str, expected: str, desired: str) -> object:
        """Set a value if the present one (empty if there is none) is the expected one."""


class Mailbox:
    """What each rank has to say about some subjects. ``lost``: the store no longer answers, and is left alone."""

    def __init__(self, store: Store, team: Team) -> None:
        self._store = store
        self._team = team
        self.lost = False

    def tell(self, subject: str, text: str) -> None:
        """Leave a note in place of an earlier one on the subject; a note that is too long is left out."""
        data = zlib.compress(text.encode())
        pieces = [data[at : at + _PIECE] for at in range(0, len(data), _PIECE)]
        if self.lost or len(pieces) > _MOST_PIECES:
            return
        try:
            for number, piece in enumerate(pieces):
                self._store.set(self._key(self._team.rank, f"{subject}.{number}"), piece)
            self._store.set(self._key(self._team.rank, subject), str(len(pieces)).encode())
            # What is set is on its way only; an answer shows that it has come.
            self._store.check([self._key(self._team.rank, subject)])
        except (RuntimeError, OSError):
            self.lost = True

    def hear(self, rank: int, subject: str) -> str | None:
        """The note of a rank about a subject; ``None`` if there is none (yet), or no store any more."""
        if self.lost:
            return None
        try:
            key = self._key(rank, subject)
            if not self._store.check([key]):
                return None
            pieces = range(int(self._store.get(key)))
            data = b"".join(bytes(self._store.get(self._key(rank, f"{subject}.{number}"))) for number in pieces)
        except (RuntimeError, OSError):
            self.lost = True
            return None
        try:
            return zlib.decompress(data).decode()
        except zlib.error:
            # Pieces of two notes, caught while the later one was being written.
            return None

    def agree(self, subject: str, text: str) -> None:
        """Leave a note for all processes, unless there is one already."""
        try:
            self._store.compare_set(self._common(subject), "", text)
        except (RuntimeError, OSError):
            self.lost = True

    def agreed(self, subject: str) -> str | None:
        """The note for all processes."""
        try:
            key = self._common(subject)
            return bytes(self._store.get(key)).decode() if self._store.check([key]) else None
        except (RuntimeError, OSError):
            self.lost = True
            return None

    def _common(self, subject: str) -> str:
        return f"dllint/{self._team.attempt}/{subject}"

    def _key(self, rank: int, subject: str) -> str:
        return f"dllint/{self._team.attempt}/{rank}/{subject}"
