"""The releases of libraries that dllint knows, which interpreters they run on, and which distributions are which library.

Data, read from the lists of the package index. What a requirement admits is decided by these lists, so a release that is newer
than the last one counts as that one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Final

from dllint.source.versions import normalized, specifiers, version

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet
    from packaging.version import Version

#: The releases that the tables of names, keywords and signatures were last checked with, by running them.
CHECKED: Final = {"torch": "2.13.0", "tensorflow": "2.21.0", "keras": "3.15.1"}

#: Library → its releases, a minor one each with the last patch, and the first and last Python it runs on.
_LISTS: Final = {
    "tensorflow": """
        0.12.1 2.7-3.6, 1.0.1 2.7-3.6, 1.1.0 2.7-3.6, 1.2.1 2.7-3.6, 1.3.0 2.7-3.6, 1.4.1 2.7-3.6, 1.5.1 2.7-3.6,
        1.6.0 2.7-3.6, 1.7.1 2.7-3.6, 1.8.0 2.7-3.6, 1.9.0 2.7-3.6, 1.10.1 2.7-3.6, 1.11.0 2.7-3.6, 1.12.3 2.7-3.6,
        1.13.2 2.7-3.7, 1.14.0 2.7-3.7, 1.15.5 2.7-3.7, 2.0.4 2.7-3.7, 2.1.4 2.7-3.7, 2.2.3 3.5-3.8, 2.3.4 3.5-3.8,
        2.4.4 3.6-3.8, 2.5.3 3.6-3.9, 2.6.5 3.6-3.9, 2.7.4 3.7-3.10, 2.8.4 3.7-3.10, 2.9.3 3.7-3.10, 2.10.1 3.7-3.10,
        2.11.1 3.7-3.10, 2.12.1 3.8-3.11, 2.13.1 3.8-3.11, 2.14.1 3.9-3.11, 2.15.1 3.9-3.11, 2.16.2 3.9-3.12,
        2.17.1 3.9-3.12, 2.18.1 3.9-3.12, 2.19.1 3.9-3.12, 2.20.0 3.9-3.13, 2.21.0 3.10-3.13""",
    "keras": """
        0.2.0 2.7-3.6, 0.3.3 2.7-3.6, 1.0.8 2.7-3.6, 1.1.2 2.7-3.6, 1.2.2 2.7-3.6, 2.0.9 2.7-3.6, 2.1.6 2.7-3.6, 2.2.5 2.7-3.7,
        2.3.1 2.7-3.7, 2.4.3 3.5-3.8, 2.5.0 3.6-3.9, 2.6.0 3.6-3.9, 2.7.0 3.7-3.10, 2.8.0 3.7-3.10, 2.9.0 3.7-3.10,
        2.10.0 3.7-3.10, 2.11.0 3.7-3.10, 2.12.0 3.8-3.11, 2.13.1 3.8-3.11, 2.14.0 3.9-3.11, 2.15.0 3.8-3.11, 3.0.5 3.8-3.13,
        3.1.1 3.9-3.13, 3.2.1 3.9-3.13, 3.3.3 3.9-3.13, 3.4.1 3.9-3.13, 3.5.0 3.9-3.13, 3.6.0 3.9-3.13, 3.7.0 3.9-3.13,
        3.8.0 3.9-3.13, 3.9.2 3.9-3.13, 3.10.0 3.9-3.13, 3.11.3 3.10-3.13, 3.12.4 3.10-3.13, 3.13.2 3.11-3.14,
        3.14.1 3.11-3.14, 3.15.1 3.11-3.14""",
    "torch": """
        0.1.12 2.7-3.6, 0.2.0 2.7-3.6, 0.3.1 2.7-3.6, 0.4.1 2.7-3.7, 1.0.1 2.7-3.7, 1.1.0 2.7-3.7, 1.2.0 2.7-3.7, 1.3.1 2.7-3.7,
        1.4.0 2.7-3.8, 1.5.1 3.5-3.8, 1.6.0 3.6-3.8, 1.7.1 3.6-3.9, 1.8.1 3.6-3.9, 1.9.1 3.6-3.9, 1.10.2 3.6-3.10,
        1.11.0 3.7-3.10, 1.12.1 3.7-3.10, 1.13.1 3.7-3.11, 2.0.1 3.8-3.11, 2.1.2 3.8-3.11, 2.2.2 3.8-3.12, 2.3.1 3.8-3.12,
        2.4.1 3.8-3.12, 2.5.1 3.9-3.13, 2.6.0 3.9-3.13, 2.7.1 3.9-3.13, 2.8.0 3.9-3.13, 2.9.1 3.10-3.14, 2.10.0 3.10-3.14,
        2.11.0 3.10-3.14, 2.12.1 3.10-3.14, 2.13.0 3.10-3.14, 2.14.1 3.10-3.14, 2.15.0 3.11-3.14""",
    "torchvision": """
        0.1.9 2.7-3.6, 0.2.2 2.7-3.7, 0.3.0 2.7-3.7, 0.4.2 2.7-3.7, 0.5.0 2.7-3.8, 0.6.1 3.5-3.8, 0.7.0 3.6-3.8, 0.8.2 3.6-3.9,
        0.9.1 3.6-3.9, 0.10.1 3.6-3.9, 0.11.3 3.6-3.10, 0.12.0 3.7-3.10, 0.13.1 3.7-3.10, 0.14.1 3.7-3.11, 0.15.2 3.8-3.11,
        0.16.2 3.8-3.11, 0.17.2 3.8-3.12, 0.18.1 3.8-3.12, 0.19.1 3.8-3.12, 0.20.1 3.9-3.13, 0.21.0 3.9-3.13,
        0.22.1 3.9-3.13, 0.23.0 3.9-3.13, 0.24.1 3.10-3.14, 0.25.0 3.10-3.14""",
    "python": """
        2.7.18 2.7-2.7, 3.4.10 3.4-3.4, 3.5.10 3.5-3.5, 3.6.15 3.6-3.6, 3.7.17 3.7-3.7, 3.8.20 3.8-3.8, 3.9.25 3.9-3.9,
        3.10.20 3.10-3.10, 3.11.15 3.11-3.11, 3.12.13 3.12-3.12, 3.13.12 3.13-3.13, 3.14.3 3.14-3.14""",
}

#: Distributions that install a library under another name.
_DISTRIBUTIONS: Final = {
    "pytorch": "torch",
    "tensorflow-gpu": "tensorflow",
    "tensorflow-cpu": "tensorflow",
    "tensorflow-macos": "tensorflow",
    "tensorflow-rocm": "tensorflow",
    "tensorflow-intel": "tensorflow",
    "tensorflow-directml": "tensorflow",
    "tensorflow-mkl": "tensorflow",
    "tensorflow-base": "tensorflow",
    "intel-tensorflow": "tensorflow",
    "tf-nightly": "tensorflow",
    "tf-nightly-cpu": "tensorflow",
    "tf-nightly-gpu": "tensorflow",
}

#: First TensorFlow of a row → the releases of Keras that go with it, until the next row.
_KERAS_OF_TENSORFLOW: Final = (
    ("0.12", "<2.4"), ("2.2", ">=2.3,<2.5"), ("2.4", "==2.4.*"), ("2.5", "==2.5.*"), ("2.6", "==2.6.*"), ("2.7", "==2.7.*"),
    ("2.8", "==2.8.*"), ("2.9", "==2.9.*"), ("2.10", "==2.10.*"), ("2.11", "==2.11.*"), ("2.12", "==2.12.*"),
    ("2.13", "==2.13.*"),
    ("2.14", "==2.14.*"), ("2.15", "==2.15.*"), ("2.16", ">=3.0"),
)  # fmt: skip


def library_of(distribution: str) -> str | None:
    """The library that a distribution installs, ``None`` if its releases are not known."""
    name = normalized(distribution)
    library = _DISTRIBUTIONS.get(name, name)
    return library if library in _LISTS else None


def libraries() -> tuple[str, ...]:
    """The libraries whose releases are known."""
    return tuple(_LISTS)


@cache
def _listed(library: str) -> tuple[tuple[Version, Version, Version], ...]:
    """Each release with the first and last Python it runs on, in order."""
    return tuple(entry for row in _LISTS[library].split(",") for entry in _expanded(*row.split()))


def _expanded(last: str, pythons: str) -> Iterable[tuple[Version, Version, Version]]:
    """The releases of a row: all patches up to the last one."""
    first_python, _, last_python = pythons.partition("-")
    minor, _, patch = last.rpartition(".")
    for number in range(int(patch) + 1):
        yield version(f"{minor}.{number}"), version(first_python), version(last_python)


@cache
def known(library: str) -> tuple[Version, ...]:
    """All releases of a library, oldest first."""
    return tuple(release for release, _, _ in _listed(library))


@cache
def admitted(library: str, specifier: str) -> tuple[Version, ...]:
    """The releases that a version specifier admits: known ones, or else those that it names. Empty if it cannot be read."""
    try:
        wanted = specifiers(specifier)
    except ValueError:
        return ()
    found = tuple(release for release in known(library) if wanted.contains(release, prereleases=True))
    return found or tuple(sorted(_named(wanted)))


def _named(wanted: SpecifierSet) -> Iterable[Version]:
    for part in wanted:
        if part.operator in ("==", "===", ">=", "~=", ">"):
            try:
                yield version(part.version.removesuffix(".*"))
            except ValueError:
                continue


def running_on(library: str, pythons: Iterable[Version]) -> tuple[Version, ...]:
    """The releases of a library that run on any of some Pythons."""
    minors = {version(f"{python.major}.{python.minor}") for python in pythons}
    return tuple(release for release, first, last in _listed(library) if any(first <= minor <= last for minor in minors))


def keras_with(tensorflow: Iterable[Version]) -> tuple[Version, ...]:
    """The releases of Keras that go with any of some releases of TensorFlow."""
    specifiers = set()
    for release in tensorflow:
        fitting = [specifier for first, specifier in _KERAS_OF_TENSORFLOW if version(first) <= release]
        specifiers.add(fitting[-1] if fitting else _KERAS_OF_TENSORFLOW[0][1])
    return tuple(sorted({release for specifier in specifiers for release in admitted("keras", specifier)}))
