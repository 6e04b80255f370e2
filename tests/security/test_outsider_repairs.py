"""What an outsider, or another program, does to the files that ``dllint diagnose --apply`` is about to write: whatever is not
the text that was run, or lies outside of what the user has named, stays as it is, and nothing is written by half."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from dllint.cli import applying
from dllint.cli.applying import apply_confirmed
from dllint.cli.diagnosing import _read
from dllint.cli.failures import Failure, say
from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.launch import Outcome, Program
from dllint.diagnose.records import RunRecord
from dllint.diagnose.trials.branch import BranchResult
from dllint.diagnose.trials.counterfactual import Setting
from dllint.diagnose.trials.edited import _encoded
from dllint.edit import Applicability, Edit, Fix
from dllint.finding import Confidence, Finding, Location, Severity
from dllint.observation import Observation, Remedy, Trial
from dllint.source.encoding import decode
from dllint.span import Position, Span

TEXT: Final = "import torch\nname = 'plain'\nrate = 3.0\n"
REPAIRED: Final = TEXT.replace("3.0", "0.03")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "project"
    (made / ".git").mkdir(parents=True)
    monkeypatch.chdir(made)
    held = BranchResult("steps", 10, (), None, True, 0.5)
    monkeypatch.setattr(applying, "run_as_it_is", lambda *given: held)
    return made


class Run:
    """A finished run of ``train.py`` whose repair, confirmed, changes the rate in some files."""

    def __init__(self, *paths: Path, source: Path | None = None) -> None:
        self._reading = cache(_read)
        edits = []
        for path in paths:
            at = self._reading(path).index("3.0")
            edits.append(Edit(path, at, at + 3, "0.03"))
        fix = Fix("Lower the rate", tuple(edits), Applicability.UNSAFE)
        trial = Trial(True, "accuracy", 0.1, 0.9, 3)
        place = Position(1, 1)
        observation = Observation("exploding", None, 1, {}, (Remedy("learning-rate", fix, trial),))
        location = Location(paths[0], Span(0, 0, place, place))
        kinds = Severity.ERROR, Confidence.HIGH
        finding = Finding("DLX101", "numerical-error", "It explodes", *kinds, location, observation=observation)
        run = RunRecord((), (), (), (), (), (), (), (), (), "finished", 1.0, 0.0)
        self._diagnosis = Diagnosis(run, Outcome("finished"), (finding,), ())
        source = source or paths[0]
        self._setting = Setting(Program(str(source), source=source), os.getcwd(), "cpu", self._reading)

    def apply(self) -> str:
        """What is said of the repair."""
        (told,) = apply_confirmed(self._diagnosis, self._setting, 1.0).remarks
        return told


def written(path: Path, text: str = TEXT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_repair_is_written(folder: Path) -> None:
    path = written(folder / "train.py")
    assert Run(path).apply().startswith("applied `Lower the rate` to train.py")
    assert path.read_text() == REPAIRED


CHANGES: Final[dict[str, Callable[[str], str]]] = {
    "a line before": lambda text: f"import os\n{text}",
    "a character before": lambda text: text.replace("name", "names"),
    "a line after": lambda text: f"{text}print(rate)\n",
    "the same length": lambda text: text.replace("3.0", "5.0"),
    "line breaks": lambda text: text.replace("\n", "\r\n"),
    "repaired by hand": lambda text: text.replace("3.0", "0.03"),
    "nothing left": lambda text: "",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_was_changed_meanwhile_stays_as_it_is(folder: Path, change: str) -> None:
    path = written(folder / "train.py")
    run = Run(path)
    changed = CHANGES[change](TEXT).encode()
    path.write_bytes(changed)
    assert "it was changed while its program ran" in run.apply()
    assert path.read_bytes() == changed


REPLACED: Final[dict[str, Callable[[Path, Path], Any]]] = {
    "link out": lambda path, other: path.symlink_to(other),
    "link inside": lambda path, other: path.symlink_to(written(path.parent / "other.py", "import os\n")),
    "hard link": lambda path, other: path.hardlink_to(other),
    "circle": lambda path, other: path.symlink_to(path),
    "pipe": lambda path, other: os.mkfifo(path),
    "folder": lambda path, other: path.mkdir(),
    "device": lambda path, other: path.symlink_to("/dev/zero"),
    "nothing": lambda path, other: None,
}


@pytest.mark.parametrize("kind", REPLACED)
def test_what_was_put_in_the_place_of_a_file_is_not_written(folder: Path, kind: str) -> None:
    path, other = written(folder / "train.py"), written(folder.parent / "user" / "other.py")
    run = Run(path)
    path.unlink()
    REPLACED[kind](path, other)
    before = sorted(os.listdir(folder))
    with contextlib.suppress(Failure):
        assert "was not applied" in run.apply()
    assert other.read_text() == TEXT
    assert sorted(os.listdir(folder)) == before


@pytest.mark.parametrize("place", ["beside", "below a link", "installed", "above"])
def test_what_lies_outside_is_not_written(folder: Path, place: str) -> None:
    script = written(folder / "train.py")
    path = {
        "beside": folder.parent / "library" / "part.py",
        "below a link": folder / "linked" / "part.py",
        "installed": folder / ".venv" / "lib" / "site-packages" / "part.py",
        "above": folder / ".." / "part.py",
    }[place]
    if place == "below a link":
        (folder.parent / "library").mkdir()
        path.parent.symlink_to(folder.parent / "library")
    written(path)
    assert "it lies outside of the project" in Run(path, source=script).apply()
    assert path.read_text() == TEXT


def test_the_program_that_the_user_names_may_lie_anywhere(folder: Path) -> None:
    path = written(folder.parent / "elsewhere" / "train.py")
    assert Run(path).apply().startswith("applied")
    assert path.read_text() == REPAIRED


def _read_only(path: Path) -> None:
    path.chmod(0o444)


def _with_another_name(path: Path) -> None:
    (path.parent / "again.py").hardlink_to(path)


@pytest.mark.parametrize("spoil", [_read_only, _with_another_name])
def test_of_two_files_none_is_written_if_one_may_not_be(folder: Path, spoil: Callable[[Path], None]) -> None:
    first, second = written(folder / "a.py"), written(folder / "b.py")
    run = Run(first, second)
    spoil(second)
    with pytest.raises(Failure, match=r"b\.py"):
        run.apply()
    assert first.read_text() == second.read_text() == TEXT


def test_of_two_files_the_first_is_taken_back_if_the_second_fails(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = written(folder / "a.py"), written(folder / "b.py")
    run, write = Run(first, second), applying.write_atomically

    def full(path: Path, data: bytes, expected: bytes) -> None:
        if path == second:
            raise OSError("no space left on device")
        write(path, data, expected)

    monkeypatch.setattr(applying, "write_atomically", full)
    with pytest.raises(Failure, match="no space left"):
        run.apply()
    assert first.read_text() == second.read_text() == TEXT


#: Texts that are the same bytes after the repair, but for the rate.
ENCODED: Final = {
    "utf-8": ("# Zoë, 漢字, 😀\n", "utf-8"),
    "byte order": ("# Zoë\n", "utf-8-sig"),
    "latin-1": ("# coding: latin-1\n# Zoë\n", "latin-1"),
    "cp1252": ("#!/bin/python\n# -*- coding: cp1252 -*-\n# Zoë €\n", "cp1252"),
    "shift-jis": ("# coding: shift_jis\n# 漢字 ソ表\n", "shift_jis"),
    "utf-7": ("# coding: utf-7\n# Zoë +\n", "utf-7"),
}


@pytest.mark.parametrize("breaks", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ENCODED)
def test_all_other_bytes_stay_what_they_are(folder: Path, encoding: str, breaks: str) -> None:
    head, codec = ENCODED[encoding]
    path = folder / "train.py"
    path.write_bytes((head + TEXT).replace("\n", breaks).encode(codec))
    before = path.read_bytes()
    assert Run(path).apply().startswith("applied")
    assert path.read_bytes() == before.replace(b"3.0", b"0.03")


@pytest.mark.parametrize("encoding", ENCODED)
def test_a_trial_runs_the_text_that_is_written(encoding: str) -> None:
    head, codec = ENCODED[encoding]
    text = decode((head + "name = 'Zoë'\n" if codec != "shift_jis" else head + "name = '漢字'\n").encode(codec))[0]
    names: dict[str, str] = {}
    exec(compile(_encoded(text), "train.py", "exec"), names)
    assert names["name"] in ("Zoë", "漢字")


def test_a_text_that_its_cookie_cannot_hold_is_tried_nevertheless() -> None:
    assert _encoded("# coding: latin-1\n'漢'\n") == "# coding: latin-1\n'漢'\n".encode()
    assert _encoded("# coding: nonsense\n") == b"# coding: nonsense\n"


@pytest.mark.parametrize("name", ["\x1b[31m.py", "a\n::error::b.py", "\u202e.py", "##vso[task].py"])
def test_a_name_is_written_to_and_does_nothing(folder: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    path = written(folder / name)
    say(Run(path).apply())
    assert path.read_text() == REPAIRED
    shown = capsys.readouterr().err
    assert shown.count("\n") == 1
    assert not {"\x1b", "\u202e"} & set(shown)
    assert "##vso[" not in shown
