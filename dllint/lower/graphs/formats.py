"""The graph formats: which files are of which, and what reads them. Nothing that reads is imported before it is needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dllint.lower.graphs.errors import GraphError, MissingExtraError
from dllint.source.regular import require_regular

if TYPE_CHECKING:
    from dllint.lower.graphs.builder import Imported

#: Larger files are not read: protobuf has no larger messages.
LARGEST: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Format:
    """A graph format. ``importer`` is a module with ``import_graph(path) -> Imported``; ``needs`` the package that it reads
    with, which the extra ``extra`` of dllint installs; both are empty if it needs none."""

    title: str
    suffixes: tuple[str, ...]
    importer: str
    needs: str = ""
    extra: str = ""
    #: Bytes; larger files are not read.
    largest: int = LARGEST


FORMATS: Final = (
    Format("ONNX", (".onnx",), "dllint.lower.graphs.onnx.importer", "onnx", "onnx"),
    Format(
        "TensorFlow graph",
        (".pb", ".pbtxt"),
        "dllint.lower.graphs.tensorflow.importer",
        "google.protobuf",
        "tensorflow-graph",
    ),
    Format("torch.export program", (".pt2",), "dllint.lower.graphs.torch_export.importer", largest=2**63),
)
_BY_SUFFIX: Final = {suffix: each for each in FORMATS for suffix in each.suffixes}


def format_of(path: Path) -> Format | None:
    """The graph format of a file, by its suffix; ``None`` if it is none."""
    return _BY_SUFFIX.get(path.suffix.lower())


def import_file(path: Path, form: Format) -> Imported:
    """The program of a graph file.

    Raises:
        OSError: it cannot be read.
        GraphError: it is no graph of its format.
        MissingExtraError: what reads the format is not installed.
    """
    if form.needs and not _is_installed(form.needs):
        raise MissingExtraError(form.title, form.extra)
    size = require_regular(path)
    if size > form.largest:
        raise GraphError(
            f"{size} bytes are more than the {form.largest} that a {form.title} file may have; keep weights outside it"
        )
    reader: Callable[[Path], Imported] = import_module(form.importer).import_graph
    return reader(path)


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # of ``google.protobuf`` not even ``google``
        return False
