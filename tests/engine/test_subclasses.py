"""A subclass of anything that the tables know, with a constructor of its own, may be used like its base: dllint raises nothing,
no operation fails, and what runs is not called an error."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from zlib import crc32

import pytest

from benchmarks.failing import says_that_it_fails
from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.lower.document import lower_document
from dllint.source.document import Document
from tests.engine.subclasses import BUILT, USES, functions, modelled, program, running

PATH = Path("/project/subclass.py")
#: How many of the uses each class is put to; which ones goes by its name, so that classes of one kind share them out, and so
#: does in which one of the ways it is built.
_USES = 2
_USES_OF_EVERY_CASE = 7
_PARTS = 8
#: Keras asks for the rank of an input only where a layer is called itself.
_AROUND_THE_CALL = {"call_method", "forward"}


def _chosen(base: str, built: str, count: int = _USES) -> list[str]:
    names, first = list(USES), crc32(f"{base} {built}".encode())
    return [names[(first + 5 * i) % len(names)] for i in range(count)]


def _pairs(every_case: bool) -> list[tuple[str, str]]:
    """Classes with ways to build them: each with one, or with every one."""
    ways = list(BUILT)
    if every_case:
        return list(product(modelled(), ways))
    return [(base, ways[crc32(base.encode()) % len(ways)]) for base in modelled()]


def _failures(text: str) -> list[str]:
    """Exceptions of dllint's own, entries that ended early, operations that failed."""
    lowered = lower_document(Document.from_text(PATH, text))
    failed = [detail for one in lowered.programs for reason, detail, _ in one.gaps if reason == "op-failed"]
    return [*map(str, lowered.failures), *failed]


def _false(text: str, may_be_imported: bool) -> list[str]:
    """What is said of lines that run."""
    result = Session(Configuration(isolated=True)).check_bytes(PATH, text.encode())
    told = [finding for finding in result.findings if says_that_it_fails(finding)]
    crashes = [notice.message for notice in result.notices if notice.kind == "internal-error"]
    if not told or not may_be_imported:
        return crashes
    places, runs = functions(text), running(text)
    for finding in told:
        use = places.get(finding.location.span.first.line)
        everywhere = use is None and runs == set(places.values())
        if (use in runs and use not in _AROUND_THE_CALL) or everywhere:
            crashes.append(f"{finding.code} in {use}: {finding.message}")
    return crashes


@pytest.mark.oracle
@pytest.mark.parametrize("part", range(_PARTS))
def test_a_subclass_works_like_its_base(part: int, pytestconfig: pytest.Config):
    every_case = pytestconfig.getoption("--every-case")
    count = _USES_OF_EVERY_CASE if every_case else _USES
    wrong = {}
    for base, built in _pairs(every_case)[part::_PARTS]:
        text = program(base, built, _chosen(base, built, count))
        found = [*_failures(text), *_false(text, may_be_imported=not base.startswith("tensorflow."))]
        if found:
            wrong[f"{base}, {built}"] = found
    assert not wrong


@pytest.mark.parametrize("built", BUILT)
def test_a_list_of_modules_keeps_what_it_holds(built: str):
    """The programs do reach the methods of the base: those of a container that its constructor fills."""
    text = program("torch.nn.Sequential", built, ["append", "forward", "iterate"])
    lowered = lower_document(Document.from_text(PATH, text))
    assert {one.entry for one in lowered.programs} >= {"append", "forward", "iterate"}


def test_every_use_is_drawn():
    drawn = {(built, use) for base, built in _pairs(every_case=False) for use in _chosen(base, built)}
    assert drawn == set(product(BUILT, USES))
