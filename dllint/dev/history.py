"""Make the tables of :mod:`dllint.frameworks.history.record` of what several releases of a library say about the same names.

    python -m dllint.dev.history tensorflow 1.0.json 1.15.json 2.0.json ...

    python -m dllint.dev.history keywords 1.2.json 2.0.json ...

Each file is what :mod:`dllint.dev.release_names` prints in an interpreter with one release. A name that was there and is gone
is lacking from the first release that was seen without it; a name that was not there is new from the minor release after the
last one that was seen without it, unless it came and went.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from packaging.version import Version

from dllint.dev.keyword_programs import old_keywords
from dllint.frameworks.releases import known

FOLDER: Final = Path(__file__).parents[1] / "frameworks" / "history"
_COMPATIBLE: Final = "compat.v1."
#: Parts of ``compat.v1`` whose names are listed but raise with Keras 3.
_NOT_KEPT: Final = ("layers", "nn.rnn_cell", "estimator", "keras")


class Seen(NamedTuple):
    """A release and the names below its library that it has."""

    release: Version
    names: frozenset[str]


def seen(path: Path, library: str) -> Seen | None:
    """What a file says about a library; ``None`` if its interpreter did not have it."""
    data = json.loads(path.read_text(encoding="utf-8"))
    version = data["versions"].get(library)
    if version is None:
        return None
    prefix = f"{library}."
    return Seen(Version(version), frozenset(name.removeprefix(prefix) for name in data["names"] if name.startswith(prefix)))


def table(library: str, releases: Iterable[Seen]) -> dict[str, object]:
    """The table of a library: releases that were run, names by the release that first lacks or has them, and those lacking
    ones that ``compat.v1`` of the last release keeps."""
    ordered, doubtful = _by_release(releases)
    lacks: dict[str, list[str]] = {}
    has: dict[str, list[str]] = {}
    for name in sorted(frozenset().union(*(each.names for each in ordered))):
        if name.startswith("compat.") or name in doubtful:
            continue
        present = [name in each.names for each in ordered]
        changes = [at for at in range(1, len(ordered)) if present[at] != present[at - 1]]
        if changes and not present[-1]:
            lacks.setdefault(minor(ordered[changes[-1]].release), []).append(name)
        if changes and not present[0] and len(changes) <= 1 + (not present[-1]):
            has.setdefault(after(library, ordered[changes[0] - 1].release), []).append(name)
    last = ordered[-1].names
    gone = (name for names in lacks.values() for name in names if not name.startswith(_NOT_KEPT))
    kept = sorted(name for name in gone if f"{_COMPATIBLE}{name}" in last - doubtful)
    return {"run": [str(each.release) for each in ordered], "lacks": lacks, "has": has, "kept": kept}


def _by_release(releases: Iterable[Seen]) -> tuple[list[Seen], frozenset[str]]:
    """One entry per release, and the names that some runs of a release have and others lack (backends of Keras)."""
    found: dict[Version, frozenset[str]] = {}
    doubtful: frozenset[str] = frozenset()
    for each in releases:
        if each.release in found:
            doubtful |= found[each.release] ^ each.names
        found[each.release] = each.names
    return sorted(Seen(release, names) for release, names in found.items()), doubtful


def minor(release: Version) -> str:
    """The minor release that a release belongs to."""
    return f"{release.major}.{release.minor}"


def after(library: str, release: Version) -> str:
    """The minor release that follows a release."""
    later = (each for each in known(library) if (each.major, each.minor) > (release.major, release.minor))
    return minor(next(later))


def without_nested(names_by_release: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """The table without names below another name of the same release: that one says it all."""
    out = {}
    for release, names in names_by_release.items():
        whole = set(names)
        out[release] = [name for name in names if not any(prefix in whole for prefix in prefixes(name))]
    return out


def prefixes(name: str) -> list[str]:
    """``a.b.c`` gives ``a``, ``a.b``."""
    parts = name.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts))]


def dump(found: dict[str, object]) -> str:
    """The table as JSON with one line per release."""
    lines = []
    for key, value in found.items():
        if isinstance(value, dict):
            rows = ",\n".join(f"  {json.dumps(release)}: {json.dumps(names)}" for release, names in value.items())
            lines.append(f"{json.dumps(key)}: {{\n{rows}\n}}")
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def keywords(releases: Iterable[Seen]) -> dict[str, dict[str, str]]:
    """Callable → old keyword → the first release that rejects it; those that no release took are left out."""
    ordered = sorted(releases)
    out: dict[str, dict[str, str]] = {}
    for name, keyword in sorted({(old.callable, old.keyword) for old in old_keywords()}):
        taken = [f"{name} {keyword}" in each.names for each in ordered]
        last = max((at for at, was in enumerate(taken) if was), default=None)
        if last is not None and last + 1 < len(ordered):
            out.setdefault(name, {})[keyword] = minor(ordered[last + 1].release)
    return out


def _keywords(files: list[str]) -> None:
    found = [json.loads(Path(path).read_text(encoding="utf-8")) for path in files]
    releases = [Seen(Version(each["versions"]["keras"]), frozenset(each["names"])) for each in found]
    path = FOLDER / "keras-keywords.json"
    path.write_text(json.dumps(keywords(releases), indent=1) + "\n", encoding="utf-8")
    print(f"{path.name}: {len(releases)} releases")


def main(library: str, files: list[str]) -> None:
    """Write the table of a library, or of keywords."""
    if library == "keywords":
        _keywords(files)
        return
    found = [each for path in files if (each := seen(Path(path), library)) is not None]
    made = table(library, found)
    for key in ("lacks", "has"):
        rows = made[key]
        assert isinstance(rows, dict)
        made[key] = without_nested(rows)
    path = FOLDER / f"{library}.json"
    path.write_text(dump(made), encoding="utf-8")
    print(f"{path.name}: {len(found)} releases")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
