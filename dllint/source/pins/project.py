"""``pyproject.toml`` (PEP 621, Poetry, PDM, uv), ``setup.cfg`` and ``setup.py``; the last one is parsed, never executed."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from dllint.source.pins.pin import Pin, pin_of_requirement, specifier_of
from dllint.source.pins.reading import BROKEN, line_of, read_text, read_toml
from dllint.source.plain import Plain

_PYTHON: Final = "python"


def in_directory(directory: Path) -> Iterator[Pin]:
    """The pins of the project files of a directory; what is optional counts only where nothing else names it."""
    for read in (_pyproject, _setup_cfg, _setup_py):
        try:
            firm, optional = read(directory)
        except BROKEN:
            continue
        named = {pin.name for pin in firm}
        yield from firm
        yield from (pin for pin in optional if pin.name not in named)


def _pyproject(directory: Path) -> tuple[list[Pin], list[Pin]]:
    path = directory / "pyproject.toml"
    document = read_toml(path)
    if not document:
        return [], []
    text = read_text(path)
    project, tool = _table(document, "project"), _table(document, "tool")
    poetry = _table(tool, "poetry")
    firm = _requirements(project.get("dependencies"), path, text)
    firm += _python(project.get("requires-python"), path, text)
    firm += _poetry(_table(poetry, "dependencies"), path, text)
    groups = [*_table(project, "optional-dependencies").values(), *_table(document, "dependency-groups").values()]
    groups += [*_table(_table(tool, "pdm"), "dev-dependencies").values(), _table(tool, "uv").get("dev-dependencies")]
    optional = [pin for group in groups for pin in _requirements(group, path, text)]
    for group in _table(poetry, "group").values():
        optional += _poetry(_table(group, "dependencies"), path, text)
    return firm, optional


def _setup_cfg(directory: Path) -> tuple[list[Pin], list[Pin]]:
    path = directory / "setup.cfg"
    text = read_text(path)
    if not text:
        return [], []
    import configparser

    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return [], []
    options: Mapping[str, str] = dict(parser["options"]) if parser.has_section("options") else {}
    extras = dict(parser["options.extras_require"]).values() if parser.has_section("options.extras_require") else ()
    firm = _requirements(options.get("install_requires", "").splitlines(), path, text)
    firm += _python(options.get("python_requires"), path, text)
    return firm, [pin for extra in extras for pin in _requirements(extra.splitlines(), path, text)]


def _setup_py(directory: Path) -> tuple[list[Pin], list[Pin]]:
    path = directory / "setup.py"
    text = read_text(path)
    if "setup" not in text:
        return [], []
    tree = ast.parse(text)
    names = {
        target.id: statement.value
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    call = next((node for node in calls if getattr(node.func, "id", getattr(node.func, "attr", "")) == "setup"), None)
    given = {keyword.arg: keyword.value for keyword in call.keywords} if call is not None else {}
    found = {name: _literal(given.get(name), names) for name in ("install_requires", "extras_require", "python_requires")}
    firm = _requirements(found["install_requires"], path, text) + _python(found["python_requires"], path, text)
    extras = found["extras_require"] if isinstance(found["extras_require"], dict) else {}
    return firm, [pin for extra in extras.values() for pin in _requirements(extra, path, text)]


def _literal(node: ast.expr | None, names: Mapping[str, ast.expr]) -> object:
    """What an expression says by itself: a literal, or a list of which some elements are; ``None`` if nothing."""
    if isinstance(node, ast.Name):
        node = names.get(node.id)
    if isinstance(node, (ast.List, ast.Tuple)):
        return [element.value for element in node.elts if isinstance(element, ast.Constant)]
    if node is None:
        return None
    try:
        return ast.literal_eval(node)
    except BROKEN:
        return None


def _table(table: Plain, key: str) -> Mapping[str, Any]:
    found = table.get(key) if isinstance(table, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _requirements(listed: object, path: Path, text: str) -> list[Pin]:
    if isinstance(listed, str):
        listed = listed.splitlines()
    if not isinstance(listed, Iterable) or isinstance(listed, Mapping):
        return []
    written = [item.strip() for item in listed if isinstance(item, str) and item.strip()]
    pins = (pin_of_requirement(item, path, line_of(text, item)) for item in written)
    return [pin for pin in pins if pin is not None]


def _python(specifier: object, path: Path, text: str) -> list[Pin]:
    found = specifier_of(specifier) if isinstance(specifier, str) else None
    return [Pin(_PYTHON, found, path, line_of(text, str(specifier)))] if found else []


def _poetry(table: Mapping[str, Any], path: Path, text: str) -> list[Pin]:
    """Poetry's table: a specifier by name, or a table with one under ``version``."""
    out: list[Pin] = []
    for name, value in table.items():
        version = value.get("version", "*") if isinstance(value, Mapping) else value
        found = specifier_of(version) if isinstance(version, str) else None
        if found is not None:
            out.append(Pin(name.lower().replace("_", "-"), found, path, line_of(text, f"{name} =")))
    return out
