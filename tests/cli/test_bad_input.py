"""Bad input of every kind gives a clear message and the right exit status, never a traceback or a damaged file."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODEL = "import torch\n\nx = torch.zeros(2, 3)\n"


def test_a_missing_path(dllint, project):
    (project / "a.py").write_text(MODEL)
    done = dllint("check", "--output-format", "concise", "nope.py", "a.py")
    assert done.status == 2
    assert done.out.splitlines()[0] == "nope.py:1:1: io-error no such file or directory"


def test_a_directory_without_python_files(dllint, project):
    (project / "empty").mkdir()
    done = dllint("check", "empty")
    assert (done.status, done.out) == (0, "Found no tensor code.\n")
    assert "no Python files found" in done.err


@pytest.mark.parametrize("source", ["import torch\n\ndef f(:\n    pass\n", "x = (\n\n\ndef f(:\n    pass\n"])
def test_a_syntax_error(dllint, project, source):
    (project / "a.py").write_text(source)
    done = dllint("check", "--output-format", "concise", "--fix", "a.py")
    assert done.status == 1
    assert "syntax-error" in done.out.splitlines()[0]
    assert (project / "a.py").read_text() == source


@pytest.mark.parametrize("data", [b"", b"\n", b"# only a comment", b"\xef\xbb\xbfimport torch\r\n", b"import torch\rx = 1\r"])
def test_unusual_but_valid_files(dllint, project, data):
    (project / "a.py").write_bytes(data)
    assert dllint("check", "--fix", "a.py").status == 0
    assert (project / "a.py").read_bytes() == data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x7fELF\x00\x01", "null bytes"),
        (b'x = "\xe9"\n', "encoding"),
        (b"# coding: nonsense\n", "nonsense"),
    ],
)
def test_what_is_no_text(dllint, project, data, message):
    (project / "a.py").write_bytes(data)
    done = dllint("check", "--output-format", "concise", "a.py")
    assert done.status == 1
    assert message in done.out.splitlines()[0].lower()
    assert (project / "a.py").read_bytes() == data


def test_a_coding_cookie_is_honoured(dllint, project):
    (project / "a.py").write_bytes('# coding: latin-1\nimport torch\nname = "é"\n'.encode("latin-1"))
    assert dllint("check", "a.py").status == 0


def test_an_unreadable_file(dllint, project, monkeypatch):
    (project / "a.py").write_text(MODEL)
    (project / "b.py").write_text("import torch\ntorch.zeros(2).reshape(3)\n")
    from dllint.source import regular

    opened = regular._opened

    def refuse(path: Path, follow: bool) -> tuple[int, int]:
        if Path(path).name == "a.py":
            raise PermissionError(13, "Permission denied")
        return opened(path, follow)

    monkeypatch.setattr(regular, "_opened", refuse)
    done = dllint("check", "--output-format", "concise", "a.py", "b.py")
    assert done.status == 1
    assert done.out.splitlines()[0] == "a.py:1:1: io-error cannot be read: Permission denied"
    assert "b.py:2:1: DLT105" in done.out


def test_a_file_that_changes_while_it_is_fixed_is_not_written(dllint, project, monkeypatch):
    from dllint.engine import session

    path = project / "a.py"
    path.write_text("import torch\nx = torch.zeros(2, 3).t().view(6)\n")
    fix = session.fix_document

    def fix_while_someone_types(*arguments):
        path.write_text("import torch\n")
        return fix(*arguments)

    monkeypatch.setattr(session, "fix_document", fix_while_someone_types)
    done = dllint("check", "--fix", "a.py")
    assert done.status == 2
    assert done.err == "not-written: a.py: it changed while it was being checked\n"
    assert path.read_text() == "import torch\n"


def test_a_file_that_is_a_device_or_a_dangling_link(dllint, project):
    (project / "a.py").symlink_to(project / "gone.py")
    assert dllint("check", "a.py").status == 2
    assert dllint("check", ".").status == 0


def test_a_huge_file_is_skipped(dllint, project):
    (project / "a.py").write_text(MODEL + "x = 1\n" * 200)
    done = dllint("check", "--config", "max-file-lines = 100", "a.py")
    assert done.status == 0
    assert done.err == "skipped: a.py: 203 lines are more than max-file-lines = 100\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = [", "is not valid TOML"),
        ('selct = ["DLT"]', "unknown setting `selct`; did you mean `select`?"),
        ('select = ["DLT1O1"]', "unknown rule `DLT1O1` in `select`"),
        ("select = 3", "`select` must be a list of strings"),
    ],
)
def test_a_broken_configuration(dllint, project, text, message):
    (project / "dllint.toml").write_text(text)
    (project / "a.py").write_text(MODEL)
    done = dllint("check", "a.py")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert message in done.err
    assert str(project / "dllint.toml") in done.err
    assert dllint("check", "--isolated", "a.py").status == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "--select", "softmax-before-cross-entrpy"], "did you mean `softmax-before-cross-entropy`?"),
        (["check", "--no-such-option"], "no-such-option"),
        (["check", "--output-format", "xml"], "xml"),
        (["check", "--per-file-ignores", "DLT"], "needs GLOB:RULE"),
        (["chekc"], "did you mean `check`?"),
        (["rule", "DLT999"], "unknown rule `DLT999`"),
        (["explain", "a.py"], "is no place"),
        (["explain", "nope.py:1"], "cannot read nope.py"),
        (["ir", "nope.py"], "cannot read nope.py"),
        (["config", "selct"], "did you mean `select`?"),
    ],
)
def test_a_command_line_that_cannot_be_met(dllint, arguments, message):
    done = dllint(*arguments)
    assert done.status == 2
    assert message in done.err


def test_endless_recursion_in_the_analysed_code(dllint, project):
    (project / "a.py").write_text(
        "import torch\n\ndef f(x):\n    return f(x) + g(x)\n\ndef g(x):\n    return f(torch.relu(x))\n\nf(torch.zeros(2))\n"
        "class A:\n    def __getattr__(self, name):\n        return getattr(self, name)\n\nA().x(torch.zeros(2))\n"
    )
    done = dllint("check", "a.py")
    assert (done.status, done.err) == (0, "")


def test_an_import_cycle(dllint, project):
    (project / "a.py").write_text("import torch\nimport b\n\ndef f(x):\n    return b.g(x)\n")
    (project / "b.py").write_text("import a\n\ndef g(x):\n    return a.f(x)\n\ng(1)\n")
    assert dllint("check", ".").status == 0


def test_deeply_nested_code(dllint, project):
    (project / "a.py").write_text(f"import torch\nx = {'(' * 150}torch.zeros(2){')' * 150}\ny = {' + '.join(['x'] * 3000)}\n")
    assert dllint("check", "a.py").status in (0, 1)


def test_a_rule_that_raises_does_not_stop_the_others(dllint, project, monkeypatch):
    from dllint.engine.registry import rule

    (project / "a.py").write_text(
        "import torch\nnet = torch.nn.Linear(3, 4)\nnet(torch.zeros(2, 5))\ntorch.zeros(2).reshape(3)\n"
    )
    monkeypatch.setattr(type(rule("DLT101")), "check", lambda self, item, context: 1 / 0)
    done = dllint("check", "--output-format", "concise", "a.py")
    assert done.status == 2
    assert "internal-error: a.py: rule DLT101 failed on line 3 of a.py (<module>): ZeroDivisionError" in done.err
    assert "a.py:4:1: DLT105" in done.out


def test_the_traceback_is_shown_on_request(project, capfd, monkeypatch):
    from dllint.cli.main import run
    from dllint.engine.registry import rule

    (project / "a.py").write_text("import torch\nnet = torch.nn.Linear(3, 4)\nnet(torch.zeros(2, 5))\n")
    monkeypatch.setenv("DLLINT_DEBUG", "1")
    monkeypatch.setattr(type(rule("DLT101")), "check", lambda self, item, context: 1 / 0)
    assert run(["check", "a.py"]) == 2
    assert "ZeroDivisionError: division by zero" in capfd.readouterr().err


def command(*arguments: str, **options) -> subprocess.Popen[bytes]:
    """A process of its own, which finds the package under test wherever it runs."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen([sys.executable, "-m", "dllint", *arguments], stderr=subprocess.PIPE, env=environment, **options)


def test_a_reader_that_goes_away(project):
    for number in range(30):
        (project / f"a{number}.py").write_text("import torch\ntorch.zeros(2).reshape(3)\n" * 40)
    process = command("check", ".", stdout=subprocess.PIPE, cwd=project)
    assert process.stdout is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr is not None
    assert b"Traceback" not in process.stderr.read()
    assert process.wait(60) == 0


def test_an_interrupt(project):
    for number in range(400):
        (project / f"a{number}.py").write_text(MODEL + "def f(x):\n    return x.relu()\n" * 20)
    process = command("check", ".", stdout=subprocess.DEVNULL, cwd=project)
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    message = process.stderr.read()
    assert b"Traceback" not in message
    assert process.wait(60) in (130, 0)


def test_standard_input(dllint, monkeypatch):
    class Input:
        buffer = io.BytesIO(b"import torch\ntorch.zeros(2).reshape(3)\n")

    monkeypatch.setattr(sys, "stdin", Input)
    done = dllint("check", "--output-format", "concise", "--stdin-filename", "model.py", "-")
    assert done.status == 1
    assert done.out.startswith("model.py:2:1: DLT105")
