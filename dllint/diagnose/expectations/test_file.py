"""The text of a test file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dllint import __version__
from dllint.diagnose.expectations.data_sections import data_sections
from dllint.diagnose.expectations.loss_sections import loss_sections
from dllint.diagnose.expectations.model_sections import model_sections
from dllint.diagnose.expectations.observed import FirstSteps
from dllint.diagnose.expectations.section import Section, literal
from dllint.diagnose.launch import Program

#: Steps that tests run a program for.
STEPS: Final = 20
_HEAD = '''"""What the model and the data of {title} are expected to be.

Written by dllint {version}. The fixture runs the program for a few steps in a process of
its own and measures; what the program writes goes to a temporary folder. The numbers
are plain: change them along with your model.
"""

import math
from pathlib import Path

import pytest
from dllint.testing import first_steps

'''
_FIXTURE = """

@pytest.fixture(scope="module")
def run():
    folder = {folder}
    return first_steps({arguments}, folder=folder)

"""


@dataclass(frozen=True, slots=True)
class Written:
    """A test file: its text, how many tests it has, and what the model that was seen does not meet."""

    text: str
    tests: int
    unmet: tuple[str, ...]


def test_file(seen: FirstSteps, program: Program, base: Path, path: Path) -> Written:
    """The tests for what was seen of a program that ran in the folder ``base``; ``path`` is where the file is to stand."""
    sections = [*data_sections(seen), *model_sections(seen), *loss_sections(seen)]
    return Written(
        "".join(_text(sections, program, base, path)),
        sum(section.test.count("\ndef test_") for section in sections),
        tuple(dict.fromkeys(section.unmet for section in sections if section.unmet)),
    )


def _text(sections: list[Section], program: Program, base: Path, path: Path) -> Iterator[str]:
    yield _HEAD.format(title=program.target, version=__version__)
    for section in sections:
        for line in section.constants:
            yield f"{line}\n"
    yield _FIXTURE.format(folder=_folder(base, path), arguments=_arguments(program, base))
    yield "\n".join(section.test for section in sections)


def _folder(base: Path, path: Path) -> str:
    """The folder of the run, told from where the test file is."""
    relative = os.path.relpath(base, path.absolute().parent)
    parts = "" if relative == "." else f" / {literal(Path(relative).as_posix())}"
    return f"Path(__file__).parent{parts}"


def _arguments(program: Program, base: Path) -> str:
    target = program.target
    if not program.is_module and Path(target).is_absolute() and Path(target).is_relative_to(base):
        target = Path(target).relative_to(base).as_posix()
    return ", ".join([literal(target), *map(literal, program.arguments), *(["module=True"] if program.is_module else [])])
