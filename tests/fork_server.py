"""Runs dllint command lines in forks of a process that has imported some modules, and those of dllint that are there when a
program begins, which takes most of a short run's time.

    python -m tests.fork_server DESCRIPTOR MODULE...

The descriptor is that of a listening socket, which is served until all who have connected are gone: processes of tests share a
server. Every line of a connection is a JSON object with ``arguments`` (of ``dllint``, or of ``python`` if ``plain``),
``folder``, ``given``, ``out`` and ``err`` (files of standard input, output and error); every answer line is the exit status.
With ``ranks``, so many processes run as under a launcher, files of output of all but the first have ``.1`` and so on at the end
of their names, and the answer is all statuses. The line ``end`` ends a connection. Processes end at once: what frameworks do
when an interpreter ends can take minutes or never return.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import sys
import tempfile
from pathlib import Path

from dllint.cli.main import run
from dllint.config.discovery import Configuration
from dllint.diagnose.trials import nursery, pool
from dllint.engine.registry import rule
from dllint.engine.run import FixMode, Plan, check_files
from dllint.rules._index import RULES

#: Seconds after which a server without connections ends.
IDLE = 1.0
_EXAMPLE = """
import torch
from torch import nn

x, y = torch.randn(64, 8), torch.randint(0, 3, (64,))
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    loss = nn.functional.cross_entropy(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def serve(listening: socket.socket, modules: list[str]) -> None:
    for name in modules:
        importlib.import_module(name)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    for name in _there_when_a_program_begins(modules):
        importlib.import_module(name)
    # A program is checked before it begins, by the rules that it has something for.
    for row in RULES:
        rule(row.code)
    _check_once()
    gc.freeze()
    path = Path(listening.getsockname())
    listening.settimeout(IDLE)
    connections: set[int] = set()
    leaving = False
    while True:
        with contextlib.suppress(TimeoutError):
            connections.add(_connected(listening))
        connections = {process for process in connections if not os.waitpid(process, os.WNOHANG)[0]}
        if not connections and leaving:
            os._exit(0)
        if not connections:
            # Who comes from now on starts another server; who has come before is served.
            path.unlink()
            leaving = True


def _connected(listening: socket.socket) -> int:
    """The process that answers the next one who connects."""
    connection, _ = listening.accept()
    process = os.fork()
    if not process:
        listening.close()
        connection.settimeout(None)
        with connection, connection.makefile("rw", encoding="utf-8") as stream:
            for line in iter(stream.readline, "end\n"):
                if not line:
                    break
                children = [_start(one) for one in _requests(json.loads(line))]
                statuses = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
                print(*statuses, file=stream, flush=True)
        os._exit(0)
    connection.close()
    return process


def _there_when_a_program_begins(frameworks: list[str]) -> list[str]:
    """The modules of dllint that a diagnosis imports before it runs a program with these imports, as a rehearsal in a fork has
    them."""
    reading, writing = os.pipe()
    with tempfile.TemporaryDirectory() as folder:
        text = f"import os, sys, {', '.join(frameworks)}\nos.write({writing}, ' '.join(sys.modules).encode())\nos._exit(0)\n"
        Path(folder, "program.py").write_text(text, encoding="utf-8")
        child = os.fork()
        if not child:
            for descriptor in (1, 2):
                os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
            os.chdir(folder)
            os._exit(run(["diagnose", "--no-replay", "program.py"]))
        os.close(writing)
        with open(reading, encoding="utf-8") as names:
            found = names.read().split()
        os.waitpid(child, 0)
    assert found, "the rehearsal fails"
    return [name for name in found if name.partition(".")[0] == "dllint"]


def _check_once() -> None:
    """Check a small program, so that tables which are read at the first check are there for every fork."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "program.py")
        program.write_text(_EXAMPLE, encoding="utf-8")
        list(check_files([program], Plan(Configuration(isolated=True), FixMode.OFFER, 1, cache=False), lambda: None))


def _start(request: dict) -> int:
    child = os.fork()
    if not child:
        _answer(request)
    return child


def _requests(request: dict) -> list[dict]:
    """One request per process."""
    if "ranks" not in request:
        return [request]
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = str(free.getsockname()[1])
    common = {"WORLD_SIZE": str(request["ranks"]), "MASTER_ADDR": "localhost", "MASTER_PORT": port}
    ends = ["", *(f".{rank}" for rank in range(1, request["ranks"]))]
    return [
        {
            **request,
            "out": request["out"] + end,
            "err": request["err"] + end,
            "environment": {**common, "RANK": str(rank), "LOCAL_RANK": str(rank)},
        }
        for rank, end in enumerate(ends)
    ]


def _answer(request: dict) -> None:
    os.chdir(request["folder"])
    os.environ.update(request.get("environment", {}))
    os.dup2(os.open(request["given"], os.O_RDONLY), 0)
    for descriptor, path in ((1, request["out"]), (2, request["err"])):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), descriptor)
    signal.alarm(240)
    # A shell that starts the tests in the background has interrupts ignored; a user's terminal does not.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if "diagnose" in request["arguments"] and "--no-replay" not in request["arguments"]:
        nurseries = [_forked_nursery() for _ in range(2)]
        pool.start_nursery = lambda: nurseries.pop()
    status = _run_plainly(request["arguments"]) if request["plain"] else run(request["arguments"])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _forked_nursery():
    """A nursery that need not import anything: it is forked now, while no program has run in this process."""
    requests, send = os.pipe()
    receive, answers = os.pipe()
    process = os.fork()
    if not process:
        os.setsid()
        os.close(send)
        nursery.serve(requests, answers)
        os._exit(0)
    os.close(requests)
    os.close(answers)
    return os.fdopen(send, "wb"), os.fdopen(receive, "rb"), process


def _run_plainly(arguments: list[str]) -> int:
    sys.argv = arguments
    runpy.run_path(arguments[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])), sys.argv[2:])
