"""Runs training programs in forks of a process that has a framework and the observation of runs imported.

The arguments are the modules to import. Every line of standard input is a JSON object with ``program`` (its file), ``out`` and
``err`` (files) and ``watched``, which the program finds as ``WATCHED``: whether it is to use a callback of dllint. Every answer
line is the exit status.
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
from typing import Final

from dllint.dev.libraries.torchvision_import import import_torchvision

#: A program that hangs is ended.
_SECONDS: Final = 90


def serve(names: list[str]) -> None:
    if any(name.startswith("lightning") for name in names):
        import_torchvision()
    for name in names:
        importlib.import_module(name)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    gc.freeze()
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if not child:
            _answer(request)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _answer(request: dict) -> None:
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
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.__stdout__):
            if stream is not None and not stream.closed:
                stream.flush()
        # What frameworks do when an interpreter ends may take minutes.
        os._exit(status)


if __name__ == "__main__":
    serve(sys.argv[1:])
