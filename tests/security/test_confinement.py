"""A checked-in configuration has no say about what lies outside of its project; the user has."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.confinement import lies_in, project_of
from tests.security.confined import confined, told

FAULTY = "import torch\n\ntorch.ones(3).view(7)\n"
#: Spellings of a place outside of the checkout, which stands beside it.
OUTSIDE = ("../user/{}", "{user}/{}", "pkg/../../user/{}", "link/{}", "pkg/up/user/{}", "./.././user//{}")


@pytest.fixture
def user(tmp_path) -> Path:
    """A directory of the user."""
    (tmp_path / "user" / "lib").mkdir(parents=True)
    (tmp_path / "user" / "lib" / "sizes.py").write_text("SIZE = 3\n")
    return tmp_path / "user"


@pytest.fixture(params=["dllint.toml", ".dllint.toml", "pyproject.toml", "--config"])
def checkout(request, tmp_path, user) -> Path:
    """A repository with links that lead out of it."""
    folder = tmp_path / "checkout"
    (folder / ".git").mkdir(parents=True)
    (folder / "pkg").mkdir()
    (folder / "link").symlink_to(user)
    (folder / "pkg" / "up").symlink_to("../..")
    (folder / "a.py").write_text("import sizes\n" + FAULTY)
    (folder / "file").write_text(request.param)
    return folder


def call(checkout: Path, line: str, *arguments: str) -> str:
    """Run with a setting in the configuration."""
    name = (checkout / "file").read_text()
    options = ("--config", "ci.toml") if name == "--config" else ()
    (checkout / (name if not options else "ci.toml")).write_text(("[tool.dllint]\n" if name == "pyproject.toml" else "") + line)
    return told(confined(checkout, *arguments, *options))


@pytest.mark.parametrize("place", OUTSIDE)
def test_no_cache_is_made_outside(checkout, user, place):
    named = place.format("made", user=user)
    done = call(checkout, f"cache-dir = '{named}'\n", "check", ".")
    assert f"`cache-dir` names `{named}`, which lies outside of the project" in done
    assert "DLT105" in done
    assert not (user / "made").exists()


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("place", OUTSIDE)
def test_no_baseline_is_written_or_read_outside(checkout, user, place):
    named = place.format("made.json", user=user)
    done = call(checkout, f"baseline = '{named}'\n", "check", "--update-baseline", ".")
    assert f"`baseline` names `{named}`, which lies outside of the project" in done or "needs the file" in done
    assert not (user / "made.json").exists()
    (user / "made.json").write_text("{")
    assert "DLT105" in call(checkout, f"baseline = '{named}'\n", "check", ".")
    assert (user / "made.json").read_text() == "{"


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    "named", [".git/hooks/pre-commit", ".git/made", "pkg/../.git/made", ".GIT/../.git/made", "inner/.git/made"]
)
def test_nothing_is_written_into_what_version_control_keeps(checkout, named):
    (checkout / ".git" / "hooks").mkdir()
    (checkout / "inner" / ".git").mkdir(parents=True)
    for setting in ("baseline", "cache-dir"):
        done = call(checkout, f"{setting} = '{named}'\n", "check", ".")
        assert f"`{setting}` names `{named}`" in done
        call(checkout, f"{setting} = '{named}'\n", "check", "--update-baseline", ".")
        assert not (checkout / named).exists()


@pytest.mark.parametrize("place", OUTSIDE)
def test_no_modules_are_looked_up_outside(checkout, user, place):
    named = place.format("lib", user=user)
    done = call(checkout, f"src = ['pkg', '{named}']\n", "check", ".")
    assert f"`src` names `{named}`, which lies outside of the project" in done


@pytest.mark.parametrize("how", ["option", "assignment", "own file"])
def test_the_user_may_name_any_place(checkout, user, how):
    made = user / "made"
    if how == "own file":
        (user / "mine.toml").write_text(f"cache-dir = '{made}'\n")
    options = {
        "option": ("--cache-dir", str(made)),
        "assignment": ("--config", f"cache-dir = '{made}'"),
        "own file": ("--config", str(user / "mine.toml")),
    }
    assert "outside" not in told(confined(checkout, "check", *options[how], "."))
    assert list(made.glob("results-*"))


def test_inside_everything_is_as_it_was(checkout):
    done = call(checkout, "cache-dir = 'pkg/../.cache/dllint'\nbaseline = 'pkg/known.json'\nsrc = ['pkg']\n", "check", ".")
    assert "outside" not in done
    assert list((checkout / ".cache" / "dllint").glob("results-*"))
    assert "Wrote 1 known finding" in call(checkout, "baseline = 'pkg/known.json'\n", "check", "--update-baseline", ".")


@pytest.mark.parametrize("other", ["setup.cfg", "package.json", "data.json", ".git/config"])
def test_a_baseline_takes_the_place_of_no_other_file(checkout, other):
    texts = {"package.json": '{"name": "x", "version": "1", "files": []}', "data.json": "[1, 2, 3]"}
    (checkout / other).write_text(texts.get(other, "[core]\nbare = false\n"))
    before = (checkout / other).read_text()
    assert "error" in call(checkout, f"baseline = '{other}'\n", "check", "--update-baseline", ".")
    assert (checkout / other).read_text() == before


@pytest.mark.parametrize("target", ["{user}/precious", "{user}/missing", "inside.txt"])
@pytest.mark.parametrize("option", ["-o", "--coverage-file", "--baseline"])
def test_what_the_user_wants_written_goes_through_no_link(checkout, user, option, target):
    (user / "precious").write_text("")
    (checkout / "inside.txt").write_text("")
    (checkout / "report").symlink_to(target.format(user=user))
    update = ("--update-baseline",) if option == "--baseline" else ()
    done = confined(checkout, "check", "-n", option, "report", *update, ".")
    assert "symbolic link" in told(done)
    assert done.status == 2
    assert (user / "precious").read_text() == "" == (checkout / "inside.txt").read_text()
    assert not (user / "missing").exists()


def test_pipes_of_the_shell_are_written_to(checkout):
    assert "DLT105" in told(confined(checkout, "check", "-n", "-o", "/dev/stdout", "."))


def test_a_repository_of_the_home_directory_is_nobodys_project(tmp_path, monkeypatch):
    home = tmp_path / "home"
    checkout = home / "downloads" / "checkout"
    checkout.mkdir(parents=True)
    (home / ".git").mkdir()
    monkeypatch.setenv("HOME", str(home))
    assert project_of(checkout) == checkout.resolve()
    assert project_of(home) == home.resolve()
    (home / "downloads" / ".git").mkdir()
    assert project_of(checkout) == (home / "downloads").resolve()


def test_links_in_a_circle_lie_nowhere(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    assert not lies_in(tmp_path / "loop" / "below", tmp_path / "other")
