"""What a checkout holds neither steers a terminal nor speaks to what reads a log, in any format and on any channel."""

from __future__ import annotations

import json
import logging
import os
import re
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest

from dllint.edit import Applicability, Edit, Fix
from dllint.finding import Confidence, Finding, Related, Severity
from dllint.observation import Observation, Remedy, Trial
from dllint.report.formats import render
from dllint.report.listing import Listing
from dllint.server.logs import _Neutral
from dllint.source.neutral import neutral, neutral_lines, neutral_path, neutral_source
from dllint.span import Location, Position, Span
from tests.security.confined import confined, told

#: Pieces of text that do something to somebody.
HOSTILE = (
    "\n::error file=evil.py::PWNED\n", "\r::add-mask::x\r", "::error::here", "  ::set-output name=x::y", "\x1b]0;TITLE\x07",
    "\x1b[2J\x1b[8m", "\x9b2J", "\x90q\x9c", "\x08\x08\x08", "\u202etxt.exe\u202c", "\u2066\u2069", "\u2028::error::x\u2029",
    "##vso[task.setvariable variable=x]y", "##[add-mask]x", "##teamcity[buildStatus]", "\x0b\x0c\x1c\x1d\x1e\x85::error::x",
    "\udcff\udc9b", "\x00", "\x7f", "\n\nsection_start:1:x\r\x1b[0K",
)  # fmt: skip
TEXT_FORMATS = ("full", "concise", "github")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_ANYWHERE = re.compile(r"##\w*\[")
_OWN = re.compile(r"::(error|warning|notice) title=dllint \(\w[\w-]*\),file=")
_COLOURS = re.compile(r"\x1b\[(0|1|3[12]|1;3[1346])m")


def assert_harmless(text: str, output_format: str = "full", colours: bool = False) -> None:
    """Fails if a text does more than to be read."""
    text = _COLOURS.sub("", text) if colours else text
    assert not _CONTROL.search(text), ascii(text)
    assert not _ANYWHERE.search(text), ascii(text)
    for line in text.split("\n"):
        if line.lstrip().startswith("::"):
            assert output_format == "github", line
            assert _OWN.match(line), line


def file_name(piece: str, end: str) -> str:
    """A name of a file that has a piece in it."""
    return piece.replace("/", "_").replace("\0", "_") + end


def everywhere(value: Any, piece: str) -> Any:
    """Plain data with a piece before and after each of its texts."""
    if isinstance(value, str):
        return f"{piece}{value}{piece}"
    if isinstance(value, Path):
        return Path(f"{piece}{value}{piece}".replace("/", "_").replace("\0", "_"))
    if isinstance(value, tuple):
        return tuple(everywhere(item, piece) for item in value)
    if isinstance(value, dict):
        return {everywhere(key, piece): everywhere(item, piece) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{item.name: everywhere(getattr(value, item.name), piece) for item in fields(value)})
    return value


def a_finding() -> Finding:
    """A finding that has every part that a finding can have."""
    path, span = Path("net.py"), Span(0, 5, Position(1, 1), Position(2, 3))
    fixes = (
        Fix("Change it", (Edit(path, 0, 5, "new\n"), Edit(Path("other.py"), 0, 2, "x")), Applicability.SAFE),
        Fix("Or this", (Edit(path, 1, 2, "y"),), Applicability.DISPLAY),
    )
    observed = Observation(
        "symptom", "layer", 3, {"loss": 1.0, "texts": "text"}, (Remedy("kind", fixes[0], Trial(True, "acc", 0, 1, 2)),)
    )
    related = (
        Related(Location(Path("other.py"), span, 2), "made here"),
        Related(Location(path, span, None, "fc", True), "there"),
    )
    finding = Finding("DLT101", "a-name", "it fails", Severity.ERROR, Confidence.LOW, Location(path, span), related, fixes)
    return replace(finding, observation=observed, advice="change it")


@pytest.mark.parametrize("output_format", TEXT_FORMATS)
@pytest.mark.parametrize("piece", HOSTILE, ids=ascii)
@pytest.mark.parametrize("node", [None, "fc"])
@pytest.mark.parametrize("color", [False, True])
def test_no_part_of_a_finding_does_anything(output_format, piece, node, color):
    finding = a_finding()
    finding = replace(finding, location=replace(finding.location, node=node, listed=node is not None))
    hostile = replace(everywhere(finding, piece), code=finding.code)
    source = "".join(f"x = 1 # {piece}\n" for _ in range(5))
    listing = Listing([hostile], lambda path, cell: source, color=color, notes=[f"Releases: {piece}"])
    assert_harmless("\n".join(render(output_format, listing)), output_format, color)


@pytest.mark.parametrize("piece", HOSTILE, ids=ascii)
def test_columns_stay_what_they_are(piece):
    assert len(neutral(piece)) == len(neutral_source(piece)) == len(piece)
    assert neutral_source(piece).count("\n") == piece.count("\n")
    for made in (neutral(piece), neutral_source(piece), neutral_lines(piece), neutral_path(piece)):
        assert not _CONTROL.search(made.replace("\r", ""))
    assert neutral_path(neutral_path(piece)) == neutral_path(piece)


