"""Attacks of an outsider: names and texts of a checkout that want to do something where they are printed."""

# ruff: noqa: E501 - what is sent or written stands on one line
from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.security.outsider import FAULTY, dllint, environment, project

#: Each part does something to a terminal or to the log of a machine if it comes out as it is.
PARTS = (
    "\nPLANTED", "\rPLANTED", "\x1b[2J", "\x1b]0;t\x07", "\x9b31m", "\x0cPLANTED", "\x0bPLANTED", "\x85PLANTED", "\u2028PLANTED", "\u2029PLANTED",
    "\u202e", "\u2066", "\u200f", "\u061c", "\x7f", "\x08", "\x00", "\n::error file=a::PLANTED", "\n##vso[task.setvariable variable=a]PLANTED",
    "\n##[error]PLANTED", "\n##teamcity[PLANTED]", "%0A::error::PLANTED", "\ud800", "\x1cPLANTED", "\n::add-mask::PLANTED",
)  # fmt: skip
BAD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
COMMAND = re.compile(r"^\s*(PLANTED|##(vso)?\[|##teamcity\[|::(add-mask|stop|set|error file=a))")


def harmless(printed: bytes) -> None:
    """No control character, no change of direction, no line that begins with what was planted."""
    text = printed.decode("utf-8")
    assert BAD.search(text) is None, ascii(text[max(0, BAD.search(text).start() - 200) :][:400])
    for line in text.split("\n"):
        assert not COMMAND.match(line), ascii(line[:400])


def in_strings(part: str) -> str:
    """A program whose names and texts hold something."""
    quoted = ascii("a" + part)
    raw = "".join(character for character in part if character not in "\n\r\0\ud800")
    return (
        f"import torch\nfrom torch import nn\nfrom einops import rearrange\nm = nn.ModuleDict({{{quoted}: nn.Linear(3, 4)}})\n"
        f"m[{quoted}](torch.ones(5, 6))\nsetattr(m, {quoted}, nn.Linear(3, 4))\ngetattr(m, {quoted})(torch.ones(5, 6))\n"
        f"rearrange(torch.ones(3), {quoted})\ntorch.einsum({quoted}, torch.ones(3))\ntorch.ones(3, dtype={quoted}).to({quoted})\n"
        f"nn.Linear(3, 4, {quoted}, **{{{quoted}: 1}})(torch.ones(3, 5))\ntorch.ones(3).view(7)  # {raw} dllint: ignore[{raw}]\n"
        f"x = '{raw}', torch.ones(3).view(7)  # noqa: {raw}\ny = torch.ones(3)  # dllint: range y in [{raw}\n"
        f"z = torch.ones(3)  # dllint: range {raw} in [0, 1]\nnn.Conv2d(1, 2, 3, padding={quoted}, padding_mode={quoted})(torch.ones(3))\n"
        f"# dllint: ignore-file[{raw}]\nnn.init.xavier_uniform_(torch.ones(3), gain={quoted}, **{{{quoted}: 3}})\n"
    )


def keras_strings(part: str) -> str:
    """A Keras program whose names and texts hold something."""
    quoted = ascii("a" + part)
    return (
        "import keras\nfrom keras import layers\n"
        f"i = keras.Input((3,), name={quoted})\nx = layers.Dense(4, activation={quoted}, name={quoted})(i)\n"
        f"x = layers.Concatenate(name={quoted})([x, keras.Input((3, 3), name={quoted})])\n"
        f"m = keras.Model({{{quoted}: i}}, x, name={quoted})\nm.compile({quoted}, {quoted}, [{quoted}])\nm.get_layer({quoted})\n"
    )


@pytest.mark.parametrize("form", ["full", "concise", "github"])
def test_texts_of_a_program_do_nothing(tmp_path: Path, form: str) -> None:
    """ "No name, message or source line holds a control character, begins a line of its own, turns the order of letters around"."""
    folder = project(tmp_path)
    for number, part in enumerate(PARTS):
        (folder / f"t{number}.py").write_text(in_strings(part), errors="surrogatepass", newline="")
        (folder / f"k{number}.py").write_text(keras_strings(part), errors="surrogatepass", newline="")
    run = dllint(folder, "check", "--no-cache", "--output-format", form, "--hints", "--unsafe-fixes")
    assert run.status == 1, run.text()[-1000:]
    assert b"zz_victim" in run.out
    harmless(run.out)
    harmless(run.err)


