"""The process that writes and runs programs: frameworks may crash or hang, and then it alone is lost."""

from __future__ import annotations

import os
import random
import resource
import warnings
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Final, Literal

Name = Literal["own", "opinfo", "keras", "tensorflow", "numpy"]
SOURCES: Final[tuple[Name, ...]] = ("own", "opinfo", "keras", "tensorflow", "numpy")
#: Bytes of address space: a program that wants more gets an error.
_SPACE: Final = 14 * 2**30


@dataclass(frozen=True, slots=True)
class Order:
    """A program to be written and run: by its number in a source, or by its text."""

    source: Name
    seed: int = 0
    number: int = 0
    text: str = ""


def serve(connection: Connection, source: Name) -> None:
    """Answer orders until the connection ends."""
    _prepare()
    from benchmarks.differential.running import run, seed_all

    library = import_module(f"benchmarks.differential.sources.{source}")
    warnings.simplefilter("ignore")
    connection.send("ready")
    while True:
        try:
            order: Order = connection.recv()
        except EOFError:
            return
        if order.text:
            connection.send((order.text, "", run(order.text)))
            continue
        seed_all(order.number % 2**31)
        program = library.program(random.Random(f"{order.source} {order.seed} {order.number}"))
        connection.send((program.text, program.subject, None))
        connection.send((program.text, program.subject, run(program.text)))


def _prepare() -> None:
    """One thread, bounded memory, nothing on the terminal."""
    resource.setrlimit(resource.RLIMIT_AS, (_SPACE, _SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for name in ("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS"):
        os.environ[name] = "1"
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1")
    os.environ.setdefault("KERAS_BACKEND", "torch")
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
