"""Exported programs written down by hand: constants, sizes, traces, and archives that are damaged or hostile."""

from __future__ import annotations

import copy
import io
import json
import pickle
import struct
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dllint.analysis.facts import Facts
from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.lower.graphs.errors import GraphError
from dllint.lower.graphs.torch_export.importer import import_graph

BATCH = {"as_expr": {"expr_str": "Symbol('s0', positive=True, integer=True)", "hint": {"as_int": 2}}}


def meta(*sizes, dtype=7):
    return {"dtype": dtype, "sizes": [{"as_int": size} if isinstance(size, int) else size for size in sizes]}


def node(target, result, trace="", **arguments):
    inputs = [{"name": name, "arg": value, "kind": 1} for name, value in arguments.items()]
    outputs = [{"as_tensor": {"name": result}}]
    return {"target": f"torch.ops.aten.{target}", "inputs": inputs, "outputs": outputs, "metadata": {"stack_trace": trace}}


def tensor(name):
    return {"as_tensor": {"name": name}}


def program(*nodes, values=None, specs=None):
    values = {"x": meta(BATCH, 3), "w": meta(3, 3), "c": meta(3), **(values or {})}
    inputs = [{"user_input": {"arg": tensor("x")}}, {"parameter": {"arg": {"name": "w"}, "parameter_name": "fc.weight"}}]
    specs = specs or [*inputs, {"buffer": {"arg": {"name": "c"}, "buffer_name": "scale", "persistent": True}}]
    graph = {"inputs": [], "outputs": [], "nodes": list(nodes), "tensor_values": values, "sym_int_values": {}}
    return {"graph_module": {"graph": graph, "signature": {"input_specs": specs, "output_specs": []}}}


def archive(path, content, weights=None, raw=b""):
    entry = {"path_name": "weight_0", "use_pickle": False, "tensor_meta": {
        **meta(3), "strides": [{"as_int": 1}], "storage_offset": {"as_int": 0}, "requires_grad": False}}  # fmt: skip
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("net/models/model.json", content if isinstance(content, str | bytes) else json.dumps(content))
        config = {"config": {"scale": {**entry, **(weights or {})}}}
        made.writestr("net/data/weights/model_weights_config.json", json.dumps(config))
        made.writestr("net/data/weights/weight_0", raw)
    return path


LINEAR = node("matmul.default", "h", self=tensor("x"), other=tensor("w"))
SOFTMAX = node("softmax.int", "p", self=tensor("h"), dim={"as_int": 1})


def range_of(found, name):
    op = next(op for op in found.program.ops if found.document.lines_of[name] == op.site.number)
    return str(Facts(found.program).ranges.of(op.output))


def test_types_ranges_and_sizes(tmp_path):
    found = import_graph(archive(tmp_path / "net.pt2", program(LINEAR, SOFTMAX)))
    assert [op.kind for op in found.program.ops] == ["variable", "variable", "matmul", "softmax"]
    assert str(found.program.ops[-1].output.type) == "f32[s0, 3]"
    assert range_of(found, "p") == "[0, 1]"


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ({}, "[-1, 4]"),
        ({"use_pickle": True}, "(-∞, ∞)"),
        ({"tensor_meta": {**meta(3), "requires_grad": True}}, "(-∞, ∞)"),
        ({"path_name": "weight_9"}, "(-∞, ∞)"),
    ],
)
def test_a_buffer_has_the_range_of_its_numbers_if_they_lie_there_as_they_are(tmp_path, weights, expected):
    path = archive(tmp_path / "net.pt2", program(LINEAR), weights, struct.pack("<3f", 2.0, -1.0, 4.0))
    assert range_of(import_graph(path), "c") == expected


def test_pickles_are_not_opened(tmp_path):
    class Trap:
        def __reduce__(self):
            return (exec, ("raise SystemExit('executed')",))

    path = archive(tmp_path / "net.pt2", program(LINEAR), {"use_pickle": True}, pickle.dumps(Trap()))
    assert range_of(import_graph(path), "c") == "(-∞, ∞)"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Add(Symbol('s0', integer=True), Integer(1))", "s0 + 1"),
        ("Mul(Integer(2), Symbol('s0'))", "2*s0"),
        ("FloorDiv(Symbol('s0'), Integer(2))", "s0//2"),
        ("Integer(7)", "7"),
        ("Surprise(1)", "1"),
        ("__import__('os').system('true')", "size"),
        ("(" * 500, "size"),
    ],
)
def test_expressions_of_sizes_are_read_not_evaluated(tmp_path, text, shown):
    values = {"x": meta({"as_expr": {"expr_str": text}}, 3)}
    found = import_graph(archive(tmp_path / "net.pt2", program(LINEAR, values=values)))
    assert str(found.program.inputs[0].type) == f"f32[{shown}, 3]"


