"""Configuration files, baselines and ignore files that are broken, mistyped or of other kinds."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.fuzz.cases import Finding, Looked, run_cases
from benchmarks.fuzz.command import FAULT, FAULTY, Told, told
from benchmarks.fuzz.odd_json import damaged, dumped, mutated
from benchmarks.fuzz.options import Options
from benchmarks.fuzz.report import Report
from dllint.config.options import Option, options

_FILES: Final = ("dllint.toml", ".dllint.toml", "pyproject.toml", "custom.toml")
#: TOML values of every kind.
_VALUES: Final = (
    "1",
    "-1",
    "0",
    "2.5",
    "nan",
    "true",
    '""',
    '"x"',
    '"DLT"',
    '"ALL"',
    "[]",
    '["DLT101"]',
    '["no-such-rule"]',
    "[1, 2]",
    '[["DLT"]]',
    "{}",
    "{ a = 1 }",
    '{ "tests/**" = ["DLS"] }',
    '{ "**" = "DLS" }',
    '{ DLT = "info" }',
    "{ DLT101 = 3 }",
    '{ x = "[0, 1]" }',
    '{ x = "[1, 0]" }',
    '{ x = [0, "a"] }',
    '{ "*" = { y = "(0, ?)" } }',
    "1979-05-27",
    "9223372036854775807",
    '"/etc"',
    '"../.."',
    '"\\u0000"',
    '["**/["]',
    '["***"]',
    '["(?"]',
    '"high"',
    '"error"',
    '"json"',
    '["torch==2.13"]',
    '["torch=>"]',
    '["x" ]',
    '"""\nx"""',
    "1e400",
    "0x10",
    "07",
    '"😀"',
    '["a", 1]',
    "inf",
)
_IGNORES: Final = (
    "*",
    "!*",
    "**",
    "/",
    "!",
    "\\",
    "[",
    "a[",
    "[!",
    "a\\",
    "*.py",
    "!a.py",
    "/a.py",
    "**/a.py",
    "a.py/",
    "***",
    "{a,b}",
    "#",
    "\\#",
    " ",
    "\t",
    "a" * 3000,
    "*" * 500,
    "é",
    "[[:alpha:]]",
    "[z-a]",
    "\0",
    "\r",
)
_BASELINE: Final = ".dllint-baseline.json"


def run(options_: Options) -> Report:
    """Run ``count`` configurations: each is used, or refused with its name and key."""
    return run_cases("configurations", options_, look, "configurations")


def look(seed: str) -> Looked:
    """What is wrong with one of them."""
    random = Random(f"configuration {seed}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / ".git").mkdir()
        (folder / "a.py").write_text(FAULTY)
        way = random.choice((_settings, _settings, _settings, _mutated, _ignored, _baselined))
        return way(folder, random)


def _settings(folder: Path, random: Random) -> Looked:
    """Settings that hold, with one among them that may not."""
    known = list(options())
    chosen = random.sample(known, random.randrange(1, 5))
    lines = [f"{one.name} = {one.example}" for one in chosen if one.kind != "string"]
    key, line = _odd(random.choice(known), random)
    lines.insert(random.randrange(len(lines) + 1), line)
    lines = [
        one for number, one in enumerate(lines) if one.split(" =")[0] not in [other.split(" =")[0] for other in lines[:number]]
    ]
    return _used(folder, random, "\n".join(lines) + "\n", key)


def _odd(option: Option, random: Random) -> tuple[str, str]:
    """A key and its assignment, of which something is odd."""
    key = option.name
    if random.random() < 0.25:
        at = random.randrange(len(key))
        key = random.choice(
            (key[:at] + key[at + 1 :], key + "s", key.upper(), key.replace("-", "_"), '"' + key + ' "', key + ".x", "x")
        )
    return key.strip('" ') or "x", f"{key or 'x'} = {random.choice(_VALUES)}"


def _mutated(folder: Path, random: Random) -> Looked:
    """A file whose bytes are damaged."""
    text = "\n".join(f"{one.name} = {one.example}" for one in options() if one.kind != "string" and random.random() < 0.4)
    return _used(folder, random, damaged(text.encode(), random), "")


def _used(folder: Path, random: Random, content: str | bytes, key: str) -> Looked:
    file = random.choice(_FILES)
    data = content.encode() if isinstance(content, str) else content
    (folder / file).write_bytes((b"[tool.dllint]\n" if file == "pyproject.toml" else b"") + data)
    arguments = ["--config", file] if file == "custom.toml" else []
    done = told(folder, *_command(random), *arguments, "a.py")
    return _judged(done, data, (file, *_words(key)), ".toml")


def _command(random: Random) -> Sequence[str]:
    return random.choice(
        (
            ("check", "-n"),
            ("check", "-n"),
            ("check", "-n", "--show-settings"),
            ("check", "-n", "--show-files"),
            ("check", "-n", "--exit-zero"),
            ("check",),
        )
    )


def _words(key: str) -> list[str]:
    return [key] if re.fullmatch(r"[\w-]+", key) else []


def _judged(done: Told, data: bytes, named: Sequence[str], suffix: str) -> Looked:
    """It ran, or it was refused in words that name the file; a key that is refused is named, too."""
    counts = {"refused": int(done.status == 2), "used": int(done.status != 2)}
    if done.fault:
        return Looked(counts, (Finding("fault", done.fault, data, suffix),))
    if done.status == 2 and not any(word in done.err for word in named):
        return Looked(counts, (Finding("message", f"names none of {named}: {done.err}", data, suffix),))
    if done.status == 2 and len(named) > 1 and "not valid TOML" not in done.err and "`" not in done.err:
        return Looked(counts, (Finding("message", f"names no key: {done.err}", data, suffix),))
    return Looked(counts)


def _ignored(folder: Path, random: Random) -> Looked:
    """Ignore files of every kind: at most, a file is left out."""
    where = folder / random.choice(("", ".git/info", "sub"))
    where.mkdir(parents=True, exist_ok=True)
    lines = [random.choice(_IGNORES) for _ in range(random.randrange(1, 12))]
    data = "\n".join(lines).encode("utf-8", "surrogatepass")
    if random.random() < 0.3:
        data = damaged(data, random)
    (where / ("exclude" if where.name == "info" else ".gitignore")).write_bytes(data)
    done = told(folder, "check", "-n", ".")
    looked = _judged(done, data, (".gitignore", "exclude"), ".gitignore")
    if not looked.findings and done.status == 2:
        return Looked(looked.counts, (Finding("ignore file", f"ends the run: {done.err}", data, ".gitignore"),))
    return looked


def _baselined(folder: Path, random: Random) -> Looked:
    """A baseline that was changed."""
    made = told(folder, "check", "-n", "--baseline", _BASELINE, "--update-baseline", "a.py")
    path = folder / _BASELINE
    if made.fault or not path.exists():
        return Looked({}, (Finding("baseline", f"not made: {made}", b"", ".json"),))
    data = path.read_bytes()
    value: Any = json.loads(data)
    data = dumped(mutated(value, random, random.randrange(1, 4))) if random.random() < 0.7 else damaged(data, random)
    path.write_bytes(data)
    done = told(folder, "check", "-n", "--baseline", _BASELINE, *random.choice(((), ("--update-baseline",))), "a.py")
    looked = _judged(done, data, (_BASELINE,), ".json")
    if not looked.findings and done.status == 0 and FAULT in done.out:
        return Looked(looked.counts, (Finding("baseline", f"a finding and status 0: {done}", data, ".json"),))
    return looked
