"""Whatever changes in a project, a run with a cache says exactly what one without says: random projects, random changes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from dllint.cli.main import run
from dllint.source import stamps

#: Modules, in an order in which the earlier may be imported by the later; some lie in packages, one in a namespace package.
MODULES = ("base", "pack.size", "pack.inner.deep", "loose.part", "hop", "Mixed", "pack.more")
#: Scripts; near the deep ones lies nothing that they import, so that only their imports tell what they depend on.
USERS = ("use.py", "scripts/deep/other.py", "scripts/deep/third.py")
FORMATS = ("full", "concise", "json", "github", "sarif")
EXTRAS: tuple[tuple[str, ...], ...] = (
    (),
    ("--statistics",),
    ("--min-coverage", "100"),
    ("-q",),
    ("--hints",),
    ("--unsafe-fixes",),
)


def file_of(module: str) -> str:
    return f"{module.replace('.', '/')}.py"


def write(folder: Path, name: str, text: str | bytes) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        shutil.rmtree(path)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


def a_width(random: Random, module: str) -> str:
    """The text of a module that has a width: written, or taken from another module, or from itself by way of others."""
    others = [other for other in MODULES if other != module]
    source = random.choice(others)
    written = f"WIDTH = {random.choice((4, 5))}\n"
    parent, _, last = source.rpartition(".")
    taken = random.choice(
        (
            f"from {source} import WIDTH\n",
            f"import {source}\n\nWIDTH = {source}.WIDTH\n",
            f"from {parent or source} import {last if parent else 'WIDTH'}\n" + (f"WIDTH = {last}.WIDTH\n" if parent else ""),
            f"try:\n    from {source} import WIDTH\nexcept ImportError:\n    WIDTH = 4\n",
            f"from .{last} import WIDTH\n",
            f"from {source} import *\n",
            f"from {source} import *\nWIDTH = WIDTH\n__all__ = ['WIDTH']\n",
            f"from {source} import fill\nfrom {random.choice(others)} import TABLE\nSIZES = dict(TABLE)\nfill(SIZES)\n"
            "WIDTH = SIZES['width']\n",
            f"def __getattr__(name):\n    from {source} import WIDTH\n    return WIDTH\n",
            f"import importlib\n\n\ndef __getattr__(name):\n    return getattr(importlib.import_module('{source}'), name)\n",
            f"from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from {source} import WIDTH\n"
            f"else:\n    from {random.choice(others)} import WIDTH\n",
            f"import json\n\nWIDTH = json.load(open('sizes.json'))['{random.choice(('one', 'two'))}']\n",
            "import yaml\n\nWIDTH = yaml.safe_load(open('sizes.yaml'))['one']\n",
        )
    )
    listed = random.choice(
        ("", "", "__all__ = ['WIDTH', 'TABLE']\n", "__all__ = ['TABLE']\n", "__all__ = ['TABLE'] + ['WIDTH']\n")
    )
    return listed + random.choice((written, taken, written + taken)) + random.choice(("", a_table(random, source)))


def a_table(random: Random, source: str) -> str:
    """What others may use of a module beside its width: a table, what fills tables, a class that is built late."""
    late = f"        from {source} import WIDTH\n        return WIDTH\n"
    return (
        f"TABLE = {{'width': {random.choice((4, 5))}}}\n\n\ndef fill(table):\n"
        f"    table['width'] = {random.choice(('4', '5', 'TABLE[`width`]')).replace('`', chr(39))}\n\n\n"
        f"class Sizes:\n    def width(self):\n{late}"
    )


def a_user(random: Random) -> str:
    """The text of a script whose fault depends on the widths."""
    one, two = random.sample(MODULES, 2)
    imported = random.choice(
        (
            f"from {one} import WIDTH\n",
            f"from {one} import *\n",
            f"import {one}\nWIDTH = {one}.WIDTH\n",
            f"from {one} import Sizes\nWIDTH = Sizes().width()\n",
            f"from {one} import TABLE, fill\nSIZES = dict(TABLE)\nfill(SIZES)\nWIDTH = SIZES['width']\n",
        )
    )
    return (
        f"import torch\nfrom torch import nn\n{imported}from {two} import WIDTH as OTHER\n\n\n"
        "class Net(nn.Module):\n    def __init__(self, width):\n        super().__init__()\n"
        "        self.first = nn.Linear(width, OTHER)\n        self.second = nn.Linear(5, 2)\n\n"
        "    def forward(self, x):\n        return self.second(self.first(x))\n\n\n"
        f"Net(WIDTH)(torch.zeros(2, {random.choice((4, 5))}))\n"
    )


def new_project(folder: Path, random: Random) -> None:
    (folder / ".git").mkdir()
    for module in MODULES:
        write(folder, file_of(module), a_width(random, module))
    for package in ("pack", "pack/inner"):
        if random.random() < 0.7:
            write(folder, f"{package}/__init__.py", "")
    write(folder, "sizes.json", '{"one": 4, "two": 5}')
    write(folder, "sizes.yaml", "one: 4")
    for name in USERS:
        write(folder, name, a_user(random))


def python_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.py") if path.is_file())


def edit(folder: Path, random: Random) -> None:
    module = random.choice(MODULES)
    write(folder, file_of(module), a_width(random, module))


def resize(folder: Path, random: Random) -> None:
    """All written widths of a module change: only files that have taken them from it can tell."""
    path = random.choice([path for path in python_files(folder) if b"WIDTH = " in path.read_bytes()] or python_files(folder))
    path.write_bytes(path.read_bytes().translate(bytes.maketrans(b"45", b"54")))


def edit_user(folder: Path, random: Random) -> None:
    write(folder, random.choice(USERS), a_user(random))


def delete(folder: Path, random: Random) -> None:
    random.choice(python_files(folder)).unlink()


def move(folder: Path, random: Random) -> None:
    path = random.choice(python_files(folder))
    path.rename(random.choice((folder, folder / "pack", folder / "loose", path.parent)) / random.choice(("size.py", path.name)))


def shadow(folder: Path, random: Random) -> None:
    """A module becomes a package of the same name, or gets a namesake nearer to those that import it."""
    module = random.choice(MODULES)
    place = random.choice((folder, folder / "scripts" / "deep", folder / "src", folder / "pack"))
    where = random.choice((f"{file_of(module)[:-3]}/__init__.py", file_of(module)))
    write(place, where, f"WIDTH = {random.choice((4, 5))}\n")


def circle(folder: Path, random: Random) -> None:
    one, two = random.sample(MODULES, 2)
    write(folder, file_of(one), f"from {two} import WIDTH\n")
    write(folder, file_of(two), f"from {one} import WIDTH\nWIDTH = {random.choice((4, 5))}\n")


def package(folder: Path, random: Random) -> None:
    path = folder / random.choice(("pack", "pack/inner", "loose")) / "__init__.py"
    if path.exists() and random.random() < 0.5:
        path.unlink()
    else:
        write(
            path.parent, path.name, random.choice(("", "WIDTH = 5\n", "from base import WIDTH\n", "from .size import WIDTH\n"))
        )


def configure(folder: Path, random: Random) -> None:
    lines = random.choice(('src = ["src"]', 'src = ["."]', 'ignore = ["DLT101"]', 'severity = { DLT101 = "warning" }', ""))
    write(folder, "dllint.toml", f"{lines}\n")


def pin(folder: Path, random: Random) -> None:
    place = random.choice(("requirements.txt", "requirements/base.txt", "README.md"))
    write(folder, place, f"torch=={random.choice(('1.4.0', '2.0.0', '2.4.0'))}\n")


def link(folder: Path, random: Random) -> None:
    module = folder / file_of(random.choice(MODULES))
    target = random.choice(python_files(folder))
    if target != module and not target.is_symlink():
        module.parent.mkdir(parents=True, exist_ok=True)
        module.unlink(missing_ok=True)
        module.symlink_to(target)


def link_folder(folder: Path, random: Random) -> None:
    """``loose`` leads to one of two folders that lie elsewhere."""
    for name in ("one", "two"):
        write(folder, f"kept.{name}/part.py", f"WIDTH = {4 if name == 'one' else 5}\n")
    loose = folder / "loose"
    if loose.is_symlink():
        loose.unlink()
    elif loose.exists():
        shutil.rmtree(loose)
    loose.symlink_to(folder / f"kept.{random.choice(('one', 'two'))}")


def behind_the_link(folder: Path, random: Random) -> None:
    """Where a link leads to, something comes or goes."""
    name = random.choice(("one", "two"))
    path = folder / f"kept.{name}" / "part.py"
    if path.exists() and random.random() < 0.5:
        path.unlink()
    else:
        write(folder, f"kept.{name}/part.py", f"WIDTH = {random.choice((4, 5))}\n")


def case(folder: Path, random: Random) -> None:
    for one, two in (("Mixed.py", "mixed.py"), ("mixed.py", "Mixed.py")):
        if (folder / one).is_file():
            (folder / one).rename(folder / two)
            return


def encode(folder: Path, random: Random) -> None:
    path = random.choice(python_files(folder))
    coding = random.choice(
        (b"# coding: latin-1\n# \xe9\n", b"# coding: utf-8\n# \xe9\n", b"\xef\xbb\xbf", b"# coding: cp1252\n")
    )
    path.write_bytes(coding + path.read_bytes())


def sizes(folder: Path, random: Random) -> None:
    """A file with sizes comes, changes or goes: at the root, or nearer to those that read it."""
    path = random.choice((folder, folder / "pack")) / random.choice(("sizes.json", "sizes.yaml"))
    if path.exists() and random.random() < 0.3:
        path.unlink()
    else:
        write(path.parent, path.name, random.choice(('{"one": 4, "two": 5}', '{"one": 5, "two": 4}', "one: 4", '{"one": [')))


def same_size(folder: Path, random: Random) -> None:
    """Another content of the same size and with the same time: only the file system's own clock tells."""
    path = folder / "base.py"
    write(folder, "base.py", "WIDTH = 4\n")
    os.utime(path, ns=(10**18, 10**18))


