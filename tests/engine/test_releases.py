"""Which releases code is for decides what is reported: pins, settings, evidence in the file, or nothing."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.edit import apply_edits
from dllint.engine.session import Session
from dllint.finding import Confidence, Severity
from dllint.rules.calibration import calibrated

OLD = {"DLA102", "DLA104"}
TF1 = "import tensorflow as tf\n\nx = tf.placeholder(tf.float32, [None, 4])\nwith tf.Session() as s:\n    s.run(x)\n"
KERAS = "from keras.layers import Dense\nfrom keras.optimizers import Adam\n\nAdam(lr=0.1)\nDense(3, init='uniform')\n"
SIX = "from torch._six import inf\n\nx = inf\n"


def check(directory: Path, text: str, pins: dict[str, str] | None = None, name: str = "code.py", codes=OLD, **overrides):
    """The findings about old releases of a file in a project with some files."""
    (directory / ".git").mkdir(parents=True, exist_ok=True)
    for path, content in (pins or {}).items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(content, encoding="utf-8")
    (directory / name).parent.mkdir(parents=True, exist_ok=True)
    (directory / name).write_text(text, encoding="utf-8")
    result = Session(Configuration(isolated=True, overrides=overrides)).check_file(directory / name)
    assert result.notices == []
    return [finding for finding in result.findings if finding.code in codes]


@pytest.mark.parametrize("text", [TF1, KERAS, SIX, "import tensorflow as tf\ntf.Session()\n"])
def test_without_any_statement_all_is_one_finding_for_information(text, tmp_path):
    (found,) = check(tmp_path, text)
    assert found.severity is Severity.INFO
    assert found.fixes == ()
    assert "this file is written for" in found.message


@pytest.mark.parametrize(
    ("text", "pin", "severity"),
    [
        (TF1, "tensorflow==1.15.2", None),
        (TF1, "tensorflow<2", None),
        (TF1, "tensorflow==2.4.1", Severity.ERROR),
        (TF1, "tensorflow>=2.0", Severity.ERROR),
        (TF1, "tensorflow>=1.4", Severity.INFO),  # nobody has said how new it may be
        (TF1, "tensorflow", Severity.INFO),
        (TF1, "tensorflow>=1.4,<2.6", Severity.WARNING),
        (TF1, "tensorflow-gpu~=1.12", None),
        (KERAS, "keras==2.2.4", None),
        (KERAS, "keras>=3", Severity.ERROR),
        (KERAS, "tensorflow==1.15.0", None),
        (KERAS, "tensorflow==2.16.1", Severity.ERROR),
        (SIX, "torch==1.4.0", None),
        (SIX, "torch>=1.8", Severity.INFO),
        (SIX, "torch>=1.8,<2.2", Severity.WARNING),
        (SIX, "torch~=2.1", Severity.ERROR),
    ],
)
@pytest.mark.parametrize("place", ["requirements.txt", "setup.py", "pyproject.toml", "environment.yml"])
def test_pins_decide(text, pin, severity, place, tmp_path):
    content = {
        "requirements.txt": f"{pin}\n",
        "setup.py": f"from setuptools import setup\nsetup(name='x', install_requires=['{pin}'])\n",
        "pyproject.toml": f'[project]\nname = "x"\ndependencies = ["{pin}"]\n',
        "environment.yml": f"dependencies:\n  - pip:\n    - {pin}\n",
    }[place]
    found = check(tmp_path, text, {place: content})
    assert {finding.severity for finding in found} == ({severity} if severity else set())
    if severity in (Severity.WARNING, Severity.INFO):
        assert len(found) == 1
        assert place in found[0].message
    assert all(place in finding.releases.decided for finding in found)


ORDER = ["setting", "requirements.txt", ".venv/lib/python3.9/site-packages/tensorflow-{}.dist-info/METADATA", "README.md"]


@pytest.mark.parametrize("first", range(len(ORDER)))
@pytest.mark.parametrize(("wins", "loses"), [("2.4.1", "1.15.0"), ("1.15.0", "2.4.1")])
def test_the_order_of_who_decides(first, wins, loses, tmp_path):
    pins, overrides = {}, {}
    for number, place in enumerate(ORDER[first:]):
        release = loses if number else wins
        if place == "setting":
            overrides["target"] = (f"tensorflow=={release}",)
        elif place.startswith(".venv"):
            pins |= {place.format(release): "", ".venv/pyvenv.cfg": "home = x\n"}
        else:
            pins[place] = f"tensorflow=={release}\n"
    assert bool(check(tmp_path, TF1, pins, **overrides)) == (wins == "2.4.1")


def test_the_nearest_directory_decides(tmp_path):
    pins = {"requirements.txt": "tensorflow==2.4\n", "old/requirements.txt": "tensorflow==1.15\n"}
    assert check(tmp_path, TF1, pins)
    assert check(tmp_path, TF1, pins, name="old/code.py") == []
    assert check(tmp_path, TF1, pins, name="old/deep/er/code.py") == []


def test_what_lies_above_the_repository_does_not_count(tmp_path):
    (tmp_path / "requirements.txt").write_text("tensorflow==1.15\n")
    assert len(check(tmp_path / "project", TF1, {"a.txt": ""})) == 1


DEMANDED = {
    "pyproject.toml": '[project]\nname = "x"\nrequires-python = "{}"\n',
    "setup.cfg": "[options]\npython_requires = {}\n",
    "setup.py": "from setuptools import setup\nsetup(name='x', python_requires='{}')\n",
}


@pytest.mark.parametrize("place", DEMANDED)
@pytest.mark.parametrize(
    ("text", "python", "severity"),
    [
        (TF1, ">=3.9", Severity.ERROR),  # no release that has the names runs on it
        (TF1, "==3.6.*", Severity.INFO),
        (TF1, ">=2.7,<3", Severity.INFO),
        (KERAS, ">=3.8", Severity.INFO),
        (SIX, ">=3.6", Severity.INFO),
        (SIX, ">=3.12", Severity.ERROR),
    ],
)
def test_the_python_that_is_demanded_leaves_out_releases_and_asks_for_none(text, python, severity, place, tmp_path):
    found = check(tmp_path, text, {place: DEMANDED[place].format(python)})
    assert {finding.severity for finding in found} == {severity}
    both = check(tmp_path, text, {place: DEMANDED[place].format(python), "requirements.txt": "torch\ntensorflow\nkeras\n"})
    assert all(finding.severity is Severity.ERROR or "requirements.txt" in finding.message for finding in both)


@pytest.mark.parametrize(("version", "keras"), [("3.6.2", None), ("3.7.0", None), ("2.7.12", None), ("3.12.1", Severity.ERROR)])
def test_the_kernel_of_a_notebook_counts(version, keras, tmp_path):
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": "from keras.optimizers import Adam\nAdam(lr=0.1)\n"}
    data = {"metadata": {"language_info": {"name": "python", "version": version}}, "cells": [cell], "nbformat": 4}
    found = check(tmp_path, json.dumps(data), name="a.ipynb")
    assert {finding.severity for finding in found} == ({keras} if keras else set())


FILLED = "import torch\n\ntarget = torch.full((4,), {number})\nloss = torch.nn.BCELoss()(torch.rand(4), target)\n"


@pytest.mark.parametrize(
    ("version", "number", "severity"),
    [
        ("3.6.9", "1", {Severity.INFO}),  # torch before 1.7 ran on it, and later ones
        ("3.7.3", "0", {Severity.INFO}),
        ("3.12.1", "1", {Severity.ERROR}),  # only later ones do
        ("3.7.3", "1.0", set()),
        ("3.12.1", "1, dtype=torch.int64", {Severity.ERROR}),
    ],
)
def test_what_a_kernel_ran_with_is_not_known_where_it_runs_releases_of_both_kinds(version, number, severity, tmp_path):
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": FILLED.format(number=number)}
    data = {"metadata": {"language_info": {"name": "python", "version": version}}, "cells": [cell], "nbformat": 4}
    found = check(tmp_path, json.dumps(data), name="a.ipynb", codes=("DLT117",))
    assert {finding.severity for finding in found} == severity


SPELLINGS = [
    ("import tensorflow as {a}\n", "{a}.placeholder(1, [2])", "{a}.random.Generator"),
    ("import tensorflow\n", "tensorflow.Session()", "tensorflow.keras.utils.image_dataset_from_directory"),
    ("from tensorflow import placeholder as {a}, random as {b}\n", "{a}(1, [2])", "{b}.Generator"),
    ("import torch as {a}\n", "{a}.symeig({a}.eye(3))", "{a}.compile"),
    ("from torch import symeig as {a}, compile as {b}, eye\n", "{a}(eye(3))", "{b}"),
    ("import torch\n", "torch._six", "torch.nn.functional.scaled_dot_product_attention"),
]
WRAPPINGS = [
    "{use}\n",
    "def {f}():\n    return {use}\n",
    "class {f}:\n    def run(self):\n        return {use}\n",
    "{f} = lambda: {use}\n",
]


@pytest.mark.parametrize("seed", range(40))
def test_newer_names_show_that_the_code_is_for_a_recent_release(seed, tmp_path):
    """Variants: aliases, from-imports, attribute chains; both names in functions, methods, lambdas, in any order."""
    pick = random.Random(seed)
    imports, old, new = pick.choice(SPELLINGS)
    names = {"a": f"name_{seed}", "b": f"other_{seed}"}
    parts = [pick.choice(WRAPPINGS).format(use=use.format(**names), f=f"f{n}") for n, use in enumerate((old, new))]
    pick.shuffle(parts)
    head = imports.format(**names)
    certain = check(tmp_path, head + "".join(parts))
    assert {finding.severity for finding in certain} == {Severity.ERROR}, head + "".join(parts)
    without = check(
        tmp_path, head.replace(f", compile as {names['b']}", "") + next(p for p in parts if new.format(**names) not in p)
    )
    assert [finding.severity for finding in without] == [Severity.INFO]


def test_a_pin_that_contradicts_the_names_wins(tmp_path):
    assert check(tmp_path, TF1 + "tf.random.Generator\n", {"requirements.txt": "tensorflow==1.15\n"}) == []


def test_guarded_names_show_nothing(tmp_path):
    text = TF1 + "if hasattr(tf, 'function'):\n    tf.random.Generator\n"
    assert [finding.severity for finding in check(tmp_path, text)] == [Severity.INFO]


@pytest.mark.parametrize("asked", [{"select": ("DLA102",)}, {"severity": (("DLA102", "warning"),)}])
def test_who_asks_for_it_gets_each(asked, tmp_path):
    found = check(tmp_path, TF1, **asked)
    assert len(found) == 2
    assert all(finding.severity is not Severity.INFO for finding in found)


def test_what_python_2_wrote_is_one_notice(tmp_path):
    path = tmp_path / "a.py"
    path.write_text("import torch\nprint 'a'\nprint 'b'\n")
    result = Session(Configuration(isolated=True)).check_file(path)
    assert result.findings == []
    assert [notice.kind for notice in result.notices] == ["skipped"]


@pytest.mark.parametrize(
    "line", ["print 'a', x", "raise ValueError, 'x'", "exec 'x = 1'", "y = `x`", "if x <> 1: pass", "y = 0777"]
)
def test_statements_of_python_2(line, tmp_path):
    path = tmp_path / "a.py"
    for modern, wanted in (("", 0), ("print(f'{x}')\n", 1), ("async def f(): pass\n", 1)):
        path.write_text(f"import torch\nx = 1\n{modern}{line}\n")
        assert len(Session(Configuration(isolated=True)).check_file(path).findings) == wanted


def test_a_notebook_of_python_2_is_one_notice(tmp_path):
    sources = ["import torch\nprint 'a'\n", "x = torch.zeros(2)\n", "print x\n", "raise ValueError, 'x'\n"]
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": source} for source in sources]
    path = tmp_path / "a.ipynb"
    for metadata in ({"kernelspec": {"name": "python2", "language": "python"}}, {}):
        path.write_text(json.dumps({"metadata": metadata, "cells": cells, "nbformat": 4}))
        result = Session(Configuration(isolated=True)).check_file(path)
        assert result.findings == []
        (notice,) = result.notices
        assert "cells 1, 3, 4 are written for Python 2" in notice.message


OF_PYTHON_2 = (
    "def grid(x, (h, w), path=None):\n    pass\n",
    "def f((a, b)):\n    return a\n",
    "key = lambda (a, b): a\n",
    "f = lambda x, (a, b): x\n",
)


@pytest.mark.parametrize("text", OF_PYTHON_2)
def test_a_tuple_among_the_parameters_is_python_2(text, tmp_path):
    (tmp_path / "a.py").write_text("import torch\n" + text)
    result = Session(Configuration(isolated=True)).check_file(tmp_path / "a.py")
    assert result.findings == []
    assert "written for Python 2 (a tuple among the parameters" in result.notices[0].message


@pytest.mark.parametrize("pin", [">=3.9", ""])
@pytest.mark.parametrize("text", ["def f(x, y=(1, 2):\n    pass\n", "f = lambda x, (a + b): x\n", "f = lambda x: (a, b) c\n"])
def test_brackets_that_no_python_has_are_syntax_errors(text, pin, tmp_path):
    if pin:
        (tmp_path / "pyproject.toml").write_text(f'[project]\nname = "x"\nrequires-python = "{pin}"\n')
    (tmp_path / "a.py").write_text("import torch\n" + text)
    found = Session(Configuration(isolated=True)).check_file(tmp_path / "a.py").findings
    assert [finding.code for finding in found] == ["syntax-error"]


def test_a_broken_text_for_python_3_stays_a_syntax_error(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\nrequires-python = ">=3.9"\n')
    (tmp_path / "a.py").write_text("import torch\nprint 'a'\n")
    found = Session(Configuration(isolated=True)).check_file(tmp_path / "a.py").findings
    assert [finding.code for finding in found] == ["syntax-error"]


@pytest.mark.parametrize(
    ("pin", "severity"),
    [
        ("torch==1.4.0", None),
        ("torch<1.11", None),
        ("torch", Severity.WARNING),
        ("torch<=2.4", Severity.WARNING),
        ("torch>=1.11", Severity.ERROR),
        ("", Severity.INFO),
    ],
)
@pytest.mark.parametrize("layer", ["nn.Conv1d(4, 6, kernel_size=(1, 2))", "nn.Conv1d(4, 6, (1, 1), dilation=2)"])
def test_a_kernel_of_images_in_a_layer_for_one_axis(layer, pin, severity, tmp_path):
    """PyTorch convolved images with it before 1.11."""
    check(
        tmp_path,
        f"import torch\nfrom torch import nn\n\ny = {layer}(torch.rand(2, 4, 8, 8))\n",
        {"requirements.txt": f"{pin}\n"},
    )
    found = Session(Configuration(isolated=True, overrides={})).check_file(tmp_path / "code.py").findings
    assert [finding.severity for finding in found] == ([] if severity is None else [severity])


MODEL = """from keras.layers import Dense, Input
from keras.models import Model
from keras.optimizers import Adam

