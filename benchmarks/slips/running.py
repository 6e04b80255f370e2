"""Runs a torch module of a checkout on random input, in a child of a process that has torch imported.

Reads requests and writes answers, one JSON object a line: ``root``, ``file``, ``text`` and ``model`` (a class), with
``recipe`` (as an earlier answer gave it; without its ``inputs``, when others are looked for) or without. The answer
has ``error`` if it does not run;
else ``recipe``, ``shapes`` of what it returns, ``digest`` of its values, and ``weights``: parameters with shape and whether
the gradient of the result reaches them. Children have no network, write no files, and end after some seconds.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

_ROOT: Final = Path(__file__).parents[2]
_SECONDS: Final = 120
_CPU_SECONDS: Final = 12
#: No further input is tried after so many seconds of CPU time.
_SEARCH_SECONDS: Final = 3
Answer = dict[str, Any]


class Runner:
    """A process that runs modules, started when it is first asked."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def run(self, root: Path, file: Path, text: str, model: str, recipe: Answer | None = None) -> Answer:
        """The answer to a request (see the module)."""
        if self._process is None:
            command = [sys.executable, "-P", "-m", "benchmarks.slips.running"]
            environment = {**os.environ, "PYTHONPATH": str(_ROOT), "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(
                command,
                stdin=pipe,
                stdout=pipe,
                stderr=subprocess.DEVNULL,
                text=True,
                env=environment,
                cwd=tempfile.gettempdir(),
            )
        request = {"root": str(root), "file": str(file), "text": text, "model": model, "recipe": recipe}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer: Answer = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        """End the process."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            self._process.wait()
            self._process = None


def serve() -> None:
    """Answer requests until there are no more."""
    import torch

    torch.set_num_threads(1)
    out = os.fdopen(os.dup(1), "w")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    os.dup2(null, 2)
    for line in sys.stdin:
        out.write(_in_child(json.loads(line)) + "\n")
        out.flush()


def _in_child(request: Answer) -> str:
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _limit()
        try:
            text = json.dumps(_answer(request))
        except BaseException as error:  # of any kind: it is what is asked for
            text = json.dumps({"error": _described(error), "setup": True})
        os.write(writing, text.encode())
        os._exit(0)
    os.close(writing)
    parts: list[bytes] = []
    while select.select([reading], [], [], _SECONDS)[0] and (part := os.read(reading, 65536)):
        parts.append(part)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(reading)
    whole = b"".join(parts).decode()
    return whole if whole.endswith("}") else json.dumps({"error": "TimeoutError: it takes too long", "setup": True})


def _limit() -> None:
    def refused(*_args: Any, **_kwargs: Any) -> Any:
        raise OSError("there is no network")

    socket.socket.connect = refused  # type: ignore[method-assign]
    socket.getaddrinfo = refused
    os.chdir(tempfile.gettempdir())
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_SECONDS, _CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    warnings.simplefilter("ignore")


def _described(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0][:200]


def _answer(request: Answer) -> Answer:
    from benchmarks.slips.definitions import load

    file = Path(request["file"])
    module = load(Path(request["root"]), file, request["text"])
    cls = vars(module).get(request["model"])
    if not isinstance(cls, type):
        return {"error": "NameError: the class is not defined", "setup": True}
    last: Answer = {"error": "LookupError: no input suits", "setup": True}
    for recipe in [request["recipe"]] if request["recipe"] else _recipes():
        last = _run(cls, vars(module), recipe, str(file), time.process_time() + _SEARCH_SECONDS)
        if "error" not in last:
            break
    return last


def _recipes() -> Iterator[Answer]:
    from benchmarks.slips.inputs import SIZES

    yield from ({"size": size} for size in SIZES)


def _run(cls: Any, scope: dict[str, Any], recipe: Answer, file: str, until: float) -> Answer:
    """Construct and call a class. Without an input in the recipe, all that may suit are tried."""
    import torch

    from benchmarks.slips.inputs import arguments, tensors

    searching = "inputs" not in recipe
    try:
        torch.manual_seed(0)
        model = cls(**arguments(cls, recipe["size"], scope))
    except Exception as error:
        return {"error": _described(error), "lines": _lines(error, file), "setup": searching}
    answer: Answer = {"error": "LookupError: no input suits", "setup": True}
    if not searching:
        return _called(model, recipe, _given(recipe["inputs"]), file)
    for given in tensors(model, model.forward):
        if time.process_time() > until:
            break
        torch.manual_seed(0)
        inputs = [
            None if one is None else [list(one.shape), str(one.dtype), int(one.max()) if one.numel() else 0] for one in given
        ]
        model = cls(**arguments(cls, recipe["size"], scope))
        answer = _called(model, {**recipe, "inputs": inputs}, _given(inputs), file)
        if "error" not in answer:
            return answer
    return {**answer, "setup": True}


def _given(inputs: list[Any]) -> list[Any]:
    """The tensors of a recipe: random ones of given shape and type, integers up to the largest that was drawn."""
    import torch

    generator = torch.Generator().manual_seed(1)
    out: list[Any] = []
    for one in inputs:
        if one is None:
            out.append(None)
        elif one[1] == "torch.float32":
            out.append(torch.randn(one[0], generator=generator))
        elif one[1] == "torch.bool":
            out.append(torch.ones(one[0], dtype=torch.bool))
        else:
            out.append(torch.randint(0, one[2] + 1, one[0], generator=generator))
    return out


def _called(model: Any, recipe: Answer, given: list[Any], file: str) -> Answer:
    import torch

    try:
        torch.manual_seed(2)
        out = list(_tensors(model(*given)))
        floats = [one for one in out if one.is_floating_point() and one.requires_grad]
        if floats:
            sum((one * torch.arange(1, one.numel() + 1).view_as(one).sin()).sum() for one in floats).backward()  # type: ignore[union-attr]
    except Exception as error:
        return {"error": _described(error), "lines": _lines(error, file), "setup": False}
    if not out:
        return {"error": "TypeError: it returns no tensor", "setup": False, "lines": []}
    digest = hashlib.sha1()
    for one in out:
        digest.update(one.detach().double().mul(1e4).round().numpy().tobytes())
    weights = sorted([name, list(p.shape), p.grad is not None] for name, p in model.named_parameters())
    return {"recipe": recipe, "shapes": [list(one.shape) for one in out], "digest": digest.hexdigest(), "weights": weights}


def _tensors(value: Any) -> Iterator[Any]:
    import torch

    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _tensors(one)
    elif isinstance(value, dict):
        for one in value.values():
            yield from _tensors(one)


def _lines(error: BaseException, file: str) -> list[int]:
    """The lines of the file that the traceback names."""
    return [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file and frame.lineno]


if __name__ == "__main__":
    serve()
