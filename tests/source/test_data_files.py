"""Data files are read as PyYAML, json and tomllib read them, within limits; nothing that a checkout holds is constructed."""

from __future__ import annotations

import json
import os
import time
import tomllib
from pathlib import Path
from random import Random

import pytest
import yaml

from dllint.source.data import formats
from dllint.source.data.plain import LARGEST, Opaque, Plain, UnreadableError
from dllint.source.workspace import Workspace

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


def _bomb(levels: int, width: int) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * width)}]" for n in range(1, levels)]
    return "\n".join(lines)


def _merges(levels: int) -> str:
    lines = ["a0: &a0 {" + ", ".join(f"k{n}: 1" for n in range(50)) + "}"]
    lines += [f"a{n}: &a{n} {{<<: *a{n - 1}, m{n}: *a{n - 1}}}" for n in range(1, levels)]
    return "\n".join(lines)


HOSTILE = {
    "aliases": ("yaml", _bomb(9, 9)),
    "merges": ("yaml", _merges(400)),
    "itself": ("yaml", "a: &a [*a]"),
    "deep flow": ("yaml", "[" * 50_000),
    "deep blocks": ("yaml", "- " * 20_000),
    "long number": ("yaml", f"a: {'9' * 100_000}"),
    "sixties": ("yaml", f"a: {'1:' * 50_000}1"),
    "many": ("yaml", "[" + "1," * 30_000 + "]"),
    "documents": ("yaml", "a: 1\n---\nb: 2\n"),
    "key of a mapping": ("yaml", "? {a: 1}\n: 2\n"),
    "deep json": ("json", "[" * 100_000 + "]" * 100_000),
    "deep objects": ("json", '{"a":' * 100_000),
    "many numbers": ("json", "[" + "1," * 30_000 + "1]"),
    "long integer": ("json", "9" * 100_000),
    "deep toml": ("toml", "a = " + "[" * 50_000),
    "long key": ("toml", ".".join("a" * 5_000) + " = 1"),
    "no text": ("toml", "= = ="),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_is_made_to_cost_much_is_not_read(kind):
    form, text = HOSTILE[kind]
    began = time.process_time()
    assert not is_known(form, text)
    assert time.process_time() - began < 2


@pytest.mark.parametrize("tag", ["!!python/object/apply:os.system", "!!python/name:os.system", "!include", "!!binary", "!!set"])
def test_nothing_is_constructed(tag, tmp_path):
    trace = tmp_path / "trace"
    data = formats.from_yaml(f"a: {tag} ['touch {trace}']\nb: {tag} 'touch {trace}'\nc: 1\n")
    assert isinstance(data, dict)
    assert [isinstance(data[key], Opaque) for key in "abc"] == [True, True, False]
    assert not trace.exists()


@pytest.fixture
def project(tmp_path) -> Path:
    (tmp_path / "outside.json").write_text('{"n": 1}')
    root = tmp_path / "project"
    (root / "src" / "deep").mkdir(parents=True)
    return root


def _found(root: Path, name: str, script: str = "src/deep/train.py") -> Plain:
    return Workspace([root]).data(root / script, name, "json").data


PLACES = (".", "src", "src/deep")


@pytest.mark.parametrize("place", PLACES)
def test_a_relative_path_may_start_anywhere_up_to_the_root(project, place):
    (project / place / "sizes.json").write_text('{"n": 4}')
    assert _found(project, "sizes.json") == {"n": 4}
    assert _found(project, "./x/../sizes.json") == {"n": 4}
    assert _found(project, str(project / place / "sizes.json")) == {"n": 4}
    for other in PLACES:  # which one is meant is not known if they differ
        (project / other / "sizes.json").write_text('{"n": 4}')
    assert _found(project, "sizes.json") == {"n": 4}
    (project / "src" / "sizes.json").write_text('{"n": 5}')
    assert _found(project, "sizes.json") is None


def test_what_lies_outside_is_not_read(project):
    outside = project.parent / "outside.json"
    (project / "link.json").symlink_to(outside)
    (project / "src" / "folder").symlink_to(project.parent)
    for name in ("../outside.json", "../../../outside.json", str(outside), "link.json", "folder/outside.json", "a\0b.json", ""):
        assert _found(project, name) is None
    inside = project / "real.json"
    inside.write_text('{"n": 2}')
    (project / "inner.json").symlink_to(inside)
    assert _found(project, "inner.json") == {"n": 2}


def test_what_is_no_small_file_is_not_read(project):
    os.mkfifo(project / "pipe.json")
    (project / "folder.json").mkdir()
    with (project / "large.json").open("wb") as file:
        file.truncate(2**40)
    (project / "longer.json").write_text("[" + " " * LARGEST + "]")
    (project / "latin.json").write_bytes(b'{"n": "\xe9"}')
    (project / "loop.json").symlink_to("loop.json")
    for name in ("pipe", "folder", "large", "longer", "latin", "loop"):
        assert _found(project, f"{name}.json") is None
