"""What functions of torch ask of their operands: calls of each of them with an argument that is missing or of another kind, and
calls that run, against runs."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from benchmarks.differential.claims import claims
from benchmarks.differential.comparing import compared
from benchmarks.differential.running import run
from dllint.frameworks import operands
from dllint.frameworks.registry import parameters
from tests.lower.tracing import lower
from tests.sampling import ASKED, thinned

pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

_ROWS = json.loads((Path(operands.__file__).parent / "signatures" / "operands.json").read_text(encoding="utf-8"))
#: Functions of torch, of which the kinds of their arguments are known.
_FUNCTIONS = {name: row for name, row in _ROWS.items() if name.startswith("torch.") and "tensors" in row and "__" not in name}
_TENSORS = ("torch.ones(3, 4)", "torch.ones(2, 4)", "torch.ones(4)", "torch.ones(3, 4).bool()", "torch.ones(3, 4).long()",
            "torch.ones(3, 4, dtype=torch.complex64)", "torch.ones(())", "torch.ones(3, 4).half()")  # fmt: skip
_NUMBERS = ("2", "0.5", "True", "1", "-1")


class Tally:
    """How many programs raise whatever their tensors hold, and of how many of them that is claimed. A program that runs gets no
    error; with ``facts``, everything else that is claimed of one is looked at, too."""

    def __init__(self, *, facts: bool = False) -> None:
        self.found = self.raised = 0
        self._facts = facts

    def take(self, text: str) -> None:
        """Run a program and compare."""
        observed = run(text)
        if observed.lost:
            return
        verdict = compared(claims(text), observed)
        assert not verdict.false_errors, (text, verdict.false_errors)
        assert not self._facts or not verdict.wrong, (text, verdict.wrong)
        counts = verdict.raised and not verdict.by_values
        self.raised += counts
        self.found += counts and verdict.found

    def holds(self, least: int, share: float) -> None:
        """More than ``least`` programs raise, and of more than a ``share`` of them that is claimed. A few programs show only
        that what is claimed is true."""
        if ASKED.few_cases:
            return
        assert self.raised > least
        assert self.found / self.raised > share, f"{self.found} of {self.raised} errors"


def _program(name: str, source: random.Random) -> str:
    """A call of a function or method with tensors and numbers that fit or do not."""
    args = [source.choice(_TENSORS if source.random() < 0.7 else _NUMBERS) for _ in range(source.choice((1, 2, 2, 3)))]
    if name.startswith("torch.Tensor."):
        receiver = source.choice(_TENSORS)
        return f"import torch\nx = {receiver}\ny = x.{name.rpartition('.')[2]}({', '.join(args)})\n"
    return f"import torch\ny = {name}({', '.join(args)})\n"


@pytest.mark.parametrize("part", range(4))
def test_calls_that_run_are_not_reported(part: int) -> None:
    source = random.Random(f"operands {part}")
    tally = Tally()
    for name in thinned(sorted(_FUNCTIONS)[part::4], 2):
        for _ in range(2):
            tally.take(_program(name, source))
    tally.holds(50, 0.4)


@pytest.mark.parametrize("call", [
    "torch.vdot(x, 0.5)", "torch.stft(x)", "x.unfold(0, 1)", "torch.argmax(x > 0)", "torch.special.legendre_polynomial_p(x, y)",
    "torch.nn.functional.relu6(z)", "torch.cumprod(x, 1.5)", "torch.atan2(z, x)", "torch.minimum(2, x)", "x.hypot(2)",
    "torch.add(x)", "x.lcm(y)", "z.atan2_(z)",
])  # fmt: skip
@pytest.mark.parametrize("around", ["r = {}", "def f():\n    return {}\nr = f()", "for _ in range(1):\n    r = {}"])
def test_what_raises_is_reported(call: str, around: str) -> None:
    text = (
        f"import torch\nx, y, z = torch.ones(3), torch.ones(2), torch.ones(3, dtype=torch.complex64)\n{around.format(call)}\n"
    )
    assert run(text).raised is not None, text
    assert any(finding.severity.name == "ERROR" for _, finding in claims(text).findings), text


def test_an_error_that_is_caught_is_none() -> None:
    text = "import torch\nx = torch.ones(3)\ntry:\n    y = torch.vdot(x, 0.5)\nexcept TypeError:\n    y = x\nz = y.shape\n"
    assert claims(text).findings == []
    assert run(text).raised is None


VAGUE = {
    "a parameter": "p",
    "an attribute": "thing.value",
    "one of two": "(2 if flag else torch.ones(3, 4))",
    "perhaps None": "(None if flag else torch.ones(2, 4))",
    "of a branch": "v",
    "a result": "thing(3)",
}
_AROUND = """
import torch
from elsewhere import flag, thing

