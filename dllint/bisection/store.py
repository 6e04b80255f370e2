"""Intermediate values on disk, in chunks of samples, so that nothing is run twice and an interrupted search goes on.

A folder belongs to one *fingerprint* of what was asked (models, samples, settings); values are forgotten, the oldest first,
when the limit is reached. A full disk costs the cache, not the search.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path

import numpy as np

from dllint.bisection.judges.judge import Outputs
from dllint.bisection.trials import Injection
from dllint.source.regular import read_regular

Observation = Callable[[Sequence[str], np.ndarray], Mapping[str, np.ndarray]]


class Store:
    """Arrays by key, in files of one folder; ``limit`` is in bytes."""

    def __init__(self, folder: Path, limit: int, warn: Callable[[str], None]) -> None:
        """Raises :class:`OSError` if the folder cannot be made, or is a link: files are removed where it leads."""
        for place in (folder.parent, folder):
            if place.is_symlink():
                raise OSError(errno.ELOOP, "it is a symbolic link", str(place))
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._limit = limit
        self._warn = warn
        self._writing = True
        found = sorted(folder.glob("*.npy"), key=lambda path: path.lstat().st_mtime)
        self._sizes = {path.name: path.lstat().st_size for path in found}

    def get(self, key: str) -> np.ndarray | None:
        """The stored values; ``None`` if there are none, or if the file is damaged."""
        name = _name(key)
        if name not in self._sizes:
            return None
        try:
            return np.asarray(
                np.load(BytesIO(read_regular(self._folder / name, self._limit, follow=False)), allow_pickle=False)
            )
        except (OSError, ValueError, EOFError, MemoryError):
            self._forget(name)
            return None

    def put(self, key: str, array: np.ndarray) -> None:
        """Keep an array; written to another name first, so that an interruption leaves no half of it."""
        if not self._writing or array.nbytes > self._limit or array.dtype.hasobject:
            return
        name = _name(key)
        partial = self._folder / f"{name}.{os.getpid()}.part"
        try:
            with partial.open("xb") as file:  # nothing is there, not even a link
                np.save(file, array, allow_pickle=False)
            partial.replace(self._folder / name)
        except OSError as error:
            self._writing = False
            partial.unlink(missing_ok=True)
            self._warn(f"intermediate values are not kept any more: {error.strerror or error}")
            return
        self._sizes[name] = array.nbytes
        self._shrink(keep=name)

    def _shrink(self, keep: str) -> None:
        total = sum(self._sizes.values())
        for name in list(self._sizes):
            if total <= self._limit:
                return
            if name != keep:
                total -= self._sizes[name]
                self._forget(name)

    def _forget(self, name: str) -> None:
        self._sizes.pop(name, None)
        (self._folder / name).unlink(missing_ok=True)


def opened_store(folder: Path, limit: int, warn: Callable[[str], None]) -> Store | None:
    """A store in a folder; if that cannot be made, a warning and none."""
    try:
        return Store(folder, limit, warn)
    except OSError as error:
        warn(f"intermediate values are not kept: {folder}: {error.strerror or error}")
        return None


def remembered(observation: Observation, origin: str, store: Store) -> Observation:
    """The same observation; what is in the store is not computed again."""

    def observed(nodes: Sequence[str], positions: np.ndarray) -> Mapping[str, np.ndarray]:
        keys = {node: f"{origin}/{node}/{_span(positions)}" for node in nodes}
        found = {node: array for node, key in keys.items() if (array := store.get(key)) is not None}
        missing = [node for node in nodes if node not in found]
        if missing:
            fresh = observation(missing, positions)
            for node in missing:
                store.put(keys[node], fresh[node])
            found |= fresh
        return found

    return observed


def remembered_run(run: Callable[[Injection, np.ndarray], Outputs], store: Store) -> Callable[[Injection, np.ndarray], Outputs]:
    """The same run of the reference; outputs that are in the store are not computed again."""

    def outputs(injection: Injection, positions: np.ndarray) -> Outputs:
        puts = json.dumps(sorted((put.node, put.origin) for put in injection))
        key = f"outputs/{puts}/{_span(positions)}"
        count = store.get(f"{key}/count")
        kept = [store.get(f"{key}/{i}") for i in range(int(count))] if count is not None else [None]
        if all(array is not None for array in kept):
            return tuple(array for array in kept if array is not None)
        fresh = run(injection, positions)
        for i, array in enumerate(fresh):
            store.put(f"{key}/{i}", array)
        store.put(f"{key}/count", np.asarray(len(fresh)))
        return fresh

    return outputs


def fingerprint(parts: Iterable[bytes | np.ndarray]) -> str:
    """A name for all that the values depend on."""
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else f"{part.dtype}{part.shape}".encode() + np.ascontiguousarray(part).tobytes()
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()[:16]


def _name(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:32] + ".npy"


def _span(positions: np.ndarray) -> str:
    return f"{int(positions[0])}-{int(positions[-1])}-{positions.size}"
