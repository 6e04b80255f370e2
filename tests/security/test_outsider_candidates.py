"""What an outsider gives to ``dllint bisect`` as a candidate's values, and to ``dllint check`` as a graph: archives and models
that are damaged, too large, or refer to themselves."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import numpy as np
import pytest
from onnx import FunctionProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

from dllint.bisection.candidates.dumped import opened
from dllint.bisection.errors import BisectionError
from dllint.lower.graphs.errors import GraphError
from dllint.lower.graphs.onnx import flattening
from dllint.lower.graphs.onnx.reading import read_graph
from tests.security.outsider import check, dllint, project, sound

SETTING: Final[Any] = SimpleNamespace(reference=SimpleNamespace(graph=SimpleNamespace(outputs=["output"])))


class Bomb:
    """An object that tells if it is unpickled."""

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return os.mkdir, ("unpickled",)


def npy(array: Any) -> bytes:
    saved = io.BytesIO()
    np.save(saved, array, allow_pickle=True)
    return saved.getvalue()


def headed(shape: str, descr: str = "'<f8'") -> bytes:
    """The beginning of an array of a shape."""
    text = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".ljust(117).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


GOOD: Final = npy(np.random.default_rng(0).random((40, 20)))
ARRAYS: Final = {
    "objects": npy(np.array([Bomb()], dtype=object)),
    "pickle": b"cos\nmkdir\n(S'unpickled'\ntR.",
    "nothing": b"",
    "short": GOOD[:100],
    "too short": GOOD[:-8],
    "too large": headed("(10000000000000,)"),
    "an overflow": headed("(4294967296, 4294967296)"),
    "negative": headed("(-5,)"),
    "a program": headed("__import__('os').mkdir('unpickled')"),
    "a deep header": headed("(" * 5000),
    "a class": headed("(1,)", "__import__('os').mkdir('unpickled')"),
    "fields": headed("(1,)", "[('a', '|O')]"),
    "a single number": npy(1.0),
}


def zipped(members: Iterable[tuple[str, bytes]]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return packed.getvalue()


ARCHIVE: Final = zipped([("output.npy", GOOD)])
ARCHIVES: Final = {
    **{name: zipped([("output.npy", data)]) for name, data in ARRAYS.items()},
    "garbage": bytes(range(256)) * 50,
    "no archive": b"PK\x03\x04" + b"x" * 100,
    "a truncated archive": ARCHIVE[:-20],
    "damaged": ARCHIVE[:500] + bytes(50) + ARCHIVE[550:],
    "no array": zipped([("output", b"abc")]),
    "encrypted": ARCHIVE.replace(b"PK\x01\x02\x14\x03\x14\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01"),
    "unknown compression": ARCHIVE.replace(b"\x08\x00", b"\x63\x00"),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(path: Path) -> None:
    """It is told to be unreadable, and nothing of it was executed."""
    with pytest.raises(BisectionError):
        opened(path, SETTING)
    assert not Path("unpickled").exists()


def test_good_values_are_read(folder: Path) -> None:
    (folder / "a.npz").write_bytes(ARCHIVE)
    assert opened(folder / "a.npz", SETTING).outputs == ["output"]


@pytest.mark.parametrize("kind", ARCHIVES)
def test_no_archive_does_anything(folder: Path, kind: str) -> None:
    (folder / "a.npz").write_bytes(ARCHIVES[kind])
    refused(folder / "a.npz")


@pytest.mark.parametrize("kind", ARRAYS)
def test_no_array_does_anything(folder: Path, kind: str) -> None:
    (folder / "dump").mkdir()
    (folder / "dump" / "output.npy").write_bytes(ARRAYS[kind])
    refused(folder / "dump")


def test_an_archive_that_does_not_fit_into_memory_is_not_unpacked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a.npz").write_bytes(ARCHIVE)
    monkeypatch.setattr(os, "sysconf", lambda name: 50)
    with pytest.raises(BisectionError, match="more than the memory"):
        opened(folder / "a.npz", SETTING)


HEADERS: Final = (b"", b"abc" * 50, (2**60).to_bytes(8, "little") + b"{}", (4).to_bytes(8, "little") + b"[[[[")


@pytest.mark.parametrize("header", HEADERS)
def test_no_safetensors_do_anything(folder: Path, header: bytes) -> None:
    (folder / "a.safetensors").write_bytes(header)
    refused(folder / "a.safetensors")


@pytest.mark.parametrize("name", ["a.npz", "a.safetensors", "dump/output.npy"])
@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir, lambda path: path.symlink_to("/dev/zero")])
def test_what_is_no_file_holds_no_values(folder: Path, name: str, make: Callable[[Path], object]) -> None:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    make(path)
    refused(path if path.parent == folder else path.parent)


def _graph(nodes: list[NodeProto], given: Iterable[TensorProto] = (), **parts: Any) -> ModelProto:
    inputs = parts.pop("inputs", [_info("x")])
    graph = helper.make_graph(nodes, "g", inputs, [_info("y")], initializer=list(given))
    sets = [helper.make_opsetid("", 18), helper.make_opsetid("f", 1)]
    return helper.make_model(graph, opset_imports=sets, **parts)


def _info(name: str, shape: Any = ("N", 4), kind: int = TensorProto.FLOAT) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, kind, shape)


def _function(name: str, *called: str) -> FunctionProto:
    values = ["a", *(f"c{number}" for number in range(1, len(called))), "b"]
    nodes = [node(one, [values[at]], [values[at + 1]], domain="f") for at, one in enumerate(called)]
    nodes = nodes or [node("Relu", ["a"], ["b"])]
    return helper.make_function("f", name, ["a"], ["b"], nodes, [helper.make_opsetid("", 18), helper.make_opsetid("f", 1)])


def _weight(name: str, *sizes: int, kind: int = TensorProto.FLOAT) -> TensorProto:
    """One of many elements that are not there."""
    return TensorProto(name=name, dims=sizes, data_type=kind)


def _numbers(name: str, *numbers: int) -> TensorProto:
    return numpy_helper.from_array(np.array(numbers if len(numbers) != 1 else numbers[0], np.int64), name)


def _chain(operator: str, operands: int, **attributes: Any) -> list[NodeProto]:
    """Sizes that are computed of sizes sixty times, and become those of a tensor."""
    nodes = [node(operator, [f"s{at}"] * operands, [f"s{at + 1}"], **attributes) for at in range(60)]
    return [*nodes, node("ConstantOfShape", ["s60"], ["y"])]


node: Final = helper.make_node
GRAPHS: Final[dict[str, ModelProto]] = {
    "a function that calls itself": _graph([node("r", ["x"], ["y"], domain="f")], functions=[_function("r", "r")]),
    "functions that call each other": _graph(
        [node("r", ["x"], ["y"], domain="f")], functions=[_function("r", "s"), _function("s", "r", "r")]
    ),
    "deep functions": _graph(
        [node("d2000", ["x"], ["y"], domain="f")],
        functions=[_function("d0"), *(_function(f"d{at}", f"d{at - 1}") for at in range(1, 2001))],
    ),
    "a circle": _graph([node("Add", ["x", "y"], ["z"]), node("Relu", ["z"], ["y"])]),
    "a node that takes itself": _graph([node("Add", ["x", "y"], ["y"])]),
    "one name for all": _graph([node("Tanh", ["x"], ["x"]) for _ in range(300)]),
    "negative sizes": _graph([node("MatMul", ["x", "w"], ["y"])], [_weight("w", -4, -1)]),
    "large sizes": _graph([node("MatMul", ["x", "w"], ["y"])], [_weight("w", 2**62, 2**62)]),
    "many large sizes": _graph([node("MatMul", ["x", "w"], ["y"])], [_weight("w", *[2**62] * 3000)]),
    "no element type": _graph([node("Add", ["x", "w"], ["y"])], [_weight("w", 4, kind=999)]),
    "many axes": _graph([node("Add", ["x", "x"], ["y"])], inputs=[_info("x", [2] * 30_000)]),
    "many names": _graph([node("Add", ["x", "x"], ["y"])], inputs=[_info("x", [f"d{at}" for at in range(3000)])]),
    "an expression as a name": _graph([node("Add", ["x", "x"], ["y"])], inputs=[_info("x", ["a*b+c" * 10_000, "a//0"])]),
    "a large constant": _graph([node("ConstantOfShape", ["s"], ["y"])], [_numbers("s", 2**40, 2**20)]),
    "a long range": _graph(
        [node("Range", ["s", "e", "d"], ["y"])], [_numbers("s", -(2**63)), _numbers("e", 2**63 - 1), _numbers("d", 1)]
    ),
    "squares of sizes": _graph(_chain("Mul", 2), [_numbers("s0", 3, 5)]),
    "ever more sizes": _graph(_chain("Concat", 2, axis=0), [_numbers("s0", 3, 5)]),
    "repeated sizes": _graph([node("Tile", ["s", "t"], ["y"])], [_numbers("s", 3, 5), _numbers("t", 2**40)]),
    "padding": _graph([node("Pad", ["x", "p"], ["y"])], [_numbers("p", 2**62, 2**62, 2**62, -(2**62))]),
    "a split into many": _graph([node("Split", ["x"], ["y"], axis=0, num_outputs=10**9)]),
    "many reduced axes": _graph([node("ReduceSum", ["x", "a"], ["y"])], [_numbers("a", *range(30_000))]),
    "many permuted axes": _graph([node("Transpose", ["x"], ["y"], perm=list(range(30_000)))]),
    "a long equation": _graph([node("Einsum", ["x", "x"], ["y"], equation="ij," * 30_000 + "->ij")]),
    "an odd convolution": _graph(
        [node("Conv", ["x", "w"], ["y"], strides=[0, -1], dilations=[2**62] * 2, pads=[2**62] * 4, group=0)],
        [_weight("w", 4, 4, 2**31, 2**31)],
        inputs=[_info("x", (1, 4, 8, 8))],
    ),
    "names that steer terminals": _graph(
        [node("MatMul", ["x", "w"], ["y"], name="\x1b[31m\n::error::x")], [_weight("w", 5, 5)]
    ),
}


def test_no_graph_costs_more_than_itself(folder: Path) -> None:
    checkout = project(folder)
    assert list(GRAPHS)[-1] == "names that steer terminals"
    for number, graph in enumerate(GRAPHS.values()):
        (checkout / f"{number:02}.onnx").write_bytes(graph.SerializeToString())
    run = check(checkout)
    sound(run)
    run = dllint(checkout, "check", "--no-cache", "-j", "1", f"{len(GRAPHS) - 1:02}.onnx")
    assert b"MatMul" in run.out
    assert b"\x1b" not in run.out + run.err


def test_functions_that_double_end(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty of them stand for a million millions of nodes."""
    monkeypatch.setattr(flattening, "_MOST", 2000)
    doubling = [_function("d0"), *(_function(f"d{at}", f"d{at - 1}", f"d{at - 1}") for at in range(1, 41))]
    graph = _graph([node("d40", ["x"], ["y"], domain="f")], functions=doubling)
    with pytest.raises(GraphError, match="unfolds to, more than"):
        read_graph(graph, folder)
