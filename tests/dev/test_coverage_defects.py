"""An exception inside the meaning of an operation, or of an entry, is a defect: there is none in the fixtures, the snippets of
the tests and the pages of the rules, and the model files of installed libraries."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.dev.coverage import measure, record
from dllint.lower.document import lower_document
from dllint.source.document import Document

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(r"^```python\n(.*?)^```", re.M | re.S)
_NAMES = re.compile(r"\b(torch|nn|keras|tf|np|layers)\.")
#: What the helpers of the tests put in front of a snippet that imports nothing.
_IMPORTS = """import torch, keras, numpy as np, tensorflow as tf
from torch import nn
from keras import layers
import torch.nn.functional as F
"""
#: Package → its folder of models, and how many of their files are read.
_LIBRARIES = {
    "torchvision": ("models", 10),
    "keras": ("src/applications", 10),
    "torch": ("nn/modules", 12),
    "timm": ("models", 6),
}


def snippets() -> Iterator[tuple[str, str]]:
    """The programs in the texts of the tests, and on the pages of the rules, each with its place."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and "\n" in node.value
                and _NAMES.search(node.value)
            ):
                yield f"{path.name}:{node.lineno}", node.value
    for page in sorted((ROOT / "tests" / "rules").rglob("*.md")):
        yield from ((page.name, found[1]) for found in _FENCE.finditer(page.read_text(encoding="utf-8")))


def parsed(text: str) -> str:
    """A program that can be read, with imports; nothing if the text is none."""
    text = textwrap.dedent(text)
    text = text if "import " in text else _IMPORTS + text
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return ""
    return text


def test_no_operation_fails_in_the_snippets():
    wrong: dict[str, list[str]] = {}
    programs = [(place, text) for place, given in snippets() if (text := parsed(given))][::2]
    assert len(programs) > 500
    for place, text in programs:
        lowered = lower_document(Document.from_text(Path("/project/snippet.py"), text))
        failed = [detail for one in lowered.programs for reason, detail, _ in one.gaps if reason == "op-failed"]
        if failed or lowered.failures:
            wrong[place] = [*failed, *map(str, lowered.failures)]
    assert not wrong


def _defects(files: list[Path]) -> dict[str, int]:
    totals, _ = measure(files, Configuration(isolated=True))
    counted = record(totals["all"], reasons=0)
    assert counted["operations"] > 0
    found: dict[str, int] = counted["defects"]
    return found


def test_no_operation_fails_in_the_fixtures():
    assert _defects(sorted((ROOT / "fixtures").rglob("*.py"))) == {}


@pytest.mark.parametrize("package", _LIBRARIES)
def test_no_operation_fails_in_the_models_of_a_library(package: str):
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        pytest.skip(f"{package} is not installed")
    folder, count = _LIBRARIES[package]
    files = sorted((Path(spec.origin).parent / folder).glob("*.py"))
    assert files
    assert _defects(files[:: max(len(files) // count, 1)]) == {}
