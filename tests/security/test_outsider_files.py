"""Attacks of an outsider: files of every kind, made for the purpose, must cost nobody else a finding."""

# ruff: noqa: E501 - what is sent or written stands on one line
from __future__ import annotations

import json
import os
import stat
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.security.outsider import FAULTY, check, dllint, project, sound

DEEP = 100_000
DIGITS = "9" * 5000
ATTACKS: dict[str, Callable[[Path], None]] = {}


def attack(make: Callable[[Path], None]) -> Callable[[Path], None]:
    """Register what a hostile author puts into the checkout."""
    ATTACKS[make.__name__] = make
    return make


def write(path: Path, content: str | bytes) -> Path:
    """Write a file with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    return path


def notebook(source: object, **more: object) -> str:
    """A notebook with one cell."""
    cell = {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": None}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5} | more)


# What says which releases a checkout is for.


@attack
def requirements_with_versions_of_many_digits(folder: Path) -> None:
    write(folder / "requirements.txt", f"torch=={DIGITS}\nkeras>={DIGITS}!1\ntensorflow<2.{DIGITS}\nnumpy==1.post{DIGITS}\n")


@attack
def pyproject_with_versions_of_many_digits(folder: Path) -> None:
    write(
        folder / "pyproject.toml",
        f'[project]\nname="a"\nrequires-python=">={DIGITS}"\ndependencies=["torch=={DIGITS}", "keras<={DIGITS}.*"]\n',
    )


@attack
def lock_files_with_versions_of_many_digits(folder: Path) -> None:
    for name in ("poetry.lock", "uv.lock", "pdm.lock", "pylock.toml"):
        write(folder / name, f'version = {DIGITS}\n[[package]]\nname = "torch"\nversion = "{DIGITS}"\n')
    write(folder / "Pipfile.lock", json.dumps({"default": {"torch": {"version": f"=={DIGITS}"}}}))
    write(folder / "Pipfile", f'[packages]\ntorch = "=={DIGITS}"\n[requires]\npython_version = "{DIGITS}"\n')


@attack
def requirements_that_include_themselves_and_the_system(folder: Path) -> None:
    os.mkfifo(folder / "pipe.txt")
    includes = "-r requirements.txt\n-r other.txt\n-r /etc/passwd\n-r /dev/zero\n-r pipe.txt\n-c ../../../../dev/urandom\n"
    write(folder / "requirements.txt", includes + "-r https://localhost:1/x\n-e .\n--index-url http://127.0.0.1:1\n-r .\n")
    write(folder / "other.txt", "-r requirements.txt\n-c other.txt\n" * 1000)


@attack
def requirements_that_include_each_other_like_a_tree(folder: Path) -> None:
    for number in range(40):
        write(folder / f"requirements{number}.txt", f"-r requirements{number + 1}.txt\n" * 4)
    write(folder / "requirements.txt", "-r requirements0.txt\n")


@attack
def requirements_with_deep_markers(folder: Path) -> None:
    deep = "(" * 5000 + "python_version > '3'" + ")" * 5000
    many = " and ".join(["python_version > '3'"] * 5000)
    write(
        folder / "requirements.txt", f"torch==2.0; {deep}\ntorch==2.1; {many}\ntorch[{'a,' * 20000}]==2\ntorch{',>1' * 5000}\n"
    )


@attack
def requirements_of_one_long_line(folder: Path) -> None:
    write(folder / "requirements.txt", "torch==" + "1." * 200_000 + "\n" + "torch \\\n" * 50_000 + "#" + " " * 500_000 + "\\")


@attack
def requirements_in_odd_encodings(folder: Path) -> None:
    write(folder / "requirements.txt", "torch==2.0\n".encode("utf-16"))
    write(folder / "constraints.txt", b"\xff\xfe\x00torch==2.0\x00\n\xed\xa0\x80")
    write(folder / "setup.cfg", b"[options]\ninstall_requires =\n  torch==\xff\n")


@attack
def conda_environment_with_a_billion_laughs(folder: Path) -> None:
    lines = ["a0: &a0 [torch, torch]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    write(folder / "environment.yml", "\n".join([*lines, "dependencies: *a11", "name: &x [*x]"]))


@attack
def conda_environment_that_is_deep_or_builds_objects(folder: Path) -> None:
    write(folder / "environment.yml", "dependencies: " + "[" * 20_000)
    write(folder / "environment.yaml", "dependencies: !!python/object/apply:os.system ['touch executed']\n")
    write(folder / "conda.yaml", "dependencies:\n" + "".join(" " * n + "-\n" for n in range(1000)))


@attack
def conda_environment_that_holds_itself(folder: Path) -> None:
    write(folder / "environment.yml", "dependencies: &a\n  - *a\n  - pip: *a\n  - ? *a\n  - 2026-99-99\n  - .nan\n")


@attack
def setup_files_with_endless_interpolation(folder: Path) -> None:
    write(folder / "setup.cfg", "[options]\na = %(a)s %(b)s\nb = %(a)s%(a)s\ninstall_requires = %(b)s %(\n[options]\n[a\n")
    write(
        folder / "setup.py", "from setuptools import setup\nsetup(install_requires=" + "[" * 90 + "'torch'" + "]" * 90 + ")\n"
    )


@attack
def setup_that_computes_without_end(folder: Path) -> None:
    write(
        folder / "setup.py",
        f"import setuptools\nx = 9**9**9**9\nsetuptools.setup(install_requires=['torch=='+'{DIGITS}'*10**9])\n",
    )


@attack
def readme_of_names_without_end(folder: Path) -> None:
    lines = ["torch " * 50_000, "torch" + " " * 100_000 + "x", "torch==" * 20_000, "tensorflow " + "1." * 50_000, "`" * 100_000]
    write(folder / "README.md", "\n".join(lines))


@attack
def virtual_environment_of_pipes_and_lies(folder: Path) -> None:
    packages = folder / ".venv/lib/python3.12/site-packages"
    write(folder / ".venv/pyvenv.cfg", f"version = {DIGITS}\nhome = /dev/zero\n")
    for name in (f"torch-{'9' * 200}.dist-info", "keras-\n::error::x.dist-info", "tensorflow-.dist-info", "numpy-1!.dist-info"):
        (packages / name).mkdir(parents=True)
        os.mkfifo(packages / name / "METADATA")
    (packages / "loop").symlink_to(packages)


# Configuration.


@attack
def git_folder_that_points_to_itself(folder: Path) -> None:
    write(folder / ".git", "gitdir: .git\n" * 1000)
    write(folder / "sub/.git", "gitdir: /dev/zero\n")
    write(folder / "sub/a.py", "import torch\n")


@attack
def git_ignore_of_every_kind(folder: Path) -> None:
    for number, make in enumerate(
        (os.mkfifo, os.mkdir, lambda p: p.symlink_to("/dev/zero"), lambda p: p.symlink_to(".gitignore"))
    ):
        (folder / f"d{number}").mkdir()
        make(folder / f"d{number}" / ".gitignore")
        write(folder / f"d{number}" / "a.py", "x = 1\n")
    write(
        folder / ".gitignore",
        b"\xff[\n[!\n\\\n!\n**/" + b"**/a" * 3000 + b"\n\x00*\n" + b"[a-" * 9000 + b"\n{" * 900 + b"z" * 9**6,
    )


@attack
def deep_folders(folder: Path) -> None:
    here = os.open(folder, os.O_RDONLY)
    for _ in range(40):  # longer than any path may be
        os.mkdir("d" * 120, dir_fd=here)
        below = os.open("d" * 120, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    with open(os.open("deep.py", os.O_CREAT | os.O_WRONLY, dir_fd=here), "w") as file:
        file.write(FAULTY)
    os.close(here)


@attack
def very_many_folders_in_each_other(folder: Path) -> None:
    here = str(folder)
    for _ in range(1050):
        here += "/d"
        os.mkdir(here)
    write(Path(here) / "deep.py", FAULTY)


@attack
def folders_linked_into_each_other(folder: Path) -> None:
    for name in "abc":
        (folder / name).mkdir()
        for other in "abc":
            (folder / name / f"to_{other}").symlink_to(folder / other)
        (folder / name / "up").symlink_to("..")
        (folder / name / "root").symlink_to("/")
    write(folder / "m.py", "import a.up.b.up.c, a.root.etc, a.to_a.to_b.to_c\nfrom a.up.a.up import zz_victim\n")


@attack
def files_that_may_not_be_read(folder: Path) -> None:
    write(folder / "locked/a.py", FAULTY).parent.chmod(0)
    write(folder / "locked.py", FAULTY).chmod(0)
    write(folder / "listed/b.py", FAULTY).parent.chmod(stat.S_IRUSR)


@attack
def links_to_what_the_kernel_shows(folder: Path) -> None:
    for number, target in enumerate(
        ("/proc/self/mem", "/proc/kmsg", "/proc/self/fd/0", "/dev/tty", "/proc/self/pagemap", "/dev/stdin")
    ):
        (folder / f"k{number}.py").symlink_to(target)
    write(folder / "uses.py", "import k0, k1, k2, k3, k4, k5\n")


@attack
def folders_with_names_of_files(folder: Path) -> None:
    for name in (
        "a.py",
        "b.ipynb",
        "requirements.txt",
        "setup.py",
        "README.md",
        ".dllintignore",
        "poetry.lock",
        "environment.yml",
    ):
        (folder / name / "__init__.py").mkdir(parents=True)
    write(folder / "c.py", "import a, b\nfrom a.py import *\n")


# Modules.


@attack
def modules_that_shadow_what_is_known(folder: Path) -> None:
    for name in ("keras", "numpy", "builtins", "typing", "collections", "math", "functools", "__future__", "__main__", "sys"):
        write(
            folder / f"{name}.py",
            f"from {name} import *\nimport {name}\nNone_ = {name}.{name}\ndef __getattr__(n): return {name}\n",
        )
    write(folder / "sub/torch/__init__.py", "from . import *\nfrom .. import *\nfrom ..sub.torch import nn as nn\nones = nn\n")


@attack
def a_long_chain_of_imports(folder: Path) -> None:
    for number in range(100):
        write(folder / f"m{number}.py", f"from m{number + 1} import *\nfrom m{(number * 7) % 100} import x\nx = x\n")


@attack
def a_dense_cycle_of_star_imports(folder: Path) -> None:
    for number in range(30):
        write(folder / f"m{number}.py", "".join(f"from m{other} import *\n" for other in range(30)) + f"v{number} = 1\n")


@attack
def star_imports_of_thousands_of_names(folder: Path) -> None:
    write(folder / "names.py", "".join(f"n{number} = {number}\n" for number in range(5000)))
    for number in range(4):
        write(folder / f"user{number}.py", "import torch\nfrom names import *\ntorch.ones(n9)\n")


@attack
def imports_with_endless_names(folder: Path) -> None:
    write(folder / "a/__init__.py", "from .a import a\n")
    lines = [
        "import " + ".".join(["a"] * 5000),
        "from " + "." * 5000 + " import x",
        "from " + "." * 3 + ".".join(["a"] * 3000) + " import *",
    ]
    write(
        folder / "m.py",
        "\n".join([*lines, "import " + "b" * 100_000, "from a import " + ", ".join(f"x{n}" for n in range(9000))]),
    )


# Notebooks.

NOTEBOOKS: dict[str, str | bytes] = {
    "cells_that_are_no_list": '{"cells": {"a": 1}, "nbformat": 4}',
    "cells_that_are_no_cells": '{"cells": [1, null, [], "a", {"cell_type": []}, {"cell_type": "code", "source": {"a": 1}}], "nbformat": 4}',
    "sources_of_numbers": notebook([1, None, ["import torch"], 1e999]),
    "keys_twice": '{"cells": 1, "cells": [{"cell_type": "code", "cell_type": "code", "source": 3, "source": ["import torch\\n"]}]}',
    "no_numbers": '{"cells": [], "nbformat": NaN, "nbformat_minor": -Infinity, "metadata": {"a": 1e99999}}',
    "long_number": f'{{"cells": [], "nbformat": {DIGITS}, "nbformat_minor": -{DIGITS}}}',
    "deep": '{"cells": ' + "[" * DEEP,
    "deep_metadata": '{"cells": [], "metadata": ' + '{"a":' * DEEP + "1" + "}" * DEEP + "}",
    "lone_surrogates": notebook("import torch\nx = '\ud800'\ntorch.ones(3).view(7) # \udc80\n"),
    "nul": notebook("import torch\n\0torch.ones(3).view(7)\n"),
    "mark": b"\xef\xbb\xbf" + notebook("import torch").encode(),
    "utf_16": notebook("import torch").encode("utf-16"),
    "worksheets": '{"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": "import torch", "language": 3}]}]}',
    "kernels": notebook("import torch", metadata={"kernelspec": [], "language_info": {"name": 3, "version": DIGITS}}),
    "long_kernel_version": notebook("import torch", metadata={"language_info": {"name": "python", "version": "3." + DIGITS}}),
    "magics": notebook(
        "%%capture\n%%time\n!x = 1\n%" + "a" * 50_000 + "\n" + "?" * 50_000 + "\n%%python\n" + "!" * 50_000 + "\nx = !ls\\\n"
    ),
    "installs": notebook(
        f"!pip install torch=={DIGITS}\n%pip install -r /etc/passwd -r /dev/zero " + "torch==1 " * 20_000 + "\n"
    ),
    "outputs": notebook(
        "import torch", cells=[{"cell_type": "code", "source": "1", "outputs": [{"text": {"a": []}, "data": 3}, 7]}]
    ),
    "many_cells": json.dumps({"cells": [{"cell_type": "code", "source": "import torch\n"}] * 4000, "nbformat": 4}),
    "spaces": notebook("%" + " " * 200_000 + "\n" + " " * 200_000 + "!\n" + "a" + " " * 200_000 + "?"),
}


@pytest.mark.parametrize("name", ["others", "long_number"])
def test_a_notebook_costs_only_itself(tmp_path: Path, name: str) -> None:
    """ "Data that is nested too deeply for its reader costs only its own file": nor does data of any other bad shape."""
    folder = project(tmp_path)
    for each in NOTEBOOKS.keys() - {"long_number"} if name == "others" else {name}:
        write(folder / f"{each}.ipynb", NOTEBOOKS[each])
    sound(check(folder))


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("name", ATTACKS)
def test_a_file_costs_only_itself(tmp_path: Path, name: str) -> None:
    """ "Other files lose nothing", whatever lies beside them."""
    folder = project(tmp_path)
    ATTACKS[name](folder)
    try:
        sound(check(folder, "--config", "max-seconds=3") if name != "git_ignore_of_every_kind" else check(folder))
        assert not (folder / "executed").exists()
    finally:
        for path in folder.glob("l*"):
            path.chmod(0o700)
        if "folders" in name:
            subprocess.run(["rm", "-rf", folder / "d", folder / ("d" * 120)], check=True)


# Graphs, which are read if a configuration includes them.


def varint(number: int) -> bytes:
    """A number as protobuf writes it."""
    made = bytearray()
    while number > 127:
        made.append(number & 127 | 128)
        number >>= 7
    return bytes([*made, number])


def message(field: int, content: bytes) -> bytes:
    """A field of bytes as protobuf writes it."""
    return varint(field << 3 | 2) + varint(len(content)) + content


def nested(field: int, depth: int) -> bytes:
    """Messages in messages."""
    made = b""
    for _ in range(depth):
        made = message(field, made)
    return made


def bomb(path: Path) -> None:
    """An archive that says it is a program and grows to gigabytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/archive_format", "pt2")
        archive.writestr("a/version", "9" * 5000)
        archive.writestr("a/models/model.json", b" " * 100_000_000)
        archive.writestr("../../../../escaped", b"x")


