"""Evidence in a notebook of the releases that it ran with: its kernel, ``pip install`` lines, versions among its outputs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from dllint.source.pins.pin import Pin, is_version
from dllint.source.pins.reading import BROKEN, read_json
from dllint.source.pins.requirements import of_install_line
from dllint.source.plain import Plain

_LARGEST: Final = 32 * 1024 * 1024
_MOST_CELLS: Final = 2_000
_VERSION_ASKED: Final = re.compile(r"\b(\w+)\.__version__")
_IMPORTED: Final = re.compile(r"^\s*import\s+(tensorflow|keras|torch|torchvision)(?:\s+as\s+(\w+))?\s*$", re.MULTILINE)
_ANSWER: Final = re.compile(r"\D{0,60}?(\d+\.\d+(?:\.\d+)?(?:[a-z.+-]\w+)?)'?\s*")
_COLAB: Final = re.compile(r"^\s*%tensorflow_version\s+(\d)\.x", re.MULTILINE)


def of_notebook(path: Path) -> list[Pin]:
    """The pins of a notebook; those of its kernel and outputs only tell what somebody once had."""
    data = read_json(path, _LARGEST)
    try:
        return [*_kernel(data, path), *_cells(data, path)]
    except BROKEN:
        return []


def _kernel(data: dict[str, Any], path: Path) -> Iterator[Pin]:
    metadata = data.get("metadata") or {}
    language, kernel = metadata.get("language_info") or {}, metadata.get("kernelspec") or {}
    version = language.get("version")
    if isinstance(version, str) and is_version(version.rstrip("+")):
        yield Pin("python", f"=={'.'.join(version.rstrip('+').split('.')[:2])}.*", path, declared=False)
    elif str(kernel.get("name")) == "python2" or str(kernel.get("language")) == "python2":
        yield Pin("python", "==2.7.*", path, declared=False)


def _cells(data: dict[str, Any], path: Path) -> Iterator[Pin]:
    cells = [cell for sheet in (data, *(data.get("worksheets") or [])) for cell in sheet.get("cells") or []][:_MOST_CELLS]
    code = [(_joined(cell.get("source", cell.get("input", ""))), cell) for cell in cells if cell.get("cell_type") == "code"]
    aliases = {found[2] or found[1]: found[1] for source, _ in code for found in _IMPORTED.finditer(source)}
    for source, cell in code:
        for line in source.splitlines():
            if line.lstrip().startswith(("!", "%")):
                yield from of_install_line(line, path, 0)
        if (colab := _COLAB.search(source)) is not None:
            yield Pin("tensorflow", f"=={colab[1]}.*", path)
        asked = {aliases[name] for name in _VERSION_ASKED.findall(source) if name in aliases}
        if len(asked) == 1 and (version := _answer(cell)):
            yield Pin(asked.pop(), f"=={version}", path, declared=False)


def _answer(cell: dict[str, Any]) -> str:
    """The version that the outputs of a cell consist of; empty if they hold anything else."""
    texts = []
    for output in cell.get("outputs") or []:
        data = output.get("data") or {}
        texts.append(_joined(data.get("text/plain") or output.get("text") or ""))
    shown = [text for text in texts if text.strip() and not text.startswith(("Using ", "/"))]
    found = _ANSWER.fullmatch(shown[-1].strip()) if shown else None
    return found[1] if found is not None and is_version(found[1]) else ""


def _joined(source: Plain) -> str:
    if isinstance(source, list):
        return "".join(part for part in source if isinstance(part, str))
    return source if isinstance(source, str) else ""
