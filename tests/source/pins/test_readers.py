"""What each kind of file says about releases, and that hostile ones say nothing and cost nothing."""

from __future__ import annotations

import json
import os
import time

import pytest

from dllint.source.pins import conda, environment, locks, notebooks, project, readme, requirements
from dllint.source.pins.pin import specifier_of

READERS = (requirements, project, locks, conda, environment, readme)


def said(read, directory):
    return {(pin.name, pin.specifier) for pin in read(directory)}


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("requirements.txt", "torch==1.7.1+cu110\n", ("torch", "==1.7.1+cu110")),
        ("requirements.txt", "-f https://x.org\ntensorflow ~= 2.14.0  # pinned\n", ("tensorflow", "~=2.14.0")),
        ("requirements.txt", "Keras >= 1.0 ; python_version > '3'\n", ("keras", ">=1.0")),
        ("requirements.txt", "tensorflow\n", ("tensorflow", "")),
        ("requirements.txt", "tensorflow==2.4 \\\n  --hash=sha256:00\n", ("tensorflow", "==2.4")),
        ("requirements-gpu.txt", "tensorflow_gpu==1.15.2", ("tensorflow-gpu", "==1.15.2")),
        ("constraints.txt", "torch<2", ("torch", "<2")),
        ("requirements/base.txt", "torch>=1.8.0", ("torch", ">=1.8.0")),
        ("requirements.txt", "https://x.org/whl/cpu/torch-1.4.0%2Bcpu-cp37-cp37m-linux_x86_64.whl", ("torch", "==1.4.0")),
        ("requirements.txt", "python==3.6.12\npytorch=1.3.1\n", ("pytorch", "==1.3.1")),
    ],
)
def test_requirements(name, text, wanted, tmp_path):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert wanted in said(requirements.in_directory, tmp_path)


def test_requirements_include_others_below_the_directory_only(tmp_path):
    inside = tmp_path / "project"
    inside.mkdir()
    (inside / "requirements.txt").write_text("-r more.txt\n-r ../outside.txt\n-r requirements.txt\n")
    (inside / "more.txt").write_text("torch==1.0\n")
    (tmp_path / "outside.txt").write_text("keras==2.0\n")
    assert said(requirements.in_directory, inside) == {("torch", "==1.0")}


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("pyproject.toml", '[project]\nrequires-python = ">=3.9"\n', ("python", ">=3.9")),
        ("pyproject.toml", '[project]\ndependencies = ["torch>=2.0"]\n', ("torch", ">=2.0")),
        ("pyproject.toml", '[project.optional-dependencies]\ntf = ["tensorflow<2.16"]\n', ("tensorflow", "<2.16")),
        ("pyproject.toml", '[tool.poetry.dependencies]\ntorch = "^1.8"\n', ("torch", ">=1.8,<2")),
        (
            "pyproject.toml",
            '[tool.poetry.dependencies]\ntorch = {version = "~1.8", x = 1}\n',
            ("torch", ">=1.8,<1.9"),
        ),
        ("pyproject.toml", '[tool.pdm.dev-dependencies]\ntest = ["keras==2.3.1"]\n', ("keras", "==2.3.1")),
        ("pyproject.toml", '[dependency-groups]\ntest = ["keras==2.3.1"]\n', ("keras", "==2.3.1")),
        ("setup.cfg", "[options]\npython_requires = >=3.6\ninstall_requires =\n    torch>=1.5\n", ("torch", ">=1.5")),
        ("setup.py", 'from setuptools import setup\nsetup(install_requires=["torch>=1.5"])\n', ("torch", ">=1.5")),
        ("setup.py", 'import setuptools\nDEPS = ["keras<3", x]\nsetuptools.setup(install_requires=DEPS)\n', ("keras", "<3")),
        ("setup.py", 'from setuptools import setup\nsetup(python_requires=">=3.9")\n', ("python", ">=3.9")),
    ],
)
def test_project_files(name, text, wanted, tmp_path):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert wanted in said(project.in_directory, tmp_path)


def test_setup_py_is_not_executed(tmp_path):
    (tmp_path / "setup.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nsetup(install_requires=['torch==1.0'])\n")
    assert said(project.in_directory, tmp_path) == {("torch", "==1.0")}
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("name", ["poetry.lock", "uv.lock", "pdm.lock"])
def test_lock_files(name, tmp_path):
    (tmp_path / name).write_text('[[package]]\nname = "tensorflow"\nversion = "2.4.1"\ndescription = ""\n')
    assert said(locks.in_directory, tmp_path) == {("tensorflow", "==2.4.1")}


def test_pipfile_and_its_lock(tmp_path):
    (tmp_path / "Pipfile.lock").write_text(json.dumps({"default": {"torch": {"version": "==1.9.0"}, "x": 3}}))
    (tmp_path / "Pipfile").write_text('[packages]\nkeras = "*"\n[requires]\npython_version = "3.7"\n')
    assert said(locks.in_directory, tmp_path) == {("torch", "==1.9.0")}
    assert said(locks.pipfile, tmp_path) == {("keras", ""), ("python", "==3.7.*")}


def test_conda(tmp_path):
    text = (
        "name: x\nchannels:\n  - pytorch=9\ndependencies:\n  - python=3.8.5\n  - pytorch::pytorch=1.7.0=py3.8_cuda\n"
        "  - pip:\n    - tensorflow-gpu==2.4\n  - keras>=2.3\n"
    )
    (tmp_path / "environment.yml").write_text(text)
    assert said(conda.in_directory, tmp_path) == {
        ("python", "==3.8.5.*"), ("pytorch", "==1.7.0.*"), ("tensorflow-gpu", "==2.4"), ("keras", ">=2.3"),
    }  # fmt: skip


