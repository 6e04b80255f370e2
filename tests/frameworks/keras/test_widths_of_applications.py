"""Width multipliers of the MobileNets, and arguments by position, against models that Keras builds."""

from __future__ import annotations

import pytest

NAMES = ("MobileNet", "MobileNetV2", "MobileNetV3Small", "MobileNetV3Large")
ALPHAS = (0.25, 0.35, 0.5, 0.75, 1.3)
BY_POSITION = [
    "MobileNet((96, 96, 3), 0.5, 1, 1e-3, False, None)",
    "MobileNet((96, 96, 3), 0.5, 1, 1e-3, False, None, None, 'max')",
    "MobileNetV2((96, 96, 3), 1.4, include_top=False, weights=None)",
    "MobileNetV3Small((96, 96, 3), 0.5, True, False, None)",
    "MobileNet(input_shape=(64, 64, 3), alpha=0.25, weights=None, classes=7)",
]


@pytest.mark.oracle
@pytest.mark.parametrize("name", NAMES)
def test_width_multipliers(name, inferred, executed):
    one = f"keras.applications.{name}(weights=None, include_top=False, input_shape=(64, 64, 3), alpha={{}}).output"
    program = f"out = [{', '.join(one.format(alpha) for alpha in ALPHAS)}]"
    assert inferred(program) == executed(program)


@pytest.mark.oracle
def test_arguments_by_position(inferred, executed):
    program = f"out = [{', '.join(f'keras.applications.{call}.output' for call in BY_POSITION)}]"
    assert inferred(program) == executed(program)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("asked", ["int(1024 * 0.25)", "16"])
def test_reshapes_of_narrow_features(name, asked, faults):
    """A width that is not the model's is refused, and the width of a multiplier that is not known is not told."""
    program = """
def build(alpha):
    base = keras.applications.{name}(weights=None, include_top=False, input_shape=(32, 32, 3), alpha={alpha})
    return layers.Reshape((1, 1, {asked}))(base.output)

{call}
"""
    known = faults(program.format(name=name, alpha="0.25", asked=asked, call="out = [build(0.25)]"))
    fits = name == "MobileNet" and asked != "16"
    assert bool(known) is not fits
    assert not faults(program.format(name=name, alpha="alpha", asked=asked, call="out = []"))
