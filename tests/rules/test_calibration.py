"""What was measured lowers what rules claim, everywhere."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from dllint.engine.registry import catalogue, metadata
from dllint.finding import Confidence, Severity
from dllint.ops import faults
from dllint.rules import calibration
from tests.rules.harness import findings

FAULTY = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x.view(3).view(7)\n"


@pytest.mark.parametrize(("claimed", "reached"), list(itertools.product(Confidence, Confidence)))
def test_a_finding_gets_the_lower_of_both(claimed, reached, monkeypatch):
    monkeypatch.setattr(calibration, "REACHED", {"DLT105": reached})
    assert calibration.calibrated("DLT105", claimed).rank == max(claimed.rank, reached.rank)
    assert calibration.calibrated("DLT101", claimed) is claimed


@pytest.mark.parametrize("reached", list(Confidence))
def test_findings_and_pages_follow(reached, monkeypatch):
    monkeypatch.setattr(calibration, "REACHED", {"DLT105": reached})
    (found,) = findings(FAULTY)
    assert found.confidence is reached
    assert metadata("DLT105")["confidence"] == reached.value


def test_the_table_names_rules():
    assert {key.partition(":")[0] for key in calibration.REACHED} <= catalogue().entries.keys()


def test_the_table_names_kinds_of_faults():
    kinds = {value for name, value in vars(faults).items() if name.isupper() and isinstance(value, str)}
    assert {kind for key in calibration.REACHED if (kind := key.partition(":")[2])} <= kinds


@pytest.mark.parametrize(("reached", "kind"), list(itertools.product(Confidence, ("unpack", "broadcast"))))
def test_a_row_may_be_about_one_kind_of_fault(reached, kind, monkeypatch):
    monkeypatch.setattr(calibration, "REACHED", {"DLT109": Confidence.LOW, "DLT109:unpack": reached})
    expected = reached if kind == "unpack" else Confidence.LOW
    assert calibration.calibrated("DLT109", Confidence.HIGH, kind=kind) is expected


@pytest.mark.parametrize("row", sorted(calibration.BELOW_LOW))
@pytest.mark.parametrize(("invented", "empty"), list(itertools.product([False, True], repeat=2)))
@pytest.mark.parametrize(("severity", "confidence"), list(itertools.product(Severity, Confidence)))
def test_what_does_not_reach_low_confidence_is_information(severity, confidence, row, invented, empty):
    code, _, kind = row.partition(":")
    told = calibration.Evidence(code, kind, invented=invented, empty=empty)
    ground = calibration.BELOW_LOW[row]
    always = ground in (calibration.Ground.ANY, calibration.Ground.UNDECLARED)
    concerned = always or empty or (ground is calibration.Ground.INVENTED and invented)
    weight = calibration.weighed(severity, confidence)
    lowered = concerned and confidence is Confidence.LOW and weight is Severity.WARNING
    assert calibration.weighed(severity, confidence, told) is (Severity.INFO if lowered else weight)
    if ground is calibration.Ground.UNDECLARED and not empty:
        assert calibration.weighed(severity, confidence, replace(told, declared=True)) is weight


@pytest.mark.parametrize("operation", ["tf.matmul(a, b)", "tf.matmul(b, a)", "tf.matmul(tf.transpose(a), tf.nn.relu(b))"])
@pytest.mark.parametrize("second", ["tf.placeholder(tf.float32, [2, 2])", "tf.ones([2, 2], tf.float32)"])
def test_what_a_script_for_an_older_release_declares_is_a_warning(operation, second):
    text = f"import tensorflow as tf\n\na = tf.placeholder(tf.float64, [2, 2])\nb = {second}\nc = {operation}\n"
    found = [finding for finding in findings(text) if finding.code.startswith("DLT")]
    assert [(finding.code, finding.severity) for finding in found] == [("DLT117", Severity.WARNING)]


@pytest.mark.parametrize("row", sorted(calibration.IDLE))
@pytest.mark.parametrize("at_times", [False, True])
@pytest.mark.parametrize(("severity", "confidence"), list(itertools.product(Severity, Confidence)))
def test_warnings_of_which_nothing_follows_are_information(severity, confidence, at_times, row):
    code, _, kind = row.partition(":")
    usual = calibration.weighed(severity, confidence)
    concerned = at_times or calibration.IDLE[row] is calibration.Ground.ANY
    expected = Severity.INFO if severity is Severity.WARNING and concerned else usual
    assert calibration.weighed(severity, confidence, calibration.Evidence(code, kind, at_times=at_times)) is expected
    assert calibration.weighed(severity, confidence, calibration.Evidence("DLN101", kind, at_times=at_times)) is usual


#: What is known to come about under no condition, and what is not: code → operations on scores.
CONDITIONAL = {
    "DLS202": ("torch.tanh(torch.tanh(scores))", "torch.sigmoid(scores).tanh()"),
    "DLN102": ("1 / torch.softmax(scores, 1)", "scores / (1 - torch.sigmoid(scores))"),
}
SCORES = """
import torch
from torch import nn

