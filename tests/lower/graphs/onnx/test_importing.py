"""ONNX models as programs: what nodes, weights, functions, branches and loops become, and files that are damaged or hostile."""

from __future__ import annotations

import struct
import time
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import AttributeProto, TensorProto, helper

from dllint.ir.verifier import problems
from dllint.lower.graphs.errors import GraphError
from dllint.lower.graphs.onnx import flattening
from dllint.lower.graphs.onnx.importer import import_graph
from tests.lower.graphs.onnx.models import Known, model, node, weight

INT64 = TensorProto.INT64


def known(tmp_path, nodes, inputs, weights=None, **more):
    return Known(tmp_path, model(nodes, inputs, weights, **more))


def test_named_sizes_are_the_same_everywhere(tmp_path):
    found = known(tmp_path, [node("Add", ["a", "b"], ["y"])], {"a": ["batch", 4], "b": ["batch", 1]})
    assert found.type("y") == "f32[batch, 4]"
    assert problems(found.imported.program) == []


@pytest.mark.parametrize("opset", [11, 13])
def test_axes_are_attributes_or_operands(opset, tmp_path):
    if opset < 13:
        nodes, weights = [node("Squeeze", ["x"], ["s"], axes=[1]), node("ReduceSum", ["s"], ["y"], axes=[1], keepdims=0)], []
    else:
        nodes = [node("Squeeze", ["x", "one"], ["s"]), node("ReduceSum", ["s", "one"], ["y"], keepdims=0)]
        weights = [weight("one", [1], np.int64)]
    found = known(tmp_path, nodes, {"x": ["N", 1, 3]}, weights, opset=opset)
    assert (found.type("s"), found.type("y")) == ("f32[N, 3]", "f32[N]")


@pytest.mark.parametrize(("opset", "kinds"), [(11, ["flatten", "softmax", "reshape"]), (13, ["softmax"])])
def test_softmax_takes_all_later_axes_as_one_in_old_models(opset, kinds, tmp_path):
    found = known(tmp_path, [node("Softmax", ["x"], ["y"])], {"x": ["N", 2, 3]}, opset=opset)
    assert [op.kind for op in found.imported.program.ops] == kinds
    assert found.type("y") == "f32[N, 2, 3]"


@pytest.mark.parametrize("opset", [6, 11])
def test_limits_are_attributes_or_operands(opset, tmp_path):
    given = {"min": 0.5, "max": 2.0} if opset < 11 else {}
    names = ["x"] if opset < 11 else ["x", "low", "high"]
    weights = [] if opset < 11 else [weight("low", 0.5), weight("high", 2.0)]
    found = known(tmp_path, [node("Clip", names, ["y"], **given)], {"x": [3]}, weights, opset=opset)
    assert str(found.range("y")) == "[0.5, 2]"


def test_shapes_are_computed_in_the_graph(tmp_path):
    nodes = [
        node("Shape", ["x"], ["sizes"]),
        node("Gather", ["sizes", "zero"], ["batch"]),
        node("Unsqueeze", ["batch", "axes"], ["first"]),
        node("Concat", ["first", "rest"], ["target"], axis=0),
        node("Reshape", ["x", "target"], ["y"]),
    ]
    weights = [weight("zero", 0, np.int64), weight("axes", [0], np.int64), weight("rest", [-1], np.int64)]
    assert known(tmp_path, nodes, {"x": ["N", 2, 3]}, weights).type("y") == "f32[N, 6]"


def test_a_reshape_that_cannot_be_is_a_fault(tmp_path):
    found = known(tmp_path, [node("Reshape", ["x", "to"], ["y"])], {"x": [2, 3]}, [weight("to", [4, 2], np.int64)])
    assert [fault.kind for op in found.imported.program.ops for fault in op.faults] == ["reshape-size"]


def test_weights_have_the_range_of_their_elements(tmp_path):
    weights = [weight("w", [[-1.5, 2], [0, 0.5]]), weight("half", [1, -3], np.float16), weight("bad", [np.nan, 1])]
    nodes = [node("MatMul", ["x", "w"], ["a"]), node("Cast", ["half"], ["b"], to=1), node("Add", ["a", "b"], ["y"])]
    found = known(tmp_path, nodes, {"x": ["N", 2]}, weights)
    assert (str(found.range("w")), str(found.range("half"))) == ("[-1.5, 2]", "[-3, 1]")
    assert not found.range("bad").known


