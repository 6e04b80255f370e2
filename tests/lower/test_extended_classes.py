"""A decorator or metaclass that is not followed may give a class more than its body says: what its objects are asked for is
not missing, and what comes after that is checked."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rules.harness import findings

PROGRAM = """
import torch
from torch import nn
import elsewhere, flax
from elsewhere import record, Meta

class Own(type):
    def __new__(cls, name, bases, body):
        return super().__new__(cls, name, bases, elsewhere.more(body))

{decorator}
class Base{metaclass}:
    size: int

class Derived(Base):
    pass

def main():
    subject = {made}
    {asked}
    return nn.Linear(4, 3)(torch.zeros(2, {width}))
"""
#: A decorator and a metaclass, of which one gives more.
EXTENDED = (
    ("@record", ""), ("@elsewhere.record(frozen=True)", ""), ("@flax.struct.dataclass", ""),
    ("@elsewhere.REGISTRY.register()", ""), ("", "(metaclass=Meta)"), ("", "(metaclass=elsewhere.Meta)"),
    ("", "(metaclass=Own)"),
)  # fmt: skip
MADE = ("Base()", "Derived()")
#: What raises if there is no such attribute.
ASKED = ("subject = subject.replace(size=3)", "subject.replace", "size = subject.parts[0]", "getattr(subject, 'replace')()")


def errors(**parts: object) -> list[str]:
    return [finding.code for finding in findings(PROGRAM.format(**parts)) if finding.severity.value == "error"]


@pytest.mark.parametrize(("decorator", "metaclass"), EXTENDED)
def test_what_follows_is_checked(decorator, metaclass):
    for made, asked in product(MADE, ASKED):
        parts = {"decorator": decorator, "metaclass": metaclass, "made": made, "asked": asked}
        assert errors(width=5, **parts) == ["DLT101"], parts
        assert errors(width=4, **parts) == [], parts


@pytest.mark.parametrize(("decorator", "metaclass"), EXTENDED)
def test_whether_it_has_an_attribute_stays_open(decorator, metaclass):
    asked = "width = 4 if hasattr(subject, 'replace') else 5"
    for made in MADE:
        assert errors(decorator=decorator, metaclass=metaclass, made=made, asked=asked, width="width") == []


@pytest.mark.parametrize("decorator", ["", "@nothing"])
@pytest.mark.parametrize("made", MADE)
def test_a_class_that_is_known_lacks_what_nothing_gives_it(decorator, made):
    known = f"def nothing(cls):\n    return cls\n\n{decorator}"
    asked = "width = 4 if hasattr(subject, 'replace') else 5"
    assert errors(decorator=known, metaclass="", made=made, asked=asked, width="width") == ["DLT101"]
