"""Keeping what a program writes away from the user's files: writes go to a folder of their own, and are read back from there.

What cannot be led there is refused, by an audit hook, which sees what Python code does to files.
"""

from __future__ import annotations

import builtins
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from dllint.diagnose.probes.arrival import Arrivals
from dllint.diagnose.trials.tensorflow_files import lead_files

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
    "shutil.rmtree": (0,),
    "shutil.move": (0, 1),
}
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def keep_writes_apart(folder: Path, homes: Sequence[str]) -> None:
    """From now on, this process writes to ``folder`` and to the folder of temporary files only, and there not to ``homes``."""
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.update(_QUIET, MLFLOW_TRACKING_URI=(folder / "mlruns").as_uri(), TENSORBOARD_LOGDIR=str(folder))
    sys.dont_write_bytecode = True
    overlay = _Overlay(folder, homes)
    overlay.install()
    sys.addaudithook(overlay.refuse)


class _Overlay:
    """A folder that holds, under their absolute paths, the files that were written."""

    def __init__(self, folder: Path, homes: Sequence[str]) -> None:
        self._folder = os.path.realpath(folder)
        self._free = (os.path.realpath(tempfile.gettempdir()), "/dev/", "/proc/")
        #: Where the program is at home: its files are the user's, even in the folder of temporary files.
        self._kept = tuple({os.path.realpath(home) + os.sep for home in homes})

    def install(self) -> None:
        """Lead the usual ways of writing to the folder."""
        opened = io.open

        def apart(file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
            is_written = set(mode) & set("wax+")
            path = self.written(file, keep=not set(mode) & set("wx")) if is_written else self.read(file)
            return opened(path, mode, *args, **kwargs)

        builtins.open = io.open = apart
        for name in ("mkdir", "makedirs"):
            self.lead(os, name, self._made)
        for name in ("remove", "unlink", "rmdir"):
            self.lead(os, name, lambda original, path, *args, **kwargs: self._removed(original, path))
        for name in ("rename", "replace"):
            self.lead(os, name, self._moved)
        Arrivals(("torch", "h5py", "safetensors.torch", "tensorflow"), self._arrived).install()

    def _arrived(self, name: str) -> None:
        """Libraries that write past Python."""
        if name == "tensorflow":
            lead_files(self)
            return
        module = sys.modules[name]
        writers = {"torch": (module, "save"), "safetensors.torch": (module, "serialize_file")}
        owner, function = writers.get(name) or (module.File, "__init__")

        def apart(original: Any, subject: Any, file: Any, *args: Any, **kwargs: Any) -> Any:
            is_read = name == "h5py" and (args[:1] or (kwargs.get("mode", "r"),))[0] == "r"
            return original(subject, self.read(file) if is_read else self.written(file), *args, **kwargs)

        self.lead(owner, function, apart)

    def lead(self, owner: Any, name: str, wrapper: Callable[..., Any]) -> None:
        """Have ``wrapper(original, *args, **kwargs)`` called instead of a function."""
        original = getattr(owner, name)
        setattr(owner, name, lambda *args, **kwargs: wrapper(original, *args, **kwargs))

    def written(self, path: Any, *, keep: bool = False) -> Any:
        """Where a file is written that the program means to write to ``path``; with what it holds, if that is to be kept."""
        own = self._own(path)
        if own is None:
            return path
        Path(own).parent.mkdir(parents=True, exist_ok=True)
        if keep and os.path.isfile(path) and not os.path.exists(own):
            shutil.copyfile(path, own)
        return own

    def read(self, path: Any) -> Any:
        """Where a file is read from."""
        own = self._own(path)
        return own if own is not None and os.path.exists(own) else path

    def _made(self, original: Callable[..., Any], path: Any, *args: Any, **kwargs: Any) -> None:
        own = self._own(path)
        if own is None:
            original(path, *args, **kwargs)
        elif not os.path.isdir(path):
            Path(own).mkdir(parents=True, exist_ok=True)
        elif not kwargs.get("exist_ok", args[1:2] == (True,)):
            raise FileExistsError(17, "File exists", str(path))

    def _removed(self, original: Callable[..., Any], path: Any) -> None:
        target = self.read(path)
        if target is not path or self._own(path) is None:
            original(target)

    def _moved(self, original: Callable[..., Any], source: Any, target: Any, **kwargs: Any) -> None:
        original(self.read(source), self.written(target), **kwargs)

    def _own(self, path: Any) -> str | None:
        """The path within the folder; ``None`` for what may be written as it is: descriptors, temporary files, devices."""
        if not isinstance(path, str | os.PathLike):
            return None
        absolute = os.path.realpath(os.fspath(path))
        if not isinstance(absolute, str) or self._is_free(absolute):
            return None
        return os.path.join(self._folder, "files", absolute.lstrip(os.sep).replace(":", ""))

    def _is_free(self, absolute: str) -> bool:
        if absolute.startswith(self._folder):
            return True
        return absolute.startswith(self._free) and not absolute.startswith(self._kept)

    def refuse(self, event: str, arguments: tuple[Any, ...]) -> None:
        """The audit hook.

        Raises:
            PermissionError: something outside the folder was to be changed.
        """
        if event == "open":
            path, mode, flags = arguments
            is_writing = bool(set(mode) & set("wax+")) if isinstance(mode, str) else bool((flags or 0) & _WRITING)
            changed = (path,) if is_writing else ()
        else:
            changed = tuple(arguments[index] for index in _CHANGES.get(event, ()))
        for path in changed:
            if isinstance(path, str | os.PathLike) and self._own(path) is not None:
                raise PermissionError(13, "not written while repairs are tried", os.fspath(path))
