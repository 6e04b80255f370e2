"""Programs about one operation or layer of torch: a sample of torch's own tests, changed, and what is done with its result."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any, Final

import torch

from benchmarks.differential.calls import HARMFUL, HARMLESS, Call, Code, Row, changed
from benchmarks.differential.chains import Chain, Kinds
from benchmarks.differential.grammars import TORCH
from benchmarks.differential.program import Program, Writer
from benchmarks.differential.sources import samples
from benchmarks.differential.tensors import SHORT_TYPES, Tensor, torch_text

HEADER: Final = ("import numpy as np", "import torch")


def _is_of(*dtypes: torch.dtype) -> Any:
    return lambda value: isinstance(value, torch.Tensor) and value.dtype in dtypes


KINDS: Final = Kinds(
    floating=lambda value: isinstance(value, torch.Tensor) and value.is_floating_point(),
    whole=_is_of(torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8),
    truth=_is_of(torch.bool),
    array=lambda value: type(value).__name__ == "ndarray",
    types=SHORT_TYPES,
)


def program(source: random.Random) -> Program:
    """A program of one to three such calls, with what may follow them."""
    seed = source.randrange(1000)
    writer = Writer((*HEADER, f"torch.manual_seed({seed})"), torch_text, source)
    chain = Chain(writer, TORCH, KINDS)
    subject = ""
    for number in range(source.choice((1, 1, 1, 2, 2, 3))):
        call, faulty = _drawn(source)
        subject = subject or call.name or call.method or call.sign
        if number and source.random() < 0.5:
            call = _with_known(call, writer)
        if not _perform(writer, call, keep=faulty or source.random() < 0.3):
            return Program(writer.text, subject)
        chain.go_on(source.choice((0, 1, 1, 2, 3, 4)), keep=0.08)
    return Program(writer.text, subject)


def _drawn(source: random.Random) -> tuple[Call, bool]:
    """A call, and whether it is to be kept although it raises."""
    call, faulty = _layer(source) if source.random() < 0.15 else _operation(source)
    call = samples.drawn(call, source)
    if source.random() < 0.6:
        call = changed(call, HARMLESS, source)
    if not faulty and source.random() < 0.4:
        return changed(call, HARMFUL, source), True
    return call, faulty


def _operation(source: random.Random) -> tuple[Call, bool]:
    for _ in range(20):
        number = source.randrange(len(samples.operations()))
        info = samples.operations()[number]
        faulty = info.error_inputs_func is not None and source.random() < 0.12
        dtypes = sorted(info.dtypes & samples.KNOWN, key=str)
        usual = torch.float32 if torch.float32 in info.dtypes else None
        dtype = usual if usual is not None and source.random() < 0.6 else source.choice(dtypes)
        if found := samples.calls_of(number, dtype, faulty):
            call = source.choice(found)
            aliases = [alias.name for alias in info.aliases]
            if aliases and call.name and source.random() < 0.3:
                call = replace(call, name=f"torch.{source.choice(aliases)}")
            return call, faulty
    raise LookupError("no samples")


def _layer(source: random.Random) -> tuple[Call, bool]:
    for _ in range(20):
        number = source.randrange(len(samples.modules()))
        dtype = source.choice((torch.float32, torch.float32, torch.float32, torch.float64))
        if found := samples.module_calls(number, dtype, source.random() < 0.5):
            return source.choice(found), False
    raise LookupError("no samples")


def _with_known(call: Call, writer: Writer) -> Call:
    """A call with one of its tensors replaced by one that the program has made, if there is one of its type."""
    at = next((n for n, argument in enumerate(call.args) if isinstance(argument, Tensor)), None)
    if at is None:
        return call
    wanted = call.args[at]
    assert isinstance(wanted, Tensor)
    names = writer.names(lambda v: isinstance(v, torch.Tensor) and str(v.dtype) == f"torch.{wanted.dtype}")
    alike = [name for name in names if tuple(writer.values[name].shape) == wanted.shape]
    if not names:
        return call
    args = list(call.args)
    args[at] = Code(writer.source.choice(alike or names))
    return replace(call, args=tuple(args))


def _perform(writer: Writer, call: Call, keep: bool) -> bool:
    """Add a call; whether it runs. One that does not is left out, or kept as the end of the program."""
    if call.built is not None:
        layer = writer.fresh("layer")
        if not writer.attempt(f"{layer} = {call.name}({', '.join(writer.arguments(call.built))})", keep):
            return False
        if writer.source.random() < 0.4:
            writer.attempt(f"{layer}.eval()")
        text = f"{layer}({', '.join(writer.arguments(call))})"
    else:
        text = _spelled(writer, call)
    return writer.attempt(_bound(writer, text), keep)


def _bound(writer: Writer, text: str) -> str:
    """The statement that gives a result a name, or names if it has several parts."""
    target = writer.fresh()
    if writer.source.random() < 0.3 and (count := _parts(writer, text)):
        target = ", ".join(writer.fresh() for _ in range(count))
    return f"{target} = {text}"


def _parts(writer: Writer, text: str) -> int:
    """Of how many parts a result is; it is computed apart, so that nothing has changed afterwards."""
    if text.endswith("_") or "_(" in text or "out=" in text:
        return 0
    try:
        result = eval(text, dict(writer.values))
    except Exception:
        return 0
    return len(result) if isinstance(result, tuple | list) and 1 < len(result) < 5 else 0


def _spelled(writer: Writer, call: Call) -> str:
    """A call as a function, method, sign, in place or with ``out``."""
    source = writer.source
    in_place, out = source.random() < 0.6, call.out and source.random() < 0.4
    forms = [*["function"] * 2 * bool(call.name), *["method"] * bool(call.method), *["sign"] * 2 * bool(call.sign),
             *["in place"] * bool(call.in_place and in_place), *["out"] * bool(call.name and out)]  # fmt: skip
    form = source.choice(forms or ["function"])
    if form == "function":
        return f"{call.name}({', '.join(writer.arguments(call))})"
    if form == "out":
        arguments = ", ".join(writer.arguments(call))
        return f"{call.name}({arguments}, out={_target(writer, f'{call.name}({arguments})')})"
    return _of_receiver(writer, call, form)


def _of_receiver(writer: Writer, call: Call, form: str) -> str:
    receiver = writer.written(call.args[0]) if call.args else "None"
    if form == "sign" and not call.kwargs:
        others = [_index(writer, a) if "[" in call.sign else writer.written(a) for a in call.args[1:]]
        try:
            return call.sign.format(receiver, *others)
        except IndexError:
            return f"{call.name}({receiver})"
    rest = replace(call, args=call.args[1:], keywords=call.keywords[1:])
    if isinstance(call.args[0] if call.args else None, int | float | complex):
        return f"{call.name}({', '.join([receiver, *writer.arguments(rest)])})"
    name = (call.in_place if form == "in place" else call.method) or call.name.rpartition(".")[2]
    return f"{receiver}.{name}({', '.join(writer.arguments(rest))})"


def _index(writer: Writer, argument: Any) -> str:
    """What stands between brackets."""
    if isinstance(argument, Row):
        return ", ".join(_index(writer, item) for item in argument.items) or "()"
    if isinstance(argument, Code) and argument.text.startswith("slice("):
        start, stop, step = (part.strip() for part in argument.text[6:-1].split(","))
        return ":".join("" if part == "None" else part for part in (start, stop, step))
    return writer.written(argument)


def _target(writer: Writer, text: str) -> str:
    """A tensor for ``out``: mostly one of the result's type, at times another."""
    try:
        result = eval(text, dict(writer.values))
    except Exception:
        result = None
    if isinstance(result, tuple):
        return f"({', '.join(_place(writer, part) for part in result)})"
    return _place(writer, result)


def _place(writer: Writer, result: Any) -> str:
    source = writer.source
    shape = tuple(result.shape) if isinstance(result, torch.Tensor) else (2, 3)
    dtype = str(result.dtype).removeprefix("torch.") if isinstance(result, torch.Tensor) else "float32"
    if source.random() < 0.2:
        shape = source.choice(((0,), (2, 3), (*shape, 1), (1,)))
    if source.random() < 0.15:
        dtype = source.choice(SHORT_TYPES)
    known = writer.names(lambda v: isinstance(v, torch.Tensor) and str(v.dtype) == f"torch.{dtype}")
    if known and source.random() < 0.4:
        return source.choice(known)
    return writer.make(Tensor(shape, dtype if dtype in SHORT_TYPES else "float32", "constant"))
