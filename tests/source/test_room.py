"""Texts whose trees do not fit into memory are refused before they are parsed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dllint.source.parse import SyntaxProblem, parse
from dllint.source.room import has_room_for, in_use

REPEATED = ["a,", "a+b,", "a[b],", "-a,", "[],", "a(),", "lambda a:a,", "a<b,", "'',"]
MEASURE = r"""
import sys
from dllint.source.parse import parse
from dllint.source.room import _TOKEN, _TOKEN_BYTES, in_use
text = f"x = [{sys.argv[1] * 20000}]\n"
before = in_use()[1]
tree = parse(text)
print((in_use()[1] - before) / (len(_TOKEN.findall(text)) * _TOKEN_BYTES))
"""


@pytest.mark.parametrize("repeated", REPEATED)
def test_no_text_without_end_is_parsed(repeated: str) -> None:
    text = f"x = [{repeated * 3_000_000}]\n"
    assert not has_room_for(text)
    assert isinstance(parse(text), SyntaxProblem)


@pytest.mark.parametrize(
    "text", ["x = '" + "a" * 2_000_000 + "'\n", "# " + "a, " * 600_000 + "\n", "x = [" + "0.12345, " * 200_000 + "]\n"]
)
def test_what_is_long_but_small_has_room(text: str) -> None:
    assert has_room_for(text)


@pytest.mark.skipif(in_use()[1] == 0, reason="the system does not tell what is in use")
@pytest.mark.parametrize("repeated", REPEATED[:2])
def test_the_estimate_is_about_what_is_taken(repeated: str) -> None:
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-P", "-c", MEASURE, repeated]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=True)
    assert 0.2 < float(done.stdout) < 1.3
