"""Each suspicion on a value that is changed in its way, and on values that are not."""

from __future__ import annotations

import numpy as np
import pytest

from dllint.bisection.suspicions.evidence import Evidence
from dllint.bisection.suspicions.table import suspected

GENERATOR = np.random.default_rng(2)
IMAGE = GENERATOR.normal(size=(8, 6, 12, 12))
ROWS = GENERATOR.normal(1.0, 2.0, size=(64, 5, 16))


def softmax(values: np.ndarray, axis: int) -> np.ndarray:
    powers = np.exp(values - values.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def normalised(values: np.ndarray, epsilon: float = 1e-5, axis: int = -1) -> np.ndarray:
    spread = values.var(axis, keepdims=True)
    return (values - values.mean(axis, keepdims=True)) / np.sqrt(spread + epsilon)


def padded_wrong(values: np.ndarray) -> np.ndarray:
    moved = np.roll(values, 1, axis=3)
    moved[..., 0] = 0
    return moved


def bordered(values: np.ndarray) -> np.ndarray:
    changed = values.copy()
    changed[:, :, 0] += 1
    changed[:, :, -1] += 1
    return changed


def dropped(values: np.ndarray) -> np.ndarray:
    return np.where(np.random.default_rng(3).random(values.shape) < 0.3, 0.0, values / 0.7)


LARGE = IMAGE * 4e4
CASES = {
    "overflow of half precision": (LARGE, np.where(np.abs(LARGE) > 65504, np.inf, LARGE)),
    "overflow: ": (IMAGE, np.where(IMAGE > 1, np.nan, IMAGE)),
    "sign: ": (IMAGE, -IMAGE),
    "scale: the value is 6 times": (IMAGE, 6 * IMAGE),
    "scale and offset: the value is 0.5 times the reference's plus 3": (IMAGE, 0.5 * IMAGE + 3),
    "layout: axes 2 and 3": (IMAGE, np.swapaxes(IMAGE, 2, 3)),
    "layout: the elements lie in the order": (IMAGE, np.swapaxes(IMAGE, 1, 3).reshape(IMAGE.shape)),
    "order: axis 1 is reversed": (IMAGE, IMAGE[:, ::-1]),
    "order: the indices of axis 1": (IMAGE, IMAGE[:, [2, 0, 1, 5, 3, 4]]),
    "padding: the values are shifted by 1 along axis 3": (IMAGE, padded_wrong(IMAGE)),
    "padding: the values differ only at the border of axis 2": (IMAGE, bordered(IMAGE)),
    "axis: the values sum to 1 over axis 1": (softmax(ROWS, 2), softmax(ROWS, 1)),
    "mask: inverted": (np.where(IMAGE > 0, IMAGE, 0), np.where(IMAGE > 0, 0, IMAGE)),
    "dropout: ": (IMAGE, dropped(IMAGE)),
    "mask: ": (IMAGE, np.where(IMAGE > 1, 0.0, IMAGE)),
    "clipping: ": (IMAGE, np.clip(IMAGE, -0.8, 0.8)),
    "quantisation: only": (IMAGE, np.round(IMAGE * 2) / 2),
    "precision: ": (IMAGE, IMAGE.astype(np.float16).astype(np.float64)),
    "scales: each index of axis 1": (IMAGE, IMAGE * np.array([1, 2, 0.5, 3, 1, 0.7])[:, None, None]),
}


@pytest.mark.parametrize("told", CASES)
def test_a_change_is_called_by_its_name(told):
    expected, found = CASES[told]
    assert suspected(Evidence(expected, found)).startswith(told)


def test_an_epsilon_is_seen_in_the_values_of_a_normalisation():
    scales = np.geomspace(0.2, 4, 64)[:, None, None]
    told = suspected(Evidence(normalised(ROWS * scales), normalised(ROWS * scales, 2.0), "layer_norm"))
    assert told.startswith("epsilon: ")
    assert "larger" in told
    over = suspected(Evidence(normalised(ROWS), normalised(ROWS, axis=1), "layer_norm"))
    assert over == "axis: normalised over axis 1, the reference over axis 2"


@pytest.mark.parametrize("found", [IMAGE, IMAGE + 1e-7, IMAGE + GENERATOR.normal(size=IMAGE.shape)])
def test_nothing_is_suspected_where_nothing_fits(found):
    assert suspected(Evidence(IMAGE, found)) == ""


@pytest.mark.parametrize(
    ("ours", "theirs", "told"),
    [
        ({"epsilon": 1e-5}, {"epsilon": 1e-3}, "epsilon: 0.001 in the candidate, 1e-05 in the reference"),
        ({"epsilon": 1e-5}, {"epsilon": 9.9999997e-06}, ""),
        ({"axis": -1}, {"axis": 3}, ""),
        ({"axis": -1}, {"axis": 1}, "axis: 1 in the candidate, -1 in the reference"),
        ({"padding": [1, 1]}, {"padding": [1, 1, 1, 1]}, ""),
        ({"padding": [1, 1]}, {"padding": [0, 0, 2, 2]}, "padding: [0, 0, 2, 2] in the candidate, [1, 1] in the reference"),
        ({"approximate": "none"}, {"approximate": "tanh"}, "approximation: tanh in the candidate, none in the reference"),
        (
            {"align_corners": False},
            {"align_corners": True},
            "sampling positions: True in the candidate, False in the ref",
        ),
        ({"stride": [2]}, {}, ""),
    ],
)
def test_settings_are_compared_under_one_name(ours, theirs, told):
    found = suspected(Evidence(IMAGE, IMAGE, settings=(ours, theirs)))
    assert found.startswith(told) if told else not found


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda w: w.T, "weights, layout: transposed"),
        (lambda w: 6 * w, "weights, scale: the value is 6 times the reference's"),
        (lambda w: w[::-1], "weights, order: axis 0 is reversed"),
        (lambda w: np.clip(w, -0.5, 0.5), "weights, clipping"),
        (lambda w: w + GENERATOR.normal(size=w.shape), "weights: they differ by"),
    ],
)
def test_weights_tell_more_than_values(change, told):
    ours = GENERATOR.normal(size=(20, 20))
    found = suspected(Evidence(IMAGE, IMAGE + GENERATOR.normal(size=IMAGE.shape), weights=((ours, change(ours)),)))
    assert found.startswith(told)
