"""Programs of Keras: functions, losses and layers drawn by their signatures, eager or on symbolic inputs."""

from __future__ import annotations

import random
from functools import cache
from typing import Any, Final

import keras
import numpy as np

from benchmarks.differential.calls import HARMFUL, Call, Code, Row, changed
from benchmarks.differential.chains import Chain, Kinds
from benchmarks.differential.grammars import KERAS
from benchmarks.differential.program import Program, Writer
from benchmarks.differential.sources.numpy import called
from benchmarks.differential.sources.signatures import Drawer, Library, functions
from benchmarks.differential.tensors import Tensor, keras_text, numpy_text, written

TYPES: Final = ("float32", "int32", "float16", "bool", "float64", "int64", "uint8", "bfloat16")
LIBRARY: Final = Library(
    {"keras.ops": keras.ops, "keras.losses": keras.losses, "keras.activations": keras.activations, "keras.random": keras.random,
     "keras.layers": keras.layers},
    lambda name: Code(repr(name)),
    TYPES,
)  # fmt: skip
HEADER: Final = ("import keras", "import numpy as np")


def _is_of(*kinds: str) -> Any:
    def test(value: Any) -> bool:
        return keras.ops.is_tensor(value) and keras.backend.standardize_dtype(value.dtype).startswith(kinds)

    return test


KINDS: Final = Kinds(
    _is_of("float", "bfloat"), _is_of("int", "uint"), _is_of("bool"), lambda value: isinstance(value, np.ndarray), TYPES
)


@cache
def _names(module: str, classes: bool) -> tuple[str, ...]:
    """The functions or classes of a module, of all modules but that of layers for functions."""
    found = (name for name in functions(LIBRARY) if name.rpartition(".")[2][0].isupper() == classes)
    return tuple(name for name in found if name.startswith(module) and (classes or not name.startswith("keras.layers.")))


def program(source: random.Random) -> Program:
    """A program."""
    writer = Writer((*HEADER, f"keras.utils.set_random_seed({source.randrange(1000)})"), _text(source), source)
    if source.random() < 0.2:
        return _model(writer)
    chain = Chain(writer, KERAS, KINDS)
    subject = ""
    for _ in range(source.choice((1, 1, 2, 3))):
        name, ran = source.choice((_layer, _layer, _loss, _function, _function))(writer)
        subject = subject or name
        if not ran:
            return Program(writer.text, subject)
        chain.go_on(source.choice((0, 1, 2, 3, 4)), keep=0.06)
    return Program(writer.text, subject)


def _text(source: random.Random) -> Any:
    """How tensors are made: mostly as Keras's, at times as arrays."""
    return keras_text if source.random() < 0.75 else numpy_text


def _function(writer: Writer) -> tuple[str, bool]:
    return called(writer, LIBRARY, _names("", False))


def _loss(writer: Writer) -> tuple[str, bool]:
    source = writer.source
    name = source.choice(_names("keras.losses.", True))
    shape = (source.randint(1, 4), source.randint(1, 4), *((3,) if source.random() < 0.3 else ()))
    target = Tensor(shape[:-1] if "Sparse" in name else shape, source.choice(("float32", "int32", "float32")), "whole", 0, 1)
    given = Call(name, (target, Tensor(shape)), built=_built(name, source))
    return name, _applied(writer, given)


def _built(name: str, source: random.Random) -> Call:
    return Drawer(LIBRARY, source).call(name, options=0.15)


def _layer(writer: Writer) -> tuple[str, bool]:
    """A layer applied to what it is likely to take."""
    source = writer.source
    for _ in range(8):
        name = source.choice(_names("keras.layers.", True))
        call = Call(name, _inputs(name.rpartition(".")[2], source), built=_built(name, source))
        trial = Writer((), writer._made, source)
        trial.values = dict(writer.values)
        if _applied(trial, call, faulty=0.0):
            return name, _applied(writer, call)
    return "", True


_MERGING: Final = ("Add", "Average", "Concatenate", "Dot", "Maximum", "Minimum", "Multiply", "Subtract")


def _inputs(name: str, source: random.Random) -> tuple[Any, ...]:
    spatial = next((n for n in (1, 2, 3) if name.endswith(f"{n}D") or f"{n}DTr" in name), None)
    usual = 3 if name in ("LSTM", "GRU", "SimpleRNN") else 4 if "Conv" in name else source.choice((2, 2, 3, 4))
    rank = spatial + 2 if spatial else usual
    sizes = tuple(source.randint(4, 7) if spatial else source.randint(2, 5) for _ in range(rank - 2))
    shape = (source.randint(1, 3), *sizes, source.choice((1, 2, 4)))
    dtype = source.choice(("float32",) * 6 + ("float16", "int32", "float64", "uint8", "int64"))
    if name == "Embedding":
        return (Tensor(shape[:2], "int32", "whole", 0, 1),)
    tensor = Tensor(shape, dtype, "uniform" if dtype.startswith("float") else "range")
    if name in _MERGING:
        return (Row((tensor, tensor)),)
    return (tensor, tensor) if name.endswith("Attention") else (tensor,)


def _applied(writer: Writer, call: Call, faulty: float = 0.3) -> bool:
    """Construct an object and call it; whether both run."""
    source = writer.source
    changed_ = source.random() < faulty
    if changed_:
        call = changed(call, HARMFUL, source)
    assert call.built is not None
    layer = writer.fresh("layer")
    if not writer.attempt(f"{layer} = {call.name}({', '.join(writer.arguments(call.built))})", changed_):
        return not changed_ and faulty > 0
    ran = writer.attempt(f"{writer.fresh()} = {layer}({', '.join(writer.arguments(call))})", changed_)
    return ran or (not changed_ and faulty > 0)


def _model(writer: Writer) -> Program:
    """A functional model of a few layers on symbolic inputs, called with data."""
    source = writer.source
    rank = source.choice((1, 1, 2, 3))
    shape = (*(source.randint(4, 8) for _ in range(rank - 1)), source.choice((1, 3, 4)))
    writer.attempt(f"inputs = keras.Input({written(shape)})")
    last, subject = "inputs", "keras.Model"
    for _ in range(source.randint(1, 5)):
        name = source.choice(_names("keras.layers.", True))
        layer = f"{name}({', '.join(writer.arguments(_built(name, source)))})"
        made, keep = writer.fresh(), source.random() < 0.1
        ran = writer.attempt(f"{made} = {layer}({last})", keep)
        if not ran and keep:
            return Program(writer.text, name)
        if ran and isinstance(writer.values[made], keras.KerasTensor):
            last = made
    if writer.attempt(f"model = keras.Model(inputs, {last})"):
        batch = (source.randint(1, 3), *shape) if source.random() < 0.85 else (2, *shape, 2)
        writer.attempt(f"result = model({writer.make(Tensor(batch))})", keep=source.random() < 0.5)
    return Program(writer.text, subject)
