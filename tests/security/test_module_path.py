"""No module of the folder that dllint works in is ever imported, by no process, however dllint is started."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.security.planted import FAULTY, OTHERS, ROOT, imported, needed_by_minus_m, plant, script, standard
from tests.server.strict_client import Client

#: Where processes cannot be forked, workers are started as the analysis process of the server is.
SPAWNING = "    import dllint.engine.parallel as parallel\n    parallel.get_all_start_methods = lambda: ['spawn']\n"
COMMANDS = (
    ("check", "--output-format", "json", "."),
    ("check", "--no-cache", "-j", "2", "."),
    ("check", "--fix", "--unsafe-fixes", "."),
    ("check", "--output-format", "sarif", "-"),
    ("check", "--baseline", "known.json", "--update-baseline", "a.py"),
    ("ir", "--ranges", "a.py"),
    ("explain", "a.py:3"),
    ("rule", "DLT105"),
    ("config",),
    ("clean",),
)


@pytest.fixture(params=["modules", "packages"])
def folder(request, tmp_path) -> Path:
    """A working directory with every module of the standard library in it, and with others that dllint could import."""
    made = tmp_path / "work"
    made.mkdir()
    for name in ("a.py", "b.py"):
        (made / name).write_text(FAULTY)
    plant(made, (*standard(), *OTHERS), packages=request.param == "packages")
    (made / "a.py").write_text(FAULTY)
    return made


def call(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"} | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=env, input=FAULTY, capture_output=True, text=True, timeout=300, check=False)


def assert_clean(folder: Path) -> None:
    assert imported(folder.parent / "imported") == set()


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_commands_import_nothing_of_the_working_directory(folder, tmp_path, arguments):
    done = call(folder, *script(tmp_path), *arguments)
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr
    assert_clean(folder)


def test_the_modules_are_a_trap(folder):
    """What is planted here does run in a process that has its folder on its path."""
    call(folder, sys.executable, "-c", "import click")
    assert "click" in imported(folder.parent / "imported")


def test_workers_that_are_not_forked_import_nothing_of_it(folder, tmp_path):
    done = call(folder, *script(tmp_path, SPAWNING), "check", "--no-cache", "-j", "2", "a.py", "b.py")
    assert (done.returncode, done.stdout.count("DLT105"), done.stderr) == (1, 2, "")
    assert_clean(folder)


@pytest.mark.parametrize("way", ["script", "-P", "as the editor"])
def test_the_server_and_its_analysis_import_nothing_of_the_workspace(folder, tmp_path, way, monkeypatch):
    commands = {
        "script": script(tmp_path),
        "-P": (sys.executable, "-P", "-m", "dllint"),
        "as the editor": (sys.executable, "-m", "dllint"),
    }
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    if way == "as the editor":
        monkeypatch.setenv("PYTHONSAFEPATH", "1")
    client = Client((*commands[way], "server"), cwd=folder)
    try:
        client.start(folder)
        uri = client.open(folder / "a.py", FAULTY)
        assert [found["code"] for found in client.pull(uri)["items"]] == ["DLT105"]
    finally:
        assert client.stop() == 0
    assert_clean(folder)


def test_of_the_module_only_python_itself_looks_in_the_working_directory(tmp_path):
    """``python -m dllint`` finds what it starts with before dllint can say anything; nothing else comes from there."""
    folder = tmp_path / "work"
    folder.mkdir()
    names = {*standard(), *OTHERS} - needed_by_minus_m(tmp_path) - {"dllint", "sitecustomize", "usercustomize"}
    assert {"json", "sqlite3", "click", "libcst", "dataclasses"} <= names
    plant(folder, names)
    (folder / "a.py").write_text(FAULTY)
    done = call(folder, sys.executable, "-m", "dllint", "check", "a.py")
    assert "DLT105" in done.stdout
    assert_clean(folder)
