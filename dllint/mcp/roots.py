"""Where an agent may look: below the folders that the user has named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path


class RefusedError(Exception):
    """A question that is not answered, and why, in words for the agent."""


@dataclass(frozen=True, slots=True)
class Roots:
    """Real paths of folders."""

    folders: tuple[Path, ...]

    @classmethod
    def of(cls, folders: Iterable[Path]) -> Roots:
        """Links in the names of the roots themselves are the user's wish.

        Raises:
            RefusedError: one of them is no folder.
        """
        real = [folder.resolve() for folder in folders]
        for folder in real:
            if not folder.is_dir():
                raise RefusedError(f"{folder} is no folder")
        return cls(tuple(dict.fromkeys(real)))

    def holds(self, path: Path) -> bool:
        """Whether a path lies in a root after links and ``..`` are resolved."""
        try:
            real = path.resolve()
        except (OSError, RuntimeError, ValueError):
            return False
        return any(real.is_relative_to(folder) for folder in self.folders)

    def resolve(self, text: str) -> Path:
        """The real path that an agent means: absolute, or relative to the first root where it exists.

        Raises:
            RefusedError: it lies outside, or there is nothing.
        """
        inside = [path for path in self._meant(text) if self.holds(path)]
        if not inside:
            raise RefusedError(f"`{text}` lies outside of {self.named}")
        for path in inside:
            if path.exists():
                return path.resolve()
        raise RefusedError(f"there is no `{text}` in {self.named}")

    def _meant(self, text: str) -> Iterator[Path]:
        if "\0" in text:
            return
        path = Path(text)
        yield from (path,) if path.is_absolute() else (folder / path for folder in self.folders)

    def shown(self, path: Path) -> str:
        """A path as answers name it: relative to the only root, or absolute."""
        (first, *others) = self.folders
        return path.relative_to(first).as_posix() if not others and path.is_relative_to(first) else str(path)

    @property
    def named(self) -> str:
        """The roots in words."""
        return "the roots " + ", ".join(map(str, self.folders)) if len(self.folders) > 1 else f"the root {self.folders[0]}"
