"""What dllint does to the machine, as the interpreter sees it: files written, programs started, addresses asked, code run."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.security.planted import ROOT
from tests.server.strict_client import Client

FAULTY = "import helper\nimport torch\nfrom torch import nn\n\nnet = nn.Linear(4, 2)\nnet(torch.zeros(8, 5))\n"
TRAP = "open({trap!r}, 'w').write('executed')\nSIZE = 3\n"

#: Stands at the top of the script, so that processes that are started anew have it, too.
HOOK = """\
import os, sys

_log = os.open(os.environ["AUDIT"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
_KEPT = (
    "open", "socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "urllib.Request",
    "ftplib.connect", "http.client.connect", "smtplib.connect", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn",
    "os.spawn", "os.startfile", "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.chmod",
    "os.chown", "os.truncate", "shutil.rmtree", "exec", "ctypes.dlopen", "webbrowser.open",
)

def _hook(event, args):
    if event not in _KEPT:
        return
    if event == "exec":
        args = (getattr(args[0], "co_filename", "?"),)
    elif event == "open":
        writes = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
        if not isinstance(args[0], (str, bytes)) or not (args[2] or 0) & writes:
            return
        args = (os.path.abspath(os.fsdecode(args[0])),)
    told = [arg if isinstance(arg, (str, int)) else repr(arg) for arg in args]
    os.write(_log, (repr((event, told, os.getpid())) + "\\n").encode("utf-8", "backslashreplace"))

sys.addaudithook(_hook)
"""


@dataclass(frozen=True)
class Seen:
    """What the processes of a run did."""

    events: tuple[tuple[str, list[str], int], ...]

    def of(self, *names: str) -> list[list[str]]:
        """The arguments of some kinds of events."""
        return [arguments for event, arguments, _ in self.events if event in names]

    @property
    def processes(self) -> set[int]:
        """The processes that did anything."""
        return {process for _, _, process in self.events}


class Audited:
    """A checkout, a user with a home directory, and the command line under audit."""

    def __init__(self, root: Path) -> None:
        self.checkout, self.home, self.log = root / "checkout", root / "home", root / "audit.log"
        self.home.mkdir()
        (self.checkout / ".git").mkdir(parents=True)
        (self.checkout / "a.py").write_text(FAULTY)
        self.trap = root / "executed"
        for name in ("helper.py", "setup.py", "conftest.py", "sitecustomize.py", "noxfile.py", "__init__.py"):
            (self.checkout / name).write_text(TRAP.format(trap=str(self.trap)))
        self._install()
        (self.checkout / "requirements.txt").write_text("torch==2.4\n")
        (self.checkout / "pyproject.toml").write_text("[tool.dllint]\nextend-select = ['ALL']\n")
        (self.checkout / "model.onnx").write_bytes(b"\x08\x07")
        script = root / "dllint"
        script.write_text(f"{HOOK}\nfrom dllint.cli.main import main\n\nif __name__ == '__main__':\n    main()\n")
        self.command = (sys.executable, str(script))
        self.environment = {
            "AUDIT": str(self.log), "HOME": str(self.home), "PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"],
            "PYTHONDONTWRITEBYTECODE": "1",
        }  # fmt: skip

    def _install(self) -> None:
        """An environment in the checkout, all of whose files do something when they are executed."""
        code = TRAP.format(trap=str(self.trap))
        site = self.checkout / ".venv" / "lib" / "python3.11" / "site-packages"
        (site / "trapped").mkdir(parents=True)
        (self.checkout / ".venv" / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = true\n")
        for name in ("sitecustomize.py", "trapped/__init__.py", "trapped/part.py"):
            (site / name).write_text(f"{code}\n\ndef run(x):\n    return x\n")
        (site / "trapped.pth").write_text("import trapped\n")
        interpreter = self.checkout / ".venv" / "bin" / "python"
        interpreter.parent.mkdir()
        interpreter.write_text(f"#!{sys.executable}\n{code}\n")
        interpreter.chmod(0o755)
        (self.checkout / "b.py").write_text("import torch\nimport trapped.part\n\ntrapped.part.run(torch.zeros(2))\n")

    def run(self, *arguments: str) -> Seen:
        """Run a command line."""
        done = subprocess.run(
            [*self.command, *arguments],
            cwd=self.checkout, env=self.environment, capture_output=True, text=True, input=FAULTY, timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode in (0, 1, 2), done
        assert "Traceback" not in done.stderr
        return self.seen()

    def seen(self) -> Seen:
        """What has been seen so far."""
        return Seen(tuple(ast.literal_eval(line) for line in self.log.read_text(encoding="utf-8").splitlines()))


@pytest.fixture
def audited(tmp_path) -> Audited:
    return Audited(tmp_path)


COMMANDS = (
    ("check",), ("check", "-n", "-j", "2"), ("check", "--output-format", "sarif", "-o", "report.sarif"), ("check", "-"),
    ("check", "--fix", "--unsafe-fixes"), ("check", "--diff"), ("check", "--baseline", "known.json", "--update-baseline"),
    ("ir", "a.py"), ("explain", "a.py:6"), ("rule", "DLT101"), ("config",), ("clean",), ("check", "--show-settings"),
    ("check", "--python", ".venv/bin/python"), ("ir", "b.py"),
)  # fmt: skip
_NETWORK = (
    "socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "urllib.Request",
    "ftplib.connect", "http.client.connect", "smtplib.connect", "webbrowser.open",
)  # fmt: skip
_CHANGES = (
    "open", "os.remove", "os.rename", "os.rmdir", "os.link", "os.symlink", "os.chmod", "os.chown", "os.truncate",
)  # fmt: skip
_PROGRAMS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile")
#: What each command may write, below the checkout.
_WRITES = {"-o": "report.sarif", "--fix": "a.py", "--baseline": "known.json"}


def assert_contained(seen: Seen, audited: Audited, *arguments: str) -> None:
    """Nothing was sent, started or executed, and nothing written that was not to be."""
    assert seen.of(*_NETWORK) == []
    assert seen.of(*_PROGRAMS) == []
    assert not audited.trap.exists()
    assert [name for (name,) in seen.of("exec") if name.startswith(str(audited.checkout))] == []
    allowed = [audited.checkout / ".dllint_cache", audited.home / ".cache" / "dllint", Path(os.devnull)]
    allowed += [audited.checkout / name for option, name in _WRITES.items() if option in arguments]
    # A name without a folder is one in a folder that was opened before, as is what is changed by its descriptor.
    names = [name for name, *_ in seen.of(*_CHANGES) if not isinstance(name, int)]
    changed = [audited.checkout / name for name in names]
    temporary = [path for path in changed if path.parent == audited.checkout and path.name.endswith(".dllint")]
    assert [p for p in changed if p not in temporary and not any(p.is_relative_to(a) for a in allowed)] == []
    assert not temporary or "--fix" in arguments
    made = [Path(names[0]) for names in seen.of("os.mkdir")]  # or found: parents are asked for, too
    assert [p for p in made if not any(p.is_relative_to(a) or a.is_relative_to(p) for a in allowed)] == []


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_command_sends_starts_and_executes_nothing(audited, arguments):
    assert_contained(audited.run(*arguments), audited, *arguments)


def test_the_audit_sees_what_is_done(audited):
    """The checks above can fail."""
    script = audited.log.parent / "dllint"
    deeds = (
        "    import socket, subprocess\n    subprocess.run(['true'])\n    exec(compile('1', 'a.py', 'exec'))\n"
        "    open('written', 'w').close()\n    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(('127.0.0.1', 9))\n"
    )
    script.write_text(script.read_text().replace("    main()\n", deeds))
    seen = audited.run()
    assert seen.of("subprocess.Popen")
    assert seen.of("socket.connect")
    assert [str(audited.checkout / "written")] in seen.of("open")
    with pytest.raises(AssertionError):
        assert_contained(seen, audited)


def test_the_server_sends_starts_and_executes_nothing(audited, monkeypatch):
    for name, value in audited.environment.items():
        monkeypatch.setenv(name, value)
    client = Client((*audited.command, "server"), cwd=audited.checkout)
    try:
        client.start(audited.checkout)
        uri = client.open(audited.checkout / "a.py", FAULTY)
        assert "DLT101" in [found["code"] for found in client.pull(uri)["items"]]
        position = {"textDocument": {"uri": uri}, "position": {"line": 5, "character": 1}}
        client.request("textDocument/hover", position)
        everything = {"start": {"line": 0, "character": 0}, "end": {"line": 6, "character": 0}}
        context = {"diagnostics": client.pull(uri)["items"]}
        client.request("textDocument/codeAction", {"textDocument": {"uri": uri}, "range": everything, "context": context})
    finally:
        assert client.stop() == 0
    seen = audited.seen()
    assert len(seen.processes) == 2
    assert_contained(seen, audited)
