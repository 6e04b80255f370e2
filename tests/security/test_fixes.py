"""``--fix`` writes the files of the project that are meant to be written, and says which it leaves alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dllint.engine.apply import LeftAloneError, write_atomically
from tests.security.confined import confined, told

FIXABLE = "import torch\nfrom torch import nn\n\nnet = nn.Linear(4, 2)\nnet(torch.zeros(8, 5))\n"


@pytest.fixture
def user(tmp_path) -> Path:
    """A directory of the user with a file that could be fixed."""
    (tmp_path / "user").mkdir()
    (tmp_path / "user" / "precious.py").write_text(FIXABLE)
    return tmp_path / "user"


@pytest.fixture
def checkout(tmp_path) -> Path:
    folder = tmp_path / "checkout"
    (folder / ".git").mkdir(parents=True)
    (folder / "plain.py").write_text(FIXABLE)
    return folder


def fix(checkout: Path, *paths: str) -> str:
    return told(confined(checkout, "check", "--fix", "--unsafe-fixes", *(paths or (".",))))


def test_the_program_is_one_that_is_fixed(checkout):
    fix(checkout)
    assert (checkout / "plain.py").read_text() != FIXABLE


@pytest.mark.parametrize("way", ["file", "relative", "chain", "directory"])
def test_links_out_of_the_project_are_left_alone(checkout, user, way):
    path = checkout / "linked.py"
    if way == "file":
        path.symlink_to(user / "precious.py")
    elif way == "relative":
        path.symlink_to("../user/precious.py")
    elif way == "chain":
        (checkout / "hop").symlink_to(user)
        path.symlink_to("hop/precious.py")
    else:
        (checkout / "folder").symlink_to(user)
        path = checkout / "folder" / "precious.py"
    done = fix(checkout, str(path.relative_to(checkout)), "plain.py")
    assert "leads out of the project" in done
    assert (user / "precious.py").read_text() == FIXABLE
    assert [entry.name for entry in user.iterdir()] == ["precious.py"]
    assert (checkout / "plain.py").read_text() != FIXABLE


def test_links_inside_of_the_project_are_followed(checkout):
    (checkout / "pkg").mkdir()
    (checkout / "pkg" / "real.py").write_text(FIXABLE)
    (checkout / "linked.py").symlink_to("pkg/real.py")
    fix(checkout, "linked.py")
    assert (checkout / "linked.py").is_symlink()
    assert (checkout / "pkg" / "real.py").read_text() != FIXABLE


def test_hard_links_stay_what_they_are(checkout, user):
    os.link(user / "precious.py", checkout / "linked.py")
    assert "hard link" in fix(checkout)
    assert (user / "precious.py").read_text() == FIXABLE
    assert (checkout / "linked.py").samefile(user / "precious.py")
    assert (checkout / "plain.py").read_text() != FIXABLE


@pytest.mark.parametrize("mode", [0o444, 0o400, 0o555])
def test_read_only_files_stay_as_they_are(checkout, mode):
    path = checkout / "kept.py"
    path.write_text(FIXABLE)
    path.chmod(mode)
    assert "read-only" in fix(checkout)
    assert path.read_text() == FIXABLE
    assert path.stat().st_mode & 0o777 == mode
    assert (checkout / "plain.py").read_text() != FIXABLE


def test_what_is_left_alone_is_still_reported_and_the_status_says_so(checkout, user):
    (checkout / "linked.py").symlink_to(user / "precious.py")
    done = confined(checkout, "check", "--fix", "--unsafe-fixes", "linked.py")
    assert "not-written: linked.py" in told(done)
    assert done.status == 2


@pytest.mark.parametrize("kind", ["pipe", "directory", "gone"])
def test_what_is_no_file_any_more_is_not_written(checkout, kind):
    path = checkout / "plain.py"
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "directory":
        path.mkdir()
    before = sorted(checkout.iterdir())
    with pytest.raises(OSError, match=r"regular|hard link|directory|No such"):
        write_atomically(path, b"new", FIXABLE.encode())
    assert sorted(checkout.iterdir()) == before


def test_no_temporary_file_is_left_behind(checkout, user):
    (checkout / "linked.py").symlink_to(user / "precious.py")
    before = sorted(checkout.iterdir())
    with pytest.raises(LeftAloneError):
        write_atomically(checkout / "linked.py", b"new", FIXABLE.encode())
    assert sorted(checkout.iterdir()) == before
