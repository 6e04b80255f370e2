"""What a module computes of a name that it binds again is what the name held there, whichever name is asked for first."""

from __future__ import annotations

import itertools
import random
import runpy

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.source.rebinding import in_order

#: Statements that go on from what {n} holds.
STEPS = ("{n} += {k}", "{n} = {n} + {k}", "{n}: int = {n} + {k}", "{n} = sum([{n}, {k}])", "{n}, _ = {n} + {k}, 0")
#: Statements that keep in {v} what {n} holds.
KEEPS = (
    "{v} = {n}",
    "{v} = {n} + 0",
    "{v} = next(iter([{n}]))",
    "{v}, {n} = {n}, {n} + 1",
    "{v} = {n}; {n} += 1",
    "if {n} >= 0:\n    {v} = {n}",
    "class {v}_:\n    place = {n}\n\n\n{v} = {v}_.place",
    "def {v}_(place={n}):\n    return place\n\n\n{v} = {v}_()",
)
WAYS = {
    "star": ("from {module} import *", "{name}"),
    "names": ("from {module} import {names}", "{name}"),
    "module": ("import {module}", "{module}.{name}"),
    "alias": ("import {module} as constants", "constants.{name}"),
}


def _module(seed: int) -> tuple[str, list[str]]:
    """A module of places counted with one or two counters, and their names."""
    drawn = random.Random(seed)
    counters = [["INDEX"], ["OFFSET", "PLACE"]][seed % 2]
    lines = [f"{counter} = {drawn.randint(0, 2)}" for counter in counters]
    places = []
    for number in range(drawn.randint(3, 6)):
        counter = drawn.choice(counters)
        places.append(f"PLACE_{number}")
        lines.append(drawn.choice(KEEPS).format(v=places[-1], n=counter))
        lines.append(drawn.choice(STEPS).format(n=counter, k=drawn.randint(1, 5)))
    lines.append(f"LENGTH = {' + '.join(counters)}")
    return "\n".join(lines) + "\n", places


def _use(way: str, names: list[str], lines: list[str]) -> str:
    imported, name = WAYS[way]
    given = {found: name.format(module="places", name=found) for found in names}
    body = "\n".join(line.format(**given) for line in lines)
    return f"import torch\n{imported.format(module='places', names=', '.join(names))}\n\n{body}\n"


def _found(folder, text: str) -> list[str]:
    (folder / "use.py").write_text(text)
    result = Session(Configuration(isolated=True)).check_bytes(folder / "use.py", text.encode())
    return [finding.code for finding in result.findings]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", range(12))
def test_each_place_is_what_it_was(tmp_path, seed, way):
    text, places = _module(seed)
    (tmp_path / "places.py").write_text(text)
    real = runpy.run_path(str(tmp_path / "places.py"))
    asked = [*places, "LENGTH"]
    random.Random(seed).shuffle(asked)
    right = [f"torch.zeros({real[name]}) + torch.zeros({{{name}}})" for name in asked if real[name] > 1]
    wrong = [f"torch.zeros({real[name] + 2}) + torch.zeros({{{name}}})" for name in asked if real[name] > 1]
    assert _found(tmp_path, _use(way, asked, right)) == [], text
    for line in wrong:
        assert _found(tmp_path, _use(way, asked, [line])) == ["DLT109"], text + line


def test_only_what_is_read_in_between_is_executed_together():
    statements = [
        ("a", ""),
        ("b", "a"),
        ("a", "a"),
        ("c", "a"),
        ("d", ""),
        ("d", ""),
        ("e", "d"),
        ("f", ""),
        ("f", "f"),
        ("h", "h"),
    ]
    assert in_order([bound for bound, _ in statements], [read for _, read in statements]) == dict.fromkeys((0, 1, 2), (0, 1, 2))


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_groups_that_share_a_statement_are_one(order):
    pairs = [(("a", "b"), ()), (("x",), ("a",)), (("a",), ("a",)), (("y",), ("b",)), (("b",), ("b",)), (("z",), ())]
    renamed = dict(zip("abc", (("a", "b", "c")[number] for number in order), strict=True))
    bound = [tuple(renamed.get(name, name) for name in names) for names, _ in pairs]
    read = [tuple(renamed.get(name, name) for name in names) for _, names in pairs]
    assert in_order(bound, read) == dict.fromkeys(range(5), (0, 1, 2, 3, 4))
