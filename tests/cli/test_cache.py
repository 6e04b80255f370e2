"""The cache: a warm run says what a cold one says, and any change that matters is seen."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from dllint.engine import session

NET = """\
from sizes import WIDTH
from torch import nn
import torch

nn.Linear(WIDTH, 4)(torch.zeros(2, 8))
"""


@pytest.fixture
def project_files(project):
    (project / "net.py").write_text(NET)
    (project / "sizes.py").write_text("from base import WIDTH\n")
    (project / "base.py").write_text("WIDTH = 16\n")
    (project / "plain.py").write_text("print(1)\n")
    return project


@pytest.fixture
def analysed(monkeypatch) -> list[str]:
    """The names of the files that are really analysed."""
    names: list[str] = []
    original = session.Session.check_bytes

    def counting(self, path, data, **options):
        names.append(path.name)
        return original(self, path, data, **options)

    monkeypatch.setattr(session.Session, "check_bytes", counting)
    return names


def database(project: Path) -> Path:
    """Where the results of a project are kept."""
    (found,) = (project / ".dllint_cache").glob("results-*.sqlite")
    return found


def test_a_warm_run_analyses_nothing_and_says_the_same(dllint, project_files, analysed):
    cold = dllint("check")
    assert sorted(analysed) == ["base.py", "net.py", "plain.py", "sizes.py"]
    analysed.clear()
    warm = dllint("check")
    assert analysed == []
    assert (warm.status, warm.out) == (cold.status, cold.out)
    assert warm.status == 1


@pytest.mark.parametrize("output_format", ["json", "sarif", "concise", "github"])
def test_every_format_is_the_same_from_the_cache(dllint, project_files, output_format):
    cold = dllint("check", "--output-format", output_format)
    assert dllint("check", "--output-format", output_format).out == cold.out


def test_a_changed_file_is_analysed_again(dllint, project_files, analysed):
    dllint("check")
    analysed.clear()
    (project_files / "plain.py").write_text("print(2)\n")
    dllint("check")
    assert analysed == ["plain.py"]


def test_a_change_two_imports_away_is_seen(dllint, project_files, analysed):
    assert dllint("check").status == 1
    analysed.clear()
    (project_files / "base.py").write_text("WIDTH = 8\n")
    assert dllint("check").status == 0
    assert sorted(analysed) == ["base.py", "net.py"]  # the one between only hands a name on, and is not asked for it


def test_a_file_that_hides_an_import_is_seen(dllint, project_files, analysed):
    dllint("check")
    (project_files / "sizes").mkdir()
    (project_files / "sizes" / "__init__.py").write_text("WIDTH = 8\n")
    analysed.clear()
    dllint("check")
    assert "net.py" in analysed


def test_a_deleted_import_is_seen(dllint, project_files):
    assert dllint("check", "net.py").status == 1
    (project_files / "base.py").unlink()
    assert dllint("check", "net.py").status == 0


def test_other_settings_are_other_results(dllint, project_files, analysed):
    dllint("check")
    analysed.clear()
    assert dllint("check", "--ignore", "DLT101").status == 0
    assert "net.py" in analysed


def test_no_cache_leaves_no_trace(dllint, project_files, analysed, monkeypatch):
    dllint("check", "--no-cache")
    dllint("check", "--no-cache")
    assert analysed.count("net.py") == 2
    assert not (project_files / ".dllint_cache").exists()
    monkeypatch.setenv("DLLINT_NO_CACHE", "1")
    dllint("check")
    assert not (project_files / ".dllint_cache").exists()


def test_fixing_reads_no_cache(dllint, project_files, analysed):
    dllint("check", "--unsafe-fixes")
    analysed.clear()
    dllint("check", "--fix", "--unsafe-fixes")
    assert "net.py" in analysed


def test_the_directory_can_be_chosen(dllint, project_files):
    dllint("check", "--cache-dir", "elsewhere")
    assert (project_files / "elsewhere" / "CACHEDIR.TAG").exists()
    assert not (project_files / ".dllint_cache").exists()


def test_a_damaged_cache_is_replaced(dllint, project_files, analysed):
    cold = dllint("check")
    database(project_files).write_bytes(b"no database" * 100)
    for leftover in (project_files / ".dllint_cache").glob("results-*.sqlite-*"):
        leftover.unlink()
    assert dllint("check").out == cold.out
    analysed.clear()
    assert dllint("check").out == cold.out
    assert analysed == []


def test_damaged_rows_are_left_aside(dllint, project_files):
    cold = dllint("check")
    with sqlite3.connect(database(project_files)) as connection:
        connection.execute("UPDATE results SET content = ?", (b"junk",))
    connection.close()
    assert dllint("check").out == cold.out


def test_a_directory_that_cannot_be_made_does_no_harm(dllint, project_files):
    (project_files / ".dllint_cache").write_text("a file")
    assert dllint("check").status == 1


def test_syntax_errors_are_kept_too(dllint, project_files, analysed):
    (project_files / "plain.py").write_text("x = = 1\n")
    cold = dllint("check")
    analysed.clear()
    assert dllint("check").out == cold.out
    assert analysed == []


def test_clean_removes_the_cache_and_nothing_else(dllint, project_files):
    dllint("check")
    directory = project_files / ".dllint_cache"
    assert dllint("clean").out.startswith("Removed ")
    assert not directory.exists()
    assert dllint("clean").status == 0
    directory.mkdir()
    (directory / "mine.txt").write_text("keep")
    assert "no cache of dllint" in dllint("clean").out
    assert (directory / "mine.txt").exists()


def test_a_use_in_another_file_is_seen(dllint, project, analysed):
    layers = "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    layers += "        self.a = nn.Linear(2, 2)\n        self.b = nn.Linear(2, 2)\n\n    def forward(self, x):\n"
    (project / "net.py").write_text(f"{layers}        return self.a(x)\n")
    assert "DLS102" in dllint("check", "net.py").out
    analysed.clear()
    assert "DLS102" in dllint("check", "net.py").out
    assert analysed == []
    (project / "user.py").write_text("from net import Net\n\n\ndef run(net, x):\n    return net.b(x)\n")
    assert dllint("check", "net.py").status == 0


def test_what_is_asked_for_is_not_forgotten(dllint, project_files):
    dllint("check")
    kept_in = database(project_files)
    long_ago = 1.0
    with sqlite3.connect(kept_in) as connection:
        connection.execute("UPDATE results SET used = ?", (long_ago,))
    connection.close()
    dllint("check", "plain.py")
    with sqlite3.connect(kept_in) as connection:
        kept = [Path(path).name for (path,) in connection.execute("SELECT path FROM results")]
    connection.close()
    assert kept == ["plain.py"]


USE = "import torch\nfrom layers import Net\n\nNet()(torch.zeros(2, 4))\n"
LAYERS = """\
from torch import nn
from {module} import WIDTH


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(WIDTH, 3)

    def forward(self, x):
        return self.fc(x)
