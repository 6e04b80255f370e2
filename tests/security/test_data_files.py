"""Data files of a checkout: what is made to cost much is not read, nothing is constructed, and nothing lies outside."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from dllint.source.data import formats
from dllint.source.data.plain import LARGEST, Opaque, Plain
from dllint.source.workspace import Workspace
from tests.source.test_data_files import is_known


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
    return Workspace([root, root / "src"]).data(root / script, name, "json").data


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
