"""Runs training programs in forks of a process that has torch and the observation of runs imported, as most of a short run's
time is spent on these.

Every line of standard input is a JSON object with ``program`` (its file), ``out`` and ``err`` (files) and ``watched``: whether
``dllint`` watches. Every answer line is the exit status. What is found is written to ``err``.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Final

import torch

from dllint.diagnose.faces.telling import tell
from dllint.diagnose.probes.torch import afterwards, probe
from dllint.diagnose.watching import Watch

#: A program that hangs is ended.
_SECONDS: Final = 60


def serve() -> None:
    torch.set_num_threads(1)
    assert afterwards is not None
    assert probe is not None
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
        watch = Watch(polite=True) if request["watched"] else None
        exec(code, vars(main))
        if watch is not None:
            tell(watch.diagnosis(), sys.stderr)
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    serve()