"""


@pytest.mark.parametrize(
    "given", [(), (".",), ("layers.py", "use.py"), ("use.py", "layers.py"), ("{root}",), ("{root}/layers.py", "use.py")]
)
@pytest.mark.parametrize("links", [0, 1, 3])
def test_a_change_behind_files_that_are_checked_themselves_is_seen(dllint, project, given, links):
    names = ["width", *(f"hop{number}" for number in range(links))]
    (project / "use.py").write_text(USE)
    (project / "layers.py").write_text(LAYERS.format(module=names[-1]))
    for number, name in enumerate(names[1:]):
        (project / f"{name}.py").write_text(f"from {names[number]} import WIDTH\n")
    paths = [path.format(root=project) for path in given]
    for width in (4, 5, 4):
        (project / "width.py").write_text(f"WIDTH = {width}\n")
        assert ("DLT101" in dllint("check", *paths).out) is (width == 5)


@pytest.fixture
def installed(project) -> Path:
    """The package of an environment of the project: a registry, and what registers itself in it."""
    site = project / ".venv" / "lib" / "python3.11" / "site-packages" / "lib"
    site.mkdir(parents=True)
    (project / ".git").mkdir()
    (project / ".venv" / "pyvenv.cfg").write_text("home = /nowhere\n")
    (site / "__init__.py").write_text("from .factory import create\n")
    (site / "factory.py").write_text(
        "known = {}\n\n\ndef register(f):\n    known[f.__name__] = f\n    return f\n\n\ndef create(name):\n"
        "    return known[name]()\n"
    )
    (site / "nets.py").write_text(INSTALLED.format(width=16))
    for name in ("one.py", "two.py"):
        (project / name).write_text("import torch\nimport lib\n\nlib.create('net')(torch.zeros(2, 8))\n")
    return site


INSTALLED = "from torch import nn\nfrom .factory import register\n\n\n@register\ndef net():\n    return nn.Linear({width}, 4)\n"


def test_a_changed_package_is_seen_by_all_who_use_it(dllint, installed, analysed):
    cold = dllint("check")
    assert cold.out.count("DLT101") == 2
    analysed.clear()
    assert dllint("check").out == cold.out
    assert analysed == []
    (installed / "nets.py").write_text(INSTALLED.format(width=8))
    assert "DLT101" not in dllint("check").out
    assert sorted(analysed) == ["one.py", "two.py"]


def test_a_package_that_is_no_longer_installed_is_seen(dllint, installed, project):
    assert dllint("check").status == 1
    installed.rename(project / ".venv" / "gone")
    assert dllint("check").status == 0
