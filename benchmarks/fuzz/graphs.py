"""Graph files (ONNX, TensorFlow, torch.export): damaged bytes, and messages whose fields are others."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.fuzz.cases import Finding, Looked, run_cases
from benchmarks.fuzz.odd_json import damaged, mutated
from benchmarks.fuzz.options import Options
from benchmarks.fuzz.report import Report
from dllint.config.discovery import Configuration
from dllint.engine.results import IO_ERROR
from dllint.engine.session import Session
from dllint.report.formats import render
from dllint.report.listing import Listing

_NUMBERS: Final = (0, 1, -1, 2, 3, 7, 100, 127, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63), 2**32)
_FLOATS: Final = (0.0, -1.0, 1e38, float("nan"), float("inf"), 1e-45)


def run(options: Options) -> Report:
    """Check ``count`` graphs."""
    return run_cases("graphs", options, look, "graphs", prepare=samples)


def look(seed: str) -> Looked:
    """What is wrong with the check of one: it has findings, or is told to be unreadable."""
    random = Random(f"graph {seed}")
    suffix, make = random.choice(samples())
    data = make(random)
    if random.random() < 0.3:
        data = damaged(data, random)
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / f"graph{suffix}"
        path.write_bytes(data)
        result = Session(Configuration(isolated=True)).check_file(path)
        listing = Listing(result.findings, lambda _path, _cell: "", base=path.parent)
        for form in ("full", "json", "sarif"):
            for _ in render(form, listing):
                pass
    wrong = [f"{notice.message}\n{notice.traceback}" for notice in result.notices if not notice.expected]
    counts = {"read": int(all(finding.code != IO_ERROR for finding in result.findings))}
    return Looked(counts, tuple(Finding("internal error", text, data, suffix) for text in wrong))


@cache
def samples() -> list[tuple[str, Callable[[Random], bytes]]]:
    """What graphs are made of, by suffix."""
    return [(".onnx", _onnx), (".pb", _tensorflow), (".pbtxt", _tensorflow_text), (".pt2", _exported)]


def _onnx(random: Random) -> bytes:
    import onnx

    from dllint.lower.graphs.onnx.registry import OPERATORS
    from tests.lower.graphs.onnx.models import model, node, weight
    from tests.lower.graphs.onnx.test_importing import RICH

    if random.random() < 0.3:
        message = onnx.ModelProto.FromString(RICH)
    else:
        import dllint.lower.graphs.onnx.translation  # noqa: F401 (fills the table)

        names = sorted({name for name, _ in OPERATORS} | _row_names())
        values = ["x", "w", "i", "s"]
        nodes = []
        for number in range(random.randrange(1, 6)):
            operands = [random.choice((*values, "")) for _ in range(random.randrange(1, 5))]
            attributes = {name: random.choice(_ATTRIBUTES) for name in random.sample(_ATTRIBUTE_NAMES, random.randrange(3))}
            nodes.append(node(random.choice(names), operands, [f"v{number}"], **attributes))
            values.append(f"v{number}")
        given = {"x": random.choice(([2, 4], ["N", 4], [1, 3, 8, 8], [], [0, 3]))}
        weights = [weight("w", [[1.0] * 4] * 3), weight("i", [0, -1, 2], "int64"), weight("s", 2, "int64")]
        message = model(nodes, given, weights, opset=random.choice((7, 11, 13, 18, 21)))
    for _ in range(random.randrange(3)):
        _change(message, random)
    return bytes(message.SerializePartialToString())


_ATTRIBUTE_NAMES: Final = (
    "axis",
    "axes",
    "perm",
    "to",
    "keepdims",
    "kernel_shape",
    "strides",
    "pads",
    "dilations",
    "group",
    "auto_pad",
    "mode",
    "shape",
    "value",
    "epsilon",
    "split",
    "hidden_size",
    "direction",
    "equation",
    "blocksize",
    "alpha",
    "k",
    "largest",
)
_ATTRIBUTES: Final[tuple[Any, ...]] = (
    0,
    1,
    -1,
    2,
    2**40,
    0.5,
    "SAME_UPPER",
    "linear",
    "ij,jk->ik",
    [0, 1],
    [-1],
    [2, 2],
    [0],
    [1, 1, 1, 1],
    [2**40, 3],
    [0.5],
    "x",
)


@cache
def _row_names() -> frozenset[str]:
    from dllint.lower.graphs.onnx.tables import ROWS

    return frozenset(ROWS)


def _tensorflow_message(random: Random) -> Any:
    from dllint.lower.graphs.tensorflow.handler import HANDLERS
    from dllint.lower.graphs.tensorflow.tables import ROWS
    from tests.lower.graphs.tensorflow.stored import const, graph, placeholder, variable

    nodes = [
        placeholder("x", None, 4),
        variable("w", 4, 3),
        const("two", 2, 2, shape=(2,), dtype="DT_INT32"),
        const("axis", 1, dtype="DT_INT32"),
        const("one", 1.0),
    ]
    names = [node[0] for node in nodes]
    operators = sorted({*ROWS, *HANDLERS})
    for number in range(random.randrange(1, 8)):
        inputs = [random.choice(names) for _ in range(random.randrange(4))]
        if random.random() < 0.1:
            inputs.append(random.choice(("^x", "x:1", "nowhere", f"n{number}", "")))
        kept: dict[str, Any] = {"keep_dims": True} if random.random() < 0.2 else {"N": 2} if random.random() < 0.2 else {}
        nodes.append((f"n{number}", random.choice(operators), inputs, kept))
        names.append(f"n{number}")
    message = graph(*nodes)
    for _ in range(random.randrange(4)):
        _change(message, random)
    return message


def _tensorflow(random: Random) -> bytes:
    return bytes(_tensorflow_message(random).SerializePartialToString())


def _tensorflow_text(random: Random) -> bytes:
    from google.protobuf import text_format

    return text_format.MessageToString(_tensorflow_message(random)).encode()


def _exported(random: Random) -> bytes:
    from dllint.frameworks.torch.aten import _OWN as OWN
    from tests.lower.graphs.torch_export.test_importing import LINEAR, SOFTMAX, archive, node, program, tensor

    more = [
        node(
            f"{random.choice(sorted(OWN))}.default",
            f"m{number}",
            self=tensor(random.choice("xwchp")),
            dim={"as_int": random.choice(_NUMBERS)},
        )
        for number in range(random.randrange(3))
    ]
    value = program(LINEAR, SOFTMAX, *more)
    value = mutated(value, random, random.randrange(4))
    made = io.BytesIO()
    raw = bytes(random.randrange(256) for _ in range(random.choice((0, 12, 11, 100))))
    archive(
        made, json.dumps(value), random.choice((None, {"tensor_meta": {}}, {"path_name": "../x"}, {"use_pickle": True})), raw
    )
    if random.random() < 0.2:
        with zipfile.ZipFile(made, "a") as more_files:
            more_files.writestr(
                random.choice(("net/models/other.json", "../escape", "net/data/weights/x", "net/models/model.json")),
                "{" * random.choice((1, 50_000)),
            )
    return made.getvalue()


def _change(message: Any, random: Random) -> None:
    """Change one field of a message, or of a message in it."""
    places = list(_fields(message))
    if not places:
        return
    owner, field = random.choice(places)
    value = getattr(owner, field.name)
    if isinstance(value, str | bytes | int | float | bool):
        _set(owner, field, value, random)
    elif not hasattr(value, "__len__"):
        owner.ClearField(field.name)
    elif len(value):
        _rearranged(owner, field, value, random)


def _fields(message: Any) -> Iterator[tuple[Any, Any]]:
    for field, value in message.ListFields():
        yield message, field
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        for part in value if hasattr(value, "__len__") else [value]:
            yield from _fields(part)


def _set(owner: Any, field: Any, value: Any, random: Random) -> None:
    if isinstance(value, str):
        new: Any = random.choice((value + "x", "", value[:-1], "x", "w", "y", "g", "é", "a" * 1000))
    elif isinstance(value, bytes):
        new = random.choice((b"", value + b"\0", value[:-1], b"\xff" * 40, b"x"))
    elif isinstance(value, bool):
        new = not value
    else:
        new = random.choice(_FLOATS if isinstance(value, float) else _NUMBERS)
    try:
        setattr(owner, field.name, new)
    except (ValueError, TypeError):  # not of the field's own type
        owner.ClearField(field.name)


def _rearranged(owner: Any, field: Any, value: Any, random: Random) -> None:
    """A part of a field of many is lost, comes twice, or is another."""
    if hasattr(value, "keys"):
        value.pop(random.choice(sorted(value)))
        return
    at, way = random.randrange(len(value)), random.randrange(3)
    if way == 0:
        del value[at]
    elif hasattr(value, "add"):
        value.add().CopyFrom(value[at])
    elif way == 1:
        value.append(value[at])
    else:
        kind = type(value[at])
        value[at] = (
            random.choice(("", "x", "w", "y"))
            if kind is str
            else b"\xff"
            if kind is bytes
            else kind(random.choice((0, 1, 3, 100)))
        )