def named(folder: Path) -> list[bytes]:
    """Files in folders whose names do something."""
    made = []
    for number, part in enumerate(part for part in PARTS if part != "\x00"):
        raw = part.encode("utf-8", "surrogatepass").replace(b"/", b"")
        below = os.fsencode(folder) + b"/d%d" % number + raw
        os.mkdir(below)
        for name, text in ((b"f" + raw + b".py", FAULTY), (b"n" + raw + b".ipynb", "{"), (b"s" + raw + b".py", "x = (")):
            with open(below + b"/" + name, "w") as file:
                file.write(text)
            made.append(below + b"/" + name)
    with open(os.fsencode(folder) + b"/\xff\xfe::error::PLANTED.py", "w") as file:
        file.write(FAULTY)
    return made


@pytest.mark.parametrize(
    "arguments",
    [
        ("--output-format", "full"),
        ("--output-format", "concise"),
        ("--output-format", "github"),
        ("--show-files",),
        ("--statistics",),
        ("--config", "max-file-size=3"),
        ("--fix", "--unsafe-fixes"),
        ("--show-settings",),
        ("--update-baseline", "--baseline", "base.json"),
    ],
    ids="_".join,
)
def test_names_of_files_do_nothing(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """ "The same holds for what is told on standard error"."""
    folder = project(tmp_path)
    named(folder)
    run = dllint(folder, "check", "--no-cache", *arguments)
    assert b"Traceback" not in run.err, run.text()[-1000:]
    harmless(run.out)
    harmless(run.err)


@pytest.mark.parametrize("command", ["explain", "ir", "coverage"])
def test_names_of_files_do_nothing_in_other_commands(tmp_path: Path, command: str) -> None:
    """ "... and for the other commands"."""
    folder = project(tmp_path)
    for name in named(folder)[:45:15]:
        given = {"explain": [b"explain", name + b":3"], "ir": [b"ir", name], "coverage": [b"dev", b"coverage", name]}[command]
        run = dllint(folder, *given)
        assert b"Traceback" not in run.err, run.text()[-1000:]
        harmless(run.out)
        harmless(run.err)


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_formats_for_programs_name_the_files_there_are(tmp_path: Path, form: str) -> None:
    """ "Formats for programs (JSON, SARIF) escape names and do not change them": also names that are not UTF-8."""
    folder = project(tmp_path)
    (folder / "a%41 #?&;b.py").write_text(FAULTY)
    (folder / "new\nline.py").write_text(FAULTY)
    with open(os.fsencode(folder) + b"/\xff.py", "w") as file:
        file.write(FAULTY)
    run = dllint(folder, "check", "--no-cache", "--output-format", form)
    read = json.loads(run.out)
    if form == "json":
        names = {os.path.basename(each["filename"]) for each in read}
        assert {"a%41 #?&;b.py", "new\nline.py", "zz_victim.py", os.fsdecode(b"\xff.py")} <= names
    else:
        places = [each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in read["runs"][0]["results"]]
        assert {"a%2541%20%23%3F%26%3Bb.py", "new%0Aline.py", "zz_victim.py"} <= {
            place.replace("&", "%26").replace(";", "%3B") for place in places
        }
        assert len(places) == 4


def test_what_configurations_hold_does_nothing(tmp_path: Path) -> None:
    """A configuration is quoted in messages about it, and does nothing there."""
    folder = project(tmp_path)
    for part in PARTS:
        if part in ("\x00", "\ud800"):
            continue
        quoted = json.dumps("a" + part).replace("\\u007f", "\x7f").replace("\x7f", "\\u007f")
        for text in (
            f"{quoted} = 1\n", f"select = [{quoted}]\n", f"target = [{quoted}]\n", f"cache-dir = {quoted}\n", f"baseline = {quoted}\n",
            f"severity = {{ {quoted} = {quoted} }}\n", f"ranges = {{ {quoted} = {quoted} }}\n", f"per-file-ignores = {{ {quoted} = [{quoted}] }}\n",
        )[len(part) % 8 :: 8]:  # fmt: skip
            (folder / "dllint.toml").write_text(text)
            run = dllint(folder, "check", "--output-format", "concise")
            assert b"Traceback" not in run.err, run.text()
            harmless(run.out)
            harmless(run.err)


def test_what_says_the_releases_does_nothing(tmp_path: Path) -> None:
    """`check` closes with who decided the releases; names and versions in those files do nothing there."""
    folder = project(tmp_path)
    (folder / "old.py").write_text("import torch\ntorch.gels(torch.ones(3), torch.ones(3))\ntorch.solve(1)\n")
    for part in PARTS:
        if part in ("\x00", "\ud800"):
            continue
        below = folder / f"d{PARTS.index(part)}{part.replace('/', '')}"
        below.mkdir()
        (below / "old.py").write_text((folder / "old.py").read_text())
        (below / "requirements.txt").write_text(f"torch==1.0{part}\ntorch===1.0{part}\n{part}torch<=1.5\n", newline="")
        (below / f"requirements-{part.replace('/', '')}.txt").write_text("torch==1.1\n")
    for arguments in (("check", "--no-cache", "--output-format", "concise"), ("check", "--no-cache", "--show-settings")):
        run = dllint(folder, *arguments)
        assert b"Traceback" not in run.err, run.text()
        harmless(run.out)
        harmless(run.err)


def test_cells_and_kernels_of_a_notebook_do_nothing(tmp_path: Path) -> None:
    """What a notebook holds beside its source is printed nowhere as it is."""
    folder = project(tmp_path)
    for number, part in enumerate(PARTS):
        cell = {"cell_type": "code", "source": f"import torch\n!pip install torch==1{part}\nx = '''{part}''', torch.ones(3).view(7)\n",
                "id": part, "metadata": {part: part}, "outputs": [{"text": f"torch 1.0{part}"}], "execution_count": part}  # fmt: skip
        (folder / f"n{number}.ipynb").write_text(
            json.dumps({"cells": [cell], "nbformat": part, "metadata": {"kernelspec": {"name": part}}})
        )
    for form in ("full", "github"):
        run = dllint(folder, "check", "--no-cache", "--output-format", form)
        assert b"Traceback" not in run.err, run.text()
        harmless(run.out)
        harmless(run.err)


@pytest.mark.parametrize("arguments", [("--diff", "--unsafe-fixes"), ("--color", "never")], ids="_".join)
def test_nothing_is_obeyed_by_a_terminal(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """A patch holds the text as it is "unless it goes to a terminal"."""
    folder = project(tmp_path)
    texts = [
        f"from torch import nn\nimport torch  # \x1b]0;title\x07 \x9b2J \u202e\nx = nn.Softmax()(torch.ones(3, 4))  # {part}\n"
        for part in ("\x1b[8m", "\u2066")
    ]
    for number, text in enumerate(texts):
        (folder / f"t{number}.py").write_text(
            text + "from keras.layers import Activation, Dense\nfrom keras.models import Sequential\n" + _unit()
        )
    reading, writing = pty.openpty()
    process = subprocess.Popen(
        ["timeout", "30", sys.executable, "-P", "-m", "dllint", "check", "--no-cache", *arguments],
        cwd=folder, env=environment(tmp_path / "home"), stdout=writing, stderr=writing, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writing)
    printed = b""
    while True:
        try:
            piece = os.read(reading, 65536)
        except OSError:
            break
        if not piece:
            break
        printed += piece
    assert process.wait() in (0, 1), printed[-1000:]
    assert b"t0.py" in printed
    harmless(re.sub(rb"\x1b\[[0-9;]*m", b"", printed.replace(b"\r\n", b"\n")))
    assert b"\x1b[8m" not in printed


def _unit() -> str:
    return 'm = Sequential()\nm.add(Dense(1, input_dim=20))\nm.add(Activation("softmax"))  # \x1b[8m \u202e\nm.compile(loss="binary_crossentropy")\n'


def test_a_long_line_is_not_a_flood(tmp_path: Path) -> None:
    """What is printed grows with what is checked, not with its square: a line of 2 MB with 300 findings printed 571 MB."""
    folder = project(tmp_path)
    (folder / "flood.py").write_text("import torch\nx = torch.ones(3)\n" + "x.view(7); " * 60 + f"y = '{'a' * 100_000}'\n")
    run = dllint(folder, "check", "--no-cache", "--output-format", "full")
    assert b"zz_victim" in run.out
    assert len(run.out) < 1_000_000, len(run.out)


@pytest.mark.parametrize("form", ["json", "concise", "github", "sarif"])
def test_long_names_are_not_a_flood(tmp_path: Path, form: str) -> None:
    """The other formats repeat no lines."""
    folder = project(tmp_path)
    (folder / "flood.py").write_text("import torch\nx = torch.ones(3)\n" + "x.view(7); " * 60 + f"y = '{'a' * 100_000}'\n")
    run = dllint(folder, "check", "--no-cache", "--output-format", form)
    assert b"zz_victim" in run.out
    assert len(run.out) < 1_000_000, len(run.out)