CHANGES: tuple[Callable[[Path, Random], None], ...] = (
    edit, edit, *[resize] * 6, edit_user, delete, move, shadow, shadow, shadow, circle, package, configure, pin, link,
    link_folder, behind_the_link, case, encode, same_size, sizes, sizes,
)  # fmt: skip


def described(status: int, captured: pytest.CaptureResult[str]) -> tuple[int, str, str]:
    return status, captured.out, captured.err


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("seed", range(32))
def test_a_run_with_a_cache_says_what_one_without_says(tmp_path, monkeypatch, capsys, seed):
    random = Random(seed)
    monkeypatch.chdir(tmp_path)
    if seed % 2:  # what was just written counts as old: only its stamp tells that it has changed
        monkeypatch.setattr(stamps, "YOUNG", 0)
    new_project(tmp_path, random)
    for step in range(8):
        if step:
            for _ in range(random.choice((1, 1, 2))):
                random.choice(CHANGES)(tmp_path, random)
        files = python_files(tmp_path)
        names = [path.relative_to(tmp_path).as_posix() for path in files]
        given = random.choice((["."], ["."], random.sample(names, min(2, len(names))), ["use.py", str(tmp_path / USERS[-1])]))
        arguments = ["check", "--output-format", random.choice(FORMATS), *given]
        if not {"sarif", "github"} & set(arguments):
            arguments += random.choice(EXTRAS)
        without = described(run([*arguments, "--no-cache"]), capsys.readouterr())
        for _ in range(2):
            assert described(run(arguments), capsys.readouterr()) == without, (seed, step, arguments)
