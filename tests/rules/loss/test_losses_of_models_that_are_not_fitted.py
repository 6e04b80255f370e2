"""A squared error of a softmax is information where the program uses the model that it compiles and trains it nowhere."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Final

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.finding import Severity

START: Final = (
    "import numpy as np\nfrom keras import Input, Sequential\nfrom keras.layers import Dense\nfrom parts import run\n\n"
)
BUILT: Final = (
    "def build():\n    net = Sequential([Input((8,)), Dense(1, activation='softmax')])\n"
    "    net.compile('adam', loss={loss})\n    return net\n\n\nnet = build()\n"
)
LOSSES: Final = ("'mse'", "'mean_absolute_error'")
USES: Final = {
    "": Severity.WARNING,
    "net.summary()": Severity.WARNING,
    "net.load_weights('net.h5')": Severity.INFO,
    "print(net.predict(np.ones((9, 8))))": Severity.INFO,
    "net.load_weights('net.h5')\nnet.evaluate(np.ones((9, 8)), np.ones((9, 1)))": Severity.INFO,
    "net.load_weights('net.h5')\nnet.fit(np.ones((9, 8)), np.ones((9, 1)))": Severity.WARNING,
    "net.load_weights('net.h5')\nrun(net)": Severity.WARNING,
    "net.fit(np.ones((9, 8)), np.ones((9, 1)))": Severity.WARNING,
    "net.train_on_batch(np.ones((9, 8)), np.ones((9, 1)))": Severity.WARNING,
    "run(net)": Severity.WARNING,
}


@pytest.mark.parametrize(("loss", "use"), list(product(LOSSES, USES)))
def test_severity(loss: str, use: str, tmp_path: Path) -> None:
    path = tmp_path / "main.py"
    path.write_text(START + BUILT.format(loss=loss) + use + "\n")
    session = Session(Configuration(isolated=True, overrides={"select": ("DLL111",)}))
    assert [finding.severity for finding in session.check_file(path).findings] == [USES[use]]
