"""Patterns of files: those of git, in linear time, and each line only for itself."""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from dllint.config.discovery import configure
from dllint.config.globs import globs, parts_of
from dllint.config.selection import matches
from dllint.engine.files import find_files
from tests.security.confined import confined, told

FAULTY = "import torch\n\ntorch.ones(3).view(7)\n"
#: Would take a backtracking matcher longer than anybody lives.
HOSTILE = (
    "*a" * 30 + "b", "*" * 60 + "b", "a*" * 60 + "b", "**/" * 30 + "b", "**/a/" * 30 + "b", "a/**/" * 30 + "b",
    "[ab]*" * 40 + "c", "?*" * 60 + "b", "*a?" * 40 + "b", "x**" * 30 + "b", "/" + "*a" * 40 + "b", "!" + "*a" * 40 + "b",
    "*a" * 40 + "b/", "**/" + "*a" * 40 + "b/**", "a" * 100_000, "*" * 100_000, "[" * 1_000, "[!" * 500 + "]", "\\" * 999,
    "[[:alpha:][:digit:]]*" * 40 + "!", "({*}" * 100, "(a|a)*" * 20 + "b", "(?:a+)+" * 20,
)  # fmt: skip
PATHS = ("a" * 200, "/".join(["a"] * 200), "/".join(["ab" * 60] * 10), "a" * 100 + "/" + "ba" * 100)
#: Lines of which git makes nothing, or a single odd name.
ODD = (
    "!", "/", "//", "!/", "\\", "!!", "[", "[!", "[]", "a[", "**", "***", "\0", "\udcff", "#", " ", "\\ ", "a\\", "[z-a]", "\r",
)  # fmt: skip


@pytest.mark.parametrize("pattern", HOSTILE, ids=range(len(HOSTILE)))
def test_no_pattern_takes_long(pattern):
    begun = time.process_time()
    for path in PATHS:
        globs((pattern,)).verdict(parts_of(path))
        matches(Path(path), pattern, Path.cwd())
    assert time.process_time() - begun < 2


@pytest.mark.parametrize("pattern", HOSTILE[:12], ids=range(12))
def test_no_pattern_of_a_checkout_holds_up_a_run(tmp_path, pattern):
    (tmp_path / ".git").mkdir()
    (tmp_path / ("a" * 200 + ".py")).write_text(FAULTY)
    (tmp_path / ".gitignore").write_text(f"{pattern}\n")
    (tmp_path / "dllint.toml").write_text(f"extend-exclude = ['{pattern}']\nper-file-ignores = {{'{pattern}' = ['DLS']}}\n")
    assert "DLT105" in told(confined(tmp_path, "check", "-n", ".", seconds=30))


@pytest.mark.parametrize("line", ODD, ids=ascii)
def test_an_odd_line_costs_only_itself(tmp_path, line):
    (tmp_path / ".git").mkdir()
    for name in ("a.py", "left_out.py"):
        (tmp_path / name).write_text("")
    text = f"left_out.py\n{line}\n"
    (tmp_path / ".gitignore").write_bytes(text.encode("utf-8", "surrogateescape"))
    found = {path.name for path in find_files([tmp_path], configure([], {}, isolated=False)).files}
    assert found == (set() if set(line) == {"*"} else {"a.py"})


def test_many_lines_are_matched_quickly(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("".join(f"*{number}*x\nname{number}\n" for number in range(200_000)))
    for number in range(100):
        (tmp_path / f"a{number}.py").write_text("")
    begun = time.process_time()
    find_files([tmp_path], configure([], {}, isolated=False))
    assert time.process_time() - begun < 10


class Trees:
    """A directory with files, and what git says of them."""

    NAMES = ("a", "b", "ab", "a.py", "foo", "foo.d", "x y", "[a]", "#a", "!a", "aab", "a-b", "A", "9", "..a")
    ATOMS = ("a", "b", "*", "?", "**", "[ab]", "[!a]", "[^a]", "[a-c]", "\\*", "\\a", "*.py", "foo", "[[:digit:]]", "ab", "a*b",
             "*a*b", "x y", "\\#a", "\\!a", "[]a]", "[!]a]", "[a-]", "[\\]a]", ".", "[z-a]")  # fmt: skip

    def __init__(self, root: Path, chance: random.Random) -> None:
        self.root, self.chance = root, chance
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        for _ in range(120):
            path = root.joinpath(*(chance.choice(self.NAMES) for _ in range(chance.choice([1, 2, 3, 4]))))
            if not any(part.is_file() for part in (path, *path.parents)) and not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()
        made = [path.relative_to(root) for path in root.rglob("*") if path.is_file()]
        self.files = [path.as_posix() for path in made if path.parts[0] != ".git"]

    def pattern(self) -> str:
        """A pattern of any kind that git has."""
        chance = self.chance
        lengths = [chance.choice([1, 1, 1, 2, 3]) for _ in range(chance.randint(1, 3))]
        parts = ["".join(chance.choice(self.ATOMS) for _ in range(length)) for length in lengths]
        text = "/".join("**" if chance.random() < 0.2 else part for part in parts)
        return f"{'!' * (chance.random() < 0.2)}{'/' * (chance.random() < 0.2)}{text}{'/' * (chance.random() < 0.2)}"

    def verdicts(self, lines: tuple[str, ...]) -> dict[str, bool | None]:
        """What git says of every file."""
        (self.root / ".git" / "info" / "exclude").write_text("\n".join(lines) + "\n")
        command = ["git", "-C", str(self.root), "check-ignore", "--no-index", "-v", "-n", "-z", "--stdin"]
        done = subprocess.run(command, input="\0".join(self.files).encode() + b"\0", capture_output=True, check=False)
        told = done.stdout.decode().split("\0")
        rows = [told[at : at + 4] for at in range(0, len(told) - 3, 4)]
        return {path: not pattern.startswith("!") if pattern else None for _, _, pattern, path in rows}


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@pytest.mark.parametrize("seed", range(4))
def test_patterns_mean_what_they_mean_to_git(tmp_path, seed):
    trees = Trees(tmp_path, random.Random(seed))
    for _ in range(150):
        lines = tuple(trees.pattern() for _ in range(trees.chance.choice([1, 1, 2, 4])))
        expected = trees.verdicts(lines)
        assert len(expected) == len(trees.files)
        assert {path: globs(lines).verdict(parts_of(path)) for path in expected} == expected, lines
