"""Attributes that a class gives by ``__getattribute__`` and ``__getattr__``."""

from __future__ import annotations

import textwrap

import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.values import Value
from tests.lower.tracing import lower

#: Where the real attribute is asked for.
OVERRIDDEN = ("super()", "object", "super(Settings, self)")
#: Ways to give ``hidden`` the value of ``width``.
BODIES = (
    """
    if name != "names" and name in ASK("names"):
        name = ASK("names")[name]
    return ASK(name)
    """,
    """
    known = {"hidden": "width", "other": "depth"}
    return ASK(known.get(name, name))
    """,
    """
    if name == "hidden":
        return ASK("width")
    return ASK(name)
    """,
)


def asking(way: str) -> str:
    return "object.__getattribute__(self, {})" if way == "object" else way + ".__getattribute__({})"


def settings(body: str, way: str) -> str:
    """A class whose ``hidden`` is its ``width``."""
    text = textwrap.dedent(body)
    for argument in ('"names"', '"width"', "name", "known.get(name, name)"):
        text = text.replace(f"ASK({argument})", asking(way).format(argument))
    start = 'class Settings:\n    names = {"hidden": "width"}\n\n    def __init__(self, width):\n        self.width = width\n'
    return start + "    def __getattribute__(self, name):\n" + textwrap.indent(text, " " * 8)


def value(source: str) -> Value:
    return lower(source).module.attrs["v"]


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("way", OVERRIDDEN)
@pytest.mark.parametrize(
    "read",
    ["v = s.hidden", "v = getattr(s, 'hidden')", "v = getattr(s, 'hidden', 3)", "def get(x):\n    return x.hidden\nv = get(s)"],
)
def test_other_names_of_attributes_are_followed(body: str, way: str, read: str) -> None:
    assert value(f"{settings(body, way)}s = Settings(16)\n{read}\n") == 16


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("way", OVERRIDDEN)
def test_attributes_that_are_held_stay_what_they_are(body: str, way: str) -> None:
    assert value(f"{settings(body, way)}v = Settings(16).width\n") == 16


@pytest.mark.parametrize("way", OVERRIDDEN)
def test_a_missing_attribute_ends(way: str) -> None:
    assert isinstance(value(f"{settings(BODIES[0], way)}v = Settings(16).nothing\n"), Unknown)


@pytest.mark.parametrize("reader", ["__getattr__", "__getattribute__"])
def test_no_attribute_is_surely_missing(reader: str) -> None:
    source = f"from elsewhere import find\nclass Settings:\n    def {reader}(self, name):\n        return find(name)\n"
    source += "try:\n    Settings().width\n    v = 1\nexcept AttributeError:\n    v = 2\n"
    assert value(source) != 2


def test_the_second_reader_is_asked_where_there_is_one() -> None:
    source = (
        "class Settings:\n    def __getattr__(self, name):\n        return 7 if name == 'width' else 8\nv = Settings().width\n"
    )
    assert value(source) == 7
