"""Limits of element types are those that torch and numpy tell."""

from __future__ import annotations

from typing import Final

import pytest

from dllint.domains.lattice import Unknown
from tests.lower.tracing import values

START: Final = "import numpy as np\nimport torch\n\nx, y = torch.zeros(3).half(), np.zeros(3)\n"
FLOATS: Final = (
    "np.finfo(np.float32)",
    "np.finfo(float)",
    "np.finfo('float16')",
    "np.finfo(y.dtype)",
    "torch.finfo(torch.bfloat16)",
    "torch.finfo(x.dtype)",
    "torch.finfo()",
)
INTEGERS: Final = ("np.iinfo(np.int32)", "np.iinfo('uint8')", "torch.iinfo(torch.int64)")
ASKED: Final = [
    *((info, name) for info in FLOATS for name in ("max", "min", "eps", "tiny", "smallest_normal", "bits")),
    *((info, name) for info in INTEGERS for name in ("max", "min", "bits")),
]


@pytest.mark.parametrize(("info", "name"), ASKED)
def test_a_limit_is_that_of_the_library(info: str, name: str) -> None:
    text, real = f"{START}out = {info}.{name}\n", {}
    exec(text, real)
    assert float(values(text)["out"]) == float(real["out"])


def test_limits_of_a_type_that_is_not_known_are_not_told() -> None:
    found = values(f"{START}from parts import kind\n\nout, other = np.finfo(kind).max, np.finfo(kind).dtype\n")
    assert isinstance(found["out"], Unknown)
    assert isinstance(found["other"], Unknown)