def test_findings_name_the_node_and_the_source_line(tmp_path):
    source = tmp_path / "net.py"
    source.write_text("def forward(x):\n    return torch.relu(x).log()\n")
    trace = f'File "{source}", line 2, in forward\n    return torch.relu(x).log()'
    nodes = (LINEAR, node("relu.default", "r", self=tensor("h")), node("log.default", "bad", trace, self=tensor("r")))
    result = Session(Configuration(isolated=True)).check_file(archive(tmp_path / "net.pt2", program(*nodes)))
    (finding,) = result.findings
    assert (finding.code, finding.location.node) == ("DLN101", "bad")
    assert (finding.related[0].location.path, finding.related[0].location.span.first.line) == (source, 2)


GUARD = node("add.Tensor", "g", self=tensor("p"), other={"as_float": 1e-8})


def test_a_guarded_logarithm_is_silent(tmp_path):
    nodes = (LINEAR, SOFTMAX, GUARD, node("log.default", "good", self=tensor("g")))
    result = Session(Configuration(isolated=True)).check_file(archive(tmp_path / "net.pt2", program(*nodes)))
    assert (result.findings, result.notices) == ([], [])


def test_operators_that_are_not_known_keep_the_declared_type(tmp_path):
    found = import_graph(archive(tmp_path / "net.pt2", program(node("wonder.default", "q", self=tensor("x")), values={
        "q": meta(BATCH, 9)})))  # fmt: skip
    assert str(found.program.ops[-1].output.type) == "f32[s0, 9]"
    assert ("unmodelled-call", "aten.wonder.default") in [gap[:2] for gap in found.program.gaps]


@pytest.mark.parametrize(
    "content", ["", "[]", "{", "null", '{"graph_module": 3}', '{"graph_module": {"graph": {}}}', "[" * 100_000]
)
def test_what_is_no_program_is_told(tmp_path, content):
    with pytest.raises(GraphError):
        import_graph(archive(tmp_path / "net.pt2", content))


def test_what_is_no_archive_is_told(tmp_path):
    (tmp_path / "net.pt2").write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(GraphError):
        import_graph(tmp_path / "net.pt2")
    with zipfile.ZipFile(tmp_path / "empty.pt2", "w") as made:
        made.writestr("readme", "nothing")
    with pytest.raises(GraphError):
        import_graph(tmp_path / "empty.pt2")


def test_a_bomb_is_not_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr("dllint.lower.graphs.torch_export.archive._LARGEST", 2**20)
    with zipfile.ZipFile(tmp_path / "net.pt2", "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("net/models/model.json", b" " * 2**24)
    with pytest.raises(GraphError, match="larger than 1 MiB"):
        import_graph(tmp_path / "net.pt2")


def whole():
    content = io.BytesIO()
    archive(content, program(LINEAR, SOFTMAX, GUARD, node("log.default", "l", self=tensor("g"))), raw=b"\0" * 12)
    return content.getvalue()


@given(flips=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=8), cut=st.integers(0, 5000))
@settings(max_examples=150, deadline=None)
def test_damaged_files_never_crash(tmp_path_factory, flips, cut):
    content = bytearray(whole())
    for place, byte in flips:
        content[place % len(content)] = byte
    survives(tmp_path_factory.getbasetemp() / "damaged.pt2", bytes(content[: cut or None]))


def survives(path, content):
    path.write_bytes(content)
    try:
        found = import_graph(path)
    except GraphError:
        return
    ranges = Facts(found.program).ranges
    for op in found.program.ops:
        for out in op.outputs:
            ranges.of(out)


LEAVES = st.one_of(st.none(), st.integers(-3, 2**70), st.text(max_size=4), st.booleans(), st.just([]), st.just({}))


@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_descriptions_of_another_form_never_crash(tmp_path_factory, data):
    """Some part of a good description is replaced by something else."""
    content = copy.deepcopy(program(LINEAR, SOFTMAX, GUARD))
    place = content
    for _ in range(data.draw(st.integers(1, 8))):
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            break
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], dict | list) or data.draw(st.booleans()):
            place[key] = data.draw(LEAVES)
            break
        place = place[key]
    content = json.dumps(content).encode()
    path = archive(tmp_path_factory.getbasetemp() / "odd.pt2", content)
    survives(path, path.read_bytes())


def places(value, path=()):
    """The paths of all parts of some JSON data."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield from places(part, (*path, key))


@pytest.mark.parametrize("other", [3, None, "x", [], {}, [{}], True, 1e300, float("inf"), float("nan")], ids=repr)
def test_parts_of_another_kind_are_refused_or_read(tmp_path, other):
    whole = program(LINEAR, SOFTMAX)
    for path in places(whole):
        changed = [copy.deepcopy(whole)]
        holder = changed
        for key in (0, *path)[:-1]:
            holder = holder[key]
        holder[(0, *path)[-1]] = other
        result = Session(Configuration(isolated=True)).check_file(archive(tmp_path / "net.pt2", changed[0]))
        assert [str(notice) for notice in result.notices if not notice.expected] == [], path
