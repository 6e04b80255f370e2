"""The archive of an exported program: its description, and the raw bytes of its tensors."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

from dllint.lower.graphs.errors import GraphError

#: Larger descriptions and tensors are not unpacked, whatever size the archive states.
_LARGEST: Final = 512 * 2**20
_LARGEST_TENSOR: Final = 64 * 2**20
_OLD_NAME: Final = "serialized_exported_program.json"
_DAMAGED: Final = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError, KeyError)


class Archive:
    """An opened ``.pt2`` file.

    Raises:
        GraphError: it is no archive, or holds no exported program.
    """

    def __init__(self, path: Path) -> None:
        try:
            with ZipFile(path) as opened:
                self._names = opened.namelist()
        except FileNotFoundError:
            raise
        except _DAMAGED as error:
            raise GraphError("no archive of torch.export, or a damaged one") from error
        self._path = path

    def program(self) -> Any:
        """The description of the (first) program."""
        name = next((name for name in sorted(self._names) if _is_program(name)), None)
        if name is None:
            raise GraphError("an archive without an exported program")
        return self._json(name)

    def weights(self) -> dict[str, Any]:
        """What is said of stored tensors, by their names: type, and the file in the archive they lie in."""
        out: dict[str, Any] = {}
        for kind in ("weights", "constants"):
            for name in self._names:
                if name.endswith(f"_{kind}_config.json"):
                    config = self._json(name).get("config", {})
                    folder = name.rpartition("/")[0]
                    out |= {key: {**entry, "file": f"{folder}/{entry.get('path_name')}"} for key, entry in config.items()}
        return out

    def raw(self, name: str) -> bytes:
        """The content of a file, empty if it is missing, damaged or too large."""
        return self._content(name, _LARGEST_TENSOR) or b""

    def _json(self, name: str) -> Any:
        content = self._content(name, _LARGEST)
        if content is None:
            raise GraphError(f"its `{name[-80:]}` is damaged, or larger than {_LARGEST // 2**20} MiB")
        try:
            return json.loads(content)
        except (ValueError, RecursionError) as error:
            raise GraphError(f"its `{name[-80:]}` is no JSON") from error

    def _content(self, name: str, limit: int) -> bytes | None:
        try:
            with ZipFile(self._path) as opened, opened.open(name) as file:
                content = file.read(limit + 1)
        except _DAMAGED:
            return None
        return content if len(content) <= limit else None


def _is_program(name: str) -> bool:
    folder, _, last = name.rpartition("/")
    return last == _OLD_NAME or (folder.rpartition("/")[2] == "models" and last.endswith(".json"))