def test_elements_are_read_from_all_fields(tmp_path):
    tensors = [
        TensorProto(name="half", data_type=TensorProto.FLOAT16, dims=[2], int32_data=[0x3C00, 0xC000]),
        TensorProto(name="brain", data_type=TensorProto.BFLOAT16, dims=[2], int32_data=[0x3F80, 0xC040]),
        TensorProto(name="raw_brain", data_type=TensorProto.BFLOAT16, dims=[1], raw_data=b"\x40\x40"),
        TensorProto(name="wide", data_type=TensorProto.DOUBLE, dims=[1], double_data=[2.5]),
        TensorProto(name="large", data_type=TensorProto.UINT32, dims=[1], uint64_data=[2**32 - 1]),
        TensorProto(name="yes", data_type=TensorProto.BOOL, dims=[2], int32_data=[0, 1]),
        TensorProto(name="short", data_type=TensorProto.FLOAT, dims=[3], float_data=[1]),
        TensorProto(name="tiny", data_type=TensorProto.FLOAT8E5M2, dims=[1], raw_data=b"1"),
        TensorProto(name="none", data_type=TensorProto.FLOAT, dims=[0]),
    ]
    found = known(tmp_path, [node("Relu", ["x"], ["y"])], {"x": [2]}, tensors)
    weights = found.imported.graph.weights
    assert {name: (each.low, each.high) for name, each in weights.items()} == {
        "half": (-2, 1), "brain": (-3, 1), "raw_brain": (3, 3), "wide": (2.5, 2.5), "large": (2**32 - 1, 2**32 - 1),
        "yes": (0, 1), "short": (None, None), "tiny": (None, None), "none": (None, None),
    }  # fmt: skip
    assert found.imported.graph.notes == ["the weight short could not be read: 1 elements instead of 3"]


def test_indices_of_a_table_are_compared_with_its_rows(tmp_path):
    weights = [weight("table", np.ones((5, 3))), weight("ids", [0, 7], np.int64), weight("last", [-1], np.int64)]
    nodes = [node("Gather", ["table", "ids"], ["a"]), node("Gather", ["table", "last"], ["b"])]
    program = known(tmp_path, nodes, {}, weights).imported.program
    assert [[fault.kind for fault in op.faults] for op in program.ops if op.faults] == [["index-range"]]


def test_what_is_bounded_stays_bounded_through_layers(tmp_path):
    weights = [weight("w", np.full((3, 4), 0.5)), weight("b", [1, 1, 1])]
    nodes = [node("Sigmoid", ["x"], ["s"]), node("Gemm", ["s", "w", "b"], ["y"], transB=1)]
    found = known(tmp_path, nodes, {"x": ["N", 4]}, weights)
    assert (found.range("y").low.value, found.range("y").high.value) == (1, 3)


def test_external_data_is_read_in_place(tmp_path):
    (tmp_path / "weights.bin").write_bytes(b"\0" * 8 + struct.pack("<3f", -2, 7, 1))
    assert str(known(tmp_path, *external({"location": "weights.bin", "offset": "8", "length": "12"})).range("w")) == "[-2, 7]"


def external(entries, dims=(3,)):
    tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=dims, data_location=TensorProto.EXTERNAL)
    for key, value in entries.items():
        tensor.external_data.add(key=key, value=value)
    return [node("Add", ["x", "w"], ["y"])], {"x": [3]}, [tensor]


@pytest.mark.parametrize(
    ("entries", "dims", "note"),
    [
        ({"location": "../secret"}, (3,), "outside"),
        ({"location": "/etc/passwd"}, (3,), "outside"),
        ({"location": "link"}, (3,), "outside"),
        ({"location": ""}, (3,), "outside"),
        ({"location": "none.bin"}, (3,), "missing"),
        ({"location": "short.bin"}, (3,), "ends before"),
        ({"location": "short.bin", "offset": "-4"}, (3,), "elements"),
        ({"location": "short.bin", "length": "4"}, (3,), "elements"),
        ({"location": "short.bin", "length": "many"}, (3,), "many"),
        ({"location": "short.bin"}, (2**40, 2**40), "ends before"),
    ],
)
def test_external_data_that_is_not_there_is_told(entries, dims, note, tmp_path):
    (tmp_path / "short.bin").write_bytes(b"\0" * 4)
    (tmp_path / "link").symlink_to("/etc/hostname")
    (told,) = known(tmp_path, *external(entries, dims)).imported.graph.notes
    assert note in told


