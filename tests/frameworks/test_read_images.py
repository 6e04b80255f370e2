"""Images that torchvision reads: the channels that a mode asks for, as its documentation says."""

from __future__ import annotations

import pytest

from dllint.ir.program import TensorVal
from tests.frameworks.library_programs import assert_known, inferred

HEAD = "from torchvision.io import ImageReadMode, read_image\n"
CHANNELS = {"GRAY": 1, "GRAY_ALPHA": 2, "RGB": 3, "RGB_ALPHA": 4}


@pytest.mark.parametrize("mode", CHANNELS)
def test_a_mode_gives_its_channels(mode: str) -> None:
    for spelled in (f"ImageReadMode.{mode}", f"mode=ImageReadMode.{mode}"):
        out = inferred(f"{HEAD}out = read_image('a.png', {spelled})\n")
        assert_known(out, (CHANNELS[mode], None, None))
        assert isinstance(out, TensorVal)
        assert str(out.dtype) == "uint8"


@pytest.mark.parametrize("use", ["", ".float() / 255", ".contiguous()"])
def test_without_one_the_file_says_how_many(use: str) -> None:
    assert_known(inferred(f"{HEAD}out = read_image('a.png'){use}\n"), (None, None, None))
