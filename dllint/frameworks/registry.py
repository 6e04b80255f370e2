"""Which tables are loaded, and what a qualified library name means in them.

Each library package ``dllint/frameworks/<library>/`` has a module ``tables`` with any of

``FUNCTIONS``  mapping or iterable of :class:`FunctionRow` (functions and methods, ``torch.Tensor.view``)
``LAYERS``     mapping or iterable of :class:`LayerRow`
``canonical``  ``f(qualified name) -> canonical name or None`` (aliases, old module paths)
``RENAMES``    the library's common parameter renames, ``{"input": "x"}``

Importing it registers the library's handlers (:mod:`dllint.frameworks.machine`). Tables are imported when the analysed
code first names the library, so that a file without Keras never pays for Keras.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from dllint.frameworks.binding import REQUIRED, Param
from dllint.frameworks.machine import HANDLERS, LIBRARY_BASES, PROPERTIES
from dllint.frameworks.rows import EMPTY, FunctionRow, LayerRow
from dllint.frameworks.signature import parse_signature
from dllint.ir.values import Value

#: Top-level package → the library rooms whose tables it needs.
ROOMS: dict[str, tuple[str, ...]] = {
    "torch": ("torch",),
    "torchvision": ("torch", "torchvision"),
    "einops": ("einops",),
    "keras": ("keras",),
    "tf_keras": ("keras",),
    "keras_core": ("keras",),
    "tensorflow": ("keras", "tensorflow"),
    "tf_slim": ("keras", "tensorflow"),
    "input_data": ("keras", "tensorflow"),
    "absl": ("absl",),
    "numpy": ("numpy",),
    "sklearn": ("sklearn", "numpy"),
    "pandas": ("pandas", "numpy"),
    "PIL": ("pillow",),
    "cv2": ("opencv", "numpy"),
    "h5py": ("h5py", "numpy"),
    "gym": ("gymnasium", "numpy"),
    "gymnasium": ("gymnasium", "numpy"),
    "safetensors": ("safetensors", "torch", "numpy"),
    "librosa": ("audio", "numpy"),
    "torchaudio": ("torch", "audio"),
    "pytorch_lightning": ("torch", "lightning"),
    "lightning": ("torch", "lightning", "accelerate"),
    "lightning_fabric": ("torch", "accelerate"),
    "accelerate": ("torch", "accelerate"),
    "transformers": ("torch", "huggingface"),
}

COMMON_RENAMES: Mapping[str, str] = {
    "input": "x", "self": "x", "other": "y", "axis": "dim", "keepdims": "keepdim", "size": "shape", "a": "x", "x1": "x",
    "b": "y", "x2": "y", "inputs": "x", "axes": "dims",
}  # fmt: skip

Row = TypeVar("Row", FunctionRow, LayerRow)
_functions: dict[str, FunctionRow] = {}
_layers: dict[str, LayerRow] = {}
_canonicals: list[Callable[[str], str | None]] = []
_renames: dict[str, Mapping[str, str]] = {}
#: Callable → name, kind and, unless it is required, default of each parameter.
_signatures: dict[str, list[tuple[str, str, *tuple[Value, ...]]]] = {}
#: Signatures of functions with handlers, of libraries that there is no generated data of.
_written: dict[str, str] = {}
_loaded: set[str] = set()
_names: dict[str, str] = {}


def load(name: str) -> None:
    """Load the tables that a qualified name's package needs; a package we have no tables for is no error."""
    root = name.partition(".")[0]
    if root in _loaded:
        return
    _loaded.add(root)
    for room in ROOMS.get(root, ()):
        _load_room(room)


def _load_room(room: str) -> None:
    if f"room:{room}" in _loaded:
        return
    _loaded.add(f"room:{room}")
    package = f"dllint.frameworks.{room}"
    if find_spec(package) is None or find_spec(f"{package}.tables") is None:
        return
    tables = import_module(f"{package}.tables")
    functions: Mapping[str, FunctionRow] | Sequence[FunctionRow] = getattr(tables, "FUNCTIONS", ())
    layers: Mapping[str, LayerRow] | Sequence[LayerRow] = getattr(tables, "LAYERS", ())
    _functions.update(_by_name(functions))
    _layers.update(_by_name(layers))
    _written.update(getattr(tables, "SIGNATURES", EMPTY))
    _renames[room] = getattr(tables, "RENAMES", EMPTY)
    if (canonical := getattr(tables, "canonical", None)) is not None:
        _canonicals.append(canonical)
    path = Path(__file__).parent / "signatures" / f"{room}.json"
    if path.exists():
        _signatures.update(json.loads(path.read_text(encoding="utf-8")))
    _names.clear()


def _by_name(rows: Mapping[str, Row] | Sequence[Row]) -> dict[str, Row]:
    return dict(rows) if isinstance(rows, Mapping) else {row.name: row for row in rows}


def canonical(name: str) -> str:
    """The canonical spelling of a qualified library name (``tensorflow.keras.layers.Dense`` → ``keras.layers.Dense``)."""
    known = _names.get(name)
    if known is None:
        load(name)
        known = next((found for f in _canonicals if (found := f(name)) is not None), name)
        if known != name:
            load(known)
        _names[name] = known
    return known


def function_row(name: str) -> FunctionRow | None:
    """The row of a function or method."""
    return _functions.get(name)


def functions() -> Mapping[str, FunctionRow]:
    """The rows of the functions and methods of the loaded libraries."""
    return _functions


def layer_row(name: str) -> LayerRow | None:
    """The row of a layer class."""
    return _layers.get(name)


def renames(framework: str) -> Mapping[str, str]:
    """The common parameter renames of a framework's rows, beside :data:`COMMON_RENAMES`."""
    return _renames.get(framework, EMPTY)


@cache
def _from_text(text: str) -> tuple[Param, ...]:
    return parse_signature(text)


def parameters(name: str, text: str = "") -> tuple[Param, ...] | None:
    """The parameters of a library callable: from a row's own signature text, a table's, or the generated data."""
    if text := text or _written.get(name, ""):
        return _from_text(text)
    data = _signatures.get(name)
    if data is None:
        return None
    return _decoded(name)


def signatures() -> Collection[str]:
    """The names whose parameters the generated data of the loaded libraries tell."""
    return _signatures.keys()


@cache
def _decoded(name: str) -> tuple[Param, ...]:
    return tuple(
        Param(parameter, kind, _literal(default[0]) if default else REQUIRED) for parameter, kind, *default in _signatures[name]
    )


def _literal(value: Value | list[Value]) -> Value:
    return tuple(map(_literal, value)) if isinstance(value, list) else value


def known(name: str) -> bool:
    """Whether any table says something about a name."""
    return (
        name in _functions
        or name in _layers
        or name in HANDLERS
        or name in LIBRARY_BASES
        or name in PROPERTIES
        or name in _signatures
    )
