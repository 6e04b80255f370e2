"""Runs training programs in forks of processes that have a framework and the observation of runs imported, as most of a short
run's time is spent on these.

Every line of standard input is a JSON object with ``kind`` (a row of ``_KINDS``), ``program`` (its file), ``out`` and ``err``
(files) and ``watched``, which the program finds as ``WATCHED``: whether it is to use a callback of dllint. Every answer line is
the exit status. There is one process of each kind that is asked for, with what only that kind imports.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import signal
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TextIO

from dllint.dev.libraries.torchvision_import import import_torchvision

#: A program that hangs is ended.
_SECONDS: Final = 240
_ALL: Final = ("torch", "dllint.diagnose.faces.observation", "dllint.diagnose.probes.torch.probe")
_KERAS: Final = ("keras", "dllint.diagnose.faces.keras", "dllint.diagnose.probes.keras.probe")
#: Kind → what its programs import. Keras imports TensorFlow when it is first given data, on any backend.
_KINDS: Final = {
    "lightning": ("lightning.pytorch", "dllint.diagnose.faces.lightning", "dllint.diagnose.faces.transformers"),
    "torch": ("tensorflow", *_KERAS),
    "tensorflow": ("tensorflow", *_KERAS, "dllint.diagnose.probes.tensorflow.probe"),
    "jax": ("tensorflow", "jax", *_KERAS, "dllint.diagnose.probes.jax.probe"),
}


def serve() -> None:
    """Hand every request to the process of its kind."""
    for name in _ALL:
        importlib.import_module(name)
    started: dict[str, tuple[TextIO, TextIO]] = {}
    for line in sys.stdin:
        kind = json.loads(line)["kind"]
        if kind not in started:
            started[kind] = _start(kind)
        to, back = started[kind]
        print(line, file=to, end="", flush=True)
        print(back.readline(), end="", flush=True)


def _start(kind: str) -> tuple[TextIO, TextIO]:
    """Start the process of a kind."""
    requests, send = os.pipe()
    receive, answers = os.pipe()
    if not os.fork():
        os.close(send)
        os.close(receive)
        _serve_kind(kind, os.fdopen(requests), os.fdopen(answers, "w"))
        os._exit(0)
    os.close(requests)
    os.close(answers)
    return os.fdopen(send, "w"), os.fdopen(receive)


def _serve_kind(kind: str, requests: TextIO, answers: TextIO) -> None:
    if kind == "lightning":
        import_torchvision()
    else:
        os.environ["KERAS_BACKEND"] = kind
    for name in _KINDS[kind]:
        importlib.import_module(name)
    sys.modules["torch"].set_num_threads(1)
    gc.freeze()
    for line in requests:
        child = os.fork()
        if not child:
            _answer(json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=answers, flush=True)


def _answer(request: dict[str, Any]) -> None:
    status = 1
    try:
        signal.alarm(_SECONDS)
        for descriptor, path in ((1, request["out"]), (2, request["err"])):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), descriptor)
        os.chdir(Path(request["program"]).parent)
        code = compile(Path(request["program"]).read_text(encoding="utf-8"), request["program"], "exec")
        main = sys.modules["__main__"] = ModuleType("__main__")
        vars(main).update(WATCHED=request["watched"], __file__=request["program"])
        sys.argv = [request["program"]]
        exec(code, vars(main))
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
    finally:
        for stream in (sys.stdout, sys.__stdout__, sys.__stderr__):
            stream.flush()
        # What frameworks do when an interpreter ends may take minutes.
        os._exit(status)


if __name__ == "__main__":
    serve()
