"""Runs command lines of dllint in forks of a process that has imported what most commands need (half of a short run).

Every line of standard input is a JSON object with ``arguments`` (as :func:`os.fsdecode` gives them), ``folder``,
``environment``, ``files`` (those of standard input, output and error) and ``seconds``; every answer line has the exit status,
the CPU seconds and the peak memory in KiB, both with those of the run's own children.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any, NoReturn

from dllint.cli.main import main, run

#: As `timeout` gives it.
_TIMED_OUT = 124


def serve() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # the folder that it was started in is gone
        path = Path(folder, "a.py")
        path.write_text("import torch\n\ntorch.ones(3).view(7)\n")
        run(["check", "-n", "--silent", "--isolated", str(path)])
    for line in sys.stdin:
        child = os.fork()
        if not child:
            _answer(json.loads(line))
        _, ended, used = os.wait4(child, 0)
        status = os.waitstatus_to_exitcode(ended)
        print(_TIMED_OUT if status == -signal.SIGALRM else status, used.ru_utime + used.ru_stime, used.ru_maxrss, flush=True)


def _answer(request: dict[str, Any]) -> NoReturn:
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    modes = (os.O_RDONLY, os.O_WRONLY | os.O_CREAT, os.O_WRONLY | os.O_CREAT)
    for descriptor, (path, mode) in enumerate(zip(request["files"], modes, strict=True)):
        os.dup2(os.open(path, mode), descriptor)
    sys.stdin = os.fdopen(0, encoding=sys.stdin.encoding, errors=sys.stdin.errors, closefd=False)
    sys.argv = ["dllint", *request["arguments"]]
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(max(1, int(request["seconds"])))
    main()


if __name__ == "__main__":
    serve()