x = Input((4,))
model = Model(x, [Dense(2)(x), Dense(3)(x)])
{rest}
"""
LISTED = "model.compile(loss=['mse', 'mse'], metrics=['accuracy'], optimizer={optimizer})"
OUTDATED = ("Adam(lr=0.1)", "Adam(lr=1e-3, beta_1=0.8)")


@pytest.mark.parametrize("optimizer", [*OUTDATED, "Adam(0.1)", "'adam'", "Adam(learning_rate=0.1)"])
@pytest.mark.parametrize("pin", ["", "keras>=3", "keras==2.4.3"])
def test_what_is_usual_is_not_presumed_of_a_file_for_older_releases(optimizer, pin, tmp_path):
    """Keras 2 took one list of metrics for all outputs. A file that uses what Keras 3 lacks is rather for it."""
    text = MODEL.format(rest=LISTED.format(optimizer=optimizer))
    check(tmp_path, text, {"requirements.txt": f"{pin}\n"})
    found = Session(Configuration(isolated=True, overrides={})).check_file(tmp_path / "code.py").findings
    severities = {finding.severity for finding in found if "metrics" in finding.message or "written for" in finding.message}
    if pin == "keras==2.4.3":
        assert severities == set()
    elif not pin:
        assert severities == {Severity.INFO}
    else:
        assert severities == {Severity.WARNING}


# --- how certain findings are that speak of releases ------------------------------------------------------------------------

WRONG_SHAPE = "import torch\n\nx = torch.zeros(3).view(7)\n"
SHAPE_IN_TF1 = TF1 + "\nz = tf.reshape(tf.zeros([3]), [7])\n"


def confidences(found):
    """Code → the confidence of its findings."""
    return {finding.code: finding.confidence for finding in found}


@pytest.mark.parametrize(
    ("requirement", "lowered"),
    [("torch==2.12\n", False), ("torch>=1.4\n", False), ("", False), ("torch==1.0.1\n", True), ("torch<2\n", True)],
)
def test_what_operations_take_is_less_certain_for_old_releases(requirement, lowered, tmp_path):
    (found,) = check(tmp_path, WRONG_SHAPE, {"requirements.txt": requirement}, codes={"DLT105"})
    assert found.confidence is (Confidence.LOW if lowered else calibrated("DLT105", Confidence.HIGH, closed=True))


@pytest.mark.parametrize("requirement", ["", "tensorflow\n", "tensorflow==1.15\n"])
def test_old_names_show_that_operations_are_those_of_old_releases(requirement, tmp_path):
    (found,) = check(tmp_path, SHAPE_IN_TF1, {"requirements.txt": requirement}, codes={"DLT105"})
    assert found.confidence is Confidence.LOW


def test_what_an_upgrade_breaks_is_less_certain_than_what_is_broken(tmp_path):
    assert confidences(check(tmp_path, TF1, {"requirements.txt": "tensorflow>=1.0\n"})) == {"DLA102": Confidence.MEDIUM}
    assert confidences(check(tmp_path, TF1, {"requirements.txt": "tensorflow>=2.4\n"})) == {"DLA102": Confidence.HIGH}


@pytest.mark.parametrize(("requirement", "confidence"), [("", Confidence.LOW), ("torch==2.13\n", Confidence.HIGH)])
def test_a_keyword_that_some_release_may_have_had_is_less_certain(requirement, confidence, tmp_path):
    code = "import torch\n\nparameter = torch.nn.Parameter(torch.zeros(3), device='cpu')\n"
    assert confidences(check(tmp_path, code, {"requirements.txt": requirement})) == {"DLA104": confidence}


DATA = "import torch\n\nnet = torch.nn.Linear(4, 1)\nloss = net(torch.ones(2, 4)).mean()\nloss.backward()\nprint({number})\n"


@pytest.mark.parametrize("number", ["loss.data[0]", "loss.data.cpu()[0]", "(loss + torch.abs(loss)).data[0]"])
@pytest.mark.parametrize(
    ("requirement", "severity"),
    [
        ("torch>=0.4.0\n", Severity.WARNING),
        ("torch>=0.3,<1.5\n", Severity.WARNING),
        ("torch==2.13\n", Severity.ERROR),
        ("torch==0.3.1\n", None),
    ],
)
def test_what_fails_in_the_releases_of_today_is_a_warning_where_they_are_admitted(number, requirement, severity, tmp_path):
    found = check(tmp_path, DATA.format(number=number), {"requirements.txt": requirement}, codes={"DLT109"})
    assert [finding.severity for finding in found] == ([] if severity is None else [severity])


@pytest.mark.parametrize("readme", ["PyTorch 1.0\n", "- pytorch==1.0.1\n", "Requires torch >= 1.0, < 1.2\n"])
def test_names_say_more_than_the_prose_of_a_readme(readme, tmp_path):
    (found,) = check(tmp_path, "from torch.utils.ffi import create_extension\n\ncreate_extension('x')\n", {"README.md": readme})
    assert found.severity is Severity.INFO


SPARSE = """import numpy as np
from tensorflow.keras.layers import Conv2D, Input
from tensorflow.keras.models import Sequential
x, y = np.zeros((50, 32, 32, 3)), np.zeros((50, {labels}))
m = Sequential([Input((32, 32, 3)), Conv2D(10, {kernel}, activation="softmax")])
m.compile("adam", loss="sparse_categorical_crossentropy")
m.{method}(x, y)
"""
UNDECIDED, KERAS_3, KERAS_2 = "", "keras==3.5\n", "keras==2.8\n"


@pytest.mark.parametrize("method", ["fit", "evaluate", "train_on_batch"])
@pytest.mark.parametrize(
    ("labels", "kernel", "pins", "severity"),
    [
        ("1", "32", UNDECIDED, Severity.INFO),
        ("1", "32", KERAS_3, Severity.WARNING),
        ("1", "32", KERAS_2, None),
        ("7", "32", UNDECIDED, Severity.WARNING),
        ("1", "30", UNDECIDED, Severity.WARNING),
        ("7", "30", KERAS_2, Severity.WARNING),
    ],
)
def test_class_indices_of_another_shape(labels, kernel, pins, severity, method, tmp_path):
    """Up to Keras 2 only their number mattered."""
    text = SPARSE.format(labels=labels, kernel=kernel, method=method)
    found = check(tmp_path, text, {"requirements.txt": pins}, codes=("DLT109",))
    assert [f.severity for f in found] == ([] if severity is None else [severity])


_METRICS = """from keras import Input, Sequential
from keras.layers import Dense

