"""What the probes note of an object says nothing about the next one that gets its ``id``."""

from __future__ import annotations

import gc

import pytest

from dllint.diagnose.identity import IdentityMap
from dllint.diagnose.probes.patching import _Original


class Thing:
    """An object of which others are made at once in the same memory."""


def test_the_next_object_with_an_id_is_another_one():
    known: IdentityMap[Thing, int] = IdentityMap()
    ids = set()
    for number in range(50):
        thing = Thing()
        ids.add(id(thing))
        assert thing not in known
        assert known.first(thing) is None
        known[thing] = number
        assert known.first(Thing(), thing) == number
        del thing
        gc.collect(0)
    assert len(ids) < 50, "no id has come again: the test shows nothing"
    assert not list(known.items())


class StrictError(Exception):
    """An error whose attributes cannot be set."""

    def __setattr__(self, name, value):
        raise TypeError(name)


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, StrictError])
def test_an_error_is_known_as_that_of_a_call(kind):
    def fail():
        raise kind

    call, other = _Original(fail), _Original(fail)

    def observe():
        try:
            call()
        except kind as error:
            raise RuntimeError from error

    with pytest.raises(RuntimeError) as caught:
        observe()
    assert call.own(caught.value) is caught.value.__cause__
    assert other.own(caught.value) is None
    del caught
    assert not any(call.own(kind()) for _ in range(50))
