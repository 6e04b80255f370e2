"""Programs of the repository's own material: the grammar of ``benchmarks.numeric.soundness``, with statements that change
shapes, share elements and mix types, and the samples by which ``tests/ops`` compares operations and layers."""

from __future__ import annotations

import ast
import random
from dataclasses import replace
from functools import cache
from typing import Any, Final

import torch

from benchmarks.differential.calls import HARMFUL, HARMLESS, Argument, Call, Code, Row, changed
from benchmarks.differential.chains import Chain, Grammar, Kinds
from benchmarks.differential.grammars import KERAS, NUMPY, TENSORFLOW, TORCH
from benchmarks.differential.program import Program, Writer
from benchmarks.differential.sources import keras, numpy, opinfo, tensorflow
from benchmarks.differential.tensors import FLOATS, Tensor, keras_text, numpy_text, tensorflow_text, torch_text
from benchmarks.numeric.soundness import grammar
from benchmarks.numeric.soundness.generator import Writer as SoundnessWriter
from dllint.domains.dtype import DType
from dllint.domains.shape import TensorType
from tests.ops.harness import FRAMEWORKS, Case, arguments, cases
from tests.ops.keras_layers import SAMPLES as KERAS_LAYERS
from tests.ops.torch_layers import SAMPLES as TORCH_LAYERS

_TORCH: Final = ("import numpy as np", "import torch", "import torch.nn.functional as F", "from torch import nn")
#: What a program of each library begins with, makes tensors by, goes on with, and how its tensors are told apart.
_LIBRARIES: Final[dict[str, tuple[tuple[str, ...], Any, Grammar, Kinds]]] = {
    "torch": (_TORCH, torch_text, TORCH, opinfo.KINDS),
    "keras": (keras.HEADER, keras_text, KERAS, keras.KINDS),
    "numpy": (numpy.HEADER, numpy_text, NUMPY, numpy.KINDS),
    "tensorflow": (tensorflow.HEADER, tensorflow_text, TENSORFLOW, tensorflow.KINDS),
}


def program(source: random.Random) -> Program:
    """A program."""
    draw = source.random()
    if draw < 0.12:
        return _looping(source)
    if draw < 0.5:
        return _numeric(source)
    return _sampled(source)


def _looping(source: random.Random) -> Program:
    """A program of the soundness benchmark, with branches and loops."""
    seed = source.randrange(10**9)
    torch.manual_seed(seed)
    made = SoundnessWriter(source).program(source.randint(3, 14), with_gradient=source.random() < 0.2)
    lines = [str(line).partition("  # dllint")[0] for line in made.lines]  # a run does not keep what comments state
    return Program("\n".join(lines) + "\n", "soundness")


