"""Graph files through the whole check: findings on nodes, unreadable files, packages that are not there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dllint.cli.main import run
from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.finding import Severity
from dllint.lower.graphs import formats

onnx = pytest.importorskip("onnx")
node = onnx.helper.make_node


def write(path: Path, nodes: list, trace: str = "") -> Path:
    """A model that takes ``x`` and gives ``y``; ``trace`` is the call stack of its last node."""
    if trace:
        nodes[-1].metadata_props.add(key="pkg.torch.onnx.stack_trace", value=trace)
    info = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(nodes, "main", [info("x", 1, ["batch", 8])], [info("y", 1, None)])
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)], ir_version=10), str(path))
    return path


def faulty(path: Path, trace: str = "") -> Path:
    return write(path, [node("Relu", ["x"], ["r"], name="/relu"), node("Log", ["r"], ["y"], name="/head/Log")], trace)


def check(path: Path):
    return Session(Configuration(isolated=True)).check_file(path)


def test_a_finding_is_told_on_its_node(tmp_path):
    result = check(faulty(tmp_path / "net.onnx"))
    (finding,) = result.findings
    assert (finding.code, finding.severity) == ("DLN101", Severity.WARNING)
    assert (finding.location.node, finding.location.listed) == ("/head/Log", True)
    assert finding.fixes == ()
    assert result.before.splitlines()[finding.location.span.first.line - 1] == "y = Log(r)"
    assert result.notices == []


def test_a_finding_names_the_source_line_if_it_is_still_there(tmp_path):
    source = tmp_path / "net.py"
    source.write_text("def forward(x):\n    return torch.log(torch.relu(x))\n")
    trace = f'File "{source}", line 2, in forward\n    return torch.log(torch.relu(x))'
    (finding,) = check(faulty(tmp_path / "net.onnx", trace)).findings
    assert [(r.location.path, r.location.span.first.line) for r in finding.related if not r.location.listed] == [(source, 2)]
    source.write_text("import torch\ndef forward(x):\n    return x\n")
    (finding,) = check(tmp_path / "net.onnx").findings
    assert all(r.location.listed for r in finding.related)


def test_a_comment_at_the_source_line_suppresses(tmp_path):
    source = tmp_path / "net.py"
    line = "return torch.log(torch.relu(x))  # dllint: ignore[DLN101] inputs are positive"
    source.write_text(f"def forward(x):\n    {line}\n")
    assert check(faulty(tmp_path / "net.onnx", f'File "{source}", line 2, in forward\n    {line}')).findings == []


def test_a_trace_leads_to_no_other_file_than_source(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("password\n")
    (finding,) = check(faulty(tmp_path / "net.onnx", f'File "{secret}", line 1, in f\n    password')).findings
    assert all(r.location.path == tmp_path / "net.onnx" for r in finding.related)


@pytest.mark.parametrize("data", [b"", b"\0" * 40, b"\x08\x08", b"no protobuf", b"\x3a\xff\xff\xff\xff\x0f"])
def test_what_is_no_model_is_told_and_the_others_are_checked(data, tmp_path, capsys):
    (tmp_path / "bad.onnx").write_bytes(data)
    faulty(tmp_path / "good.onnx")
    paths = [str(tmp_path / "bad.onnx"), str(tmp_path / "good.onnx")]
    assert run(["check", "--isolated", "--output-format", "json", "-n", *paths]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [(f["code"], f["node"]) for f in found] == [("io-error", None), ("DLN101", "/head/Log")]


def test_without_the_extra_the_others_are_checked(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(formats, "find_spec", lambda name: None)
    (tmp_path / "a.py").write_text("import torch\ny = torch.log(torch.relu(torch.randn(3)))\n")
    status = run(["check", "--isolated", "-n", str(faulty(tmp_path / "net.onnx")), str(tmp_path / "a.py")])
    captured = capsys.readouterr()
    assert status == 2
    assert "pip install 'dllint[onnx]'" in captured.err
    assert "DLN106" in captured.out


def test_ir_and_explain_take_graphs(tmp_path, capsys):
    path = str(faulty(tmp_path / "net.onnx"))
    assert run(["ir", "--ranges", "--verify", path]) == 0
    assert "relu(%1)  # net.onnx:node /relu" in capsys.readouterr().out
    assert run(["explain", f"{path}:node /head/Log"]) == 0
    assert "log(x: f32[batch, 8])" in capsys.readouterr().out
    assert run(["explain", f"{path}:node none"]) == 2