@pytest.mark.parametrize(
    "text", ["a/b.py", "naïve ünïcode 日本 🙂", "a ## b", "# x [1]", "a::b", "tab\there", "", "##", "é\u200dé"]
)
def test_what_is_harmless_is_left_as_it_is(text):
    assert neutral(text) == neutral_source(text) == neutral_lines(text) == neutral_path(text) == text


FAULTY = "import torch\ntorch.ones(3).view(7)  # {}\n"


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize("piece", HOSTILE, ids=ascii)
def test_no_name_of_a_file_does_anything_on_any_channel(tmp_path, piece):
    project = tmp_path / "project"
    project.mkdir()
    comment = piece.replace("\n", " ").replace("\r", " ").replace("\0", " ").encode("utf-8", "replace").decode()
    (project / file_name(piece, "a.py")).write_text(FAULTY.format(comment))
    (project / file_name(piece, "broken.py")).write_text("import torch\nx = (\n")
    (project / file_name(piece, "binary.py")).write_bytes(b"import torch\0")
    (project / file_name(piece, "large.py")).write_text("#" * 2_100_000)
    (project / file_name(piece, "damaged.onnx")).write_bytes(b"\xff")
    (project / file_name(piece, "book.ipynb")).write_text("{")
    named = [file_name(piece, "damaged.onnx"), file_name(piece, "missing.py")]
    for output_format in TEXT_FORMATS:
        done = confined(project, "check", "-n", "--output-format", output_format, "--", ".", *named)
        told(done)
        assert "DLT105" in done.out
        assert_harmless(done.out, output_format)
        assert_harmless(done.err)
    odd = f"./{file_name(piece, 'a.py')}"
    for arguments in (
        ("check", "-n", "--color", "always", "."), ("check", "-n", "--statistics", "."), ("check", "--show-files", "."),
        ("check", "--show-settings", "."), ("ir", odd), ("ir", f"./{file_name(piece, 'broken.py')}"), ("explain", f"{odd}:2"),
        ("check", "--config", odd, "."), ("check", "--baseline", odd, "."), ("check", "-o", f"{odd}/x/y", "."),
    ):  # fmt: skip
        done = confined(project, *arguments)
        told(done)
        assert_harmless(done.out + done.err, colours=True)


@pytest.mark.parametrize("piece", HOSTILE, ids=ascii)
def test_formats_for_programs_keep_names_as_they_are(tmp_path, piece):
    name = file_name(piece, "a.py")
    (tmp_path / name).write_text(FAULTY.format("x"))
    (found,) = json.loads(confined(tmp_path, "check", "-n", "--output-format", "json", ".").out)
    assert os.path.samefile(tmp_path / found["filename"], tmp_path / name)
    sarif = json.loads(confined(tmp_path, "check", "--output-format", "sarif", ".").out)
    (result,) = sarif["runs"][0]["results"]
    address = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert os.path.samefile(os.path.join(os.fsencode(tmp_path), unquote_to_bytes(address)), tmp_path / name)


@pytest.mark.parametrize("key", ["ke\\u001b]0;x\\u0007y", "a\\n::error::b", "\\u202e", "##vso[x]"])
def test_no_configuration_does_anything(tmp_path, key):
    (tmp_path / "a.py").write_text(FAULTY.format("x"))
    for text in (
        f'"{key}" = 1\n',
        f'select = ["{key}"]\n',
        f'cache-dir = "../{key}"\n',
        f'target = ["{key}"]\n',
        f'[ranges]\n"{key}" = "x"\n',
    ):
        (tmp_path / "dllint.toml").write_text(text)
        assert_harmless(told(confined(tmp_path, "check", "-n", ".")))


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("piece", HOSTILE, ids=ascii)
def test_names_in_messages_do_nothing(tmp_path, piece):
    """What is wrong may be told with texts of the program: names of layers, modes, keys."""
    text = repr(piece)
    lines = (
        "import torch", "from torch import nn", f"x = torch.ones(3).to({text})", f"y = torch.einsum({text}, x, x)",
        f"net = nn.ModuleDict({{{text}: nn.Linear(3, 4)}})", f"net[{text}](torch.ones(2, 5))", f"nn.Conv2d(1, 2, 3, {text})",
        f"nn.functional.pad(x, (1, 1), mode={text})", f"d = {{{text}: torch.ones(3)}}", f"d[{text}].view(7)",
    )  # fmt: skip
    (tmp_path / "a.py").write_text("\n".join(lines) + "\n")
    for arguments in (
        ("check", "-n", "--hints", "."),
        ("check", "-n", "--output-format", "concise", "."),
        ("ir", "a.py"),
        ("explain", "a.py:6"),
    ):
        assert_harmless(told(confined(tmp_path, *arguments)))


@pytest.mark.parametrize("piece", HOSTILE, ids=ascii)
def test_a_record_of_the_log_is_one_record(piece):
    record = logging.LogRecord("x", logging.INFO, "", 1, "%s: %s", (piece, piece), None)
    logged = _Neutral("%(levelname)s %(message)s").format(record)
    assert_harmless(logged)
    assert all(line.startswith("  ") for line in logged.split("\n")[1:])
