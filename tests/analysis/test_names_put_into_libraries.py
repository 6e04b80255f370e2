"""What a file puts into a library itself is there, whatever the release."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings


@pytest.mark.parametrize("name", ["dtype", "ndim", "int_shape"])
@pytest.mark.parametrize(("imported", "used"), [("from keras import backend as K", "K"), ("import keras", "keras.backend")])
@pytest.mark.parametrize("where", ["", "if True:\n    "])
def test_an_assigned_name_is_not_gone(name: str, imported: str, used: str, where: str) -> None:
    text = f"{imported}\n\n\ndef own(x):\n    return x\n\n\n{where}{used}.{name} = own\nprint({used}.{name}(3))\n"
    assert not any(finding.code == "DLA102" for finding in findings(text, today=True))
    without = text.replace(f"{where}{used}.{name} = own\n", "")
    assert any(finding.code == "DLA102" for finding in findings(without, today=True))
