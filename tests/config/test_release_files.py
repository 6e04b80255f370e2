"""Which directories may say something about the releases that a file is for."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.release_files import ReleaseFiles


@pytest.mark.parametrize("below", range(5))
@pytest.mark.parametrize("marker", [".git", "pyproject.toml"])
def test_directories_from_the_file_up_to_the_root_of_its_project(tmp_path: Path, marker: str, below: int) -> None:
    root = tmp_path / "outside" / "project"
    folders = [root]
    for number in range(below):
        folders.insert(0, folders[0] / f"f{number}")
    folders[0].mkdir(parents=True)
    (root / marker).touch()
    assert ReleaseFiles().directories(folders[0] / "train.py") == folders


@pytest.mark.parametrize("depth", [1, 3, 5000])
def test_of_what_belongs_to_no_project_there_is_the_directory_only(depth: int) -> None:
    folder = Path("/", *["nowhere"] * depth)
    assert ReleaseFiles().directories(folder / "train.py") == [folder]


def test_below_the_working_directory_the_root_is_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path.joinpath(*["a"] * 3000)
    directories = ReleaseFiles().directories(folder / "train.py")
    assert directories == [folder, *folder.parents[:3000]]
    assert directories[-1] == tmp_path
