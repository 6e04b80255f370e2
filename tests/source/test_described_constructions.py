"""Constructions in configuration files: by the name of the class, or by keys that are just its parameters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dllint.source.data.described import Descriptions
from dllint.source.observed import observing, state_of

PARAMETERS = ("width", "depth", "rates", "bias")
NEEDED = ("width", "depth")
ARGUMENTS = {"width": 7, "depth": 2}
#: Contents that describe the class, and what they give.
DESCRIBING = {
    "hydra": {"model": {"_target_": "pkg.net.Net", **ARGUMENTS, "optimizer": {"lr": 1}}},
    "lightning": {"model": {"class_path": "pkg.net.Net", "init_args": ARGUMENTS}},
    "target and params": {"model": {"target": "pkg.Net", "params": {**ARGUMENTS, "other": 3}}},
    "type and kwargs": {"nets": [{"type": "Other"}, {"type": "Net", "kwargs": ARGUMENTS}]},
    "name beside": {"model": {"name": "Net", **ARGUMENTS}},
    "under its name": {"Net": {**ARGUMENTS, "unknown": 1}},
    "just its parameters": {"deep": {"model": {**ARGUMENTS}}},
    "parameters and a name": {"model": {"name": "my-net", **ARGUMENTS}},
}
NOT_DESCRIBING = {
    "another class": {"model": {"_target_": "pkg.net.Other", **ARGUMENTS}},
    "a needed one missing": {"model": {"width": 7, "bias": True}},
    "other keys": {"model": {**ARGUMENTS, "lr": 0.1}},
    "no mapping": [1, 2, {"Net": 3}],
    "no values": {"Net": {"width": {"a": 1}, "depth": "${depth}"}},
}
PLACES = ("config.json", "pkg/net.yaml", "configs/a.yml", "conf/model/a.yaml", "pkg/config/x.json")


def found(root: Path) -> dict[str, object]:
    return Descriptions().of(root / "pkg" / "net.py", "Net", PARAMETERS, NEEDED, root)


def write(root: Path, place: str, content: object) -> None:
    (root / place).parent.mkdir(parents=True, exist_ok=True)
    (root / place).write_text(content if isinstance(content, str) else json.dumps(content))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", DESCRIBING)
def test_what_describes_a_construction(kind, place, tmp_path):
    (tmp_path / "pkg").mkdir()
    write(tmp_path, place, DESCRIBING[kind])
    assert found(tmp_path) == ARGUMENTS


@pytest.mark.parametrize("kind", NOT_DESCRIBING)
def test_what_describes_none(kind, tmp_path):
    (tmp_path / "pkg").mkdir()
    write(tmp_path, "config.json", NOT_DESCRIBING[kind])
    write(tmp_path, "other/config.json", DESCRIBING["hydra"])
    write(tmp_path, "broken.yaml", "Net: [")
    (tmp_path / "linked.yaml").symlink_to(tmp_path / "other" / "config.json")
    assert found(tmp_path) == {}


def test_what_names_the_class_counts_before_what_has_its_parameters(tmp_path):
    (tmp_path / "pkg").mkdir()
    write(tmp_path, "a.yaml", {"model": {"width": 1, "depth": 1}})
    write(tmp_path, "b.yaml", {"_target_": "pkg.net.Net", "rates": [0.1, 2], "bias": None})
    assert found(tmp_path) == {"rates": [0.1, 2], "bias": None}


@pytest.mark.parametrize("place", PLACES)
def test_where_is_looked_is_told(place, tmp_path):
    (tmp_path / "pkg").mkdir()
    with observing() as looked_at:
        found(tmp_path)
    before = {one: state_of(one).digest for one in looked_at.trees}
    write(tmp_path, "pkg/other.py", "x = 1\n")
    write(tmp_path, "elsewhere/a.yaml", "a: 1\n")
    assert {one: state_of(one).digest for one in looked_at.trees} == before
    write(tmp_path, place, {"a": 1})
    assert {one: state_of(one).digest for one in looked_at.trees} != before


def test_many_and_large_files_cost_little(tmp_path):
    (tmp_path / "pkg").mkdir()
    with (tmp_path / "a.json").open("wb") as file:
        file.truncate(2**40)
    for number in range(150):
        write(
            tmp_path,
            f"configs/{number:03}.yaml",
            {"model": {"width": number, "depth": "${x}"}} if number < 149 else {"Net": ARGUMENTS},
        )
    assert found(tmp_path) == {"width": 0}