def test_an_environment_is_read_by_its_names(tmp_path):
    packages = tmp_path / ".venv" / "lib" / "python3.9" / "site-packages"
    (packages / "torch-2.1.0+cpu.dist-info").mkdir(parents=True)
    (packages / "odd.dist-info").mkdir()
    (tmp_path / ".venv" / "pyvenv.cfg").write_text("home = /usr\nversion = 3.9.2\n")
    assert said(environment.in_directory, tmp_path) == {("torch", "==2.1.0+cpu"), ("python", "==3.9.2")}


def notebook(tmp_path, cells=(), **metadata):
    path = tmp_path / "a.ipynb"
    sources = [{"cell_type": "code", "source": source, "outputs": outputs} for source, outputs in cells]
    path.write_text(json.dumps({"metadata": metadata, "cells": sources}))
    return path


def test_a_notebook_tells_its_kernel_installations_and_versions(tmp_path):
    shown = [{"data": {"text/plain": ["'2.0.8'"]}}]
    printed = [{"output_type": "stream", "text": ["1.15.0\n"]}]
    cells = [
        ("import keras\nkeras.__version__", shown),
        ("import tensorflow as tf\nprint(tf.__version__)", printed),
        ("!pip install -q torch==1.8 'numpy<2'", []),
    ]
    pins = notebooks.of_notebook(notebook(tmp_path, cells, language_info={"name": "python", "version": "3.5.2"}))
    assert {(pin.name, pin.specifier, pin.declared) for pin in pins} >= {
        ("python", "==3.5.*", False), ("keras", "==2.0.8", False), ("tensorflow", "==1.15.0", False), ("torch", "==1.8", True),
    }  # fmt: skip


@pytest.mark.parametrize("kernel", [{"name": "python2"}, {"name": "x", "language": "python2"}])
def test_a_kernel_of_python_2(kernel, tmp_path):
    assert [pin.specifier for pin in notebooks.of_notebook(notebook(tmp_path, kernelspec=kernel))] == ["==2.7.*"]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("* Keras >= 1.0", ("keras", ">=1.0", True)),
        ("- tensorflow 1.6.0", ("tensorflow", "==1.6.0.*", False)),
        ("works with PyTorch 1.8.1+.", ("torch", ">=1.8.1", True)),
        ("TensorFlow 2.4 or later", ("tensorflow", ">=2.4", True)),
        ("[PyTorch](https://pytorch.org) 1.2", None),
        ("see tensorflow_v2/notebooks", None),
        ("pip install tensorflow==1.15", ("tensorflow", "==1.15", True)),
        ("keras2.0 and torchvision 0.9", None),
    ],
)
def test_readme(line, wanted, tmp_path):
    found = [(pin.name, pin.specifier, pin.declared) for pin in readme.of_text(line, tmp_path / "README.md")]
    assert found == ([wanted] if wanted else [])


@pytest.mark.parametrize(
    ("written", "wanted"),
    [("^2.4", ">=2.4,<3"), ("^0.3.1", ">=0.3.1,<0.4"), ("~2.4", ">=2.4,<2.5"), ("=1.1", "==1.1.*"), ("*", ""), ("2", "==2")],
)
def test_other_spellings(written, wanted):
    assert set(specifier_of(written).split(",")) == set(wanted.split(","))


HOSTILE = [
    b"",
    b"\x00\xff" * 1000,
    b"[" * 100_000,
    b"a=" * 100_000,
    b"-r requirements.txt\n" * 10_000,
    b"torch==" + b"9" * 100_000,
    b"torch>=1.0," * 10_000,
    b"[[package]]\nname = \"torch\"\nversion = \"" + b"1." * 50_000 + b"\"\n",
    b'{"metadata": {"language_info": 3, "kernelspec": []}, "cells": [1, null, {"cell_type": "code", "source": 3}]}',
    b'{"default": {"torch": []}, "develop": 3}',
    b"[project]\ndependencies = 3\noptional-dependencies = [1]\nrequires-python = []\n[tool]\npoetry = 3\n",
    b"setup(install_requires=[*x, 1, f(2)], extras_require={**y}, python_requires=3)",
    b"dependencies:\n" + b"  - pip:\n" * 10_000,
    b"tensorflow " * 20_000,
    b"\\\n" * 50_000,
]  # fmt: skip
NAMES = [
    "requirements.txt", "pyproject.toml", "setup.cfg", "setup.py", "poetry.lock", "Pipfile", "Pipfile.lock", "environment.yml",
    "README.md", "a.ipynb", ".venv/pyvenv.cfg",
]  # fmt: skip


def everything(directory):
    found = [pin for reader in READERS for pin in reader.in_directory(directory)]
    return [*found, *locks.pipfile(directory), *notebooks.of_notebook(directory / "a.ipynb")]


@pytest.mark.parametrize("content", HOSTILE, ids=range(len(HOSTILE)))
def test_broken_files_say_little_and_raise_nothing(content, tmp_path):
    for name in NAMES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    started = time.process_time()
    everything(tmp_path)
    assert time.process_time() - started < 10


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_only_regular_files_are_read(tmp_path):
    outside = tmp_path / "outside"
    outside.write_text("torch==1.0\n[project]\ndependencies=['torch==1.0']\n")
    inside = tmp_path / "inside"
    inside.mkdir()
    for number, name in enumerate(NAMES):
        (inside / name).parent.mkdir(exist_ok=True)
        if number % 2:
            os.mkfifo(inside / name)
        else:
            (inside / name).symlink_to(outside if number % 4 else "/dev/zero")
    assert everything(inside) == []


def test_large_files_are_left_alone(tmp_path):
    (tmp_path / "requirements.txt").write_text("#" * 1_000_000 + "\ntorch==1.0\n")
    assert everything(tmp_path) == []