@cache
def _numeric_grammar() -> Grammar:
    """The grammar of the soundness benchmark, and what changes tensors in place or makes views of them."""
    families: dict[tuple[str, ...], int] = {}
    for family, weight in (*grammar.FAMILIES, (grammar.SOURCES, 4), (grammar.INTEGER_SOURCES, 2)):
        families[tuple(f"{{new}} = {template}" for template in family if "{n}" not in template)] = weight
    families[grammar.CHANGES] = 4
    return {**families, **{family: 2 * weight // 3 or 1 for family, weight in TORCH.items()}}


def _numeric(source: random.Random) -> Program:
    header, made, _, _ = _LIBRARIES["torch"]
    writer = Writer((*header, f"torch.manual_seed({source.randrange(1000)})"), made, source)
    kinds = replace(opinfo.KINDS, types=("float32", "float64", "float16", "bfloat16", "int64", "int32", "uint8", "bool"))
    chain = _NumericChain(writer, _numeric_grammar(), kinds)
    for _ in range(2):
        writer.attempt(chain.filled("{new} = " + source.choice(grammar.SOURCES)) or "")
    chain.go_on(source.randint(4, 11), keep=0.05)
    return Program(writer.text, "numeric")


class _NumericChain(Chain):
    """Fields of the soundness grammar: ``{shape}`` is written with parentheses, ``{dtype}`` and ``{whole}`` are types."""

    def _field(self, name: str, given: Any) -> str | None:
        if name == "whole":
            return self._source.choice(grammar.INTEGERS)
        if name == "dtype" and self._source.random() < 0.5:
            return self._source.choice(grammar.FLOATS)
        return super()._field(name, given)


# --- samples of the tests ---------------------------------------------------------------------------------------------


@cache
def _cases(framework: str) -> tuple[Case, ...]:
    return tuple(case for case in cases(framework) if not case.name.startswith("tests."))


def _sampled(source: random.Random) -> Program:
    library = source.choice(("torch", "torch", "torch", *FRAMEWORKS))
    header, made, family, kinds = _LIBRARIES[library]
    seed = {"torch": "torch.manual_seed(1)", "keras": "keras.utils.set_random_seed(1)", "numpy": "np.random.seed(1)",
            "tensorflow": "tf.random.set_seed(1)"}[library]  # fmt: skip
    writer = Writer((*header, seed), made, source)
    chain = Chain(writer, family, kinds)
    subject = ""
    for _ in range(source.choice((1, 2, 2, 3))):
        is_layer = library in ("torch", "keras") and source.random() < 0.3
        call = _layer_sample(library, source) if is_layer else _case_sample(library, source)
        subject = subject or call.name
        if not _performed(writer, call):
            return Program(writer.text, subject)
        chain.go_on(source.choice((0, 1, 2, 3, 4)), keep=0.06)
    return Program(writer.text, subject)


def _performed(writer: Writer, call: Call) -> bool:
    """Add the call of a sample, changed or not; whether the program can go on."""
    source = writer.source
    if source.random() < 0.5:
        call = changed(call, HARMLESS, source)
    harmful = source.random() < 0.3
    if harmful:
        call = changed(call, HARMFUL, source)
    keep = harmful or source.random() < 0.3
    if call.built is not None:
        text = f"({call.name})({', '.join(writer.arguments(call))})"
    elif call.method and call.args:
        receiver = writer.written(call.args[0])
        rest = replace(call, args=call.args[1:], keywords=call.keywords[1:])
        text = f"{receiver}.{call.method}({', '.join(writer.arguments(rest))})"
    else:
        text = f"{call.name}({', '.join(writer.arguments(call))})"
    return writer.attempt(f"{writer.fresh()} = {text}", keep) or not keep


def _case_sample(library: str, source: random.Random) -> Call:
    case = source.choice(_cases(library))
    args = tuple(_argument(value, library, source) for value in arguments(source.choice(case.samples)))
    method = case.name.removeprefix("torch.Tensor.") if case.name.startswith("torch.Tensor.") else ""
    name = case.name.replace("numpy.", "np.", 1) if library == "numpy" else case.name.replace("tensorflow.", "tf.", 1)
    words = () if case.variadic else tuple(case.library)
    return Call(name, args, method=method, keywords=words if not case.positional or method else ())


def _argument(value: Any, library: str, source: random.Random) -> Argument:
    if isinstance(value, TensorType):
        assert isinstance(value.dtype, DType)
        return _tensor(tuple(value.shape), value.dtype.name, source)
    if isinstance(value, DType):
        return Code({"torch": f"torch.{value.name}", "numpy": f"np.{value.name}{'_' * (value.name == 'bool')}",
                     "tensorflow": f"tf.{value.name}"}.get(library, repr(value.name)))  # fmt: skip
    if isinstance(value, tuple | list):
        return Row(tuple(_argument(item, library, source) for item in value), "()" if isinstance(value, tuple) else "[]")
    if isinstance(value, dict):
        pairs = ", ".join(f"{key!r}: {item!r}" for key, item in value.items())
        return Code(f"{{{pairs}}}")
    if isinstance(value, bool | int | float | complex | str | None):
        return value
    return Code(repr(value))


def _tensor(shape: tuple[int, ...], dtype: str, source: random.Random) -> Tensor:
    if dtype in FLOATS:
        return Tensor(
            shape, dtype, source.choice(("uniform", "normal", "constant", "range")), source.choice((0, 0, -1, 0.3)), 1
        )
    return Tensor(shape, dtype, source.choice(("constant", "constant", "whole", "range")), 0, 2)


def _layer_sample(library: str, source: random.Random) -> Call:
    """A constructor as it is written, called."""
    constructor, calls = source.choice(TORCH_LAYERS if library == "torch" else KERAS_LAYERS)
    prefix = "nn." if library == "torch" else "keras.layers."
    operands = tuple(_operand(operand, source) for operand in source.choice(calls))
    return Call(f"{prefix}{constructor}", operands, built=_constructed(constructor))


def _constructed(constructor: str) -> Call:
    """That a layer is constructed; its arguments stay as they are written."""
    node = ast.parse(constructor, mode="eval").body
    assert isinstance(node, ast.Call)
    return Call(ast.unparse(node.func), ())


def _operand(operand: Any, source: random.Random) -> Argument:
    if operand and isinstance(operand[0], tuple):
        return Row(tuple(_operand(one, source) for one in operand))
    if operand and isinstance(operand[0], str):
        return _tensor(tuple(operand[1:]), operand[0], source)
    return _tensor(tuple(operand), "float32", source)
