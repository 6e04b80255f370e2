"""Numerical faults in TensorFlow graphs are reported on the node that fails; guarded ones are not reported."""

from __future__ import annotations

import pytest

from dllint.cli.main import run
from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.lower.graphs import formats
from tests.lower.graphs.tensorflow.stored import const, graph, placeholder, variable, written

LOGITS = (placeholder("x", None, 4), variable("w", 4, 3), ("h", "MatMul", ["x", "w"], {}))
AXIS = const("axis", 1, dtype="DT_INT32")
SMALL, LARGE, ONE = const("small", 1e-8), const("large", 50.0), const("one", 1.0)

FAULTY = {
    "log of a softmax": ([("p", "Softmax", ["h"], {}), ("bad", "Log", ["p"], {})], "DLN105"),
    "log of a rectifier": ([("p", "Relu", ["h"], {}), ("bad", "Log", ["p"], {})], "DLN101"),
    "epsilon lost in the order of float32": (
        [("p", "Sigmoid", ["h"], {}), const("eps", 1e-10), ONE, ("a", "AddV2", ["eps", "one"], {}),
         ("b", "Sub", ["a", "p"], {}), ("bad", "Log", ["b"], {})],
        "DLN101",
    ),
    "exp of trained values": ([("bad", "Exp", ["h"], {})], "DLN103"),
    "division by a sum that may be 0": (
        [("r", "Relu", ["h"], {}), AXIS, ("s", "Sum", ["r", "axis"], {"keep_dims": True}), ("bad", "RealDiv", ["r", "s"], {})],
        "DLN102",
    ),
    "gradient of a root at 0": (
        [("q", "Square", ["h"], {}), AXIS, ("s", "Sum", ["q", "axis"], {}), ("bad", "Sqrt", ["s"], {})],
        "DLN104",
    ),
}  # fmt: skip
GUARDED = {
    "clipped softmax": [("p", "Softmax", ["h"], {}), SMALL, ("c", "Maximum", ["p", "small"], {}), ("good", "Log", ["c"], {})],
    "epsilon": [("p", "Softmax", ["h"], {}), SMALL, ("c", "AddV2", ["p", "small"], {}), ("good", "Log", ["c"], {})],
    "log of a softmax, fused": [("good", "LogSoftmax", ["h"], {})],
    "limited exponent": [LARGE, ("c", "Minimum", ["h", "large"], {}), ("good", "Exp", ["c"], {})],
    "maximum subtracted": [
        AXIS, ("m", "Max", ["h", "axis"], {"keep_dims": True}), ("d", "Sub", ["h", "m"], {}), ("good", "Exp", ["d"], {}),
    ],
    "chosen divisor": [
        ("r", "Relu", ["h"], {}), const("zero", 0.0), ONE, ("is0", "Equal", ["r", "zero"], {}), ("ones", "OnesLike", ["r"], {}),
        ("safe", "Select", ["is0", "ones", "r"], {}), ("good", "RealDiv", ["one", "safe"], {}),
    ],
    "root of a sum with an epsilon": [
        ("q", "Square", ["h"], {}), AXIS, ("s", "Sum", ["q", "axis"], {}), SMALL, ("a", "AddV2", ["s", "small"], {}),
        ("good", "Sqrt", ["a"], {}),
    ],
    "divide_no_nan": [("r", "Relu", ["h"], {}), ("good", "DivNoNan", ["h", "r"], {})],
    "exp of a constant": [LARGE, ("good", "Exp", ["large"], {})],
}  # fmt: skip


def findings(path):
    result = Session(Configuration(isolated=True)).check_file(path)
    assert result.notices == []
    return [(finding.code, finding.location.node) for finding in result.findings]


@pytest.mark.parametrize("suffix", [".pb", ".pbtxt"])
@pytest.mark.parametrize("case", FAULTY)
def test_a_fault_is_reported_on_its_node(tmp_path, case, suffix):
    nodes, code = FAULTY[case]
    assert findings(written(tmp_path / f"graph{suffix}", graph(*LOGITS, *nodes))) == [(code, "bad")]


@pytest.mark.parametrize("case", GUARDED)
def test_guarded_operations_are_silent(tmp_path, case):
    assert findings(written(tmp_path / "graph.pb", graph(*LOGITS, *GUARDED[case]))) == []


def test_the_source_line_is_the_first_related_place(tmp_path):
    source = tmp_path / "net.py"
    source.write_text("p = tf.nn.relu(h)\nloss = tf.log(p)\n")
    message = graph(*LOGITS, ("p", "Relu", ["h"], {}), ("bad", "Log", ["p"], {}))
    message.debug_info.files.append(str(source))
    message.debug_info.traces["bad@"].file_line_cols.add(file_index=0, line=2, code="loss = tf.log(p)")
    result = Session(Configuration(isolated=True)).check_file(written(tmp_path / "graph.pb", message))
    (finding,) = result.findings
    assert (finding.related[0].location.path, finding.related[0].location.span.first.line) == (source, 2)


def test_ranges_that_are_stated_for_nodes_count(tmp_path, capsys):
    path = written(tmp_path / "graph.pb", graph(*LOGITS, ("e", "Exp", ["h"], {})))
    checked = ["check", "--isolated", "-n", "--ranges", str(tmp_path / "ranges.toml"), str(path)]
    (tmp_path / "ranges.toml").write_text('x = "[0, 1]"\nw = "[-1, 1]"\n')
    assert run(checked) == 0
    written(path, graph(*LOGITS, ("e", "Exp", ["x"], {})))
    (tmp_path / "ranges.toml").write_text('x = "[0, 100]"\n')
    capsys.readouterr()
    assert run(checked) == 1
    assert "DLN103" in capsys.readouterr().out


def test_a_missing_package_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "find_spec", _no_google)
    (notice,) = Session(Configuration(isolated=True)).check_file(written(tmp_path / "graph.pb", graph(*LOGITS))).notices
    assert notice.kind == "missing-extra"
    assert "dllint[tensorflow-graph]" in notice.message


def _no_google(name):
    raise ModuleNotFoundError(f"No module named {name.partition('.')[0]!r}")
