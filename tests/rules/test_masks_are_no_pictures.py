"""DLN109 is silent about masks of 0 and 255, which a division leaves as 0 and 1, and is not sure where only a name says so."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

_PROGRAM = """
import numpy as np
import torch
from keras.utils import img_to_array, load_img

grey = img_to_array(load_img("a.png", color_mode="grayscale"))
{made}
{divided}
"""

#: What makes a mask.
_MASKS = {
    "choice": "{name} = np.where(grey > 100, 255, 0)",
    "choice as bytes": "{name} = np.where(grey >= 100, 255, 0).astype(np.uint8)",
    "comparison": "{name} = (grey > 100) * 255",
    "comparison as bytes": "{name} = (grey > 100).astype(np.uint8) * 255",
    "both": "{name} = np.logical_and(grey > 100, grey < 200) * 255.0",
    "bits": "{name} = ((grey > 100) & (grey < 200)) * 255",
    "of a tensor": "{name} = (torch.from_numpy(grey) > 100).float() * 255",
    "chosen, then moved": "{name} = np.where(grey > 100, 255, 0).reshape(-1)[:20]",
    "compared later": "{name} = grey\nassert ({name} > 127).any()",
}


def _severities(made: str, name: str, cast: str = "({name} / 255).astype(int)") -> list[str]:
    text = _PROGRAM.format(made=made.format(name=name), divided=f"out = {cast.format(name=name)}")
    return [finding.severity.value for finding in findings(text) if finding.code == "DLN109"]


@pytest.mark.parametrize("form", _MASKS)
@pytest.mark.parametrize("name", ["x", "mask"])
def test_masks(form: str, name: str) -> None:
    cast = "({name} / 255).long()" if form == "of a tensor" else "({name} / 255).astype(int)"
    assert _severities(_MASKS[form], name, cast) == []


@pytest.mark.parametrize(
    ("name", "severity"),
    [
        ("x", "warning"),
        ("image", "warning"),
        ("binary_mask", "info"),
        ("gt", "info"),
        ("label_image", "info"),
        ("weight", "warning"),
    ],
)
@pytest.mark.parametrize(
    "cast", ["({name} / 255).astype(int)", "({name} / 255.0).astype(np.uint8)", "({name} / 255)[None].astype('int64')"]
)
def test_names_are_weak_evidence(name: str, severity: str, cast: str) -> None:
    """What is read from a file is any picture."""
    assert _severities("{name} = grey", name, cast) == [severity]


@pytest.mark.parametrize("given", ["x", "image", "predicted"])
def test_what_callers_give_may_be_a_mask(given: str) -> None:
    text = f"import numpy as np\n\n\ndef score({given}):\n    part = np.asarray({given}) / 255\n    return part.astype(int)\n"
    assert {finding.severity.value for finding in findings(text) if finding.code == "DLN109"} == {"info"}


@pytest.mark.parametrize(
    ("made", "severity"),
    [("{name} = np.random.randint(0, 10, 100)", "error"), ("{name} = np.where(grey > 100, grey, 0)", "info")],
)
@pytest.mark.parametrize("name", ["x", "image"])
def test_what_is_no_mask(made: str, severity: str, name: str) -> None:
    assert _severities(made, name) == [severity]
