"""Work on a graph grows with the graph, however many findings it has."""

from __future__ import annotations

import sys
from pathlib import Path

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from tests.lower.graphs.tensorflow.stored import graph, placeholder, written


def _calls(directory: Path, logs: int) -> tuple[int, int]:
    """How many findings a graph of logarithms has, and how many calls it takes to find them."""
    nodes = [placeholder("x", None, 4)]
    for number in range(logs):
        nodes += [(f"p{number}", "Softmax", ["x"], {}), (f"bad{number}", "Log", [f"p{number}"], {})]
    path = written(directory / f"{logs}.pb", graph(*nodes))
    session, count = Session(Configuration(isolated=True), remember=False), 0

    def called(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(called)
    try:
        result = session.check_file(path)
    finally:
        sys.setprofile(None)
    return len(result.findings), count


def test_many_findings_take_work_in_proportion(tmp_path):
    _calls(tmp_path, 10)  # what is loaded on first use does not count
    few, small = _calls(tmp_path, 100)
    many, large = _calls(tmp_path, 400)
    assert (few, many) == (100, 400)
    assert large < 4.2 * small
