"""The classes of events: one per kind, immutable, with a type for each field."""

from __future__ import annotations

import dataclasses
import typing

import libcst as cst
import pytest

from dllint.analysis.facts import Facts
from dllint.ir import events
from dllint.ir.program import Event, Program, Site

CLASSES = [
    value for value in vars(events).values() if isinstance(value, type) and issubclass(value, Event) and value is not Event
]
KINDS = [cls for cls in CLASSES if not any(below in CLASSES for below in cls.__subclasses__())]
ENTERED = {"cst": cst, "Nodes": typing.Mapping[str, cst.CSTNode]}
NOWHERE = Site(None, None, None)


def stated(cls: type[Event]) -> dict[str, object]:
    """The fields that whoever makes an event states, with their types."""
    hints = typing.get_type_hints(cls, {**vars(events), **ENTERED})
    own = {field.name for field in dataclasses.fields(Event)}
    return {field.name: hints[field.name] for field in dataclasses.fields(cls) if field.name not in own}


def made(cls: type[Event]) -> Event:
    return cls(NOWHERE, **dict.fromkeys(stated(cls)))


def test_every_kind_has_a_name_of_its_own():
    assert len({cls.kind for cls in KINDS}) == len(KINDS) > 20


@pytest.mark.parametrize("cls", KINDS, ids=lambda cls: cls.kind)
def test_an_event_cannot_be_changed(cls):
    event = made(cls)
    for name in ("site", "path", *stated(cls)):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(event, name, None)
    assert not hasattr(event, "__dict__")


@pytest.mark.parametrize("cls", KINDS, ids=lambda cls: cls.kind)
def test_what_an_event_tells_is_stated_by_name(cls):
    values = stated(cls)
    assert values
    with pytest.raises(TypeError):
        cls(NOWHERE, (), "", None, *values)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_no_field_takes_everything(cls):
    def parts(hint: object) -> set[object]:
        return {hint}.union(*map(parts, typing.get_args(hint))) if not isinstance(hint, list) else set()

    top = {typing.Any, object, dict}
    assert [name for name, hint in stated(cls).items() if parts(hint) & top] == []


@pytest.mark.parametrize("cls", KINDS, ids=lambda cls: cls.kind)
def test_facts_give_the_events_of_one_kind(cls):
    program = Program("<module>", [made(kind) for kind in (*KINDS, cls)])
    assert Facts(program).events(cls) == [event for event in program.events if type(event) is cls]


@pytest.mark.parametrize("cls", [cls for cls in CLASSES if cls not in KINDS], ids=lambda cls: cls.__name__)
def test_what_several_kinds_share_is_no_kind(cls):
    with pytest.raises(AttributeError):
        Facts(Program("<module>")).events(cls)
