"""An environment in a checkout may have been made by anybody: it leads nowhere, costs little and is never changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.security.confined import confined, told

SITE = "lib/python3.11/site-packages"
#: A call of an installed function with what does not fit.
PROGRAM = "import torch\nimport lib\n\nlib.work(torch.zeros(2, 3))\n"
FAULTY = "def work(x):\n    return x @ x\n"


@pytest.fixture
def checkout(tmp_path, monkeypatch) -> Path:
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "checkout"
    (folder / ".git").mkdir(parents=True)
    (folder / "a.py").write_text(PROGRAM)
    return folder


def environment(folder: Path, files: dict[str, str]) -> Path:
    site = folder / SITE
    site.mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text("home = /\ninclude-system-site-packages = true\n")
    for name, text in files.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)
    return site


def test_the_environment_of_a_checkout_is_used(checkout):
    environment(checkout / ".venv", {"lib.py": FAULTY})
    done = told(confined(checkout, "check", "-n", "."))
    assert "DLT109" in done
    assert f"Environment: {checkout / '.venv'} (.venv)." in done
    assert "DLT109" not in told(confined(checkout, "check", "-n", "--no-environment", "."))


@pytest.mark.parametrize("place", ["../user", "{user}", "../checkout/link"])
def test_a_checkout_names_no_environment_outside(checkout, tmp_path, place):
    environment(tmp_path / "user", {"lib.py": FAULTY})
    (checkout / "link").symlink_to(tmp_path / "user")
    (checkout / "dllint.toml").write_text(f"python = '{place.format(user=tmp_path / 'user')}'\n")
    done = told(confined(checkout, "check", "-n", "."))
    assert "lies outside of the project" in done
    assert "DLT109" not in done
    assert "DLT109" in told(confined(checkout, "check", "-n", "--python", str(tmp_path / "user"), "."))


@pytest.mark.parametrize("line", ["{outside}", "../../../../../outside", "/", "link"])
def test_an_environment_of_a_checkout_leads_nowhere(checkout, tmp_path, line):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "lib.py").write_text(FAULTY)
    site = environment(checkout / ".venv", {"a.pth": line.format(outside=tmp_path / "outside")})
    (site / "link").symlink_to(tmp_path / "outside")
    assert "DLT109" not in told(confined(checkout, "check", "-n", "."))


def _pipes(site: Path) -> None:
    for name in ("lib.py", "a.pth"):
        os.mkfifo(site / name)


def _circles(site: Path) -> None:
    (site / "lib").symlink_to(site)
    (site / "lib.py").symlink_to(site / "lib.py")
    (site / "a.pth").write_text("lib\nlib/lib\n" * 5_000)


def _large(site: Path) -> None:
    with open(site / "lib.py", "wb") as stream:
        stream.truncate(2**40)
    with open(site / "a.pth", "wb") as stream:
        stream.truncate(2**40)


def _endless(site: Path) -> None:
    text = "from lib.m{0} import work as inner\n\n\ndef work(x):\n    while True:\n        x = inner(inner(x))\n    return x\n"
    (site / "lib").mkdir()
    (site / "lib" / "__init__.py").write_text("from lib.m0 import work\n")
    for number in range(600):
        (site / "lib" / f"m{number}.py").write_text(text.format((number + 1) % 600))


def _registries(site: Path) -> None:
    (site / "lib").mkdir()
    names = "".join(f"@keep\ndef f{number}():\n    return known['f{number + 1}']()\n\n\n" for number in range(3_000))
    (site / "lib" / "__init__.py").write_text(
        f"known = {{}}\n\n\ndef keep(f):\n    known[f.__name__] = f\n    return f\n\n\n{names}\n\n"
        "def work(x):\n    return known['f0']()\n"
    )


@pytest.mark.parametrize("make", [_pipes, _circles, _large, _endless, _registries])
def test_a_hostile_environment_costs_little(checkout, make):
    make(environment(checkout / ".venv", {}))
    (checkout / "a.py").write_text(f"{PROGRAM}y = torch.zeros(2, 3)\nz = y @ y\n")
    done = told(confined(checkout, "check", "-n", ".", seconds=40))
    assert "a.py:6:5" in done


@pytest.mark.parametrize("option", ["--fix", "--fix-only", "--diff"])
def test_no_installed_file_is_changed(checkout, option):
    text = "from torch import nn\n\n\ndef work(x):\n    return nn.Linear(5, 4)(nn.Linear(3, 6)(x))\n"
    site = environment(checkout / ".venv", {"lib.py": text})
    for arguments in ((), ("--python", ".venv")):
        told(confined(checkout, "check", "-n", option, "--unsafe-fixes", *arguments, "."))
    assert (site / "lib.py").read_text() == text
