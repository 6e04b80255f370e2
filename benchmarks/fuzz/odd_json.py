"""Mutations of data: values that are lost, of another kind, repeated, or elsewhere."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from random import Random
from typing import Any, Final

_ODD: Final[tuple[Any, ...]] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    2**31,
    2**63,
    -(2**70),
    1.5,
    1e308,
    float("nan"),
    float("inf"),
    "",
    "x",
    "\0",
    "\ud800",
    "-1",
    "é" * 50,
    [],
    {},
    [[]],
    [None],
    {"": None},
    {"a": {"a": {"a": 1}}},
    [1, "a", None, {}],
    ["x = 1\n", 3],
    "a" * 5000,
    list(range(300)),
)


def mutated(value: Any, random: Random, times: int = 1) -> Any:
    """A value with some parts changed."""
    whole = [copy.deepcopy(value)]
    for _ in range(times):
        places = list(_places(whole))
        holder, key = random.choice(places)
        way = random.randrange(6)
        if way == 0 and holder is not whole:
            del holder[key]
        elif way == 1:
            other, there = random.choice(places)
            holder[key] = copy.deepcopy(other[there])
        elif way == 2 and isinstance(holder, list) and holder is not whole:
            holder.insert(key, copy.deepcopy(holder[key]))
        elif way == 3 and isinstance(holder, dict):
            holder[random.choice(("", "x", key + "x", "cells", "metadata", "source"))] = holder.pop(key)
        elif way == 4:
            holder[key] = random.choice(([holder[key]], {"x": holder[key]}, str(holder[key])[:10_000]))
        else:
            holder[key] = copy.deepcopy(random.choice(_ODD))
    return whole[0]


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, dict):
        for key in value:
            yield value, key
        for part in list(value.values()):
            yield from _places(part)
    elif isinstance(value, list):
        for number in range(len(value)):
            yield value, number
        for part in value:
            yield from _places(part)


def dumped(value: Any) -> bytes:
    """The value as JSON, with what JSON has no words for as Python writes it."""
    return json.dumps(value, indent=1).encode("utf-8", "surrogatepass")


def damaged(data: bytes, random: Random) -> bytes:
    """Bytes of which a few are flipped, lost, repeated or others'."""
    out = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 4, 10))):
        at = random.randrange(len(out) + 1)
        way = random.randrange(5)
        if way == 0 and at < len(out):
            out[at] ^= 1 << random.randrange(8)
        elif way == 1:
            del out[at : at + random.choice((1, 3, 20, 500))]
        elif way == 2:
            out[at:at] = bytes(random.randrange(256) for _ in range(random.choice((1, 4, 30))))
        elif way == 3:
            start = random.randrange(len(out) + 1)
            out[at:at] = out[start : start + random.randrange(64)]
        elif random.random() < 0.3:
            del out[at:]
    return bytes(out)
