"""Build the graphs of TensorFlow 1 programs under ``tf.compat.v1`` and write them down, without training anything.

    python -m benchmarks.numeric.export OUT < programs.json

Each program (``[path, root of its repository]``) runs in a process of its own, in a copy of its folder, until it first feeds
or fetches something; what initialises variables is passed over. ``OUT/<number>-*.pb`` are the graphs that it has come to use
(tests use several) with the stack trace of every operation; one line of JSON per program tells what became of it.
"""

from __future__ import annotations

import json
import linecache
import multiprocessing
import os
import runpy
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

LIMIT_S = 60


class Built(BaseException):
    """The graph is complete: the program has begun to use it."""


def main() -> None:
    """See the module's docstring."""
    from benchmarks.numeric import legacy

    out, programs = Path(sys.argv[1]), json.load(sys.stdin)
    legacy.install()
    forked = multiprocessing.get_context("fork")
    for number, (program, root) in enumerate(programs):
        answers = forked.SimpleQueue()
        child = forked.Process(target=_in_child, args=(Path(program), Path(root), out / str(number), answers))
        child.start()
        child.join(LIMIT_S)
        if child.is_alive():
            child.kill()
            child.join()
        answer = answers.get() if not answers.empty() else {"error": f"no graph within {LIMIT_S} s", "graphs": []}
        print(json.dumps({"program": program, **answer}), file=sys.__stdout__, flush=True)


def _in_child(program: Path, root: Path, target: Path, answers: Any) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    error = _run(program, root)
    used = list({id(graph): graph for graph in _USED}.values()) or ([] if error else _default())
    answers.put({"error": "" if used else error, "graphs": [_write(f"{target}-{n}.pb", graph) for n, graph in enumerate(used)]})


def _run(program: Path, root: Path) -> str:
    """Run a program as a script in a copy of its folder; why it ended before its graph was complete, if so."""
    from tensorflow.python.client.session import BaseSession

    BaseSession.run = _run_once
    sys.argv = [str(program)]
    between = [folder for folder in program.parents if folder.is_relative_to(root)]
    sys.path[0:0] = [str(folder) for folder in between]
    os.chdir(shutil.copytree(program.parent, Path(tempfile.mkdtemp()) / "program", ignore=_large))
    try:
        runpy.run_path(str(program), run_name="__main__")
    except Built:
        return ""
    except BaseException as error:
        return f"{type(error).__name__}: {error}".split("\n", 1)[0][:200]
    return ""


def _large(folder: str, names: list[str]) -> list[str]:
    """What is not copied: large files, and folders within folders of which only data is expected."""
    return [name for name in names if (path := Path(folder, name)).is_file() and path.stat().st_size > 2**24]


_USED: list[Any] = []


def _run_once(session: Any, fetches: Any, feed_dict: Any = None, **_: Any) -> None:
    """In place of ``Session.run``: what initialises is passed over, what feeds or fetches ends the program."""
    import tensorflow.compat.v1 as tf

    if feed_dict or not all(isinstance(part, tf.Operation) for part in tf.nest.flatten(fetches)):
        _USED.append(session.graph)
        raise Built


def _default() -> list[Any]:
    """The graph that a program has built without using it."""
    import tensorflow.compat.v1 as tf

    graph = tf.get_default_graph()
    return [graph] if graph.get_operations() else []


def _write(target: str, graph: Any) -> list[Any]:
    """Write a graph; its file and how many operations it has."""
    from tensorflow.python.framework.error_interpolation import create_graph_debug_info_def

    operations = graph.get_operations()
    definition = graph.as_graph_def()
    traces = create_graph_debug_info_def([("", operation) for operation in operations])
    for frame in traces.frames_by_id.values():  # TensorFlow leaves the text of lines out
        frame.code = linecache.getline(traces.files[frame.file_index], frame.line)
    stored = definition.SerializeToString() + _field(5, traces.SerializeToString())
    Path(target).write_bytes(stored)
    return [target, len(operations)]


def _field(number: int, content: bytes) -> bytes:
    """A message as a field of another: appended to its bytes, it is a part of it."""
    return bytes([number << 3 | 2]) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


if __name__ == "__main__":
    main()
