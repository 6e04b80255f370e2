"""What the options of ``load_data`` say of rows, labels and words, held against Keras's own code on made-up files."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from dllint.domains.dim import DimExpr
from tests.lower.tracing import values
from tests.rules.harness import findings

#: How many samples a file of each data set holds.
ROWS = {"boston_housing": 506, "california_housing": 20640, "reuters": 11228}
SHARES = ("0", "0.1", "0.2", "0.25", "1 / 3", "0.5", "0.99")
CALLS = (
    "boston_housing.load_data('b.npz', {share})",
    "boston_housing.load_data(test_split={share})",
    "california_housing.load_data('large', 'c.npz', {share})",
    "california_housing.load_data('small', test_split={share})",
    "california_housing.load_data(version='small')",
    "california_housing.load_data(test_split={share})",
    "reuters.load_data('r.npz', 500, 0, None, {share})",
    "reuters.load_data(num_words=500, test_split={share})",
)
MODES = {"": 100, "'fine'": 100, "label_mode='fine'": 100, "'coarse'": 20, "label_mode='coarse'": 20}
UNKNOWN_MODES = ("mode", "label_mode=mode", "*options", "**options", "'fine' if mode else 'coarse'")
#: Programs whose user chooses the mode.
CHOSEN = (
    "if asked.mode == 'coarse':\n    z = to_categorical(y, 20)\nelse:\n    z = to_categorical(y, 100)\n",
    "z = to_categorical(y, 20 if asked.mode == 'coarse' else 100)\n",
    "classes = {'coarse': 20, 'fine': 100}[asked.mode]\nz = to_categorical(y, classes)\n",
)
PROGRAM = """
import sys, argparse
from {package}.datasets import cifar100
from {package}.utils import to_categorical
mode, options = sys.argv[1], make()
parser = argparse.ArgumentParser()
parser.add_argument("--mode", default="fine")
asked = parser.parse_args()
(x, y), (u, v) = cifar100.load_data({given})
"""


def loaded(call: str) -> dict[str, Any]:
    """The four arrays of a call."""
    return values(f"from keras.datasets import boston_housing, california_housing, imdb, reuters\n(x, y), (u, v) = {call}\n")


def rows(arrays: dict[str, Any]) -> tuple[int, ...]:
    """The lengths of the four arrays."""
    return tuple(arrays[name].shape[0] for name in "xyuv")


def test_labels_by_mode() -> None:
    for given, classes in MODES.items():
        found = values(PROGRAM.format(package="keras", given=given) + "z = to_categorical(y)\n")
        assert (found["y"].low, found["y"].high, found["v"].high) == (0, classes - 1, classes - 1), given
        assert found["z"].shape == (50000, classes), given


def test_labels_of_a_mode_that_is_not_known_have_no_known_range() -> None:
    for given in UNKNOWN_MODES:
        found = values(PROGRAM.format(package="keras", given=given) + "z = to_categorical(y)\n")
        assert rows(found) == (50000, 50000, 10000, 10000), given
        assert (found["y"].high, found["v"].high) == (None, None), given
        assert isinstance(found["z"].shape[1], DimExpr), given


@pytest.mark.parametrize("package", ["keras", "tensorflow.keras"])
def test_too_few_classes_are_found_where_the_mode_is_known(package: str) -> None:
    for given, classes in {**MODES, **dict.fromkeys(UNKNOWN_MODES, 0)}.items():
        for width in (19, 20, 99, 100):
            text = PROGRAM.format(package=package, given=given) + f"z = to_categorical(y, {width})\n"
            assert [found.code for found in findings(text)] == (["DLT116"] if width < classes else []), (given, width)


@pytest.mark.parametrize("rest", CHOSEN)
def test_classes_that_follow_the_mode_that_a_user_chooses_are_right(rest: str) -> None:
    assert findings(PROGRAM.format(package="keras", given="asked.mode") + rest) == []


def test_texts_that_are_left_out_leave_a_number_of_rows_that_is_not_known() -> None:
    for call in ("imdb.load_data('i.npz', 100, 0, 80)", "imdb.load_data(maxlen=80)", "reuters.load_data(maxlen=80)"):
        assert all(isinstance(size, DimExpr) for size in rows(loaded(call))), call
    assert rows(loaded("imdb.load_data(num_words=100, maxlen=None)")) == (25000,) * 4


@pytest.mark.parametrize("name", ["imdb", "reuters"])
def test_the_largest_word(name: str) -> None:
    reached = {
        "num_words=500": 499, "'file.npz', 500": 499, "": None, "num_words=0": None, "num_words=2": None,
        "num_words=500, oov_char=600": None, "num_words=500, index_from=490000": None, "num_words=500, skip_top=500": None,
        "num_words=200000": None, "num_words=500, seed=3, start_char=700": 499, "num_words=500, **options()": None,
    }  # fmt: skip
    for given, expected in reached.items():
        assert loaded(f"{name}.load_data({given})")["x"].reach == expected, given


@pytest.mark.oracle
def test_rows_as_keras(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Files are not fetched but made; one holds as many samples as the real one."""
    np, datasets = pytest.importorskip("numpy"), pytest.importorskip("keras").datasets
    sources = pytest.importorskip("keras.src.datasets")
    for name, count in ROWS.items():
        file = tmp_path / f"{name}.npz"
        np.savez(file, x=np.array([[4, 5, 499]] * count, dtype=object if name == "reuters" else float), y=np.zeros(count))
        monkeypatch.setattr(getattr(sources, name), "get_file", lambda *_, file=file, **__: str(file))
    for call, share in itertools.product(CALLS, SHARES):
        text = call.format(share=share)
        (x, y), (u, v) = eval(text, {name: getattr(datasets, name) for name in ROWS})
        assert rows(loaded(text)) == tuple(map(len, (x, y, u, v))), text
