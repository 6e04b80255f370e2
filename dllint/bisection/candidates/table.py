"""Which adapter a spec's ``candidate`` means: an object, the name of a variant, a file, a folder."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeAlias

from dllint.bisection.candidates.batches import in_fixed_batches
from dllint.bisection.candidates.setting import Setting
from dllint.bisection.errors import BisectionError
from dllint.bisection.protocols import Candidate

#: Module and function ``(what the spec names, setting) -> Candidate``.
Opener: TypeAlias = tuple[str, str]

_ROOM: Final = "dllint.bisection.candidates"
_DUMPED: Final = (f"{_ROOM}.dumped", "opened")
_PRECISION: Final = (f"{_ROOM}.precision", "opened")
_SCRIPT: Final = (f"{_ROOM}.torch_script", "opened")
_INT8: Final = (f"{_ROOM}.onnx_int8", "opened")
_COMPILED: Final = (f"{_ROOM}.torch_compile", "opened")
_KERAS: Final = (f"{_ROOM}.keras_model", "opened")
_PROGRAM: Final = (f"{_ROOM}.torch_program", "opened")

#: By the suffix of a file.
FILES: Final[dict[str, Opener]] = {
    ".onnx": (f"{_ROOM}.onnx_runtime", "opened"),
    ".pt2": _PROGRAM,
    ".pt": _SCRIPT,
    ".pth": _SCRIPT,
    ".ts": _SCRIPT,
    ".keras": _KERAS,
    ".tflite": (f"{_ROOM}.tflite", "opened"),
    ".npz": _DUMPED,
    ".safetensors": _DUMPED,
}
#: Variants of the reference by name.
VARIANTS: Final[dict[str, Opener]] = {
    "float16": _PRECISION,
    "bfloat16": _PRECISION,
    "autocast-float16": _PRECISION,
    "autocast-bfloat16": _PRECISION,
    "int8-dynamic": _INT8,
    "int8-qdq": _INT8,
    "int8-torchao": (f"{_ROOM}.torchao_int8", "opened"),
    "compile": _COMPILED,
}
#: By class, named by the module that must have been imported for there to be an instance; special classes first.
_CLASSES: Final[tuple[tuple[str, str, Opener], ...]] = (
    ("torch", "jit.ScriptModule", _SCRIPT),
    ("torch._dynamo.eval_frame", "OptimizedModule", _COMPILED),
    ("torch.export", "ExportedProgram", _PROGRAM),
    ("keras", "Model", _KERAS),
    ("torch", "nn.Module", _PROGRAM),
)


def candidate_of(value: Any, setting: Setting) -> Candidate:
    """The adapter: an object with ``run`` is one itself, a file is opened by its suffix, a folder holds dumped tensors.

    Raises :class:`BisectionError` for what no adapter is known for, and if what the adapter needs is not installed.
    """
    return in_fixed_batches(_opened(value, setting))


def _opened(value: Any, setting: Setting) -> Candidate:
    if hasattr(value, "run") and hasattr(value, "outputs"):
        return _adapter(f"{_ROOM}.plain", "opened")(value, setting)
    named = value if isinstance(value, str | Path) else None
    if isinstance(named, str) and named in VARIANTS:
        return _adapter(*VARIANTS[named])(named, setting)
    if named is not None:
        return _adapter(*_of_path(setting.folder / named))(setting.folder / named, setting)
    for opener in _of_class(value):
        return _adapter(*opener)(value, setting)
    known = f"a model, a file ({', '.join(FILES)}), a folder of tensors, a variant or an object with `run` and `outputs`"
    raise BisectionError(f"nothing is known about the candidate {type(value).__name__}", f"name {known}")


def _of_path(path: Path) -> Opener:
    if path.is_dir():
        return (f"{_ROOM}.saved_model", "opened") if (path / "saved_model.pb").is_file() else _DUMPED
    if path.suffix not in FILES:
        advice = f"name a file ({', '.join(FILES)}), a folder, or one of {', '.join(VARIANTS)}"
        raise BisectionError(f"nothing is known about the candidate {path.name!r}", advice)
    if not path.is_file():
        raise BisectionError(f"there is no file {path}")
    return FILES[path.suffix]


def _of_class(value: Any) -> Iterator[Opener]:
    for module, name, opener in _CLASSES:
        found: Any = sys.modules.get(module)
        for part in name.split("."):
            found = getattr(found, part, None)
        if isinstance(found, type) and isinstance(value, found):
            yield opener


def _adapter(module: str, function: str) -> Callable[..., Candidate]:
    try:
        found: Callable[..., Candidate] = getattr(import_module(module), function)
    except ImportError as error:
        raise BisectionError(f"this candidate needs the package `{error.name}`", f"pip install {error.name}") from error
    return found
