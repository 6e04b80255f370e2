"""Programs about one or two functions of numpy, drawn by their signatures, and what is done with their results."""

from __future__ import annotations

import random
from functools import cache
from typing import Any, Final

import numpy as np

from benchmarks.differential.calls import HARMFUL, HARMLESS, Code, changed
from benchmarks.differential.chains import Chain, Kinds
from benchmarks.differential.grammars import NUMPY
from benchmarks.differential.program import Program, Writer
from benchmarks.differential.sources.signatures import Drawer, Library, functions
from benchmarks.differential.tensors import numpy_text

TYPES: Final = ("float64", "float32", "int64", "int32", "float16", "uint8", "bool", "int8", "complex64")
LIBRARY: Final = Library(
    {"np": np, "np.linalg": np.linalg, "np.random": np.random},
    lambda name: Code(f"np.{'bool_' if name == 'bool' else name}"),
    TYPES,
)
HEADER: Final = ("import numpy as np",)


def _is_array(kinds: str) -> Any:
    return lambda value: isinstance(value, np.ndarray) and value.dtype.kind in kinds


_WRITTEN: Final = tuple("bool_" if name == "bool" else name for name in TYPES)
KINDS: Final = Kinds(_is_array("f"), _is_array("iu"), _is_array("b"), _is_array("biuf"), _WRITTEN)


@cache
def names() -> tuple[str, ...]:
    """The functions of numpy that are called."""
    return functions(LIBRARY)


def program(source: random.Random) -> Program:
    """A program."""
    writer = Writer((*HEADER, f"np.random.seed({source.randrange(1000)})"), numpy_text, source)
    chain = Chain(writer, NUMPY, KINDS)
    subject = ""
    chain.go_on(source.choice((0, 0, 2)), keep=0.0)
    for _ in range(source.choice((1, 1, 2, 3))):
        name, ran = called(writer, LIBRARY, names())
        subject = subject or name
        if not ran:
            return Program(writer.text, subject)
        chain.go_on(source.choice((0, 1, 2, 3, 4)), keep=0.06)
    return Program(writer.text, subject)


def called(writer: Writer, library: Library, among: tuple[str, ...]) -> tuple[str, bool]:
    """Add a call that runs, or one of those with a change that do not; the function's name, and whether it runs."""
    source = writer.source
    for _ in range(12):
        name = source.choice(among)
        call = Drawer(library, source).call(name)
        if source.random() < 0.3:
            call = changed(call, HARMLESS, source)
        trial = Writer((), writer._made, source)
        trial.values = dict(writer.values)
        if not trial.attempt(f"_ = {name}({', '.join(trial.arguments(call))})"):
            continue
        faulty = source.random() < 0.3
        if faulty:
            call = changed(call, HARMFUL, source)
        text = f"{name}({', '.join(writer.arguments(call))})"
        return name, writer.attempt(f"{writer.fresh()} = {text}", keep=faulty) or not faulty
    return "", True
