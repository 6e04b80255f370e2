"""Architectures of Keras that one module makes with the builder of another are followed."""

import sys

import pytest

from dllint.analysis.architecture.models import main_models
from dllint.analysis.architecture.weights import ProgramWeights
from dllint.cli.opening import open_analysed

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize(("name", "parameters"), [("ResNet50V2", 25_613_800), ("ResNet50", 25_636_712)])
def test_a_builder_of_another_module_is_followed(tmp_path, name, parameters):
    pytest.importorskip("keras")
    (tmp_path / "made.py").write_text(f"import keras\n\nbuilt = keras.applications.{name}(weights=None)\n", encoding="utf-8")
    programs = open_analysed(tmp_path / "made.py", sys.executable, architectures=True).analysis.programs
    made = ProgramWeights.of(programs)
    (model,) = main_models(programs, made)
    weights = model.tree(made).weights
    assert (weights.total, weights.is_open) == (parameters, False)
