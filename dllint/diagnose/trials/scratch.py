"""Isolation of a program's writes: they go to a separate folder and are read back from there.

What cannot be led there is refused, by an audit hook, which sees what Python code does to files.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec

from dllint.arrival import Arrivals
from dllint.diagnose.trials.file_functions import WRITING, lead, lead_functions
from dllint.diagnose.trials.overlay import FilePath, Overlay
from dllint.diagnose.trials.tensorflow_files import lead_files

P = ParamSpec("P")

_QUIET: Final = {
    "WANDB_MODE": "disabled",
    "COMET_MODE": "disabled",
    "NEPTUNE_MODE": "debug",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
}
#: Events that change files, and which of their arguments are paths.
_CHANGES: Final = {
    "os.remove": (0,),
    "os.rename": (0, 1),
    "os.rmdir": (0,),
    "os.mkdir": (0,),
    "os.link": (1,),
    "os.symlink": (1,),
    "os.truncate": (0,),
    "os.chmod": (0,),
    "os.chown": (0,),
    "os.utime": (0,),
    "os.setxattr": (0,),
    "os.removexattr": (0,),
}


def keep_writes_apart(folder: Path, homes: Sequence[str]) -> None:
    """From now on, this process writes to ``folder`` and to the folder of temporary files only, and there not to ``homes``."""
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.update(_QUIET, MLFLOW_TRACKING_URI=(folder / "mlruns").as_uri(), TENSORBOARD_LOGDIR=str(folder))
    sys.dont_write_bytecode = True
    writes = _Writes(Overlay(folder, homes))
    writes.install()
    sys.addaudithook(writes.refuse)


class _Writes:
    """Leads what is written to an overlay, and refuses the rest."""

    def __init__(self, overlay: Overlay) -> None:
        self._overlay = overlay

    def install(self) -> None:
        """Lead the usual ways of writing to the folder."""
        lead_functions(self._overlay)
        Arrivals(("torch", "h5py", "safetensors.torch", "tensorflow", "sqlite3"), self._arrived).install()

    def _arrived(self, name: str) -> None:
        """Libraries that write past Python."""
        if name == "tensorflow":
            lead_files(self)
            return
        if name == "sqlite3":
            lead(sys.modules[name], "connect", self._connected)
            return
        module = sys.modules[name]
        writers = {"torch": (module, "save"), "safetensors.torch": (module, "serialize_file")}
        owner, function = writers.get(name) or (module.File, "__init__")

        def apart(
            original: Callable[Concatenate[Any, Any, P], Any],
            subject: Any,
            file: FilePath,
            *args: P.args,
            **kwargs: P.kwargs,
        ) -> Any:
            is_read = name == "h5py" and (args[:1] or (kwargs.get("mode", "r"),))[0] == "r"
            return original(subject, self.read(file) if is_read else self.written(file), *args, **kwargs)

        self.lead(owner, function, apart)

    def _connected(self, original: Callable[Concatenate[Any, P], Any], database: Any, *args: P.args, **kwargs: P.kwargs) -> Any:
        """A database of SQLite, which opens its files by itself."""
        is_file = isinstance(database, str | bytes | os.PathLike) and os.fsdecode(database) not in ("", ":memory:")
        return original(self.written(database) if is_file and not kwargs.get("uri") else database, *args, **kwargs)

    def lead(self, owner: Any, name: str, wrapper: Callable[..., Any]) -> None:
        """Have ``wrapper(original, *args, **kwargs)`` called instead of a function."""
        lead(owner, name, wrapper)

    def written(self, path: FilePath) -> Any:
        """Where a file is written that the program means to write to ``path``, with what it holds."""
        full = self._overlay.full(path)
        if full is None:
            return path
        try:
            return self._overlay.for_writing(full, create=True, exclusive=False, contents=True)
        except OSError:
            # The folder is missing, or it is one: whoever writes there says so.
            return self._overlay.above(full)

    def read(self, path: FilePath) -> Any:
        """Where a file is read from."""
        full = self._overlay.full(path)
        place = self._overlay.place(full) if full is not None else path
        return path if place == full else place

    def refuse(self, event: str, arguments: tuple[Any, ...]) -> None:
        """The audit hook.

        Raises:
            PermissionError: something outside the folder was to be changed.
        """
        if event == "open":
            path, mode, flags = arguments
            is_writing = bool(set(mode) & set("wax+")) if isinstance(mode, str) else bool((flags or 0) & WRITING)
            changed = (path,) if is_writing and path is not self._overlay.entrusted else ()
        else:
            changed = tuple(arguments[index] for index in _CHANGES.get(event, ()))
        for path in changed:
            full = self._overlay.full(path)
            if full is not None and not self._overlay.is_free(full):
                raise PermissionError(13, "not written while repairs are tried", os.fsdecode(path))