def test_no_more_external_data_is_read_than_there_is_time_for(tmp_path):
    with (tmp_path / "large.bin").open("wb") as file:
        file.truncate(2**35)
    started = time.monotonic()
    (told,) = known(tmp_path, *external({"location": "large.bin"}, (2**33,))).imported.graph.notes
    assert "not looked at" in told
    assert time.monotonic() - started < 5


def test_functions_are_written_out_with_their_attributes(tmp_path):
    inner = node("LeakyRelu", ["a"], ["b"])
    inner.attribute.add(name="alpha", ref_attr_name="slope", type=AttributeProto.FLOAT)
    function = helper.make_function(
        "mine", "Twice", ["a"], ["c"], [inner, node("Add", ["b", "b"], ["c"])], [helper.make_opsetid("", 18)], ["slope"]
    )
    nodes = [node("Twice", ["x"], ["y"], domain="mine", name="call", slope=0.25)]
    found = known(tmp_path, nodes, {"x": [2]}, functions=[function], opsets=[helper.make_opsetid("mine", 1)])
    leaky = found.imported.program.ops[0]
    assert (leaky.kind, leaky.args["negative_slope"]) == ("leaky_relu", 0.25)
    assert [each.name for each in found.imported.graph.nodes] == ["call/LeakyRelu_0", "call/Add_1", "call"]
    assert found.type("y") == "f32[2]"


def test_a_function_that_calls_itself_ends(tmp_path):
    function = helper.make_function(
        "mine", "Loop", ["a"], ["b"], [node("Loop", ["a"], ["b"], domain="mine")], [helper.make_opsetid("mine", 1)]
    )
    found = known(
        tmp_path, [node("Loop", ["x"], ["y"], domain="mine")], {"x": [2]}, functions=[function],
        opsets=[helper.make_opsetid("mine", 1)],
    )  # fmt: skip
    assert found.type("y") == "?[...]"


def test_functions_that_double_each_other_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(flattening, "_MOST", 5_000)
    sets = [helper.make_opsetid("m", 1)]
    functions = [
        helper.make_function(
            "m", f"F{n}", ["a"], ["c"],
            [node(f"F{n + 1}", ["a"], ["b"], domain="m"), node(f"F{n + 1}", ["b"], ["c"], domain="m")], sets,
        )
        for n in range(30)
    ]  # fmt: skip
    made = model([node("F0", ["x"], ["y"], domain="m")], {"x": [2]}, functions=functions, opsets=sets)
    with pytest.raises(GraphError, match="more than"):
        Known(tmp_path, made)


def arm(name, operator, *operands):
    out = helper.make_tensor_value_info(f"{name}_out", TensorProto.FLOAT, None)
    return helper.make_graph([node(operator, [*operands], [f"{name}_out"])], name, [], [out])


def test_a_branch_gives_what_either_arm_gives(tmp_path):
    branch = node("If", ["c"], ["y"], then_branch=arm("then", "Relu", "x"), else_branch=arm("else", "Sigmoid", "x"), name="if")
    found = known(tmp_path, [branch], {"c": (TensorProto.BOOL, []), "x": [2]})
    assert found.type("y") == "f32[2]"
    assert found.range("y").low.value == 0
    assert [op.path[0].text for op in found.imported.program.ops if op.path] == ["c is true", "c is false"]


def test_a_loop_forgets_what_its_iterations_change(tmp_path):
    info = helper.make_tensor_value_info
    body = helper.make_graph(
        [node("Identity", ["go"], ["on"]), node("Add", ["v", "one"], ["w"]), node("Identity", ["w"], ["each"])], "body",
        [info("i", INT64, []), info("go", TensorProto.BOOL, []), info("v", TensorProto.FLOAT, [2])],
        [info("on", TensorProto.BOOL, []), info("w", TensorProto.FLOAT, [2]), info("each", TensorProto.FLOAT, [2])],
    )  # fmt: skip
    nodes = [node("Sigmoid", ["x"], ["s"]), node("Loop", ["n", "", "s"], ["last", "all"], body=body, name="loop")]
    found = known(tmp_path, nodes, {"x": [2], "n": (INT64, [])}, [weight("one", 1.0)])
    assert found.type("last") == "f32[2]"
    assert found.type("all").endswith(", 2]")
    assert found.range("last").low.value == 0
    assert not found.range("last").high.known or found.range("last").high.value == float("inf")


