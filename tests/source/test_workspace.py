"""Which file an import names."""

import os
from pathlib import Path

import pytest

from dllint.source import workspace as workspace_module
from dllint.source.document import Document
from dllint.source.workspace import Workspace


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in (
        "train.py",
        "package/__init__.py",
        "package/net.py",
        "package/blocks/__init__.py",
        "package/blocks/conv.py",
        "namespace/part.py",
        "src/library/__init__.py",
        "src/library/core.py",
        "scripts/run.py",
        "scripts/local.py",
        "scripts/package.txt",
        "env/lib/site-packages/torch/__init__.py",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"name = {name!r}\n")
    return tmp_path


@pytest.mark.parametrize(
    ("source", "module", "level", "target"),
    [
        ("train.py", "package", 0, "package/__init__.py"),
        ("train.py", "package.net", 0, "package/net.py"),
        ("train.py", "package.blocks.conv", 0, "package/blocks/conv.py"),
        ("train.py", "namespace.part", 0, "namespace/part.py"),
        ("train.py", "namespace", 0, "namespace"),
        ("train.py", "library.core", 0, "src/library/core.py"),
        ("src/library/core.py", "library", 0, "src/library/__init__.py"),
        ("package/blocks/conv.py", "package.net", 0, "package/net.py"),
        ("package/blocks/conv.py", "", 1, "package/blocks/__init__.py"),
        ("package/blocks/conv.py", "net", 2, "package/net.py"),
        ("package/blocks/conv.py", "blocks.conv", 2, "package/blocks/conv.py"),
        ("package/__init__.py", "net", 1, "package/net.py"),
        ("scripts/run.py", "local", 0, "scripts/local.py"),
        ("scripts/run.py", "package.net", 0, "package/net.py"),
        ("train.py", "torch", 0, None),
        ("train.py", "package.missing", 0, None),
        ("train.py", "local", 0, None),
        ("train.py", "package.net.Net", 0, None),
        ("package/net.py", "missing", 1, None),
    ],
)
def test_an_import_names_a_file(project, source, module, level, target):
    workspace = Workspace([project])
    document = workspace.document(project / source)
    assert workspace.resolve(document, module, level) == (project / target if target else None)


def test_a_file_wins_over_a_directory_farther_up(project):
    (project / "scripts/library").mkdir()
    (project / "scripts/library/note.py").write_text("")
    workspace = Workspace([project])
    document = workspace.document(project / "scripts/run.py")
    assert workspace.resolve(document, "library") == project / "src/library/__init__.py"


def test_without_a_root_the_packages_around_a_file_are_found(project):
    workspace = Workspace([])
    document = workspace.document(project / "package/blocks/conv.py")
    assert workspace.resolve(document, "package.net") == project / "package/net.py"
    assert workspace.resolve(document, "train") == project / "train.py"


def test_submodules_of_a_package(project):
    workspace = Workspace([project])
    assert workspace.submodule(project / "package/__init__.py", "net") == project / "package/net.py"
    assert workspace.submodule(project / "namespace", "part") == project / "namespace/part.py"
    assert workspace.submodule(project / "package/net.py", "x") is None


def test_a_tree_of_links_is_a_workspace_of_its_own(project, tmp_path):
    shadow = tmp_path / "shadow"
    shadow.mkdir()
    os.symlink(project / "package", shadow / "package")
    (shadow / "main.py").write_text("import package.net\n")
    workspace = Workspace([shadow])
    found = workspace.resolve(workspace.document(shadow / "main.py"), "package.net")
    assert found == shadow / "package/net.py"
    assert workspace.resolve(workspace.document(found), "blocks.conv", 1) == shadow / "package/blocks/conv.py"


def test_installed_packages_are_never_looked_into(project):
    workspace = Workspace([project, project / "env/lib"])
    document = workspace.document(project / "train.py")
    assert workspace.resolve(document, "site-packages.torch") is None
    assert workspace.resolve(document, "env.lib.site-packages.torch") is None


def test_a_root_among_installed_packages_sees_itself_only(project):
    site = project / "env/lib/site-packages"
    (site / "timm").mkdir()
    (site / "timm/__init__.py").write_text("")
    (site / "timm/layers.py").write_text("")
    workspace = Workspace([site / "timm"])
    document = workspace.document(site / "timm/layers.py")
    assert workspace.resolve(document, "timm.layers") == site / "timm/layers.py"
    assert workspace.resolve(document, "torch") is None


def test_documents_are_kept_and_forgotten(project):
    workspace = Workspace([project])
    first = workspace.document(project / "train.py")
    assert workspace.document(project / "train.py") is first
    assert workspace.document(project / "missing.py") is None
    workspace.put(Document.from_text(project / "train.py", "edited = 1\n"))
    assert workspace.document(project / "train.py").text == "edited = 1\n"
    workspace.forget(project / "train.py")
    assert workspace.document(project / "train.py").text == first.text


def test_new_files_are_found_after_forgetting(project):
    workspace = Workspace([project])
    document = workspace.document(project / "train.py")
    assert workspace.resolve(document, "later") is None
    (project / "later.py").write_text("")
    workspace.forget(project / "later.py")
    assert workspace.resolve(document, "later") == project / "later.py"


def test_the_oldest_documents_leave_first(project, monkeypatch):
    monkeypatch.setattr(workspace_module, "KEPT_CHARACTERS", 50)
    workspace = Workspace([project])
    first = workspace.document(project / "train.py")
    workspace.document(project / "package/net.py")
    workspace.document(project / "package/blocks/conv.py")
    assert workspace.document(project / "train.py") is not first


def test_an_undecodable_file_has_no_document(project):
    (project / "binary.py").write_bytes(b"\x00\xff")
    assert Workspace([project]).document(project / "binary.py") is None
