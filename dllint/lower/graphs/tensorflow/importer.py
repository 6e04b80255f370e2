"""Files of TensorFlow graphs as programs."""

from __future__ import annotations

from pathlib import Path

from dllint.lower.graphs.builder import Imported, build
from dllint.lower.graphs.formats import LARGEST
from dllint.lower.graphs.tensorflow.assembling import assembled
from dllint.lower.graphs.tensorflow.reading import read
from dllint.lower.graphs.tensorflow.translate import translate
from dllint.source.regular import read_regular


def import_graph(path: Path) -> Imported:
    """The program of a ``.pb`` (binary) or ``.pbtxt`` (text) file.

    Raises:
        OSError: it cannot be read.
        GraphError: it is no such graph.
    """
    data, is_text = read_regular(path, LARGEST), path.suffix.lower() == ".pbtxt"
    graph = assembled(path.name, read(data, text=is_text))
    if is_text:
        graph.text = data.decode("utf-8", "replace")
    return build(path, graph, translate)
