"""The methods of dataclasses, compiled once.

``dataclasses`` writes the methods of each class as text and hands it to ``exec``, which compiles it: for the classes of
libcst and ours together, that took a third of a short run. Python keeps compiled modules beside their sources; this keeps
compiled methods in the same way, in one file in the ``__pycache__`` of this package, by a hash of their text. Where Python may
not write compiled modules, nothing is kept.
"""

from __future__ import annotations

import dataclasses
import marshal
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from importlib.util import cache_from_source
from pathlib import Path
from types import CodeType
from typing import Final

#: No more methods than this are kept; what has not been used is dropped first.
_MOST: Final = 10_000
_DIGEST_BYTES: Final = 16


class Compiled:
    """Compiled texts by a hash of them, as in the file ``path``. A file that cannot be used counts as empty."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._kept: dict[bytes, bytes] = _read(path)
        self._new: dict[bytes, bytes] = {}
        self._used: set[bytes] = set()

    def code(self, text: str) -> CodeType:
        """The code of a text.

        Raises:
            SyntaxError: it is none.
        """
        key = blake2b(text.encode(), digest_size=_DIGEST_BYTES).digest()
        self._used.add(key)
        kept = self._kept.get(key)
        if kept is not None:
            with suppress(ValueError, EOFError, TypeError):
                code = marshal.loads(kept)
                if isinstance(code, CodeType):
                    return code
        code = compile(text, "<string>", "exec", dont_inherit=True)
        self._new[key] = marshal.dumps(code)
        return code

    def execute(self, text: str, variables: dict[str, object], names: dict[str, object]) -> None:
        """As ``exec``, of a text."""
        exec(self.code(text), variables, names)

    def write(self) -> None:
        """Keep what has been compiled anew; where that cannot be, it is compiled again next time."""
        if not self._new or sys.dont_write_bytecode:
            return
        kept = self._kept | self._new
        if len(kept) > _MOST:
            kept = {key: code for key, code in kept.items() if key in self._used}
        unfinished = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        with suppress(OSError):
            self._path.parent.mkdir(exist_ok=True)
            try:
                unfinished.write_bytes(marshal.dumps(kept))
                os.replace(unfinished, self._path)
            finally:
                unfinished.unlink(missing_ok=True)


def _read(path: Path) -> dict[bytes, bytes]:
    try:
        kept = marshal.loads(path.read_bytes())
    except (OSError, ValueError, EOFError, TypeError):
        return {}
    return kept if isinstance(kept, dict) else {}


def file_of_methods() -> Path:
    """The file for the running version of Python, where that keeps the compiled modules of this package."""
    return Path(cache_from_source(os.path.abspath(__file__))).with_suffix(".methods")


@contextmanager
def kept_methods(path: Path) -> Iterator[None]:
    """Inside, the methods of dataclasses are taken from a file and kept there."""
    compiled = Compiled(path)
    vars(dataclasses)["exec"] = compiled.execute  # found before the builtin of the same name
    try:
        yield
    finally:
        del vars(dataclasses)["exec"]
        compiled.write()
