"""``getattr`` with a default raises nothing: what comes after it is checked, whatever it is asked of, and the default is given
for the objects that lack the attribute only."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

PROGRAM = """
import torch
from torch import nn

class Part(nn.Module):
    wide = 5
    def __init__(self):
        super().__init__()
        self.own = 5

class Other(nn.Module):
    pass

def main(flag: bool):
    subject = {subject}
    width = getattr(subject, {name!r}, {default})
    return nn.Linear(4, 3)(torch.zeros(2, {width}))
"""
#: What it is asked of, and which of the attributes that has in every case.
SUBJECTS = {
    "None": (), "Part()": ("own", "wide"), "Other()": (), "nn.ReLU()": (),
    "Part() if flag else None": (), "None if flag else Other()": (), "Other() if flag else nn.ReLU()": (),
    "[Part(), None, Other()][flag]": (), "getattr(Other(), 'head', None)": (),
    "getattr(Part(), 'own', None) and Part()": ("own", "wide"),
}  # fmt: skip
NAMES = ("own", "wide", "absent")


def errors(**parts: object) -> list[str]:
    return [finding.code for finding in findings(PROGRAM.format(**parts)) if finding.severity.value == "error"]


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("name", NAMES)
def test_what_follows_is_checked(subject, name):
    assert errors(subject=subject, name=name, default=4, width=5) == ["DLT101"]
    assert errors(subject=subject, name=name, default=4, width=4) == []


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("name", NAMES)
def test_the_default_stands_for_what_is_missing_only(subject, name):
    found = errors(subject=subject, name=name, default=4, width="width")
    if name in SUBJECTS[subject]:
        assert found == ["DLT101"]
    elif "Part()" not in subject or name == "absent":
        assert found == []