def test_quantised_numbers_stay_in_their_format(tmp_path):
    weights = [weight("scale", 0.5), weight("zero", 128, np.uint8)]
    nodes = [node("QuantizeLinear", ["x", "scale", "zero"], ["q"]), node("DequantizeLinear", ["q", "scale", "zero"], ["y"])]
    found = known(tmp_path, nodes, {"x": [4]}, weights)
    assert (found.type("q"), found.type("y")) == ("u8[4]", "f32[4]")
    assert (found.range("y").low.value, found.range("y").high.value) == (-64, 63.5)


def test_unknown_operators_are_gaps(tmp_path):
    found = known(tmp_path, [node("Odd", ["x"], ["y"], domain="their.own")], {"x": [2]})
    assert [(reason, detail) for reason, detail, _ in found.imported.program.gaps] == [("unmodelled-call", "their.own.Odd")]


def test_cycles_and_missing_names_are_unknown(tmp_path):
    nodes = [node("Add", ["b", "x"], ["a"]), node("Relu", ["a"], ["b"]), node("Log", ["nowhere"], ["y"])]
    found = known(tmp_path, nodes, {"x": [2]})
    assert found.type("y") == "?[...]"


def test_odd_attributes_do_not_stop_the_import(tmp_path):
    nodes = [
        node("Transpose", ["x"], ["a"], perm=[5, -9]),
        node("Conv", ["x", "x"], ["b"], strides=[0, 0], pads=[1]),
        node("Split", ["x"], ["c", "d"], axis=99),
        node("Concat", [], ["e"], axis=0),
        node("Pad", ["x"], ["f"], pads=[1, 2, 3]),
        node("Reshape", ["x"], ["g"]),
        node("Relu", ["x"], ["y"]),
    ]
    assert known(tmp_path, nodes, {"x": [2, 3, 4, 5]}).type("y") == "f32[2, 3, 4, 5]"


def test_more_axes_than_any_tensor_has_take_no_time(tmp_path):
    nodes = [node("Unsqueeze", ["x"], ["y"], axes=list(range(100_000)))]
    assert known(tmp_path, nodes, {"x": [2]}, opset=11).type("y") == "?[...]"


def test_negative_and_huge_sizes_are_survived(tmp_path):
    tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[-3, 2**62])
    large = TensorProto(name="v", data_type=TensorProto.FLOAT, dims=[2**62], raw_data=b"1234")
    nodes = [node("Add", ["x", "w"], ["a"]), node("Add", ["a", "v"], ["y"])]
    assert known(tmp_path, nodes, {"x": [1]}, [tensor, large]).imported.program.ops


def rich_model() -> bytes:
    branch = node("If", ["c"], ["r"], then_branch=arm("then", "Relu", "g"), else_branch=arm("else", "Exp", "g"))
    nodes = [
        node("Gemm", ["x", "w"], ["g"], transB=1),
        branch,
        node("Softmax", ["r"], ["s"], axis=-1),
        node("Log", ["s"], ["y"]),
    ]
    return model(nodes, {"x": ["N", 4], "c": (TensorProto.BOOL, [])}, [weight("w", np.ones((3, 4)))]).SerializeToString()


RICH = rich_model()


@given(st.integers(0, len(RICH) - 1))
@settings(max_examples=150, deadline=None)
def test_truncated_files_are_refused_or_read(tmp_path_factory, length):
    survives(tmp_path_factory, RICH[:length])


@given(st.lists(st.tuples(st.integers(0, len(RICH) - 1), st.integers(0, 255)), min_size=1, max_size=6))
@settings(max_examples=250, deadline=None)
def test_damaged_files_are_refused_or_read(tmp_path_factory, changes):
    data = bytearray(RICH)
    for place, value in changes:
        data[place] = value
    survives(tmp_path_factory, bytes(data))


def survives(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "damaged.onnx"
    path.write_bytes(data)
    with suppress(GraphError):
        assert problems(import_graph(path).program) == []