def odd_program(content: str) -> Callable[[Path], None]:
    """An archive whose program is some text."""

    def make(path: Path) -> None:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("a/archive_format", "pt2")
            archive.writestr("a/models/model.json", content)
            archive.writestr("a/models/model.json", content)

    return make


def external_data(path: Path) -> None:
    """A graph whose weights lie in other people's files."""
    graph = b""
    for place in (b"/etc/passwd", b"../../../../../etc/passwd", b"pipe", b"/dev/zero", b"\x00", b"link"):
        entry = message(1, b"location") + message(2, place)
        length = message(1, b"length") + message(2, b"9" * 5000)
        graph += message(5, message(8, place) + b"\x08\x10\x10\x01\x70\x01" + message(13, entry) + message(13, length))
    os.mkfifo(path.parent / "pipe")
    (path.parent / "link").symlink_to("/etc/passwd")
    path.write_bytes(b"\x08\x08" + message(7, graph + message(2, b"g")))


GRAPHS: dict[str, tuple[str, bytes | Callable[[Path], None]]] = {
    "garbage_onnx": ("a.onnx", bytes(range(256)) * 100),
    "deep_onnx": ("a.onnx", b"\x08\x08" + message(7, message(1, message(5, message(6, nested(1, 3000)))))),
    "external_data": ("a.onnx", external_data),
    "deep_pbtxt": ("a.pbtxt", b"node { attr { value { func { " * 20_000),
    "long_pbtxt": ("a.pbtxt", b"node { name: '" + b"\\377" * 100_000 + b"' input: '^' op: 'Placeholder' }\n"),
    "deep_pb": ("a.pb", nested(1, 3000)),
    "garbage_pb": ("a.pb", b"\xff" * 100_000),
    "bomb_pt2": ("a.pt2", bomb),
    "deep_pt2": ("a.pt2", odd_program('{"graph_module":' * 50_000)),
    "odd_pt2": (
        "a.pt2",
        odd_program('{"graph_module": {"graph": {"nodes": [{"inputs": NaN}], "nodes": 3}}, "schema_version": 1e999}'),
    ),
    "no_archive_pt2": ("a.pt2", b"PK\x03\x04" + b"\xff" * 1000),
}


