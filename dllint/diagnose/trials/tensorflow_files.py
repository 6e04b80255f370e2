"""Redirection of files that TensorFlow writes without Python's file functions."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import Any, Concatenate, Final, ParamSpec, Protocol

from dllint.diagnose.trials.overlay import FilePath

P = ParamSpec("P")

_FILES: Final = "tensorflow.python.lib.io._pywrap_file_io"
#: What is done with the first argument of which functions: module, owner in the module, function.
_FUNCTIONS: Final = {
    "written": (
        (_FILES, "", "WritableFile"),
        (_FILES, "", "WriteStringToFile"),
        ("tensorflow.io", "", "write_file"),
        ("tensorflow.io", "TFRecordWriter", "__init__"),
        ("tensorflow.summary", "", "create_file_writer"),
        ("tensorflow.python.checkpoint.checkpoint", "TrackableSaver", "save"),
    ),
    "read": (
        (_FILES, "", "BufferedInputStream"),
        (_FILES, "", "ReadFileToString"),
        (_FILES, "", "FileExists"),
        (_FILES, "", "IsDirectory"),
        (_FILES, "", "Stat"),
        (_FILES, "", "GetChildren"),
    ),
    "read_parts": (("tensorflow.python.checkpoint.checkpoint", "TrackableSaver", "restore"),),
    "create_folder": ((_FILES, "", "CreateDir"), (_FILES, "", "RecursivelyCreateDir")),
    "removed": ((_FILES, "", "DeleteFile"), (_FILES, "", "DeleteRecursively")),
    "moved": ((_FILES, "", "RenameFile"), (_FILES, "", "CopyFile")),
}
#: What the functions call their path.
_NAMES: Final = ("file_prefix", "save_path", "path", "logdir", "filename")


class Overlay(Protocol):
    """Where files are instead of where the program means them to be."""

    def written(self, path: FilePath) -> Any:
        """Where a file is written."""

    def read(self, path: FilePath) -> Any:
        """Where a file is read from."""

    def lead(self, owner: Any, name: str, wrapper: Callable[..., Any]) -> None:
        """Have ``wrapper(original, *args, **kwargs)`` called instead of a function."""


def lead_files(overlay: Overlay) -> None:
    """From now on TensorFlow writes where the overlay says, and reads back from there."""
    actions = _Actions(overlay)
    for action, functions in _FUNCTIONS.items():
        wrapper = getattr(actions, action)
        for module, owner, name in functions:
            home = import_module(module)
            by_position = _by_position(wrapper)
            overlay.lead(getattr(home, owner) if owner else home, name, _of_method(by_position) if owner else by_position)


class _Actions:
    """The replacements of functions that take a path first; paths may be bytes."""

    def __init__(self, overlay: Overlay) -> None:
        self._overlay = overlay

    def written(self, original: Callable[Concatenate[Any, P], Any], path: Any, *args: P.args, **kwargs: P.kwargs) -> Any:
        return original(self._overlay.written(_text(path)), *args, **kwargs)

    def read(self, original: Callable[Concatenate[Any, P], Any], path: Any, *args: P.args, **kwargs: P.kwargs) -> Any:
        return original(self._overlay.read(_text(path)), *args, **kwargs)

    def read_parts(self, original: Callable[Concatenate[Any, P], Any], path: Any, *args: P.args, **kwargs: P.kwargs) -> Any:
        """A checkpoint is several files that begin alike."""
        index = self._overlay.read(f"{_text(path)}.index") if path is not None else path
        return original(index.removesuffix(".index") if index is not None else path, *args, **kwargs)

    def create_folder(self, original: Callable[Concatenate[Any, P], Any], path: Any, *args: P.args, **kwargs: P.kwargs) -> Any:
        """A folder that is there already need not be made anew."""
        return None if os.path.isdir(_text(path)) else original(self._overlay.written(_text(path)), *args, **kwargs)

    def removed(self, original: Callable[Concatenate[Any, P], Any], path: Any, *args: P.args, **kwargs: P.kwargs) -> Any:
        """The user's own files stay."""
        found = self._overlay.read(_text(path))
        return original(found, *args, **kwargs) if found != _text(path) or self._overlay.written(found) == found else None

    def moved(
        self,
        original: Callable[..., Any],
        source: Any,
        target: Any,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        return original(self._overlay.read(_text(source)), self._overlay.written(_text(target)), *args, **kwargs)


def _by_position(wrapper: Callable[..., Any]) -> Callable[..., Any]:
    """The same for paths that are given by name."""

    def called(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        named = [kwargs.pop(name) for name in _NAMES if name in kwargs]
        return wrapper(original, *named, *args, **kwargs)

    return called


def _of_method(wrapper: Callable[..., Any]) -> Callable[..., Any]:
    """The same for methods, which take their object before."""

    def called(original: Callable[Concatenate[Any, P], Any], subject: Any, *args: P.args, **kwargs: P.kwargs) -> Any:
        return wrapper(lambda *inner, **named: original(subject, *inner, **named), *args, **kwargs)

    return called


def _text(path: FilePath) -> Any:
    return os.fsdecode(path) if isinstance(path, bytes) else path
