"""Hidden layers of torch whose weights are filled with one number are found however they are filled; others are not."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import functools\nimport torch\nfrom torch import nn"
BODY = """
optimizer = torch.optim.SGD([*hidden.parameters(), *last.parameters()], lr=0.1)
for _ in range(100):
    optimizer.zero_grad()
    scores = last({between}(hidden(torch.randn(4, 8))))
    nn.functional.cross_entropy(scores, torch.randint(0, 3, (4,))).backward()
    optimizer.step()
"""
MADE = "hidden, last = nn.Linear(8, 32), nn.Linear(32, 3)\n"
FILLED = {
    "functions": "nn.init.constant_(hidden.weight, 0.1)\nnn.init.constant_(last.weight, 0.2)\nnn.init.zeros_(hidden.bias)",
    "loop": "for layer in (hidden, last):\n    nn.init.ones_(layer.weight)\n    nn.init.zeros_(layer.bias)",
    "methods": "with torch.no_grad():\n    for layer in [hidden, last]:\n"
    "        layer.weight.fill_(0.5)\n        layer.bias.zero_()",
    "data": "hidden.weight.data.fill_(0.5)\nhidden.bias.data.fill_(0)\nlast.weight.data.zero_()",
    "table": "ways = {'ones': nn.init.ones_}\n"
    "for layer in (hidden, last):\n    ways['ones'](layer.weight)\n    layer.bias.data.zero_()",
    "partial": "fill = functools.partial(nn.init.constant_, val=0.1)\nfor part in [hidden.weight, last.weight, hidden.bias]:\n"
    "    fill(part)",
    "apply": "def start(layer):\n    if isinstance(layer, nn.Linear):\n        layer.weight.data.fill_(0.1)\n"
    "        layer.bias.data.fill_(0.0)\n\nnn.Sequential(hidden, last).apply(start)",
}  # fmt: skip
SOUND = {
    "random biases": ("nn.init.constant_(hidden.weight, 0.1)\nnn.init.constant_(last.weight, 0.1)", "torch.tanh"),
    "random weights after it": ("nn.init.ones_(hidden.weight)\nnn.init.zeros_(hidden.bias)", "torch.tanh"),
    "a mask": (FILLED["loop"], "nn.Dropout(0.5)"),
    "drawn again": (f"{FILLED['loop']}\nnn.init.xavier_uniform_(hidden.weight)", "torch.tanh"),
    "biases alone": ("nn.init.zeros_(hidden.bias)\nnn.init.zeros_(last.bias)", "torch.relu"),
    "last layer alone": ("nn.init.zeros_(last.weight)\nnn.init.zeros_(last.bias)", "torch.relu"),
    "open rectifiers": ("nn.init.zeros_(hidden.weight)\nnn.init.constant_(hidden.bias, 0.1)", "torch.relu"),
    "loaded": (f"{FILLED['loop']}\nhidden.load_state_dict(torch.load('a.pt', weights_only=True))", "torch.tanh"),
}


def _case(filled: str, between: str) -> Case:
    return Case("DLI101", IMPORTS, f"{MADE}{filled}", BODY.format(between=between), ("hidden", "last"))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("filled", FILLED)
def test_every_way_to_fill_is_found(filled: str, form: str, tmp_path: Path) -> None:
    assert "DLI101" in found(FORMS[form](_case(FILLED[filled], "torch.tanh")), tmp_path)


def test_a_rectifier_of_zeros_is_found(tmp_path: Path) -> None:
    zeros = "nn.init.zeros_(hidden.weight)\nnn.init.zeros_(hidden.bias)"
    assert "DLI101" in found(FORMS["plain"](_case(zeros, "torch.relu")), tmp_path)


@pytest.mark.parametrize("form", ["plain", "in_function", "in_method", "in_other_file"])
@pytest.mark.parametrize("sound", SOUND)
def test_what_tells_units_apart_is_silent(sound: str, form: str, tmp_path: Path) -> None:
    assert "DLI101" not in found(FORMS[form](_case(*SOUND[sound])), tmp_path)


VARIABLES: Final = {
    "written": "first = tf.Variable(tf.{first}([4, 8]))\nlast = tf.Variable(tf.{last}([8, 3]))",
    "by a helper": "first = weights(tf.{first}, [4, 8])\nlast = weights(tf.{last}, [8, 3])",
}
HELPER: Final = "def weights(fill, shape):\n    return tf.Variable(fill(shape))\n\n\n"
USED: Final = """x = tf.random.normal((5, 4))
hidden = tf.keras.activations.relu(tf.matmul(x, first) + 0.1)
print(tf.matmul(hidden, last))"""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("made", VARIABLES)
def test_variables_of_tensorflow(made: str, form: str, tmp_path: Path) -> None:
    def lines(first: str, last: str) -> list[str]:
        setup = HELPER + VARIABLES[made].format(first=first, last=last)
        case = Case("DLI101", "import tensorflow as tf", setup, USED, ("first", "last"))
        return found(FORMS[form](case), tmp_path, ("DLI101",))

    assert len(lines("zeros", "zeros")) == 2
    assert not lines("random.normal", "random.normal")


def test_the_place_of_a_variable_is_where_it_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "main.py"
    path.write_text(
        f"import tensorflow as tf\n\n\n{HELPER}{VARIABLES['by a helper'].format(first='zeros', last='zeros')}\n{USED}\n"
    )
    result = Session(Configuration(isolated=True)).check_file(path)
    lines = path.read_text().split("\n")
    assert [lines[finding.location.span.first.line - 1].split(" = ")[0] for finding in result.findings] == ["first", "last"]