def test_graphs_cost_only_themselves(tmp_path: Path) -> None:
    """ "Data that is nested too deeply for its reader costs only its own file", in graphs, too."""
    folder = project(tmp_path)
    write(folder / "dllint.toml", 'include = ["*"]\nextend-exclude = ["*.toml", "pipe", "link"]\n')
    for name, (file, content) in GRAPHS.items():
        path = write(folder / name / file, b"")
        if callable(content):
            content(path)
        else:
            path.write_bytes(content)
    sound(check(folder), statuses=(0, 1, 2))
    assert not list(tmp_path.rglob("escaped"))


# Configuration: broken ones end the run with their name, and odd ones take nothing from other projects.

CONFIGURATIONS: dict[str, str | bytes] = {
    "deep": "a = " + "[" * DEEP,
    "deep_tables": "[" + "a." * 20_000 + "a]\n",
    "long_number": f"max-steps = {DIGITS}\n",
    "no_number": "max-seconds = nan\nmax-memory = inf\n",
    "negative": "max-seconds = -1\nmax-memory = -1\nmax-file-size = -1\n",
    "wrong_kinds": "select = {a = 1}\nexclude = [[[1]]]\nranges = [1]\nsrc = 3\ntarget = [1979-05-27]\n",
    "outside": 'src = ["/", "../../..", "~", "\\u0000"]\nbaseline = "../../../etc/passwd"\n',
    "long_target": f'target = ["torch=={DIGITS}"]\n',
    "target_with_address": 'target = ["torch @ file:///etc/passwd", "torch==2; (((("]\n',
    "nul_paths": 'cache-dir = "a\\u0000b"\nbaseline = "\\u0000"\n',
    "long_paths": f'cache-dir = "{"a" * 5000}"\n',
    "long_baseline": f'baseline = "{"a/" * 5000}"\n',
    "include_of_everything": 'include = ["**", "/**", "../**", "[", "\\u0000"]\n',
    "extends": 'extend = "/etc/passwd"\nextends = "http://127.0.0.1:1"\n',
    "bytes": b"\xff\xfe\x00a = 1",
}


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_a_configuration_holds_or_is_named(tmp_path: Path, name: str) -> None:
    """ "A configuration that cannot be read ends the run with its name": in one line, without an error of dllint's own."""
    folder = project(tmp_path)
    write(folder / "dllint.toml", CONFIGURATIONS[name])
    run = dllint(folder, "check", "--output-format", "json", "--no-cache")
    shown = run.text()[-2000:]
    assert "Traceback" not in shown, shown
    assert "internal" not in shown, shown
    assert run.seconds < 5, run.seconds
    assert (run.status in (0, 1) and b"zz_victim" in run.out) or (
        run.status == 2 and (b"dllint.toml" in run.err or b"baseline" in run.err)
    ), shown
    assert not (folder.parent / "home" / ".cache" / "x").exists()


@pytest.mark.parametrize("size", [20, 60])
def test_patterns_of_ranges_take_no_time(tmp_path: Path, size: int) -> None:
    """ "Patterns ... are matched in time that grows with their length": those of names in `ranges`, too."""
    folder = project(tmp_path)
    pattern = "*a" * size + "b"
    write(folder / "dllint.toml", f'[ranges]\n"{pattern}" = "[0, 1]"\n"{pattern}/*.py" = {{ "{pattern}" = "[0, 1]" }}\n')
    write(
        folder / ("a" * 200 + ".py"),
        f"import torch\n{'a' * 3000} = torch.ones(3)\ndef f({'a' * 2000}):\n    return {'a' * 2000}.log()\n",
    )
    sound(check(folder))
