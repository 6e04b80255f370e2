"""Keras code without its imports."""

from pathlib import Path

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.source.fragment import binds, is_keras_fragment

CELL = """
model = Sequential()
model.add(Dense(8, activation="relu", input_shape=(4,)))
model.add(Dense(1, activation="softmax"))
model.compile(loss="binary_crossentropy", optimizer=Adam(), metrics=["accuracy"])
model.fit(np.zeros((10, 4)), y, epochs=5)
"""


def codes(text: str) -> list[str]:
    session = Session(Configuration(isolated=True, overrides={}))
    return [f.code for f in session.check_bytes(Path("/snippet/cell.py"), text.encode()).findings]


def test_bare_names_of_keras_are_those_of_keras() -> None:
    assert codes(CELL) == ["DLL106"]


def test_a_star_import_of_an_unknown_module_may_give_them() -> None:
    assert codes("from project.layers import *\n" + CELL) == ["DLL106"]


def test_the_data_of_a_fragment_are_seen() -> None:
    assert codes(CELL.replace('"softmax"', '"sigmoid"').replace("(10, 4)", "(10, 5)")) == ["DLT110"]


def test_names_that_the_file_defines_are_its_own() -> None:
    own = "def Dense(units, **options):\n    return object()\n"
    assert codes(own + CELL) == []
    assert codes(CELL + own) == []


def test_another_library_in_the_text_makes_no_fragment() -> None:
    assert is_keras_fragment(CELL)
    assert not is_keras_fragment("import torch\n" + CELL)
    assert not is_keras_fragment("Dense(3)\n")


def test_binding_lines() -> None:
    assert binds("from a import b, Dense\n", "Dense")
    assert binds("x, Dense = 1, 2\n", "Dense")
    assert not binds("y = Dense(3)\nz = Dense == y\n", "Dense")
