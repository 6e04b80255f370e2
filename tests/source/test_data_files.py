"""Data files are read as PyYAML, json and tomllib read them, within limits; nothing that a checkout holds is constructed."""

from __future__ import annotations

import json
import sys
import tomllib
from random import Random

import pytest
import yaml

from dllint.source.data import formats
from dllint.source.data.plain import Opaque, Plain, UnreadableError

#: Scalars as they may be written, whatever they mean.
SCALARS = (
    "1", "-3", "+7", "0x1f", "0b101", "017", "1_000", "1:30", "1.5", "1e3", "1.0e+3", "1e-3", "-.5", ".inf", "yes", "No", "on",
    "true", "TRUE", "null", "~", "''", "'1'", '"a b"', "text", "two words", "a#b", "1.2.3", "=", "<<x", "!!str 12",
    "!!int '3'", "!!float 2", "|\n    one\n    two", ">-\n    one\n    two",
)  # fmt: skip


def a_yaml(random: Random, depth: int = 0) -> str:
    """The text of a random YAML value, in block or flow style."""
    kind = random.random()
    if depth > 3 or kind < 0.45:
        return random.choice(SCALARS) if depth < 2 else random.choice(SCALARS[:28])
    if kind < 0.6:
        return "[" + ", ".join(random.choice(SCALARS[:28]) for _ in range(random.randrange(4))) + "]"
    pad = "  " * (depth + 1)
    if kind < 0.75:
        return "".join(f"\n{pad}- {a_yaml(random, depth + 3)}" for _ in range(random.randrange(1, 4)))
    return "".join(f"\n{pad}k{number}: {a_yaml(random, depth + 1)}" for number in range(random.randrange(1, 5)))


def same(own: Plain, real: object) -> bool:
    """Whether our data is what the library gave: equal values of equal types, what is opaque aside."""
    if isinstance(own, Opaque):
        return True
    if isinstance(own, dict):
        return isinstance(real, dict) and own.keys() == real.keys() and all(same(v, real[k]) for k, v in own.items())
    if isinstance(own, list):
        return isinstance(real, list) and len(own) == len(real) and all(map(same, own, real))
    return type(own) is type(real) and (own == real or own != own)


def is_known(form: str, text: str) -> bool:
    """Whether everything in a text is plain data for us."""
    try:
        todo = [formats.READERS[form](text)]
    except UnreadableError:
        return False
    while todo:
        part = todo.pop()
        if isinstance(part, Opaque):
            return False
        todo += part if isinstance(part, list) else part.values() if isinstance(part, dict) else ()
    return True


@pytest.mark.parametrize("seed", range(12))
def test_yaml_is_what_pyyaml_reads(seed):
    random, read = Random(seed), 0
    for _ in range(40):
        text = "".join(f"k{number}: {a_yaml(random)}\n" for number in range(4))
        if random.random() < 0.3:
            text = f"base: &base {{a: 1, b: [2]}}\n{text}more:\n  <<: *base\n  b: {random.choice(SCALARS[:20])}\nagain: *base\n"
        try:
            real = yaml.safe_load(text)
        except (yaml.YAMLError, ValueError):
            assert not is_known("yaml", text), text
            continue
        assert same(formats.from_yaml(text), real), text
        read += 1
    assert read > 10


def test_without_a_parser_there_is_no_yaml(monkeypatch):
    monkeypatch.setitem(sys.modules, "dllint.source.data.yaml_events", None)
    for read in (formats.from_yaml, formats.from_omegaconf):
        with pytest.raises(UnreadableError):
            read("a: 1\n")


def test_what_an_alias_stands_for_is_shared_and_merged():
    data = formats.from_yaml("a: &x {n: 1, m: 2}\nb: *x\nc: {<<: *x, m: 3}\nd: {<<: [{n: 5}, *x]}\n")
    assert isinstance(data, dict)
    assert data["a"] is data["b"]
    assert (data["c"], data["d"]) == ({"n": 1, "m": 3}, {"n": 5, "m": 2})


@pytest.mark.parametrize("seed", range(6))
def test_json_and_toml_are_what_the_standard_library_reads(seed):
    random = Random(seed)

    def value(depth: int) -> object:
        kind = random.randrange(8 if depth < 4 else 6)
        if kind == 6:
            return [value(depth + 1) for _ in range(random.randrange(4))]
        if kind == 7:
            return {random.choice("abc{]") + str(n): value(depth + 1) for n in range(random.randrange(4))}
        return random.choice((1, -2, 1.5, "x[", 'q"{', True, False))

    data = {f"k{n}": value(0) for n in range(6)}
    assert same(formats.from_json(json.dumps(data, indent=random.choice((None, 2)))), data)
    flat = {key: inner for key, inner in data.items() if not isinstance(inner, (dict, list))}
    text = "".join(f"{key} = {json.dumps(inner)}\n" for key, inner in flat.items()) + "[t]\nday = 2020-01-01\nn = [1, [2]]\n"
    assert same(formats.from_toml(text), tomllib.loads(text))