def entry(p):
    if flag:
        v = 0.5
    else:
        v = torch.ones(5, 4)
    return {call}
"""


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("vague", VAGUE)
@pytest.mark.parametrize("part", range(4))
def test_nothing_is_asked_beside_what_is_not_known(part: int, vague: str) -> None:
    source = random.Random(f"vague {part} {vague}")
    asked = [name for name, row in sorted(_ROWS.items()) if len({*row.get("tensors", ()), *row.get("broadcasts", ())}) > 1]
    calls = 0
    for name in asked[part::4]:
        row, params = _ROWS[name], [param.name for param in parameters(name) or ()]
        tensors = [param for param in params if param in row.get("tensors", ()) or param in row.get("broadcasts", ())]
        for place in tensors:
            given = {param: VAGUE[vague] if param == place else source.choice(_TENSORS) for param in tensors}
            receiver = given.pop(params[0]) if name.startswith("torch.Tensor.") and params[0] in given else None
            if receiver == VAGUE[vague]:
                continue
            function = name if receiver is None else f"{receiver}.{name.rpartition('.')[2]}"
            text = _AROUND.format(call=f"{function}({', '.join(f'{key}={value}' for key, value in given.items())})")
            programs = lower(text).programs
            assert [op.faults for one in programs for op in one.ops if op.kind == "library_call" and op.faults] == [], text
            calls += 1
    assert calls > 5


_IMPORTS = {"torch": "import torch", "numpy": "import numpy", "tensorflow": "import tensorflow"}


@pytest.mark.parametrize("library", _IMPORTS)
def test_a_call_without_an_argument_that_is_needed_raises_and_is_reported(library: str) -> None:
    pytest.importorskip(library)
    functions = [name for name, row in _ROWS.items() if row.get("needed") and name.partition(".")[0] == library
                 and "Tensor." not in name and "__" not in name]  # fmt: skip
    chosen = random.Random(library).sample(sorted(functions), 40)
    found = 0
    for name in chosen:
        text = f"{_IMPORTS[library]}\nx = {name}()\n"
        observed = run(text)
        assert observed.raised is not None, text
        assert observed.raised.kind == "TypeError", (text, observed.raised)
        found += compared(claims(text), observed).found
    assert found > len(chosen) * 0.6, f"{found} of {len(chosen)}"


_LAYERS = (
    "AvgPool1d(1)", "MaxPool2d(1)", "AdaptiveAvgPool1d(2)", "AdaptiveMaxPool2d(1)", "MSELoss()", "L1Loss()", "KLDivLoss()",
    "GaussianNLLLoss()", "ELU()", "GELU()", "Hardtanh(0, 1)", "Softplus()", "Softsign()", "LocalResponseNorm(2)",
    "HuberLoss()", "CosineEmbeddingLoss()", "ZeroPad2d(1)", "ReLU()", "Tanhshrink()", "Threshold(0.1, 2)",
    "Bilinear(4, 4, 2)",
)  # fmt: skip


@pytest.mark.parametrize("layer", _LAYERS)
def test_calls_of_layers(layer: str) -> None:
    source = random.Random(layer)
    count = 1 + len(_ROWS[f"torch.nn.{layer.partition('(')[0]}.__call__"].get("needed", ()))
    tally = Tally()
    for dtype in ("float32", "int64", "int8", "uint8", "bool", "complex64", "float16"):
        given = [source.choice((f"torch.ones(2, 3, 4).to(torch.{dtype})",) * 3 + ("None", "2", "True")) for _ in range(count)]
        text = f"import torch\nx = torch.nn.{layer}({', '.join(given)})\n"
        tally.take(text)
    assert tally.found >= tally.raised * 0.3, f"{tally.found} of {tally.raised}"


@pytest.mark.parametrize("part", range(4))
def test_types_of_tensorflow(part: int) -> None:
    pytest.importorskip("tensorflow")
    source = random.Random(f"types {part}")
    rows = [(name, row) for name, row in sorted(_ROWS.items()) if "typed" in row and name.startswith("tensorflow.")]
    tally = Tally()
    for name, row in rows[part::4]:
        kinds = [source.choice(("float32", "int32", "uint8", "bool", "complex64", "float64")) for _ in row["typed"]]
        values = [f"tf.cast(tf.eye(3) + 1, tf.{kind})" for kind in kinds]
        if len(values) > 1 and source.random() < 0.2:
            values[-1] = "2"
        tensors = ", ".join(f"{param}={value}" for param, value in zip(row["typed"], values, strict=True))
        text = f"import tensorflow as tf\nx = {name.replace('tensorflow', 'tf', 1)}({tensors})\n"
        tally.take(text)
    tally.holds(5, 0.7)


_SHAPES = ("(3, 4)", "(4,)", "()", "(1, 4)", "(2, 4)", "(3, 5)", "(0, 4)", "(3, 4, 1)", "(3, 1)")


@pytest.mark.parametrize("library", ["numpy", "tensorflow"])
@pytest.mark.parametrize("part", range(3))
def test_functions_of_two_arrays(library: str, part: int) -> None:
    pytest.importorskip(library)
    source = random.Random(f"two {library} {part}")
    kinds = ("float32", "float64", "int32", "uint8", "bool", "complex64")
    rows = [name for name, row in sorted(_ROWS.items()) if name.startswith(library) and "broadcasts" in row]
    tally = Tally()
    for name in rows[part::3]:
        for _ in range(3):
            kind, other = source.choice(kinds), source.choice(kinds)
            if source.random() < 0.6:
                other = kind
            x, y = (source.choice(_SHAPES) for _ in range(2))
            values = [f"{library}.ones({x}, dtype='{kind}')", f"{library}.ones({y}, dtype='{other}')"]
            if source.random() < 0.2:
                values[source.randrange(2)] = source.choice(("2", "0.5", "True", "[2, 3]", "1j"))
            text = f"import {library}\nx = {name}({', '.join(values)})\n"
            tally.take(text)
    tally.holds(10, 0.6)


_ALONE = sorted(name for name, row in _ROWS.items() if "alone" in row)


@pytest.mark.parametrize("library", ["torch", "numpy", "tensorflow"])
@pytest.mark.parametrize("part", range(2))
def test_axes_of_the_only_tensor(library: str, part: int) -> None:
    pytest.importorskip(library)
    source = random.Random(f"axes {library} {part}")
    tally = Tally(facts=True)
    for name in [name for name in _ALONE if name.startswith(f"{library}.")][part::2]:
        for _ in thinned(range(4), 2):
            shape = [source.choice((1, 2, 3, 4)) for _ in range(source.choice((0, 1, 2, 2, 3, 4, 5, 6)))]
            if len(shape) > 1 and source.random() < 0.4:
                shape[-1] = shape[-2]
            kind = source.choice(("float32", "float32", "int32", "complex64", "bool"))
            made = f"{library}.ones({tuple(shape)}, dtype={f'torch.{kind}' if library == 'torch' else repr(kind)})"
            text = f"import {library}\nx = {name}({made})\n"
            tally.take(text)
    tally.holds(5, 0.5)


_PAIRED = sorted(name for name, row in _ROWS.items() if "elementwise" in row)


@pytest.mark.parametrize("part", range(6))
def test_functions_that_are_not_followed_broadcast(part: int) -> None:
    source = random.Random(f"paired {part}")
    for name in _PAIRED[part::6]:
        library = name.partition(".")[0]
        pytest.importorskip(library)
        kind = source.choice(("float32", "int32", "bool"))
        kind = f"torch.{kind}" if library == "torch" else repr(kind)
        x, y = (f"{library}.ones({shape}, dtype={kind})" for shape in source.choice(_FITTING))
        if source.random() < 0.2:
            y = source.choice(("2", "0.5"))
        method = name.startswith("torch.Tensor.")
        call = f"x.{name.rpartition('.')[2]}({y})" if method else f"{name}(x, {y})"
        text = f"import {library}\nx = {x}\ny = {call}\nz = y + y\n"
        verdict = compared(claims(text), run(text))
        assert not verdict.false_errors, (text, verdict.false_errors)
        assert not verdict.wrong, (text, verdict.wrong)
        assert verdict.raised or verdict.shapes_known > 1, text


_FITTING = (("(3, 4)", "(4,)"), ("(1, 4)", "(3, 1)"), ("(0, 4)", "(1, 4)"), ("()", "(3,)"), ("(2, 1, 4)", "(3, 1)"))


@pytest.mark.parametrize("name", sorted(name for name, row in _ROWS.items() if "either" in row))
def test_one_of_two_operands_is_a_tensor(name: str) -> None:
    first, second = _ROWS[name]["either"]
    calls = ("2, 3", "0.5, 2", f"2, {second}=3", f"{first}=1, {second}=0.5", "x, 2", "2, x", "x, x", f"x, {second}=2")
    for call in (*calls, "0.5, 2, size=(3,)") if name == "torch.normal" else calls:
        text = f"import torch\nx = torch.ones(3)\ny = {name}({call})\n"
        verdict = compared(claims(text), run(text))
        assert not verdict.false_errors, (text, verdict.false_errors)
        assert verdict.found or not verdict.raised or "x" in call, text


@pytest.mark.parametrize("shape", [(), (1,), (1, 1), (2,), (3, 4), (0,)])
@pytest.mark.parametrize("call", ["x.item()", "torch.Tensor.item(x)"])
def test_functions_of_one_element(call: str, shape: tuple[int, ...]) -> None:
    text = f"import torch\nx = torch.ones({shape})\ny = {call}\n"
    verdict = compared(claims(text), run(text))
    assert not verdict.false_errors
    assert verdict.found or not verdict.raised or "Tensor.item" in call


_NUMBERED = (
    "torch.polygamma(x, 2)", "torch.polygamma(2, x)", "torch.special.polygamma(x, 1)", "x.polygamma(1)", "torch.eye(-1)",
    "x.histogram(torch.tensor([0.0, 1.0, 2.0]))", "torch.eye(2, -3)", "torch.eye(0)", "torch.arange(0, 3, 0)",
    "torch.arange(0, 3, 0.5)", "True - x", "1 - x", "torch.nn.functional.interpolate(x[None, None], size=None)",
    "torch.nn.functional.interpolate(x[None, None], size=2)",
    "torch.nn.functional.interpolate(x[None, None], scale_factor=2.0)",
)  # fmt: skip


@pytest.mark.parametrize("call", _NUMBERED)
def test_numbers_that_calls_take(call: str) -> None:
    text = f"import torch\nx = torch.ones(3, 3)\ny = {call}\n"
    verdict = compared(claims(text), run(text))
    assert not verdict.false_errors
    assert verdict.found == verdict.raised


@pytest.mark.parametrize("layer", ["AveragePooling2D", "AveragePooling1D", "AveragePooling3D"])
@pytest.mark.parametrize("library", ["keras", "tensorflow.keras"])
def test_what_only_keras_3_needs_is_not_asked_for(layer: str, library: str) -> None:
    assert not any(name.startswith("keras.") and row.get("needed") for name, row in _ROWS.items())
    text = f"from {library} import layers\npool = layers.{layer}()\n"
    assert not any(op.faults for program in lower(text).programs for op in program.ops)