fc = nn.Linear(64, 3)


def loss(x, mode):
    scores = fc(x)
    out = scores
{lines}
    return out.mean()


loss(torch.randn(2, 64), {mode}).backward()
"""


@pytest.mark.parametrize("code", list(CONDITIONAL))
def test_what_holds_under_a_condition_is_information(code):
    for operation in CONDITIONAL[code]:
        for lines, mode, expected in (
            (f"    out = {operation}", "0", Severity.WARNING),
            (f"    if mode:\n        out = {operation}", "1", Severity.WARNING),
            (f"    if mode:\n        out = {operation}", "input()", Severity.INFO),
        ):
            found = {one.severity for one in findings(SCORES.format(lines=lines, mode=mode)) if one.code == code}
            assert found == {expected}, (operation, mode)


def test_the_rows_that_lower_severities_exist():
    rows = [row.partition(":") for row in (*calibration.BELOW_LOW, *calibration.IDLE)]
    codes = catalogue().entries.keys()
    assert {code for code, _, _ in rows} <= codes | {code[:3] for code in codes}
    assert {kind for code, _, kind in rows if kind and code.startswith("DLT")} <= faults.ALL


#: Tensors and indices of axes in a function that nothing calls → whether the fault is about a tensor without elements.
SHAPES = {
    "torch.zeros(n, 0).argmax(1)": True,
    "torch.zeros(0, n)[3]": True,
    "torch.zeros(n, 4)[:, 7]": False,
    "torch.zeros(3, n).view(4, 0, n)": True,
    "torch.zeros(3, 4).view(4, 5, 7)": False,
}


@pytest.mark.parametrize("inside", ["{}", "torch.relu({})"])
@pytest.mark.parametrize("expression", list(SHAPES))
def test_what_is_about_an_empty_tensor_is_information(expression, inside, monkeypatch):
    monkeypatch.setattr(calibration, "REACHED", dict.fromkeys(("DLT105", "DLT109"), Confidence.LOW))
    text = f"import torch\n\n\ndef call(n):\n    return {inside.format(expression)}\n"
    (found,) = (one for one in findings(text) if one.code.startswith("DLT"))
    assert found.severity is (Severity.INFO if SHAPES[expression] else Severity.WARNING)


#: Arguments of a layer at fault → whether one of them is for all its values: it is a float, or it is not given.
ARGUMENTS = {
    "3, 8, 3, padding=0.5": True,
    "3, 8, 3, groups=2": False,
    "4, 8, kernel_size=0": False,
    "4, 8": True,
}
TOLD = {"a float": True, "has to be given": True, "is not given": True, "divisible": False, "at least 1": False}


OTHERS = ["", ", padding=0.5", ", groups=3", ", stride=0"]
CALLS = [(given, other) for given in ARGUMENTS for other in OTHERS if not other or other.split("=")[0] not in given]


@pytest.mark.parametrize(("arguments", "other"), CALLS)
def test_a_severity_is_that_of_the_fault_that_is_told(arguments, other):
    lines = ["import torch", "from torch import nn", "", "", "def build(n):", f"    layer = nn.Conv2d({arguments}{other})"]
    (found,) = (one for one in findings("\n".join([*lines, "    return layer(n)", ""])) if one.code == "DLT118")
    (expected,) = (is_warning for words, is_warning in TOLD.items() if words in found.message)
    assert found.severity is (Severity.WARNING if expected else Severity.INFO)
    assert other or expected is ARGUMENTS[arguments]


@pytest.mark.parametrize(("severity", "confidence"), list(itertools.product(Severity, Confidence)))
def test_an_error_of_low_confidence_is_a_warning(severity, confidence):
    lowered = severity is Severity.ERROR and confidence is Confidence.LOW
    assert calibration.weighed(severity, confidence) is (Severity.WARNING if lowered else severity)


@pytest.mark.parametrize("reached", list(Confidence))
def test_findings_are_weighed(reached, monkeypatch):
    monkeypatch.setattr(calibration, "REACHED", {"DLT105": reached})
    (found,) = findings(FAULTY)
    assert found.severity is (Severity.WARNING if reached is Confidence.LOW else Severity.ERROR)
    assert metadata("DLT105")["severity"] == found.severity.value


@pytest.mark.parametrize(("claimed", "reached"), list(itertools.product(Confidence, Confidence)))
def test_what_a_script_has_written_down_is_at_least_of_medium_confidence(claimed, reached, monkeypatch):
    monkeypatch.setattr(calibration, "REACHED", {"DLT105": reached})
    level = calibration.calibrated("DLT105", claimed, closed=True)
    assert level.rank == max(claimed.rank, min(reached.rank, Confidence.MEDIUM.rank))


CLOSED = [
    "torch.zeros(3).view(7)",
    "torch.randn(2, 3).relu().reshape(7)",
    "nn.Linear(4, 2)(torch.randn(2, 3))",
    "(torch.ones(2, 3) @ torch.tensor([[1.0, 2.0]]))",
]
OPEN = [
    "np.load('x.npy').reshape(3).reshape(7)",
    "(torch.zeros(3) if len(sys.argv) > 1 else torch.zeros(4)).view(7)",
    "nn.Linear(4, 2)(torch.randn(len(sys.argv), 3))",
    "head(torch.load('x.pt'))",
]
SCRIPT = """\
import sys

