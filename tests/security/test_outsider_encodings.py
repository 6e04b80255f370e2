"""What an outsider writes into a coding cookie: every codec that Python has, whatever it decodes and however long it takes."""

from __future__ import annotations

import contextlib
import encodings
import pkgutil
import time
from encodings.aliases import aliases
from pathlib import Path
from typing import Final

import pytest

from dllint.cli.main import run
from dllint.source.encoding import UndecodableError, decode
from tests.security.outsider import check, dllint, project, sound

#: Codecs for text, codecs from bytes to bytes and from text to text, such as only raise, and what is none.
CODECS: Final = sorted(
    {
        *(module.name for module in pkgutil.iter_modules(encodings.__path__)),
        *aliases.values(),
        *("no-such-codec", "os", "__init__", "..utf_8", "utf-8-", "x" * 200, "utf_8_sig", "locale", "mbcs"),
    }
)
#: What codecs with states, escapes or insertions take longest for.
FILLS: Final = (b"x = 'abc'\n", b"-a", b"+AAA-", b"\\u0041", b"~{", b"\x1b$B", b"\xff")
_MOST_S: Final = 2.0


def test_no_cookie_ends_the_run(tmp_path: Path) -> None:
    """The run goes on, what other files hold is found, and no file is an error of dllint."""
    folder = project(tmp_path)
    for number, codec in enumerate(CODECS):
        for line, head in enumerate((b"", b"#!/usr/bin/python\n")):
            text = head + f"# -*- coding: {codec} -*-\n".encode() + b"import torch\n"
            (folder / f"a{number}_{line}.py").write_bytes(text)
    sound(check(folder))


@pytest.mark.parametrize("fill", FILLS)
def test_no_codec_takes_long(fill: bytes) -> None:
    slow = []
    for codec in CODECS:
        began = time.process_time()
        with contextlib.suppress(UndecodableError):
            decode(f"# coding: {codec}\n".encode() + fill * (200_000 // len(fill)))
        if time.process_time() - began > _MOST_S:
            slow.append(codec)
    assert slow == []


def test_a_folder_that_is_gone_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    assert run(["check", "-n", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "error: the folder that dllint was started in does not exist any more\n"


def test_nothing_of_a_cookie_is_printed_as_it_is(tmp_path: Path) -> None:
    folder = project(tmp_path)
    (folder / "a.py").write_bytes(b"# coding: a\x1b[31mb\n# \xff\n")
    done = dllint(folder, "check", "--no-cache")
    assert b"\x1b" not in done.out + done.err
    sound(check(folder))
