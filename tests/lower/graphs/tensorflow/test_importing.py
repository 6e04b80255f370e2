"""TensorFlow graphs read from files: what becomes of nodes, constants, functions, loops and damaged files."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dllint.analysis.facts import Facts
from dllint.domains.shape import show_type
from dllint.lower.graphs.errors import GraphError
from dllint.lower.graphs.tensorflow.importer import import_graph
from tests.lower.graphs.tensorflow.stored import add, const, graph, placeholder, variable, written


def imported(tmp_path, message, suffix=".pb"):
    return import_graph(written(tmp_path / f"graph{suffix}", message))


def value_of(found, name):
    """The tensor that a name stands for in an imported graph."""
    number = found.document.lines_of[name]
    return next(out for op in found.program.ops if op.site.number == number for out in op.outputs)


def type_of(found, name):
    return show_type(value_of(found, name).type)


def range_of(found, name):
    return str(Facts(found.program).ranges.of(value_of(found, name)))


LOGITS = (placeholder("x", None, 4), variable("w", 4, 3), ("h", "MatMul", ["x", "w"], {}))


@pytest.mark.parametrize("suffix", [".pb", ".pbtxt"])
def test_both_forms_give_types_and_ranges(tmp_path, suffix):
    found = imported(tmp_path, graph(*LOGITS, ("p", "Softmax", ["h"], {}), ("l", "Log", ["p"], {})), suffix)
    assert [op.kind for op in found.program.ops] == ["variable", "matmul", "softmax", "log"]
    assert type_of(found, "l") == "f32[B, 3]"
    assert range_of(found, "p") == "[0, 1]"


def test_a_text_tells_the_lines_of_nodes(tmp_path):
    found = imported(tmp_path, graph(*LOGITS), ".pbtxt")
    lines = (tmp_path / "graph.pbtxt").read_text().splitlines()
    assert [lines[node.line].strip() for node in found.graph.nodes] == ['name: "w"', 'name: "h"']


def test_numbers_take_part_as_numbers(tmp_path):
    found = imported(
        tmp_path,
        graph(*LOGITS, ("p", "Softmax", ["h"], {}), const("eps", 1e-8), ("g", "AddV2", ["p", "eps"], {})),
    )
    (add_,) = [op for op in found.program.ops if op.kind == "add"]
    assert add_.args["y"] == pytest.approx(1e-8)
    assert range_of(found, "g") == "[1e-08, 1]"


def test_constants_have_the_range_of_their_numbers(tmp_path):
    found = imported(tmp_path, graph(const("c", -2.0, 5.0, 1.0, shape=(3,)), ("e", "Exp", ["c"], {})))
    assert range_of(found, "c") == "[-2, 5]"
    assert range_of(found, "e") == "[0.1353, 148.4]"


def test_a_constant_that_repeats_its_last_number(tmp_path):
    message = graph(const("c", shape=(1000, 1000)), ("e", "Exp", ["c"], {}))
    tensor = message.node[0].attr["value"].tensor
    tensor.ClearField("tensor_content")
    tensor.float_val.append(3.0)
    assert range_of(imported(tmp_path, message), "c") == "[3, 3]"


def test_nan_among_the_numbers_says_nothing(tmp_path):
    found = imported(tmp_path, graph(const("c", math.nan, 5.0, shape=(2,)), ("e", "Exp", ["c"], {})))
    assert range_of(found, "c") == "(?, ?)"


def test_shapes_are_computed_from_shapes(tmp_path):
    found = imported(
        tmp_path,
        graph(
            placeholder("x", None, 6, 4),
            ("s", "Shape", ["x"], {}),
            const("zero", 0, shape=(1,), dtype="DT_INT32"),
            const("one", 1, shape=(1,), dtype="DT_INT32"),
            ("b", "StridedSlice", ["s", "zero", "one", "one"], {"shrink_axis_mask": 1}),
            const("n", 24, dtype="DT_INT32"),
            ("target", "Pack", ["b", "n"], {"axis": 0}),
            ("y", "Reshape", ["x", "target"], {}),
        ),
    )
    assert type_of(found, "y") == "f32[B, 24]"


def test_functions_are_written_out(tmp_path):
    message = graph(placeholder("x", 2, 3), ("call", "PartitionedCall", ["x"], {}), ("y", "Exp", ["call"], {}))
    message.node[1].attr["f"].func.name = "body"
    function = message.library.function.add()
    function.signature.name = "body"
    function.signature.input_arg.add(name="a")
    function.signature.output_arg.add(name="out")
    add(function.node_def, "s", "Sigmoid", ["a"], {})
    function.ret["out"] = "s:y:0"
    found = imported(tmp_path, message)
    assert [op.kind for op in found.program.ops] == ["sigmoid", "exp"]
    assert range_of(found, "call/s") == "[0, 1]"
    assert range_of(found, "y") == "[1, 2.718]"


def test_a_function_that_calls_itself_ends(tmp_path):
    message = graph(placeholder("x", 2), ("call", "again", ["x"], {}))
    function = message.library.function.add()
    function.signature.name = "again"
    function.signature.input_arg.add(name="a")
    function.signature.output_arg.add(name="out")
    add(function.node_def, "more", "again", ["a"], {})
    function.ret["out"] = "more:out:0"
    assert imported(tmp_path, message).program.ops


def test_of_values_that_a_loop_replaces_nothing_is_said(tmp_path):
    found = imported(
        tmp_path,
        graph(
            const("first", 1.0),
            const("step", 1.0),
            ("in", "Enter", ["first"], {}),
            ("m", "Merge", ["in", "next"], {}),
            ("sum", "AddV2", ["m", "step"], {}),
            ("next", "NextIteration", ["sum"], {}),
            ("l", "Log", ["m"], {}),
        ),
    )
    assert range_of(found, "in") == "[1, 1]"
    assert range_of(found, "m") == "(?, ?)"


def test_one_of_two_values(tmp_path):
    found = imported(tmp_path, graph(const("a", 1.0), const("b", 4.0), ("m", "Merge", ["a", "b"], {})))
    assert range_of(found, "m") == "[1, 4]"


def test_random_numbers_that_choose_between_scaled_elements_and_0_are_a_dropout(tmp_path):
    found = imported(
        tmp_path,
        graph(
            *LOGITS, ("keep", "Placeholder", [], {"dtype": "DT_FLOAT"}), const("one", 1.0), const("zero", 0.0),
            ("rate", "Sub", ["one", "keep"], {}), ("scale", "Sub", ["one", "rate"], {}), ("s", "Shape", ["h"], {}),
            ("r", "RandomUniform", ["s"], {"dtype": "DT_FLOAT"}), ("mask", "GreaterEqual", ["r", "rate"], {}),
            ("scaled", "RealDiv", ["h", "scale"], {}), ("d", "SelectV2", ["mask", "scaled", "zero"], {}),
        ),
    )  # fmt: skip
    assert found.program.ops[-1].kind == "dropout"
    assert type_of(found, "d") == "f32[B, 3]"
    assert range_of(found, "d") == "(-∞, ∞)"


def test_gradients_and_summaries_are_left_out(tmp_path):
    found = imported(
        tmp_path,
        graph(*LOGITS, ("gradients/Log_grad/Reciprocal", "Reciprocal", ["h"], {}), ("init", "NoOp", ["^h"], {})),
    )
    assert [node.name for node in found.graph.nodes] == ["w", "h"]


def test_a_node_type_without_a_row_is_unknown(tmp_path):
    found = imported(tmp_path, graph(*LOGITS, ("q", "Quantum", ["h"], {}), ("l", "Log", ["q"], {})))
    assert range_of(found, "q") == "(?, ?)"
    assert ("unmodelled-call", "Quantum") in [gap[:2] for gap in found.program.gaps]


def test_the_trace_of_a_node(tmp_path):
    message = graph(*LOGITS)
    message.debug_info.files.append("net.py")
    places = message.debug_info.traces["h@"].file_line_cols
    places.add(file_index=0, line=7, func="forward", code="  h = tf.matmul(x, w)")
    places.add(file_index=0, line=12, func="main", code="forward()")
    places.add(file_index=9, line=1)
    (node,) = [node for node in imported(tmp_path, message).graph.nodes if node.name == "h"]
    assert [(frame.line, frame.text) for frame in node.trace] == [(12, "forward()"), (7, "h = tf.matmul(x, w)")]


def test_the_trace_of_a_node_in_the_newer_form(tmp_path):
    message = graph(*LOGITS)
    message.debug_info.files.append("net.py")
    message.debug_info.frames_by_id[1].line = 12
    message.debug_info.frames_by_id[2].line = 7
    message.debug_info.name_to_trace_id["h@"] = 5
    message.debug_info.traces_by_id[5].frame_id.extend([1, 2, 3])
    (node,) = [node for node in imported(tmp_path, message).graph.nodes if node.name == "h"]
    assert [frame.line for frame in node.trace] == [12, 7]


def test_the_graph_of_a_saved_model(tmp_path):
    from dllint.lower.graphs.tensorflow.messages import message_class

    model = message_class("SavedModel")(saved_model_schema_version=1)
    model.meta_graphs.add().graph_def.CopyFrom(graph(*LOGITS))
    assert [op.kind for op in imported(tmp_path, model).program.ops] == ["variable", "matmul"]
    assert [op.kind for op in imported(tmp_path, model, ".pbtxt").program.ops] == ["variable", "matmul"]


@pytest.mark.parametrize("content", [b"", b"  \n", b"hello", b"\x08\x01", b"\x0a\xff\xff\xff\xff\x0f", b"\x12\x00"])
@pytest.mark.parametrize("suffix", [".pb", ".pbtxt"])
def test_what_is_no_graph_is_told(tmp_path, content, suffix):
    path = tmp_path / f"graph{suffix}"
    path.write_bytes(content)
    with pytest.raises(GraphError):
        import_graph(path)


WHOLE = graph(
    *LOGITS,
    ("p", "Softmax", ["h"], {}),
    const("axis", 1, dtype="DT_INT32"),
    ("s", "Sum", ["p", "axis"], {"keep_dims": True}),
    ("d", "RealDiv", ["p", "s"], {}),
    const("two", 2, 2, shape=(2,), dtype="DT_INT32"),
    ("r", "Reshape", ["d", "two"], {}),
    ("c", "ConcatV2", ["r", "d", "axis"], {"N": 2}),
    ("l", "Log", ["c"], {}),
)


def survives(path, content):
    """Whether the content is imported, or refused as no graph; all ranges are asked for."""
    path.write_bytes(content)
    try:
        found = import_graph(path)
    except GraphError:
        return
    ranges = Facts(found.program).ranges
    for op in found.program.ops:
        for out in op.outputs:
            ranges.of(out)


@given(flips=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=6), cut=st.integers(0, 10_000))
@settings(max_examples=150, deadline=None)
def test_damaged_files_never_crash(tmp_path_factory, flips, cut):
    content = bytearray(WHOLE.SerializeToString())
    for place, byte in flips:
        content[place % len(content)] = byte
    survives(tmp_path_factory.getbasetemp() / "damaged.pb", bytes(content[: cut or None]))


@given(cut=st.integers(1, 5000), noise=st.text(max_size=8))
@settings(max_examples=50, deadline=None)
def test_damaged_texts_never_crash(tmp_path_factory, cut, noise):
    from google.protobuf import text_format

    text = text_format.MessageToString(WHOLE)
    survives(tmp_path_factory.getbasetemp() / "damaged.pbtxt", (text[:cut] + noise + text[cut + len(noise) :]).encode())


def test_hostile_sizes_are_not_allocated(tmp_path):
    message = graph(const("c", 1.0, shape=(2**40, 2**20)), ("e", "Exp", ["c"], {}), ("f", "Fill", ["big", "c"], {}))
    add(message.node, "big", "Const", [], {})
    message.node[3].attr["value"].tensor.dtype = 9
    message.node[3].attr["value"].tensor.int64_val.append(2**62)
    assert type_of(imported(tmp_path, message), "e").startswith("f32[1099511627776")