import numpy as np
import torch
from torch import nn


def head(x):
    return x.view(3).view(7)


y = {expression}
"""


@pytest.mark.parametrize("inside", ["{}", "torch.relu({})", "[{}][0]"])
@pytest.mark.parametrize("expression", [*CLOSED, *OPEN])
def test_only_what_is_written_down_is_closed(expression, inside, monkeypatch):
    monkeypatch.setattr(calibration, "REACHED", dict.fromkeys(("DLT101", "DLT105", "DLT109"), Confidence.LOW))
    found = {one.confidence for one in findings(SCRIPT.format(expression=inside.format(expression))) if one.code[:3] == "DLT"}
    assert found <= {Confidence.MEDIUM if expression in CLOSED else Confidence.LOW}
    assert found or expression not in CLOSED


#: How the line of a script is reached → whether nothing is invented on the way.
PLACES = {
    "def run():\n    y = {expression}": True,
    "def run():\n    def make():\n        return {expression}\n\n    return make()": True,
    "class Block:\n    def make(self):\n        return {expression}\n\n\ndef run():\n    return Block().make()": True,
    "def run(x):\n    y = {expression}": False,
    "def run(depth=3):\n    y = {expression}": False,
    "class Net(nn.Module):\n    def forward(self, x):\n        return {expression}": False,
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("expression", [*CLOSED, *OPEN])
def test_a_function_without_parameters_invents_nothing(expression, place, monkeypatch):
    monkeypatch.setattr(calibration, "REACHED", dict.fromkeys(("DLT101", "DLT105", "DLT109"), Confidence.LOW))
    text = SCRIPT.replace("y = {expression}", place).format(expression=expression)
    found = {one.confidence for one in findings(text) if one.code[:3] == "DLT"}
    closed = PLACES[place] and expression in CLOSED
    assert found <= {Confidence.MEDIUM if closed else Confidence.LOW}
    assert found or not closed


CONFIGURED = """\
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width{default}):
        super().__init__()
        self.conv = nn.Conv2d(3, width, 3, groups=2)

    def forward(self, x):
        return self.conv(x)


{call}
"""
#: What the channels of a refused layer rest on → its severity.
CALLS = {
    ("", "def run():\n    return Block(7)(torch.load('images.pt'))"): Severity.ERROR,
    ("", "def run():\n    n = 14 // 2\n    block = Block(n)\n    return block(torch.load('images.pt'))"): Severity.ERROR,
    ("", "Block(7)(torch.load('images.pt'))"): Severity.ERROR,
    ("=7", ""): Severity.INFO,
    ("", "def run(images):\n    return Block(7)(images)"): Severity.INFO,
}


@pytest.mark.parametrize(("default", "call"), CALLS)
def test_a_refused_argument_is_an_error_where_it_is_written(default, call):
    (found,) = findings(CONFIGURED.format(default=default, call=call))
    assert found.code == "DLT118"
    assert found.severity is CALLS[default, call]


TYPES = """\
import tensorflow as tf

{check}
x = tf.compat.v1.placeholder(tf.float32, [None, 4])
y = {made}
z = tf.matmul(x, {use})
"""
MADE = {
    "tf.compat.v1.placeholder(tf.int32, [4, 5])": Severity.ERROR,
    "tf.ones([4, 5], tf.int32)": Severity.ERROR,
    "tf.ones([4, 5], tf.float32 if len(tf.__version__) > 3 else tf.int32)": Severity.INFO,
    "tf.ones([4, 5]) if x.shape[0] else tf.ones([4, 5], tf.int32)": Severity.INFO,
}


@pytest.mark.parametrize("check", ["", "assert tf.__version__ == '1.8.0'"])
@pytest.mark.parametrize("use", ["y", "tf.reshape(y, [4, 5])", "tf.transpose(tf.transpose(y))"])
@pytest.mark.parametrize("made", MADE)
def test_element_types_that_a_script_declares_are_certain(made, use, check):
    found = [one for one in findings(TYPES.format(made=made, use=use, check=check)) if one.code == "DLT117"]
    assert {one.severity for one in found} <= {MADE[made]}
    assert found or MADE[made] is Severity.INFO
