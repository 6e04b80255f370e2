"""Strings that name nothing in Keras: whether the text defines or registers them itself is asked once a text, and anew after an
edit."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.analysis import identifiers
from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.source.document import Document

_HEAD = "import keras\nfrom keras import layers\n\n\n"
_OWN = {
    "function": "def {name}(x):\n    return x\n\n\n",
    "class": "class {name}:\n    pass\n\n\n",
    "scope": "scope = keras.saving.custom_object_scope({{'other': len}})\n\n\n",
    "decorator": "@keras.saving.register_keras_serializable()\nclass Other:\n    pass\n\n\n",
}


def _model(written: str, count: int) -> str:
    lines = [f"    x = layers.Dense({4 + number}, activation={written!r})(x)\n" for number in range(count)]
    return "def build():\n    x = keras.Input((8,))\n" + "".join(lines) + "    return x\n"


def _codes(session: Session, path: Path, document: Document) -> list[str]:
    return [finding.code for finding in session.analyser(path).analyse(document).findings if finding.code == "DLA105"]


@pytest.mark.parametrize("own", list(_OWN.values()), ids=list(_OWN))
@pytest.mark.parametrize("written", ["reluu", "swishh"])
def test_what_the_text_defines_counts_from_the_edit_on(tmp_path: Path, written: str, own: str) -> None:
    path = tmp_path / "model.py"
    session = Session(Configuration(isolated=True), remember=True)
    plain, defined = _HEAD + _model(written, 2), _HEAD + own.format(name=written) + _model(written, 2)
    path.write_text(plain)
    document = Document.from_text(path, plain)
    for text, expected in ((plain, 2), (defined, 0), (plain, 2)):
        document = document.edit(text)
        assert len(_codes(session, path, document)) == expected


def test_a_text_is_searched_once_for_all_its_layers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []
    search = identifiers._registers
    monkeypatch.setattr(identifiers, "_registers", lambda text: searched.append(text) or search(text))
    path = tmp_path / "model.py"
    text = _HEAD + _model("reluu", 20)
    path.write_text(text)
    found = _codes(Session(Configuration(isolated=True)), path, Document.from_text(path, text))
    assert (len(found), len(searched)) == (20, 1)