model = Sequential([Input((8,)), Dense(1)])
"""
_TARGETS = """import torch
from torch import nn
"""


@pytest.mark.parametrize("count", [1, 2, 13])
@pytest.mark.parametrize(
    ("head", "line", "code"),
    [
        (_METRICS, 'model.compile("adam", loss="mse", metrics="mae")\n', "DLT118"),
        (_TARGETS, "nn.functional.binary_cross_entropy(torch.rand(4), torch.full((4,), 1))\n", "DLT117"),
    ],
)
def test_the_fix_of_a_recent_change_mends_all_places(head, line, code, count, tmp_path):
    (found,) = check(tmp_path, head + line * count, codes=(code,))
    assert len(found.related) >= count - 1
    (fix,) = found.fixes
    assert check(tmp_path, apply_edits(head + line * count, fix.edits), codes=(code,)) == []


ALIKE = {
    "features": ("import torch\n\ny = torch.nn.Linear(4, 2)(torch.rand(3, 5))\n", "DLT101"),
    "channels": ("import torch\n\ny = torch.nn.Conv2d(3, 8, 3)(torch.rand(1, 4, 9, 9))\n", "DLT101"),
    "product": ("import torch\n\ny = torch.rand(3, 5) @ torch.rand(4, 2)\n", "DLT109"),
    "sum": ("import torch\n\ny = torch.rand(3, 5) + torch.rand(3, 4)\n", "DLT109"),
    "joined": ("import torch\n\ny = torch.cat([torch.rand(3, 5), torch.rand(2, 4)])\n", "DLT109"),
    "elements": (WRONG_SHAPE, "DLT105"),
}
#: What a newer release takes or an older one does not.
CHANGED = "import torch\n\ny = torch.nn.Conv2d(3, 8, 3)(torch.rand(9, 9))\n"


@pytest.mark.parametrize("text", ALIKE)
@pytest.mark.parametrize("requirement", ["torch==1.10.0\n", "torch>=1.4,<2\n"])
def test_sizes_that_all_stable_releases_compare_alike_are_warnings(text, requirement, tmp_path):
    code, rule = ALIKE[text]
    (found,) = check(tmp_path, code, {"requirements.txt": requirement}, codes={rule})
    assert found.severity is Severity.WARNING


@pytest.mark.parametrize(
    ("code", "requirement"), [(text, "torch==0.4.1\n") for text, _ in ALIKE.values()] + [(CHANGED, "torch==1.10.0\n")]
)
def test_other_shapes_of_old_releases_are_information(code, requirement, tmp_path):
    found = check(tmp_path, code, {"requirements.txt": requirement}, codes={"DLT101", "DLT102", "DLT105", "DLT109"})
    assert [finding.severity for finding in found] == [Severity.INFO]


AMP = "import torch\n\nscaler = torch.cuda.amp.GradScaler()\n"


@pytest.mark.parametrize(
    ("pin", "told", "fixed"),
    [
        ("", True, True),
        ("torch", True, False),
        ("torch==2.6.0", True, True),
        ("torch>=2.4", True, True),
        ("torch>=1.8", True, False),  # its successor is not in all of these
        ("torch<2", False, False),
        ("torch==2.1.0", False, False),
    ],
)
def test_what_is_deprecated_is_told_unless_the_code_is_for_older_releases(pin, told, fixed, tmp_path):
    found = check(tmp_path, AMP, {"requirements.txt": f"{pin}\n"} if pin else None, codes={"DLA103"})
    assert [finding.severity for finding in found] == [Severity.INFO] * told
    assert [bool(finding.fixes) for finding in found] == [fixed] * told


def test_what_an_old_file_uses_is_not_told_as_deprecated_later(tmp_path):
    assert check(tmp_path, f"{SIX}\n{AMP}", codes={"DLA103"}) == []
    assert len(check(tmp_path, f"{SIX}\nimport torch\n\ntorch.ger(x, x)\n", codes={"DLA103"})) == 1
