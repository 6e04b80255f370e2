"""``dllint migrate``: what it writes, what it leaves, and what it prints."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).parents[2]
OLD = "from keras.layers.core import Dense\nfrom keras.layers import merge\n\nlayer = Dense(output_dim=3, init='uniform')\n"
NEW = "from keras.layers import Dense\n\nlayer = Dense(units=3, kernel_initializer='uniform')\n"


def migrated(dllint, project, text, to, *options):
    """The text of a file after its migration, and what was printed."""
    path = project / "program.py"
    path.write_text(text)
    shown = dllint("migrate", "program.py", "--to", to, "--isolated", "--no-environment", *options)
    return path.read_text(), shown


def test_a_file_is_written_and_nothing_is_left(dllint, project):
    text, shown = migrated(dllint, project, OLD, "keras3")
    assert "".join(line for line in text.splitlines(keepends=True) if line != "pass\n") == NEW
    assert shown.status == 0, shown.out


def test_a_preview_changes_nothing(dllint, project):
    text, shown = migrated(dllint, project, OLD, "keras3", "--diff")
    assert text == OLD
    assert shown.status == 1
    assert "+from keras.layers import Dense" in shown.out


def test_what_is_left_is_told_with_its_place(dllint, project):
    text, shown = migrated(dllint, project, "import tensorflow as tf\n\nx = tf.contrib.layers.flatten(tf.ones(3))\n", "tf2")
    assert "tf.contrib.layers.flatten" in text
    assert shown.status == 1
    assert "program.py:3:5: DLA102" in shown.out


def test_the_json_output_has_its_schema(dllint, project):
    text = "import torch\n\na = torch.eye(3)\nb = torch.ger(a[0], a[0])\nc = torch.symeig(a)\n"
    _, shown = migrated(dllint, project, text, "torch2", "--output-format", "json")
    data = json.loads(shown.out)
    jsonschema.validate(data, json.loads((ROOT / "docs" / "schema" / "migration.schema.json").read_text()))
    (file,) = data["files"]
    assert data["written"]
    assert (file["filename"], file["changed"]) == ("program.py", True)
    assert [left["location"]["row"] for left in file["left"]] == [5]


@pytest.mark.parametrize("to", ["keras4", "tf", "torch1", "numpy2", "torch2.99"])
def test_an_unknown_release_is_refused(dllint, project, to):
    _, shown = migrated(dllint, project, "import torch\n", to)
    assert shown.status == 2
    assert "no release to migrate to" in shown.err


def test_files_without_old_names_stay_as_they_are(dllint, project):
    text = "import tensorflow as tf\n\nx = tf.Variable(tf.ones(3))\ny = tf.reduce_sum(x, axis=0)\n"
    after, shown = migrated(dllint, project, text, "tf2")
    assert (after, shown.status) == (text, 0)


def test_a_notebook_stays_a_notebook(dllint, project):
    cells = [["import tensorflow as tf\n"], ["x = tf.placeholder(tf.float32)\n", "with tf.Session() as s:\n", "    s.run(x)"]]
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": cell} for cell in cells]
    path = project / "program.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    shown = dllint("migrate", "program.ipynb", "--to", "tf2", "--isolated", "--no-environment")
    after = ["".join(cell["source"]) for cell in json.loads(path.read_text())["cells"]]
    assert shown.status == 0, shown.out
    assert "disable_v2_behavior" in after[0]
    assert "tf.compat.v1.Session" in after[1]


def test_a_file_that_does_not_parse_is_left(dllint, project):
    text, shown = migrated(dllint, project, "import keras\nprint 'old'\n", "keras3")
    assert text == "import keras\nprint 'old'\n"
    assert shown.status == 1
    assert "Python 2" in shown.out


def test_the_second_time_nothing_changes(dllint, project):
    once, _ = migrated(dllint, project, OLD + "import tensorflow as tf\nx = tf.placeholder(tf.int32)\n", "keras3")
    again, _ = migrated(dllint, project, once, "keras3")
    assert again == once
